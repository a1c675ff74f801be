package botauth

import (
	"crypto/ed25519"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/sfv"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// directoryAnswer returns the response to a request for the directory of a host.
func directoryAnswer(host string, header http.Header) *http.Response {
	return &http.Response{
		StatusCode: http.StatusOK, Header: header,
		Request: &http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: host, Path: DirectoryPath}},
	}
}

// TestPossessedOfDraft verifies the test vector "Signed Directory Response" of
// draft-meunier-webbotauth-httpsig-protocol.
func TestPossessedOfDraft(t *testing.T) {
	body := []byte(`{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"` + rfcThumbprint +
		`","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","use":"sig"}]}`)
	d, err := ParseDirectory(body)
	fatal.If(t, err)
	header := http.Header{
		"Content-Digest":  {"sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:"},
		"Signature-Input": {`binding=("@authority";req "content-digest");created=1735689600;expires=4889289600;keyid="` + rfcThumbprint + `";tag="http-message-signatures-directory"`},
		"Signature":       {"binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:"},
	}
	at := time.Unix(1735689600, 0)
	test := &Verifier{AllowTestKeys: true}
	if got := d.possessed(test, directoryAnswer("signature-agent.test", header), body, at); !slices.Equal(got,
		[]string{rfcThumbprint}) {
		t.Errorf("got %q", got)
	}
	// The key is public, so that its signature proves nothing outside of tests.
	if got := d.Possessed(directoryAnswer("signature-agent.test", header), body, at); len(got) > 0 {
		t.Errorf("got %q of a key that everybody has", got)
	}
	if got := d.possessed(test, directoryAnswer("other.test", header), body, at); len(got) > 0 {
		t.Errorf("got %q at another host", got)
	}
	if got := d.possessed(test, directoryAnswer("signature-agent.test", header), append(body, '\n'), at); len(got) > 0 {
		t.Errorf("got %q for another body", got)
	}
}

// TestSignDirectory publishes two keys, and changes one thing at a time.
func TestSignDirectory(t *testing.T) {
	const host = "bot.example.com:8443"
	other := ed25519.NewKeyFromSeed([]byte(strings.Repeat("o", ed25519.SeedSize)))
	signers := []*Signer{{Key: botKey, Validity: time.Hour},
		{Key: other, Label: "sig2", Validity: 365 * 24 * time.Hour}}
	var ids []string
	var keys []Key
	for _, s := range signers {
		k, err := NewKey(s.Key.Public())
		fatal.If(t, err)
		keys, ids = append(keys, k), append(ids, k.ID())
	}
	d := NewDirectory(keys...)
	body, err := json.Marshal(d)
	fatal.If(t, err)
	signed := func() http.Header {
		header := http.Header{"Content-Type": {DirectoryType}}
		for _, s := range signers {
			fatal.If(t, s.SignDirectory(header, host, body, now))
		}
		return header
	}
	for _, test := range []struct {
		name   string
		change func(h http.Header)
		host   string
		body   string
		at     time.Time
		want   []string
	}{
		{"as it is", nil, host, "", now, ids},
		{"with another field", func(h http.Header) { h.Set("Content-Type", "text/html") }, host, "", now, ids},
		{"in capitals", nil, "Bot.Example.com:8443", "", now, ids},
		{"at another port", nil, "bot.example.com", "", now, nil},
		{"with another body", nil, host, `{"keys":[]}`, now, nil},
		{"without the digest", func(h http.Header) { h.Del("Content-Digest") }, host, "", now, nil},
		{"with a digest of no known algorithm", func(h http.Header) { h.Set("Content-Digest", "md5=:AAAA:") }, host, "",
			now, nil},
		{"with two digests, one wrong", func(h http.Header) { h.Add("Content-Digest", "sha-512=:AAAA:") }, host, "",
			now, nil},
		{"one expired", nil, host, "", now.Add(2 * time.Hour), ids[1:]},
		{"one expired within the skew", nil, host, "", now.Add(time.Hour + 30*time.Second), ids},
		{"in the future", nil, host, "", now.Add(-2 * time.Minute), nil},
		{"for a request", func(h http.Header) {
			h["Signature-Input"][0] = strings.Replace(h["Signature-Input"][0], directoryTag, requestTag, 1)
		}, host, "", now, ids[1:]},
		{"not of the request", func(h http.Header) {
			h["Signature-Input"][0] = strings.Replace(h["Signature-Input"][0], ";req", "", 1)
		}, host, "", now, ids[1:]},
		{"one without a signature", func(h http.Header) { h["Signature"] = h["Signature"][1:] }, host, "", now,
			ids[1:]},
		{"in another order", func(h http.Header) { slices.Reverse(h["Signature-Input"]) }, host, "", now,
			[]string{ids[1], ids[0]}},
		{"garbage", func(h http.Header) { h.Set("Signature", "(") }, host, "", now, nil},
		{"without a header", func(h http.Header) { clear(h) }, host, "", now, nil},
	} {
		header, served := signed(), body
		if test.body != "" {
			served = []byte(test.body)
		}
		if test.change != nil {
			test.change(header)
		}
		got := d.Possessed(directoryAnswer(test.host, header), served, test.at)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	// Drafts before 2026 have no digest.
	header := make(http.Header)
	m := newMessage(directoryAnswer(host, nil).Request, "https")
	m.response = header
	covered := sfv.List{{Value: "@authority", Params: []sfv.Param{{Key: "req", Value: true}}}}
	input, signature, err := signers[0].sign(m, covered, directoryTag, now)
	fatal.If(t, err)
	header.Set("Signature-Input", dictionary("old", input))
	header.Set("Signature", dictionary("old", signature))
	if got := d.Possessed(directoryAnswer(host, header), body, now); !slices.Equal(got, ids[:1]) {
		t.Errorf("of an old draft: got %q", got)
	}
	// A response whose request is unknown proves nothing.
	if got := d.Possessed(&http.Response{Header: signed()}, body, now); got != nil {
		t.Errorf("without a request: got %q", got)
	}
}

// TestSignDirectoryRefuses checks that a wrong argument adds no field.
func TestSignDirectoryRefuses(t *testing.T) {
	for _, host := range []string{"", "https://bot.example.com", "bot.example.com/x", "a b"} {
		header := make(http.Header)
		if err := (&Signer{Key: botKey}).SignDirectory(header, host, nil, now); err == nil || len(header) > 0 {
			t.Errorf("%q: got %v, %v", host, header, err)
		}
	}
	if err := (&Signer{}).SignDirectory(make(http.Header), "bot.example.com", nil, now); err == nil {
		t.Error("without a key: no error")
	}
}

// FuzzParseDirectory looks for a panic, for keys under an identifier that is not theirs, and for a
// proof by a key that is not in the directory.
func FuzzParseDirectory(f *testing.F) {
	public, err := NewKey(botKey.Public())
	fatal.If(f, err)
	good, err := json.Marshal(NewDirectory(public))
	fatal.If(f, err)
	header := make(http.Header)
	fatal.If(f, (&Signer{Key: botKey}).SignDirectory(header, "bot.example.com", good, now))
	f.Add(string(good), header.Get("Signature-Input"), header.Get("Signature"), header.Get("Content-Digest"))
	f.Add(`{"keys":[{"kty":"OKP","crv":"Ed25519","x":"JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs","kid":"`+public.ID()+
		`"}]}`, "", "", "")
	f.Add(`{"keys":[null,7,{"kty":"RSA","n":"","e":""}]}`,
		`a=("@authority";req);tag="http-message-signatures-directory"`, "a=:AAAA:", "sha-256=1")
	f.Fuzz(func(t *testing.T, text, input, signature, digest string) {
		d, err := ParseDirectory([]byte(text))
		if err != nil {
			return
		}
		for _, k := range d.keys {
			own, err := NewKey(k.public)
			if err != nil || own.ID() != k.ID() {
				t.Fatalf("a key has the identifier %s, not %s: %v", k.ID(), own.ID(), err)
			}
		}
		answer := directoryAnswer("bot.example.com", http.Header{"Signature-Input": {input}, "Signature": {signature},
			"Content-Digest": {digest}})
		for _, id := range d.Possessed(answer, []byte(text), now) {
			if _, ok := d.Key(id); !ok {
				t.Fatalf("the key %q is proven, and not in the directory", id)
			}
		}
		again, err := json.Marshal(d)
		fatal.If(t, err)
		if e, err := ParseDirectory(again); err != nil || len(e.keys) != len(d.keys) {
			t.Fatalf("%s: got %v, %v", again, e, err)
		}
	})
}
