package crawl

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestStoredNumbers checks all other stored numbers against their golden values.
func TestStoredNumbers(t *testing.T) {
	for _, n := range []struct {
		name      string
		got, want int
	}{
		{"eventVersion", eventVersion, 2},
		{"charterVersion", charterVersion, 1},
		{"eventSeen", int(eventSeen), 1},
		{"eventDone", int(eventDone), 2},
		{"eventDrop", int(eventDrop), 3},
		{"eventDefer", int(eventDefer), 4},
		{"eventHost", int(eventHost), 5},
		{"eventResult", int(eventResult), 6},
		{"eventRefuse", int(eventRefuse), 7},
		{"memoBegin", memoBegin, 1},
		{"memoEnd", memoEnd, 2},
		{"memoVisit", memoVisit, 3},
		{"stateVersion", stateVersion, 3},
		{"foundShapes", foundShapes, 1},
		{"foundDates", foundDates, 2},
		{"sameParams", int(sameParams), 0},
		{"anyParams", int(anyParams), 1},
		{"inFolder", int(inFolder), 2},
		{"below", int(below), 3},
		{"hintRedirects", hintRedirects, 0},
		{"hintSitemap", hintSitemap, 1},
		{"hintLead", hintLead, 2},
		{"hintTurns", hintTurns, 3},
		{"hintTurnsHigh", hintTurnsHigh, 4},
		{"Host", int(Host), 0},
		{"Domain", int(Domain), 1},
		{"Prefix", int(Prefix), 2},
		{"List", int(List), 3},
		{"Web", int(Web), 4},
	} {
		if n.got != n.want {
			t.Errorf("%s is %d, and %d in crawls on disks", n.name, n.got, n.want)
		}
	}
	for _, n := range [][2]string{
		{markCrawl, "crawl"}, {markRepair, "repair"}, {markResults, "results"}, {markSeeds, "seeds"},
		{markMemo, "owed"}, {markArchive, "archive/"}, {markShared, "shared"},
		{memoName, "owed"}, {memoOldName, "owed.old"}, {checkpointName, "checkpoint"},
		{checkpointOld, "checkpoint.old"}, {identityName, "robot.json"},
		{sharedName, "crawl"},
	} {
		if n[0] != n[1] {
			t.Errorf("%q is called %q in crawls on disks", n[0], n[1])
		}
	}
	for url, want := range map[string]uint8{"https://www.example.com/": 161, "https://example.com:8443/x": 161,
		"http://127.0.0.1/": 232, "http://a.test/": 26} {
		if got := partitionOf(parse(t, url)); got != want {
			t.Errorf("%s is in partition %d, and in %d of crawls on disks", url, got, want)
		}
	}
	var keys string
	for _, s := range shapesOf(nil, parse(t, "https://example.com/a/12?page=3&sort=x")) {
		keys += fmt.Sprintf("%s %x\n", s, s.key())
	}
	if want := "/a/#?page&sort 46dc9c6fa06e9e8b\n/a/#?… 10ed519448ecae81\n/a/… 73363508e4332a81\n/a/…/… 47900d35db021c3\n"; keys != want {
		t.Errorf("the keys of shapes are\n%s\nand in crawls on disks\n%s", keys, want)
	}
}

// frozen compares a stored form with the form of existing crawls: as hex, or by digest if it is
// long.
func frozen(t *testing.T, what string, form []byte, want string) {
	t.Helper()
	got := hex.EncodeToString(form)
	if len(form) > 200 {
		sum := sha256.Sum256(form)
		got = "sha256 " + hex.EncodeToString(sum[:])
	}
	if got != want {
		t.Errorf("%s is\n%s\nand in crawls on disks\n%s\nA new form needs a new version, and the one before must still be read.", what, got, want)
	}
}

// TestStoredForms checks the forms in the journal, the store and the memo against golden ones.
func TestStoredForms(t *testing.T) {
	at := time.UnixMilli(1_800_000_000_123).UTC()
	it := &store.Item{Partition: 7, Crawl: 3, URL: "http://a.test/x", Priority: 2, Due: at, Depth: 5,
		Via: "http://a.test/", Hints: []byte{0, 1}, Tries: 4}
	r := newRecord(7, nil)
	r.seen(it)
	r.drop(it)
	r.later(it, at.Add(time.Second))
	r.refuse(it, result.Trap)
	r.host("http://a.test", []byte{1, 2, 3})
	r.result([]byte(`{"url":"http://a.test/x"}`))
	r.done(&store.Item{URL: "http://a.test/"}, &store.State{Fetched: at, Status: 200, ETag: `"e"`, LastModified: "Mon",
		Digest: []byte{9}, Simhash: 1 << 60, Interval: time.Hour, Due: at})
	frozen(t, "a record of the journal", r.bytes,
		"sha256 f3512193dc97e17218bbbabc5f64723e79729a4c024432c202de7619be75f027")

	signed := newRecord(7, &signature{1 << 60, 300})
	signed.seen(it)
	signed.received(5<<16 | 2)
	signed.settled()
	frozen(t, "a record of one of several workers", signed.bytes,
		"030000000000000010ac020102030f687474703a2f2f612e746573742f78fba0f1c2b134050e687474703a2f2f612e746573742f"+
			"020001040882801409")
	l := newLetter(7)
	l.record.seen(it)
	l.record.refuse(it, result.Trap)
	header := http.Header{"If-None-Match": {`"a"`}}
	l.record.bytes = (&remoteHop{5, "http://b.test", 9, "http://a.test/robots.txt", header}).append(l.record.bytes)
	l.record.bytes = (&remoteAnswer{5, "http://b.test", true, "no", 200, http.Header{"Etag": {`"b"`}},
		[]byte("text")}).append(l.record.bytes)
	frozen(t, "a batch of an inbox", l.record.bytes,
		"sha256 358f86f5a7007ec23ccfafc2395a34c660c7f42c6f02ea32f71ae15a86ae2497")

	h := trapped(t)
	h.pace = pace.Host{} // pauses have a random length
	frozen(t, "the state of a host", h.appendState(nil),
		"sha256 81f33e6ecf55d17ab3a7b547d7c12ba75abf27df8793f85f8fc50ec3b6cbbdca")

	dir := t.TempDir()
	m, err := openMemo(dir)
	fatal.If(t, err)
	defer m.close()
	o := &memoHost{origin: "http://a.test", partition: 7}
	m.write(memoBegin, o)
	o.pace, _ = new(pace.Host).AppendBinary(nil)
	m.write(memoEnd, o)
	fatal.If(t, m.addVisit(&archivedVisit{url: "http://a.test/x", partition: 7, tries: 1, at: at, file: "a.warc.gz",
		offset: 1234, address: "127.0.0.1"}))
	memo, err := os.ReadFile(filepath.Join(dir, memoName))
	fatal.If(t, err)
	frozen(t, "the memo", memo,
		"100000009d2df84301070d687474703a2f2f612e746573741c0000005aedccce02070d687474703a2f2f612e74657374020000000000000000000000"+
			"3100000098c3821e03070f687474703a2f2f612e746573742f7801c0a9a3d8e9ceb8fd18d20909612e776172632e677a3132372e302e302e31")

	mark := fileMark{Size: 1, Sum: 2, Lines: 3, Ahead: 4, Tail: "5", Time: 6, Name: "7"}
	if got, want := string(mark.bytes()),
		`{"size":1,"sum":2,"lines":3,"ahead":4,"tail":"5","time":6,"name":"7"}`; got != want {
		t.Errorf("a mark is %s, and %s in crawls on disks", got, want)
	}
}

// TestStoredIdentity reads the stored options of a crawl. It also guards the names of exported
// fields in other packages: after a rename the options would count as lost.
func TestStoredIdentity(t *testing.T) {
	c := &run{tokens: []string{"A"}, Config: Config{
		UserAgent: "A/1.0 (+https://a.example/)", Results: "/r.jsonl", NATS: "nats://n", NoSitemaps: true,
		Scope:    Scope{Reach: Domain, Include: []string{"/a"}, Exclude: []string{"/b"}, MaxDepth: 3},
		Revisits: &Revisits{First: time.Hour},
	}}
	text, err := c.identity(true).text()
	fatal.If(t, err)
	const whole = `{"user_agent":"A/1.0 (+https://a.example/)","tokens":["A"],"open":true,"settings":{"scope":{"Reach":1,"Include":["/a"],"Exclude":["/b"],"MaxDepth":3},` +
		`"no_sitemaps":true,"revisits":{"First":3600000000000,"Min":0,"Max":0},` +
		`"no_archive":true,"results":"/r.jsonl","elsewhere":true},"sum":"538e1a8c"}`
	if got := strings.TrimSpace(string(text)); got != whole {
		t.Errorf("what is kept is\n%s\nand in crawls on disks\n%s", got, whole)
	}
	c.joiner.home, c.unqueued = &home{"crawl-x", "id"}, true
	named, err := c.identity(true).text()
	fatal.If(t, err)
	const onServer = `,"unqueued":true,"journal":{"name":"crawl-x","owner":"id"},"sum":"`
	got := parseIdentity(named)
	if !strings.Contains(string(named), onServer) || !reflect.DeepEqual(got.Journal, c.joiner.home) || !got.Unqueued {
		t.Errorf("what is kept is\n%s\nand in crawls on disks it has\n%s", named, onServer)
	}
	c.joiner.home, c.unqueued = nil, false
	for _, stored := range []string{
		`{"user_agent":"A/1.0 (+https://a.example/)","tokens":["A"],"open":true}`, // before the options were kept
		whole,
	} {
		who := parseIdentity([]byte(stored + "\n"))
		if who.UserAgent != c.UserAgent || !who.Open || stored == whole && who.Settings == nil {
			t.Fatalf("what was stored is not read: %s", stored)
		}
		if s := who.Settings; s != nil && !reflect.DeepEqual(s, c.identity(true).Settings) {
			t.Errorf("what was stored is read as %+v", s)
		}
	}
}

// TestStoredCharter checks the entries of charters on servers.
func TestStoredCharter(t *testing.T) {
	const stored = `{"version":1,"owner":"id","at":"2027-01-15T08:00:00Z",` +
		`"user_agent":"A/1 (+https://a.example/)","tokens":["A"],` +
		`"scope":{"Reach":1,"Include":["/a"],"Exclude":null,"MaxDepth":3}}` + "\nhttp://a.test/\nhttp://a.test/x\n"
	e, seeds, err := parseEntry([]byte(stored))
	want := charterEntry{1, "id", time.Unix(1_800_000_000, 0).UTC(), "A/1 (+https://a.example/)", []string{"A"},
		Scope{Reach: Domain, Include: []string{"/a"}, MaxDepth: 3}, false, nil}
	if err != nil || !reflect.DeepEqual(e, want) || strings.Join(seeds, " ") != "http://a.test/ http://a.test/x" {
		t.Errorf("got %+v, %q, %v", e, seeds, err)
	}
	if text, err := json.Marshal(want); err != nil || !strings.HasPrefix(stored, string(text)+"\n") {
		t.Errorf("an entry is %s, %v", text, err)
	}
	if _, _, err := parseEntry([]byte(strings.Replace(stored, "1", "2", 1))); err == nil {
		t.Error("an entry of another version is read")
	}
}
