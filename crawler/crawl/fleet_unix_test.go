//go:build unix

package crawl_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A band is the worker processes of a shared crawl, on three servers.
type band struct {
	t     *testing.T
	web   *testweb.Web
	nodes natstest.Nodes
	base  string
	pause time.Duration // the first one after a failure
	gap   time.Duration // between requests to an address; 0 means none
	task  func(*robotTask)
	run   map[int]*process
	ended []*process
	cuts  []time.Time            // when workers were killed or stopped, or their disks were full
	wires map[int]natstest.Wires // of each worker, to the servers

	clock   func() time.Duration // how far the clock of a worker that starts is ahead, or nil
	program string               // with clock: see apartProgram
}

// oneBand is locked by a test that has a band: with three servers and three workers, it has no time
// to spare for another one on a machine whose disk is slow.
var oneBand sync.Mutex

// newBand starts the servers. Under the race detector, which finds in one test what there is to
// find in the processes of a worker, it skips all tests but TestFleet.
func newBand(t *testing.T, web *testweb.Web) *band {
	if t.Name() != "TestFleet" {
		corpus.Unraced(t)
	}
	oneBand.Lock()
	t.Cleanup(oneBand.Unlock)
	return &band{t: t, web: web, nodes: natstest.Cluster(t, 3), base: t.TempDir(), task: func(*robotTask) {},
		run: make(map[int]*process), wires: make(map[int]natstest.Wires)}
}

func (b *band) dir(n int) string { return filepath.Join(b.base, fmt.Sprint("worker", n)) }

// start starts a worker, with seeds if it is the first one.
func (b *band) start(n int) {
	b.t.Helper()
	ch := newTask(b.web, b.dir(n))
	if n > 0 {
		ch.Seeds = nil
	}
	if b.wires[n] == nil {
		b.wires[n] = b.nodes.Wires(b.t)
	}
	ch.NATS, ch.Fleet, ch.Times = b.wires[n].URL(), true, &fleetTimes
	ch.Pause = b.pause
	b.task(ch)
	p := ch.process(b.t)
	if b.clock != nil {
		p.ahead = b.clock()
		p.Path = b.program
		p.Env = append(p.Env, fmt.Sprint(clockKey, "=", int64(p.ahead/time.Second)))
	}
	fatal.If(b.t, p.Start())
	b.run[n] = p
}

// until waits until the web has served that many more requests.
func (b *band) until(more int) {
	b.t.Helper()
	if b.asks(more) {
		return
	}
	for n, p := range b.run {
		p.Process.Kill()
		p.Wait()
		b.t.Logf("worker %d: %s", n, &p.out)
	}
	b.t.Fatal("the workers ask for nothing")
}

// asks waits until the web has served that many more requests. It returns false if the workers ask
// for nothing for a minute: they are through.
func (b *band) asks(more int) bool { return asks(b.web, b.web.Served()+more) }

// wait waits for the end of a worker.
func (b *band) wait(n int, want string) {
	b.t.Helper()
	p := b.run[n]
	delete(b.run, n)
	b.ended = append(b.ended, p)
	if err := p.Wait(); err != nil || !strings.Contains(p.out.String(), want) {
		b.t.Errorf("worker %d ends with %v, want %q:\n%s", n, err, want, &p.out)
	}
}

// lapses returns when sessions of workers that have ended lapsed: what they had heard and not
// written was lost. The web may have seen the last requests a moment later.
func (b *band) lapses() (at []time.Time) {
	for _, p := range b.ended {
		for line := range strings.Lines(p.out.String()) {
			text, _, _ := strings.Cut(strings.TrimPrefix(line, "time="), " ")
			if strings.Contains(line, "it drops its partitions") {
				when, err := time.Parse(time.RFC3339, text)
				fatal.If(b.t, err)
				at = append(at, when.Add(served-p.ahead))
			}
		}
	}
	return at
}

// polite is wantPolite for workers that have ended. On a busy machine their sessions may have
// lapsed. The next owner of a partition counts tries and pages of a trap from what was written.
func (b *band) polite(check testweb.CheckOptions) {
	b.t.Helper()
	check.Kills, check.Grace = append(check.Kills, b.lapses()...), max(check.Grace, 2*fleetTimes.Lease)
	check.MaxTries, check.MaxTrapped = 10+len(check.Kills), 200*(1+len(check.Kills))
	wantPolite(b.t, b.web, check)
	if b.t.Failed() {
		for _, cut := range check.Kills {
			b.t.Logf("a kill, a stop or a lapse %v after the web began", cut.Sub(b.web.Began()))
		}
		for _, p := range b.ended {
			b.t.Logf("%s", &p.out)
		}
	}
}

// union returns the URLs that the workers have in their results as fetched, each once.
func (b *band) union(workers int) map[string]time.Time {
	all := make(map[string]time.Time)
	for n := range workers {
		for url, at := range readFetched(b.t, b.dir(n)) {
			if before, ok := all[url]; ok && !before.Equal(at) {
				b.t.Errorf("%s was fetched by two workers, at %v and %v", url, before, at)
			}
			all[url] = at
		}
	}
	return all
}

// TestFleet crawls a web with three worker processes on three servers. The results of all are those
// of a crawl that is alone.
func TestFleet(t *testing.T) {
	t.Parallel()
	o := testweb.Options{Hosts: 8, Pages: 60, Scale: 0.01, Token: "TestBot", TLS: true, Kinds: quickKinds(),
		Texts: sharedTexts(), Seed: 21}
	if isWhole() {
		o.Hosts, o.Pages = 100, 1200
	}
	web := startWild(t, o)
	b := newBand(t, web)
	b.task = func(ch *robotTask) { ch.Hurried = hurried() }
	b.start(0)
	b.until(1) // there is a crawl to join
	b.start(1)
	b.start(2)
	for n := range 3 {
		b.wait(n, "finished true")
	}
	b.polite(wildCheck)
	got := b.union(3)

	alone := startWild(t, o)
	one := aloneConfig(t, alone)
	_, err := crawl.NewQuick(*one).Run(t.Context(), alone.Seeds()...)
	fatal.If(t, err)
	comparePages(t, web, got, alone, readFetched(t, one.Dir))
}

// TestFleetAddress has three workers crawl many hosts at few addresses: the requests that are open
// to an address, their pace, and their number are those of one crawl.
func TestFleetAddress(t *testing.T) {
	t.Parallel()
	const gap = 20 * time.Millisecond
	web := manyAtOne(t, 60)
	b := newBand(t, web)
	b.task = func(ch *robotTask) { ch.Gap, ch.Quota, ch.Delay, ch.NoArchive = gap, 100_000, time.Millisecond, true }
	b.start(0)
	b.until(1)
	b.start(1)
	b.start(2)
	for n := range 3 {
		b.wait(n, "finished true")
	}
	options := wildCheck
	options.MinDelay, options.AddressGap = time.Millisecond, gap
	b.polite(options)
	wantAll(t, web, b.dir(0), b.dir(1), b.dir(2))
}

// TestFleetQuota has three workers with a budget for each address. An address gets all of it, and
// no request more.
func TestFleetQuota(t *testing.T) {
	t.Parallel()
	const gap, quota = 2 * time.Millisecond, 60
	web := manyAtOne(t, 60)
	b := newBand(t, web)
	b.task = func(ch *robotTask) { ch.Gap, ch.Quota, ch.Delay, ch.NoArchive = gap, quota, time.Millisecond, true }
	b.start(0)
	b.until(1)
	b.start(1)
	b.start(2)
	asked := make(map[string]int)
	full := func() bool {
		clear(asked)
		for r := range web.Requests() {
			asked[r.Server.String()]++
		}
		for _, n := range asked {
			if n >= quota {
				return true
			}
		}
		return false
	}
	for end := time.Now().Add(5 * time.Minute); !full(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("requests by address: %v, want %d for each", asked, quota)
		}
	}
	for still, last := 0, 0; still < 50; still++ { // until nobody asks
		if n := web.Served(); n != last {
			still, last = 0, n
		}
		time.Sleep(10 * time.Millisecond)
	}
	for n := range 3 {
		fatal.If(t, b.run[n].Process.Signal(syscall.SIGTERM))
		b.wait(n, "finished false")
	}
	options := wildCheck
	options.Whole, options.MinDelay, options.AddressGap, options.AddressBudget = false, time.Millisecond, gap, quota
	b.polite(options)
}

// TestFleetBudget has three workers with a budget of pages, and kills one: together they fetch no
// page more, and as many less as one portion of the worker that was killed.
func TestFleetBudget(t *testing.T) {
	t.Parallel()
	const pages, portion = 300, 3
	web := startWild(t, testweb.Options{Hosts: 30, Pages: 900, Token: "TestBot", Kinds: []string{"ordinary"},
		Texts: []string{"none"}, Seed: 5})
	b := newBand(t, web)
	b.task = func(ch *robotTask) { ch.Pages = pages }
	b.start(0)
	b.until(1)
	b.start(1)
	b.start(2)
	b.until(90)
	b.kill(1)
	b.wait(0, "spent true")
	b.wait(2, "spent true")
	b.start(1) // the budget is that of the crawl, and not of a run
	b.wait(1, "0 pages, finished false, spent true")
	served := 0
	for r := range web.Requests() {
		if !strings.HasSuffix(r.URL, "/robots.txt") {
			served++
		}
	}
	fetched := len(b.union(3))
	t.Logf("%d pages of a budget of %d are in the results, %d were asked for", fetched, pages, served)
	open := 16 * (1 + len(b.lapses())) // requests of a worker that is killed, or whose session lapses
	if served > pages || fetched < pages-portion-open {
		t.Errorf("%d requests for pages, and %d in the results, want %d at most and %d at least", served, fetched,
			pages, pages-portion-open)
	}
	options := wildCheck
	options.Whole, options.Kills = false, b.cuts
	b.polite(options)
}

// TestFleetTroubles kills a worker and starts it again, stops another one for longer than its
// lease, has one leave and come back, fills the disk of one, and stops a server and starts it
// again: at the end all pages are visited, by the rules.
func TestFleetTroubles(t *testing.T) {
	t.Parallel()
	if !corpus.All() {
		t.Skip("it takes a minute")
	}
	rounds := ofWhole(t, 4, 1)
	web := startWild(t, testweb.Options{Hosts: 25 * rounds, Pages: 400 * rounds, Scale: 0.01, Token: "TestBot",
		TLS: true, Kinds: quickKinds(), Texts: sharedTexts(), Seed: 22})
	b := newBand(t, web)
	b.task = func(ch *robotTask) {
		ch.Hurried, ch.Delay = hurried(), 3*wildDelay // or the crawl ends before its troubles
	}
	b.pause = longestRetryAfter // an answer that was not written may have asked for one
	b.start(0)
	b.until(1)
	b.start(1)
	b.start(2)
	const step = 60
	for range rounds {
		b.until(step)
		b.kill(1)
		b.until(step)
		b.start(1)

		b.until(step)
		b.hang(2)

		b.until(step)
		from := time.Now()
		fatal.If(t, b.run[0].Process.Signal(syscall.SIGTERM))
		b.wait(0, "finished false")
		t.Logf("a planned leave took %v", time.Since(from))
		b.until(step)
		b.start(0)

		b.until(step)
		b.fill(2)
		b.until(step)
		b.start(2)

		b.nodes[1].Stop()
		b.until(step)
		b.nodes[1].Start(t)
	}
	b.check()
}

// check waits for the end of the crawl, and checks it.
func (b *band) check() {
	t := b.t
	t.Helper()
	dirs := make([]string, len(b.run))
	for n := range dirs {
		b.wait(n, "finished true")
		dirs[n] = b.dir(n)
	}
	b.politely()
	wantAll(t, b.web, dirs...)
}

// politely is polite after troubles. A worker whose servers were down, and which is cut off when
// they are back, has not written what it visited before.
func (b *band) politely() {
	b.t.Helper()
	check := wildCheck
	check.Kills, check.Grace, check.AddressGap = b.cuts, 4*fleetTimes.Lease, b.gap
	b.polite(check)
}

// TestFleetKill measures how long after kill -9 of a worker the others ask its hosts.
func TestFleetKill(t *testing.T) {
	if !isWhole() {
		t.Skip("it measures: set " + wholeKey + " to run it")
	}
	web := startWild(t, testweb.Options{Hosts: 60, Pages: 12000, Token: "TestBot", Kinds: []string{"ordinary"},
		Texts: []string{"none"}, Seed: 3})
	b := newBand(t, web)
	b.task = func(ch *robotTask) { ch.Times, ch.Delay = nil, 100*time.Millisecond }
	b.start(0)
	b.until(1)
	b.start(1)
	b.start(2)
	for len(readFetched(t, b.dir(1))) < 200 {
		time.Sleep(10 * time.Millisecond)
	}
	b.kill(1)
	killed := time.Since(web.Began())
	hosts := make(map[string]bool)
	for page := range readFetched(t, b.dir(1)) {
		u, err := url.Parse(page)
		fatal.If(t, err)
		hosts[u.Host] = true
	}
	first, all := time.Duration(0), make(map[string]bool)
	for end := time.Now().Add(2 * time.Minute); len(all) < len(hosts) && time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
		for r := range web.Requests() {
			u, err := url.Parse(r.URL)
			fatal.If(t, err)
			if r.Start < killed+served || !hosts[u.Host] {
				continue
			}
			if first == 0 || r.Start < first {
				first = r.Start
			}
			if !all[u.Host] {
				all[u.Host] = true
				if len(all) == len(hosts) {
					t.Logf("%v after the kill all of its %d hosts are asked", r.Start-killed, len(hosts))
				}
			}
		}
	}
	t.Logf("%v after the kill the first of its hosts is asked", first-killed)
	for n := range b.run {
		b.run[n].Process.Kill()
	}
}

// TestFleetErrors has workers that cannot join.
func TestFleetErrors(t *testing.T) {
	t.Parallel()
	s := newSite(t, chain(3))
	server := natstest.Start(t)
	config := func(change func(c *crawl.Config)) crawl.Config {
		c := newCrawler(t)
		c.NATS, c.Name = server, "errors"
		change(c)
		return *c
	}
	refused := func(want string, c crawl.Config, seeds ...string) {
		t.Helper()
		if _, err := crawl.NewFleetWorker(c, &fleetTimes).Run(t.Context(), seeds...); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	none := func(*crawl.Config) {}
	refused("name the server with --nats", config(func(c *crawl.Config) { c.NATS = "" }), s.URL+"/0")
	refused("share with --name", config(func(c *crawl.Config) { c.Name = "" }), s.URL+"/0")
	refused("no crawl errors to join", config(none))
	first := config(none)
	summary, err := crawl.NewFleetWorker(first, &fleetTimes).Run(t.Context(), s.URL+"/0")
	if err != nil || !summary.Finished || summary.Pages != 4 {
		t.Fatalf("%+v, %v", summary, err)
	}
	refused("--scope host", config(func(c *crawl.Config) { c.Scope.Reach = crawl.Web }))
	refused("--host-pages 0", config(func(c *crawl.Config) { c.Budget.HostPages = 7 }))
	refused("--user-agent", config(func(c *crawl.Config) { c.UserAgent = "OtherBot/1.0 (+https://example.com/bot)" }))
	other := fleetTimes
	other.Request++
	if _, err := crawl.NewFleetWorker(config(none), &other).Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "other times") {
		t.Errorf("other times: %v", err)
	}
	if _, err := crawl.NewFleetWorker(first, nil).Alone().Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "several workers") {
		t.Errorf("alone: %v", err)
	}
	// Seeds of a worker that joins go to their owner. It may be a later version of the robot.
	later := config(func(c *crawl.Config) { c.UserAgent = strings.Replace(c.UserAgent, "/1.0", "/1.1", 1) })
	if later.UserAgent == first.UserAgent {
		t.Fatal(later.UserAgent)
	}
	summary, err = crawl.NewFleetWorker(later, &fleetTimes).Run(t.Context(), s.URL+"/2?more")
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	if summary.Counts.Done != 5 {
		t.Errorf("%d visits of all workers, want 5", summary.Counts.Done)
	}
}

// serversKey is set in the process that runs the servers of TestFleetCost.
const serversKey = "ROBOTS_FLEET_SERVERS"

// TestFleetServers is that process.
func TestFleetServers(t *testing.T) {
	if os.Getenv(serversKey) == "" {
		t.Skip("it is for TestFleetCost")
	}
	var urls []string
	for _, node := range natstest.Cluster(t, 3) {
		urls = append(urls, node.Direct())
	}
	fmt.Println("servers", strings.Join(urls, ","))
	io.Copy(io.Discard, os.Stdin)
}

// TestFleetCost measures the processor time of a crawl by three workers with three servers, and
// that of the same crawl by one process that has its journal in its folder.
func TestFleetCost(t *testing.T) {
	if !isWhole() {
		t.Skip("it measures: set " + wholeKey + " to run it")
	}
	pages := ofWhole(t, 100_000, 3000)
	o := testweb.Options{Hosts: max(pages/150, 20), Pages: pages, Size: 512, Token: "TestBot",
		Kinds: []string{"ordinary"}, Texts: []string{"none", "empty"}}
	start := func(web *testweb.Web, seeds []string, server string) *process {
		ch := newTask(web, filepath.Join(t.TempDir(), "crawl"))
		ch.Workers, ch.Delay, ch.Seeds, ch.Open = 64, time.Millisecond, seeds, wildOpen
		ch.NATS, ch.Fleet = server, server != ""
		return ch.start(t)
	}
	end := func(p *process) time.Duration {
		t.Helper()
		if err := p.Wait(); err != nil || !strings.Contains(p.out.String(), "finished") {
			t.Fatalf("%v: %s", err, &p.out)
		}
		return p.cpu()
	}
	web := startWild(t, o)
	began := time.Now()
	alone := end(start(web, web.Seeds(), ""))
	tookAlone, served := time.Since(began), web.Served()
	web.Close()

	servers := child.Test("TestFleetServers", serversKey+"=1")
	in, err := servers.StdinPipe()
	fatal.If(t, err)
	out, err := servers.StdoutPipe()
	fatal.If(t, err)
	fatal.If(t, servers.Start())
	t.Cleanup(func() { servers.Process.Kill() })
	var urls string
	for lines := bufio.NewScanner(out); urls == "" && lines.Scan(); {
		urls, _ = strings.CutPrefix(lines.Text(), "servers ")
		if urls == lines.Text() {
			urls = ""
		}
	}
	go io.Copy(io.Discard, out)
	web = startWild(t, o)
	began = time.Now()
	workers := []*process{start(web, web.Seeds(), urls)}
	for web.Served() == 0 {
		time.Sleep(time.Millisecond)
	}
	workers = append(workers, start(web, nil, urls), start(web, nil, urls))
	var all time.Duration
	for _, w := range workers {
		all += end(w)
	}
	took := time.Since(began)
	bytes, writes := stored(t, urls)
	in.Close()
	servers.Wait()
	both := all + servers.ProcessState.UserTime() + servers.ProcessState.SystemTime()
	t.Logf("alone: %.1f s of processors for %d requests, in %.1f s", alone.Seconds(), served, tookAlone.Seconds())
	t.Logf("three workers: %.1f s, with three servers %.1f s, for %d requests, in %.1f s", all.Seconds(),
		both.Seconds(), web.Served(), took.Seconds())
	t.Logf("the servers keep %d bytes a request, each three times, and took these messages: %v",
		bytes/uint64(web.Served()), writes)
	t.Logf("%.2f and %.2f times as much", all.Seconds()/alone.Seconds(), both.Seconds()/alone.Seconds())
}

// stored returns how many bytes the streams of the servers have, and how many messages each kind of
// stream has taken.
func stored(t *testing.T, urls string) (bytes uint64, messages map[string]uint64) {
	t.Helper()
	conn, err := nats.Connect(urls)
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	messages = make(map[string]uint64)
	for s := range js.ListStreams(t.Context()).Info() {
		bytes += s.State.Bytes
		messages[strings.TrimRight(s.Config.Name, "0123456789-")] += s.State.LastSeq
	}
	return bytes, messages
}

// TestFleetTwin copies the folder of a worker while it runs, and then deletes the bucket of the
// workers: both ends say what is wrong.
func TestFleetTwin(t *testing.T) {
	t.Parallel()
	held, hold := make(chan struct{}), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			close(held)
			select {
			case <-hold:
			case <-r.Context().Done():
			}
		}
	}))
	defer s.Close()
	defer close(hold)
	server := natstest.Start(t)
	config := func() crawl.Config {
		c := newCrawler(t)
		c.NATS, c.Name = server, "twins"
		return *c
	}
	times := fleetTimes
	times.Request = time.Minute
	c := config()
	ended := make(chan error)
	go func() {
		_, err := crawl.NewFleetWorker(c, &times).Run(t.Context(), s.URL+"/")
		ended <- err
	}()
	select {
	case <-held:
	case err := <-ended:
		t.Fatal(err)
	}
	twin := config()
	fatal.If(t, os.MkdirAll(twin.Dir, 0o777))
	for _, name := range []string{"robot.json", "seeds.txt"} {
		text, err := os.ReadFile(filepath.Join(c.Dir, name))
		fatal.If(t, err)
		fatal.If(t, os.WriteFile(filepath.Join(twin.Dir, name), text, 0o666))
	}
	if _, err := crawl.NewFleetWorker(twin, &times).Run(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "has its folder been copied?") {
		t.Errorf("the twin ends with %v", err)
	}
	conn, err := nats.Connect(server)
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	fatal.If(t, js.DeleteKeyValue(t.Context(), "twins-fleet"))
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "was deleted while this worker ran") {
		t.Errorf("without its bucket the worker ends with %v", err)
	}
}
