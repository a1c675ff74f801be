package rdap

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// An answer is an IP network (RFC 9083, section 5.4).
type answer struct {
	Handle       text            `json:"handle"`
	Name         text            `json:"name"`
	StartAddress text            `json:"startAddress"`
	EndAddress   text            `json:"endAddress"`
	Entities     json.RawMessage `json:"entities"`
}

// A text is a string, or "" if the JSON has another type there: an odd member does not spoil the
// rest of an answer.
type text string

// UnmarshalJSON sets t.
func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = ""
	}
	*t = text(s)
	return nil
}

// An entity is a person or an organisation (RFC 9083, section 5.1). Its card is a jCard (RFC 7095).
type entity struct {
	Roles    json.RawMessage `json:"roles"`
	Card     json.RawMessage `json:"vcardArray"`
	Entities json.RawMessage `json:"entities"`
}

// list returns the elements of an array, or none if the JSON is not an array.
func list(data json.RawMessage) (elements []json.RawMessage) {
	if json.Unmarshal(data, &elements) != nil {
		return nil
	}
	return elements
}

// texts returns the strings of an array, or the string that is there in its place.
func texts(data json.RawMessage) (found []string) {
	for _, element := range append(list(data), data) {
		var t text
		if json.Unmarshal(element, &t) == nil && t != "" {
			found = append(found, string(t))
		}
	}
	return found
}

// maxDepth limits entities within entities. Registries nest the abuse contact in the holder.
const maxDepth = 4

// abuse returns the mail addresses of the entities with the role "abuse".
func abuse(entities json.RawMessage) (unique []string) {
	var mails []string
	level := list(entities)
	for range maxDepth {
		var next []json.RawMessage
		for _, data := range level {
			var e entity
			if json.Unmarshal(data, &e) != nil {
				continue
			}
			if slices.ContainsFunc(texts(e.Roles), func(role string) bool { return strings.EqualFold(role, "abuse") }) {
				mails = append(mails, e.mails()...)
			}
			next = append(next, list(e.Entities)...)
		}
		level = next
	}
	for _, mail := range mails {
		if !slices.Contains(unique, mail) && len(unique) < maxMails {
			unique = append(unique, mail)
		}
	}
	return unique
}

// plainMail matches the mail addresses that are shown. Others, such as those with quotes, are rare
// and could mislead a mail program.
var plainMail = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?$`)
})

// A property is one of a card: ["email", {"type": "abuse", "pref": "1"}, "text",
// "abuse@example.net", …].
type property struct {
	mails []string
	abuse bool // RIPE marks the mailbox for abuse next to the one of the office
	pref  int  // 1 is the first (RFC 6350, section 5.3)
}

// mails returns the mail addresses of the card, ["vcard", […]]: the addresses marked for abuse, or
// all if none is marked, in the order of preference.
func (e entity) mails() (mails []string) {
	card := list(e.Card)
	if len(card) < 2 {
		return nil
	}
	var properties []property
	for _, data := range list(card[1]) {
		if p := readProperty(list(data)); len(p.mails) > 0 {
			properties = append(properties, p)
		}
	}
	slices.SortStableFunc(properties, func(a, b property) int { return cmp.Compare(a.pref, b.pref) })
	marked := slices.ContainsFunc(properties, func(p property) bool { return p.abuse })
	for _, p := range properties {
		if p.abuse || !marked {
			mails = append(mails, p.mails...)
		}
	}
	return mails
}

// readProperty reads a property, which has mail addresses only if its name is email.
func readProperty(parts []json.RawMessage) (p property) {
	var name text
	if len(parts) < 4 || json.Unmarshal(parts[0], &name) != nil || !strings.EqualFold(string(name), "email") {
		return property{}
	}
	for _, value := range parts[3:] {
		for _, mail := range texts(value) {
			if mail = strings.TrimPrefix(mail, "mailto:"); plainMail().MatchString(mail) {
				p.mails = append(p.mails, mail)
			}
		}
	}
	var parameters map[string]json.RawMessage
	_ = json.Unmarshal(parts[1], &parameters) // those that are not objects are left out
	p.abuse = slices.ContainsFunc(texts(parameters["type"]),
		func(kind string) bool { return strings.EqualFold(kind, "abuse") })
	p.pref = 101
	for _, pref := range append(texts(parameters["pref"]), string(parameters["pref"])) {
		if n, err := strconv.Atoi(pref); err == nil && n >= 1 && n <= 100 {
			p.pref = n
		}
	}
	return p
}
