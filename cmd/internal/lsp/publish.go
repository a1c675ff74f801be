package lsp

import (
	"context"
	"sync"
)

// check checks a document and publishes its diagnostics, unless the client requests diagnostics
// itself.
func (s *session) check(d *document) {
	if !s.client.pulls {
		s.publishers.post(d)
	}
}

// publish sends diagnostics, unless they are outdated.
func (s *session) publish(d *document, superseded func() bool) {
	p := publishDiagnosticsParams{URI: d.uri, Diagnostics: []diagnostic{}}
	if !d.isClosed {
		p.Version = &d.version
		s.work(context.Background(), func() {
			if !superseded() {
				p.Diagnostics = d.diagnostics(s.client)
			}
		})
	}
	if !superseded() {
		s.rpc.Notify(context.Background(), "textDocument/publishDiagnostics", p)
	}
}

// Publishers publish documents. Documents of one URI are published one after another, in the
// order in which they are posted. A document that is outdated by the time the previous one is
// published is skipped.
type publishers struct {
	publish func(d *document, superseded func() bool)

	mu      sync.Mutex
	next    map[string]*document // by URI; nil if one is being published and none is waiting
	stopped bool
}

// post schedules the publication of a document.
func (p *publishers) post(d *document) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	if _, busy := p.next[d.uri]; busy {
		p.next[d.uri] = d
		return
	}
	p.next[d.uri] = nil
	go p.run(d)
}

func (p *publishers) run(d *document) {
	for d != nil {
		p.publish(d, func() bool { return p.superseded(d.uri) })
		d = p.following(d.uri)
	}
}

func (p *publishers) superseded(uri string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped || p.next[uri] != nil
}

// following returns the document to publish next for a URI, or nil.
func (p *publishers) following(uri string) (d *document) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if d = p.next[uri]; d == nil {
		delete(p.next, uri)
	} else {
		p.next[uri] = nil
	}
	return d
}

// stop cancels all publications.
func (p *publishers) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = true
	clear(p.next)
}
