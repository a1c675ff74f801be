package agent_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// Each run of a program has a Verifier of its own: the folder is all that they share.
func renew(t *testing.T, p *publisher, folder string) agent.Renewal {
	t.Helper()
	r, err := (&agent.Verifier{Client: p.Client(), Folder: folder}).Renew(t.Context(), p.URL)
	fatal.If(t, err)
	return r
}

// Renew fetches a document that is not old, says what changed, and asks with the validators that
// the folder has for the document.
func TestRenew(t *testing.T) {
	document, asked := `{"prefixes": [{"ipv4Prefix": "192.0.2.0/25"}, {"ipv4Prefix": "198.51.100.0/24"}]}`, ""
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		tag := fmt.Sprintf(`"%d"`, len(document))
		asked = r.Header.Get("If-None-Match") + r.Header.Get("If-Modified-Since")
		w.Header().Set("ETag", tag)
		w.Header().Set("Last-Modified", "Sun, 01 Mar 2026 00:00:00 GMT")
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, document)
	})
	folder := t.TempDir()
	kept := filepath.Join(folder, url.QueryEscape(p.URL))
	if r := renew(t, p, folder); !r.Fetched || !r.New || r.Added+r.Removed != 0 || r.Document.Prefixes != 2 ||
		r.Document.Error != "" || asked != "" {
		t.Errorf("the first time, asked with %q: got %+v", asked, r)
	}
	hourAgo := time.Now().Add(-time.Hour)
	fatal.If(t, os.Chtimes(kept, hourAgo, hourAgo))
	if r := renew(t, p, folder); !r.Fetched || r.New || r.Added+r.Removed != 0 ||
		time.Since(r.Document.Read) > time.Minute || !strings.Contains(asked, "Sun, 01 Mar 2026") {
		t.Errorf("unchanged, asked with %q: got %+v", asked, r)
	}
	if info, err := os.Stat(kept); err != nil || time.Since(info.ModTime()) > time.Minute {
		t.Errorf("unchanged, the file is of %v, %v", info.ModTime(), err)
	}
	document = `{"prefixes": [{"ipv4Prefix": "192.0.2.0/25"}, {"ipv4Prefix": "203.0.113.0/24"}, {"ipv4Prefix": "203.0.113.0/25"}]}`
	if r := renew(t, p, folder); !r.Fetched || r.New || r.Added != 2 || r.Removed != 1 {
		t.Errorf("changed: got %+v", r)
	}
	// A document that somebody else put there has no validators.
	write(t, kept, goodRanges)
	if r := renew(t, p, folder); !r.Fetched || asked != "" {
		t.Errorf("replaced, asked with %q: got %+v", asked, r)
	}
	write(t, kept+".validators", "{")
	if renew(t, p, folder); asked != "" {
		t.Errorf("with damaged validators: asked with %q", asked)
	}
}

// A fetch that fails leaves the document and its time, and says why.
func TestRenewFails(t *testing.T) {
	for name, handle := range map[string]http.HandlerFunc{
		"not found": status(404),
		"a page":    text("<!doctype html>"),
		"large":     text("192.0.2.1\n" + strings.Repeat("# a comment\n", 1<<20)),
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, moreRanges)
		},
		"insecure": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+r.Host+"/", http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPublisher(t, text(goodRanges))
			folder := t.TempDir()
			renew(t, p, folder)
			kept := filepath.Join(folder, url.QueryEscape(p.URL))
			hourAgo := time.Now().Add(-time.Hour).Truncate(time.Second)
			fatal.If(t, os.Chtimes(kept, hourAgo, hourAgo))
			p.serve(handle)
			r := renew(t, p, folder)
			if r.Fetched || r.Document.Error == "" || r.Document.Prefixes == 0 || !r.Document.Read.Equal(hourAgo) {
				t.Errorf("got %+v", r)
			}
			if data, err := os.ReadFile(kept); err != nil || string(data) != goodRanges {
				t.Errorf("the folder has %q, %v", data, err)
			}
			if files, err := os.ReadDir(folder); err != nil || len(files) != 1 {
				t.Errorf("the folder has the files %v, %v", files, err)
			}
		})
	}
}

// Without a client nothing is fetched, and what the folder has is said.
func TestRenewReads(t *testing.T) {
	const source = "https://example.com/bot.json"
	v := &agent.Verifier{Folder: t.TempDir()}
	r, err := v.Renew(t.Context(), source)
	if err != nil || r.Fetched || r.Document.Error != "" || !r.Document.Read.IsZero() {
		t.Errorf("an empty folder: got %+v, %v", r, err)
	}
	kept := filepath.Join(v.Folder, url.QueryEscape(source))
	write(t, kept, "<html>")
	if r, err = v.Renew(t.Context(), source); err != nil || !strings.Contains(r.Document.Error, "HTML") {
		t.Errorf("a page: got %+v, %v", r, err)
	}
	write(t, kept, goodRanges)
	old := time.Now().Add(-1000 * time.Hour)
	fatal.If(t, os.Chtimes(kept, old, old))
	if r, err = v.Renew(t.Context(), source); err != nil || r.Document.Prefixes == 0 || !r.Document.Stale ||
		r.Document.Error != "" {
		t.Errorf("old ranges: got %+v, %v", r, err)
	}
	for _, name := range []string{"", "ranges.json", "http://example.com/bot.json"} {
		if r, err := v.Renew(t.Context(), name); err == nil {
			t.Errorf("%q: got %+v, want an error", name, r)
		}
	}
}
