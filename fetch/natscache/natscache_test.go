package natscache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/cable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// A site answers with a robots.txt that names the number of the request, and counts requests. While
// gate is not nil, requests wait until it is closed.
type site struct {
	URL      string // of the first origin
	servers  []*httptest.Server
	requests atomic.Int64
	open     atomic.Int64
	mu       sync.Mutex
	gate     chan struct{}
	padding  string
}

func newSite(t testing.TB) *site {
	s := new(site)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := s.requests.Add(1)
		s.open.Add(1)
		defer s.open.Add(-1)
		s.mu.Lock()
		gate, padding := s.gate, s.padding
		s.mu.Unlock()
		if gate != nil {
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		fmt.Fprintf(w, "User-agent: *\nDisallow: /%d\n%s", n, padding)
	})
	for range 20 {
		s.servers = append(s.servers, httptest.NewServer(handler))
	}
	s.URL = s.at(1)
	t.Cleanup(s.close)
	return s
}

func (s *site) close() {
	for _, server := range s.servers {
		server.Close()
	}
}

// at returns an origin of 20, from 1 on.
func (s *site) at(n int) string { return s.servers[n-1].URL }

// hold lets requests wait until gate is closed.
func (s *site) hold(gate chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = gate
}

// An instance is a process that shares, without the process.
type instance struct {
	*Cache
	client  *fetch.Client
	mu      sync.Mutex
	notices []string
}

func newInstance(t testing.TB, c Config) *instance {
	t.Helper()
	i := new(instance)
	c.Notice = func(err error) {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.notices = append(i.notices, err.Error())
	}
	var err error
	if i.Cache, err = open(c, 20*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(i.Close)
	i.client = &fetch.Client{Cache: i.Cache, DialFilter: fetch.DialFilter{AllowPrivate: true}}
	return i
}

// together waits for a session.
func (i *instance) together(t testing.TB) {
	t.Helper()
	until(t, "a session", func() bool { return i.Stats().Together })
}

// ask returns the text in force.
func (i *instance) ask(t testing.TB, url string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r, err := i.client.Policy(ctx, url)
	if err != nil {
		t.Error(err)
		return ""
	}
	return r.Policy.String()
}

// entryOf fetches robots.txt of an origin alone, and returns its entry.
func entryOf(t testing.TB, origin string) *fetch.Entry {
	t.Helper()
	var cache fetch.Memory
	client := fetch.Client{Cache: &cache, DialFilter: fetch.DialFilter{AllowPrivate: true}}
	if _, err := client.Policy(t.Context(), origin); err != nil {
		t.Fatal(err)
	}
	e, err := cache.Get(t.Context(), origin)
	fatal.If(t, err)
	return new(*e)
}

// said counts the notices with a text.
func (i *instance) said(text string) (n int) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, notice := range i.notices {
		n += strings.Count(notice, text)
	}
	return n
}

// short has times for a machine that does nothing else, but bounds that a busy one keeps too.
func short(url string) Config {
	return Config{URL: url, Bound: 5 * time.Second, Lease: 10 * time.Second, Wait: 30 * time.Second}
}

// TestOneFlight has three instances ask for origins at once: one request is sent to each, and all
// have its answer. A later instance asks nobody.
func TestOneFlight(t *testing.T) {
	before := runtime.NumGoroutine()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	var instances []*instance
	for range 3 {
		i := newInstance(t, short(url))
		i.together(t)
		instances = append(instances, i)
	}
	web := newSite(t)
	for round := range 5 {
		gate := make(chan struct{})
		web.hold(gate)
		origin := web.at(round + 1)
		var all sync.WaitGroup
		texts := make([]string, 30)
		for n := range texts {
			all.Go(func() { texts[n] = instances[n%3].ask(t, origin+"/x") })
		}
		until(t, "two instances wait", func() bool {
			return instances[0].Stats().Waited+instances[1].Stats().Waited+
				instances[2].Stats().Waited == uint64(2*(round+1))
		})
		close(gate)
		all.Wait()
		for _, text := range texts {
			if want := fmt.Sprintf("User-agent: *\nDisallow: /%d\n", round+1); text != want {
				t.Errorf("round %d: got %q, want %q", round, text, want)
			}
		}
		if n := web.requests.Load(); n != int64(round+1) {
			t.Fatalf("round %d: %d requests", round, n)
		}
	}
	late := newInstance(t, short(url))
	late.together(t)
	if text := late.ask(t, web.URL); text != "User-agent: *\nDisallow: /1\n" || web.requests.Load() != 5 {
		t.Errorf("a late instance: got %q after %d requests", text, web.requests.Load())
	}
	for _, i := range append(instances, late) {
		if s := i.Stats(); s.Lost+s.Damaged+s.Refused+s.Overdue > 0 {
			t.Errorf("%+v, %q", s, i.notices)
		}
		i.Close()
	}
	web.close()
	until(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// TestPermissions shares as a user with the permissions that doc/nats.md lists.
func TestPermissions(t *testing.T) {
	address := natstest.Limited(t, "$JS.API.>", "$JS.FC.>", "$KV.robots-fetch.>", "$KV.robots-fetch-leases.>")
	web := newSite(t)
	var instances []*instance
	for range 2 {
		i := newInstance(t, short(address))
		i.together(t)
		i.ask(t, web.URL)
		instances = append(instances, i)
	}
	for _, i := range instances {
		lost := i.Stats().Lost
		i.Close()
		if err := i.conn.Denied(); err != nil || web.requests.Load() != 1 || lost > 0 {
			t.Errorf("%v, %d requests, %q", err, web.requests.Load(), i.notices)
		}
	}
}

// TestChange has an instance use the newer entry that another one has put, although its own is
// fresh.
func TestChange(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	a, b := newInstance(t, short(url)), newInstance(t, short(url))
	a.together(t)
	b.together(t)
	web := newSite(t)
	first := a.ask(t, web.URL)
	if got := b.ask(t, web.URL); got != first {
		t.Fatalf("got %q and %q", first, got)
	}
	e, err := a.Get(t.Context(), web.URL)
	fatal.If(t, err)
	other := newSite(t)
	o, err := (&fetch.Client{DialFilter: fetch.DialFilter{AllowPrivate: true}}).Policy(t.Context(), other.URL+"/")
	fatal.If(t, err)
	changed := *e
	changed.CheckedAt = e.CheckedAt.Add(time.Millisecond)
	changed.File = o.File
	fatal.If(t, a.Put(t.Context(), &changed))
	until(t, "b has the newer entry", func() bool {
		got, err := b.Get(t.Context(), web.URL)
		return err == nil && got.CheckedAt.Equal(changed.CheckedAt)
	})
	// An older entry does not replace a newer one, wherever it is put, not even for a moment.
	fatal.If(t, b.Put(t.Context(), e))
	late := newInstance(t, short(url))
	late.together(t)
	for name, i := range map[string]*instance{"a": a, "b": b, "late": late} {
		if got, err := i.Get(t.Context(), web.URL); err != nil || !got.CheckedAt.Equal(changed.CheckedAt) {
			t.Errorf("%s: got %v, %v, want the newer entry", name, got, err)
		}
	}
}

// TestOrders has three instances put entries of one origin at once, in any order, while others read
// it. Then the newest one is in the bucket, and every instance has it.
func TestOrders(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	instances := []*instance{newInstance(t, short(url)), newInstance(t, short(url)), newInstance(t, short(url))}
	for _, i := range instances {
		i.together(t)
	}
	web := newSite(t)
	for round := range 20 {
		origin := web.at(round + 1)
		last := entryOf(t, origin)
		const entries = 24
		at := func(n int) time.Time { return last.CheckedAt.Add(time.Duration(n-entries) * time.Second) }
		order := rand.Perm(entries)
		var all sync.WaitGroup
		for n, when := range order {
			i := instances[n%len(instances)]
			all.Go(func() {
				e := new(*last)
				e.CheckedAt = at(when)
				if err := i.Put(t.Context(), e); err != nil {
					t.Error(err)
				}
				if got, err := i.Get(t.Context(), origin); err != nil || got.CheckedAt.Before(e.CheckedAt) {
					t.Errorf("round %d: got %v, %v after entry %d was put", round, got, err, when)
				}
			})
		}
		all.Wait()
		until(t, "all have the newest entry", func() bool {
			for _, i := range instances {
				if got, err := i.Get(t.Context(), origin); err != nil || !got.CheckedAt.Equal(at(entries-1)) {
					return false
				}
			}
			return true
		})
		late := newInstance(t, short(url))
		late.together(t)
		if got, err := late.Get(t.Context(), origin); err != nil || !got.CheckedAt.Equal(at(entries-1)) {
			t.Errorf("round %d: the bucket has %v, %v", round, got, err)
		}
		late.Close()
	}
}

// TestCutOff cuts the cable of an instance while it asks, while it waits for another one, and while
// it fetches. It answers alone, says so once, comes back, and then all have the newest entries.
func TestCutOff(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	l := cable.New(t, strings.TrimPrefix(url, "nats://"))
	config := short("nats://" + l.Addr())
	config.Bound = 4 * time.Second // which the instance waits several times while it is cut off
	config.Lease = time.Second     // the other one waits for its end
	cut := newInstance(t, config)
	config.URL = url
	whole := newInstance(t, config)
	cut.together(t)
	whole.together(t)
	web := newSite(t)
	known := cut.ask(t, web.at(1))
	l.Cut(true)
	if got := cut.ask(t, web.at(1)); got != known {
		t.Errorf("got %q, want what it had: %q", got, known)
	}
	alone := cut.ask(t, web.at(2))
	if !strings.Contains(alone, "/2\n") {
		t.Errorf("alone: got %q", alone)
	}
	for range 20 {
		if got := cut.ask(t, web.at(2)); got != alone {
			t.Errorf("alone: got %q, want %q", got, alone)
		}
	}
	if got := whole.ask(t, web.at(2)); !strings.Contains(got, "/3\n") {
		t.Errorf("the other side: got %q", got)
	}
	l.Cut(false)
	// The other side fetched origin 2 later. Origin 3 is fetched by the instance that is cut off
	// only.
	cut.together(t)
	until(t, "both have the newest entry", func() bool { return strings.Contains(cut.ask(t, web.at(2)), "/3\n") })
	if n := cut.said("is not shared"); n != 1 {
		t.Errorf("%d notices of the loss: %q", n, cut.notices)
	}
	if n := cut.said("is shared"); n != 2 {
		t.Errorf("%d notices of sessions: %q", n, cut.notices)
	}

	// It waits for the other one, and is cut off.
	before := web.requests.Load()
	gate := make(chan struct{})
	web.hold(gate)
	var both sync.WaitGroup
	both.Go(func() { whole.ask(t, web.at(4)) })
	until(t, "the first one fetches", func() bool { return web.open.Load() == 1 })
	both.Go(func() { cut.ask(t, web.at(4)) })
	until(t, "the second one waits", func() bool { return cut.Stats().Waited > 0 })
	l.Cut(true)
	until(t, "it fetches alone", func() bool { return web.requests.Load() == before+2 })
	close(gate)
	both.Wait()
	l.Cut(false)
	cut.together(t)

	// It fetches, and is cut off: the other one waits for the lease and no longer.
	before = web.requests.Load()
	gate = make(chan struct{})
	web.hold(gate)
	both.Go(func() { cut.ask(t, web.at(5)) })
	until(t, "it fetches", func() bool { return web.open.Load() == 1 })
	waited := whole.Stats().Waited
	both.Go(func() { whole.ask(t, web.at(5)) })
	until(t, "the other one waits", func() bool { return whole.Stats().Waited > waited })
	l.Cut(true)
	until(t, "the other one fetches", func() bool { return web.requests.Load() == before+2 })
	close(gate)
	both.Wait()
	l.Cut(false)
	cut.together(t)
	until(t, "both have the same entries", func() bool {
		for n := 1; n <= 5; n++ {
			if n != 3 && cut.ask(t, web.at(n)) != whole.ask(t, web.at(n)) {
				return false
			}
		}
		return true
	})
}

// TestSameMillisecond has two instances fetch in one millisecond while they are apart, and get
// different texts. Both end with the same one.
func TestSameMillisecond(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	a, b := newInstance(t, short(url)), newInstance(t, short(url))
	a.together(t)
	b.together(t)
	web := newSite(t)
	var entries [2]*fetch.Entry
	for n := range entries {
		entries[n] = entryOf(t, web.URL)
	}
	entries[1].CheckedAt = entries[0].CheckedAt
	for n, i := range []*instance{a, b} {
		if _, err := i.keep(t.Context(), entries[n]); err != nil {
			t.Fatal(err)
		}
	}
	for n, i := range []*instance{a, b} {
		fatal.If(t, i.Put(t.Context(), entries[n]))
	}
	until(t, "both have the same text", func() bool { return a.ask(t, web.URL) == b.ask(t, web.URL) })
}

// TestKilledServer kills the server and starts it again.
func TestKilledServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	url, kill := natstest.Process(t, dir, ports.Address(t))
	a, b := newInstance(t, short(url)), newInstance(t, short(url))
	a.together(t)
	b.together(t)
	web := newSite(t)
	a.ask(t, web.URL)
	kill()
	until(t, "the loss", func() bool { return !a.Stats().Together && !b.Stats().Together })
	other := web.at(2)
	mine := a.ask(t, other)
	natstest.Process(t, dir, strings.TrimPrefix(url, "nats://"))
	a.together(t)
	b.together(t)
	requests := web.requests.Load()
	// What one fetched alone is shared afterwards without a question.
	until(t, "both have what one fetched alone", func() bool {
		e, err := b.Get(t.Context(), other)
		return err == nil && e.File.Policy.String() == mine
	})
	if web.requests.Load() != requests {
		t.Error("the entry was fetched again")
	}
}

// A countedCache counts the calls of a cache.
type countedCache struct {
	fetch.Memory
	gets, puts atomic.Int64
}

func (c *countedCache) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	c.gets.Add(1)
	return c.Memory.Get(ctx, origin)
}

func (c *countedCache) Put(ctx context.Context, e *fetch.Entry) error {
	c.puts.Add(1)
	return c.Memory.Put(ctx, e)
}

// TestPutOnce checks that an entry is kept in Config.Local once, with a session and without, and
// that its error is returned.
func TestPutOnce(t *testing.T) {
	url, stop := natstest.Process(t, t.TempDir(), ports.Address(t))
	web := newSite(t)
	c := short(url)
	var local countedCache
	c.Local = &local
	i := newInstance(t, c)
	i.together(t)
	put := func(origin string) {
		t.Helper()
		e := entryOf(t, origin)
		local.gets.Store(0)
		local.puts.Store(0)
		if err := i.Put(t.Context(), e); err != nil || local.gets.Load() != 1 || local.puts.Load() != 1 {
			t.Errorf("%v; Config.Local was read %d times and written %d times, want once", err, local.gets.Load(),
				local.puts.Load())
		}
	}
	put(web.at(1))
	stop()
	until(t, "the session ends", func() bool { return !i.Stats().Together })
	put(web.at(2))

	c = short(url)
	c.Local = failing{}
	if err := newInstance(t, c).Put(t.Context(), entryOf(t, web.at(3))); err == nil {
		t.Error("Config.Local failed, and Put returned no error")
	}
}

// A failing is a cache that fails.
type failing struct{}

func (failing) Get(context.Context, string) (*fetch.Entry, error) { return nil, fs.ErrNotExist }

func (failing) Put(context.Context, *fetch.Entry) error { return errors.New("the disk is full") }

// TestDamage puts values that are not entries of the origin into the bucket. They are reported, and
// replaced.
func TestDamage(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	i := newInstance(t, short(url))
	i.together(t)
	web := newSite(t)
	i.ask(t, web.at(1))
	bucket := openBucket(t, url)
	value, err := bucket.Get(t.Context(), keyOf(web.at(1)).String())
	fatal.If(t, err)
	good := value.Value()
	e, err := fetch.DecodeEntry(good)
	fatal.If(t, err)
	future := *e
	future.Origin, future.CheckedAt, future.FreshUntil = web.at(6), time.Now().Add(48*time.Hour),
		time.Now().Add(72*time.Hour)
	late, err := fetch.EncodeEntry(&future)
	fatal.If(t, err)
	for n, bad := range map[int][]byte{
		2: nil, 3: []byte("2\n{}\n"), 4: good[:len(good)-1], 5: good, // of another origin
		6: late, 7: []byte("\x1b[31m\n"),
	} {
		if _, err := bucket.Put(t.Context(), keyOf(web.at(n)).String(), bad); err != nil {
			t.Fatal(err)
		}
		before := web.requests.Load()
		fresh := newInstance(t, short(url))
		fresh.together(t)
		if _, err := fresh.Get(t.Context(), web.at(n)); !errors.Is(err, fetch.ErrCorrupt) {
			t.Errorf("%d: got %v", n, err)
		}
		text := fresh.ask(t, web.at(n))
		if web.requests.Load() != before+1 || !strings.HasPrefix(text, "User-agent") {
			t.Errorf("%d: got %q after %d requests", n, text, web.requests.Load()-before)
		}
		if fresh.said("not used") != 1 || strings.Contains(strings.Join(fresh.notices, ""), "\x1b") {
			t.Errorf("%d: notices %q", n, fresh.notices)
		}
		value, err := bucket.Get(t.Context(), keyOf(web.at(n)).String())
		fatal.If(t, err)
		if got, err := decode(value.Value(), web.at(n), time.Now()); err != nil || got.File.Policy.String() != text {
			t.Errorf("%d: the bucket has %v, %v", n, got, err)
		}
	}
	// A key that an operator deleted can be written again, and so can a bucket.
	fatal.If(t, bucket.Delete(t.Context(), keyOf(web.at(1)).String()))
	fatal.If(t, i.Put(t.Context(), e))
	if _, err := bucket.Get(t.Context(), keyOf(web.at(1)).String()); err != nil {
		t.Error(err)
	}
	conn, js := connect(t, url)
	defer conn.Close()
	fatal.If(t, js.DeleteKeyValue(t.Context(), defaultBucket))
	until(t, "the bucket is made again", func() bool {
		_, err := js.KeyValue(t.Context(), defaultBucket)
		return err == nil && i.Stats().Together
	})
	i.ask(t, web.at(8))
	if _, err := openBucket(t, url).Get(t.Context(), keyOf(web.at(8)).String()); err != nil {
		t.Error(err)
	}
}

func connect(t *testing.T, url string) (*nats.Conn, jetstream.JetStream) {
	t.Helper()
	conn, err := nats.Connect(url)
	fatal.If(t, err)
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	return conn, js
}

func openBucket(t *testing.T, url string) jetstream.KeyValue {
	t.Helper()
	conn, js := connect(t, url)
	t.Cleanup(conn.Close)
	bucket, err := js.KeyValue(t.Context(), defaultBucket)
	fatal.If(t, err)
	return bucket
}

// TestLarge fetches a text of the maximum size, which is shared, and then one that the cluster does
// not take, which stays local and is not a loss of the cluster.
func TestLarge(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	a, b := newInstance(t, short(url)), newInstance(t, short(url))
	a.together(t)
	b.together(t)
	web := newSite(t)
	web.padding = strings.Repeat("Disallow: /abcdefghijklmnopqrstuvwxyz/\n", 500<<10/39-10)
	if text := a.ask(t, web.URL); b.ask(t, web.URL) != text || len(text) < 490<<10 || web.requests.Load() != 1 {
		t.Errorf("%d bytes after %d requests", len(text), web.requests.Load())
	}
	web.padding = strings.Repeat(web.padding, 3)
	for _, i := range []*instance{a, b} {
		i.client.MaxSize = 5 << 20
	}
	other := web.at(2)
	for range 3 {
		if text := a.ask(t, other); len(text) < 1400<<10 || web.requests.Load() != 2 {
			t.Errorf("%d bytes after %d requests", len(text), web.requests.Load())
		}
	}
	if s := a.Stats(); s.Refused == 0 || s.Lost > 0 || a.said("is not shared: it has ") != 1 {
		t.Errorf("%+v, %q", s, a.notices)
	}
	if text := b.ask(t, other); len(text) < 1400<<10 || web.requests.Load() != 3 {
		t.Errorf("%d bytes after %d requests", len(text), web.requests.Load())
	}
}

// TestFullBucket fills a bucket that removes nothing, as an operator may have made it. Entries stay
// local, and that is not a loss of the cluster.
func TestFullBucket(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	conn, js := connect(t, url)
	defer conn.Close()
	if _, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: defaultBucket,
		MaxBytes: 4096}); err != nil {
		t.Fatal(err)
	}
	leases, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: defaultBucket + "-leases"})
	fatal.If(t, err)
	i := newInstance(t, short(url))
	until(t, "it says that leases would stay", func() bool { return i.said("has no TTL") == 1 })
	fatal.If(t, js.DeleteKeyValue(t.Context(), leases.Bucket()))
	i.together(t)
	web := newSite(t)
	for n := 1; n <= 20; n++ {
		i.ask(t, web.at(n))
	}
	for n := 1; n <= 20; n++ {
		i.ask(t, web.at(n))
	}
	if s := i.Stats(); s.Refused == 0 || s.Lost > 0 || web.requests.Load() != 20 || i.said("is not shared: ") != 1 {
		t.Errorf("%d requests, %+v, %q", web.requests.Load(), s, i.notices)
	}
}

// TestBounded puts more into a bucket than fits: the oldest entries are removed.
func TestBounded(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	c := short(url)
	c.MaxBytes = 64 << 10
	i := newInstance(t, c)
	i.together(t)
	web := newSite(t)
	web.padding = strings.Repeat("# padding\n", 1000)
	for n := 1; n <= 20; n++ {
		i.ask(t, web.at(n))
	}
	bucket := openBucket(t, url)
	if status, err := bucket.Status(t.Context()); err != nil || status.Bytes() > 64<<10 || status.TTL() != entryAge ||
		i.Stats().Refused > 0 {
		t.Errorf("%+v, %v, %q", status, err, i.notices)
	}
	if _, err := bucket.Get(t.Context(), keyOf(web.at(20)).String()); err != nil {
		t.Error(err)
	}
}

// TestHungLeader has a fetch hang for longer than Config.Wait: its lease is given back, and the
// other instance waits once.
func TestHungLeader(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	c := short(url)
	c.Wait = 5 * time.Second
	hung, other := newInstance(t, c), newInstance(t, short(url))
	hung.together(t)
	other.together(t)
	web := newSite(t)
	gate := make(chan struct{})
	web.hold(gate)
	var both sync.WaitGroup
	both.Go(func() { hung.ask(t, web.URL) })
	until(t, "it fetches", func() bool { return web.open.Load() == 1 })
	both.Go(func() { other.ask(t, web.URL) })
	until(t, "the other one fetches too", func() bool { return web.open.Load() == 2 })
	if s := other.Stats(); s.Led != 1 || s.Waited != 1 || s.Overdue != 0 {
		t.Errorf("%+v", s)
	}
	close(gate)
	both.Wait()
}

// TestConfig checks the errors of Open.
func TestConfig(t *testing.T) {
	for want, c := range map[string]Config{
		"cannot use the NATS server":                   {URL: "nats://user:secret@host:port"},
		"has other characters":                         {URL: "nats://127.0.0.1:1", Bucket: "a.b"},
		"less than 0":                                  {URL: "nats://127.0.0.1:1", Wait: -1},
		"less than the 100ms":                          {URL: "nats://127.0.0.1:1", Lease: 1},
		"natscache: cannot use the NATS server: a URL": {URL: "nats://user:secret@host:99999x"},
	} {
		cache, err := Open(c)
		if err == nil {
			cache.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	i := newInstance(t, Config{URL: "nats://127.0.0.1:1"})
	until(t, "it says that no server answers", func() bool { return i.said("no NATS server answers") == 1 })
	if _, err := i.Get(t.Context(), "https://a.example"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	web := newSite(t)
	i.ask(t, web.URL)
	i.Close()
	if i.ask(t, web.URL); web.requests.Load() != 1 {
		t.Error("a closed cache forgets")
	}
}
