package botauth

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A Card describes a signer, at an https URL that names the signer
// (draft-meunier-webbotauth-registry: a signature agent card). The card is a claim of the owner of
// that URL.
type Card struct {
	ID       string   // its own URL ("client_id")
	Name     string   // for people ("client_name")
	Contacts []string // URLs, such as mailto:bot@example.com

	// Keys are the keys of the signer, if they are in the card; otherwise KeysURL is their URL
	// ("jwks_uri"). A card has at most one of the two.
	Keys    *Directory
	KeysURL string

	UserAgent    string // the User-Agent to expect ("expected-user-agent")
	ProductToken string // its name in robots.txt ("rfc9309-product-token")
	Trigger      string // why it fetches, such as "fetcher" or "crawler"
	Purpose      string // such as "tdm"
	RangesURL    string // the document of its address ranges ("ips_uri")
}

// ParseCard parses the card, of up to 256 KiB, fetched from a URL. The card must name that URL as
// its own. Unknown members are ignored.
func ParseCard(cardURL string, data []byte) (*Card, error) {
	if len(data) > maxDirectory {
		return nil, fmt.Errorf("the card is larger than %d bytes", maxDirectory)
	}
	var doc struct {
		ClientID   string          `json:"client_id"`
		ClientName string          `json:"client_name"`
		Contacts   []string        `json:"contacts"`
		JWKS       json.RawMessage `json:"jwks"`
		JWKSURI    string          `json:"jwks_uri"`
		WebBotAuth struct {
			ExpectedUserAgent string `json:"expected-user-agent"`
			ProductToken      string `json:"rfc9309-product-token"`
			Trigger           string `json:"trigger"`
			Purpose           string `json:"purpose"`
			IPsURI            string `json:"ips_uri"`
		} `json:"web_bot_auth"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("the card is not the JSON that it should be: %w", err)
	}
	switch {
	case doc.ClientID != cardURL:
		return nil, fmt.Errorf("the card at %s is that of %q", cardURL, doc.ClientID)
	case doc.JWKS != nil && doc.JWKSURI != "":
		return nil, errors.New("the card has both jwks and jwks_uri")
	}
	c := &Card{
		ID: doc.ClientID, Name: doc.ClientName, Contacts: doc.Contacts, KeysURL: doc.JWKSURI,
		UserAgent: doc.WebBotAuth.ExpectedUserAgent, ProductToken: doc.WebBotAuth.ProductToken,
		Trigger: doc.WebBotAuth.Trigger, Purpose: doc.WebBotAuth.Purpose, RangesURL: doc.WebBotAuth.IPsURI,
	}
	if doc.JWKS != nil {
		keys, err := ParseDirectory(doc.JWKS)
		if err != nil {
			return nil, fmt.Errorf("the card: %w", err)
		}
		c.Keys = keys
	}
	for _, u := range []string{c.KeysURL, c.RangesURL} {
		if u != "" && checkAgentURL(u) != nil {
			return nil, fmt.Errorf("the card names %q, which is not an https URL", u)
		}
	}
	return c, nil
}
