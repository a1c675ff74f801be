package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A crawlStart tells people why a crawl cannot start, host by host.
type crawlStart struct {
	to io.Writer

	mu    sync.Mutex
	told  []string // origins
	first string   // the first reason
}

// mostTroubles is the maximum number of hosts that are printed; the log has all.
const mostTroubles = 5

// tell writes why the crawl cannot begin at a host, once for each host.
func (s *crawlStart) tell(origin string, err error, again time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.told) == mostTroubles || slices.Contains(s.told, origin) {
		return
	}
	text := trouble(origin, err)
	if s.told = append(s.told, origin); s.first == "" {
		s.first = text
	}
	if !again.IsZero() {
		text += fmt.Sprintf("; the next try is at %s, and Ctrl-C stops", again.Local().Format(time.TimeOnly))
	}
	clear := ""
	if cli.Terminal(s.to) {
		clear = "\r\x1b[K" // the line of the progress
	}
	fmt.Fprintf(s.to, "%srobots: %s\n", clear, printable.Shown(text))
}

// trouble says in terms of the command line why a host cannot be reached.
func trouble(origin string, err error) string {
	var refused *fetch.RefusedError
	if errors.As(err, &refused) {
		return fault.Special(origin, refused.Addr, refused.Name).Error()
	}
	return fmt.Sprintf("cannot reach %s: %s", origin, printable.Clipped(fault.Of(err).Error(), 300))
}

// nothing returns an error if a crawl has ended without a visit to any URL.
func (s *crawlStart) nothing(summary *crawl.Summary) error {
	if !summary.Finished || summary.Counts.Done > 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.first != "" {
		return fmt.Errorf("nothing was fetched: %s", s.first)
	}
	only := func(r result.Reason) bool { return len(summary.Reasons) == 1 && summary.Reasons[r] > 0 }
	switch {
	case summary.Pages > 0:
		return errors.New("no page could be read, for the reasons above: " +
			"the results have the status or the error of each URL")
	case only(result.Disallowed):
		return errors.New("nothing was fetched: robots.txt disallows every URL for this robot")
	case only(result.LongPause):
		return errors.New("nothing was fetched: robots.txt asks for longer pauses than --max-pause allows")
	}
	return errors.New("nothing was fetched: every URL was refused, for the reasons above")
}
