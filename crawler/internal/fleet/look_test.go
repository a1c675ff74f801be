package fleet

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// reported returns the value of a key with a report.
func reported(worker uint32, s state, told time.Time, done int64, held ...byte) []byte {
	text, _ := json.Marshal(Report{At: told, Held: held, Counts: Counts{Hosts: 1, Seen: 2 * done, Done: done},
		Missing: []Missing{{"000000ff", 3}}})
	return value{Session: uint64(worker)<<32 | 1, State: s, Report: string(text)}.encode()
}

// TestLook looks at crawls that are none, at keys of others, and at workers in all states.
func TestLook(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server := natstest.Start(t)
	conn, err := nats.Connect(server)
	fatal.If(t, err)
	defer conn.Close()
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	wantError := func(name, want string) {
		t.Helper()
		if v, err := Look(ctx, server, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a look at %q gives %+v, %v: want %q", name, v, err, want)
		}
	}
	wantError("none", "the NATS server has no crawl")
	wantError("", "the NATS server has no crawl")
	for _, name := range []string{"alone", "other"} {
		j, err := journal.Open(ctx, journal.Options{URL: server, Name: name, Partitions: 16, Streams: 1})
		fatal.If(t, err)
		fatal.If(t, j.Close())
	}
	wantError("alone", "no workers share the crawl alone: ask for its status in its folder, with --dir")
	wantError("none", "the NATS server has no crawl none, but alone, other: name one with --name")
	wantError("a b", "the NATS server has no crawl a b, but")
	wantError("", "name the crawl with --name: the NATS server has alone, other")
	_, err = js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "other-fleet"})
	fatal.If(t, err)
	wantError("other", "the bucket other-fleet is not of workers of this version of robots")
	wantError("alone", "no workers share the crawl alone") // still: a look creates nothing

	at := time.Now().UTC().Truncate(time.Millisecond)
	bucket := func(name string, times Times) jetstream.KeyValue {
		t.Helper()
		kv, err := js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name + "-fleet"})
		fatal.If(t, err)
		config := (&place{times: times}).config()
		s, err := js.Stream(ctx, "KV_"+name+"-fleet")
		fatal.If(t, err)
		c := s.CachedInfo().Config
		maps.Copy(c.Metadata, config.Metadata)
		_, err = js.UpdateStream(ctx, c)
		fatal.If(t, err)
		return kv
	}
	look := func(name string) (v *View, states string) {
		t.Helper()
		v, err := Look(ctx, server, name)
		fatal.If(t, err)
		var all []string
		for _, w := range v.Workers {
			all = append(all, w.Number[7:]+" "+w.State)
		}
		return v, strings.Join(all, ", ")
	}
	kv := bucket("some", Standard)
	if v, states := look("some"); states != "" || v.Of != 0 || !v.Last().IsZero() {
		t.Errorf("nobody has joined, and the view is %+v", v)
	}
	for key, data := range map[string][]byte{
		keyOf(1):   reported(1, alive, at, 10, 0xf0, 0),
		keyOf(2):   reported(2, alive, at, 20, 0x18, 0), // partition 3 has just moved
		keyOf(3):   reported(3, dead, at.Add(-time.Hour), 40, 0, 0xf0),
		keyOf(4):   reported(4, left, at.Add(-2*time.Hour), 80, 0, 0x1f), // worker 3 had one of these since
		keyOf(5):   value{Session: 5 << 32, State: alive}.encode(),       // an earlier version
		keyOf(6):   value{Session: 6 << 32, State: alive, Report: "[1]"}.encode(),
		keyOf(7):   []byte("{"),
		keyOf(8):   value{Session: 1 << 32, State: alive}.encode(), // of another worker
		"operator": []byte("hello"),
	} {
		_, err := kv.Put(ctx, key, data)
		fatal.If(t, err)
	}
	v, states := look("some")
	if want := "1 alive, 2 alive, 5 alive, 6 alive, 3 dead, 4 left"; states != want {
		t.Errorf("the workers are %s, want %s", states, want)
	}
	if got, want := v.Counts, (Counts{Hosts: 3, Seen: 140, Done: 70}); got != want || v.Partitions != 9 || v.Of != 16 {
		t.Errorf("the sums are %+v of %d of %d partitions, want %+v of 9 of 16", got, v.Partitions, v.Of, want)
	}
	if want := []Missing{{"000000ff", 12}}; !slices.Equal(v.Missing, want) {
		t.Errorf("missing are %v, want %v", v.Missing, want)
	}
	if v.Live() != 4 || !v.Last().Equal(at) || v.At.Before(at) {
		t.Errorf("%d are alive, the last told %v, at %v", v.Live(), v.Last(), v.At)
	}

	// Workers that nobody has buried, because none is alive, do not count as alive for ever.
	kv = bucket("old", Times{Lease: 1})
	_, err = kv.Put(ctx, keyOf(1), reported(1, alive, at.Add(-time.Hour), 10, 0xff, 0xff))
	fatal.If(t, err)
	if v, states := look("old"); states != "1 silent" || v.Live() != 0 || v.Done != 10 || v.Workers[0].Beat.IsZero() {
		t.Errorf("a worker without a beat is %s: %+v", states, v)
	}
	if names, want := fmt.Sprint(leaseOf("guard 1s"), leaseOf(Standard.text())), "15s 15s"; names != want {
		t.Errorf("leases are %s, want %s", names, want)
	}
}

// TestSweep has graves of workers that do not come back: the old ones are removed, but no key that
// is alive. A log that names a session without a key can still be claimed: see TestKeys.
func TestSweep(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t)
	k, _, stop, ended := join(t, url, url, 7, quick)
	k.until("all partitions", k.all)
	stop()
	fatal.If(t, <-ended)
	_, values := bucket(t, url)
	now := time.Now()
	old := now.Add(-graveAge - time.Minute)
	for key, data := range map[string][]byte{
		keyOf(1): reported(1, dead, old, 1), keyOf(2): reported(2, left, old, 1), keyOf(3): reported(3, alive, now, 1),
		keyOf(4): reported(4, dead, now, 1), keyOf(5): value{Session: 5<<32 | 1, State: left}.encode(),
		keyOf(6): reported(6, dead, now.Add(-graveAge+time.Hour), 1),
	} {
		_, err := values.Put(t.Context(), key, data)
		fatal.If(t, err)
	}
	k, _, _, _ = join(t, url, url, 8, quick)
	k.until("all partitions", k.all)
	keys := func() string {
		all, err := values.Keys(t.Context())
		fatal.If(t, err)
		slices.Sort(all)
		return strings.Join(all, " ")
	}
	var want []string
	for _, n := range []uint32{3, 4, 5, 6, 7, 8} { // 3 is buried as others are
		want = append(want, keyOf(n))
	}
	for end := time.Now().Add(time.Minute); keys() != strings.Join(want, " "); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the keys are %s, want %s", keys(), want)
		}
	}
}
