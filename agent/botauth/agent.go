package botauth

import (
	"errors"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/internal/sfv"
)

// An Agent is the place where the signer of a request claims to publish its keys: a member of the
// field Signature-Agent. The claim is proven when a key from there verifies the signature. The zero
// Agent means that the signature names none.
type Agent struct {
	// Label is the key of the member. It is empty in the form of old drafts, in which the field is
	// a single string.
	Label string `json:"label,omitempty"`

	// URL is an https URL without user information, as it was sent.
	URL string `json:"url"`

	// Type is the type of the document at the URL: "directory", which is the default, "jwks_uri"
	// for a key set, or "cimd" for a card (see [ParseCard]). Earlier drafts have no types.
	Type string `json:"type"`
}

// Directory returns the URL from which to fetch the keys or the card.
//
// For an origin, such as https://bot.example.com, the result is [DirectoryPath] below it. Any other
// URL is returned as it is: an earlier draft fetches the URL itself, and expects it to have a path.
func (a Agent) Directory() string {
	u, err := url.Parse(a.URL)
	if err != nil || a.Type != "directory" || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return a.URL
	}
	return u.Scheme + "://" + u.Host + DirectoryPath
}

// parseAgents parses the field Signature-Agent: a dictionary, or a single string in old drafts. A
// member that is not a string with an https URL, or has an unknown type, must be ignored, so its
// URL stays empty.
func parseAgents(field string) ([]Agent, error) {
	if strings.HasPrefix(strings.TrimLeft(field, " "), `"`) {
		i, err := sfv.ParseItem(field)
		if err != nil {
			return nil, err
		}
		return []Agent{newAgent("", i)}, nil
	}
	d, err := sfv.ParseDictionary(field)
	if err != nil {
		return nil, err
	}
	if d.Repeated != "" {
		return nil, errors.New(d.Repeated + " stands twice in it")
	}
	agents := make([]Agent, len(d.Members))
	for i, m := range d.Members {
		agents[i] = newAgent(m.Key, m.Item)
	}
	return agents, nil
}

func newAgent(label string, i sfv.Item) Agent {
	a := Agent{Label: label, Type: "directory"}
	if t := i.Param("type"); t != nil {
		name, _ := t.(sfv.Token)
		a.Type = string(name)
	}
	text, _ := i.Value.(string)
	if a.Type != "directory" && a.Type != "jwks_uri" && a.Type != "cimd" || checkAgentURL(text) != nil {
		return Agent{Label: label}
	}
	a.URL = text
	return a
}

// checkAgentURL returns an error for a text that cannot be the URL of an agent.
func checkAgentURL(text string) error {
	u, err := url.Parse(text)
	odd := func(c rune) bool { return c <= ' ' || c > '~' }
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || strings.ContainsFunc(text, odd) {
		return errors.New("not an https URL such as https://bot.example.com")
	}
	return nil
}

// agentOf returns the agent that a signature with this label covers. It is zero if the signature
// covers no usable one.
func agentOf(label string, components []sfv.Item, agents []Agent) (Agent, error) {
	var covered []Agent
	whole := false
	for _, c := range components {
		if c.Value != "signature-agent" {
			continue
		}
		key, ok := c.Param("key").(string)
		whole = whole || !ok
		for _, a := range agents {
			if !ok || a.Label == key {
				covered = append(covered, a)
			}
		}
	}
	for _, a := range covered {
		if a.Label == label || len(covered) == 1 {
			if a.URL == "" {
				a = Agent{}
			}
			return a, nil
		}
	}
	if len(covered) > 1 {
		return Agent{}, errors.New("it covers several members of Signature-Agent, none of which has its label")
	}
	return Agent{}, nil
}
