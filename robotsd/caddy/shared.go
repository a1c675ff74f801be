package robotsguard

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/caddyserver/caddy/v2"
	"go.uber.org/zap"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/robotsd/internal/guardoptions"
	"github.com/robotsexclusion/robots/robotsd/internal/guardserver"
	"github.com/robotsexclusion/robots/robotsd/internal/guardshare"
)

// pool has the things that handlers share, of the configuration before and of the next one, by
// siteKey and logKey.
var pool = caddy.NewUsagePool()

// figures counts for all handlers, because the counters of a process do not go back.
var figures = sync.OnceValue(guardserver.NewFigures)

// use returns the thing with a key, which open makes if no handler uses it yet, until the handler
// is cleaned up.
func use[K comparable, T caddy.Destructor](h *Handler, key K, open func(K) (T, error)) (T, error) {
	thing, _, err := pool.LoadOrNew(key, func() (caddy.Destructor, error) { return open(key) })
	if err != nil {
		var none T
		return none, err
	}
	h.release = append(h.release, func() { pool.Delete(key) })
	return thing.(T), nil
}

// A siteKey is where the rules of a site, the identities of its robots and their pace come from. A
// handler with another key has another site.
type siteKey struct {
	robots, upstream string
	ranges, dns      string
	verify           bool
	signers, hosts   string // one a line
	nats, name       string
}

func (h *Handler) siteKey() siteKey {
	return siteKey{
		h.Robots, h.Upstream, h.Ranges, h.DNS, h.Verify, strings.Join(h.Signers, "\n"), strings.Join(h.Hosts, "\n"),
		h.NATS, h.Site,
	}
}

// identity returns the options for the identity of robots.
func (k siteKey) identity() guardoptions.Identity {
	lines := func(text string) (list []string) {
		if text != "" {
			list = strings.Split(text, "\n")
		}
		return list
	}
	return guardoptions.Identity{
		Ranges: k.ranges, Verify: k.verify, DNS: k.dns, Signers: lines(k.signers), Hosts: lines(k.hosts),
		Upstream: k.upstream, UserAgent: userAgent,
	}
}

// A site is a policy with the pace and the identities of robots.
type site struct {
	source     *guard.Source
	paces      guard.Paces
	identities *guard.Identities // nil if nobody is identified
	share      *guardshare.Share // nil if the site has one guard
	stop       context.CancelFunc
}

// userAgent is the header of requests for robots.txt and for the keys of robots.
const userAgent = "robots-guard (Caddy)"

// firstFetch is how long a configuration waits for the robots.txt of an upstream.
const firstFetch = 3 * time.Second

// openSite reads robots.txt, and again until nobody uses the site. A file has to be readable now;
// an upstream may start later.
func openSite(key siteKey) (*site, error) {
	s := &site{source: guard.File(key.robots)}
	if key.robots == "" {
		s.source = guard.Upstream(key.upstream, userAgent, nil)
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
	var err error
	if s.identities, err = key.identity().Identities(); err != nil {
		s.stop()
		return nil, fmt.Errorf("robots_guard: cannot read the ranges in %s: %w", printable.Shown(key.ranges), err)
	}
	if doubt := key.identity().Doubt("host"); doubt != "" {
		warn(doubt, nil)
	}
	if key.nats != "" {
		if s.share, err = guardshare.Start(key.nats, key.name, &s.paces,
			func(err error) { warn("several guards", err) }); err != nil {
			s.Destruct()
			return nil, fmt.Errorf("robots_guard: %w", err)
		}
		if s.identities != nil {
			s.identities.Share = s.share.Identity
		}
	}
	go s.source.Watch(ctx, func(err error) {
		figures().Reloaded(err)
		if err != nil {
			warn("robots.txt cannot be used", err)
		}
	})
	return s, nil
}

// Destruct ends the watch, the sharing, and the questions about identities.
func (s *site) Destruct() error {
	s.stop()
	if s.share != nil {
		s.share.Close()
	}
	if s.identities != nil {
		s.identities.Close()
	}
	return nil
}

// warn writes to the log of Caddy. A site outlives the configuration that opened it, so it uses no
// logger of that one.
func warn(message string, err error) {
	var fields []zap.Field
	if err != nil {
		fields = append(fields, zap.String("error", printable.Text(err.Error())))
	}
	caddy.Log().Named("http.handlers.robots_guard").Warn(message, fields...)
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
