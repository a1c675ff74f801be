package opensearch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A strict server does what the documentation of OpenSearch says of _bulk, with the members of its
// API specification (spec/schemas/_core.bulk.yaml), and complains about all that it does not say.
type strict struct {
	t       *testing.T
	mu      sync.Mutex     // guards the fields below
	mapping map[string]any // nil: there is no index
	pages   map[string]map[string]any
	version map[string]int64 // also of deleted pages
	batches int

	// before answers a request in place of the server, if it returns true; after cuts the answer
	// off.
	before func(w http.ResponseWriter, r *http.Request, body []byte) bool
	after  func() bool
	busy   func(id string) int // a status in place of what an action does, or 0
}

func newStrict(t *testing.T) (*strict, *Server) {
	t.Helper()
	x := &strict{t: t, pages: make(map[string]map[string]any), version: make(map[string]int64)}
	web := httptest.NewServer(x)
	t.Cleanup(web.Close)
	s, err := NewServer(web.URL+"/pages/", slog.New(slog.DiscardHandler))
	fatal.If(t, err)
	s.wait = func(ctx context.Context, d time.Duration) error {
		if d < firstPause || d > maxPause {
			t.Errorf("a pause of %v", d)
		}
		return ctx.Err()
	}
	return x, s
}

func (x *strict) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.before != nil && x.before(w, r, body) {
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=UTF-8")
	switch r.Method + " " + r.URL.Path + " " + r.Header.Get("Content-Type") {
	case "HEAD /pages ":
		if x.mapping == nil {
			w.WriteHeader(http.StatusNotFound)
		}
	case "PUT /pages application/json":
		var sent struct {
			Mappings map[string]any `json:"mappings"`
		}
		if err := json.Unmarshal(body, &sent); err != nil || sent.Mappings["dynamic"] != "strict" || x.mapping != nil {
			x.t.Errorf("PUT %s: %v", body, err)
		}
		x.mapping = sent.Mappings["properties"].(map[string]any)
		io.WriteString(w, `{"acknowledged":true,"shards_acknowledged":true,"index":"pages"}`)
	case "POST /pages/_bulk application/x-ndjson":
		items := x.bulk(body)
		if x.after != nil && x.after() {
			panic(http.ErrAbortHandler) // done, but the client does not know
		}
		json.NewEncoder(w).Encode(map[string]any{"took": 1, "errors": true, "items": items})
	default:
		x.t.Errorf("%s %s %v", r.Method, r.URL, r.Header)
		w.WriteHeader(http.StatusBadRequest)
	}
}

// bulk does the actions of a batch.
func (x *strict) bulk(body []byte) (items []map[string]any) {
	if len(body) == 0 || len(body) > MaxBatch || body[len(body)-1] != '\n' {
		x.t.Errorf("a batch of %d bytes, which ends %q", len(body), body[max(0, len(body)-3):])
	}
	x.batches++
	lines := bytes.Split(body[:len(body)-1], []byte{'\n'})
	for i := 0; i < len(lines); i++ {
		var action map[string]struct {
			ID      string `json:"_id"`
			Version *int64 `json:"version"`
			Type    string `json:"version_type"`
		}
		d := json.NewDecoder(bytes.NewReader(lines[i]))
		d.DisallowUnknownFields()
		if err := d.Decode(&action); err != nil || len(action) != 1 {
			x.t.Fatalf("the action %s: %v", lines[i], err)
		}
		for name, m := range action {
			if m.ID == "" || len(m.ID) > 512 || (m.Version != nil) != (m.Type == "external_gte") {
				x.t.Errorf("the action %s", lines[i])
			}
			var page map[string]any
			if name == "index" {
				i++
				page = x.page(lines[i])
			} else if name != "delete" {
				x.t.Errorf("the action %s", lines[i])
			}
			items = append(items, map[string]any{name: x.do(name, m.ID, m.Version, page)})
		}
	}
	return items
}

// page reads a document, which may only have the fields of the mapping.
func (x *strict) page(line []byte) map[string]any {
	var page map[string]any
	if err := json.Unmarshal(line, &page); err != nil {
		x.t.Fatalf("the document %.200s: %v", line, err)
	}
	for name, value := range page {
		kind, _ := x.mapping[name].(map[string]any)
		ok := false
		switch v := value.(type) {
		case string:
			ok = kind["type"] == "text" || kind["type"] == "keyword" && len(v) < 32766
			if at, err := time.Parse(time.RFC3339, v); kind["type"] == "date" && err == nil {
				ok = at.Year() > 1970
			}
		case float64:
			ok = kind["type"] == "integer" && v == float64(int32(v))
		case bool:
			ok = kind["type"] == "boolean"
		case []any:
			ok = kind["type"] == "keyword" && len(v) > 0
		}
		if !ok {
			x.t.Errorf("the field %s is %v, and in the mapping %v", name, value, kind)
		}
	}
	return page
}

// do does an action with external versions.
func (x *strict) do(name, id string, version *int64, page map[string]any) map[string]any {
	answer := func(status int, kind string) map[string]any {
		a := map[string]any{"_index": "pages", "_id": id, "status": status}
		if kind != "" {
			a["error"] = map[string]any{"type": kind, "reason": "because"}
		}
		return a
	}
	if x.busy != nil {
		if status := x.busy(id); status != 0 {
			return answer(status, "opensearch_rejected_execution_exception")
		}
	}
	if version != nil {
		if *version < x.version[id] {
			return answer(http.StatusConflict, "version_conflict_engine_exception")
		}
		x.version[id] = *version
	}
	_, there := x.pages[id]
	switch {
	case name == "index":
		x.pages[id] = page
		return answer(http.StatusCreated, "")
	case !there:
		return answer(http.StatusNotFound, "")
	}
	delete(x.pages, id)
	return answer(http.StatusOK, "")
}

// at returns a time.
func at(second int) time.Time { return time.Date(2026, 11, 30, 12, 0, second, 0, time.UTC) }

// TestDocuments sends pages of all kinds, and looks at what arrives.
func TestDocuments(t *testing.T) {
	x, s := newStrict(t)
	ctx := context.Background()
	made, err := s.Create(ctx)
	if err != nil || !made {
		t.Fatal(made, err)
	}
	if made, err := s.Create(ctx); err != nil || made {
		t.Errorf("created again: %v, %v", made, err)
	}
	for name, kind := range map[string]any{"url": "keyword", "text": "text", "fetched_at": "date"} {
		if got := x.mapping[name].(map[string]any)["type"]; got != kind {
			t.Errorf("%s is %v", name, got)
		}
	}
	b := s.Bulk(ctx)
	long := strings.Repeat("\x01<\u2028 ", 100<<10)
	for _, p := range []*index.Page{
		{URL: "https://www.example.com/a", Title: "A\n title", Description: "about", Keywords: []string{"k", "l"},
			Language: "es", ETag: `"x"`, Digest: "sha256:00", FetchedAt: at(1), Canonical: "https://example.com/",
			MaxSnippet: 20, Passages: []index.Passage{{Text: "Head", Construct: index.Heading2}, {Text: "some  text"},
				{Text: "secret", NoSnippet: true}, {Text: "more", Construct: index.Strong}}},
		{URL: "https://example.com/hidden", Title: "T", Description: "about", NoSnippet: true, FetchedAt: at(1),
			Passages: []index.Passage{{Text: "quiet"}}},
		{URL: "https://example.com/empty"},
		{URL: "https://example.com/long" + strings.Repeat("x", 8000), Title: long, Description: long,
			Keywords: []string{long}, ETag: long, Digest: long, Canonical: long, FetchedAt: at(2),
			Passages: []index.Passage{{Text: long}, {Text: long}}},
	} {
		if _, _, err := b.Put(p); err != nil {
			t.Fatal(err)
		}
	}
	fatal.If(t, b.Sync())
	fatal.If(t, b.Sync())
	fatal.If(t, b.Close())
	got, err := json.Marshal([]any{x.pages[ID("https://www.example.com/a")], x.pages[ID("https://example.com/hidden")],
		x.pages[ID("https://example.com/empty")]})
	const want = `[{"canonical":"https://example.com/","description":"about","digest":"sha256:00","etag":"\"x\"",` +
		`"fetched_at":"2026-11-30T12:00:01Z","headings":"Head","keywords":"k, l","language":"es","max_snippet":20,` +
		`"sites":["www.example.com","example.com","com"],"text":"some text more","title":"A title",` +
		`"unshown":"secret","url":"https://www.example.com/a"},` +
		`{"fetched_at":"2026-11-30T12:00:01Z","language":"en","no_snippet":true,"sites":["example.com","com"],` +
		`"title":"T","unshown":"about quiet","url":"https://example.com/hidden"},` +
		`{"language":"en","sites":["example.com","com"],"url":"https://example.com/empty"}]`
	if err != nil || string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(x.pages) != 4 || x.batches != 1 || b.Older+b.Refused != 0 {
		t.Errorf("%d pages in %d batches: %+v", len(x.pages), x.batches, b)
	}
}

// TestTroubles sends the changes of pages, in any order and several times, to a server that has no
// room for batches and for single actions, takes small bodies only, and breaks connections before
// and after it has done what it was asked. The last version of each page stays.
func TestTroubles(t *testing.T) {
	for seed := range corpus.Cases(8, 40) {
		random := rand.New(rand.NewPCG(uint64(seed), 4))
		rarely := func() bool { return random.IntN(10) == 0 }
		x, s := newStrict(t)
		_, err := s.Create(context.Background())
		fatal.If(t, err)
		x.before = func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			switch {
			case len(body) > 4000:
				w.WriteHeader(http.StatusRequestEntityTooLarge)
			case rarely():
				after := []string{"5", "x", "-1", "999999", "Mon, 30 Nov 2026 12:00:00 GMT"}
				w.Header().Set("Retry-After", after[random.IntN(len(after))])
				w.WriteHeader([]int{429, 502, 503, 504}[random.IntN(4)])
			case rarely():
				panic(http.ErrAbortHandler)
			default:
				return false
			}
			return true
		}
		x.after = rarely
		x.busy = func(string) int {
			if rarely() {
				return []int{429, 503}[random.IntN(2)]
			}
			return 0
		}
		type change struct {
			url    string
			second int
			gone   bool
		}
		var changes []change
		last := make(map[string]change)
		for i := range 120 {
			c := change{fmt.Sprintf("https://example.com/%d", random.IntN(20)), i + 1, random.IntN(3) == 0}
			changes = append(changes, c)
			last[c.url] = c
		}
		changes = append(changes, changes[:40]...)
		random.Shuffle(len(changes), func(i, j int) { changes[i], changes[j] = changes[j], changes[i] })
		b := s.Bulk(context.Background())
		for _, c := range changes {
			if c.gone {
				_, err = b.Remove(c.url, at(c.second))
			} else {
				_, _, err = b.Put(&index.Page{URL: c.url, Title: fmt.Sprint(c.second), FetchedAt: at(c.second)})
			}
			if err == nil && random.IntN(40) == 0 {
				err = b.Sync()
			}
			fatal.If(t, err)
		}
		fatal.If(t, b.Sync())
		for url, c := range last {
			if page, there := x.pages[ID(url)]; there == c.gone || there && page["title"] != fmt.Sprint(c.second) {
				t.Errorf("seed %d: %s is %v, want %+v", seed, url, page, c)
			}
		}
		if b.Refused != 0 {
			t.Errorf("seed %d: %d refused", seed, b.Refused)
		}
	}
}

// TestBatches fills more than a batch.
func TestBatches(t *testing.T) {
	x, s := newStrict(t)
	_, err := s.Create(context.Background())
	fatal.If(t, err)
	b := s.Bulk(context.Background())
	for i := range 200 {
		_, _, err := b.Put(&index.Page{URL: fmt.Sprintf("https://example.com/%d", i), FetchedAt: at(1),
			Passages: []index.Passage{{Text: strings.Repeat("words ", 10<<10)}}})
		fatal.If(t, err)
	}
	fatal.If(t, b.Sync())
	if len(x.pages) != 200 || x.batches != 3 {
		t.Errorf("%d pages in %d batches", len(x.pages), x.batches)
	}
}

// TestRefused sends pages that the server does not take: they are counted and logged, and the
// others arrive.
func TestRefused(t *testing.T) {
	x, s := newStrict(t)
	var log bytes.Buffer
	s.log = slog.New(slog.NewTextHandler(&log, nil))
	_, err := s.Create(context.Background())
	fatal.If(t, err)
	bad := "https://example.com/\x1b[31m"
	x.busy = func(id string) int {
		if id == ID(bad) {
			return 400
		}
		return 0
	}
	x.before = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
		if bytes.Contains(body, []byte("large")) {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return true
		}
		return false
	}
	b := s.Bulk(context.Background())
	for _, url := range []string{"https://example.com/a", bad, "https://example.com/large", "https://example.com/b"} {
		_, _, err := b.Put(&index.Page{URL: url, FetchedAt: at(1)})
		fatal.If(t, err)
	}
	fatal.If(t, b.Sync())
	if len(x.pages) != 2 || b.Refused != 2 || strings.Contains(log.String(), "\x1b") ||
		!strings.Contains(log.String(), "opensearch_rejected_execution_exception: because") ||
		!strings.Contains(log.String(), "too large for the server") {
		t.Errorf("%d pages, %d refused: %s", len(x.pages), b.Refused, log.String())
	}
}

// TestWrongAnswers has a server that is none of OpenSearch, or refuses everything: the error says
// so, and names the server without its password.
func TestWrongAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		body, want string
	}{
		"no JSON":    {200, "<html>", "is not that of OpenSearch"},
		"no items":   {200, `{"items":[]}`, "is not that of OpenSearch"},
		"another id": {200, `{"items":[{"index":{"_id":"x","status":201}}]}`, "is not that of OpenSearch"},
		"another act": {200, `{"items":[{"delete":{"_id":"` + ID("https://example.com/") + `","status":200}}]}`,
			"is not that"},
		"login":  {401, "Unauthorized", "OPENSEARCH_PASSWORD"},
		"rights": {403, `{"error":{"type":"security_exception","reason":"no"}}`, "OPENSEARCH_PASSWORD"},
		"blocked": {400, `{"error":{"type":"x","reason":"\u001b[31m y"},"status":400}`,
			`does not take a batch: status 400: x: \x1b[31m y`},
		"text":     {400, `{"error":"no handler"}`, "no handler"},
		"redirect": {302, "", "status 302"},
		"busy":     {503, `{"error":{"type":"cluster_block_exception","reason":"no manager"}}`, "no manager"},
	} {
		x, s := newStrict(t)
		x.before = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			w.Header().Set("Location", "http://127.0.0.1:1/")
			w.WriteHeader(c.status)
			io.WriteString(w, c.body)
			return true
		}
		b := s.Bulk(context.Background())
		_, _, err := b.Put(&index.Page{URL: "https://example.com/", FetchedAt: at(1)})
		fatal.If(t, err)
		if err := b.Sync(); err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.Create(context.Background()); c.status != 200 && err == nil {
			t.Errorf("%s: created", name)
		}
	}
	x, s := newStrict(t)
	_, err := s.Create(context.Background())
	fatal.If(t, err)
	tried := 0
	x.busy = func(string) int { tried++; return 429 }
	b := s.Bulk(context.Background())
	_, _, err = b.Put(&index.Page{URL: "https://example.com/", FetchedAt: at(1)})
	fatal.If(t, err)
	if err := b.Sync(); err == nil || tried != tries || !strings.Contains(err.Error(), "no room for 1 pages 9 times") {
		t.Errorf("after %d tries: %v", tried, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	b = s.Bulk(ended)
	_, _, err = b.Put(&index.Page{URL: "https://example.com/", FetchedAt: at(1)})
	fatal.If(t, err)
	if err := b.Sync(); !errors.Is(err, context.Canceled) {
		t.Errorf("after an end: %v", err)
	}
}

// TestNewServer takes URLs of indexes only, and shows no password.
func TestNewServer(t *testing.T) {
	for _, address := range []string{"", "pages", "http://localhost:9200", "http://localhost:9200/",
		"http://localhost/_all",
		"http://localhost/Pages", "http://localhost/a%20b", "http://localhost/a*", "http://localhost/..",
		"ftp://localhost/a",
		"http://localhost/pages?x=1", "http:///pages", "http://me:secret@localhost/A", "http://me:secret@local host/a",
		"http://localhost/\x1b"} {
		if _, err := NewServer(address, nil); err == nil || strings.Contains(err.Error(), "secret") ||
			strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", address, err)
		}
	}
	t.Setenv(passwordEnv, "from-env")
	for address, want := range map[string]string{"https://me:secret@localhost:9200/x/pages": "me secret",
		"https://me@localhost:9200/x/pages": "me from-env", "https://localhost:9200/x/pages/": ""} {
		s, err := NewServer(address, nil)
		fatal.If(t, err)
		login := ""
		if s.user != nil {
			password, _ := s.user.Password()
			login = s.user.Username() + " " + password
		}
		if login != want || s.String() != "https://localhost:9200/x/pages" {
			t.Errorf("%s: %q, %s", address, login, s)
		}
	}
}

// TestFolder writes files, whose batches a server takes one by one; a stream has the same.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bulk")
	f, err := Folder(dir)
	fatal.If(t, err)
	var stream bytes.Buffer
	for _, b := range []*Bulk{f, Stream(&stream)} {
		for i := range 100 {
			_, _, err := b.Put(&index.Page{URL: fmt.Sprintf("https://example.com/%d", i), FetchedAt: at(1),
				Passages: []index.Passage{{Text: strings.Repeat("words ", 10<<10)}}})
			fatal.If(t, err)
		}
		_, err := b.Remove("https://example.com/0", at(2))
		fatal.If(t, err)
		fatal.If(t, b.Sync())
		fatal.If(t, b.Close())
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	fatal.If(t, err)
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	if !slices.Equal(names, []string{"bulk-000001.ndjson", "bulk-000002.ndjson", "mapping.json"}) {
		t.Fatalf("%q", names)
	}
	x, s := newStrict(t)
	_, err = s.Create(context.Background())
	fatal.If(t, err)
	var all []byte
	for _, name := range names[:2] {
		text, err := os.ReadFile(filepath.Join(dir, name))
		fatal.If(t, err)
		x.bulk(text)
		all = append(all, text...)
	}
	if mapping, err := os.ReadFile(filepath.Join(dir, names[2])); err != nil || !bytes.Equal(mapping, Mapping) ||
		len(x.pages) != 99 || !bytes.Equal(all, stream.Bytes()) {
		t.Errorf("%d pages; %v", len(x.pages), err)
	}
	if _, err := Folder(dir); err == nil || !strings.Contains(err.Error(), "name an empty one") {
		t.Errorf("a folder with files: %v", err)
	}
}

// FuzzDocument writes any page: its lines are two values in JSON, and no larger than a batch.
func FuzzDocument(f *testing.F) {
	f.Add("https://example.com/", "title\n", "text\x00\xff\u2028", "description", 3, int64(5))
	f.Fuzz(func(t *testing.T, url, title, text, description string, construct int, second int64) {
		var out bytes.Buffer
		b := Stream(&out)
		_, _, err := b.Put(
			&index.Page{URL: url, Title: title, Description: description, FetchedAt: time.Unix(second, 0),
				Passages: []index.Passage{
					{Text: text, Construct: index.Construct(construct)},
					{Text: text, NoSnippet: true},
				}},
		)
		fatal.If(t, err)
		fatal.If(t, b.Sync())
		lines := strings.Split(out.String(), "\n")
		if len(lines) != 3 || lines[2] != "" || !json.Valid([]byte(lines[0])) || !json.Valid([]byte(lines[1])) ||
			out.Len() > 2<<20 {
			t.Fatalf("%q", out.String())
		}
	})
}
