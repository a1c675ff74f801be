package keydir

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Judge verifies the signatures of requests, and reports the document with the key of each.
// Client or Keys must be set.
type Judge struct {
	// Client fetches the keys of the agents that requests name.
	Client *Client

	// Keys are the keys of all agents, if they are set. The Judge then fetches none.
	Keys *botauth.Directory

	// KeysName is the name of Keys for people, such as the name of a file.
	KeysName string
}

// A Judgement is the result for one request.
type Judgement struct {
	Method     string      `json:"method"`
	URL        string      `json:"url"` // with the scheme https
	At         time.Time   `json:"at"`  // the time for which the result holds
	Signatures []Signature `json:"signatures"`
}

// A Signature is the verdict on one signature of a request, or on a request without a signature.
type Signature struct {
	botauth.Verdict

	// Source is the document with the key. It is nil if the signature is not verified, or if the
	// key is one of Judge.Keys.
	Source *Source

	// KeysName is Judge.KeysName if the signature is verified by one of Judge.Keys, and otherwise
	// empty. The agent in the verdict is then only a claim.
	KeysName string
}

// Request judges the signatures of a request at a time, as if the request had come over https. The
// context of the request limits the fetches of keys. Request does not compare the host of the
// request with a name of this server.
func (j *Judge) Request(r *http.Request, at time.Time) *Judgement {
	verifier := &botauth.Verifier{Scheme: "https", Keys: j.key}
	result := &Judgement{Method: r.Method, URL: r.RequestURI, At: at}
	if strings.HasPrefix(result.URL, "/") {
		result.URL = "https://" + r.Host + result.URL
	}
	for _, v := range verifier.VerifyAll(r, at) {
		s := Signature{Verdict: v}
		switch {
		case v.Result != botauth.Verified:
		case j.Keys != nil:
			s.KeysName = j.KeysName
		default:
			s.Source, _ = j.Client.Source(r.Context(), v.Agent) // it is in memory
		}
		result.Signatures = append(result.Signatures, s)
	}
	return result
}

// key returns the key with an identifier. It is a function for [botauth.Verifier].
func (j *Judge) key(ctx context.Context, agent botauth.Agent, id string) (botauth.Key, error) {
	if j.Keys == nil {
		return j.Client.Key(ctx, agent, id)
	}
	key, ok := j.Keys.Key(id)
	if ok {
		return key, nil
	}
	err := fmt.Errorf("it is not in %s", j.KeysName)
	if rejected := j.Keys.Rejected(); len(rejected) > 0 {
		err = fmt.Errorf("%w, which has entries that cannot be used: %w", err, rejected[0])
	}
	return key, err
}

// Result returns the result for the whole request: Verified if a signature is verified, otherwise
// Forged if one is forged, otherwise Unverifiable. With Unverifiable, the error is not nil if a
// signature could not be judged, because its key is unavailable or its algorithm is unsupported.
func (j *Judgement) Result() (botauth.Result, error) {
	result := botauth.Unverifiable
	var err error
	for _, s := range j.Signatures {
		switch {
		case s.Result == botauth.Verified:
			return botauth.Verified, nil
		case s.Result == botauth.Forged:
			result = botauth.Forged
		case err == nil && (s.Reason == "unsupported" || errors.Is(s.Err, ErrUnavailable)):
			err = s.Err
		}
	}
	if result == botauth.Forged {
		err = nil
	}
	return result, err
}

// MarshalJSON returns the object of the verdict, with "tag", "keys" (the document with the key),
// "claims" (the URL of the agent, if it is only a claim), "host" (of the document), "possessed",
// and the "name" and "token" of the robot's card.
func (s Signature) MarshalJSON() ([]byte, error) {
	source := struct {
		Tag       string `json:"tag,omitempty"`
		Keys      string `json:"keys,omitempty"`
		Claims    string `json:"claims,omitempty"`
		Host      string `json:"host,omitempty"`
		Possessed *bool  `json:"possessed,omitempty"`
		*card
	}{Keys: s.KeysName}
	if s.Reason != botauth.Unsigned {
		source.Tag = "web-bot-auth"
	}
	verdict := s.Verdict
	switch {
	case s.KeysName != "":
		source.Claims, verdict.Agent = verdict.Agent.URL, botauth.Agent{}
	case s.Source != nil:
		possessed := slices.Contains(s.Source.Possessed, s.KeyID)
		source.Keys, source.Host, source.Possessed = s.Source.URL, s.Source.Host, &possessed
		if c := s.Source.Card; c != nil {
			source.card = &card{c.Name, c.ProductToken}
		}
	}
	b, err := verdict.MarshalJSON()
	if err != nil {
		return nil, err
	}
	more := printable.AppendJSON(nil, source)
	if len(more) == len("{}") {
		return b, nil
	}
	return append(append(b[:len(b)-1], ','), more[1:]...), nil
}

// A card has the members of JSON from a robot's card.
type card struct {
	Name  string `json:"name"`
	Token string `json:"token"`
}
