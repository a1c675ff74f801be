package testweb_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestDemo visits all pages of the demo, with the required pauses.
func TestDemo(t *testing.T) {
	t.Parallel()
	o := testweb.Demo()
	o.Scale = 0.02
	w := start(t, o)
	const minDelay = 5 * time.Millisecond
	(&naive{minDelay: minDelay, patience: 20}).crawl(t, w)
	wantNone(t, w.Check(testweb.CheckOptions{MinDelay: minDelay, MaxOpen: 1, Whole: true}))
	crowds, files, months, pages := 0, 0, 0, 0
	for r := range w.Requests() {
		switch {
		case strings.HasSuffix(r.URL, "/robots.txt"):
			files++
		case r.Status == http.StatusServiceUnavailable:
			crowds++
		case strings.Contains(r.URL, "/calendar/"):
			months++
		case r.Status == http.StatusOK:
			pages++
		default:
			t.Errorf("a dead link: %s", r)
		}
	}
	if files != 4 || crowds != 1 || months == 0 || pages < 55 || pages > 100 {
		t.Errorf("there were %d robots.txt, %d answers of 503, %d months and %d pages", files, crowds, months, pages)
	}
}

// TestDemoAnswers checks the answers of the demo for missing pages, another host and a validator.
func TestDemoAnswers(t *testing.T) {
	t.Parallel()
	w := start(t, testweb.Demo())
	h := newHand(t, w)
	garden, market := w.Origin(0), w.Origin(3)
	resp, err := h.client.Get(market + "/")
	fatal.If(t, err)
	resp.Body.Close()
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") != "3" {
		t.Errorf("a crowd: status %d, Retry-After %q", resp.StatusCode, resp.Header.Get("Retry-After"))
	}
	for _, url := range []string{
		garden + "/page/99.html", garden + "/page/-1.html", garden + "/page/01.html", garden + "/nothing", garden +
			"/calendar/2026/01",
		market + "/calendar/2026/13", market + "/calendar/x/1", market + "/calendar/2026",
	} {
		if got := h.get(url); got != http.StatusNotFound {
			t.Errorf("%s: status %d", url, got)
		}
	}
	if resp, err = h.client.Get(garden + "/page/3.html"); err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if text := string(body); !strings.Contains(text, "<a href=\"/page/4.html\">Compost</a>") ||
		!strings.Contains(text, "A garden through the year") {
		t.Errorf("a page is %s", text)
	}
	if got := h.get(garden+"/page/3.html", "If-None-Match: "+resp.Header.Get("ETag")); got != http.StatusNotModified {
		t.Errorf("the validator of the page gets status %d", got)
	}
	h.host = "else.test"
	if got := h.get(garden + "/"); got != http.StatusMisdirectedRequest {
		t.Errorf("another host gets status %d", got)
	}
	if _, err := w.Resolver().LookupNetIP(t.Context(), "ip", "else.test"); err == nil {
		t.Error("another name has an address")
	}
	for i, p := range w.Allowed() {
		if !p.Addr().IsLoopback() || !p.IsSingleIP() || i == 0 && p.Addr().String() != "127.0.0.1" {
			t.Errorf("%v is allowed", p)
		}
	}
}
