package botauth

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"time"

	"github.com/robotsexclusion/robots/internal/sfv"
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
	label, err := s.label()
	if err != nil {
		return err
	}
	var covered sfv.List
	for _, name := range s.components() {
		covered = append(covered, sfv.Item{Value: name})
	}
	if req.Header == nil {
		req.Header = make(http.Header)
	}
	req.Header.Del("Signature-Agent")
	if s.Agent != "" {
		if err := checkAgentURL(s.Agent); err != nil {
			return fmt.Errorf("botauth: sign: the agent %q is %w", s.Agent, err)
		}
		req.Header.Set("Signature-Agent", dictionary(label, sfv.Item{Value: s.Agent}))
		covered = append(covered, sfv.Item{Value: "signature-agent", Params: []sfv.Param{{Key: "key", Value: label}}})
	}
	input, signature, err := s.sign(newMessage(req, ""), covered, requestTag, now)
	if err != nil {
		req.Header.Del("Signature-Agent")
		return fmt.Errorf("botauth: sign %s: %w", req.URL, err)
	}
	req.Header.Set("Signature-Input", dictionary(label, input))
	req.Header.Set("Signature", dictionary(label, signature))
	return nil
}

// dictionary returns a structured field with one member.
func dictionary(key string, i sfv.Item) string {
	return (&sfv.Dictionary{Members: []sfv.Member{{Key: key, Item: i}}}).String()
}

// label returns the label of a new signature. It checks the fields of s, except for Agent and
// Cover.
func (s *Signer) label() (string, error) {
	if len(s.Key) != ed25519.PrivateKeySize {
		return "", fmt.Errorf("botauth: sign: the private key has %d bytes, not %d", len(s.Key), ed25519.PrivateKeySize)
	}
	label := s.Label
	if label == "" {
		label = "sig1"
	}
	if label[0] == '*' {
		return "", fmt.Errorf("botauth: sign: the label %q does not start with a small letter", label)
	} else if !sfv.IsKey(label) {
		return "",
			fmt.Errorf("botauth: sign: the label %q has characters other than small letters, digits, \"_\", \"-\", \".\" and \"*\"", label)
	}
	if s.validity() < time.Second {
		return "", fmt.Errorf("botauth: sign: a validity of %s is less than a second", s.validity())
	}
	return label, nil
}

func (s *Signer) validity() time.Duration {
	if s.Validity == 0 {
		return 5 * time.Minute
	}
	return s.Validity
}

// sign signs the covered components of a message. It returns the values of the members of
// Signature-Input and Signature.
func (s *Signer) sign(m *message, covered sfv.List, tag string, now time.Time) (input, signature sfv.Item, err error) {
	public, err := NewKey(s.Key.Public())
	if err != nil {
		return input, signature, err
	}
	nonce := make([]byte, 64)
	rand.Read(nonce) // never fails
	input = sfv.Item{Value: covered, Params: []sfv.Param{
		{Key: "created", Value: now.Unix()},
		{Key: "expires", Value: now.Add(s.validity()).Unix()},
		{Key: "keyid", Value: public.ID()},
		{Key: "alg", Value: algEd25519},
		{Key: "nonce", Value: base64.StdEncoding.EncodeToString(nonce)},
		{Key: "tag", Value: tag},
	}}
	base, err := m.base(input)
	if err != nil {
		return input, signature, err
	}
	return input, sfv.Item{Value: ed25519.Sign(s.Key, []byte(base))}, nil
}

// components returns the names of the covered components, without the agent.
func (s *Signer) components() []string {
	if s.Cover == nil {
		return []string{"@method", "@authority", "@path"}
	}
	return append([]string{"@authority"}, s.Cover...)
}
