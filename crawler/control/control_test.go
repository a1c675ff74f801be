package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"crawl": func(dir string) {
		_, err := crawl.New(*attended(dir)).Run(context.Background(), os.Getenv("CONTROL_TEST_SEED"))
		child.Check(err)
	}})
	os.Exit(m.Run())
}

// attended returns a crawler with a control socket.
func attended(dir string) *crawl.Config {
	c := &crawl.Config{
		Dir: dir, UserAgent: "TestBot/1.0 (+https://example.com/bot)", DialFilter: fetch.DialFilter{AllowPrivate: true},
		Workers: 4,
		Pauses: crawl.Pauses{MinDelay: -1, Slowness: -1, AddressGap: -1, AddressBudget: -1,
			FirstPause: 10 * time.Millisecond}, Scope: crawl.Scope{Exclude: []string{"/private"}},
	}
	c.Attend = func(running *crawl.Crawl) func() {
		s, err := Listen(dir, running)
		if err != nil {
			panic(err)
		}
		return s.Close
	}
	return c
}

// newSite returns the address of a site with a page that is held back until it is released.
func newSite(t *testing.T) (address string, free func()) {
	stuck := make(chan struct{})
	free = sync.OnceFunc(func() { close(stuck) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.NotFound(w, r)
		case "/stuck":
			select {
			case <-stuck:
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(free)
	return s.URL, free
}

// begin starts a crawler, and waits until it answers. The returned function waits for the end of
// the crawl.
func begin(t *testing.T, c *crawl.Config, seed string) (client *remote, end func() error) {
	t.Helper()
	ended := make(chan struct{})
	var err error
	go func() {
		defer close(ended)
		_, err = crawl.New(*c).Run(t.Context(), seed)
	}()
	end = func() error {
		<-ended
		return err
	}
	for {
		client, dialErr := dialRemote(t.Context(), c.Dir)
		if dialErr == nil {
			if _, dialErr = client.Status(t.Context(), 1); dialErr == nil {
				return client, end
			}
		}
		if !errors.Is(dialErr, crawl.ErrNotRunning) {
			t.Fatal(dialErr)
		}
		select {
		case <-ended:
			t.Fatal(err)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// submit submits URLs to a crawl.
func submit(t *testing.T, client *remote, urls ...string) []crawl.Submission {
	t.Helper()
	submissions, err := Submit(t.Context(), client.dir, urls...)
	fatal.If(t, err)
	return submissions
}

// TestControl sends requests to crawls in folders with short and long names.
func TestControl(t *testing.T) {
	for name, dir := range map[string]string{"short": "c", "long": strings.Repeat("long/", 60) + "c"} {
		t.Run(name, func(t *testing.T) {
			if name == "long" && runtime.GOOS == "windows" {
				t.Skip("links need a privilege")
			}
			site, free := newSite(t)
			c := attended(filepath.Join(t.TempDir(), filepath.FromSlash(dir)))
			os.MkdirAll(c.Dir, 0o777)
			if _, err := dialRemote(t.Context(), c.Dir); !errors.Is(err, crawl.ErrNotRunning) {
				t.Errorf("before it runs: %v", err)
			}
			client, end := begin(t, c, site+"/stuck")
			submissions := submit(t, client, site+"/a", site+"/private", "http://\x1b[2J/")
			if len(submissions) != 3 || submissions[0] != (crawl.Submission{URL: site + "/a"}) ||
				submissions[1].Reason != result.Excluded || submissions[2].Reason != result.BadURL {
				t.Errorf("%+v", submissions)
			}
			s, err := client.Status(t.Context(), 10)
			if err != nil || s.State != crawl.Running || len(s.Hosts) != 1 || s.Hosts[0].Origin != site ||
				s.Counts.Queued < 1 || !s.Began.Before(s.At) {
				t.Errorf("%+v, %v", s, err)
			}
			hosts, err := client.HostStatus(t.Context(), site, 10)
			if err != nil || len(hosts) != 1 || hosts[0].Wait != "asked" || hosts[0].Robots == nil ||
				hosts[0].Robots.State != fetch.Unavailable {
				t.Errorf("%+v, %v", hosts, err)
			}
			if hosts, err := client.HostStatus(t.Context(), "nobody.example", 10); err != nil || len(hosts) != 0 {
				t.Errorf("nobody: %+v, %v", hosts, err)
			}
			if _, err := client.HostStatus(t.Context(), "\x1b[2J\u202e", 10); err == nil ||
				strings.ContainsAny(err.Error(), "\x1b\u202e") {
				t.Errorf("a wrong name: %q", err)
			}
			info, err := os.Stat(filepath.Join(c.Dir, "control"))
			if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
				t.Errorf("the folder of the socket: %v, %v", info, err)
			}
			free()
			if err := end(); err != nil {
				t.Error(err)
			}
			if _, err := client.Status(t.Context(), 1); !errors.Is(err, crawl.ErrNotRunning) {
				t.Errorf("after it ran: %v", err)
			}
			if files, err := os.ReadDir(filepath.Join(c.Dir, "control")); err != nil || len(files) > 0 {
				t.Errorf("left behind: %v, %v", files, err)
			}
		})
	}
}

// TestManyURLs submits more URLs than fit into one request.
func TestManyURLs(t *testing.T) {
	site, free := newSite(t)
	client, end := begin(t, attended(t.TempDir()), site+"/stuck")
	submit(t, client)
	var urls []string
	for i := range 2500 {
		urls = append(urls, fmt.Sprintf("%s/%d", site, i%2400))
	}
	submissions := submit(t, client, urls...)
	known := 0
	for i, s := range submissions {
		if s.URL != urls[i] || s.Reason != result.None {
			t.Fatalf("%d: %+v", i, s)
		}
		if s.Known {
			known++
		}
	}
	if len(submissions) != 2500 || known != 100 {
		t.Errorf("%d submissions, %d of them known", len(submissions), known)
	}
	hosts, err := client.HostStatus(t.Context(), site, 10_000)
	if err != nil || len(hosts) != 1 || hosts[0].Queued < 2400 {
		t.Errorf("%v, %v", hosts, err)
	}
	free()
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestTwoCrawls: a second crawl in one folder fails, and the first one still answers.
func TestTwoCrawls(t *testing.T) {
	site, free := newSite(t)
	c := attended(t.TempDir())
	client, end := begin(t, c, site+"/stuck")
	if _, err := crawl.New(*attended(c.Dir)).Run(t.Context(), site); err == nil {
		t.Error("two crawls run in one folder")
	}
	if s, err := client.Status(t.Context(), 1); err != nil || s.State != crawl.Running {
		t.Errorf("%+v, %v", s, err)
	}
	free()
	if err := end(); err != nil {
		t.Error(err)
	}
}

// TestKilled: a killed crawl leaves its socket behind. Clients and the next crawl must cope with
// it, and the submitted URLs must be there.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some time")
	}
	site, free := newSite(t)
	dir := t.TempDir()
	killed := child.Start(t, "crawl", dir, "CONTROL_TEST_SEED="+site+"/stuck")
	var client *remote
	for {
		var err error
		if client, err = dialRemote(t.Context(), dir); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	submit(t, client, site+"/submitted")
	if s, err := client.Status(t.Context(), 1); err != nil || s.State != crawl.Running {
		t.Fatalf("%+v, %v", s, err)
	}
	// Kill the crawl while a client sends requests.
	var asking sync.WaitGroup
	asking.Go(func() {
		for {
			if _, err := client.Status(t.Context(), 10); err != nil {
				if !errors.Is(err, crawl.ErrNotRunning) {
					t.Errorf("asked while it is killed: %v", err)
				}
				return
			}
		}
	})
	killed.Kill()
	asking.Wait()
	if _, err := os.Lstat(filepath.Join(dir, folder, socket)); err != nil {
		t.Errorf("the socket: %v", err)
	}
	if _, err := dialRemote(t.Context(), dir); !errors.Is(err, crawl.ErrNotRunning) {
		t.Errorf("after it was killed: %v", err)
	}
	i, err := crawl.Inspect(dir)
	fatal.If(t, err)
	s, err := i.Status(t.Context(), 10)
	if err != nil || s.State != crawl.Killed {
		t.Errorf("%+v, %v", s, err)
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
	// The next crawl replaces a file of any kind in the place of the socket.
	os.Remove(filepath.Join(dir, folder, socket))
	fatal.If(t, os.WriteFile(filepath.Join(dir, folder, socket), []byte("no socket"), 0o666))
	if _, err := dialRemote(t.Context(), dir); !errors.Is(err, crawl.ErrNotRunning) {
		t.Errorf("a file in place of the socket: %v", err)
	}
	free()
	c := attended(dir)
	summary, err := crawl.New(*c).Run(t.Context())
	if err != nil || !summary.Finished || summary.Counts.Done != 2 {
		t.Errorf("%+v, %v", summary, err)
	}
}

// TestHandler sends wrong requests.
func TestHandler(t *testing.T) {
	c := attended(t.TempDir())
	s := httptest.NewServer(handler(crawl.New(*c)))
	defer s.Close()
	for _, test := range []struct {
		method, path, body string
		want               int
	}{
		{"GET", "/status", "", 503},
		{"GET", "/status?hosts=x%1b", "", 400},
		{"GET", "/status?hosts=-1", "", 400},
		{"GET", "/host?name=example.com", "", 503},
		{"GET", "/host?name=example.com&urls=99999999999999999999", "", 400},
		{"POST", "/urls", `{"urls": ["https://example.com/"]}`, 503},
		{"POST", "/urls", `{"urls": 7}`, 400},
		{"POST", "/urls", `{"urls": ["` + strings.Repeat("x", mostAsked) + `"]}`, 400},
		{"POST", "/urls", "\x00", 400},
		{"GET", "/urls", "", 405},
		{"POST", "/status", "", 405},
		{"GET", "/moon", "", 404},
	} {
		r, err := http.NewRequestWithContext(t.Context(), test.method, s.URL+test.path, strings.NewReader(test.body))
		fatal.If(t, err)
		resp, err := http.DefaultClient.Do(r)
		fatal.If(t, err)
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("%s %s: got %d, want %d", test.method, test.path, resp.StatusCode, test.want)
		}
		var f failure
		if (test.want == 400 || test.want == 503) && (json.Unmarshal(text, &f) != nil || f.Error == "") {
			t.Errorf("%s %s: %q", test.method, test.path, text)
		}
	}
}

// TestHostileServer: for any answer at the socket the client returns an error.
func TestHostileServer(t *testing.T) {
	for name, answers := range map[string]string{
		"nothing": "", "no HTTP": "\x1b[2J\r\n\r\n", "no JSON": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nmoon",
		"cut":   "HTTP/1.1 200 OK\r\nContent-Length: 400\r\n\r\n{",
		"other": "HTTP/1.1 418 \x1b[2J\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			l, err := listen(filepath.Join(dir, folder))
			fatal.If(t, err)
			defer l.Close()
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					go func(conn net.Conn) {
						defer conn.Close()
						if n, _ := conn.Read(make([]byte, 4096)); n > 0 {
							io.WriteString(conn, answers)
						}
					}(conn)
				}
			}()
			client, err := dialRemote(t.Context(), dir)
			fatal.If(t, err)
			if s, err := client.Status(t.Context(), 1); err == nil || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("%+v, %q", s, err)
			}
		})
	}
}

// TestOpenHandler: an address that other machines can reach serves metrics only.
func TestOpenHandler(t *testing.T) {
	s := httptest.NewServer(Handler(nil, false))
	defer s.Close()
	for _, path := range []string{"/status", "/debug/pprof/", "/debug/pprof/profile"} {
		resp, err := http.Get(s.URL + path)
		fatal.If(t, err)
		if resp.Body.Close(); resp.StatusCode != 404 {
			t.Errorf("%s for all the world: %d", path, resp.StatusCode)
		}
	}
}
