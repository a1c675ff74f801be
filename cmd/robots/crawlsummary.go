package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/robotsexclusion/robots/crawl"
	"golang.org/x/term"
)

// showStatus shows a status line on a terminal until the crawl has ended.
func showStatus(to io.Writer, c *crawl.Crawl, ended <-chan struct{}) {
	f, ok := to.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			fmt.Fprint(to, "\r\x1b[K")
			return
		case <-tick.C:
			if s := c.Status(0); s != nil {
				fmt.Fprintf(to, "\r\x1b[K%d done, %d queued, %d refused, %.1f a second, %d hosts waiting, %d open",
					s.Counts.Done, s.Counts.Queued, s.Refused(), float64(s.Pages)/s.Elapsed().Seconds(), s.Waiting, s.Busy)
			}
		}
	}
}

// writeSummary writes the summary of a crawl.
func writeSummary(w io.Writer, s *crawl.Summary) {
	fmt.Fprintf(w, "%s fetched in %v, %d octets; %d known on %s, %d visited, %d queued\n", count(int(s.Pages), "page"),
		s.Elapsed.Round(10*time.Millisecond), s.Bytes, s.Counts.Seen, count(int(s.Counts.Hosts), "host"), s.Counts.Done, s.Counts.Queued)
	reasons := s.Named()
	for _, name := range byCount(reasons) {
		fmt.Fprintf(w, "%8d  %s\n", reasons[name], name)
	}
}
