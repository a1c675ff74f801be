package testweb

import (
	"fmt"
	"time"
)

// Aged returns options for a web with an age at its start.
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

// Settled returns the answer of a host to a path without a client: its status, its
// links and its length.
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
