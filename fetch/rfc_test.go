package fetch_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
)

// TestRFC9309 has a row for each sentence of RFC 9309, sections 2.3 to 2.5, in the same order: the
// sentence in our words, and the required behaviour. Rows about time run in a bubble where a day
// takes no time.
func TestRFC9309(t *testing.T) {
	for _, row := range [...]struct {
		section, sentence string
		test              func(*testing.T)
	}{
		{"2.3", "the rules are in a file named /robots.txt, in lower case, at the top of the service",
			func(t *testing.T) {
				var asked []string
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					asked = append(asked, r.Method+" "+r.RequestURI)
					text(closed)(w, r)
				})
				r := policy(t, local(t), s.URL+"/Some/Page.html;p?q#f")
				check(t, "requests", strings.Join(asked, ","), "GET /robots.txt")
				check(t, "origin", r.Origin, s.URL)
				check(t, "allowed", allowed(r.Policy, "/private/x"), false)
			}},
		{"2.3", "the file is in UTF-8: one that is not is read all the same", func(t *testing.T) {
			s := serve(t, text("User-agent: *\nDisallow: /caf\xe9/\nDisallow: /private/\n"))
			check(t, "allowed", allowed(policy(t, local(t), s.URL).Policy, "/private/x"), false)
		}},
		{"2.3", "its media type is text/plain: one of another type is read all the same", func(t *testing.T) {
			s := serve(t, text(closed, "Content-Type", "application/octet-stream"))
			r := policy(t, local(t), s.URL)
			check(t, "allowed", allowed(r.Policy, "/private/x"), false)
			check(t, "content type", r.File.ContentType, "application/octet-stream")
		}},
		{"2.3", "its URI has scheme and authority of the service, so another port is another service",
			func(t *testing.T) {
				a, b := serve(t, text(closed)), serve(t, status(404))
				c := local(t)
				check(t, "one port", allowed(policy(t, c, a.URL).Policy, "/private/x"), false)
				check(t, "another port", allowed(policy(t, c, b.URL).Policy, "/private/x"), true)
			}},
		{"2.3.1.1", "if the file was downloaded, its rules that can be parsed are followed", func(t *testing.T) {
			for _, code := range []int{200, 201, 203, 299} {
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					w.WriteHeader(code)
					fmt.Fprint(w, closed)
				})
				r := policy(t, local(t), s.URL)
				check(t, "state", r.State, fetch.OK)
				check(t, "status", r.Status, code)
				check(t, "allowed", allowed(r.Policy, "/private/x"), false)
			}
		}},
		{"2.3.1.2", "a server may answer with a redirect, such as 301 or 302", func(t *testing.T) {
			for _, code := range []int{300, 301, 302, 303, 307, 308} {
				s := serve(t, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/robots.txt" {
						status(code, "Location", "elsewhere/rules")(w, r)
					} else {
						text(closed)(w, r)
					}
				})
				r := policy(t, local(t), s.URL)
				check(t, "state", r.State, fetch.OK)
				check(t, "url", r.URL, s.URL+"/elsewhere/rules")
				check(t, "redirects", fmt.Sprint(r.Redirects), fmt.Sprintf("[{%s/robots.txt %d}]", s.URL, code))
				check(t, "allowed", allowed(r.Policy, "/private/x"), false)
			}
		}},
		{"2.3.1.2", "at least five redirects in a row are followed, even across authorities", func(t *testing.T) {
			r := policy(t, local(t), chain(t, 5))
			check(t, "state", r.State, fetch.OK)
			check(t, "redirects", len(r.Redirects), 5)
		}},
		{"2.3.1.2", "a file reached so is fetched, parsed, and followed for the first authority", func(t *testing.T) {
			first := chain(t, 5)
			r := policy(t, local(t), first)
			check(t, "origin", r.Origin, first)
			check(t, "allowed", allowed(r.Policy, "/private/x"), false)
		}},
		{"2.3.1.2", "after more than five, the file may be taken as unavailable", func(t *testing.T) {
			r := policy(t, local(t), chain(t, 6))
			check(t, "state", r.State, fetch.Unavailable)
			check(t, "allowed", allowed(r.Policy, "/private/x"), true)
			check(t, "cause", r.Cause, "more than 5 redirects")
		}},
		{"2.3.1.3", "unavailable means a status from 400 to 499", func(t *testing.T) {
			for code := 400; code < 500; code++ {
				if code == 429 {
					continue // asks robots to come later: SPEC, section 6
				}
				s := serve(t, status(code))
				check(t, fmt.Sprint(code), policy(t, local(t), s.URL).State, fetch.Unavailable)
			}
		}},
		{"2.3.1.3", "then the robot may fetch anything", func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(404)
				fmt.Fprint(w, "User-agent: *\nDisallow: /\n") // is not read
			})
			check(t, "allowed", allowed(policy(t, local(t), s.URL).Policy, "/private/x"), true)
		}},
		{"2.3.1.4", "if the file is unreachable, everything is disallowed", func(t *testing.T) {
			s := serve(t, status(503))
			s.Close() // so that connections are refused
			r := policy(t, local(t), s.URL)
			check(t, "state", r.State, fetch.Unreachable)
			check(t, "allowed", allowed(r.Policy, "/"), false)
			check(t, "robots.txt itself", allowed(r.Policy, "/robots.txt"), true)
		}},
		{"2.3.1.4", "server errors are statuses from 500 to 599", func(t *testing.T) {
			for code := 500; code < 600; code++ {
				s := serve(t, status(code))
				r := policy(t, local(t), s.URL)
				check(t, fmt.Sprint(code), r.State, fetch.Unreachable)
				check(t, "allowed", allowed(r.Policy, "/"), false)
			}
		}},
		{"2.3.1.4", "after about 30 days, the file may be taken as unavailable", bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", status(500))
			check(t, "at first", policy(t, c, "http://a.example").State, fetch.Unreachable)
			step(30*24*time.Hour - time.Minute)
			check(t, "just before", policy(t, c, "http://a.example").State, fetch.Unreachable)
			step(time.Minute)
			r := policy(t, c, "http://a.example")
			check(t, "after", r.State, fetch.Unavailable)
			check(t, "allowed", allowed(r.Policy, "/private/x"), true)
		})},
		{"2.3.1.4", "or a copy goes on to be used: here, for the 30 days", bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", text(closed))
			policy(t, c, "http://a.example")
			n.set("a.example", status(500))
			step(25 * time.Hour)
			r := policy(t, c, "http://a.example")
			check(t, "source", r.Source, fetch.Stale)
			check(t, "state", r.State, fetch.Unreachable)
			for _, allow := range []string{"/", "/robots.txt"} {
				check(t, allow, allowed(r.Policy, allow), true)
			}
			check(t, "private", allowed(r.Policy, "/private/x"), false)
			step(30*24*time.Hour - time.Minute)
			check(t, "just before", policy(t, c, "http://a.example").Source, fetch.Stale)
			step(time.Minute)
			r = policy(t, c, "http://a.example")
			check(t, "after", r.State, fetch.Unavailable)
			check(t, "private after", allowed(r.Policy, "/private/x"), true)
		})},
		{"2.3.1.5", "each line is tried, and the rules that can be parsed are used", func(t *testing.T) {
			s := serve(t, text("<html>\x00\xff\nDisallow /missing\n\nuser-AGENT : *\nnonsense\nDisallow: /private/"))
			check(t, "allowed", allowed(policy(t, local(t), s.URL).Policy, "/private/x"), false)
		}},
		{"2.4", "the file may be cached", bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", text(closed))
			check(t, "first", policy(t, c, "http://a.example/1").Source, fetch.Fetched)
			step(time.Hour)
			r := policy(t, c, "http://a.example/2")
			check(t, "second", r.Source, fetch.Cached)
			check(t, "age", r.Age, time.Hour)
			check(t, "requests", n.count("a.example"), 1)
		})},
		{"2.4", "the cache control of HTTP may be used", bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", text(closed, "Cache-Control", "max-age=3600"))
			policy(t, c, "http://a.example")
			step(time.Hour - time.Second)
			check(t, "fresh", policy(t, c, "http://a.example").Source, fetch.Cached)
			step(time.Second)
			check(t, "stale", policy(t, c, "http://a.example").Source, fetch.Fetched)
		})},
		{"2.4", "the cached file is not used for more than 24 hours", bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", text(closed, "Cache-Control", "max-age=31536000, immutable"))
			policy(t, c, "http://a.example")
			step(24*time.Hour - time.Second)
			check(t, "fresh", policy(t, c, "http://a.example").Source, fetch.Cached)
			step(time.Second)
			check(t, "stale", policy(t, c, "http://a.example").Source, fetch.Fetched)
		})},
		{"2.4", "unless the file is unreachable", bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", text(closed))
			policy(t, c, "http://a.example")
			n.set("a.example", nil)
			step(72 * time.Hour)
			r := policy(t, c, "http://a.example")
			check(t, "source", r.Source, fetch.Stale)
			check(t, "age", r.Age, 72*time.Hour)
			check(t, "allowed", allowed(r.Policy, "/private/x"), false)
		})},
		{"2.5", "there is a limit", func(t *testing.T) {
			s := serve(t, text(lines(100_000)))
			r := policy(t, local(t), s.URL)
			check(t, "cut", r.File.Cut, true)
			check(t, "size", r.File.Size <= 500<<10, true)
		}},
		{"2.5", "it is at least 500 KiB", func(t *testing.T) {
			last := "Allow: /private/x/y/z"
			body := lines(21_000)
			body += "#" + strings.Repeat("x", 500<<10-len(body)-len(last)-2) + "\n" + last
			check(t, "size", len(body), 500<<10)
			r := policy(t, local(t), serve(t, text(body)).URL)
			check(t, "cut", r.File.Cut, false)
			check(t, "size", r.File.Size, 500<<10)
			check(t, "by the last octets", allowed(r.Policy, "/private/x/y/z"), true)
		}},
	} {
		t.Run(row.section+" "+row.sentence, row.test)
	}
}

// bubble runs a test in which time passes only while all goroutines wait.
func bubble(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) { synctest.Test(t, test) }
}

// chain starts servers, each of which redirects to the next. The last has a robots.txt. chain
// returns the origin of the first.
func chain(t *testing.T, redirects int) string {
	next := serve(t, text(closed)).URL + "/robots.txt"
	for range redirects {
		next = serve(t, status(302, "Location", next)).URL + "/robots.txt"
	}
	return strings.TrimSuffix(next, "/robots.txt")
}
