package guard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/http1"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/unusable"
)

// A Source keeps the policy of a robots.txt that may change: the last usable one stays in force. It
// is safe for concurrent use.
type Source struct {
	mu      sync.Mutex // held while the source is read
	read    func(ctx context.Context, settled bool) (text []byte, err error)
	every   time.Duration
	current atomic.Pointer[robots.Policy]
}

// errUnchanged says that a text was not read, because it is that of the policy in force, or is just
// being written.
var errUnchanged = errors.New("unchanged")

// Policy returns the policy in force, for [Guard.Policy]. It is an error if none was read yet.
func (s *Source) Policy(*http.Request) (*robots.Policy, error) {
	if p := s.current.Load(); p != nil {
		return p, nil
	}
	return nil, errNoPolicy
}

var errNoPolicy = errors.New("guard: no robots.txt was read yet")

// Reload reads robots.txt now. On an error the policy in force stays, or there is still none. A
// text that is empty, or has no line of robots.txt, such as a page of HTML, is an error, even if it
// is the first text: it would open the site.
func (s *Source) Reload(ctx context.Context) error {
	_, err := s.reload(ctx, false)
	return err
}

// reload reads robots.txt, only a settled one if settled is set. It reports whether another policy
// is in force now.
func (s *Source) reload(ctx context.Context, settled bool) (changed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, err := s.read(ctx, settled)
	if errors.Is(err, errUnchanged) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if old := s.current.Load(); old != nil && old.String() == string(text) {
		return false, nil // the guard keeps its cache of the old policy
	}
	if err := check(text); err != nil {
		return false, err
	}
	s.current.Store(robots.Parse(text))
	return true, nil
}

// check returns an error for a text that is not a robots.txt.
func check(text []byte) error {
	odd, ok := unusable.Find(robots.Parse(text))
	switch {
	case !ok:
		return nil
	case odd.Line > 0:
		return fmt.Errorf("the text is not a robots.txt: no line names robots, and line %d is %s; put the right file in its place, or a comment to allow everything",
			odd.Line, printable.Quoted(odd.Text, 40))
	}
	return errors.New("the text is empty; to allow everything, write a comment, such as # welcome")
}

// Watch reads robots.txt repeatedly until ctx ends: a file once a second, and a file of the
// upstream once a minute. Until there is a first policy, it reads once a second. It calls report
// with nil when another policy is in force, and with the error when a text cannot be read or used,
// once for equal errors in a row.
func (s *Source) Watch(ctx context.Context, report func(error)) {
	last := ""
	for {
		pause := s.every
		if s.current.Load() == nil {
			pause = min(pause, time.Second)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		changed, err := s.reload(ctx, true)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			if last = ""; changed {
				report(nil)
			}
		case err.Error() != last:
			last = err.Error()
			report(err)
		}
	}
}

// maxFile is the maximum size of a file in bytes.
const maxFile = 16 << 20

// File returns a source that reads a file. A file whose size or time changes is read when it has
// not changed for a second, so that half a file is not read. A file that vanishes, is empty, or has
// no line of robots.txt changes nothing.
func File(path string) *Source {
	type state struct {
		size int64
		time time.Time
	}
	var read, seen state
	load := func(_ context.Context, settled bool) ([]byte, error) {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		now := state{info.Size(), info.ModTime()}
		if settled && (now == read || now != seen) {
			seen = now
			return nil, errUnchanged
		}
		text, err := readFile(path)
		if err != nil {
			return nil, err
		}
		read, seen = now, now
		return text, nil
	}
	return &Source{read: load, every: time.Second}
}

// readFile reads a regular file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %d bytes", path, maxFile)
	}
	return text, err
}

// Upstream returns a source that fetches robots.txt from an origin, such as http://127.0.0.1:8080,
// by a transport that connects to private addresses too if it is nil. Statuses have the meanings of
// RFC 9309, section 2.3.1: with a 4xx status everything is allowed. But an upstream that fails,
// does not answer, or serves a text that is not a robots.txt changes nothing.
func Upstream(origin, userAgent string, transport http.RoundTripper) *Source {
	if transport == nil {
		transport = http1.New(fetch.DialFilter{AllowPrivate: true}.Transport())
	}
	load := func(ctx context.Context, _ bool) ([]byte, error) {
		// A client of its own has an empty cache: an operator who changes the file expects it to be
		// in force soon.
		client := &fetch.Client{UserAgent: userAgent, Transport: transport, Timeout: 20 * time.Second}
		result, err := client.Policy(ctx, origin)
		switch {
		case err != nil:
			return nil, err
		case result.State == fetch.OK:
			return []byte(result.Policy.String()), nil
		case result.State == fetch.Unavailable:
			return []byte(fmt.Sprintf("# there is no robots.txt: %d\n", result.Status)), nil
		}
		return nil, result.Err
	}
	return &Source{read: load, every: time.Minute}
}
