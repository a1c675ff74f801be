package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/server/api"
)

// A dayAnswer is a site that answers otherwise each day.
type dayAnswer struct {
	status int
	text   string
}

func (p *dayAnswer) RoundTrip(*http.Request) (*http.Response, error) {
	if p.status == 0 {
		return nil, io.ErrClosedPipe
	}
	w := httptest.NewRecorder()
	w.WriteHeader(p.status)
	io.WriteString(w, p.text)
	return w.Result(), nil
}

// serviceOf returns a service that saw a site on as many days as the site has answers, for use in a
// bubble.
func serviceOf(t *testing.T, answers []dayAnswer) *Server {
	t.Helper()
	now := new(dayAnswer)
	dir := fetch.Dir(t.TempDir())
	s := New(Config{Client: &fetch.Client{Transport: now, Cache: dir}, History: dir})
	for _, p := range answers {
		*now = p
		if w := get(s, "/v1/robots?origin=https://a.example"); w.Code != http.StatusOK {
			t.Fatalf("%+v: %d %s", p, w.Code, w.Body)
		}
		time.Sleep(25 * time.Hour)
	}
	return s
}

// historyOf asks for a history.
func historyOf(t *testing.T, s *Server, query string) (h api.History) {
	t.Helper()
	w := get(s, "/v1/history?origin=https://a.example"+query)
	if err := json.Unmarshal(w.Body.Bytes(), &h); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %q: %v", query, w.Code, w.Body, err)
	}
	return h
}

// The history has each state and text that the service saw, each text once, and is safe in a
// terminal and in HTML.
func TestHistory(t *testing.T) {
	const open, closed = "User-agent: *\nDisallow:\n", "User-agent: *\nDisallow: /\n"
	const hostile = "# <script>\u202e\x1b[2J\nDisallow: /"
	synctest.Test(t, func(t *testing.T) {
		s := serviceOf(t, []dayAnswer{{200, open}, {200, open}, {200, closed}, {200, open}, {200, hostile}, {500, ""},
			{0, ""}, {404, ""}, {200, "\xff\n"}})
		w := get(s, "/v1/history?origin=https://a.example/some/page")
		h := historyOf(t, s, "")
		var log []string
		for i, v := range h.Versions {
			text := "-"
			if v.SHA256 != "" {
				text = string(h.Texts[v.SHA256].TextBase64)
				if p := h.Texts[v.SHA256].Text; p != nil {
					text = *p
				}
			}
			log = append(log, fmt.Sprintf("%s %d %q", v.State, v.Status, text))
			if next := i + 1; next < len(h.Versions) != (v.Until != nil) || v.Until != nil &&
				!v.Until.Equal(h.Versions[next].From) || v.Size != len(text) && v.SHA256 != "" {
				t.Errorf("version %d is %+v", i, v)
			}
		}
		want := []string{
			fmt.Sprintf("ok 200 %q", open), fmt.Sprintf("ok 200 %q", closed), fmt.Sprintf("ok 200 %q", open),
			fmt.Sprintf("ok 200 %q", hostile),
			fmt.Sprintf("unreachable 500 %q", hostile), `unavailable 404 "-"`, `ok 200 "\xff\n"`,
		}
		if !slices.Equal(log, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(log, "\n"), strings.Join(want, "\n"))
		}
		if len(h.Texts) != 4 || h.Earlier != nil || h.Origin != "https://a.example" {
			t.Errorf("got %d texts, %v, %s", len(h.Texts), h.Earlier, h.Origin)
		}
		if strings.ContainsAny(w.Body.String(), "<>\x1b\u202e") {
			t.Errorf("the answer is unsafe: %q", w.Body)
		}

		// The ETag confirms the answer until there is another one.
		r, again := httptest.NewRequest(http.MethodGet, "/v1/history?origin=https://a.example", nil),
			httptest.NewRecorder()
		r.Header.Set("If-None-Match", w.Header().Get("ETag"))
		s.ServeHTTP(again, r)
		if again.Code != http.StatusNotModified || again.Body.Len() > 0 ||
			w.Header().Get("Cache-Control") != "max-age=0" {
			t.Errorf("got %d %q, %v", again.Code, again.Body, w.Header())
		}
		get(s, "/v1/robots?origin=https://a.example") // seen again
		again = httptest.NewRecorder()
		s.ServeHTTP(again, r)
		if again.Code != http.StatusOK {
			t.Errorf("another answer has status %d", again.Code)
		}
		if h := historyOf(t, s, "&before="+
			url.QueryEscape(h.Versions[0].From.Format(time.RFC3339Nano))); len(h.Versions) != 0 {
			t.Errorf("before all there is %+v", h)
		}
	})
}

// The pages of a long history, joined, are the history, whatever their size, and each is bounded.
func TestHistoryPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := make([]dayAnswer, 120)
		for i := range answers {
			answers[i] = dayAnswer{200, fmt.Sprintf("Disallow: /%d\n", i%7)}
			if i >= 108 {
				answers[i].text += strings.Repeat("#\n", 240<<10) + fmt.Sprint("#", i)
			}
		}
		s := serviceOf(t, answers)
		for _, limit := range []int{0, 7, 1000} {
			query := ""
			if limit > 0 {
				query = fmt.Sprint("&limit=", limit)
			}
			var all []api.Version
			pages := 0
			for before := ""; ; pages++ {
				h := historyOf(t, s, query+before)
				size := 0
				for _, text := range h.Texts {
					size += len(*text.Text)
				}
				most := limit
				if limit == 0 {
					most = fewVersions
				}
				if size > maxPastTexts || len(h.Versions) > most {
					t.Errorf("limit %d: a page has %d versions with %d bytes", limit, len(h.Versions), size)
				}
				all = append(h.Versions, all...)
				if h.Earlier == nil {
					break
				}
				before = "&before=" + url.QueryEscape(h.Earlier.Format(time.RFC3339Nano))
			}
			if len(all) != len(answers) || pages == 0 {
				t.Errorf("limit %d: %d pages have %d versions of %d", limit, pages+1, len(all), len(answers))
			}
			for i := 1; i < len(all); i++ {
				if !all[i-1].Until.Equal(all[i].From) {
					t.Fatalf("limit %d: version %d does not follow the one before: %+v, %+v", limit, i, all[i-1],
						all[i])
				}
			}
		}
	})
}

// A text that is gone or damaged is left out, and its version stays.
func TestHistoryWithoutText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := serviceOf(t, []dayAnswer{{200, "Disallow: /a\n"}, {200, "Disallow: /b\n"}, {200, "Disallow: /c\n"}})
		h := historyOf(t, s, "")
		for i, v := range h.Versions[:2] {
			files, err := filepath.Glob(filepath.Join(string(s.config.History), "texts", "*", v.SHA256+"*"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if i == 0 {
				err = os.Remove(files[0])
			} else {
				err = os.WriteFile(files[0], []byte("Disallow: /x\n"), 0o666)
			}
			fatal.If(t, err)
		}
		if h := historyOf(t, s, ""); len(h.Versions) != 3 || len(h.Texts) != 1 {
			t.Errorf("got %+v", h)
		}
	})
}

// Wrong questions, an origin that was never seen, and a service without a history.
func TestHistoryProblems(t *testing.T) {
	dir := fetch.Dir(t.TempDir())
	s := New(Config{Client: &fetch.Client{Transport: oneText("")}, History: dir})
	for target, want := range map[string]*kind{
		"/v1/history":         badParameter,
		"/v1/history?origin=": badParameter,
		"/v1/history?origin=https://a/&before=monday":               badParameter,
		"/v1/history?origin=https://a/&limit=0":                     badParameter,
		"/v1/history?origin=https://a/&limit=1001":                  badParameter,
		"/v1/history?origin=https://a/&limit=-1":                    badParameter,
		"/v1/history?origin=https://a/&limit=<script>":              badParameter,
		"/v1/history?origin=https://a/&texts=1":                     badParameter,
		"/v1/history?origin=../../etc":                              badURL,
		"/v1/history?origin=mailto:a@b":                             badURL,
		"/v1/history?origin=https://" + strings.Repeat("a", maxURL): badURL,
	} {
		wantProblem(t, target, get(s, target), want)
	}
	w := get(s, "/v1/history?origin=https://never.example")
	if w.Code != http.StatusOK || w.Body.String() != `{"origin":"https://never.example","versions":[],"texts":{}}`+
		"\n" {
		t.Errorf("an origin that was never seen: %d %s", w.Code, w.Body)
	}
	wantProblem(t, "no history", get(newServer(oneText("")), "/v1/history?origin=https://a.example"), noHistory)
}
