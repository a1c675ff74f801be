package crawl_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/child"
)

// A curve is the resource use of a crawler over time.
type curve struct {
	samples []sample
	stop    chan struct{}
	done    chan struct{}
}

// A sample is one measurement of a curve.
type sample struct {
	at       time.Duration
	requests int   // requests that the web has received
	memory   int64 // bytes: the resident set of the process
	disk     map[string]int64
}

// watch samples a process until end is called, once or twice a second at first, and less often
// later.
func (p *process) watch(t *testing.T, web *testweb.Web, dir string) *curve {
	c := &curve{stop: make(chan struct{}), done: make(chan struct{})}
	began := time.Now()
	go func() {
		defer close(c.done)
		for pause := 500 * time.Millisecond; ; pause = min(pause*11/10, 5*time.Second) {
			select {
			case <-c.stop:
				return
			case <-time.After(pause):
			}
			if memory := memoryOf(p); memory > 0 {
				c.samples = append(c.samples, sample{time.Since(began), web.Served(), memory, sizes(dir)})
			}
		}
	}()
	return c
}

// end stops the sampling and logs the curve as a table.
func (c *curve) end(t *testing.T) {
	t.Helper()
	close(c.stop)
	<-c.done
	var b strings.Builder
	fmt.Fprintf(&b, "%8s %9s %8s %8s %8s %8s %8s %8s\n", "seconds", "requests", "MB", "journal", "store", "archive",
		"results", "robots")
	const lines = 40
	step := max(1, (len(c.samples)+lines-1)/lines)
	for i, s := range c.samples {
		if i%step == step-1 || i == len(c.samples)-1 {
			fmt.Fprintf(&b, "%8.1f %9d %8.1f", s.at.Seconds(), s.requests, float64(s.memory)/1e6)
			for _, part := range parts {
				fmt.Fprintf(&b, " %8.1f", float64(s.disk[part])/1e6)
			}
			b.WriteByte('\n')
		}
	}
	t.Logf("the process over its time, in megabytes:\n%s", &b)
}

// most returns the maximum memory of the process during a part of its requests, given as
// fractions, such as 0.5 to 1.
func (c *curve) most(from, to float64) (size int64) {
	if len(c.samples) == 0 {
		return 0
	}
	all := float64(c.samples[len(c.samples)-1].requests)
	for _, s := range c.samples {
		if n := float64(s.requests); from*all <= n && n <= to*all {
			size = max(size, s.memory)
		}
	}
	return size
}

// memoryOf returns the memory of a process in bytes, or 0 if the system does not report it.
func memoryOf(p *process) int64 {
	now, _ := child.Memory(p.Process.Pid)
	return now
}

// parts are the parts of a crawl's folder.
var parts = []string{"journal", "store", "archive", "results.jsonl", "robots"}

// sizes returns the sizes of a crawl's files, by part.
func sizes(dir string) map[string]int64 {
	all := make(map[string]int64)
	for _, part := range parts {
		filepath.WalkDir(filepath.Join(dir, part), func(_ string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				if info, err := d.Info(); err == nil {
					all[part] += info.Size()
				}
			}
			return nil // a file removed meanwhile has no size
		})
	}
	return all
}
