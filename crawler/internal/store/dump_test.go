package store

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

var testSalt = []byte("0123456789abcdef")

func openSalted(t testing.TB, salt []byte) *Store {
	t.Helper()
	s, err := Open(Options{Dir: t.TempDir(), Salt: salt})
	fatal.If(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// fillPartition gives a partition queued, visited, deferred, dropped and refused URLs of some
// hosts.
func fillPartition(t testing.TB, s *Store, partition uint8, urls int) {
	t.Helper()
	at := time.UnixMilli(1_800_000_000_000).UTC()
	for i := 0; i < urls; {
		b := s.Batch(partition)
		for range min(1000, urls-i) {
			it := Item{Partition: partition, URL: fmt.Sprintf("http://h%d.p%d.test/%d", i%7, partition, i),
				Via: "http://a.test/", Priority: uint8(i % 3), Hints: []byte{byte(i)}}
			b.Seen(it)
			switch i % 5 {
			case 1:
				b.Done(it, State{Fetched: at, Status: 200, ETag: `"e"`, Digest: make([]byte, 32), Simhash: uint64(i)})
			case 2:
				b.Defer(it, at.Add(time.Duration(i)*time.Second))
			case 3:
				b.Drop(it)
			case 4:
				b.Done(it, State{Fetched: at, Status: 200, Due: at.Add(time.Hour)})
			}
			i++
		}
		b.Refuse(Item{Partition: partition, URL: fmt.Sprintf("http://h0.p%d.test/refused%d", partition, i)}, 3)
		b.SetHost(fmt.Sprintf("http://h0.p%d.test", partition), []byte("state"))
		fatal.If(t, b.Commit(uint64(i)))
	}
}

// dumpOf returns the dump of a partition.
func dumpOf(t testing.TB, s *Store, partition uint8) (applied uint64, dump []byte) {
	t.Helper()
	n, err := TakeSnapshot(s, partition)
	fatal.If(t, err)
	var out bytes.Buffer
	fatal.If(t, errors.Join(n.Dump(&out), n.Close()))
	return n.Applied, out.Bytes()
}

// TestDump loads a dump into a store that has other partitions: both stores then answer alike, also
// after they were opened again, and after more commits.
func TestDump(t *testing.T) {
	t.Parallel()
	from, to := openSalted(t, testSalt), openSalted(t, testSalt)
	fillPartition(t, from, 9, 300)
	fillPartition(t, from, 5, 1234)
	fillPartition(t, to, 7, 500)
	_, err := to.Unseen([]Item{{Partition: 5, URL: "http://h1.p5.test/1"}}) // it is known to be absent
	fatal.If(t, err)
	applied, dump := dumpOf(t, from, 5)
	fatal.If(t, Load(to, 5, applied, bytes.NewReader(dump)))
	if got, want := CountsOf(to, []uint8{5}), CountsOf(from, []uint8{5}); got != want || to.Applied(5) != 1234 {
		t.Errorf("loaded %+v, want %+v, up to %d", got, want, to.Applied(5))
	}
	items := []Item{{Partition: 5, URL: "http://h1.p5.test/1"}, {Partition: 5, URL: "http://h3.p5.test/3"},
		{Partition: 5, URL: "http://h0.p5.test/refused1000"}, {Partition: 5, URL: "http://new.test/"}}
	if fresh, err := to.Unseen(items); err != nil || len(fresh) != 1 || fresh[0] != 3 {
		t.Errorf("unseen are %v, %v", fresh, err)
	}
	compare := func() {
		t.Helper()
		fatal.If(t, errors.Join(from.Check(), to.Check()))
		for i := range 7 {
			host := fmt.Sprintf("http://h%d.p5.test", i)
			a, _, err := from.Host(5, host)
			b, _, otherErr := to.Host(5, host)
			if err != nil || otherErr != nil || !reflect.DeepEqual(a, b) {
				t.Fatalf("%s is %+v, want %+v, %v, %v", host, b, a, err, otherErr)
			}
			x, err := from.Queue(5, host, 1000)
			fatal.If(t, err)
			y, err := to.Queue(5, host, 1000)
			fatal.If(t, err)
			if !reflect.DeepEqual(x, y) {
				t.Fatalf("the queue of %s differs: %d and %d", host, len(x), len(y))
			}
		}
	}
	compare()
	for _, s := range []*Store{from, to} {
		b := s.Batch(5)
		b.Done(Item{Partition: 5, URL: "http://h0.p5.test/0"}, State{Status: 404})
		b.Seen(Item{Partition: 5, URL: "http://h9.p5.test/new"})
		fatal.If(t, b.Commit(2000))
	}
	fillPartition(t, to, 8, 10) // its numbers go on after those of the dump
	compare()
	dir := to.dir
	fatal.If(t, to.Close())
	to, err = Open(Options{Dir: dir})
	fatal.If(t, err)
	defer to.Close()
	compare()
	if err := Load(to, 5, applied, bytes.NewReader(dump)); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second load: %v", err)
	}
}

// TestDumpDamaged loads dumps that are cut, or have something else in them: the store has nothing
// of the partition then, and takes the whole dump.
func TestDumpDamaged(t *testing.T) {
	t.Parallel()
	from, to := openSalted(t, testSalt), openSalted(t, testSalt)
	fillPartition(t, from, 5, 40)
	applied, dump := dumpOf(t, from, 5)
	for n := 0; n < len(dump); n += 29 {
		if err := Load(to, 5, applied, bytes.NewReader(dump[:n])); !errors.Is(err, ErrDump) {
			t.Fatalf("cut at %d: %v", n, err)
		}
	}
	wrong := [][]byte{append(bytes.Clone(dump), 'x'), append([]byte("x"), dump...), bytes.Repeat([]byte{0xff}, 100)}
	other := openSalted(t, testSalt)
	fillPartition(t, other, 6, 40)
	_, foreign := dumpOf(t, other, 6)
	wrong = append(wrong, foreign)
	for i, text := range wrong {
		if err := Load(to, 5, applied, bytes.NewReader(text)); err == nil {
			t.Errorf("wrong dump %d was loaded", i)
		}
	}
	for i := 0; i < len(dump); i += 101 {
		text := bytes.Clone(dump)
		text[i] ^= 1 << (i % 8)
		// Not each damage shows: who stores a dump keeps its checksum.
		if Load(to, 5, applied, bytes.NewReader(text)) == nil {
			fatal.If(t, to.Close())
			to = openSalted(t, testSalt)
		}
	}
	if err := Load(to, 5, applied+1, bytes.NewReader(dump)); !errors.Is(err, ErrDump) {
		t.Errorf("of another record: %v", err)
	}
	if to.Counts() != (Counts{}) || to.Applied(5) != 0 {
		t.Errorf("after damage the store has %+v", to.Counts())
	}
	fatal.If(t, to.Check())
	fatal.If(t, Load(to, 5, applied, bytes.NewReader(dump)))
	fatal.If(t, to.Check())
}

// TestDumpKilled opens a store whose process was killed while it loaded a dump.
func TestDumpKilled(t *testing.T) {
	t.Parallel()
	from, to := openSalted(t, testSalt), openSalted(t, testSalt)
	fillPartition(t, from, 5, 2000)
	fillPartition(t, to, 7, 100)
	applied, dump := dumpOf(t, from, 5)
	l := &loader{s: to, partition: 5, applied: applied, w: to.db.NewBatch(), hosts: make(map[string]hostKey)}
	l.from, l.lookup = bufio.NewReader(bytes.NewReader(dump)), to.lookup()
	fatal.If(t, l.begin())
	for range 1500 {
		kind, err := l.from.ReadByte()
		fatal.If(t, err)
		fatal.If(t, l.entry(kind))
	}
	fatal.If(t, l.write())
	dir := to.dir
	fatal.If(t, to.Close())
	to, err := Open(Options{Dir: dir})
	fatal.If(t, err)
	defer to.Close()
	fatal.If(t, to.Check())
	if to.Counts().Seen != CountsOf(to, []uint8{7}).Seen {
		t.Errorf("the store has %+v", to.Counts())
	}
	fatal.If(t, Load(to, 5, applied, bytes.NewReader(dump)))
	fatal.If(t, to.Check())
}

// TestSalts compares the sums of salts.
func TestSalts(t *testing.T) {
	t.Parallel()
	a, b, c := openSalted(t, testSalt), openSalted(t, testSalt), openSalted(t, nil)
	if SaltSum(a) != SaltSum(b) || SaltSum(a) == SaltSum(c) {
		t.Errorf("the sums are %x, %x and %x", SaltSum(a), SaltSum(b), SaltSum(c))
	}
	if _, err := Open(Options{Dir: t.TempDir(), Salt: []byte("short")}); err == nil {
		t.Error("a short salt is taken")
	}
}

// TestForget forgets a partition of which hosts are in memory and items are leased, and loads an
// older and a newer state of it.
func TestForget(t *testing.T) {
	t.Parallel()
	from, to := openSalted(t, testSalt), openSalted(t, testSalt)
	fillPartition(t, from, 5, 500)
	applied, dump := dumpOf(t, from, 5)
	fillPartition(t, to, 5, 2000)
	fillPartition(t, to, 7, 100)
	if _, _, err := to.Host(5, "http://h1.p5.test"); err != nil {
		t.Fatal(err)
	}
	leased, err := to.Next(5, "http://h1.p5.test", time.Now().Add(10_000*time.Hour), 3)
	if err != nil || len(leased) == 0 {
		t.Fatalf("leased %v, %v", leased, err)
	}
	only := CountsOf(to, []uint8{7})
	for range 2 {
		fatal.If(t, Forget(to, 5))
		if to.Counts() != only || to.Applied(5) != 0 {
			t.Errorf("the store has %+v, want %+v", to.Counts(), only)
		}
		fatal.If(t, to.Check())
		dir := to.dir
		fatal.If(t, to.Close())
		to, err = Open(Options{Dir: dir})
		fatal.If(t, err)
		defer to.Close()
		fatal.If(t, to.Check())
		fatal.If(t, Load(to, 5, applied, bytes.NewReader(dump)))
		fatal.If(t, to.Check())
		if got, want := CountsOf(to, []uint8{5}), CountsOf(from, []uint8{5}); got != want {
			t.Errorf("loaded %+v, want %+v", got, want)
		}
	}
}
