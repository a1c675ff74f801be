package keydir_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const userAgent = "TestServer/1.0 (+https://example.org)"

// private returns the private key with a number.
func private(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func public(t testing.TB, n byte) botauth.Key {
	t.Helper()
	k, err := botauth.NewKey(private(n).Public())
	fatal.If(t, err)
	return k
}

// directory returns a directory in JSON of the keys with these numbers.
func directory(t testing.TB, numbers ...byte) []byte {
	t.Helper()
	var keys []botauth.Key
	for _, n := range numbers {
		keys = append(keys, public(t, n))
	}
	data, err := json.Marshal(botauth.NewDirectory(keys...))
	fatal.If(t, err)
	return data
}

// serve starts a server with TLS, and returns a client that trusts it and the agent of its origin.
func serve(t *testing.T, h http.HandlerFunc) (*keydir.Client, botauth.Agent) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	return &keydir.Client{UserAgent: userAgent, Transport: s.Client().Transport}, botauth.Agent{URL: s.URL,
		Type: "directory"}
}

// TestKey fetches a directory that its server signs, once for two keys.
func TestKey(t *testing.T) {
	fetches := 0
	c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		fetches++
		if r.URL.Path != botauth.DirectoryPath || r.Method != http.MethodGet ||
			r.Header.Get("User-Agent") != userAgent || r.Header.Get("Accept") != botauth.DirectoryType {
			t.Errorf("got the request %s %s with the header %v", r.Method, r.URL, r.Header)
		}
		body := directory(t, 1, 2)
		if err := (&botauth.Signer{Key: private(2)}).SignDirectory(w.Header(), r.Host, body, time.Now()); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", botauth.DirectoryType+"; charset=utf-8")
		w.Header().Set("Cache-Control", "max-age=600")
		w.Write(body)
	})
	for n := range byte(2) {
		want := public(t, n+1)
		if got, err := c.Key(t.Context(), agent, want.ID()); err != nil || got.ID() != want.ID() {
			t.Errorf("key %d: got %v, %v", n+1, got, err)
		}
	}
	if _, err := c.Key(t.Context(), agent, public(t, 3).ID()); err == nil || errors.Is(err, keydir.ErrUnavailable) ||
		!strings.Contains(err.Error(), "does not publish this key") {
		t.Errorf("a key that is not there: got %v", err)
	}
	s, err := c.Source(t.Context(), agent)
	fatal.If(t, err)
	if s.URL != agent.URL+botauth.DirectoryPath || s.Card != nil || len(s.Possessed) != 1 ||
		s.Possessed[0] != public(t, 2).ID() || s.Fresh.Sub(s.Fetched).Round(time.Minute) != 10*time.Minute {
		t.Errorf("got %+v", s)
	}
	if fetches != 1 {
		t.Errorf("the directory was fetched %d times", fetches)
	}
	if _, err := c.Key(t.Context(), botauth.Agent{}, ""); err == nil || errors.Is(err, keydir.ErrUnavailable) {
		t.Errorf("without an agent: got %v", err)
	}
	if _, err := new(keydir.Client).Key(t.Context(), agent, ""); err == nil ||
		!strings.Contains(err.Error(), "UserAgent") {
		t.Errorf("without a name: got %v", err)
	}
}

// TestVerify verifies a request with the keys of a directory.
func TestVerify(t *testing.T) {
	c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", botauth.DirectoryType)
		w.Write(directory(t, 1))
	})
	for n, want := range []botauth.Result{botauth.Unverifiable, botauth.Verified, botauth.Unverifiable} {
		req := httptest.NewRequest(http.MethodGet, "https://www.example.org/path", nil)
		if n == 0 {
			agent.URL += ".invalid"
		}
		fatal.If(t, (&botauth.Signer{Key: private(byte(n)), Agent: strings.TrimSuffix(agent.URL, ".invalid")}).Sign(req,
			time.Now()))
		if got := (&botauth.Verifier{Keys: c.Key}).Verify(req, time.Now()); got.Result != want {
			t.Errorf("key %d: got %s", n, got)
		}
	}
}

// TestHostile fetches what is not a directory, and directories that mean harm.
func TestHostile(t *testing.T) {
	wanted := public(t, 1)
	good := directory(t, 1)
	answer := func(mediaType string, body []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", mediaType)
			w.Write(body)
		}
	}
	status := func(code int, name, value string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", botauth.DirectoryType)
			w.Header().Set(name, value)
			w.WriteHeader(code)
			w.Write(good)
		}
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(good)
	z.Close()
	other, err := json.Marshal(public(t, 2))
	fatal.If(t, err)
	for _, test := range []struct {
		name        string
		handler     http.HandlerFunc
		err         string
		unavailable bool
	}{
		{"an error", status(http.StatusInternalServerError, "X", ""), "its status is 500, not 200", true},
		{"nothing", status(http.StatusNotFound, "X", ""), "its status is 404, not 200", true},
		{"a redirect", status(http.StatusFound, "Location", "https://example.com/"), "redirects are not followed",
			true},
		{"a redirect to itself", status(http.StatusMovedPermanently, "Location", botauth.DirectoryPath),
			"redirects are not followed", true},
		{"another success", status(http.StatusNonAuthoritativeInfo, "X", ""), "its status is 203, not 200", true},
		{"a page", answer("text/html", good), `its media type is "text/html", not ` + botauth.DirectoryType, true},
		{"a file of a user", answer("application/json", good), `its media type is "application/json"`, true},
		{"no type", answer("", good), "its media type is ", true},
		{"no JSON", answer(botauth.DirectoryType, []byte("<html>")), "is not a JSON Web Key Set", true},
		{"compressed", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			answer(botauth.DirectoryType, packed.Bytes())(w, r)
		}, `it is encoded as "gzip"`, true},
		{"too large", answer(botauth.DirectoryType, append(bytes.Repeat([]byte(" "), 256<<10), good...)),
			"it is larger than 262144 bytes", true},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", botauth.DirectoryType)
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 32<<10)); err != nil {
					return
				}
			}
		}, "it is larger than 262144 bytes", true},
		{"cut", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			answer(botauth.DirectoryType, good)(w, r)
		}, "unexpected EOF", true},
		{"hung up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "EOF", true},
		{"empty", answer(botauth.DirectoryType, []byte(`{"keys":[]}`)), "does not publish this key", false},
		{"too many keys", answer(botauth.DirectoryType,
			[]byte(`{"keys":[`+strings.Repeat(string(other)+",", 100)+string(other)+"]}")), "more than 100", true},
		{"under the name of another key", answer(botauth.DirectoryType,
			[]byte(`{"keys":[`+strings.Replace(string(other), public(t, 2).ID(), wanted.ID(), 1)+`]}`)),
			"does not publish this key", false},
		{"with its private part", answer(botauth.DirectoryType,
			[]byte(strings.Replace(string(good), `"use"`, `"d":"AAAA","use"`, 1))),
			"does not publish this key, and entries there cannot be used: entry 1 of the key directory: the key has its private part", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, agent := serve(t, test.handler)
			_, err := c.Key(t.Context(), agent, wanted.ID())
			if err == nil || !strings.Contains(err.Error(), test.err) ||
				errors.Is(err, keydir.ErrUnavailable) != test.unavailable {
				t.Errorf("got %v (unavailable: %t), want %s", err, errors.Is(err, keydir.ErrUnavailable), test.err)
			}
		})
	}
}

// TestKeyOutOfDate checks that a key of a directory verifies only while it is valid.
func TestKeyOutOfDate(t *testing.T) {
	now := time.Now()
	c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", botauth.DirectoryType)
		w.Write(bytes.Replace(directory(t, 1), []byte(`"use"`), fmt.Appendf(nil, `"nbf":%d,"exp":%d,"use"`,
			now.Add(-2*time.Hour).Unix(), now.Add(-time.Hour).Unix()), 1))
	})
	req := httptest.NewRequest(http.MethodGet, "https://www.example.org/path", nil)
	for _, test := range []struct {
		at   time.Time
		want botauth.Result
	}{{now.Add(-90 * time.Minute), botauth.Verified}, {now, botauth.Forged}} {
		fatal.If(t, (&botauth.Signer{Key: private(1), Agent: agent.URL}).Sign(req, test.at))
		if got := (&botauth.Verifier{Keys: c.Key}).Verify(req, test.at); got.Result != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}

// TestPrivate checks that the default transport does not connect to special addresses.
func TestPrivate(t *testing.T) {
	asked := false
	_, agent := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
	c := &keydir.Client{UserAgent: userAgent}
	_, err := c.Key(t.Context(), agent, "x")
	var refused *fetch.RefusedError
	if !errors.As(err, &refused) || !errors.Is(err, keydir.ErrUnavailable) || asked {
		t.Errorf("got %v", err)
	}
	// A certificate that nobody trusts.
	c = &keydir.Client{UserAgent: userAgent, Transport: fetch.DialFilter{AllowPrivate: true}.Transport()}
	if _, err := c.Key(t.Context(), agent, "x"); !errors.Is(err, keydir.ErrUnavailable) || asked {
		t.Errorf("got %v", err)
	}
}

// TestSlow checks the limit of time, with a server that sends nothing.
func TestSlow(t *testing.T) {
	c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", botauth.DirectoryType)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c.Timeout = 50 * time.Millisecond
	if _, err := c.Key(t.Context(), agent, "x"); !errors.Is(err, keydir.ErrUnavailable) ||
		!strings.Contains(err.Error(), "not done within 50ms") {
		t.Errorf("got %v", err)
	}
	// A caller that stops says nothing about the server.
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("enough"))
	c, agent = serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", botauth.DirectoryType)
		w.Write(directory(t, 1))
	})
	if _, err := c.Key(ctx, agent, public(t, 1).ID()); err == nil || !strings.Contains(err.Error(), "enough") {
		t.Errorf("got %v", err)
	}
	if _, err := c.Key(t.Context(), agent, public(t, 1).ID()); err != nil {
		t.Errorf("after a caller that stopped: got %v", err)
	}
}

// TestTypes fetches a key set and cards.
func TestTypes(t *testing.T) {
	var origin string
	c, agent := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		card := map[string]any{"client_id": origin + r.URL.Path, "client_name": "ExampleBot", "jwks_uri": origin +
			"/keys"}
		switch r.URL.Path {
		case "/keys":
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Cache-Control", "max-age=300")
			w.Write(directory(t, 1))
			return
		case "/card":
			card["web_bot_auth"] = map[string]string{"rfc9309-product-token": "ExampleBot"}
		case "/whole":
			delete(card, "jwks_uri")
			card["jwks"] = json.RawMessage(directory(t, 1))
		case "/none":
			delete(card, "jwks_uri")
		case "/other":
			card["client_id"] = origin + "/card"
		case "/broken":
			card["jwks_uri"] = origin + "/nothing"
		case "/nothing":
			http.NotFound(w, r)
			return
		}
		json.NewEncoder(w).Encode(card)
	})
	origin = agent.URL
	for _, test := range []struct{ path, typ, err string }{
		{"/keys", "jwks_uri", ""},
		{"/keys?of=bot", "jwks_uri", ""},
		{"/keys", "directory", "its media type is"},
		{"/card", "cimd", ""},
		{"/whole", "cimd", ""},
		{"/none", "cimd", "the card has no keys"},
		{"/other", "cimd", "is that of"},
		{"/broken", "cimd", "its status is 404"},
		{"/nothing", "cimd", "its status is 404"},
	} {
		a := botauth.Agent{URL: origin + test.path, Type: test.typ}
		s, err := c.Source(t.Context(), a)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) || !errors.Is(err, keydir.ErrUnavailable) {
				t.Errorf("%s: got %v", test.path, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		if _, ok := s.Keys.Key(public(t, 1).ID()); !ok || s.URL != strings.TrimSuffix(a.URL, "?of=bot") ||
			(s.Card != nil) != (test.typ == "cimd") {
			t.Errorf("%s: got %+v", test.path, s)
		}
		if test.path != "/whole" && s.Fresh.Sub(s.Fetched).Round(time.Minute) != 5*time.Minute {
			t.Errorf("%s: fresh for %s", test.path, s.Fresh.Sub(s.Fetched))
		}
	}
}

// A transport answers requests with a handler, without a network, so that a test has a clock of its
// own.
type transport struct {
	fetches atomic.Int32
	handler http.HandlerFunc
}

// RoundTrip implements [http.RoundTripper].
func (s *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	s.fetches.Add(1)
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", botauth.DirectoryType)
	s.handler(w, r)
	response := w.Result()
	response.Request = r
	return response, r.Context().Err()
}

// TestCache follows one source for two days: what its server says, failures, and keys that come and
// go.
func TestCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var numbers []byte
		control, code := "", http.StatusOK
		s := &transport{handler: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", control)
			w.Header().Set("Retry-After", "240")
			w.WriteHeader(code)
			w.Write(directory(t, numbers...))
		}}
		c := &keydir.Client{UserAgent: userAgent, Transport: s}
		agent := botauth.Agent{URL: "https://bot.example.com", Type: "directory"}
		step := func(name string, wait time.Duration, number byte, fetches int32, ok bool) {
			t.Helper()
			time.Sleep(wait)
			s.fetches.Store(0)
			_, err := c.Key(t.Context(), agent, public(t, number).ID())
			if (err == nil) != ok || s.fetches.Load() != fetches {
				t.Errorf("%s: got %v after %d fetches, want %t after %d", name, err, s.fetches.Load(), ok, fetches)
			}
		}
		numbers, control = []byte{1}, "max-age=3600"
		step("the first time", 0, 1, 1, true)
		step("in the cache", 30*time.Minute, 1, 0, true)
		step("another key", 0, 2, 1, false)
		step("another key at once", time.Minute, 2, 0, false)
		numbers = []byte{1, 2}
		step("a key that was added", 5*time.Minute, 2, 1, true)
		numbers = []byte{2}
		step("a key that was removed, in the cache", 59*time.Minute, 1, 0, true)
		step("a key that was removed", 2*time.Minute, 1, 1, false)
		code = http.StatusServiceUnavailable
		step("stale", 2*time.Hour, 2, 1, true)
		step("stale, while the server asks to be left alone", 3*time.Minute, 2, 0, true)
		step("stale, afterwards", 2*time.Minute, 2, 1, true)
		step("stale, after a day", 21*time.Hour, 2, 1, true)
		step("too old", 2*time.Hour, 2, 1, false)
		step("too old, while the server asks to be left alone", time.Minute, 2, 0, false)
		code, control = http.StatusOK, "no-store"
		step("back", 5*time.Minute, 2, 1, true)
		step("no-store, within the minimum", 59*time.Second, 2, 0, true)
		step("no-store", 2*time.Second, 2, 1, true)
		control = "max-age=31536000"
		step("a year", 2*time.Minute, 2, 1, true)
		step("a year, within the maximum", 23*time.Hour, 2, 0, true)
		step("a year, beyond the maximum", 2*time.Hour, 2, 1, true)
		control = ""
		step("nothing said", 25*time.Hour, 2, 1, true)
		step("nothing said, within an hour", 59*time.Minute, 2, 0, true)
		step("nothing said, beyond an hour", 2*time.Minute, 2, 1, true)
	})
}

// TestFlight asks for one source from many goroutines, and for more sources than may be fetched at
// once.
func TestFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open, most := 0, 0
		var mu sync.Mutex
		s := &transport{handler: func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			open++
			most = max(most, open)
			mu.Unlock()
			time.Sleep(time.Second)
			mu.Lock()
			open--
			mu.Unlock()
			w.Write(directory(t, 1))
		}}
		c := &keydir.Client{UserAgent: userAgent, Transport: s}
		var all sync.WaitGroup
		ask := func(host string) {
			all.Go(func() {
				if _, err := c.Key(t.Context(), botauth.Agent{URL: "https://" + host, Type: "directory"},
					public(t, 1).ID()); err != nil {
					t.Error(err)
				}
			})
		}
		for range 100 {
			ask("bot.example.com")
		}
		all.Wait()
		if n := s.fetches.Load(); n != 1 {
			t.Errorf("one source was fetched %d times", n)
		}
		for i := range 64 {
			ask(fmt.Sprintf("bot%d.example.com", i))
		}
		all.Wait()
		if most != 16 {
			t.Errorf("%d sources were fetched at once, want 16", most)
		}
		// Beyond the limit, fetches wait for at most the time of a fetch.
		s.handler = func(http.ResponseWriter, *http.Request) { time.Sleep(time.Hour) }
		for i := range 17 {
			all.Go(func() {
				_, err := c.Key(t.Context(), botauth.Agent{URL: fmt.Sprintf("https://slow%d.example.com", i),
					Type: "directory"}, "x")
				if i == 16 && !errors.Is(err, keydir.ErrUnavailable) {
					t.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
	})
}

// TestMany names more sources than the client keeps. A source that was found stays, and sources
// that were not are dropped.
func TestMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &transport{}
		s.handler = func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Host, "no") {
				w.WriteHeader(http.StatusNotFound)
			}
			w.Write(directory(t, 1))
		}
		c := &keydir.Client{UserAgent: userAgent, Transport: s}
		key := func(host string) error {
			_, err := c.Key(t.Context(), botauth.Agent{URL: "https://" + host, Type: "directory"}, public(t, 1).ID())
			return err
		}
		fatal.If(t, key("bot.example.com"))
		for i := range 2000 {
			time.Sleep(time.Millisecond)
			if key(fmt.Sprintf("no%d.example.com", i)) == nil {
				t.Fatal("there is a key")
			}
		}
		fatal.If(t, key("bot.example.com"))
		if n := s.fetches.Load(); n != 2001 {
			t.Errorf("got %d fetches", n)
		}
		if key("no1999.example.com") == nil || s.fetches.Load() != 2001 {
			t.Error("a failure was forgotten at once")
		}
		if key("no0.example.com") == nil || s.fetches.Load() != 2002 {
			t.Error("the oldest failure was kept")
		}
	})
}
