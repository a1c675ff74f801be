package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A keeper is a server that keeps the paths of its requests.
type keeper struct {
	*httptest.Server
	mu    sync.Mutex
	paths []string
}

func (k *keeper) asked() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Sorted(slices.Values(k.paths))
}

// listenAt listens at an address of this machine, which some systems do not have.
func listenAt(t *testing.T, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Skipf("no server can listen at %s: %v", address, err)
	}
	return l
}

func serveAt(t *testing.T, address string, answer http.HandlerFunc) *keeper {
	t.Helper()
	k := new(keeper)
	k.Server = &httptest.Server{Listener: listenAt(t, address), Config: &http.Server{Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			k.mu.Lock()
			k.paths = append(k.paths, r.URL.RequestURI())
			k.mu.Unlock()
			answer(w, r)
		})}}
	k.Start()
	t.Cleanup(k.Close)
	return k
}

// TestOwnMachine starts at a host of this machine, without a DialFilter that allows its address.
// Another host tries to lead the crawl there in all ways that a crawl follows.
func TestOwnMachine(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]"} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			address := "127.0.0.1:0"
			if host == "[::1]" {
				address = "[::1]:0"
			}
			own := serveAt(t, address, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/robots.txt" {
					fmt.Fprintf(w, "<title>%s</title><a href=/linked>x</a>", r.URL.Path)
				}
			})
			_, port, _ := net.SplitHostPort(own.Listener.Addr().String())
			at := "http://" + host + ":" + port
			// Another server of this machine, which no seed names.
			other := serveAt(t, address, func(w http.ResponseWriter, r *http.Request) {})
			foreign := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
				base := "http://" + r.Host
				switch r.URL.Path {
				case "/robots.txt":
					fmt.Fprintf(w, "Sitemap: %s/from-robots.xml\nSitemap: %s/map.xml\n", at, base)
				case "/map.xml":
					fmt.Fprintf(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`+
						`<sitemap><loc>%s/from-index.xml</loc></sitemap>`+
						`<url><loc>%[1]s/from-sitemap</loc></url></sitemapindex>`, at)
				case "/away":
					http.Redirect(w, r, at+"/from-redirect", http.StatusFound)
				case "/":
					w.Header().Set("Link", "<"+at+"/from-header>; rel=next")
					fmt.Fprintf(w, "<title>f</title><link rel=next href=%s/from-link><a href=%[1]s/from-page>x</a>"+
						"<a href=/away>y</a><a href=%[2]s/>z</a>", at, other.URL)
				}
			})
			var mu sync.Mutex
			var troubles []string
			c := newCrawler(t)
			c.DialFilter = fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}}
			c.Scope.Reach = crawl.Web
			c.OnTrouble = func(origin string, err error, _ time.Time) {
				mu.Lock()
				defer mu.Unlock()
				troubles = append(troubles, origin)
			}
			summary, err := crawl.New(*c).Run(t.Context(), at+"/", foreign.URL+"/")
			if err != nil || !summary.Finished || summary.Reasons[result.RefusedAddress] == 0 {
				t.Fatalf("%+v, %v", summary, err)
			}
			if got, want := own.asked(), []string{"/", "/linked", "/robots.txt"}; !slices.Equal(got, want) {
				t.Errorf("the seed's host was asked for %q, want %q", got, want)
			}
			if got := other.asked(); len(got) > 0 {
				t.Errorf("a host that is not a seed was asked for %q", got)
			}
		})
	}
}

// TestOwnMachineRobots has the robots.txt of another host redirect to the host of a seed on this
// machine.
func TestOwnMachineRobots(t *testing.T) {
	t.Parallel()
	own := serveAt(t, "127.0.0.1:0", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			fmt.Fprint(w, "<title>x</title>")
		}
	})
	foreign := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.Redirect(w, r, own.URL+"/from-robots", http.StatusFound)
		}
	})
	c := newCrawler(t)
	c.DialFilter = fetch.DialFilter{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.2/32")}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var told sync.Once
	c.OnTrouble = func(origin string, err error, _ time.Time) { told.Do(cancel) }
	c.Patience = -1
	_, err := crawl.New(*c).Run(ctx, own.URL+"/", foreign.URL+"/")
	fatal.If(t, err)
	if got := own.asked(); slices.Contains(got, "/from-robots") {
		t.Errorf("the seed's host was asked for %q", got)
	}
}

// TestRefusedSeeds refuses a seed for its address, and asks it again when the address is allowed.
func TestRefusedSeeds(t *testing.T) {
	t.Parallel()
	s := serveAt(t, "127.0.0.2:0", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			fmt.Fprintf(w, "<title>%s</title><a href=/a>x</a>", r.URL.Path)
		}
	})
	c := newCrawler(t)
	c.DialFilter = fetch.DialFilter{}
	var troubles []error
	c.OnTrouble = func(_ string, err error, again time.Time) {
		if troubles = append(troubles, err); !again.IsZero() {
			t.Errorf("it is to be asked again at %v", again)
		}
	}
	for range 2 { // the second run has nothing to do
		summary, err := crawl.New(*c).Run(t.Context(), s.URL+"/", s.URL+"/b")
		if err != nil || !summary.Finished || summary.Counts.Done != 0 || summary.Reasons[result.RefusedAddress] != 2 {
			t.Fatalf("%+v, %v", summary, err)
		}
	}
	if refused := new(fetch.RefusedError); len(troubles) != 1 || !errors.As(troubles[0], &refused) {
		t.Errorf("the troubles are %v", troubles)
	}
	c.DialFilter.AllowPrivate = true
	for range 2 {
		summary, err := crawl.New(*c).Run(t.Context())
		if err != nil || !summary.Finished || summary.Counts.Done != 3 || summary.Reasons[result.RefusedAddress] != 0 {
			t.Errorf("allowed: %+v, %v", summary, err)
		}
	}
	if got, want := s.asked(), []string{"/", "/a", "/b", "/robots.txt"}; !slices.Equal(got, want) {
		t.Errorf("asked for %q, want %q", got, want)
	}
	lines, err := os.ReadFile(filepath.Join(c.Dir, "results.jsonl"))
	if n := strings.Count(string(lines), "refused-address"); err != nil || n != 2 {
		t.Errorf("%d lines, %v:\n%s", n, err, lines)
	}
}

// TestUnreachableStatus has the cause of a host that cannot be reached in the status, and tells it
// again when the crawl is resumed.
func TestUnreachableStatus(t *testing.T) {
	t.Parallel()
	c := newCrawler(t)
	c.Lookup = func(_ context.Context, name string) ([]netip.Addr, error) {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		var told string
		c.OnTrouble = func(origin string, err error, again time.Time) {
			told = fmt.Sprint(origin, ": ", err)
			if again.IsZero() {
				t.Error("it is not to be asked again")
			}
			cancel()
		}
		summary, err := crawl.New(*c).Run(ctx, "https://nowhere.example/")
		cancel()
		if err != nil || summary.Finished || !strings.Contains(told, "https://nowhere.example: ") ||
			!strings.Contains(told, "DNS has no host") {
			t.Errorf("%+v, %v; told %q", summary, err, told)
		}
		i, err := crawl.Inspect(c.Dir)
		fatal.If(t, err)
		status, err := i.Status(t.Context(), 10)
		fatal.If(t, errors.Join(err, i.Close()))
		if len(status.Hosts) != 1 || !strings.Contains(status.Hosts[0].Why, "DNS has no host") {
			t.Errorf("the status is %+v", status.Hosts)
		}
	}
}
