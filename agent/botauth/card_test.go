package botauth

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseCard(t *testing.T) {
	const at = "https://bot.example.com/card"
	c, err := ParseCard(at, []byte(`{
		"client_id": "https://bot.example.com/card", "client_name": "Example Bot", "contacts": ["mailto:bot@example.com"],
		"jwks_uri": "https://bot.example.com/keys", "logo_uri": "https://bot.example.com/logo.png",
		"web_bot_auth": {"expected-user-agent": "ExampleBot/1.0", "rfc9309-product-token": "ExampleBot", "trigger": "fetcher", "purpose": "tdm",
			"ips_uri": "https://bot.example.com/ranges.json", "rate": 7}}`))
	want := &Card{
		ID: at, Name: "Example Bot", Contacts: []string{"mailto:bot@example.com"},
		KeysURL:   "https://bot.example.com/keys",
		UserAgent: "ExampleBot/1.0", ProductToken: "ExampleBot", Trigger: "fetcher", Purpose: "tdm",
		RangesURL: "https://bot.example.com/ranges.json",
	}
	if err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("got %+v, %v, want %+v", c, err, want)
	}
	c, err = ParseCard(at,
		[]byte(`{"client_id": "https://bot.example.com/card", "jwks": {"keys": [{"kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs"}]}}`))
	if err != nil || len(c.Keys.keys) != 1 {
		t.Errorf("got %+v, %v", c, err)
	}
	for name, text := range map[string]string{
		"nothing":             "",
		"no object":           "[]",
		"no name":             "{}",
		"another's":           `{"client_id": "https://other.example/card"}`,
		"keys twice":          `{"client_id": "https://bot.example.com/card", "jwks": {"keys": []}, "jwks_uri": "https://bot.example.com/keys"}`,
		"keys that are none":  `{"client_id": "https://bot.example.com/card", "jwks": []}`,
		"keys without TLS":    `{"client_id": "https://bot.example.com/card", "jwks_uri": "http://bot.example.com/keys"}`,
		"ranges in a file":    `{"client_id": "https://bot.example.com/card", "web_bot_auth": {"ips_uri": "/etc/passwd"}}`,
		"a name of no string": `{"client_id": 7}`,
		"too large":           strings.Repeat(" ", maxDirectory+1),
	} {
		if c, err := ParseCard(at, []byte(text)); err == nil {
			t.Errorf("%s: got %+v, want an error", name, c)
		}
	}
}
