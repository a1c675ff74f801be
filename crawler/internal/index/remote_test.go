package index

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// served returns the remote index of a handler.
func served(t testing.TB, h http.HandlerFunc) *Remote {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	x, err := NewRemote(s.URL + "/")
	fatal.If(t, err)
	t.Cleanup(func() { x.Close() })
	return x
}

// serve answers as a server of an index.
func serve(x *Index) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, MaxAsked+1))
		if err != nil || r.URL.Path != PartPath || r.Method != "POST" || len(body) > MaxAsked {
			http.Error(w, "no question", http.StatusBadRequest)
			return
		}
		answer, err := x.Served(r.Context(), body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(answer)
	}
}

// TestRemote searches in indexes behind servers: each answer is that of one index of all pages.
func TestRemote(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 3))
	pages := many(random, 300)
	var parts []Asker
	for i, list := range dealt(random, pages, 3) {
		if x := indexOf(t, list); i < 2 {
			parts = append(parts, served(t, serve(x)))
		} else {
			parts = append(parts, x)
		}
	}
	whole := partsOf(indexOf(t, pages))
	for range 40 {
		q := Query{Text: ask(random).String(), From: random.IntN(200), Size: 1 + random.IntN(30)}
		if got, want := answerOf(t, partsOf(parts...), q), answerOf(t, whole, q); got != want {
			t.Fatalf("%+v:\ngot  %s\nwant %s", q, got, want)
		}
	}
}

// TestRemoteHostile asks servers that are none of ours, or answer nothing of use: the answer is
// that of the other part, and says why.
func TestRemoteHostile(t *testing.T) {
	t.Parallel()
	good := indexOf(t, []*Page{{URL: "https://example.com/", Title: "word"}})
	answers := func(status int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(status)
			io.WriteString(w, body)
		}
	}
	const ours = "application/json"
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"page":     {answers(200, "text/html", "<h1>"), "no JSON of this program"},
		"cut":      {answers(200, ours, `{"format":`), "no JSON of this program"},
		"array":    {answers(200, ours, `[]`), "no JSON of this program"},
		"empty":    {answers(200, ours, `{}`), "another version"},
		"old":      {answers(404, "text/plain", "404 page not found"), "older version"},
		"none":     {answers(404, "application/problem+json", `{"title":"x","detail":"no index"}`), "404 x: no index"},
		"busy":     {answers(503, "application/problem+json", `{"detail":"\u001b[31m\u202e"}`), `503 : \x1b[31m\u202e`},
		"redirect": {http.RedirectHandler("https://example.com/", http.StatusFound).ServeHTTP, "302"},
		"endless": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", ours)
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return
				}
			}
		}, "longer than 32 MiB"},
		"hang up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "does not answer"},
		"half": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, "{")
		}, "ended too early"},
		"silent": {func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body) // so that the end of the connection is seen
			<-r.Context().Done()
		}, "does not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := served(t, c.handler)
			if name == "silent" {
				bad.client.Timeout = 100 * time.Millisecond
			}
			r, err := Together(
				context.Background(),
				[]Part{{Name: bad.String(), Asked: bad}, {Name: "good", Asked: good}},
				Query{Text: "word"},
			)
			if err != nil || r.Total != 1 || len(r.Missing) != 1 || !strings.Contains(r.Missing[0].String(), c.want) {
				t.Errorf("got %+v, %v, want %q", r, err, c.want)
			}
		})
	}
}

// TestServed gives a server questions of strangers.
func TestServed(t *testing.T) {
	x := indexOf(t, []*Page{{URL: "https://example.com/", Title: "word"}})
	for _, body := range []string{"", "null", "[]", "{", `{"format":5}`, `{"format":"1/2"}`,
		`{"format":"1/2","text":"-x"}`,
		`{"format":"1/2","text":"word","best":-1}`, `{"format":"1/2","text":"word","best":99999999999999999999}`} {
		if a, err := x.Served(context.Background(), []byte(body)); err == nil {
			t.Errorf("%s: got %+v", body, a)
		}
	}
	a, err := x.Served(context.Background(), fmt.Appendf(nil, `{"format":%q,"text":"word","count":true,
		"versions":["https://example.com/","x",""],"links":["",""],
		"hits":["\u0000","https://example.com/"]}`, partFormat))
	if err != nil || a.Counts.Pages != 1 || a.Versions[0] == nil || a.Versions[1] != nil || a.Versions[2] != nil ||
		a.Hits[0] != nil || a.Hits[1].Title != "word" {
		t.Errorf("got %+v, %v", a, err)
	}
}

// TestNewRemote refuses what is not the URL of a server, and hides passwords.
func TestNewRemote(t *testing.T) {
	for _, address := range []string{"", "n1:8030", "ftp://n1/", "http://", "http:///x", "http://n1/?q=1",
		"http://n1/#x",
		"http://\x1b[31m/", "http://n1:port"} {
		if x, err := NewRemote(address); err == nil || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v, %v", address, x, err)
		}
	}
	x, err := NewRemote("https://me:secret@n1.example:8030/robots/")
	if err != nil || x.String() != "https://me:xxxxx@n1.example:8030/robots" ||
		x.url.Path != "/robots"+PartPath {
		t.Errorf("got %v, %v", x, err)
	}
}
