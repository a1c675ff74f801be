package web

import (
	"bytes"
	"compress/gzip"
	picture "image"
	_ "image/png"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func get(t *testing.T, h http.Handler, method, target string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// The handler serves each file with its type and the policy, packed where the client takes gzip,
// and nothing else.
func TestHandler(t *testing.T) {
	h := Handler(Services{})
	for name, content := range all(Services{}) {
		for _, encoding := range []string{"", "gzip", "br, gzip;q=0.5", "gzip;q=0, identity"} {
			resp := get(t, h, "GET", "/"+name, http.Header{"Accept-Encoding": {encoding}})
			body, err := io.ReadAll(resp.Body)
			fatal.If(t, err)
			if resp.Header.Get("Content-Encoding") == "gzip" {
				if encoding == "" || strings.HasPrefix(encoding, "gzip;q=0,") {
					t.Errorf("%s is packed for %q", name, encoding)
				}
				z, err := gzip.NewReader(bytes.NewReader(body))
				fatal.If(t, err)
				if body, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			body = bytes.Replace(body, []byte("http://example.com/preview.png"), []byte("preview.png"), 1)
			if resp.StatusCode != 200 || !bytes.Equal(body, content) {
				t.Errorf("%s with %q: status %d, %d bytes of %d", name, encoding, resp.StatusCode, len(body),
					len(content))
			}
			if resp.Header.Get("Content-Type") == "" || !strings.Contains(resp.Header.Get("Content-Security-Policy"),
				"trusted-types worker") {
				t.Errorf("%s has the header %v", name, resp.Header)
			}
			again := get(t, h, "GET", "/"+name, http.Header{"Accept-Encoding": {encoding},
				"If-None-Match": {resp.Header.Get("ETag")}})
			if again.StatusCode != http.StatusNotModified {
				t.Errorf("%s is sent again with status %d", name, again.StatusCode)
			}
		}
	}
	for target, want := range map[string]int{"/": 200, "/static/": 404, "/../web.go": 404, "/index.html/": 404,
		"//": 404, "/%2e%2e/web.go": 404} {
		if got := get(t, h, "GET", target, nil).StatusCode; got != want {
			t.Errorf("GET %s: status %d, not %d", target, got, want)
		}
	}
	if resp := get(t, h, "POST", "/", nil); resp.StatusCode != 405 || resp.Header.Get("Allow") == "" {
		t.Errorf("POST / has status %d", resp.StatusCode)
	}
	if body, _ := io.ReadAll(get(t, h, "HEAD", "/", nil).Body); len(body) > 0 {
		t.Error("the answer to HEAD has a body")
	}
}

// The page itself has the policy of the header, for servers without it, and no inline code or
// style.
func TestPolicy(t *testing.T) {
	text := string(all(Services{})["index.html"])
	if !strings.Contains(text, `content="`+policy+`"`) {
		t.Error("index.html has another policy than the header")
	}
	for _, wrong := range []string{`<script>`, `<style`, ` style=`, `javascript:`, ` on\w+=`, `https?://`} {
		if found := regexp.MustCompile(wrong).FindString(text); found != "" {
			t.Errorf("index.html has %q", found)
		}
	}
	for _, name := range []string{"page.js", "preview.png", "editor.js", "worker.js", "style.css"} {
		for _, wrong := range []string{`\.innerHTML`, `\.outerHTML`, `insertAdjacentHTML`, `document\.write`,
			`new Function\(`, `\beval\(`, `@import`} {
			if found := regexp.MustCompile(wrong).FindString(string(all(Services{})[name])); found != "" {
				t.Errorf("%s has %q", name, found)
			}
		}
	}
}

// The path of a service is inserted as text, not as HTML.
func TestService(t *testing.T) {
	text := string(all(Services{Robots: `v1/"><script>`})["index.html"])
	if strings.Contains(text, "<script>") || !strings.Contains(text,
		`<meta name="robots-service" content="v1/&#34;&gt;&lt;script&gt;">`) {
		t.Errorf("the page is %s", text)
	}
	if strings.Contains(string(all(Services{})["index.html"]), "robots-service") {
		t.Error("the static page names a service")
	}
}

// The static site has the same files, and replaces old ones.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	for range 2 {
		fatal.If(t, Write(dir, ""))
	}
	entries, err := os.ReadDir(dir)
	fatal.If(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{"audit.wasm.gz", "editor.js", "engine.wasm.gz", "icon.svg", "index.html", "licenses.txt",
		"page.js", "preview.png", "style.css", "worker.js"}
	if !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
	if err := Write(filepath.Join(dir, "page.js"), ""); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// A folder with another site is left as it is.
func TestWriteForeign(t *testing.T) {
	dir := t.TempDir()
	index := filepath.Join(dir, "index.html")
	fatal.If(t, os.WriteFile(index, []byte("<title>Shop</title>"), 0o666))
	if err := Write(dir, ""); err == nil || !strings.Contains(err.Error(), "another site") {
		t.Errorf("got %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
	if text, _ := os.ReadFile(index); string(text) != "<title>Shop</title>" {
		t.Errorf("the file is %q", text)
	}
	if !strings.Contains(string(all(Services{})["index.html"]), title) {
		t.Error("the page has another title")
	}
}

// The page names a picture of its own for programs that show where a link leads, by the address of
// the request. The page does not have a hostile Host.
func TestPreview(t *testing.T) {
	h := Handler(Services{})
	page := func(host string, header http.Header) string {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host = host
		maps.Copy(r.Header, header)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Body.String()
	}
	image := regexp.MustCompile(`<meta property="og:image" content="([^"]*)">`)
	for _, c := range []struct {
		host  string
		https string
		want  string
	}{
		{"robots.example.com", "", "http://robots.example.com/preview.png"},
		{"[2001:db8::1]:8010", "", "http://[2001:db8::1]:8010/preview.png"},
		{"robots.example.com", "https", "https://robots.example.com/preview.png"},
		{"robots.example.com", "javascript", "http://robots.example.com/preview.png"},
		{`a"><script>x</script>`, "", "preview.png"}, {"a b", "", "preview.png"}, {"a/b", "", "preview.png"},
		{"a@b", "", "preview.png"}, {"", "", "preview.png"}, {strings.Repeat("a", 400), "", "preview.png"},
	} {
		text := page(c.host, http.Header{"X-Forwarded-Proto": {c.https}})
		if got := image.FindStringSubmatch(text); len(got) != 2 || got[1] != c.want {
			t.Errorf("%q: got %q, want %q", c.host, got, c.want)
		}
		for _, name := range []string{"og:title", "og:description", "og:type", "og:image:alt"} {
			if !strings.Contains(text, `<meta property="`+name+`" content="`) {
				t.Errorf("the page has no %s", name)
			}
		}
	}
	resp := get(t, h, "GET", "/preview.png", nil)
	config, kind, err := picture.DecodeConfig(resp.Body)
	if err != nil || kind != "png" || config.Width != 1200 || config.Height != 630 {
		t.Errorf("the picture is %v %s, %v", config, kind, err)
	}
}

// Programs that show where a link leads get the page's title in the language of the link or of the
// reader, and the whole address of the picture, also from a static site whose host is known.
func TestPreviewLanguages(t *testing.T) {
	h := Handler(Services{})
	for _, c := range []struct{ path, accept, want string }{
		{"/", "", "robots.txt workbench"}, {"/", "de, es;q=0.9", "robots.txt workbench"},
		{"/", "es-MX,es;q=0.9", "Banco de trabajo de robots.txt"}, {"/?lang=ko", "es", "robots.txt 작업대"},
		{"/?lang=ru", "", "Мастерская robots.txt"}, {"/?lang=%22%3E", "ko;q=1", "robots.txt workbench"},
		{"/", "ko;q=1", "robots.txt 작업대"},
	} {
		resp := get(t, h, "GET", c.path, http.Header{"Accept-Language": {c.accept}})
		text, err := io.ReadAll(resp.Body)
		fatal.If(t, err)
		if !strings.Contains(string(text), `<meta property="og:title" content="`+c.want+`">`) {
			t.Errorf("%s, %s: the title is not %s", c.path, c.accept, c.want)
		}
		if strings.Contains(string(text), englishDescription) != (c.want == englishTitle) {
			t.Errorf("%s, %s: the description is in another language", c.path, c.accept)
		}
		if resp.Header.Get("Vary") != "Accept-Language" {
			t.Errorf("%s: Vary is %q", c.path, resp.Header.Get("Vary"))
		}
	}
	dir := t.TempDir()
	fatal.If(t, Write(dir, "robots.example.com"))
	text, err := os.ReadFile(filepath.Join(dir, "index.html"))
	fatal.If(t, err)
	if !strings.Contains(string(text), preview+`https://robots.example.com/preview.png"`) {
		t.Error("the static site has no whole address of its picture")
	}
	if err := Write(dir, `a"><script>`); err == nil || !strings.Contains(err.Error(), "not a host") {
		t.Errorf("a wrong host: %v", err)
	}
}
