package crawl

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/result"
)

// Each line of the log has the origin of its host and the name of the reason. Events of a host
// are logged at info level, or at warning level if the crawl loses something. URLs are logged
// at debug level.

// A reporter writes to the log of a crawl.
type reporter struct{ *slog.Logger }

// start logs the start of a crawl.
func (l *reporter) start(c *Config, seeds int, counts Counts) {
	l.Info("the crawl starts", "dir", c.Dir, "user_agent", c.UserAgent, "seeds", seeds, "queued", counts.Queued, "done",
		counts.Done)
}

// end logs the end of a crawl and the reason.
func (l *reporter) end(s *Summary, err error) {
	level, reason := slog.LevelInfo, "interrupted"
	switch {
	case err != nil:
		level, reason = slog.LevelError, err.Error()
	case s.Spent:
		reason = errBudget.Error()
	case s.Finished:
		reason = "finished"
	}
	l.Log(context.Background(), level, "the crawl ends", "reason", reason, "pages", s.Pages, "bytes", s.Bytes, "queued",
		s.Counts.Queued, "done", s.Counts.Done)
}

// refusal logs the reason for a host's pause after a request, if the host failed or refused.
func (l *reporter) refusal(h *host, pauses *pace.Pauses, now time.Time, o pace.Outcome) {
	if o.Cancelled || o.Status != 0 && o.Status != http.StatusTooManyRequests &&
		o.Status != http.StatusServiceUnavailable {
		return
	}
	w := h.pace.Wait(pauses, now)
	l.Info("a host is left alone", "origin", h.origin, "reason", w.Reason.String(), "until", w.At.UTC(), "status",
		o.Status, "failures", h.pace.Strikes())
}

// closed logs that a host is closed, because its robots.txt could not be fetched.
func (l *reporter) closed(h *host, until time.Time, failures int, cause string) {
	l.Warn("a host is closed", "origin", h.origin, "reason", pace.Unreachable.String(), "until", until.UTC(),
		"failures", failures, "cause", cause)
}

// givenUp logs that a host's queue was dropped.
func (l *reporter) givenUp(h *host, why result.Reason, urls int) {
	l.Warn("a host is given up", "origin", h.origin, "reason", why.String(), "urls", urls)
}

// answers logs that a host is not lost, because it answered for a page that it answered before.
func (l *reporter) answers(h *host, url string) {
	l.Info("a host answers for other pages", "origin", h.origin, "url", url)
}

// trap logs a trap at a host, or behind one of its links, the first time that a URL is
// refused, or its links are not followed, for a reason. The text of url may be overwritten
// afterwards.
func (l *reporter) trap(h *host, why result.Reason, url string) {
	if h.first(why) {
		l.Info("a trap is found", "origin", h.origin, "reason", why.String(), "url", strings.Clone(url))
	}
}

// limit logs that a host reached a limit of the crawl, the first time that a URL is refused
// for a reason.
func (l *reporter) limit(h *host, why result.Reason, url string) {
	if h.first(why) {
		l.Info("a limit is reached", "origin", h.origin, "reason", why.String(), "url", strings.Clone(url))
	}
}

// first reports whether a reason is logged for the first time at a host.
func (h *host) first(why result.Reason) bool {
	before := h.logged
	h.logged |= 1 << why
	return h.logged != before
}

// shape logs that the outcome of a URL closed its shape.
func (l *reporter) shape(h *host, s ClosedShape, url string) {
	l.Info("a shape of URLs is closed", "origin", h.origin, "reason", result.Repetitive.String(), "shape", s.Shape,
		"pages", s.Pages, "new", s.New, "url", strings.Clone(url))
}

// results logs the outcomes of URLs.
func (l *reporter) results(all []*result.Line) {
	if len(all) == 0 || !l.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	for _, r := range all {
		l.Debug("a URL is dealt with", "url", r.URL, "status", r.Status, "reason", r.Reason.String())
	}
}
