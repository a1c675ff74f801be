package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
)

// packedSite is site with gzip, as web servers are set up.
func packedSite(t *testing.T) string {
	t.Helper()
	files := http.FileServer(http.Dir(static))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path.Ext(r.URL.Path) {
		case "", ".js", ".css", ".svg", ".html":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			files.ServeHTTP(packed{w, z}, r)
		default:
			files.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// packed writes a body through a Writer.
type packed struct {
	http.ResponseWriter
	body io.Writer
}

func (p packed) Write(b []byte) (int, error) { return p.body.Write(b) }

func (p packed) WriteHeader(status int) {
	p.Header().Del("Content-Length")
	p.ResponseWriter.WriteHeader(status)
}

// The worker of a site without headers has the policy of the page: even a worker whose file was
// replaced reaches no other server, loads no other script and runs no text as code.
func TestWorkerPolicy(t *testing.T) {
	requests := make(chan string, 100)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests <- r.URL.Path
		w.Header().Set("Access-Control-Allow-Origin", "*")
	}))
	defer other.Close()
	files := http.FileServer(http.Dir(static))
	said := make(chan string, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/said":
			said <- r.URL.RawQuery
		case strings.HasSuffix(r.URL.Path, "/worker.js"):
			io.WriteString(w, strings.ReplaceAll(replaced, "OTHER", other.URL))
		default:
			files.ServeHTTP(w, r)
		}
	}))
	defer s.Close()
	openEarly(t, s.URL+"/", 1280, false, "en")
	if got := <-said; got != "fetch=refused&script=refused&eval=refused" {
		t.Errorf("a replaced worker says %q", got)
	}
	select {
	case path := <-requests:
		t.Errorf("the worker sent a request to another server: %s", path)
	default:
	}
}

// replaced is a worker that tries what the policy forbids, and tells its own server what was
// possible.
const replaced = `(async () => {
	const tried = {};
	const attempt = async (name, work) => { try { await work(); tried[name] = "done"; } catch { tried[name] = "refused"; } };
	await attempt("fetch", () => fetch("OTHER/fetched"));
	await attempt("script", () => importScripts("OTHER/script"));
	await attempt("eval", () => eval("1+1"));
	const from = new URL(location.origin === "null" ? self.origin : location.origin);
	await fetch(new URL("/said?" + new URLSearchParams(tried), from));
})();`
