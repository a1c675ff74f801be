package fetch_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// A shelf is a cache of a third party, which returns whatever a test has put there.
type shelf struct {
	mu  sync.Mutex
	e   *fetch.Entry
	err error
}

func (s *shelf) Get(context.Context, string) (*fetch.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.e, s.err
}

func (s *shelf) Put(_ context.Context, e *fetch.Entry) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.e = e
	return nil
}

// Entries of a cache are not trusted: if an entry is inconsistent, robots.txt is fetched again.
func TestForeignCache(t *testing.T) {
	s := serve(t, text(closed))
	origin, _ := fetch.Origin(s.URL)
	good := func() *fetch.Entry { return entry(origin, "User-agent: *\nDisallow: /", received.AddDate(-1, 0, 0)) }
	away := errors.New("the cache is away")
	for name, test := range map[string]struct {
		entry func(e *fetch.Entry) *fetch.Entry
		err   error
		want  error
	}{
		"nothing at all": {func(e *fetch.Entry) *fetch.Entry { return nil }, nil, nil},
		"an error":       {func(e *fetch.Entry) *fetch.Entry { return nil }, away, away},
		"no policy":      {func(e *fetch.Entry) *fetch.Entry { e.File.Policy = nil; return e }, nil, fetch.ErrCorrupt},
		"no file":        {func(e *fetch.Entry) *fetch.Entry { e.File = nil; return e }, nil, fetch.ErrCorrupt},
		"no state":       {func(e *fetch.Entry) *fetch.Entry { e.State = ""; return e }, nil, fetch.ErrCorrupt},
		"another origin": {func(e *fetch.Entry) *fetch.Entry { e.Origin = site; return e }, nil, fetch.ErrCorrupt},
		"zero":           {func(e *fetch.Entry) *fetch.Entry { return new(fetch.Entry) }, nil, fetch.ErrCorrupt},
		"an old entry":   {func(e *fetch.Entry) *fetch.Entry { return e }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c := local(t)
			c.Dialect = robots.Koster1996
			c.Cache = &shelf{e: test.entry(good()), err: test.err}
			r := policy(t, c, s.URL)
			check(t, "source", r.Source, fetch.Fetched)
			check(t, "dialect", r.Policy.Dialect(), robots.Koster1996)
			check(t, "allowed", allowed(r.Policy, "/"), true)
			if !errors.Is(r.CacheErr, test.want) {
				t.Errorf("got %v, want %v", r.CacheErr, test.want)
			}
		})
	}
}
