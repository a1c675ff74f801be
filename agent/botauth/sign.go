package botauth

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"
)

// A Signer signs the requests of a robot with Ed25519. It is safe for concurrent use. Its fields
// must not be changed after its first use.
type Signer struct {
	// Key is the private key. Its public part must be in the directory that Agent names.
	Key ed25519.PrivateKey

	// Agent is the https URL at which the keys are published: the identity of the robot. Drafts
	// differ in its meaning: see [Agent.Directory]. If it is empty, no agent is sent, and only
	// verifiers that already know the key can verify the signature.
	Agent string

	// Label is the name of the signature in its fields; "" is sig1.
	Label string

	// Validity is the time until a signature expires; 0 is five minutes.
	Validity time.Duration

	// Cover lists the covered components, besides @authority and the agent: fields in lower case,
	// such as user-agent, or derived components without parameters, such as @query. If it is nil,
	// these are @method and @path.
	Cover []string
}

// Sign signs a request made at a time, usually now. It replaces the fields Signature-Input,
// Signature and Signature-Agent. The covered components must not be changed afterwards; a redirect
// makes another request, which must be signed again.
func (s *Signer) Sign(req *http.Request, now time.Time) error {
	input, err := s.input()
	if err != nil {
		return err
	}
	for _, name := range s.components() {
		input.list = append(input.list, item{value: name})
	}
	if req.Header == nil {
		req.Header = make(http.Header)
	}
	req.Header.Del("Signature-Agent")
	if s.Agent != "" {
		if err := checkAgentURL(s.Agent); err != nil {
			return fmt.Errorf("botauth: sign: the agent %q is %w", s.Agent, err)
		}
		field := &dictionary{members: []member{{key: input.key, item: item{value: s.Agent}}}}
		req.Header.Set("Signature-Agent", field.String())
		input.list = append(input.list, item{"signature-agent", []param{{"key", input.key}}})
	}
	signature, err := s.sign(newMessage(req, ""), &input, requestTag, now)
	if err != nil {
		req.Header.Del("Signature-Agent")
		return fmt.Errorf("botauth: sign %s: %w", req.URL, err)
	}
	req.Header.Set("Signature-Input", (&dictionary{members: []member{input}}).String())
	req.Header.Set("Signature", signature)
	return nil
}

// input returns the member of Signature-Input for a new signature, with its label only. It checks
// the fields of s, except for Agent and Cover.
func (s *Signer) input() (input member, err error) {
	if len(s.Key) != ed25519.PrivateKeySize {
		return input, fmt.Errorf("botauth: sign: the private key has %d bytes, not %d", len(s.Key), ed25519.PrivateKeySize)
	}
	label := s.Label
	if label == "" {
		label = "sig1"
	}
	if p := (&parser{rest: label}); label[0] == '*' {
		return input, fmt.Errorf("botauth: sign: the label %q does not start with a small letter", label)
	} else if _, err := p.key(); err != nil || p.rest != "" {
		return input, fmt.Errorf("botauth: sign: the label %q has characters other than small letters, digits, \"_\", \"-\", \".\" and \"*\"", label)
	}
	if s.validity() < time.Second {
		return input, fmt.Errorf("botauth: sign: a validity of %s is less than a second", s.validity())
	}
	return member{key: label, inner: true}, nil
}

func (s *Signer) validity() time.Duration {
	if s.Validity == 0 {
		return 5 * time.Minute
	}
	return s.Validity
}

// sign adds the parameters to input, and returns the field Signature.
func (s *Signer) sign(m *message, input *member, tag string, now time.Time) (field string, err error) {
	public, err := NewKey(s.Key.Public())
	if err != nil {
		return "", err
	}
	nonce := make([]byte, 64)
	rand.Read(nonce) // never fails
	input.params = []param{
		{"created", now.Unix()},
		{"expires", now.Add(s.validity()).Unix()},
		{"keyid", public.ID()},
		{"alg", algEd25519},
		{"nonce", base64.StdEncoding.EncodeToString(nonce)},
		{"tag", tag},
	}
	base, err := m.base(*input)
	if err != nil {
		return "", err
	}
	signature := member{key: input.key, item: item{value: ed25519.Sign(s.Key, []byte(base))}}
	return (&dictionary{members: []member{signature}}).String(), nil
}

// components returns the names of the covered components, without the agent.
func (s *Signer) components() []string {
	if s.Cover == nil {
		return []string{"@method", "@authority", "@path"}
	}
	return append([]string{"@authority"}, s.Cover...)
}
