package robotsguard

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/guardserver"
	"github.com/robotsexclusion/robots/internal/printable"
)

// pool has the things that handlers share, of the configuration before and of the next one, by siteKey and logKey.
var pool = caddy.NewUsagePool()

// figures counts for all handlers, because the counters of a process do not go back.
var figures = sync.OnceValue(guardserver.NewFigures)

// use returns the thing with a key, which open makes if no handler uses it yet, until the handler is cleaned up.
func use[K comparable, T caddy.Destructor](h *Handler, key K, open func(K) (T, error)) (T, error) {
	thing, _, err := pool.LoadOrNew(key, func() (caddy.Destructor, error) { return open(key) })
	if err != nil {
		var none T
		return none, err
	}
	h.release = append(h.release, func() { pool.Delete(key) })
	return thing.(T), nil
}

// A siteKey is where the rules of a site and the identities of its robots come from.
type siteKey struct {
	robots, upstream, ranges string
	verify                   bool
}

// A site is a policy with the pace and the identities of robots.
type site struct {
	source     *guard.Source
	paces      guard.Paces
	identities *guard.Identities // nil if nobody is identified
	stop       context.CancelFunc
}

// maxRangesAge is the age up to which ranges that nobody fetches again prove that other addresses are forged.
const maxRangesAge = 7 * 24 * time.Hour

// firstFetch is how long a configuration waits for the robots.txt of an upstream.
const firstFetch = 3 * time.Second

// openSite reads robots.txt, and again until nobody uses the site. A file has to be readable now; an upstream may start later.
func openSite(key siteKey) (*site, error) {
	s := &site{source: guard.File(key.robots)}
	if key.robots == "" {
		s.source = guard.Upstream(key.upstream, "robots-guard (Caddy)", nil)
	}
	var ctx context.Context
	ctx, s.stop = context.WithCancel(context.Background())
	first, cancel := context.WithTimeout(ctx, firstFetch)
	defer cancel()
	switch err := s.source.Reload(first); {
	case err != nil && key.robots != "":
		s.stop()
		return nil, fmt.Errorf("robots_guard: cannot enforce %s: %w", printable.Shown(key.robots), err)
	case err != nil:
		warn("all requests pass until robots.txt can be read", err)
	}
	if key.ranges != "" || key.verify {
		verifier := &agent.Verifier{Folder: key.ranges, MaxAge: maxRangesAge}
		if key.verify {
			verifier = &agent.Verifier{Folder: key.ranges, Client: &http.Client{Transport: fetch.DialFilter{}.Transport()}}
		}
		s.identities = &guard.Identities{Verifier: verifier, DNS: key.verify}
	}
	go s.source.Watch(ctx, func(err error) {
		figures().Reloaded(err)
		if err != nil {
			warn("robots.txt cannot be used", err)
		}
	})
	return s, nil
}

// Destruct ends the watch, and the questions about identities.
func (s *site) Destruct() error {
	s.stop()
	if s.identities != nil {
		s.identities.Close()
	}
	return nil
}

// warn writes to the log of Caddy. A site outlives the configuration that opened it, so it uses no logger of that one.
func warn(message string, err error) {
	caddy.Log().Named("http.handlers.robots_guard").Warn(message, zap.String("error", printable.Text(err.Error())))
}

// A logKey is the name of a log.
type logKey string

// A logFile is an open log.
type logFile struct {
	file  *os.File
	write func(*guardserver.Record)
}

func openLog(key logKey) (*logFile, error) {
	f, err := os.OpenFile(string(key), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o640)
	if err != nil {
		return nil, fmt.Errorf("robots_guard: cannot write the log: %w", err)
	}
	return &logFile{f, guardserver.Log(f, func(err error) { warn("cannot write the log", err) })}, nil
}

// Destruct closes the log.
func (l *logFile) Destruct() error { return l.file.Close() }
