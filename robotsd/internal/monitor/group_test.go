package monitor_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// TestGroup closes sixty sites at once, and opens them again. Each event is in one message, a short
// time after the look, and the messages are few. Another change at one of the sites is a message of
// its own.
func TestGroup(t *testing.T) {
	for _, wait := range []time.Duration{0, -1, 10 * time.Second} {
		t.Run(wait.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				looker := serve(func(r *http.Request) (int, string) {
					switch since := time.Since(start); {
					case since > time.Hour && since < 2*time.Hour:
						return 200, texts["staging"]
					case r.URL.Host == "7.example" && since > 3*time.Hour:
						return 404, ""
					}
					return 200, texts["live"]
				})
				told, sizes := make(map[string][]string), make(map[string]int)
				most := 5 * time.Minute
				if wait != 0 {
					most = max(0, 10*wait)
				}
				subscription := monitor.Subscription{Name: "a", Receiver: messages(func(m *monitor.Message) error {
					lead := m.Events[0].Lead()
					sizes[fmt.Sprint(lead.Step, " ", lead.Finding.Kind)]++
					if m.Sites() != len(m.Events) {
						t.Errorf("%d sites of %d events", m.Sites(), len(m.Events))
					}
					for _, e := range m.Events {
						if late := time.Since(e.Time); late > most+time.Second {
							t.Errorf("an event is sent after %s", late)
						}
						told[e.Origin] = append(told[e.Origin], fmt.Sprint(e.Lead().Step, " ", e.Lead().Finding.Kind))
					}
					return nil
				})}
				watch(t, monitor.Config{Dir: t.TempDir(), Looker: looker, Sites: sites(60), Wait: wait,
					Subscriptions: []monitor.Subscription{subscription}}, 4*time.Hour)
				for _, s := range sites(60) {
					want := "begun closed-site, ended closed-site"
					if s.URL == "https://7.example" {
						want += ", begun status"
					}
					if got := strings.Join(told[s.URL], ", "); !strings.HasPrefix(got, want) {
						t.Errorf("%s: got %s, want %s", s.URL, got, want)
					}
				}
				few := map[time.Duration]int{0: 4, -1: 60, 10 * time.Second: 8}[wait]
				if begun, ended := sizes["begun closed-site"], sizes["ended closed-site"]; begun > few || ended > few ||
					wait < 0 && begun != few {
					t.Errorf("%d and %d messages, want %d at most", begun, ended, few)
				}
			})
		})
	}
}

// TestGroupOnce checks that one look at all sites is a message for each kind of news, and that a
// receiver that is down gets it the next time, as it was.
func TestGroupOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text, down := texts["live"], false
		var sent []*monitor.Message
		c := monitor.Config{Dir: t.TempDir(), Sites: sites(40), Looker: serve(func(r *http.Request) (int, string) {
			if r.URL.Host < "3" && text == texts["staging"] {
				return 200, texts["shop"]
			}
			return 200, text
		})}
		c.Subscriptions = []monitor.Subscription{{Name: "a", Receiver: messages(func(m *monitor.Message) error {
			sent = append(sent, m)
			if down {
				return errors.New("the answer is lost")
			}
			return nil
		})}}
		once(t, c)
		text, down = texts["staging"], true
		once(t, c)
		text, down = texts["live"], false
		once(t, c)
		var got []string
		for _, m := range sent {
			got = append(got, fmt.Sprint(m.Events[0].Lead().Step, " ", m.Events[0].Lead().Finding.Kind, " ", m.Sites()))
		}
		if len(sent) != 5 || !reflect.DeepEqual(sent[0], sent[1]) {
			t.Fatalf("got %q, and the message that was sent again is another one", got)
		}
		want := []string{"begun closed-site 17", "begun closed-site 17", "ended closed-site 17",
			"begun closed-search 23", "ended closed-search 23"}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// TestGroupSize checks the limits of a message.
func TestGroupSize(t *testing.T) {
	j := journal(t, t.TempDir(), "a")
	defer j.Close()
	j.Fill("a", 1200, 0)
	j.Fill("a", 8, 100<<10)
	j.Fill("a", 1, 400<<10)
	j.Fill("a", 1, 0)
	var counts []int
	for {
		ok, err := j.Deliver("a", func(m *monitor.Message) {
			data, err := json.Marshal(m.Events)
			if err != nil || len(data) > 257<<10 && len(m.Events) > 1 {
				t.Errorf("%d events have %d bytes, %v", len(m.Events), len(data), err)
			}
			counts = append(counts, len(m.Events))
		})
		fatal.If(t, err)
		if !ok {
			break
		}
	}
	if want := []int{500, 500, 202, 2, 2, 2, 1, 1}; !slices.Equal(counts, want) {
		t.Errorf("messages of %v events, want %v", counts, want)
	}
}

// TestGroupAgain checks that a message whose sending has begun is the same after a restart,
// whatever happened meanwhile, and that a receiver with more events than may wait loses none of the
// message.
func TestGroupAgain(t *testing.T) {
	dir := t.TempDir()
	j := journal(t, dir, "a", "b")
	defer func() { j.Close() }()
	commit := func(i int) {
		o := observation("404")
		o.Origin = fmt.Sprintf("https://%d.example", i)
		fatal.If(t, j.Commit(&monitor.Watched{Origin: o.Origin}, o, noted))
	}
	for i := range 3 {
		commit(i)
	}
	first := j.Begin(t, "a")
	for i := range 4 {
		commit(i)
		if i%2 == 1 {
			j.Close()
			j = journal(t, dir, "a", "b")
		}
		if again := j.Begin(t, "a"); !reflect.DeepEqual(first, again) {
			t.Fatalf("the message was %+v, and is %+v", first, again)
		}
	}
	j.Fill("a", 20_100, 0)
	if again := j.Begin(t, "a"); !reflect.DeepEqual(first, again) {
		t.Fatalf("with more events than may wait: the message was %+v, and is %+v", first, again)
	}
	if n := j.Waiting("a"); n != 20_000 {
		t.Errorf("%d events wait", n)
	}
	if _, err := j.Deliver("a", func(*monitor.Message) {}); err != nil {
		t.Fatal(err)
	}
	if n := j.Waiting("a"); n != 19_997 {
		t.Errorf("%d events wait after a message of 3", n)
	}
	if all := deliver(t, j, "b"); len(all) != 7 {
		t.Errorf("the other receiver gets %d events", len(all))
	}
}

// TestChoose holds choose against a slow twin, with random events of a few sites.
func TestChoose(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 0))
		now := time.Unix(1_000_000, 0)
		var events []*monitor.Event
		for i := range r.IntN(14) {
			since := now.Add(-time.Duration(r.IntN(400)-10) * time.Second)
			f := monitor.Finding{Kind: kinds[r.IntN(2)], Severity: monitor.Severity(1 + r.IntN(2))}
			events = append(events, &monitor.Event{ID: fmt.Sprint(i), Origin: fmt.Sprint(r.IntN(4)), Time: since,
				Updates: []monitor.Update{{Step: monitor.Begun, Finding: f}}})
		}
		slices.SortStableFunc(events, func(a, b *monitor.Event) int { return a.Time.Compare(b.Time) })
		g := monitor.NewGrouper(time.Duration(r.IntN(3)) * 15 * time.Second)
		for range r.IntN(3) {
			f := monitor.Finding{Kind: kinds[r.IntN(2)], Severity: monitor.Severity(1 + r.IntN(2))}
			g.Sent(&monitor.Event{Updates: []monitor.Update{{Step: monitor.Begun, Finding: f}}},
				now.Add(-time.Duration(r.IntN(400))*time.Second))
		}
		got, wait := g.Choose(events, now)
		want, wantWait := g.SlowChoose(events, now)
		if !slices.Equal(got, want) || wait != wantWait {
			t.Fatalf("seed %d: got %v after %s, want %v after %s", seed, got, wait, want, wantWait)
		}
	}
}

// TestGroupAmongInstances has two instances that share sites, and one of them dies. Each groups the
// events of its sites, and those that the dead one has not sent are in messages of the other.
func TestGroupAmongInstances(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		r := &register{values: make(map[string][]registered)}
		c := monitor.Config{Sites: sites(30)}
		var mu sync.Mutex
		calls, received := make(map[string]int), 0
		ids := make(map[string]string)
		receive := func(m *monitor.Message) error {
			mu.Lock()
			defer mu.Unlock()
			received++
			for _, e := range m.Events {
				calls[e.ID]++
				if before := ids[e.Origin]; before != "" && before != e.ID {
					t.Errorf("%s has the events %s and %s", e.Origin, before, e.ID)
				}
				ids[e.Origin] = e.ID
			}
			return nil
		}
		newLooker := func() *monitor.Looker {
			return serve(func(*http.Request) (int, string) {
				if time.Since(start) > time.Hour {
					return 200, texts["staging"]
				}
				return 200, texts["live"]
			})
		}
		c.Looker = newLooker()
		a := startInstance(t, r, "a", c, receive)
		c.Looker = newLooker()
		b := startInstance(t, r, "b", c, receive)
		parts := make(map[int]bool)
		for _, s := range c.Sites {
			part, _ := monitor.PlaceOf(s.URL)
			parts[part] = true
		}
		for part := range parts {
			[]*instance{a, b}[part%2].gets(part)
		}
		time.Sleep(time.Hour + 8*time.Minute) // some events were sent, and some wait
		a.mu.Lock()
		a.dead = true
		a.mu.Unlock()
		a.cancel()
		<-a.done
		for part := range parts {
			if part%2 == 0 {
				b.gets(part)
			}
		}
		time.Sleep(time.Hour)
		b.cancel()
		<-b.done
		if len(ids) != 30 || len(calls) != 30 {
			t.Errorf("%d sites were reported, in %d events", len(ids), len(calls))
		}
		if received > 10 {
			t.Errorf("%d messages about 30 sites", received)
		}
		for id, n := range calls {
			if n > 2 {
				t.Errorf("%s was sent %d times", id, n)
			}
		}
	})
}
