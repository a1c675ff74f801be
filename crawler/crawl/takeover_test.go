package crawl

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestTakeOverResults acquires partitions whose logs have records of several folders, and compares
// the results that the worker writes.
func TestTakeOverResults(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	server := natstest.Start(t)
	j, err := journal.Open(ctx, journal.Options{URL: server, Name: "shared", Flush: time.Millisecond})
	fatal.If(t, err)
	defer j.Close()
	const x, y = 11, 12 // other folders
	own := uint64(0)    // set below
	url := func(n int) string { return fmt.Sprintf("http://a.test/%d", n) }
	type written struct {
		folder, group uint64
		lines         []int // numbers of URLs; -1: the results are settled
	}
	for i, test := range []struct {
		what string
		log  []written
		want []int
	}{
		{"nothing", nil, nil},
		{"the last group of another folder", []written{{x, 1, []int{1}}, {x, 2, []int{2}}, {x, 2, []int{3}}},
			[]int{2, 3}},
		{"a folder that has given the partition up", []written{{x, 1, []int{1}}, {x, 2, []int{-1}}}, nil},
		{"a folder after another", []written{{x, 1, []int{1}}, {y, 1, []int{2}}}, []int{2}},
		{"a crawl that was alone", []written{{0, 0, []int{1, 2}}}, nil},
		{"records of its own", []written{{own, 1, []int{1}}, {own, 2, []int{2}}, {own, 3, []int{-1}}}, []int{1, 2}},
		{"its own before another", []written{{own, 1, []int{1}}, {x, 1, []int{2}}, {x, 2, nil}}, []int{1}},
	} {
		t.Run(test.what, func(t *testing.T) {
			dir := t.TempDir()
			c := &run{Config: Config{Dir: dir, UserAgent: "A/1 (+https://a.example/)", NATS: server, Name: "shared",
				TakeOver: i == 0}, handle: &Crawl{worker: func(context.Context, *share) {},
				testFlush: time.Millisecond}}
			fatal.If(t, c.open(ctx, nil))
			c.stopper.begin(ctx)
			defer c.stopper.end()
			c.committer.start()
			p, err := j.Claim(ctx, i)
			fatal.If(t, err)
			for _, w := range test.log {
				by := &signature{w.folder, w.group}
				switch {
				case w.folder == own && w.group > 0:
					by.folder = c.shard.share.folder
				case w.group == 0:
					by = nil
				}
				r := newRecord(uint8(i), by)
				for _, n := range w.lines {
					if n < 0 {
						r.settled()
						continue
					}
					it := store.Item{Partition: uint8(i), URL: url(n)}
					line, err := newResult(&it).Text()
					fatal.If(t, err)
					r.done(&it, &store.State{Status: 200, Fetched: time.Now()})
					r.result(line)
				}
				_, err := p.Append(ctx, r.bytes).Wait(ctx)
				fatal.If(t, err)
			}
			for range 2 { // the second time nothing is new
				fatal.If(t, c.shard.share.take(ctx, i))
				fatal.If(t, c.shard.share.drain(ctx, i))
			}
			fatal.If(t, c.finish(nil))
			fatal.If(t, c.close())
			text, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
			fatal.If(t, err)
			var got []int
			for line := range strings.Lines(string(text)) {
				var n int
				if _, err := fmt.Sscanf(line, `{"url":"http://a.test/%d"`, &n); err != nil {
					t.Fatalf("%q: %v", line, err)
				}
				got = append(got, n)
			}
			if !reflect.DeepEqual(got, test.want) {
				t.Errorf("the results are of %v, want %v", got, test.want)
			}
		})
	}
}

// TestSharedRecord reads what the records and batches of workers have.
func TestSharedRecord(t *testing.T) {
	r := newRecord(3, &signature{5, 7})
	if !r.isEmpty() {
		t.Error("a new record has events")
	}
	r.received(9)
	got, err := readRecord(3, r.bytes, new(replica))
	if err != nil || got.by != (signature{5, 7}) || !got.signed || got.cursor != 9 || got.settled {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, form := range [][]byte{{sharedVersion}, {sharedVersion, 1, 2, 3, 4, 5, 6, 7, 8},
		{eventVersion, byte(eventCursor), 1}, {eventVersion, byte(eventSettled)}} {
		if _, err := readRecord(3, form, new(replica)); err == nil {
			t.Errorf("%v is read as a record", form)
		}
	}
	u := "http://127.0.0.1/x"
	partition := uint8(PartitionOf(u))
	l := newLetter(partition)
	l.record.seen(&store.Item{URL: u, Depth: 3, Via: "http://b.test/", Hints: []byte{1}})
	l.record.refuse(&store.Item{URL: u + "/logout"}, result.Trap)
	ask := &remoteHop{1, "http://b.test", 9, u, http.Header{"If-None-Match": {`"a"`}}}
	answer := &remoteAnswer{id: 2, of: "http://b.test", err: "no", status: 404, header: http.Header{"Etag": {`"b"`}},
		body: []byte("text")}
	form := answer.append(ask.append(l.record.bytes))
	letter, err := readLetter(partition, form)
	fatal.If(t, err)
	if len(letter.links) != 2 || letter.links[0].item.URL != u || letter.links[0].item.Via != "http://b.test/" ||
		letter.links[1].refused != result.Trap {
		t.Errorf("got the links %+v", letter.links)
	}
	if !reflect.DeepEqual(letter.asks, []*remoteHop{ask}) ||
		!reflect.DeepEqual(letter.answers, []*remoteAnswer{answer}) {
		t.Errorf("got %+v and %+v", letter.asks, letter.answers)
	}
	for cut := 1; cut < len(form); cut++ { // no cut form is read as something else
		letter, err := readLetter(partition, form[:cut])
		if err == nil && len(letter.links)+len(letter.asks)+len(letter.answers) > 3 {
			t.Errorf("%d bytes of %d are read whole", cut, len(form))
		}
	}
}

// FuzzLetter reads arbitrary bytes as a batch of an inbox.
func FuzzLetter(f *testing.F) {
	l := newLetter(7)
	l.record.seen(&store.Item{URL: "http://127.0.0.1/x"})
	f.Add(l.record.bytes)
	f.Add((&remoteHop{1, "http://b.test", 9, "http://a.test/robots.txt", nil}).append([]byte{letterVersion}))
	f.Add((&remoteAnswer{id: 2, of: "http://b.test"}).append([]byte{letterVersion}))
	f.Fuzz(func(t *testing.T, form []byte) {
		got, err := readLetter(7, form)
		if err != nil {
			return
		}
		for _, l := range got.links {
			if int(l.item.Partition) != 7 || PartitionOf(l.item.URL) != 7 {
				t.Errorf("%q is read for partition 7", l.item.URL)
			}
		}
	})
}
