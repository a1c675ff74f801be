package monitor_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

const good = "User-agent: *\nDisallow: /admin/\nAllow: /admin/help\n\nUser-agent: GPTBot\nDisallow: /\n"

// An accident is what a site answers by mistake.
type accident struct {
	status       int
	header, body string
	err          error
	kind         monitor.Kind // of the incident
	noText       bool         // robots may take it for a site without a robots.txt
}

var untrusted = &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}

// accidents are those of a robots.txt, by a word.
var accidents = map[string]accident{
	"empty":         {200, "", "", nil, monitor.Empty, true},
	"blank lines":   {200, "", "\ufeff\r\n \t\r\n", nil, monitor.Empty, true},
	"misspelt":      {200, "", "Useragent: *\nDisalow: /admin/\n", nil, monitor.Unusable, false},
	"no group":      {200, "", "Disallow: /admin/\nDisallow: /x/\n", nil, monitor.Unusable, false},
	"an error page": {200, "", "Not Found\n", nil, monitor.Unusable, false},
	"JSON":          {200, "", `{"error":"not found"}`, nil, monitor.Unusable, false},
	"binary":        {200, "", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", nil, monitor.Unusable, false},
	"UTF-16":        {200, "", "\xff\xfe" + wide(good), nil, monitor.UTF16, false},
	"UTF-16 bare":   {200, "", wide(good), nil, monitor.UTF16, false},
	"UTF-32":        {200, "", "\x00\x00\xfe\xff\x00\x00\x00U\x00\x00\x00s", nil, monitor.Unusable, false},
	"too long":      {200, "", strings.Repeat("# comment\n", 60_000) + good, nil, monitor.Cut, false},
	"HTML":          {200, "Content-Type: text/html", "<!doctype html><html><p>App", nil, monitor.HTML, false},
	"challenge":     {403, "Cf-Mitigated: challenge", "<html>", nil, monitor.Challenge, false},
	"404":           {404, "", "none", nil, monitor.Status, true},
	"410":           {410, "", good, nil, monitor.Status, true},
	"500":           {500, "", good, nil, monitor.Unreachable, false},
	"429":           {429, "", "", nil, monitor.Unreachable, false},
	"no route":      {0, "", "", errors.New("no route to host"), monitor.Unreachable, false},
	"certificate":   {0, "", "", untrusted, monitor.Certificate, false},
	"redirect loop": {302, "Location: /robots.txt", "", nil, monitor.Status, true},
	"login page":    {200, "Content-Type: text/html", "<html><form>", nil, monitor.HTML, false},
}

// A story is a site to which accidents happen.
type story struct {
	t     *testing.T
	now   accident
	look  *monitor.Looker
	site  monitor.Watched
	steps []monitor.Update // since the last call of show
}

func newStory(t *testing.T) *story {
	s := &story{t: t}
	s.look = &monitor.Looker{Transport: answers(func(r *http.Request) (int, string, string, error) {
		return s.now.status, s.now.header, s.now.body, s.now.err
	})}
	return s
}

// show serves something for some looks, and returns what was reported.
func (s *story) show(a accident, looks int, pause time.Duration) []monitor.Update {
	s.now, s.steps = a, nil
	for range looks {
		o, err := s.look.Look(s.t.Context(), monitor.Site{URL: "https://a.example"})
		if err != nil {
			s.t.Fatal(err)
		}
		updates, _ := s.site.Step(o, week)
		s.steps = append(s.steps, updates...)
		time.Sleep(pause)
	}
	return s.steps
}

// open returns the incidents that stand.
func (s *story) open() (found []monitor.Finding) {
	for _, i := range s.site.Incidents {
		if i.Stands() {
			found = append(found, i.Finding)
		}
	}
	return found
}

// isCause checks that one incident stands, that of the last accident. While a site fails, those
// before it stand too.
func (s *story) isCause(name string, before, last accident) {
	s.t.Helper()
	var kinds []monitor.Kind
	for _, f := range s.open() {
		if strings.Contains(f.String(), `\x`) {
			s.t.Errorf("%s: raw bytes are shown: %s", name, f)
		}
		if fails := last.status == 0 || last.status >= 429; f.Kind == last.kind && f.Severity >= monitor.Warning ||
			!fails || f.Kind != before.kind {
			kinds = append(kinds, f.Kind)
		}
	}
	if len(kinds) != 1 || kinds[0] != last.kind {
		s.t.Errorf("%s: the incidents are %v", name, s.open())
	}
}

// isRepaired checks what was reported at a repair: no beginning, and nothing that somebody should
// look at but ends.
func (s *story) isRepaired(name string, updates []monitor.Update) {
	s.t.Helper()
	for _, u := range updates {
		if u.Step != monitor.Ended && (u.Step != monitor.Noted || u.Finding.Severity > monitor.Notice) {
			s.t.Errorf("%s: the repair is reported: %s %s", name, u.Finding.Severity, u.Sentence("en"))
		}
	}
	if found := s.open(); len(found) > 0 {
		s.t.Errorf("%s: after the repair there are the incidents %v", name, found)
	}
}

func begun(updates []monitor.Update) (n int) {
	for _, u := range updates {
		if u.Step == monitor.Begun {
			n++
		}
	}
	return n
}

// TestAccidents has each accident, and each one after each other one, at a site that was watched
// before, and at one that is not known yet. An accident is one incident from its start to its
// repair, however long it takes; the repair is none.
func TestAccidents(t *testing.T) {
	sound := accident{status: 200, body: good}
	names := slices.Sorted(maps.Keys(accidents))
	for i, first := range names {
		one := accidents[first]
		synctest.Test(t, func(t *testing.T) {
			s := newStory(t)
			s.show(sound, 1, time.Minute)
			if n := begun(s.show(one, 30, 8*time.Hour)); n != 1 {
				t.Errorf("%s: %d incidents begin", first, n)
			}
			if one.kind != monitor.Status { // which is normal after a week
				s.isCause(first, one, one)
			}
			s.isRepaired(first, s.show(sound, 3, time.Minute))
		})
		for j, second := range names {
			if (i+j)%3 != 0 && !corpus.All() {
				continue
			}
			two := accidents[second]
			name := first + ", then " + second
			synctest.Test(t, func(t *testing.T) {
				s := newStory(t)
				s.show(sound, 1, time.Minute)
				s.show(one, 2, time.Minute)
				s.isCause(name, one, one)
				if updates := s.show(two, 2, time.Minute); begun(updates) > 1 || monitor.IsTextFault(one.kind) &&
					monitor.IsTextFault(two.kind) && begun(updates) > 0 {
					t.Errorf("%s: %v", name, updates)
				}
				s.isCause(name, one, two)
				s.isRepaired(name, s.show(sound, 2, time.Minute))
			})
			synctest.Test(t, func(t *testing.T) {
				s := newStory(t)
				s.show(one, 2, time.Minute)
				if !one.noText {
					s.isCause("at first "+name, one, one)
				}
				s.show(two, 2, time.Minute)
				s.isRepaired("at first "+name, s.show(sound, 2, time.Minute))
			})
		}
	}
}
