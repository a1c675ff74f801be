package crawl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const ownerFile = "/.well-known/robots-owner.txt"

// TestIgnoreRobots visits hosts that try to prove that they are the operator's in many ways. Each
// leads to another host that proves nothing, whose robots.txt stays in force.
func TestIgnoreRobots(t *testing.T) {
	t.Parallel()
	closed := "User-agent: *\nDisallow: /closed\n"
	for _, test := range []struct {
		name, robots string
		owner        http.HandlerFunc // answers for the file
		network      string           // in Own
		off          bool             // IgnoreRobots is not set
		want         string           // the proof in the results
	}{
		{"the robot is named", closed, ownerText("text/plain", "# mine\nUser-Agent : testbot # ours\n"), "", false,
			"robots-owner.txt"},
		{"the flag is not set", closed, ownerText("text/plain", "User-agent: TestBot"), "", true, ""},
		{"the file is allowed in a closed site",
			"User-agent: *\nDisallow: /\nAllow: /.well-known/robots-owner.txt\nAllow: /$",
			ownerText("text/plain", "User-agent: TestBot"), "", false, "robots-owner.txt"},
		{"the file is disallowed", "User-agent: *\nDisallow: /closed\nDisallow: /.well-known/",
			ownerText("text/plain", "User-agent: TestBot"), "", false, ""},
		{"another robot is named", closed,
			ownerText("text/plain", "User-agent: TestBot2\nUser-agent: *\nUser-agent:\n"), "", false, ""},
		{"the robot is named in a text", closed,
			ownerText("text/plain", "TestBot\nDisallow: TestBot\n"), "", false, ""},
		{"a page", closed, ownerText("text/html", "User-agent: TestBot"), "", false, ""},
		{"no file", closed, http.NotFound, "", false, ""},
		{"an error with the text", closed, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "User-agent: TestBot")
		}, "", false, ""},
		{"a long file", closed,
			ownerText("text/plain", strings.Repeat("#\n", 40_000)+"User-agent: TestBot"), "", false, ""},
		{"a redirect", closed, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere.txt", http.StatusFound)
		}, "", false, ""},
		{"an own network", closed, http.NotFound, "127.9.1.0/24", false, "own-network"},
		{"another network", closed, http.NotFound, "127.9.2.0/24", false, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			other := serveAt(t, "127.9.3.1:0", func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/robots.txt":
					fmt.Fprint(w, closed)
				case ownerFile:
					ownerText("text/plain", "User-agent: TestBot")(w, r)
				default:
					fmt.Fprint(w, "<title>o</title><a href=/closed/1>x</a>")
				}
			})
			host := serveAt(t, "127.9.1.1:0", func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/robots.txt":
					fmt.Fprint(w, test.robots)
				case ownerFile:
					test.owner(w, r)
				case "/elsewhere.txt":
					ownerText("text/plain", "User-agent: TestBot")(w, r)
				case "/closed/away":
					http.Redirect(w, r, other.URL+"/closed/2", http.StatusFound)
				default:
					fmt.Fprintf(w, "<title>%s</title><a href=/closed/a>x</a><a href=/closed/away>y</a>"+
						"<a href=%s/>z</a>", r.URL.Path, other.URL)
				}
			})
			c := newCrawler(t)
			c.IgnoreRobots, c.Scope.Reach = !test.off, crawl.Web
			if test.network != "" {
				c.Own = []netip.Prefix{netip.MustParsePrefix(test.network)}
			}
			summary, err := crawl.New(*c).Run(t.Context(), host.URL+"/")
			if err != nil || !summary.Finished {
				t.Fatalf("%+v, %v", summary, err)
			}
			for _, path := range other.asked() {
				if strings.HasPrefix(path, "/closed") || path == ownerFile {
					t.Errorf("a host that proves nothing was asked for %s", path)
				}
			}
			if got := slices.Contains(host.asked(), "/closed/a"); got != (test.want != "") {
				t.Errorf("asked for %q, want what is closed: %v", host.asked(), test.want != "")
			}
			if test.name == "the file is disallowed" && slices.Contains(host.asked(), ownerFile) {
				t.Error("the host was asked for a file that its robots.txt disallows")
			}
			lines, err := os.ReadFile(filepath.Join(c.Dir, "results.jsonl"))
			fatal.If(t, err)
			for line := range strings.Lines(string(lines)) {
				var one result.Line
				fatal.If(t, json.Unmarshal([]byte(line), &one))
				want := ""
				if strings.HasPrefix(one.URL, host.URL+"/closed") {
					want = test.want
				}
				if one.RobotsIgnored != want {
					t.Errorf("%s: robots.txt is ignored by %q, want %q", one.URL, one.RobotsIgnored, want)
				}
			}
			if n := ignoredInArchive(t, c.Dir, test.want); (n > 0) != (test.want != "") {
				t.Errorf("the archive has the proof %q in %d records", test.want, n)
			}
		})
	}
}

func ownerText(mediaType, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		fmt.Fprint(w, text)
	}
}

// ignoredInArchive returns the number of records of an archive that have a proof.
func ignoredInArchive(t *testing.T, dir, proof string) (n int) {
	t.Helper()
	names, err := warc.Files(filepath.Join(dir, "archive"))
	fatal.If(t, err)
	for _, name := range names {
		f, err := os.Open(filepath.Join(dir, "archive", name))
		fatal.If(t, err)
		r := warc.NewReader(f)
		for {
			record, err := r.Next()
			if err != nil {
				break
			}
			if record.Type() != "metadata" {
				continue
			}
			text := make([]byte, 1<<10)
			m, _ := record.Read(text)
			if strings.Contains(string(text[:m]), "robotsIgnored: "+proof) {
				n++
			}
		}
		f.Close()
	}
	return n
}

// TestIgnoreRobotsRebound has a name with an address in an own network and one elsewhere.
func TestIgnoreRobotsRebound(t *testing.T) {
	t.Parallel()
	port := ""
	answer := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed\n")
			return
		}
		fmt.Fprint(w, "<title>x</title><a href=/closed/a>x</a>")
	}
	stranger := serveAt(t, "127.9.5.1:0", answer)
	_, port, _ = net.SplitHostPort(stranger.Listener.Addr().String())
	for _, addrs := range [][]string{{"127.9.5.1", "127.9.4.1"}, {"127.9.4.1", "127.9.5.1"}} {
		c := newCrawler(t)
		c.IgnoreRobots, c.Own = true, []netip.Prefix{netip.MustParsePrefix("127.9.4.0/24")}
		c.Lookup = func(context.Context, string) (all []netip.Addr, err error) {
			for _, a := range addrs {
				all = append(all, netip.MustParseAddr(a))
			}
			return all, nil
		}
		if _, err := crawl.New(*c).Run(t.Context(), "http://both.example:"+port+"/"); err != nil {
			t.Error(err)
		}
	}
	if got := stranger.asked(); slices.Contains(got, "/closed/a") || !slices.Contains(got, "/") {
		t.Errorf("the stranger was asked for %q", got)
	}
}
