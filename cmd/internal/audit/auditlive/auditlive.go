// Package auditlive audits access logs while servers write them: it follows the logs, judges their
// requests, and writes a JSON line for each request that did not obey.
package auditlive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditrows"
	"github.com/robotsexclusion/robots/cmd/internal/audit/logtail"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// Options are the options of a live audit.
type Options struct {
	Logs    []string // to follow; "-" is Stdin, which is read to its end
	Past    []string // to read first, for the answers to /robots.txt
	Stdin   io.Reader
	Reader  *accesslog.Reader
	Auditor *audit.Auditor
	Sites   map[string][]audit.Version // those of Auditor, for the metrics
	Robots  *agent.Table               // those whose tokens are in the metrics

	// Renew, if it is not nil, reads the versions again, each time after RenewEvery. It returns nil
	// if nothing has changed.
	Renew      func(context.Context) (map[string][]audit.Version, error)
	RenewEvery time.Duration

	// Identities, if it is not nil, has the Identify of the options of Auditor: lines wait for its
	// answers.
	Identities *Identities

	// Settle is how long a request waits for lines of other logs before it is judged.
	Settle time.Duration

	Classes []string         // to write: some of Classes
	Out     io.Writer        // gets each line with one call
	Hide    auditrows.Hider  // hides addresses, or is nil
	Notice  func(text error) // is called, concurrently, with notices for the user

	tail       logtail.Follower // its times, in tests
	identifyIn time.Duration    // instead of identifyIn, in tests
}

// Classes are the classes of requests that a live audit can write.
var Classes = []string{audit.Certain.String(), audit.Informed.String(), audit.InGrace.String(), agent.Forged.String()}

// A Follower runs a live audit, once.
type Follower struct {
	options Options

	mu      sync.Mutex
	live    *audit.Live
	pending []pendingCase // in the order in which they came
	bytes   int           // of their lines
	failed  error         // of writing
	proxied bool          // whether sayProxy has said it
	figures figures
	sites   map[string][]audit.Version
	behind  []*progress // of the logs whose old lines are still read
}

// A pendingCase is a request that waits to be judged.
type pendingCase struct {
	due     time.Time
	request accesslog.Request // a copy of the written fields
	judge   *audit.Case
}

// progress is how far the old lines of a log were read.
type progress struct {
	file       *logtail.File
	line, seen int // the last line that was added, now and at the last tick
	idle       int // ticks without a line
	turns      *turns
}

// Limits and times.
const (
	maxPending    = 64 << 20         // bytes of the lines that wait
	settled       = 30 * time.Minute // in the times of the log: then a request is judged without waiting
	maxUnreadable = 3                // lines that cannot be read with a notice
)

// New returns a Follower.
func New(o Options) *Follower {
	o.identifyIn = cmp.Or(o.identifyIn, identifyIn)
	return &Follower{options: o, live: o.Auditor.Live(), sites: o.Sites, figures: newFigures()}
}

// Run audits until the context ends or, if standard input is the only log, until that ends. The
// error is that of writing, or of a log that cannot be followed.
func (f *Follower) Run(ctx context.Context) (Summary, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := f.checkLogs(); err != nil {
		return Summary{}, err
	}
	f.readPast(ctx)
	var work sync.WaitGroup
	tail := f.options.tail
	tail.Notice = f.options.Notice
	stdin := slices.Contains(f.options.Logs, userfile.Stdin)
	for _, name := range f.options.Logs {
		if name != userfile.Stdin {
			tail.Names = append(tail.Names, name)
		}
	}
	tail.Read = func(file *logtail.File) { f.readFile(ctx, file) }
	input := make(chan struct{})
	if stdin {
		work.Go(func() {
			defer close(input)
			f.read(ctx, userfile.Stdin, f.options.Stdin, nil)
		})
	}
	work.Go(func() {
		if len(tail.Names) > 0 {
			if err := tail.Follow(ctx); err != nil {
				cancel(err)
			}
			return
		}
		<-input
		cancel(nil)
	})
	if f.options.Renew != nil {
		work.Go(func() { f.renew(ctx) })
	}
	if err := f.decideUntil(ctx); err != nil {
		cancel(err)
	}
	work.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.decide(func(*pendingCase) bool { return true })
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	return f.figures.summary(), err
}

// checkLogs returns an error if a log is compressed: no server writes to it any more.
func (f *Follower) checkLogs() error {
	for _, name := range f.options.Logs {
		if info, err := os.Stat(name); name == userfile.Stdin || err != nil || !info.Mode().IsRegular() {
			continue // package logtail says what is wrong
		}
		in, err := os.Open(name)
		if err != nil {
			continue
		}
		head := make([]byte, 6)
		n, _ := in.Read(head)
		in.Close()
		for _, magic := range []string{"\x1f\x8b", "\x28\xb5\x2f\xfd", "BZh", "\xfd7zXZ"} {
			if strings.HasPrefix(string(head[:n]), magic) {
				return fmt.Errorf("%s is compressed, so it is not written any more: name it with --past, and follow the log that is", printable.Shown(name))
			}
		}
	}
	return nil
}

// readPast reads the logs of the past. When ctx ends, it does not wait for a log: an open or a read
// of a pipe can take for ever.
func (f *Follower) readPast(ctx context.Context) {
	if len(f.options.Past) == 0 {
		return
	}
	var adding sync.Mutex
	add := func(r *accesslog.Request, err error) (more bool) {
		adding.Lock()
		defer adding.Unlock()
		if ctx.Err() != nil {
			return false
		}
		if err == nil {
			f.live.Add(r)
		} else if !errors.As(err, new(*accesslog.SyntaxError)) {
			f.options.Notice(err)
		}
		return true
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.options.Reader.Open(f.options.Past...).Requests()(add)
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		adding.Lock() // nothing is added afterwards
		adding.Unlock()
	}
}

// readFile reads a file of a log to its end.
func (f *Follower) readFile(ctx context.Context, file *logtail.File) {
	p := &progress{file: file}
	f.mu.Lock()
	if file.Old(1) {
		f.behind = append(f.behind, p)
	}
	f.mu.Unlock()
	f.read(ctx, file.Name, file, p)
}

// read reads a log to its end. The progress is nil for standard input.
func (f *Follower) read(ctx context.Context, name string, in io.Reader, p *progress) {
	var wait *turns
	if f.options.Identities != nil {
		wait = newTurns()
		if p != nil {
			f.mu.Lock()
			p.turns = wait
			f.mu.Unlock()
		}
		var adding sync.WaitGroup
		defer adding.Wait()
		defer wait.close()
		adding.Go(func() {
			wait.each(ctx.Done(), func(l *logLine, identified bool) {
				f.addLine(name, l, identified || ctx.Err() != nil,
					p)
			})
		})
	}
	for r, err := range f.options.Reader.From(name, in).Requests() {
		l := logLine{}
		switch {
		case err == nil:
			l.request, l.number = r, r.Line
		case errors.As(err, &l.syntax):
			l.number = l.syntax.Line
		default:
			if ctx.Err() == nil {
				f.options.Notice(err)
			}
			continue
		}
		l.old = p != nil && p.file.Old(l.number)
		if wait != nil {
			f.identify(&l)
			if !wait.isEmpty() || l.identity != nil && !l.identity.isDone() {
				wait.push(l)
				continue
			}
		}
		f.addLine(name, &l, !l.unasked, p)
	}
}

// sayProxy says once that requests come from a proxy. f.mu must be held.
func (f *Follower) sayProxy(client netip.Addr) {
	if !f.proxied {
		f.proxied = true
		f.options.Notice(fmt.Errorf("requests come from a proxy before the server, such as %s: nothing of it is "+
			"written, since a ban would keep out all behind it; let the server log the address of the client", client))
	}
}

// unidentified counts a request of a client that was not identified in time. f.mu must be held.
func (f *Follower) unidentified() {
	if f.figures.unidentified == 0 {
		f.options.Notice(errors.New("the DNS answers too slowly: some clients are unverifiable until it has answered"))
	}
	f.figures.unidentified++
}

// add adds a request. Of old ones only the answers to /robots.txt count. f.mu must be held.
func (f *Follower) add(r *accesslog.Request, old bool) {
	if len(f.pending) > 0 && len(f.behind) == 0 && f.failed == nil {
		// Logs that are read faster than they were written show what came later.
		f.failed = f.decide(func(p *pendingCase) bool { return r.Time.Sub(p.request.Time) > settled })
	}
	j, c := f.live.Add(r)
	if old {
		return
	}
	f.figures.request(r, j, f.options.Robots)
	if j.Proxy {
		f.sayProxy(r.Client)
	}
	if c == nil {
		return
	}
	if f.bytes += len(r.Text); f.bytes > maxPending {
		f.bytes -= len(r.Text)
		if f.figures.dropped == 0 {
			f.options.Notice(errors.New("more requests wait to be judged than memory is for: some are not judged"))
		}
		f.figures.dropped++
		return
	}
	f.pending = append(f.pending, pendingCase{
		due: time.Now().Add(f.options.Settle), judge: c,
		request: accesslog.Request{
			Log: r.Log, Line: r.Line, Time: r.Time, Client: r.Client,
			ClientName: slices.Clone(r.ClientName), Text: slices.Clone(r.Text),
		},
	})
}

// decideUntil judges requests when they have waited, until the context ends.
func (f *Follower) decideUntil(ctx context.Context) error {
	tick := time.NewTicker(min(time.Second, max(f.options.Settle/4, 50*time.Millisecond)))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			f.mu.Lock()
			var err error
			if f.caughtUp() {
				err = f.decide(func(p *pendingCase) bool { return !p.due.After(now) })
			}
			f.mu.Unlock()
			if err != nil {
				return err
			}
		}
	}
}

// caughtUp reports whether the old lines of all logs were read. The last ones may be comments,
// which are not seen here, so that a log that stands still has none left. f.mu must be held.
func (f *Follower) caughtUp() bool {
	f.behind = slices.DeleteFunc(f.behind, func(p *progress) bool {
		lines, ok := p.file.CaughtUp()
		p.idle++
		if p.line != p.seen || p.turns != nil && !p.turns.isEmpty() {
			p.seen, p.idle = p.line, 0
		}
		return ok && (p.line >= lines || p.idle >= 5)
	})
	return len(f.behind) == 0
}

// decide judges the first requests that are due, and writes them. f.mu must be held.
func (f *Follower) decide(due func(*pendingCase) bool) error {
	n := 0
	err := f.failed
	for n < len(f.pending) && err == nil {
		p := &f.pending[n]
		if !due(p) {
			break
		}
		n++
		f.bytes -= len(p.request.Text)
		j := f.live.Judge(p.judge)
		class := f.figures.judged(j, f.options.Robots)
		if slices.Contains(f.options.Classes, class) && !j.Proxy { // what is written may be banned
			_, err = f.options.Out.Write(auditrows.AppendViolation(nil, &p.request, j, f.options.Hide))
		}
	}
	f.pending = slices.Delete(f.pending, 0, n)
	if err != nil && f.failed == nil {
		f.failed = fmt.Errorf("cannot write what did not obey: %w", userfile.Cause(err))
	}
	return f.failed
}

// renew reads the versions again now and then, until the context ends.
func (f *Follower) renew(ctx context.Context) {
	tick := time.NewTicker(cmp.Or(f.options.RenewEvery, 30*time.Second))
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		sites, err := f.options.Renew(ctx)
		late := f.options.Identities != nil && f.options.Identities.late()
		if err == nil && (sites != nil || late) {
			f.mu.Lock()
			if sites == nil {
				sites = f.sites // the audit forgets which clients were not identified
			}
			if err = f.live.Renew(sites); err == nil {
				f.sites = sites
			}
			f.mu.Unlock()
		}
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			said = ""
		case err.Error() != said:
			said = err.Error()
			f.options.Notice(fmt.Errorf("robots.txt cannot be read again, and what was read last still counts: %w",
				err))
		}
	}
}
