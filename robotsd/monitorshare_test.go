package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/monitorshare"
)

// room is how many messages may be sent twice because a lease ended on a slow machine.
const room = 3

// A sharedWatch has several processes of monitor that share sites, and counts what they do.
type sharedWatch struct {
	t      *testing.T
	dir    string
	config string
	lease  string
	all    []string // the sites

	mu       sync.Mutex
	round    int // of the text of the sites
	looks    map[string][]watchedLook
	events   []monitor.Event // that the receiver took
	messages []int           // the number of events after each message
	deaf     func(monitor.Event) bool
	conflict string // two instances looked at a site at the same time
	looking  map[string]string
}

type watchedLook struct {
	by    string
	at    time.Time
	round int
}

// newSharedWatch starts so many sites, and a receiver. The instances have random names, which
// decide who watches a site: with 9 sites, one of three instances had none in one run of thirteen;
// with 36 sites, it is one in a million.
func newSharedWatch(t *testing.T, sites int, lease string) *sharedWatch {
	w := &sharedWatch{t: t, dir: t.TempDir(), lease: lease, looks: make(map[string][]watchedLook),
		looking: make(map[string]string)}
	hook := httptest.NewServer(http.HandlerFunc(w.receive))
	t.Cleanup(hook.Close)
	text := "webhook " + hook.URL + "\n"
	for i := range sites {
		url := startSite(t, i, w.serve)
		text += url + " every=1m\n"
		w.all = append(w.all, url)
	}
	w.config = put(t, filepath.Join(w.dir, "monitor.conf"), text)
	return w
}

// startSite starts a site with an address of its own, where the system has so many, and returns its
// URL.
func startSite(t *testing.T, n int, serve http.HandlerFunc) string {
	t.Helper()
	l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.%d:0", 2+n))
	if err != nil {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
	}
	site := httptest.NewUnstartedServer(serve)
	site.Listener.Close()
	site.Listener = l
	site.Start()
	t.Cleanup(site.Close)
	return site.URL
}

func (w *sharedWatch) serve(out http.ResponseWriter, r *http.Request) {
	site, by := "http://"+r.Host, r.Header.Get("User-Agent")
	w.mu.Lock()
	if other := w.looking[site]; other != "" && other != by {
		w.conflict = fmt.Sprint(other, " and ", by, " at ", site)
	}
	w.looking[site] = by
	w.looks[site] = append(w.looks[site], watchedLook{by, time.Now(), w.round})
	text := fmt.Sprintf("User-agent: ExampleBot\nDisallow: /%d/\n", w.round)
	w.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	io.WriteString(out, text)
	w.mu.Lock()
	delete(w.looking, site)
	w.mu.Unlock()
}

func (w *sharedWatch) receive(out http.ResponseWriter, r *http.Request) {
	events, err := eventsOf(r.Body)
	if err != nil {
		w.t.Error(err)
	}
	w.mu.Lock()
	w.events = append(w.events, events...)
	w.messages = append(w.messages, len(w.events))
	deaf := w.deaf
	w.mu.Unlock()
	if deaf != nil && slices.ContainsFunc(events, deaf) {
		panic(http.ErrAbortHandler)
	}
}

// change gives all sites another text.
func (w *sharedWatch) change() (round int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.round++
	return w.round
}

// start starts an instance.
func (w *sharedWatch) start(name string, urls ...string) *exec.Cmd {
	w.t.Helper()
	cmd := robotsProcess(w.t, "monitor", "--allow-private", "--lang", "en", "--config", w.config, "--dir",
		filepath.Join(w.dir, name), "--user-agent", name,
		"--nats", strings.Join(urls, ","), "--group", "test", "--lease", w.lease, "--wait", "1s")
	cmd.Stdout, cmd.Stderr = w.t.Output(), w.t.Output()
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// owners returns the instance that looked last at each site.
func (w *sharedWatch) owners() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	owners := make(map[string]string)
	for site, looks := range w.looks {
		owners[site] = looks[len(looks)-1].by
	}
	return owners
}

// of returns the sites of an instance.
func (w *sharedWatch) of(name string) (sites []string) {
	for site, owner := range w.owners() {
		if owner == name {
			sites = append(sites, site)
		}
	}
	slices.Sort(sites)
	return sites
}

// spread waits until each of the instances, and no other, has some of the sites.
func (w *sharedWatch) spread(names ...string) {
	w.t.Helper()
	w.until(fmt.Sprint("sites are shared by ", names), func() bool {
		owners := w.owners()
		for _, owner := range owners {
			if !slices.Contains(names, owner) {
				return false
			}
		}
		for _, name := range names {
			if len(w.of(name)) == 0 {
				return false
			}
		}
		return len(owners) == len(w.all)
	})
}

// stored waits until the states of all sites are stored in the cluster.
func (w *sharedWatch) stored(url string) {
	w.t.Helper()
	conn, err := nats.Connect(url)
	if err != nil {
		w.t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		w.t.Fatal(err)
	}
	w.until("the states of all sites are stored", func() bool {
		bucket, err := js.KeyValue(w.t.Context(), monitorshare.Bucket)
		if err != nil {
			return false
		}
		keys, err := bucket.ListKeysFiltered(w.t.Context(), "test.site.>")
		if err != nil {
			return false
		}
		n := 0
		for range keys.Keys() {
			n++
		}
		return n == len(w.all)
	})
}

// until waits for a state.
func (w *sharedWatch) until(why string, do func() bool) {
	w.t.Helper()
	// a site is looked at once a minute
	for end := time.Now().Add(3 * time.Minute); !do(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("not in three minutes: %s; sites and owners: %v", why, w.owners())
		}
	}
}

// told counts the reports of a site's text of a round, by the ids of the events.
func (w *sharedWatch) told(site string, round int) map[string]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := make(map[string]int)
	for _, e := range w.events {
		for _, u := range e.Updates {
			if e.Origin == site && u.Finding.Kind == monitor.Closed &&
				slices.Contains(u.Finding.Patterns, fmt.Sprintf("Disallow: /%d/", round)) {
				ids[e.ID]++
			}
		}
	}
	return ids
}

// untilTold waits until the receiver has the reports of a round for a number of sites.
func (w *sharedWatch) untilTold(sites []string, round int) {
	w.t.Helper()
	w.until(fmt.Sprint("all of ", sites, " are reported"), func() bool {
		for _, site := range sites {
			if len(w.told(site, round)) == 0 {
				return false
			}
		}
		return true
	})
}

// check checks that at most the given number of messages was sent twice, whole or in part, and that
// no two instances watched a site at once.
func (w *sharedWatch) check(round, most int) {
	w.t.Helper()
	for _, site := range w.all {
		for n := 1; n <= round; n++ {
			ids := w.told(site, n)
			if len(ids) > 1 {
				w.t.Errorf("%s was told as %d events: %v", site, len(ids), ids)
			}
			for id, times := range ids {
				if times > 2 {
					w.t.Errorf("%s was sent %d times", id, times)
				}
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if twice := sentTwice(w.events, w.messages); twice > most {
		w.t.Errorf("%d messages were sent twice, and %d may be", twice, most)
	}
	if w.conflict != "" {
		w.t.Errorf("at the same time: %s", w.conflict)
	}
}

// TestMonitorShared has three instances share sites by a cluster of three NATS servers. One is
// killed and one is stopped: another one watches their sites, and what changed meanwhile is told
// once.
func TestMonitorShared(t *testing.T) {
	t.Parallel()
	servers := natstest.Cluster(t, 3)
	urls := []string{servers[0].URL(), servers[1].URL(), servers[2].URL()}
	w := newSharedWatch(t, 36, "1s")
	a := w.start("a", urls...)
	b := w.start("b", urls...)
	w.start("c", urls...)
	w.spread("a", "b", "c")
	w.stored(urls[0])

	round := w.change()
	killed := w.of("a")
	a.Process.Kill()
	w.untilTold(killed, round)
	w.spread("b", "c")
	stopped := w.of("b")
	if err := b.Process.Signal(os.Interrupt); err != nil {
		b.Process.Kill()
	}
	w.untilTold(stopped, round)
	w.check(round, room)
}
