package fetch

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/robotsexclusion/robots"
)

// FromResponse returns the policy that follows from an answer to a request for robots.txt, for
// programs that make the request themselves (RFC 9309, section 2.3.1): the text of a 2xx answer, at
// most 500 KiB of it, cut at the last whole line; [robots.AllowAll] for 4xx, and for a redirect
// that was not followed; [robots.DisallowAll] for 429, 5xx and all others.
//
// The policy is never nil. The error says why a body cannot be read, or that an answer is 304,
// which confirms a text that the caller has: nothing is allowed then. FromResponse does not close
// the body.
//
// A [Client] also follows redirects, caches texts, limits time, and keeps the last text of a site
// that fails.
func FromResponse(answer *http.Response) (*robots.Policy, error) {
	if answer.StatusCode == http.StatusNotModified {
		return robots.DisallowAll(), errors.New("fetch: 304 Not Modified has no text: use the text that it confirms")
	}
	switch stateOf(answer.StatusCode) {
	case OK:
		text, _, err := readText(answer.Body, answer.Header, defaultMaxSize)
		if err != nil {
			return robots.DisallowAll(), fmt.Errorf("fetch: read robots.txt: %w", err)
		}
		return robots.Parse(text), nil
	case Unavailable:
		return robots.AllowAll(), nil
	}
	return robots.DisallowAll(), nil
}

// stateOf returns the meaning of a status that neither redirects nor confirms a text.
func stateOf(status int) State {
	switch {
	case status >= 200 && status < 300:
		return OK
	case isRedirect(status), status >= 400 && status < 500 && status != http.StatusTooManyRequests:
		return Unavailable
	}
	return Unreachable
}

func isRedirect(status int) bool { return status >= 300 && status < 400 }
