package store_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func ExampleStore() {
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(store.Options{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	links := []store.Item{
		{URL: "https://example.com/a"},
		{URL: "https://example.com/b", Priority: 1},
		{URL: "https://example.com/a"},
	}
	fresh, _ := s.Unseen(links)
	fmt.Println("new:", fresh)

	b := s.Batch(0)
	for _, i := range fresh {
		b.Seen(links[i])
	}
	if err := b.Commit(17); err != nil {
		fmt.Println(err)
	}
	next, _ := s.Next(0, "https://example.com", time.Now(), 1)
	fmt.Println("next:", next[0].Item.URL)

	b = s.Batch(0)
	b.Done(next[0].Item, store.State{Fetched: time.Now(), Status: 200})
	if err := b.Commit(18); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%+v, applied %d\n", s.Counts(), s.Applied(0))
	// Output:
	// new: [0 1]
	// next: https://example.com/a
	// {Hosts:1 Seen:2 Queued:1 Done:1}, applied 18
}

// TestNext checks the order of a queue, and that leased items are not returned again.
func TestNext(t *testing.T) {
	s := open(t, t.TempDir())
	const host = "http://a.example"
	b := s.Batch(3)
	for i, it := range []store.Item{
		{URL: "/late", Due: at(10)},
		{URL: "/second"},
		{URL: "/least", Priority: 255},
		{URL: "/first", Priority: 0, Due: time.Unix(0, 0)},
		{URL: "/third", Due: at(1)},
		{URL: "/urgent but late", Due: at(9)},
	} {
		it.Partition = 3
		it.URL = host + strings.ReplaceAll(it.URL, " ", "-")
		if it.Priority == 0 && i != 5 {
			it.Priority = 7
		}
		b.Seen(it)
	}
	b.Seen(store.Item{Partition: 3, URL: "http://a.example:81/other"})
	fatal.If(t, b.Commit(1))
	next := func(minutes, n int) (urls []string) {
		t.Helper()
		items, err := s.Next(3, host, at(minutes), n)
		fatal.If(t, err)
		for _, k := range items {
			urls = append(urls, strings.TrimPrefix(k.Item.URL, host))
		}
		return urls
	}
	want := func(got []string, want ...string) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	want(next(5, 0))
	want(next(5, 2), "/second", "/first")
	want(next(5, 9), "/third", "/least")
	want(next(5, 9))
	want(next(20, 9), "/urgent-but-late", "/late")
	s.Release(store.Item{Partition: 3, URL: host + "/third"}, store.Item{Partition: 3, URL: host + "/none"})
	want(next(20, 9), "/third")
	b = s.Batch(3)
	b.Defer(store.Item{Partition: 3, URL: host + "/second"}, at(30))
	b.Drop(store.Item{Partition: 3, URL: host + "/late"})
	fatal.If(t, b.Commit(2))
	want(next(29, 9))
	want(next(30, 9), "/second")
	if none, err := s.Next(4, host, at(90), 9); err != nil || len(none) > 0 {
		t.Errorf("%v, %v of another partition", none, err)
	}
}

// TestManyOut leases more items than are kept in memory: Defer and Done treat all of them
// alike.
func TestManyOut(t *testing.T) {
	s := open(t, t.TempDir())
	const host, many = "http://a.example", 9000
	b := s.Batch(3)
	for i := range many {
		b.Seen(store.Item{Partition: 3, URL: fmt.Sprint(host, "/", i), Via: "http://b.example/", Depth: 2})
	}
	for seq := uint64(1); seq < 4; seq++ {
		fatal.If(t, b.Commit(seq))
		out, err := s.Next(3, host, at(int(seq)), 2*many)
		if err != nil || len(out) != many {
			t.Fatalf("%d items came out (%v)", len(out), err)
		}
		b = s.Batch(3)
		for i, known := range out {
			if known.Done != (seq > 1) || known.Item.Depth != 2 || known.Item.Tries != uint32(seq/3)*uint32(i%2) {
				t.Fatalf("time %d: %s is %+v", seq, known.Item.URL, known)
			}
			switch {
			case seq == 1 || i%2 == 0:
				b.Done(known.Item, store.State{Fetched: at(0), Status: 200, Due: at(int(seq))})
			default:
				b.Defer(known.Item, at(int(seq)))
			}
		}
	}
}

// TestWrong passes invalid arguments to batches: the error says which, and nothing
// changes.
func TestWrong(t *testing.T) {
	s := open(t, t.TempDir())
	long := "http://a.example/" + strings.Repeat("x", store.MaxURL)
	for _, x := range []struct {
		put  func(b *store.Batch)
		want string
	}{
		{func(b *store.Batch) { b.Seen(store.Item{Partition: 2, URL: "http://a.example/"}) },
			"of partition 2, in a batch of partition 1"},
		{func(b *store.Batch) { b.Seen(store.Item{Partition: 1, URL: "http://a.example"}) }, "not a URL"},
		{func(b *store.Batch) { b.Seen(store.Item{Partition: 1, URL: "http:///"}) }, "not a URL"},
		{func(b *store.Batch) { b.Done(store.Item{Partition: 1}, store.State{}) }, "not a URL"},
		{func(b *store.Batch) { b.Drop(store.Item{Partition: 1, URL: "ftps://a.example/\x1b"}) },
			`ftps://a.example/\x1b: not a URL`},
		{func(b *store.Batch) { b.Refuse(store.Item{Partition: 1, URL: "http://a.example/"}, store.MaxReasons) },
			"refused for reason 32: there are 32"},
		{func(b *store.Batch) { b.Defer(store.Item{Partition: 1, URL: long}, at(0)) }, "4113 bytes: 4096 are the most"},
		{func(b *store.Batch) {
			b.Seen(store.Item{Partition: 1, URL: "http://a.example/", Hints: make([]byte, store.MaxHints+1)})
		}, "Hints have 1025 bytes"},
		{func(b *store.Batch) { b.Seen(store.Item{Partition: 1, URL: "http://a.example/", Via: long}) },
			"Via has 4113 bytes"},
		{func(b *store.Batch) {
			b.Done(store.Item{Partition: 1, URL: "http://a.example/"}, store.State{Digest: make([]byte, 65)})
		}, "a digest of 65 bytes"},
		{func(b *store.Batch) {
			b.Done(store.Item{Partition: 1, URL: "http://a.example/"}, store.State{Interval: -1})
		}, "an interval of less"},
		{func(b *store.Batch) { b.SetHost("http://a.example/", nil) }, "not an origin"},
		{func(b *store.Batch) { b.SetHost("http://a.example", make([]byte, store.MaxState+1)) },
			"a state of 65537 bytes"},
	} {
		b := s.Batch(1)
		b.Seen(store.Item{Partition: 1, URL: "http://a.example/good"})
		x.put(b)
		err := b.Commit(9)
		if err == nil || !strings.Contains(err.Error(), "commit record 9 of partition 1: ") ||
			!strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v, want %s", err, x.want)
		}
	}
	if _, err := s.Unseen([]store.Item{{URL: "http://a.example/"}, {URL: "mailto:a@a.example"}}); err == nil {
		t.Error("no error from Unseen")
	}
	if got := s.Counts(); got != (store.Counts{}) || s.Applied(1) != 0 {
		t.Errorf("counts %+v, applied %d", got, s.Applied(1))
	}
}

// TestExtremes stores the largest values of everything, and values as servers may send
// them.
func TestExtremes(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	it := store.Item{
		Partition: 255, Crawl: math.MaxUint16, URL: "https://[::1]:8443/" + strings.Repeat("x", store.MaxURL-19),
		Priority: 255, Due: time.UnixMilli(math.MaxInt64), Depth: math.MaxUint32, Via: strings.Repeat("v",
			store.MaxURL),
		Hints: make([]byte, store.MaxHints), Tries: math.MaxUint32,
	}
	b := s.Batch(255)
	b.Seen(it)
	st := store.State{
		Fetched: time.UnixMilli(1), Status: math.MaxUint16, ETag: strings.Repeat("e", 1025),
		LastModified: strings.Repeat("m", 129),
		Digest:       make([]byte, 64), Simhash: math.MaxUint64, Interval: math.MaxInt64, Due: time.Date(-5, 1, 1, 0, 0,
			0, 0,
			time.UTC),
	}
	other := it
	other.URL = it.URL[:100]
	b.Done(other, st)
	b.SetHost(it.Host(), make([]byte, store.MaxState))
	fatal.If(t, b.Commit(math.MaxUint64))
	closed(t, s)
	s = open(t, dir)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	known, err := s.URL(it)
	if err != nil || known.Item.Depth != it.Depth || !known.Item.Due.Equal(it.Due) || known.Item.Tries != 0 {
		t.Errorf("%+v, %v", known, err)
	}
	known, err = s.URL(other)
	if got := known.State; err != nil || got.ETag != "" || got.LastModified != "" ||
		!got.Due.Equal(time.UnixMilli(1)) ||
		got.Interval != st.Interval.Truncate(time.Millisecond) || got.Simhash != st.Simhash || !known.Queued {
		t.Errorf("%+v, %v", known, err)
	}
	h, ok, err := s.Host(255, it.Host())
	if err != nil || !ok || len(h.State) != store.MaxState || !h.FirstDue.Equal(time.UnixMilli(1)) {
		t.Errorf("host %v with %d bytes, first due %v, %v", ok, len(h.State), h.FirstDue, err)
	}
}

// TestCheckpoint makes a store of a checkpoint, and compares both.
func TestCheckpoint(t *testing.T) {
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "store"))
	w := newTwin()
	commit := func(from, to int) {
		for n := from; n < to; n++ {
			w.commit(journal(n))
			fatal.If(t, journal(n).commit(s))
		}
	}
	commit(0, 100)
	fatal.If(t, s.Compact())
	commit(100, 150)
	checkpoint := filepath.Join(dir, "checkpoint")
	// The rest of an interrupted checkpoint does no harm.
	fatal.If(t, os.MkdirAll(filepath.Join(checkpoint+".part", "old"), 0o777))
	fatal.If(t, s.Checkpoint(checkpoint, ""))
	then := w.clone()
	commit(150, 200)
	for range 2 { // a checkpoint can be used twice
		to := filepath.Join(t.TempDir(), "restored")
		fatal.If(t, store.Restore(checkpoint, to))
		r := open(t, to)
		then.compare(t, r)
		fatal.If(t, journal(150).commit(r))
		closed(t, r)
	}
	w.compare(t, s)

	for _, err := range []error{
		s.Checkpoint(checkpoint, ""),
		s.Checkpoint(filepath.Join(dir, "store", "inside"), ""),
		store.Restore(checkpoint, filepath.Join(dir, "store")),
		store.Restore(filepath.Join(dir, "none"), filepath.Join(dir, "new")),
	} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v", err)
		}
	}
	if err := s.Sync(); err != nil {
		t.Errorf("after checkpoints that failed: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.part")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestFormat opens a store of a newer program, and a folder that is not a store.
func TestFormat(t *testing.T) {
	for _, x := range []struct{ key, value, want string }{
		{"f", "\x03whatever", "it has format 3, and this program knows 2 at most"},
		{"f", "\x01and its salt    ", "no known format"},
		{"f", "\x02short", "no known format"},
		{"f", "", "no known format"},
		{"x", "", "a database of something else"},
		{"p\x07", "\x02", "partition with the key 7007: the value has version 2"},
	} {
		dir := t.TempDir()
		if x.key[0] == 'p' {
			closed(t, open(t, dir))
		}
		db, err := pebble.Open(dir, &pebble.Options{FormatMajorVersion: pebble.FormatTableFormatV6, Logger: silent{}})
		fatal.If(t, err)
		fatal.If(t, db.Set([]byte(x.key), []byte(x.value), pebble.Sync))
		fatal.If(t, db.Close())
		for range 2 { // the folder is not left locked
			_, err = store.Open(store.Options{Dir: dir})
			if err == nil || !strings.HasPrefix(err.Error(), "open store "+dir+": ") ||
				!strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want %s", err, x.want)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	fatal.If(t, os.WriteFile(file, nil, 0o666))
	for _, dir := range []string{"", file} {
		if _, err := store.Open(store.Options{Dir: dir}); err == nil || errors.Is(err, store.ErrLocked) {
			t.Errorf("open %q: error %v", dir, err)
		}
	}
}

type silent struct{ pebble.Logger }

func (silent) Infof(string, ...any)  {}
func (silent) Errorf(string, ...any) {}

// TestClosed uses a store that is closed.
func TestClosed(t *testing.T) {
	s := open(t, t.TempDir())
	b := s.Batch(1)
	closed(t, s)
	closed(t, s)
	_, unseen := s.Unseen(nil)
	_, next := s.Next(1, "http://a.example", at(0), 1)
	_, _, host := s.Host(1, "http://a.example")
	_, url := s.URL(made(0))
	_, size := s.Size()
	for _, err := range []error{
		b.Commit(1), unseen, next, host, url, size, s.Sync(), s.Check(), s.Checkpoint("checkpoint", ""),
		s.Hosts(func(store.Host) error { return nil }),
	} {
		if !errors.Is(err, store.ErrClosed) {
			t.Errorf("error %v, want %v", err, store.ErrClosed)
		}
	}
}
