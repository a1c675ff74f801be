package auditlive

import (
	"context"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// newSlowDNS returns a slowDNS, and the options of a live audit that asks it.
func newSlowDNS(t *testing.T, out *output, logs ...string) (*slowDNS, Options) {
	t.Helper()
	s := &slowDNS{answered: make(chan struct{})}
	identities := NewIdentities(func(agent.Agent, netip.Addr) agent.Result {
		<-s.answered
		return agent.Forged
	})
	t.Cleanup(s.answer)
	auditor, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v", Text: []byte(closed)}}},
		Identify: identities.Identify})
	fatal.If(t, err)
	return s, Options{Logs: logs, Auditor: auditor, Identities: identities, Classes: Classes, Out: out}
}

// classes returns the classes of lines, and the lines' paths.
func classes(lines []string) (list []string) {
	for _, l := range lines {
		_, class, _ := strings.Cut(l, `"class":"`)
		class, _, _ = strings.Cut(class, `"`)
		_, path, _ := strings.Cut(l, "GET ")
		path, _, _ = strings.Cut(path, " ")
		list = append(list, class+" "+path)
	}
	return list
}

// While a client is not identified, the metrics and other logs do not wait, and the lines of its
// log keep their order.
func TestSlowIdentity(t *testing.T) {
	folder := t.TempDir()
	one, two := filepath.Join(folder, "one"), filepath.Join(folder, "two")
	var out output
	dns, o := newSlowDNS(t, &out, one, two)
	f, stop := follow(t, o)
	now := time.Now().Add(-time.Minute)
	appendTo(t, one, line(now, "192.0.2.9", "/private/1", 200, "GPTBot/1.0")+"not a request\n"+
		line(now, "192.0.2.1", "/private/2", 200, "onebot/1.0")+line(now, "192.0.2.8", "/3", 200, "GPTBot/1.0"))
	waitFor(t, "the questions", func() bool {
		f.options.Identities.mu.Lock()
		defer f.options.Identities.mu.Unlock()
		return f.options.Identities.open == 2
	})
	appendTo(t, two, line(now, "192.0.2.1", "/private/0", 200, "onebot/1.0"))
	waitFor(t, "the other log", func() bool { return out.count() == 1 && f.requests() == 1 })
	dns.answer()
	waitFor(t, "all lines", func() bool { return out.count() == 4 })
	s := stop()
	want := []string{"certain /private/0", "forged /private/1", "certain /private/2", "forged /3"}
	if got := classes(out.lines); !slices.Equal(got, want) || s.Unreadable != 1 || s.Forged != 2 {
		t.Errorf("got %q, %+v, want %q", got, s, want)
	}
}

// A client that is not identified in time is unverifiable, until the answer comes.
func TestLateIdentity(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	var out output
	dns, o := newSlowDNS(t, &out, log)
	o.identifyIn, o.RenewEvery = time.Millisecond, time.Millisecond
	o.Renew = func(context.Context) (map[string][]audit.Version, error) { return nil, nil }
	o.Sites = map[string][]audit.Version{"": {{ID: "v", Text: []byte(closed)}}}
	f, stop := follow(t, o)
	now := time.Now().Add(-time.Minute)
	appendTo(t, log, line(now, "192.0.2.9", "/private/1", 200, "GPTBot/1.0"))
	waitFor(t, "the first line", func() bool { return out.count() == 1 })
	dns.answer()
	waitFor(t, "the answer", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		i := f.options.Identities
		i.mu.Lock()
		defer i.mu.Unlock()
		return i.open == 0 && !i.changed // the audit was renewed
	})
	f.mu.Lock() // the renewal may just begin
	unidentified := f.figures.unidentified
	f.mu.Unlock()
	waitFor(t, "a forger", func() bool {
		n := out.count()
		appendTo(t, log, line(now, "192.0.2.9", "/private/2", 200, "GPTBot/1.0"))
		waitFor(t, "a line", func() bool { return out.count() > n })
		out.mu.Lock()
		defer out.mu.Unlock()
		return strings.HasPrefix(classes(out.lines[n:])[0], "forged")
	})
	stop()
	if got := classes(out.lines); got[0] != "certain /private/1" || unidentified != 1 {
		t.Errorf("got %q, and %d requests without an identity", got, unidentified)
	}
}

// Lines that wait are limited: the log is not read on.
func TestTurnsAreLimited(t *testing.T) {
	w := newTurns()
	pushed := make(chan int, 1)
	go func() {
		n := 0
		for range 3 * maxTurns >> 20 {
			w.push(logLine{request: &accesslog.Request{Text: make([]byte, 1<<20/3)}})
			n++
		}
		w.close()
		pushed <- n
	}()
	most, n := 0, 0
	w.each(nil, func(l *logLine, identified bool) {
		w.mu.Lock()
		most = max(most, w.bytes)
		w.mu.Unlock()
		n++
	})
	if want := <-pushed; n != want || most > maxTurns {
		t.Errorf("%d of %d lines had their turn; %d bytes waited", n, want, most)
	}
}
