package testweb

import (
	"fmt"
	"time"
)

// Aged returns options of a web that has been there for a while when it starts.
func (o Options) Aged(d time.Duration) Options {
	o.age = d
	return o
}

// SomePaths returns the paths of the first n pages of a host's tree.
func (w *Web) SomePaths(host, n int) (paths []string) {
	h := &w.hosts[host]
	for page := range min(int32(n), h.pages) {
		paths = append(paths, string(h.appendPath(nil, page)))
	}
	return paths
}

// PageMaker returns a function that returns a page of a host's tree, valid until the
// next call.
func (w *Web) PageMaker(host int) func(page int) []byte {
	var b []byte
	return func(page int) []byte {
		b = w.hosts[host].appendTreePage(b[:0], int32(page))
		return b
	}
}

// Settled returns what a host answers to a path if nobody asks: its status, its links
// and its length.
func (w *Web) Settled(host int, path string) string {
	h := &w.hosts[host]
	h.partOf(path)
	a := h.answer(&request{path: path, settled: true})
	text := fmt.Sprintln(a.status, a.tag, a.way)
	for _, l := range a.links {
		text += l.url() + "\n"
	}
	return text + fmt.Sprint(len(new(exchange).appendBody(nil, h, &request{path: path}, &a)))
}
