package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
)

// writeScore writes what the servers of the demo recorded: the requests and the shortest pause of
// each host, and the violations. minDelay is the robot's pause on every host.
func writeScore(out io.Writer, web *testweb.Web, minDelay time.Duration) {
	type pauses struct {
		requests int
		ended    time.Duration
		shortest time.Duration
	}
	hosts := make(map[string]*pauses)
	for r := range web.Requests() {
		name, _, _ := strings.Cut(strings.TrimPrefix(r.URL, "http://"), "/")
		h := hosts["http://"+name]
		if h == nil {
			h = &pauses{shortest: -1}
			hosts["http://"+name] = h
		} else if pause := r.Start - h.ended; h.shortest < 0 || pause < h.shortest {
			h.shortest = pause
		}
		h.requests++
		h.ended = r.End
	}
	fmt.Fprintln(out, "\nwhat the servers saw:")
	t := &columns.Table{W: out}
	for i := range web.Len() {
		if h := hosts[web.Origin(i)]; h != nil {
			t.Add([]columns.Cell{columns.Text("  " + web.Origin(i)),
				columns.Text(language.Count(h.requests, "request")),
				columns.Text("at least " + h.shortest.Round(10*time.Millisecond).String() + " between requests")})
		}
	}
	t.Flush()
	violations := impolite(web, minDelay)
	fmt.Fprintln(out, verdict(len(violations)))
	for _, v := range violations {
		fmt.Fprintln(out, v)
	}
}

// impolite returns the violations of robots.txt and of manners. The user of the demo chooses the
// name of the robot, and may add URLs, to which no page links.
func impolite(web *testweb.Web, minDelay time.Duration) []testweb.Violation {
	return slices.DeleteFunc(web.Check(testweb.CheckOptions{MinDelay: minDelay}), func(v testweb.Violation) bool {
		return v.What == testweb.Anonymous || v.What == testweb.Stray || v.What == testweb.Nobody
	})
}

// verdict returns the sentence about the number of violations.
func verdict(n int) string {
	if n == 0 {
		return "no request violated robots.txt or the pauses between requests"
	}
	return language.Count(n, "violation") + " of robots.txt or of the pauses between requests:"
}
