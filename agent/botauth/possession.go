package botauth

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"
)

// The response with a directory can have a signature of each key in it. The signatures prove that
// the holders of the keys agreed to their publication by this server, and that nobody copied the
// directory (draft-meunier-webbotauth-httpsig-protocol, "Possession Proof on the Directory
// Response").

// SignDirectory adds a signature to the header of a response that serves a directory. The body has
// the exact bytes of the response, and the authority is the host at which it is served, with a port
// unless it is the default of https. Signatures of several keys need different labels. It sets
// Content-Digest, and ignores Agent and Cover of s.
//
// The signature is valid for the Validity of s. A server that does not sign each response needs a
// long one.
func (s *Signer) SignDirectory(header http.Header, authority string, body []byte, now time.Time) error {
	input, err := s.input()
	if err != nil {
		return err
	}
	if u, err := url.Parse("https://" + authority); err != nil || u.Host != authority || authority == "" {
		return fmt.Errorf("botauth: sign: %q is not a host such as bot.example.com", authority)
	}
	digest := sha256.Sum256(body)
	field := &dictionary{members: []member{{key: "sha-256", item: item{value: digest[:]}}}}
	header.Set("Content-Digest", field.String())
	input.list = []item{{"@authority", []param{{"req", true}}}, {value: "content-digest"}}
	m := newMessage(&http.Request{Host: authority}, "https")
	m.response = header
	signature, err := s.sign(m, &input, directoryTag, now)
	if err != nil {
		return fmt.Errorf("botauth: sign: %w", err)
	}
	header.Add("Signature-Input", (&dictionary{members: []member{input}}).String())
	header.Add("Signature", signature)
	return nil
}

// Possessed returns the identifiers of the keys of d that signed a response at a time, usually now.
// The body has the bytes of the response, from which d was parsed, and the request of the response
// must be the one that was sent. A signature counts if it covers the authority of the request, and
// Content-Digest unless the response has none: the drafts until 2026 ask for the authority only.
//
// A key without such a signature can still verify requests, if the directory comes from its own
// server.
func (d *Directory) Possessed(response *http.Response, body []byte, now time.Time) []string {
	return d.possessed(&Verifier{}, response, body, now)
}

func (d *Directory) possessed(v *Verifier, response *http.Response, body []byte, now time.Time) (ids []string) {
	if response.Request == nil || response.Header == nil {
		return nil
	}
	m := newMessage(response.Request, "")
	m.response = response.Header
	inputs, err := m.signatureField("signature-input")
	if err != nil {
		return nil
	}
	signatures, err := m.signatureField("signature")
	if err != nil || m.checkDigest(body) != nil {
		return nil
	}
	for _, input := range inputs.members {
		if !input.inner || input.param("tag") != directoryTag {
			continue
		}
		c := &check{Verifier: v, message: m, input: input, now: now}
		c.Label = input.key
		if id, ok := input.param("keyid").(string); ok && !slices.Contains(ids, id) && c.possession(d, signatures) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// possession checks a signature of a response with a directory.
func (c *check) possession(d *Directory, signatures *dictionary) error {
	if _, err := c.readParams(); err != nil {
		return err
	}
	var covered []string
	for _, component := range c.input.list {
		covered = append(covered, component.String())
	}
	_, digest := c.response["Content-Digest"]
	if !slices.Contains(covered, `"@authority";req`) || digest && !slices.Contains(covered, `"content-digest"`) {
		return errors.New("it does not cover what it must")
	}
	if _, err := c.checkTime(math.MaxInt64); err != nil {
		return err
	}
	sig, _ := signatures.member(c.Label)
	signature, ok := sig.value.([]byte)
	key, known := d.Key(c.KeyID)
	if !ok || sig.inner || !known {
		return errors.New("it has no signature, or no key")
	}
	base, err := c.base(c.input)
	if err != nil {
		return err
	}
	_, err = c.checkSignature(key, base, signature)
	return err
}

// checkDigest compares Content-Digest, if the response has that field, with the body (RFC 9530,
// section 2). All digests of known algorithms must be right, and there must be one.
func (m *message) checkDigest(body []byte) error {
	if len(m.response["Content-Digest"]) == 0 {
		return nil
	}
	field, err := m.signatureField("content-digest")
	if err != nil {
		return err
	}
	known := false
	for _, digest := range field.members {
		var want []byte
		switch digest.key {
		case "sha-256":
			sum := sha256.Sum256(body)
			want = sum[:]
		case "sha-512":
			sum := sha512.Sum512(body)
			want = sum[:]
		default:
			continue
		}
		got, ok := digest.value.([]byte)
		if !ok || digest.inner || !bytes.Equal(got, want) {
			return fmt.Errorf("the digest %s is not that of the body", digest.key)
		}
		known = true
	}
	if !known {
		return errors.New("no digest of a known algorithm")
	}
	return nil
}
