package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/internal/cli"
)

// A readProgress shows on a terminal how much of some logs is read, after the first second. A
// readProgress that is nil shows nothing.
type readProgress struct {
	w     io.Writer
	read  atomic.Int64 // bytes
	total int64        // -1 if it is unknown
	began time.Time
	stop  chan struct{}
	ended chan struct{}
}

// newReadProgress returns a progress of logs, or nil if w is not a terminal.
func newReadProgress(w io.Writer, logs []string) *readProgress {
	if !cli.Terminal(w) {
		return nil
	}
	return &readProgress{w: w, total: sizeOf(logs), began: time.Now()}
}

// sizeOf returns the bytes of files, or -1 if one is not a plain file.
func sizeOf(names []string) (total int64) {
	for _, name := range names {
		info, err := os.Stat(name)
		if name == stdin || err != nil || !info.Mode().IsRegular() {
			return -1
		}
		total += info.Size()
	}
	return total
}

// add records that bytes were read.
func (p *readProgress) add(bytes int) { p.read.Add(int64(bytes)) }

// start shows the line until end is called.
func (p *readProgress) start() (end func()) {
	if p == nil {
		return func() {}
	}
	p.stop, p.ended = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(p.ended)
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		shown := false
		for {
			select {
			case <-ticker.C:
				fmt.Fprint(p.w, "\r\x1b[K", readLine(p.read.Load(), p.total, time.Since(p.began)))
				shown = true
			case <-p.stop:
				if shown {
					fmt.Fprint(p.w, "\r\x1b[K")
				}
				return
			}
		}
	}()
	return func() {
		close(p.stop)
		<-p.ended
	}
}

// readLine returns, for example, "read 120 of 453 MB, 41 MB/s, 9s left". It has no time left if the
// total is unknown, or nothing was read yet.
func readLine(read, total int64, elapsed time.Duration) string {
	const mb = 1e6
	line := fmt.Sprintf("read %.0f MB", float64(read)/mb)
	if total >= 0 {
		line = fmt.Sprintf("read %.0f of %.0f MB", float64(read)/mb, float64(total)/mb)
	}
	if elapsed < time.Second || read == 0 {
		return line
	}
	rate := float64(read) / elapsed.Seconds()
	line += fmt.Sprintf(", %.0f MB/s", rate/mb)
	if left := float64(total-read) / rate; total > read && left < longestLeft.Seconds() {
		line += fmt.Sprintf(", %s left", time.Duration(left*float64(time.Second)).Round(time.Second))
	}
	return line
}
