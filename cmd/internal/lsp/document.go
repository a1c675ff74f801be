package lsp

import (
	"context"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
)

// A document is a version of a file that is open in the editor. A document is immutable;
// expensive results are computed once, on first use.
type document struct {
	uri      string
	version  int
	serial   int // unique among the documents of the session
	text     *text
	options  lint.Options
	trouble  trouble // why the text is not checked, if it is not
	isClosed bool    // the document was closed

	sent   *sentTokens // shared by all versions of the document
	facts  facts
	policy func() *robots.Policy // in dialect RFC 9309
	google func() *robots.Policy // in dialect Google
	report func() *lint.Report
	fixed  func() string // the text with all safe fixes applied
}

// A trouble is the reason why a document is not checked.
type trouble uint8

const (
	noTrouble trouble = iota
	tooLarge
	outOfStep // a change was lost
)

func newDocument(uri string, version, serial int, t *text, o lint.Options) *document {
	d := &document{uri: uri, version: version, serial: serial, text: t, options: o}
	if len(t.content) > maxDocument {
		d.text, d.trouble = newText("", t.encoding), tooLarge
	}
	d.policy = sync.OnceValue(func() *robots.Policy { return robots.Parse([]byte(d.text.content)) })
	d.google = sync.OnceValue(func() *robots.Policy { return d.policy().In(robots.Google) })
	d.report = sync.OnceValue(func() *lint.Report { return lint.Run(d.policy(), o) })
	d.fixed = sync.OnceValue(func() string { return d.report().Fix() })
	d.facts = newFacts(d)
	return d
}

// again returns the same version, to be checked with other options.
func (d *document) again(o lint.Options, serial int) *document {
	now := newDocument(d.uri, d.version, serial, d.text, o)
	now.trouble, now.sent = d.trouble, d.sent
	return now
}

// line returns a line by its number, starting at 0. ok is false for documents that are not
// checked, and for an empty last line.
func (d *document) line(number int) (line robots.Line, ok bool) {
	if number < 0 || number >= d.text.lines() {
		return line, false
	}
	for n, l := range d.policy().Lines() {
		if n == number+1 {
			return l, true
		}
	}
	return line, false
}

const byteOrderMark = "\uFEFF"

// bodyOf returns a line without byte order mark and line end, and its offset.
func bodyOf(l robots.Line) (line string, start int) {
	line = body(l.Text)
	if l.Offset == 0 {
		line = strings.TrimPrefix(line, byteOrderMark)
	}
	return line, l.Offset + len(body(l.Text)) - len(line)
}

// open adds a document that the client has opened.
func (s *session) open(req *jrpc2.Request) (work, error) {
	var p didOpenParams
	if err := req.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	s.serial++
	d := newDocument(p.Document.URI, p.Document.Version, s.serial, newText(string(p.Document.Text), s.client.encoding),
		s.settings.options())
	d.sent = new(sentTokens)
	s.documents[d.uri] = d
	return func(context.Context) (any, error) {
		s.check(d)
		return nil, nil
	}, nil
}

// change applies changes to a document.
func (s *session) change(req *jrpc2.Request) (work, error) {
	var p didChangeParams
	err := req.UnmarshalParams(&p)
	before := s.documents[p.Document.URI]
	var d *document
	switch {
	case before == nil && err != nil:
		return nil, err
	case before == nil:
		if err = notOpen(p.Document.URI); s.first("change: " + err.Error()) {
			return nil, err
		}
		return nil, nil
	case err != nil:
		d = s.lose(before.uri, p.next(before))
	default:
		d = s.changed(before, p)
	}
	return func(context.Context) (any, error) {
		if err != nil {
			s.log(messageError, "textDocument/didChange: "+reason(err))
		}
		s.check(d)
		return nil, nil
	}, nil
}

// next returns the version of a document after changes.
func (p *didChangeParams) next(before *document) int {
	if p.Document.Version != nil {
		return *p.Document.Version
	}
	return before.version + 1
}

// changed replaces the previous version of a document. A document that is not checked is
// checked again when its whole text arrives.
func (s *session) changed(before *document, p didChangeParams) *document {
	version := p.next(before)
	whole := false
	for _, c := range p.Changes {
		whole = whole || c.Range == nil
	}
	s.serial++
	d := newDocument(before.uri, version, s.serial, before.text, s.settings.options())
	if whole || before.trouble == noTrouble {
		d = newDocument(before.uri, version, s.serial, before.text.changed(p.Changes), s.settings.options())
	} else {
		d.trouble = before.trouble
	}
	d.sent = before.sent
	s.documents[d.uri] = d
	return d
}

// lose drops the text of a document after a change was lost.
func (s *session) lose(uri string, version int) *document {
	s.serial++
	d := newDocument(uri, version, s.serial, newText("", s.client.encoding), s.settings.options())
	d.trouble = outOfStep
	d.sent = new(sentTokens)
	s.documents[uri] = d
	return d
}

// close removes a document, and clears its diagnostics.
func (s *session) close(req *jrpc2.Request) (work, error) {
	var p documentParams
	if err := req.UnmarshalParams(&p); err != nil {
		return nil, err
	}
	d := s.documents[p.uri()]
	if d == nil {
		return nil, notOpen(p.uri())
	}
	delete(s.documents, d.uri)
	closed := newDocument(d.uri, d.version, 0, newText("", s.client.encoding), d.options)
	closed.isClosed = true
	return func(context.Context) (any, error) {
		s.check(closed)
		return nil, nil
	}, nil
}
