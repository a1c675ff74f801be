package crawl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A neighbourhood is some hosts on one port of this machine, such as "http://delay.test:80".
type neighbourhood struct {
	*httptest.Server
	port string
	free func() // releases the pages of hosts whose name begins with "stuck"
}

func newNeighbourhood(t *testing.T) *neighbourhood {
	stuck := make(chan struct{})
	n := &neighbourhood{free: sync.OnceFunc(func() { close(stuck) })}
	n.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(r.Host, ".")
		file := r.URL.Path == "/robots.txt"
		switch {
		case name == "down" && file:
			w.WriteHeader(http.StatusServiceUnavailable)
		case name == "delay" && file:
			fmt.Fprint(w,
				"User-agent: other\nDisallow: /\n\nUser-agent: testbot\nDisallow: /closed\nCrawl-delay: 3600\n")
		case file:
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed\n")
		case name == "retry":
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			if strings.HasPrefix(name, "stuck") {
				<-stuck
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, `<title>%s</title><a href="/closed/1">c</a> <a href="/a">a</a> <a href="/b">b</a>`,
				r.URL.Path)
		}
	}))
	_, n.port, _ = net.SplitHostPort(n.Listener.Addr().String())
	t.Cleanup(n.Close)
	t.Cleanup(n.free)
	return n
}

func (n *neighbourhood) origin(name string) string { return "http://" + name + ".test:" + n.port }

// crawler returns a crawler that resolves all names to this machine.
func (n *neighbourhood) crawler(t *testing.T) *crawl.Config {
	c := newCrawler(t)
	c.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return c
}

// A run is a crawl that runs beside a test.
type run struct {
	*crawl.Crawl
	stop context.CancelFunc
	end  func() (*crawl.Summary, error) // stops the crawl, and waits for its end
}

func start(t *testing.T, config *crawl.Config, seeds ...string) *run {
	t.Helper()
	c := crawl.New(*config)
	ctx, stop := context.WithCancel(t.Context())
	var summary *crawl.Summary
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		summary, err = c.Run(ctx, seeds...)
	}()
	r := &run{Crawl: c, stop: stop}
	r.end = func() (*crawl.Summary, error) {
		stop()
		<-ended
		return summary, err
	}
	t.Cleanup(func() { r.end() })
	return r
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, so func() bool) {
	t.Helper()
	for began := time.Now(); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("%s: not after a minute", what)
		}
	}
}

// waits returns the waits of hosts, by their names.
func waits(s *crawl.Status) map[string]string {
	m := make(map[string]string)
	if s == nil {
		return m
	}
	for _, h := range s.Hosts {
		name, _, _ := strings.Cut(strings.TrimPrefix(h.Origin, "http://"), ".")
		m[name] = h.Wait
	}
	return m
}

// TestStatus: the status says why each host waits, while the crawl runs, when it is stopped, and
// when it has ended.
func TestStatus(t *testing.T) {
	t.Parallel()
	n := newNeighbourhood(t)
	c := n.crawler(t)
	if crawl.New(*c).Status(1) != nil {
		t.Error("there is a status before it runs")
	}
	if _, err := crawl.New(*c).HostStatus(t.Context(), "delay.test", 1); !errors.Is(err, crawl.ErrNotRunning) {
		t.Errorf("a host before it runs: %v", err)
	}
	var log bytes.Buffer
	c.Log = slog.New(slog.NewJSONHandler(&log, nil))
	names := []string{"delay", "retry", "down", "stuck", "quick"}
	var seeds []string
	for _, name := range names {
		seeds = append(seeds, n.origin(name))
	}
	r := start(t, c, seeds...)
	want := map[string]string{"delay": "crawl-delay", "retry": "retry-after", "down": "unreachable", "stuck": "asked"}
	eventually(t, "hosts wait", func() bool { return fmt.Sprint(waits(r.Status(10))) == fmt.Sprint(want) })
	s := r.Status(10)
	if s.State != crawl.Running || s.Busy != 1 || s.Waiting != 3 || s.Counts.Hosts != 5 || s.Counts.Done != 3 ||
		s.Reasons["disallowed"] != 1 || s.Hosts[0].Wait != "asked" {
		t.Errorf("%+v", s)
	}
	if some := r.Status(2); len(some.Hosts) != 2 || fmt.Sprint(some.Waits) != fmt.Sprint(s.Waits) {
		t.Errorf("2 hosts: %+v", some)
	}

	host := func(from interface {
		HostStatus(context.Context, string, int) ([]crawl.HostStatus, error)
	}, name string) crawl.HostStatus {
		t.Helper()
		all, err := from.HostStatus(t.Context(), name, 10)
		if err != nil || len(all) != 1 {
			t.Fatalf("%s: %v, %v", name, all, err)
		}
		return all[0]
	}
	checkDelay := func(h crawl.HostStatus) {
		t.Helper()
		if h.Origin != n.origin("delay") || h.Wait != "crawl-delay" ||
			!strings.Contains(h.Why, "Crawl-delay: 1h0m0s, line 6 of robots.txt") || h.Next.IsZero() || h.Queued != 1 {
			t.Errorf("%+v", h)
		}
		if o := h.Robots; o == nil || o.State != fetch.OK || o.Group != "testbot" || o.Rules != 1 ||
			o.CrawlDelay != 3600 || o.Status != 200 {
			t.Errorf("%+v", h.Robots)
		}
		if len(h.URLs) != 1 || h.URLs[0].URL != n.origin("delay")+"/" {
			t.Errorf("%+v", h.URLs)
		}
	}
	checkDelay(host(r, "delay.test"))
	checkDelay(host(r, "DELAY.test:"+n.port))
	checkDelay(host(r, n.origin("delay")))
	if h := host(r, "quick.test"); h.Wait != "nothing" || h.Done != 3 || h.Pages != 3 || h.Reasons["disallowed"] != 1 ||
		len(h.URLs) != 0 {
		t.Errorf("%+v", h)
	}
	if h := host(r, "stuck.test"); h.Wait != "asked" || h.Since.IsZero() {
		t.Errorf("%+v", h)
	}
	if h := host(r, "down.test"); h.Wait != "unreachable" || h.Robots == nil || !h.Robots.Closed ||
		h.Robots.Failures != 1 {
		t.Errorf("%+v, %+v", h, h.Robots)
	}
	if h := host(r, "retry.test"); h.Wait != "retry-after" || h.Failures != 1 || len(h.URLs) != 1 ||
		h.URLs[0].Tries != 1 {
		t.Errorf("%+v", h)
	}
	if all, err := r.HostStatus(t.Context(), "nobody.test", 10); err != nil || len(all) != 0 {
		t.Errorf("an unknown host: %v, %v", all, err)
	}
	if _, err := r.HostStatus(t.Context(), "a\x1b[2Jb", 10); !errors.As(err, new(*weburl.Error)) {
		t.Errorf("a wrong name: %v", err)
	}
	if _, err := crawl.Inspect(c.Dir); !errors.Is(err, crawl.ErrInUse) {
		t.Errorf("a look into the folder meanwhile: %v", err)
	}

	n.free()
	if _, err := r.end(); err != nil {
		t.Fatal(err)
	}
	if r.Status(1) != nil {
		t.Error("there is a status after it ran")
	}
	for _, want := range []string{`"msg":"the crawl starts"`, `"msg":"a host is left alone","origin":"` +
		n.origin("retry") + `","reason":"retry-after"`, `"msg":"a host is closed","origin":"` + n.origin("down"),
		`"msg":"the crawl ends","reason":"interrupted"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("it is not logged: %s\n%s", want, log.String())
		}
	}

	i, err := crawl.Inspect(c.Dir)
	fatal.If(t, err)
	defer i.Close()
	s, err = i.Status(t.Context(), 10)
	fatal.If(t, err)
	got := waits(s)
	delete(got, "stuck") // this host may be done
	if want := map[string]string{"delay": "crawl-delay", "retry": "retry-after",
		"down": "unreachable"}; fmt.Sprint(got) != fmt.Sprint(want) || s.State != crawl.Stopped ||
		s.Reasons["disallowed"] < 1 || s.Robot != c.UserAgent {
		t.Errorf("stopped: %v, %+v", got, s)
	}
	if !slices.IsSortedFunc(s.Hosts, func(a, b crawl.HostStatus) int { return a.Next.Compare(b.Next) }) {
		t.Errorf("not in order: %+v", s.Hosts)
	}
	if some, err := i.Status(t.Context(), 1); err != nil || len(some.Hosts) != 1 ||
		some.Hosts[0].Origin != s.Hosts[0].Origin {
		t.Errorf("1 host: %+v, %v", some, err)
	}
	checkDelay(host(i, "delay.test"))
	if again, err := crawl.Inspect(c.Dir); !errors.Is(err, crawl.ErrInUse) {
		t.Errorf("a second look: %v, %v", again, err)
	}
}

// TestParked: the status says which hosts wait for a place at their address.
func TestParked(t *testing.T) {
	t.Parallel()
	n := newNeighbourhood(t)
	c := n.crawler(t)
	c.PerAddress = 1
	defer n.free()
	r := start(t, c, n.origin("stuck1"), n.origin("stuck2"), n.origin("stuck3"))
	var s *crawl.Status
	eventually(t, "hosts are parked", func() bool {
		s = r.Status(10) // a host whose address is busy is taken now and then, and parked again
		return s != nil && s.Waits["asked"] == 1 && s.Waits["address"] == 2
	})
	if len(s.Hosts) != 3 || s.Hosts[0].Wait != "asked" || s.Hosts[1].Wait != "address" ||
		s.Hosts[1].Why != "its address 127.0.0.1 is busy: 1 request is under way there" {
		t.Errorf("%+v", s.Hosts)
	}
	name := strings.TrimPrefix(s.Hosts[2].Origin, "http://")
	if all, err := r.HostStatus(t.Context(), name, 1); err != nil || len(all) != 1 || all[0].Wait != "address" ||
		len(all[0].URLs) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestSubmit: submitted URLs are durable, belong to the crawl, and are visited.
func TestSubmit(t *testing.T) {
	t.Parallel()
	n := newNeighbourhood(t)
	c := n.crawler(t)
	c.Scope.Exclude = []string{"/private/"}
	if _, err := crawl.New(*c).Submit(t.Context(), n.origin("quick")); !errors.Is(err, crawl.ErrNotRunning) {
		t.Errorf("before it runs: %v", err)
	}
	r := start(t, c, n.origin("stuck"))
	submit := func(urls ...string) []crawl.Submission {
		t.Helper()
		var submissions []crawl.Submission
		eventually(t, "it takes URLs", func() bool {
			var err error
			if submissions, err = r.Submit(t.Context(), urls...); err != nil && !errors.Is(err, crawl.ErrNotRunning) {
				t.Fatal(err)
			}
			return err == nil
		})
		return submissions
	}
	submissions := submit(n.origin("quick"), n.origin("quick")+"/#top", n.origin("stuck"), n.origin("quick")+
		"/private/x", "mailto:x", "http://\x1b[2J\u202e/")
	want := []crawl.Submission{
		{URL: n.origin("quick") + "/"}, {URL: n.origin("quick") + "/", Known: true}, {URL: n.origin("stuck") + "/",
			Known: true},
		{URL: n.origin("quick") + "/private/x", Reason: result.Excluded}, {URL: "mailto:x", Reason: result.OtherScheme},
		{URL: `http://\x1b[2J\u202e/`, Reason: result.BadURL},
	}
	for i := range submissions {
		submissions[i].Error = ""
	}
	if !slices.Equal(submissions, want) {
		t.Errorf("got %+v\nwant %+v", submissions, want)
	}
	eventually(t, "it is visited, and what it links to", func() bool {
		all, err := r.HostStatus(t.Context(), "quick.test", 0)
		return err == nil && len(all) == 1 && all[0].Done == 3
	})
	if _, err := r.Submit(t.Context(), n.origin("delay")+"/1", n.origin("delay")+"/2"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Submit(ctx, n.origin("retry")); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that has ended: %v", err)
	}
	seeds, err := os.ReadFile(filepath.Join(c.Dir, "seeds.txt"))
	if err != nil || !strings.Contains(string(seeds), n.origin("quick")+"/\n"+n.origin("delay")+"/1\n") ||
		strings.Contains(string(seeds), "private") {
		t.Errorf("the seeds are %q, %v", seeds, err)
	}
	// If the URLs cannot be written durably, none is accepted, and the crawl continues.
	os.Remove(filepath.Join(c.Dir, "seeds.txt"))
	os.Mkdir(filepath.Join(c.Dir, "seeds.txt"), 0o777)
	if submissions, err := r.Submit(t.Context(), n.origin("delay")+"/3"); err == nil || len(submissions) > 0 {
		t.Errorf("without a file of seeds: %+v, %v", submissions, err)
	}
	n.free()
	if _, err := r.end(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Submit(t.Context(), n.origin("quick")); !errors.Is(err, crawl.ErrNotRunning) {
		t.Errorf("after it ran: %v", err)
	}
	i, err := crawl.Inspect(c.Dir)
	fatal.If(t, err)
	defer i.Close()
	if all, err := i.HostStatus(t.Context(), "delay.test", 10); err != nil || len(all) != 1 || all[0].Queued != 2 ||
		len(all[0].URLs) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestWaitsForInspection: a crawl that starts while another process inspects its folder waits, and
// does not fail.
func TestWaitsForInspection(t *testing.T) {
	t.Parallel()
	n := newNeighbourhood(t)
	c := n.crawler(t)
	if _, err := crawl.New(*c).Run(t.Context(), n.origin("quick")); err != nil {
		t.Fatal(err)
	}
	i, err := crawl.Inspect(c.Dir)
	fatal.If(t, err)
	again := n.crawler(t)
	again.Dir = c.Dir
	type end struct {
		summary *crawl.Summary
		err     error
	}
	ended := make(chan end)
	go func() {
		summary, err := crawl.New(*again).Run(t.Context())
		ended <- end{summary, err}
	}()
	if _, err := i.Status(t.Context(), 10); err != nil {
		t.Error(err)
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	if e := <-ended; e.err != nil || !e.summary.Finished || e.summary.Counts.Done != 3 {
		t.Errorf("%+v, %v", e.summary, e.err)
	}
}

// TestAskedAllTheTime calls all methods of a crawl of a hostile web from its start to its end, and
// submits URLs. With -race it finds unlocked access.
func TestAskedAllTheTime(t *testing.T) {
	t.Parallel()
	web, err := testweb.Start(t.Context(), testweb.Options{Hosts: 6, Scale: 0.01, Token: "TestBot", Kinds: quickKinds(),
		Texts: quickTexts()})
	if err != nil {
		t.Skip(err)
	}
	defer web.Close()
	config := newTask(web, t.TempDir()).crawler()
	attended := 0
	config.Attend = func(*crawl.Crawl) func() {
		attended++
		return func() { attended++ }
	}
	c := crawl.New(*config)
	ended := make(chan struct{})
	var askers sync.WaitGroup
	for who := range 3 {
		askers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-ended:
					return
				default:
				}
				switch who {
				case 0:
					if s := c.Status(i % 30); s != nil {
						if len(s.Hosts) > i%30 || s.Waiting < 0 {
							t.Errorf("%+v", s)
						}
						json.Marshal(s)
					}
				case 1:
					c.HostStatus(t.Context(), strings.TrimPrefix(web.Origin(i%web.Len()), "http://"), 5)
				case 2:
					c.Submit(t.Context(), fmt.Sprintf("%s/?submitted=%d", web.Origin(i%web.Len()), i%4))
				}
				time.Sleep(time.Millisecond) // leave processor time to the others
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	summary, err := c.Run(ctx, web.Seeds()...)
	close(ended)
	askers.Wait()
	if err != nil || !summary.Finished {
		t.Errorf("%+v, %v", summary, err)
	}
	if attended != 2 {
		t.Errorf("it was attended %d times", attended)
	}
}
