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

	"github.com/robotsexclusion/robots/internal/sfv"
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
	label, err := s.label()
	if err != nil {
		return err
	}
	if u, err := url.Parse("https://" + authority); err != nil || u.Host != authority || authority == "" {
		return fmt.Errorf("botauth: sign: %q is not a host such as bot.example.com", authority)
	}
	digest := sha256.Sum256(body)
	header.Set("Content-Digest", dictionary("sha-256", sfv.Item{Value: digest[:]}))
	covered := sfv.List{{Value: "@authority", Params: []sfv.Param{{Key: "req", Value: true}}},
		{Value: "content-digest"}}
	m := newMessage(&http.Request{Host: authority}, "https")
	m.response = header
	input, signature, err := s.sign(m, covered, directoryTag, now)
	if err != nil {
		return fmt.Errorf("botauth: sign: %w", err)
	}
	header.Add("Signature-Input", dictionary(label, input))
	header.Add("Signature", dictionary(label, signature))
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
	for _, input := range inputs.Members {
		covered, ok := input.Value.(sfv.List)
		if !ok || input.Param("tag") != directoryTag {
			continue
		}
		c := &check{Verifier: v, message: m, input: input.Item, covered: covered, now: now}
		c.Label = input.Key
		if id, ok := input.Param("keyid").(string); ok && !slices.Contains(ids, id) &&
			c.possession(d, signatures) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// possession checks a signature of a response with a directory.
func (c *check) possession(d *Directory, signatures *sfv.Dictionary) error {
	if _, err := c.readParams(); err != nil {
		return err
	}
	var covered []string
	for _, component := range c.covered {
		covered = append(covered, component.String())
	}
	_, digest := c.response["Content-Digest"]
	if !slices.Contains(covered, `"@authority";req`) || digest && !slices.Contains(covered, `"content-digest"`) {
		return errors.New("it does not cover what it must")
	}
	if _, err := c.checkTime(math.MaxInt64); err != nil {
		return err
	}
	sig, _ := signatures.Member(c.Label)
	signature, ok := sig.Value.([]byte)
	key, known := d.Key(c.KeyID)
	if !ok || !known {
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
	for _, digest := range field.Members {
		var want []byte
		switch digest.Key {
		case "sha-256":
			sum := sha256.Sum256(body)
			want = sum[:]
		case "sha-512":
			sum := sha512.Sum512(body)
			want = sum[:]
		default:
			continue
		}
		got, ok := digest.Value.([]byte)
		if !ok || !bytes.Equal(got, want) {
			return fmt.Errorf("the digest %s is not that of the body", digest.Key)
		}
		known = true
	}
	if !known {
		return errors.New("no digest of a known algorithm")
	}
	return nil
}
