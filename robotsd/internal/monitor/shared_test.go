package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// A register is what instances share, in memory. It loses requests and answers, and gives old
// values.
type register struct {
	mu       sync.Mutex
	values   map[string][]registered // by part and key, the newest last
	revision uint64
	faulty   bool
}

func (r *register) setFaulty(faulty bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faulty = faulty
}

// change changes the newest record of each site.
func (r *register) change(t *testing.T, f func(*monitor.Record)) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, all := range r.values {
		v := &all[len(all)-1]
		record, err := monitor.DecodeRecord(v.value)
		fatal.If(t, err)
		f(record)
		if v.value, err = record.Encode(); err != nil {
			t.Fatal(err)
		}
	}
}

type registered struct {
	value    []byte
	revision uint64
}

var errLostExchange = errors.New("no answer")

// An instance is a Sharing of a register. The test says which parts it has.
type instance struct {
	*register
	name string
	m    *monitor.Monitor
	got  func(*monitor.Message) error // the receiver

	mu     sync.Mutex
	dead   bool // it reaches neither the register nor the receiver
	parts  map[int]context.CancelFunc
	take   func(context.Context, int) error
	leave  func(int)
	ready  chan bool
	cancel context.CancelFunc
	done   chan bool
}

// startInstance runs a monitor until the instance is stopped.
func startInstance(t *testing.T, r *register, name string, c monitor.Config,
	got func(*monitor.Message) error) *instance {
	in := &instance{register: r, name: name, got: got, parts: make(map[int]context.CancelFunc), ready: make(chan bool),
		done: make(chan bool)}
	c.Dir, c.Sharing = t.TempDir(), in
	c.Subscriptions = []monitor.Subscription{{Name: "a", Receiver: messages(func(m *monitor.Message) error {
		if in.isDead() {
			return errors.New("dead")
		}
		return in.got(m)
	})}}
	m, err := monitor.New(c)
	fatal.If(t, err)
	in.m = m
	var ctx context.Context
	ctx, in.cancel = context.WithCancel(context.Background())
	go func() {
		defer close(in.done)
		m.Run(ctx)
		m.Close()
	}()
	<-in.ready
	return in
}

func (in *instance) isDead() bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.dead
}

// Run implements monitor.Sharing.
func (in *instance) Run(ctx context.Context, take func(context.Context, int) error, leave func(int)) {
	in.take, in.leave = take, leave
	close(in.ready)
	<-ctx.Done()
	in.mu.Lock()
	parts := in.parts
	in.parts = nil
	in.mu.Unlock()
	for part, cancel := range parts {
		leave(part)
		cancel()
	}
}

// gets takes a part, as often as it takes.
func (in *instance) gets(part int) {
	ctx, cancel := context.WithCancel(context.Background())
	in.mu.Lock()
	in.parts[part] = cancel
	in.mu.Unlock()
	for in.take(ctx, part) != nil {
	}
}

// loses takes a part away: in order, or as the lease of an instance ends.
func (in *instance) loses(part int, inOrder bool) {
	in.mu.Lock()
	cancel := in.parts[part]
	if !inOrder {
		delete(in.parts, part)
		cancel()
	}
	in.mu.Unlock()
	in.leave(part)
	in.mu.Lock()
	delete(in.parts, part)
	in.mu.Unlock()
	cancel()
}

// Holds implements monitor.Sharing.
func (in *instance) Holds(part int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.parts[part] != nil
}

// Instance implements monitor.Sharing.
func (in *instance) Instance() string { return in.name }

// Read implements monitor.Sharing.
func (in *instance) Read(ctx context.Context, part int, f func(string, []byte, uint64) error) error {
	in.register.mu.Lock()
	var keys []string
	for place := range in.values {
		if key, ok := strings.CutPrefix(place, strconv.Itoa(part)+" "); ok {
			keys = append(keys, key)
		}
	}
	in.register.mu.Unlock()
	for _, key := range keys {
		value, revision, err := in.Get(ctx, part, key)
		if err == nil {
			err = f(key, value, revision)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Get implements monitor.Sharing.
func (in *instance) Get(_ context.Context, part int, key string) ([]byte, uint64, error) {
	dead := in.isDead()
	in.register.mu.Lock()
	defer in.register.mu.Unlock()
	all := in.values[fmt.Sprint(part, " ", key)]
	switch {
	case dead || in.faulty && rand.N(10) == 0:
		return nil, 0, errLostExchange
	case len(all) == 0:
		return nil, 0, fs.ErrNotExist
	case in.faulty && rand.N(4) == 0:
		all = all[:max(1, len(all)-1)]
	}
	last := all[len(all)-1]
	return last.value, last.revision, nil
}

// Put implements monitor.Sharing.
func (in *instance) Put(ctx context.Context, part int, key string, value []byte, revision uint64) (uint64, error) {
	time.Sleep(rand.N(20 * time.Millisecond))
	dead := in.isDead()
	in.register.mu.Lock()
	defer in.register.mu.Unlock()
	place := fmt.Sprint(part, " ", key)
	all := in.values[place]
	last := uint64(0)
	if len(all) > 0 {
		last = all[len(all)-1].revision
	}
	switch {
	case dead || in.faulty && rand.N(10) == 0:
		return 0, errLostExchange
	case last != revision:
		return 0, fmt.Errorf("put: %w", monitor.ErrRevision)
	}
	in.revision++
	in.values[place] = append(all, registered{value, in.revision})
	if in.faulty && rand.N(10) == 0 {
		return 0, errLostExchange
	}
	return in.revision, nil
}

// TestShared moves sites between instances, in order and not, kills instances, and loses requests
// and answers. No event is lost, and none is made twice: each says which path was opened and which
// was closed, so the events of a site are a chain.
func TestShared(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 15
	}
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var end atomic.Int64    // of the changes; 0 until it is known
		text := func() string { // another one every 7 minutes
			since := time.Since(start)
			if end := time.Duration(end.Load()); end > 0 {
				since = end
			}
			return fmt.Sprintf("User-agent: ExampleBot\nDisallow: /%d/\n", since/(7*time.Minute))
		}
		r := &register{values: make(map[string][]registered)}
		var mu sync.Mutex
		var events []monitor.Event
		got := func(m *monitor.Message) error {
			time.Sleep(rand.N(100 * time.Millisecond))
			calm := end.Load() > 0
			if !calm && rand.N(5) == 0 {
				return errors.New("the receiver is down")
			}
			mu.Lock()
			defer mu.Unlock()
			events = append(events, m.Events...)
			if !calm && rand.N(10) == 0 {
				return errors.New("the answer is lost")
			}
			return nil
		}
		c := monitor.Config{Sites: sites(12), Wait: 5 * time.Second}
		for i := range c.Sites {
			c.Sites[i].Every = time.Minute
		}
		parts := make(map[int]*instance)
		for _, s := range c.Sites {
			part, _ := monitor.PlaceOf(s.URL)
			parts[part] = nil
		}
		names := 0
		start1 := func() *instance {
			names++
			c.Looker = serve(func(*http.Request) (int, string) { return 200, text() })
			return startInstance(t, r, fmt.Sprint("instance", names), c, got)
		}
		all := []*instance{start1(), start1(), start1()}
		for part := range parts {
			parts[part] = all[part%3]
			parts[part].gets(part)
		}
		time.Sleep(2 * time.Minute) // what is normal
		r.setFaulty(true)
		for range rounds {
			time.Sleep(rand.N(2 * time.Minute))
			to := all[rand.N(3)]
			for part, from := range parts {
				if rand.N(3) > 0 || from == to {
					continue
				}
				switch rand.N(3) {
				case 0:
					from.loses(part, true)
					to.gets(part)
				case 1:
					from.loses(part, false)
					to.gets(part)
				default: // from does not know for some time that its lease is over
					to.gets(part)
					time.Sleep(rand.N(3 * time.Minute))
					from.loses(part, false)
				}
				parts[part] = to
			}
			if rand.N(4) == 0 {
				i := rand.N(3)
				killed := all[i]
				killed.mu.Lock()
				killed.dead = true
				killed.mu.Unlock()
				killed.cancel()
				<-killed.done
				all[i] = start1()
				for part, owner := range parts {
					if owner == killed {
						parts[part] = all[(i+1)%3]
						parts[part].gets(part)
					}
				}
			}
		}
		r.setFaulty(false)
		end.Store(int64(time.Since(start)))
		last := text()
		time.Sleep(2 * time.Hour) // a receiver that failed often is asked again after an hour
		for _, in := range all {
			in.cancel()
			<-in.done
		}
		synctest.Wait()

		seen, closed, twice := make(map[string]bool), make(map[string]string), 0
		for _, e := range events {
			if seen[e.ID] {
				twice++
				continue
			}
			seen[e.ID] = true
			var from, to string
			for _, u := range e.Updates {
				switch u.Finding.Kind {
				case monitor.Opened:
					from = strings.Join(u.Finding.Patterns, " ")
				case monitor.Closed:
					to = strings.Join(u.Finding.Patterns, " ")
				}
			}
			if before := closed[e.Origin]; from != before && !(before == "" && from == "Disallow: /0/") {
				t.Errorf("%s at %v opens %q and closes %q, after an event that closed %q", e.Origin, e.Time.Sub(start),
					from, to, before)
			}
			closed[e.Origin] = to
		}
		for _, s := range c.Sites {
			if !strings.HasSuffix(last, closed[s.URL]+"\n") || closed[s.URL] == "" {
				t.Errorf("%s: the last event closes %q, and its text is %q", s.URL, closed[s.URL], last)
			}
		}
		t.Logf("%d events, %d of them sent again", len(seen), twice)
	})
}

// TestRecordSize checks that a record has a limit: events that wait for a receiver are dropped, the
// oldest first.
func TestRecordSize(t *testing.T) {
	noise := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + rand.N(26))
		}
		return string(b)
	}
	r := monitor.NewRecord("https://a.example")
	r.Text = []byte(noise(500 << 10))
	for i := range 300 {
		r.AddEvent(monitor.Event{ID: strconv.Itoa(i),
			Updates: []monitor.Update{{Finding: monitor.Finding{Severity: monitor.Notice, Witness: noise(20_000)}}}},
			"a")
	}
	value, err := r.Encode()
	if err != nil || len(value) > 900<<10 {
		t.Fatalf("%d bytes, %v", len(value), err)
	}
	got, err := monitor.DecodeRecord(value)
	if err != nil || string(got.Text) != string(r.Text) || len(got.Events) < 10 ||
		got.Events[len(got.Events)-1].Event.ID != "299" {
		t.Errorf("%d events are left, %v", len(got.Events), err)
	}
	r.Text = []byte(noise(4 << 20))
	if _, err := r.Encode(); err == nil {
		t.Error("a text of 4 MiB is not an error")
	}
	for _, value := range []string{"", "x", "\x1f\x8b"} {
		if _, err := monitor.DecodeRecord([]byte(value)); err == nil {
			t.Errorf("%q is a record", value)
		}
	}
}

// TestShareFailing checks that the instance that takes a failing site over knows since when it
// fails.
func TestShareFailing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &register{values: make(map[string][]registered)}
		var told []string
		got := func(m *monitor.Message) error {
			for _, e := range m.Events {
				for _, u := range e.Updates {
					told = append(told, fmt.Sprint(u.Step, " ", u.Finding.Kind, " ", u.Finding.After, " ",
						e.Time.Sub(u.Finding.Since).Round(time.Hour)))
				}
			}
			return nil
		}
		var status atomic.Int32
		status.Store(200)
		c := monitor.Config{Sites: sites(1)}
		part, _ := monitor.PlaceOf(c.Sites[0].URL)
		c.Looker = serve(func(*http.Request) (int, string) { return int(status.Load()), "" })
		a := startInstance(t, r, "a", c, got)
		a.gets(part)
		time.Sleep(time.Minute)
		status.Store(500)
		time.Sleep(20 * time.Hour)
		c.Looker = serve(func(*http.Request) (int, string) { return int(status.Load()), "" })
		b := startInstance(t, r, "b", c, got)
		a.loses(part, true)
		b.gets(part)
		time.Sleep(10 * time.Hour)
		a.gets(part) // its history knows a failure, which is over
		b.loses(part, false)
		status.Store(200)
		time.Sleep(time.Hour)
		for _, in := range []*instance{a, b} {
			in.cancel()
			<-in.done
		}
		if want := "[begun unreachable copy 0s changed unreachable day 24h0m0s ended unreachable day 31h0m0s]"; fmt.Sprint(told) != want && fmt.Sprint(told) != strings.Replace(want, "31h", "30h", 1) {
			t.Errorf("got %v, want %v", told, want)
		}
	})
}

// TestShareFutureFailing has an instance whose clock was a year ahead store since when a site
// fails. The instance that takes the site over counts from its first look on.
func TestShareFutureFailing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &register{values: make(map[string][]registered)}
		var told []string
		got := func(m *monitor.Message) error {
			for _, e := range m.Events {
				for _, u := range e.Updates {
					told = append(told, fmt.Sprint(u.Step, " ", u.Finding.Kind, " ", u.Finding.After))
				}
			}
			return nil
		}
		c := monitor.Config{Sites: sites(1)}
		part, _ := monitor.PlaceOf(c.Sites[0].URL)
		failed := func(*http.Request) (int, string) { return 500, "" }
		c.Looker = serve(failed)
		a := startInstance(t, r, "a", c, got)
		a.gets(part)
		time.Sleep(2 * time.Hour)
		a.loses(part, true)
		r.change(t, func(record *monitor.Record) {
			if record.Failing.IsZero() {
				t.Error("the record does not say since when the site fails")
			}
			record.Failing = record.Failing.AddDate(1, 0, 0)
		})
		c.Looker = serve(failed)
		b := startInstance(t, r, "b", c, got)
		b.gets(part)
		time.Sleep(26 * time.Hour)
		for _, in := range []*instance{a, b} {
			in.cancel()
			<-in.done
		}
		if want := "[begun unreachable copy changed unreachable day]"; fmt.Sprint(told) != want {
			t.Errorf("got %v, want %v", told, want)
		}
	})
}
