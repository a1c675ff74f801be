package main

import (
	"fmt"
	"io"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/crawltext"
	"github.com/robotsexclusion/robots/internal/cli"
)

// showStatus shows a status line on a terminal until the crawl has ended.
func showStatus(to io.Writer, c *crawl.Crawl, ended <-chan struct{}) {
	if !cli.Terminal(to) {
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
				fmt.Fprint(to, "\r\x1b[K", crawltext.Progress(s))
			}
		}
	}
}
