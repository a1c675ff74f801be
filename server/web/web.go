// Package web is the page for people without a terminal: files for a browser, in which the engine
// of this module runs as WebAssembly. Nothing that is pasted into the page leaves the machine.
//
//	http.Handle("/", web.Handler(web.Services{}))
//
// The sources are in the folder frontend, a separate module, which builds the folder static.
package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"html"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed static
var embedded embed.FS

// types are the media types of the files, by the ends of their names. The tables of a system are
// not asked: they differ.
var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
	".png":  "image/png",
	".txt":  "text/plain; charset=utf-8",
	".gz":   "application/gzip", // no Content-Encoding: the page decompresses the file
}

// A file is a file of the page, as it is sent.
type file struct {
	kind   string
	etag   string
	plain  []byte
	packed []byte // by gzip, or nil if that saves nothing
}

// policy is the Content-Security-Policy of the page. The page's index.html repeats it, for servers
// that send no such header.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
	"worker-src blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types worker"

// Services are the services of the page's own server. Each is a path relative to the page, such as
// "v1/", before the name of a resource; "" means that the server has no such service, and the page
// no such view.
type Services struct {
	Robots string // "robots" is a route of package server: the page fetches live robots.txt
	Watch  string // "watch" and "watch/events" are those of a watch
	Crawl  string // "crawl", "crawl/host" and "search" are those of a crawl
}

// Handler returns a handler of GET requests for the files of the page: index.html is at "/". Other
// paths are not found.
func Handler(s Services) http.Handler {
	files := sync.OnceValue(func() map[string]*file { return read(s) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the page answers GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		f := files()[r.URL.Path]
		if f == nil {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/" || r.URL.Path == "/index.html" {
			w.Header().Set("Vary", "Accept-Language")
			f = f.at(r)
		}
		f.serve(w, r)
	})
}

// preview is the picture of the page in index.html, for programs that show where a link leads.
const preview = `property="og:image" content="`

// ownName is a host as it stands in an address. Other texts are not written into the page.
var ownName = regexp.MustCompile(`^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]+)?$`)

// previews are the title and the description of the page in other languages, for programs that show
// where a link leads and do not run the page, which has its own texts.
var previews = []struct{ language, title, description string }{
	{"es", "Banco de trabajo de robots.txt",
		"Pruebe, compare, demuestre y construya robots.txt en el navegador. Nada de lo que pegue sale de su equipo."},
	{"ko", "robots.txt 작업대",
		"브라우저에서 robots.txt를 시험하고 비교하고 증명하고 만드세요. " +
			"붙여 넣은 내용은 컴퓨터 밖으로 나가지 않습니다."},
	{"ru", "Мастерская robots.txt",
		"Проверяйте, сравнивайте, доказывайте и создавайте robots.txt в браузере. " +
			"Вставленное не покидает ваш компьютер."},
}

// The English texts in index.html.
const (
	englishTitle       = "robots.txt workbench"
	englishDescription = "Test, compare, prove and build robots.txt in the browser. " +
		"Nothing that you paste leaves your machine."
)

// at returns index.html with the whole address of its picture, which is that of the request: many
// programs that read it do not resolve relative addresses. Its title and description are in the
// language of the query "lang", or else of the request.
func (f *file) at(r *http.Request) *file {
	text := inLanguage(f.plain, r)
	if len(r.Host) <= 300 && ownName.MatchString(r.Host) {
		scheme := "http"
		if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
			scheme = "https"
		}
		text = withPicture(text, scheme+"://"+r.Host)
	}
	return &file{kind: f.kind, etag: entityTag(text), plain: text} // two kilobytes are not worth packing each time
}

// withPicture returns index.html with the address of its picture at an origin.
func withPicture(index []byte, origin string) []byte {
	return bytes.Replace(index, []byte(preview), []byte(preview+origin+"/"), 1)
}

// inLanguage returns index.html with the title and the description in a language.
func inLanguage(index []byte, r *http.Request) []byte {
	asked := r.URL.Query().Get("lang")
	if asked == "" {
		asked, _, _ = strings.Cut(r.Header.Get("Accept-Language"), ",")
	}
	for _, p := range previews {
		if code, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(asked)), "-"); code == p.language ||
			strings.HasPrefix(code, p.language+";") {
			index = bytes.ReplaceAll(index, []byte(`content="`+englishTitle+`"`), []byte(`content="`+p.title+`"`))
			return bytes.ReplaceAll(index, []byte(englishDescription), []byte(p.description))
		}
	}
	return index
}

// entityTag returns the ETag of a file.
func entityTag(content []byte) string {
	sum := sha256.Sum256(content)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// serve answers with a file.
func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", f.kind)
	header.Set("ETag", f.etag)
	header.Set("Cache-Control", "no-cache") // the names of files stay the same when the files change
	header.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	body := f.plain
	if f.packed != nil {
		header.Set("Vary", "Accept-Encoding")
		if takesGzip(r.Header) {
			body = f.packed
			header.Set("Content-Encoding", "gzip")
			header.Set("ETag", strings.TrimSuffix(f.etag, `"`)+`-gzip"`)
		}
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// takesGzip reports whether a client takes gzip. A client that refuses it by "q=0" gets the plain
// file.
func takesGzip(h http.Header) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) == "gzip" {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.0")
		}
	}
	return false
}

// read returns the files by their paths.
func read(s Services) map[string]*file {
	files := make(map[string]*file)
	for name, content := range all(s) {
		f := &file{kind: types[path.Ext(name)], etag: entityTag(content), plain: content}
		if !strings.HasSuffix(name, ".gz") {
			var b bytes.Buffer
			z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is valid
			z.Write(content)
			z.Close()
			if b.Len() < len(content) {
				f.packed = b.Bytes()
			}
		}
		files["/"+name] = f
		if name == "index.html" {
			files["/"] = f
		}
	}
	return files
}

// head marks the place in index.html before which the paths of the services are inserted.
const head = "<title>"

// metas returns the elements that name the services for the page.
func (s Services) metas() (text string) {
	for _, m := range []struct{ name, path string }{{"robots-service", s.Robots}, {"robots-watch", s.Watch},
		{"robots-crawl", s.Crawl}} {
		if m.path != "" {
			text += `<meta name="` + m.name + `" content="` + html.EscapeString(m.path) + `">` + "\n"
		}
	}
	return text
}

// all returns the contents of all files by their names.
func all(s Services) map[string][]byte {
	files := make(map[string][]byte)
	entries, _ := fs.ReadDir(embedded, "static") // what is embedded can be read
	for _, e := range entries {
		content, _ := fs.ReadFile(embedded, "static/"+e.Name())
		if e.Name() == "index.html" {
			content = []byte(strings.Replace(string(content), head, s.metas()+head, 1))
		}
		files[e.Name()] = content
	}
	return files
}

// title is in the index.html of each version of the page, and tells the page from other sites.
const title = "<title>robots.txt workbench</title>"

// Write writes the page into a folder, as a static site for any web server. Write creates the
// folder if there is none, and replaces files of the same names, such as those of an older version.
// If the folder has the index.html of another site, Write changes nothing and returns an error.
// Host is that of the site, such as "robots.example.com", for the address of the picture that
// programs show for links; with "" the address is relative, which some of them do not resolve.
func Write(folder, host string) error {
	if host != "" && !ownName.MatchString(host) {
		return errors.New("the host of the page is not a host, such as robots.example.com")
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	old, err := os.ReadFile(filepath.Join(folder, "index.html"))
	switch {
	case err == nil && !bytes.Contains(old, []byte(title)):
		return errors.New("the folder has the index.html of another site: choose another folder, or remove the file")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	files := all(Services{})
	if host != "" {
		files["index.html"] = withPicture(files["index.html"], "https://"+host)
	}
	names := slices.Sorted(maps.Keys(files))
	index := slices.Index(names, "index.html")
	// the last, so that it names no file that is not there yet
	names = append(slices.Delete(names, index, index+1), "index.html")
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(folder, name), files[name], 0o666); err != nil {
			return err
		}
	}
	return nil
}
