package fetch_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const site = "http://a.example"

// hold does not answer until the client closes the connection.
func hold(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// TestTimeouts has servers that are too slow, each in another way. The time is that of the bubble,
// so the expected times are exact.
func TestTimeouts(t *testing.T) {
	for _, test := range []struct {
		name  string
		serve http.HandlerFunc
		after time.Duration
		cause string
	}{
		{"no headers", hold, 20 * time.Second, "timeout: no answer within 20s"},
		{"slow headers", func(w http.ResponseWriter, r *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			defer conn.Close()
			for _, c := range []byte("HTTP/1.1 200 OK\r\n" + strings.Repeat("X: y\r\n", 100)) {
				if _, err := conn.Write([]byte{c}); err != nil {
					return
				}
				step(time.Second)
			}
		}, 20 * time.Second, "timeout: no answer within 20s"},
		{"no body", func(w http.ResponseWriter, r *http.Request) {
			w.(http.Flusher).Flush()
			hold(w, r)
		}, 10 * time.Second, "timeout: the body stopped coming within 10s"},
		{"a body that stops", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, closed)
			w.(http.Flusher).Flush()
			hold(w, r)
		}, 10 * time.Second, "timeout: the body stopped coming within 10s"},
		{"slow body", func(w http.ResponseWriter, r *http.Request) {
			for range 100 {
				if _, err := io.WriteString(w, "#"); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				step(9 * time.Second)
			}
		}, time.Minute, "timeout: no whole answer within 1m0s"},
		{"slow redirects", func(w http.ResponseWriter, r *http.Request) {
			step(15 * time.Second)
			http.Redirect(w, r, "/x", http.StatusFound)
		}, time.Minute, "timeout: no whole answer within 1m0s"},
	} {
		t.Run(test.name, bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", test.serve)
			start := time.Now()
			r := policy(t, c, site)
			check(t, "state", r.State, fetch.Unreachable)
			check(t, "cause", r.Cause, test.cause)
			check(t, "after", time.Since(start), test.after)
			if e, ok := errors.AsType[net.Error](r.Err); !ok || !e.Timeout() {
				t.Errorf("got %v, want a timeout", r.Err)
			}
		}))
	}
}

// A caller can set the limits.
func TestOwnTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		c.Timeout, c.HeaderTimeout, c.IdleTimeout = time.Hour, 2*time.Hour, 3*time.Hour
		n.set("a.example", hold)
		start := time.Now()
		check(t, "cause", policy(t, c, site).Cause, "timeout: no whole answer within 1h0m0s")
		check(t, "after", time.Since(start), time.Hour)
	})
}

// The client does not wait for a body that it does not need, or only briefly if the body is small
// according to its headers.
func TestUnneededBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(404)
			for {
				if _, err := io.WriteString(w, "#"); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				step(time.Second)
			}
		})
		start := time.Now()
		check(t, "state", policy(t, c, site).State, fetch.Unavailable)
		check(t, "after", time.Since(start), 0)

		n.set("b.example", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "100")
			w.WriteHeader(404)
			w.(http.Flusher).Flush()
			hold(w, r)
		})
		check(t, "state", policy(t, c, "http://b.example").State, fetch.Unavailable)
		check(t, "after", time.Since(start), time.Second)
	})
}

// TestFreshness asks for a policy again and again, and counts the requests to the server in a day,
// for different headers of its answer.
func TestFreshness(t *testing.T) {
	for _, test := range []struct {
		name  string
		serve http.HandlerFunc
		again time.Duration // until the next request
	}{
		{"nothing said", text(closed), 24 * time.Hour},
		{"max-age", text(closed, "Cache-Control", "public, max-age=600"), 10 * time.Minute},
		{"max-age of nothing", text(closed, "Cache-Control", "max-age=0"), time.Minute},
		{"no-cache", text(closed, "Cache-Control", "no-cache"), time.Minute},
		{"no-store", text(closed, "Cache-Control", "no-store"), time.Minute},
		{"age", text(closed, "Cache-Control", "max-age=600", "Age", "300"), 5 * time.Minute},
		{"not found", status(404), 24 * time.Hour},
		{"not found, max-age", status(404, "Cache-Control", "max-age=600"), 10 * time.Minute},
		{"redirect without a place", status(301), 24 * time.Hour},
		{"failure", status(500), time.Minute},
		{"failure, max-age", status(500, "Cache-Control", "max-age=600"), time.Minute},
		{"too many requests", status(429, "Retry-After", "1800"), 30 * time.Minute},
		{"overloaded", status(503, "Retry-After", "10"), time.Minute},
		{"overloaded for ever", status(503, "Retry-After", "99999999999999999999"), 24 * time.Hour},
	} {
		t.Run(test.name, bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", test.serve)
			r := policy(t, c, site)
			check(t, "fresh until", r.FreshUntil.Sub(r.CheckedAt), test.again)
			step(test.again - time.Millisecond)
			policy(t, c, site)
			check(t, "requests before", n.count("a.example"), 1)
			step(time.Millisecond)
			policy(t, c, site)
			check(t, "requests after", n.count("a.example"), 2)
		}))
	}
}

// Without a minimum time, an answer with no-store is not used again.
func TestMinFresh(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		c.MinFresh = -1
		n.set("a.example", text(closed, "Cache-Control", "no-store"))
		policy(t, c, site)
		policy(t, c, site)
		check(t, "requests", n.count("a.example"), 2)
	})
}

// TestBackOff asks for an unreachable origin every second for a day.
func TestBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		n.set("a.example", status(500))
		start := time.Now()
		var asked []time.Duration
		for before := 0; time.Since(start) < 24*time.Hour; step(time.Second) {
			r := policy(t, c, site)
			if now := n.count("a.example"); now > before {
				before = now
				asked = append(asked, time.Since(start))
				check(t, "failures", r.Failures, now)
				check(t, "since", r.UnreachableSince.Equal(start), true)
			}
		}
		for i := 1; i < len(asked); i++ {
			pause := min(time.Minute<<(i-1), 4*time.Hour)
			check(t, "pause", asked[i]-asked[i-1], pause)
		}
		check(t, "requests in a day", len(asked), 13)

		// After the server answers again, the usual times apply.
		n.set("a.example", text(closed, "Cache-Control", "max-age=60"))
		step(4 * time.Hour)
		r := policy(t, c, site)
		check(t, "state", r.State, fetch.OK)
		check(t, "failures", r.Failures, 0)
		check(t, "since", r.UnreachableSince.IsZero(), true)
		n.set("a.example", status(500))
		step(time.Minute)
		r = policy(t, c, site)
		check(t, "failures", r.Failures, 1)
		check(t, "pause", r.FreshUntil.Sub(r.CheckedAt), time.Minute)
	})
}

// TestFutureFailure has a failure that was stored while the clock was a year ahead. The origin
// fails from the next request on, and not from a year later on.
func TestFutureFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		c.Cache = new(fetch.Memory)
		n.set("a.example", status(500))
		policy(t, c, site)
		e, err := c.Cache.Get(t.Context(), site)
		fatal.If(t, err)
		ahead := *e
		for _, at := range []*time.Time{&ahead.CheckedAt, &ahead.FreshUntil, &ahead.UnreachableSince} {
			*at = at.AddDate(1, 0, 0)
		}
		fatal.If(t, c.Cache.Put(t.Context(), &ahead))
		start := time.Now()
		r := policy(t, c, site)
		check(t, "since", r.UnreachableSince.Equal(start), true)
		check(t, "failures", r.Failures, 2)
		step(30 * 24 * time.Hour)
		r = policy(t, c, site)
		check(t, "since", r.UnreachableSince.Equal(start), true)
		check(t, "state", r.State, fetch.Unavailable)
	})
}

// TestConfirmedFreshness confirms a text by a 304 without the fields for its freshness: the earlier
// fields stay in force, unless the 304 has others.
func TestConfirmedFreshness(t *testing.T) {
	for _, test := range []struct {
		name            string
		text, confirmed []string // headers
		again           time.Duration
	}{
		{"max-age of nothing", []string{"Cache-Control", "max-age=0"}, nil, time.Minute},
		{"no-cache", []string{"Cache-Control", "private, no-cache"}, nil, time.Minute},
		{"max-age", []string{"Cache-Control", "max-age=600"}, nil, 10 * time.Minute},
		{"another max-age", []string{"Cache-Control", "max-age=600"}, []string{"Cache-Control", "max-age=1200"},
			20 * time.Minute},
		{"no max-age any more", []string{"Cache-Control", "max-age=600"}, []string{"Cache-Control", "public"},
			24 * time.Hour},
		{"age", []string{"Cache-Control", "max-age=600"}, []string{"Age", "300"}, 5 * time.Minute},
		{"age of the text", []string{"Cache-Control", "max-age=600", "Age", "540"}, nil, 10 * time.Minute},
		{"no date", []string{"Expires", "0"}, nil, time.Minute},
		{"a date of the past", []string{"Expires", "Fri, 31 Dec 1999 23:59:59 GMT"}, nil, time.Minute},
		{"a date and max-age", []string{"Expires", "0"}, []string{"Cache-Control", "max-age=600"}, 10 * time.Minute},
		{"nothing said", nil, nil, 24 * time.Hour},
	} {
		t.Run(test.name, bubble(func(t *testing.T) {
			n, c := newNetwork(t)
			n.set("a.example", text(closed, append(test.text, "ETag", `"1"`)...))
			r := policy(t, c, site)
			// Twice, because a confirmed text is confirmed again.
			for range 2 {
				n.set("a.example", status(304, test.confirmed...))
				time.Sleep(time.Until(r.FreshUntil))
				r = policy(t, c, site)
				check(t, "source", r.Source, fetch.Revalidated)
				check(t, "fresh until", r.FreshUntil.Sub(r.CheckedAt), test.again)
			}
		}))
	}
}

// TestConditional checks the requests to a server with validators.
func TestConditional(t *testing.T) {
	const date = "Fri, 31 Dec 1999 23:59:59 GMT"
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		var ifNoneMatch, ifModifiedSince string
		answer := text(closed, "ETag", `"1"`, "Last-Modified", date, "Cache-Control", "max-age=60")
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			ifNoneMatch, ifModifiedSince = r.Header.Get("If-None-Match"), r.Header.Get("If-Modified-Since")
			answer(w, r)
		})
		first := policy(t, c, site)
		check(t, "at first", ifNoneMatch+ifModifiedSince, "")

		step(time.Hour)
		answer = status(304, "ETag", `W/"1"`, "Cache-Control", "max-age=120")
		r := policy(t, c, site)
		check(t, "If-None-Match", ifNoneMatch, `"1"`)
		check(t, "If-Modified-Since", ifModifiedSince, date)
		check(t, "source", r.Source, fetch.Revalidated)
		check(t, "status", r.Status, 304)
		check(t, "fresh", r.FreshUntil.Sub(r.CheckedAt), 2*time.Minute)
		check(t, "age", r.Age, 0)
		check(t, "fetched", r.File.FetchedAt.Equal(first.File.FetchedAt), true)
		check(t, "one policy", r.Policy, first.Policy)
		check(t, "new validator", r.File.ETag, `W/"1"`)

		// The same text again shares its policy too.
		step(time.Hour)
		answer = text(closed, "ETag", `"2"`, "Cache-Control", "max-age=60")
		r = policy(t, c, site)
		check(t, "source", r.Source, fetch.Fetched)
		check(t, "one policy", r.Policy, first.Policy)

		// After an outage, the copy can still be confirmed.
		answer = status(500)
		step(time.Hour)
		check(t, "source", policy(t, c, site).Source, fetch.Stale)
		answer = status(304)
		step(40 * 24 * time.Hour)
		r = policy(t, c, site)
		check(t, "If-None-Match", ifNoneMatch, `"2"`)
		check(t, "source", r.Source, fetch.Revalidated)
		check(t, "allowed", allowed(r.Policy, "/private/x"), false)

		// After a 404, no validator is sent.
		answer = status(404)
		step(24 * time.Hour)
		r = policy(t, c, site)
		check(t, "state", r.State, fetch.Unavailable)
		check(t, "no file", r.File, nil)
		answer = status(500)
		step(24 * time.Hour)
		r = policy(t, c, site)
		check(t, "If-None-Match", ifNoneMatch, "")
		check(t, "source", r.Source, fetch.Fetched)
		check(t, "allowed", allowed(r.Policy, "/"), false)
	})
}

// If a server confirms another text than the one in the request, the client requests the whole
// text.
func TestConfirmsAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		n.set("a.example", text(closed, "ETag", `"1"`))
		policy(t, c, site)
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != "" {
				status(304, "ETag", `"2"`)(w, r)
			} else {
				text("User-agent: *\nDisallow: /other/", "ETag", `"2"`)(w, r)
			}
		})
		step(25 * time.Hour)
		r := policy(t, c, site)
		check(t, "source", r.Source, fetch.Fetched)
		check(t, "allowed", allowed(r.Policy, "/other/"), false)
		check(t, "redirects", len(r.Redirects), 0)
	})
}

// Validators are sent only to the URL that they come from, and not for a text that was cut.
func TestValidatorsStay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		n.set("a.example", func(w http.ResponseWriter, r *http.Request) {
			check(t, "at the redirect", r.Header.Get("If-None-Match"), "")
			http.Redirect(w, r, "http://b.example/robots.txt", http.StatusFound)
		})
		got := ""
		n.set("b.example", func(w http.ResponseWriter, r *http.Request) {
			got = r.Header.Get("If-None-Match")
			text(closed, "ETag", `"1"`)(w, r)
		})
		policy(t, c, site)
		step(25 * time.Hour)
		policy(t, c, site)
		check(t, "at the end", got, `"1"`)

		n.set("a.example", status(302, "Location", "http://c.example/robots.txt"))
		n.set("c.example", func(w http.ResponseWriter, r *http.Request) {
			got = r.Header.Get("If-None-Match")
			text(lines(50_000), "ETag", `"1"`)(w, r)
		})
		step(25 * time.Hour)
		policy(t, c, site)
		check(t, "elsewhere", got, "")
		step(25 * time.Hour)
		check(t, "cut", policy(t, c, site).File.Cut, true)
		check(t, "after it was cut", got, "")
	})
}

// An invalid validator is not sent back.
func TestBadValidators(t *testing.T) {
	for _, tag := range []string{"1", `"`, `"1`, `W/`, `w/"1"`, `"1" "2"`, `"` + "\xff" + `"`, `"` +
		strings.Repeat("x", 2000) + `"`} {
		r := policy(t, local(t), serve(t, text(closed, "ETag", tag, "Last-Modified", "yesterday")).URL)
		check(t, tag, r.File.ETag, "")
		check(t, tag, r.File.LastModified, "")
	}
}

func TestObeyForbidden(t *testing.T) {
	for _, code := range []int{401, 403, 404} {
		synctest.Test(t, func(t *testing.T) {
			n, c := newNetwork(t)
			c.ObeyForbidden = true
			n.set("a.example", status(code))
			for range 2 {
				r := policy(t, c, site)
				check(t, "allowed", allowed(r.Policy, "/x"), code == 404)
				check(t, "forbidden", r.State == fetch.Forbidden, code != 404)
				step(time.Hour)
			}
			c.ObeyForbidden = false // the cache does not depend on it
			check(t, "allowed", allowed(policy(t, c, site).Policy, "/x"), true)
			check(t, "requests", n.count("a.example"), 1)
		})
	}
}

// An entry from a time when the clock was wrong does not stay fresh.
func TestClockSteps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, c := newNetwork(t)
		c.Cache = new(fetch.Memory)
		n.set("a.example", text(closed))
		for _, wrong := range []time.Duration{time.Hour, -25 * time.Hour} {
			e := entry(site, "User-agent: *\nDisallow: /", time.Now().Add(wrong))
			e.FreshUntil = time.Now().AddDate(1000, 0, 0)
			fatal.If(t, c.Cache.Put(t.Context(), e))
			check(t, "source", policy(t, c, site).Source, fetch.Fetched)
		}
	})
}
