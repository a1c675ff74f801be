package auditlive

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A logLine is a line of a log that was read.
type logLine struct {
	request *accesslog.Request     // nil if the line could not be read
	syntax  *accesslog.SyntaxError // then why
	number  int                    // in the file, from where it was opened
	old     bool

	identity *identity // of the client; nil if it need not be looked up
	unasked  bool      // there were too many questions
	until    time.Time // for the identity
}

// turns are the lines of a log in their order. Each line waits until its client is identified, for
// a limited time, while the log is read on. So DNS is asked about many clients at a time, and
// nothing else waits for its answers.
type turns struct {
	mu     sync.Mutex
	cond   sync.Cond
	lines  []logLine
	bytes  int
	taken  bool // a line was taken, and has not been added
	closed bool
}

const (
	maxTurns     = 16 << 20         // bytes of lines of a log that wait: beyond it, the log is not read on
	lineOverhead = 1 << 10          // bytes of a line without its texts
	identifyIn   = 15 * time.Second // then a client is unverifiable
)

func newTurns() *turns {
	t := &turns{}
	t.cond.L = &t.mu
	return t
}

// size returns about how much memory a line takes that waits: the text and its fields.
func (l *logLine) size() int {
	if l.request == nil {
		return lineOverhead
	}
	return lineOverhead + 3*len(l.request.Text)
}

// isEmpty reports whether no line waits.
func (t *turns) isEmpty() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.lines) == 0 && !t.taken
}

// push adds a line, which it copies. It waits while too many lines wait.
func (t *turns) push(l logLine) {
	if l.request != nil {
		l.request = clone(l.request)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.lines) > 0 && t.bytes+l.size() > maxTurns {
		t.cond.Wait()
	}
	t.lines = append(t.lines, l)
	t.bytes += l.size()
	t.cond.Broadcast()
}

// close says that no more lines come.
func (t *turns) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.cond.Broadcast()
}

// each calls add with each line at its turn, until close was called and all lines had their turn. A
// line that waits for its client does so until stop is closed.
func (t *turns) each(stop <-chan struct{}, add func(l *logLine, identified bool)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		for len(t.lines) == 0 && !t.closed {
			t.cond.Wait()
		}
		if len(t.lines) == 0 {
			return
		}
		l := t.lines[0]
		t.lines[0] = logLine{}
		t.lines = t.lines[1:]
		t.bytes -= l.size()
		t.taken = true
		t.cond.Broadcast()
		t.mu.Unlock()
		add(&l, l.identity == nil && !l.unasked || l.identity != nil && l.identity.wait(l.until, stop))
		t.mu.Lock()
		t.taken = false
	}
}

// clone returns a copy of a request.
func clone(r *accesslog.Request) *accesslog.Request {
	c := *r
	for _, field := range []*[]byte{&c.Host, &c.ClientName, &c.Method, &c.Target, &c.Proto, &c.Path, &c.Referrer,
		&c.UserAgent, &c.Text} {
		*field = slices.Clone(*field)
	}
	return &c
}

// identify begins to ask whether the client of a line is the robot that it names.
func (f *Follower) identify(l *logLine) {
	if l.request == nil || !l.request.Client.IsValid() {
		return
	}
	named := f.options.Robots.Lookup(string(l.request.UserAgent))
	if !named.Known() || named.Kind != agent.Robot && named.Kind != agent.Program {
		return
	}
	l.identity = f.options.Identities.start(f.options.Robots.Named(named.Token), l.request.Client)
	l.unasked = l.identity == nil
	l.until = time.Now().Add(f.options.identifyIn)
}

// addLine adds a line of a log. The progress is nil for standard input.
func (f *Follower) addLine(name string, l *logLine, identified bool, p *progress) {
	f.mu.Lock()
	defer f.mu.Unlock()
	number := l.number
	if p != nil {
		p.line = number
		number += p.file.Skipped
	}
	switch {
	case l.syntax == nil:
		switch {
		case !identified:
			f.unidentified()
		case l.identity != nil:
			f.options.Identities.keep(l.identity)
		}
		l.request.Line = number
		f.add(l.request, l.old)
	case !l.old:
		f.figures.unreadable++
		if f.figures.unreadable <= maxUnreadable {
			f.options.Notice(fmt.Errorf("%s:%d could not be read: %s", printable.Text(name), number, l.syntax.Reason))
		}
	}
}
