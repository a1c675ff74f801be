package rdap

import (
	"encoding/json"
	"regexp"
	"slices"
	"sync"
)

// An answer is an IP network (RFC 9083, section 5.4).
type answer struct {
	Handle       string   `json:"handle"`
	Name         string   `json:"name"`
	StartAddress string   `json:"startAddress"`
	EndAddress   string   `json:"endAddress"`
	Entities     []entity `json:"entities"`
}

// An entity is a person or an organisation (RFC 9083, section 5.1). Its card is a jCard (RFC 7095).
type entity struct {
	Roles    []string        `json:"roles"`
	Card     json.RawMessage `json:"vcardArray"`
	Entities []entity        `json:"entities"`
}

// maxDepth limits entities within entities. Registries nest the abuse contact in the holder.
const maxDepth = 4

// abuse returns the mail addresses of the entities with the role "abuse".
func abuse(entities []entity) (mails []string) {
	level := entities
	for range maxDepth {
		var next []entity
		for _, e := range level {
			if slices.Contains(e.Roles, "abuse") {
				mails = append(mails, e.mails()...)
			}
			next = append(next, e.Entities...)
		}
		level = next
	}
	var unique []string
	for _, mail := range mails {
		if !slices.Contains(unique, mail) && len(unique) < maxMails {
			unique = append(unique, mail)
		}
	}
	return unique
}

// plainMail matches the mail addresses that are shown. Others, such as those with quotes, are rare and could
// mislead a mail program.
var plainMail = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$`)
})

// mails returns the mail addresses of the card: ["vcard", [["email", {…}, "text", "abuse@example.net"], …]].
func (e entity) mails() (mails []string) {
	var card []json.RawMessage
	var properties []json.RawMessage
	if json.Unmarshal(e.Card, &card) != nil || len(card) != 2 || json.Unmarshal(card[1], &properties) != nil {
		return nil
	}
	for _, property := range properties {
		var (
			p          []json.RawMessage
			name, mail string
		)
		if json.Unmarshal(property, &p) != nil || len(p) < 4 || json.Unmarshal(p[0], &name) != nil || name != "email" || json.Unmarshal(p[3], &mail) != nil {
			continue
		}
		if plainMail().MatchString(mail) {
			mails = append(mails, mail)
		}
	}
	return mails
}
