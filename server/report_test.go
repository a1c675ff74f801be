package server

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const reportedText = "User-agent: GPTBot\nDisallow: /\nUser-agent: *\nDisalow: /<x>\nDisallow: /private/\n"

// TestReport asks for the card of a site and of a text: it is that of package card.
func TestReport(t *testing.T) {
	s := newServer(oneText(reportedText))
	w := get(s, "/v1/report?url=https://a.example/page")
	var of card.Card
	fatal.If(t, json.Unmarshal(w.Body.Bytes(), &of))
	if w.Code != http.StatusOK || of.Subject != "https://a.example" || of.Answer == nil || of.Answer.Status != 200 ||
		of.Everyone.State != card.OpenExcept || of.Mistakes.Errors != 1 || len(of.Next) != 3 {
		t.Errorf("%d %+v", w.Code, of)
	}
	if strings.ContainsAny(w.Body.String(), "<>") {
		t.Errorf("the answer has the marks of HTML: %s", w.Body)
	}
	tag := w.Header().Get("Etag")
	conditional := func(target string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodGet, target, nil), httptest.NewRecorder()
		r.Header.Set("If-None-Match", tag)
		s.ServeHTTP(w, r)
		return w
	}
	again := conditional("/v1/report?url=https://a.example/")
	if tag == "" || again.Code != http.StatusNotModified {
		t.Errorf("the tag %s gives %d", tag, again.Code)
	}
	spanish := conditional("/v1/report?language=es&url=https://a.example/")
	if spanish.Code != http.StatusOK || !strings.Contains(spanish.Body.String(), "entrena IA") {
		t.Errorf("in Spanish: %d %s", spanish.Code, spanish.Body)
	}

	text := reportedText
	got := asked(t, s, "/v1/report", card.ReportQuestion{Robots: &text, Language: "ru"}, &of)
	sameJSON(t, "report", got, card.Make(robots.ParseString(reportedText),
		card.Options{Subject: "robots.txt", Language: language.Russian}))
	wantProblem(t, "language", get(s, "/v1/report?language=xx&url=https://a.example/"), badParameter)
	wantProblem(t, "language", post(s, "/v1/report", strings.NewReader(`{"robots":"","language":"xx"}`)), badBody)
	wantProblem(t, "no URL", get(s, "/v1/report"), badParameter)
	wantProblem(t, "no text", post(s, "/v1/report", strings.NewReader(`{}`)), badBody)
}

// TestReportRefuses asks about a private address, as each address of a question is filtered.
func TestReportRefuses(t *testing.T) {
	s := New(Config{Client: &fetch.Client{}})
	wantProblem(t, "private", get(s, "/v1/report?url=http://127.0.0.1:1/"), refusedAddress)
}

// TestReportOfNothing has the cards of sites whose server does not send a text.
func TestReportOfNothing(t *testing.T) {
	for status, want := range map[int]string{404: card.Open, 503: card.Closed} {
		answer := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
		site := httptest.NewServer(http.HandlerFunc(answer))
		defer site.Close()
		s := New(Config{Client: &fetch.Client{DialFilter: fetch.DialFilter{AllowPrivate: true}}})
		w := get(s, "/v1/report?url="+site.URL)
		var of card.Card
		fatal.If(t, json.Unmarshal(w.Body.Bytes(), &of))
		if w.Code != http.StatusOK || of.Everyone.State != want || of.Answer.Status != status {
			t.Errorf("%d: %d %+v", status, w.Code, of)
		}
	}
}

// TestBadge asks for the picture of a site and of a text. A stranger's name does not become markup,
// and pages of other sites need the permission of the operator.
func TestBadge(t *testing.T) {
	s := newServer(oneText(reportedText))
	w := get(s, "/v1/badge?url=https://a.example/page")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml" ||
		!strings.Contains(w.Body.String(), "https://a.example: search engines: open, AI training: partly open") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	r, again := httptest.NewRequest(http.MethodGet, "/v1/badge?url=https://a.example/", nil), httptest.NewRecorder()
	r.Header.Set("If-None-Match", w.Header().Get("Etag"))
	if s.ServeHTTP(again, r); again.Code != http.StatusNotModified {
		t.Errorf("the same picture again gives %d", again.Code)
	}
	for _, name := range []string{`https://a.example/"><script>x</script>`, "https://a.example/%22%3E%3Cscript%3E"} {
		hostile := get(s, "/v1/badge?url="+url.QueryEscape(name))
		if strings.Contains(hostile.Body.String(), "script") {
			t.Errorf("%s gives %s", name, hostile.Body)
		}
	}
	for _, name := range []string{`https://a"onload="x.example/`, "https://<b>.example/", "javascript:x",
		"https://a\n.example"} {
		wantProblem(t, name, get(s, "/v1/badge?url="+url.QueryEscape(name)), badURL)
	}
	wantProblem(t, "language", get(s, "/v1/badge?language=xx&url=https://a.example/"), badParameter)

	w = post(s, "/v1/badge", strings.NewReader(`{"robots":"User-agent: *\nDisallow: /\n","language":"es"}`))
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml" ||
		!strings.Contains(w.Body.String(), `lang="es"`) || strings.Contains(w.Body.String(), "closed") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
	wantProblem(t, "no text", post(s, "/v1/badge", strings.NewReader(`{}`)), badBody)

	foreign := httptest.NewRequest(http.MethodGet, "/v1/badge?url=https://a.example/", nil)
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	refused := httptest.NewRecorder()
	s.ServeHTTP(refused, foreign)
	wantProblem(t, "a page of another site", refused, foreignPage)
	open := New(Config{Client: &fetch.Client{Transport: oneText(reportedText)}, Origins: []string{"*"}})
	shown := httptest.NewRecorder()
	if open.ServeHTTP(shown, foreign); shown.Code != http.StatusOK {
		t.Errorf("with --cors '*' the picture has status %d", shown.Code)
	}
}
