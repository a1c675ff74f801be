package crawl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func parse(t testing.TB, s string) weburl.URL {
	t.Helper()
	u, err := weburl.Links.Parse(s)
	fatal.If(t, err)
	return u
}

func TestScope(t *testing.T) {
	seeds := []string{"https://www.example.com/shop/a.html", "http://example.org:8080/"}
	for _, test := range []struct {
		scope Scope
		url   string
		depth int
		want  result.Reason
	}{
		{Scope{}, "http://www.example.com/x", 1, result.None},
		{Scope{}, "https://www.example.com:444/x", 1, result.OutOfScope},
		{Scope{}, "https://example.com/x", 1, result.OutOfScope},
		{Scope{}, "http://example.org:8080/x", 1, result.None},
		{Scope{Reach: Domain}, "https://shop.example.com/x", 1, result.None},
		{Scope{Reach: Domain}, "https://example.net/x", 1, result.OutOfScope},
		{Scope{Reach: Prefix}, "https://www.example.com/shop/b/c", 1, result.None},
		{Scope{Reach: Prefix}, "https://www.example.com/shopping", 1, result.OutOfScope},
		{Scope{Reach: Prefix}, "https://www.example.com/shop", 1, result.OutOfScope},
		{Scope{Reach: Prefix}, "http://example.org:8080/a/b/c", 1, result.None},
		{Scope{Reach: List}, "https://www.example.com/shop/a.html", 1, result.None},
		{Scope{Reach: List}, "https://www.example.com/shop/b.html", 1, result.OutOfScope},
		{Scope{Reach: Web}, "https://anybody.example/", 1, result.None},
		{Scope{Reach: Web, MaxDepth: 2}, "https://anybody.example/", 2, result.None},
		{Scope{Reach: Web, MaxDepth: 2}, "https://anybody.example/", 3, result.TooDeep},
		{Scope{Reach: Web, MaxDepth: -1}, "https://anybody.example/", 1, result.TooDeep},
		{Scope{Reach: Web, Exclude: []string{"/*?sort="}}, "https://a.example/x?sort=1", 1, result.Excluded},
		{Scope{Reach: Web, Exclude: []string{"/x"}, Include: []string{"/x/y"}}, "https://a.example/x/y/z", 1,
			result.None},
		{Scope{Reach: Web, Exclude: []string{"/x"}, Include: []string{"/x/y"}}, "https://a.example/x/z", 1,
			result.Excluded},
		{Scope{Reach: Web, Exclude: []string{"/x"}, Include: []string{"/x/y"}}, "https://a.example/other", 1,
			result.None},
		// a path with two slashes
		{Scope{Reach: Web, Exclude: []string{"/x"}}, "https://a.example//other/x", 1, result.None},
		{Scope{Reach: Web, Include: []string{"/x/"}}, "https://a.example/other", 1, result.Excluded},
		{Scope{Reach: Web, Include: []string{"/x/"}}, "https://a.example/x/1", 1, result.None},
		{Scope{Reach: Web, Exclude: []string{"/x\nAllow: /x"}}, "https://a.example/y", 1, result.None},
	} {
		var urls []weburl.URL
		for _, s := range seeds {
			urls = append(urls, parse(t, s))
		}
		if got := test.scope.territory(urls).refuses(parse(t, test.url), test.depth); got != test.want {
			t.Errorf("%+v: %s, %d links away: got %q, want %q", test.scope, test.url, test.depth, got, test.want)
		}
	}
	for r := Host; r <= Web; r++ {
		if got, err := ParseReach(r.String()); err != nil || got != r {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	if _, err := ParseReach("moon"); err == nil {
		t.Error("moon is a reach")
	}
}

func TestRevisits(t *testing.T) {
	var r Revisits
	day := 24 * time.Hour
	for _, test := range []struct {
		last    time.Duration
		changed bool
		dynamic bool
		want    time.Duration
	}{
		{0, false, false, day},
		{0, false, true, 6 * time.Hour},
		{day, true, false, day * 8 / 10},
		{day, false, false, day * 14 / 10},
		{time.Hour, true, false, time.Hour},
		{29 * day, false, false, 30 * day},
		{1 << 62, false, false, 30 * day},
	} {
		if got := r.next(test.last, test.changed, test.dynamic); got.Round(time.Second) != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}

// TestPartition: the partition of a URL never changes.
func TestPartition(t *testing.T) {
	for url, want := range map[string]string{
		"https://www.example.com/a":  "https://example.com:444/b",
		"https://a.b.example.co.uk/": "http://c.example.co.uk/",
		"http://192.0.2.7/":          "https://192.0.2.7:8443/x",
	} {
		if a, b := partitionOf(parse(t, url)), partitionOf(parse(t, want)); a != b {
			t.Errorf("%s is in %d, %s in %d", url, a, want, b)
		}
	}
	if got := partitionOf(parse(t, "https://example.com/")); got != 161 {
		t.Errorf("example.com is in partition %d now", got)
	}
}

// A replica records changes.
type replica struct{ log []string }

func (r *replica) Seen(it store.Item) { r.log = append(r.log, fmt.Sprintf("seen %+v", it)) }
func (r *replica) Done(it store.Item, s store.State) {
	r.log = append(r.log, fmt.Sprintf("done %+v %+v", it, s))
}
func (r *replica) Refuse(it store.Item, why uint8) {
	r.log = append(r.log, fmt.Sprintf("refuse %+v %d", it, why))
}
func (r *replica) Drop(it store.Item) { r.log = append(r.log, fmt.Sprintf("drop %+v", it)) }
func (r *replica) Defer(it store.Item, due time.Time) {
	r.log = append(r.log, fmt.Sprintf("later %+v %v", it, due))
}
func (r *replica) SetHost(origin string, state []byte) {
	r.log = append(r.log, fmt.Sprintf("host %s %x", origin, state))
}

// TestEvents: written events are read back.
func TestEvents(t *testing.T) {
	at := time.UnixMilli(1_800_000_000_123).UTC()
	it := store.Item{Partition: 9, Crawl: 3, URL: "https://example.com/a", Priority: 2, Due: at, Depth: 4,
		Via: "https://example.com/", Hints: []byte{1}, Tries: 5}
	s := store.State{Fetched: at, Status: 200, ETag: `"x"`, LastModified: "Sat, 21 Nov 2026 10:00:00 GMT",
		Digest: []byte{1, 2}, Simhash: 1 << 63, Interval: time.Hour, Due: at.Add(time.Hour)}
	r := newRecord(9, nil)
	r.seen(&it)
	r.done(&it, &s)
	r.drop(&store.Item{Partition: 9, URL: "https://example.com/b"})
	r.refuse(&store.Item{Partition: 9, URL: "https://example.com/c"}, result.Trap)
	r.later(&it, at)
	r.result([]byte(`{"url":"https://example.com/a"}`))
	r.host("https://example.com", []byte{7})
	var got, want replica
	want.Seen(it)
	want.Done(it, s)
	want.Drop(store.Item{Partition: 9, URL: "https://example.com/b"})
	want.Refuse(store.Item{Partition: 9, URL: "https://example.com/c"}, uint8(result.Trap))
	want.Defer(it, at)
	want.SetHost("https://example.com", []byte{7})
	lines, err := readEvents(9, r.bytes, &got)
	if err != nil || strings.Join(got.log, "\n") != strings.Join(want.log, "\n") {
		t.Errorf("%v\ngot\n%s\nwant\n%s", err, strings.Join(got.log, "\n"), strings.Join(want.log, "\n"))
	}
	if line := string(bytes.Join(lines, nil)); line != `{"url":"https://example.com/a"}` {
		t.Errorf("got the results %s", line)
	}
}

// FuzzEvents reads arbitrary bytes.
func FuzzEvents(f *testing.F) {
	r := newRecord(1, nil)
	r.seen(&store.Item{URL: "https://example.com/"})
	r.done(&store.Item{URL: "https://example.com/"}, &store.State{Status: 200})
	r.host("https://example.com", nil)
	f.Add(r.bytes)
	f.Add([]byte{1, 5, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, form []byte) {
		var got replica
		if _, err := readEvents(1, form, &got); err == nil && len(form) == 0 {
			t.Error("nothing is a record")
		}
		var h host
		_ = h.read(form)
	})
}

// TestTornResults: an unfinished line is cut off.
func TestTornResults(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	for text, want := range map[string]string{
		"": "", "{}\n": "{}\n", "{}\n{\"url\":": "{}\n", "{\"url\":": "", "{}\n" + strings.Repeat("x", 200_000): "{}\n",
	} {
		fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
		r, err := openResults(name, fileMark{})
		fatal.If(t, err)
		fatal.If(t, r.close())
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%.20q: got %.20q, %v", text, got, err)
		}
	}
}

// TestToldAgain: a replay writes the lines that the file lacks, and no line twice.
func TestToldAgain(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	const before = "{\"url\":\"a\"}\n{\"url\":\"b\"}\n{\"url\":\"c"
	fatal.If(t, os.WriteFile(name, []byte(before), 0o666))
	r, err := openResults(name, fileMark{})
	fatal.If(t, err)
	for _, url := range []string{"a", "b", "c", "d"} {
		fatal.If(t, r.addReplayed([]byte(`{"url":"`+url+`"}`)))
	}
	fatal.If(t, r.sync())
	fatal.If(t, r.close())
	const want = "{\"url\":\"a\"}\n{\"url\":\"b\"}\n{\"url\":\"c\"}\n{\"url\":\"d\"}\n"
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestLongLine: the longest possible result fits into a record.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("\x01", store.MaxURL)
	index := true
	line, err := (&result.Line{
		URL: strings.Repeat("&", store.MaxURL), Via: strings.Repeat("&", store.MaxURL), Canonical: long,
		Redirect: printable.Clipped(long, store.MaxURL), MediaType: strings.Repeat("\"", 200),
		Title: printable.Clipped(long, 300),
		Error: printable.Clipped(long, 500), Archive: "crawl-20261121101010-00001.warc.gz", Index: &index,
		FetchedAt: time.Now(),
	}).Text()
	if err != nil || len(line) > result.MaxLine {
		t.Errorf("%d bytes, %v", len(line), err)
	}
}

// TestEndless: the crawl of endless lists and calendars ends.
func TestEndless(t *testing.T) {
	var e endless
	asked := 0
	for i := range 5000 {
		query := ""
		for j := range 1 + i%7 {
			query += fmt.Sprintf("&%c=%d", 'a'+(i>>j)%5, i)
		}
		if !e.refuses(parse(t, "https://example.com/list?"+query[1:])) {
			asked++
		}
	}
	if asked > 2000 {
		t.Errorf("a list was asked for %d times", asked)
	}
	asked = 0
	for i := range 1000 {
		u := parse(t, fmt.Sprintf("https://example.com/calendar/%d/%02d", 1990+i/12, 1+i%12))
		if e.refuses(u) {
			continue
		}
		asked++
		leads := e.visited(u)
		leads.to(parse(t, "https://example.com/calendar/1999/01"))
		leads.to(parse(t, "https://example.com/"))
	}
	if asked > mostDates+1 {
		t.Errorf("a calendar was asked for %d times", asked)
	}
	for i := range 1000 { // an archive that leads to articles
		u := parse(t, fmt.Sprintf("https://example.com/archive/%d/%02d", 1990+i/12, 1+i%12))
		if e.refuses(u) {
			t.Fatalf("%v is refused", u)
		}
		e.visited(u).to(parse(t, fmt.Sprintf("https://example.com/article/%d", i)))
	}
	for i := range 1000 { // one parameter, with many values
		if e.refuses(parse(t, fmt.Sprintf("https://example.com/article?id=%d", i))) {
			t.Fatal("an article is refused")
		}
	}
}
