package robottest

import (
	"net/http"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
)

// The faults that a single request shows. They are counted in all requests, because a robot may
// make more requests than the log keeps.
const (
	nameless = iota
	noContact
	unsafeMethod
	faultKinds // their number
)

// faultsOfRequests returns whether a request has each fault.
var faultsOfRequests = [faultKinds]func(r *Request) bool{
	nameless: func(r *Request) bool { return tokenOf(r.UserAgent) == "" },
	noContact: func(r *Request) bool {
		ua := r.UserAgent
		return !r.from && !strings.Contains(ua, "://") && !strings.Contains(ua, "@") && !strings.Contains(ua, "www.")
	},
	unsafeMethod: func(r *Request) bool {
		return r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodOptions
	},
}

// A tally counts the requests with a fault, and keeps the first of them.
type tally struct {
	n     int
	first []*Request // up to maxShown
}

func (t *tally) add(r *Request) {
	t.n++
	if len(t.first) < maxShown {
		t.first = append(t.first, r)
	}
}

// copy returns a tally with copies of the requests.
func (t *tally) copy() tally {
	c := tally{n: t.n}
	for _, r := range t.first {
		request := *r
		c.first = append(c.first, &request)
	}
	return c
}

// broken returns the verdict on a duty that the requests break.
func (t *tally) broken(reason language.Message) verdict {
	v := broken(reason, t.first...)
	v.more = t.n - len(t.first)
	return v
}
