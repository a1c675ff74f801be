package monitor_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

const week = 7 * 24 * time.Hour

// texts are what a site serves in the scripts of TestIncidents, by a word.
var texts = map[string]string{
	"live":    "User-agent: *\nDisallow: /admin/\n",
	"comment": "# new\nUser-agent: *\nDisallow: /admin/\n",
	"record":  "User-agent: *\nDisallow: /admin/\nCrawl-delay: 5\n",
	"staging": "User-agent: *\nDisallow: /\n",
	"shop":    "User-agent: *\nDisallow: /admin/\nDisallow: /shop/\n",
	"blog":    "User-agent: *\nDisallow: /admin/\nDisallow: /shop/\nDisallow: /blog/\n",
	"wrong":   "User-agent: *\nDisalow: /admin/\n",
	"doubt":   "User-agent: *\nDisallow: /admin/\nFoo: bar\n",
	"bare":    "# welcome\n",
	"train":   "User-agent: *\nDisallow: /admin/\n\nUser-agent: GPTBot\nDisallow: /\n",
	"404":     "404",
	"500":     "500",
}

// stepped makes a look and returns the updates in words.
func stepped(t *testing.T, s *monitor.Watched, word string, at time.Time) string {
	t.Helper()
	o := observation(texts[strings.TrimSuffix(word, "!")])
	o.Time = at
	if o.File.Status == 200 {
		o.File.SHA256 = texts[word]
	}
	updates, again := s.Step(o, week)
	if err := s.Check(); err != nil {
		t.Errorf("%s at %s: %v", word, at, err)
	}
	var words []string
	for _, u := range updates {
		words = append(words, string(u.Step)+" "+string(u.Finding.Kind))
	}
	if again {
		words = append(words, "again")
	}
	return strings.Join(words, ", ")
}

// TestIncidents tells the stories of sites: each line of a script is a time since the look before,
// what the site serves, and the updates.
func TestIncidents(t *testing.T) {
	for name, script := range map[string]string{
		"nothing happens": `
			0s live
			10m live
			10m comment
			24h live`,
		"a staging file is closed to all until it is mended, and is reported once": `
			0s live
			10m staging: begun closed-site
			10m staging
			48h staging
			10m live: ended closed-site
			10m live`,
		"a change that is wanted is normal after a week": `
			0s live
			10m shop: begun closed-search
			24h shop
			167h shop: accepted closed-search
			10m shop
			10m live: begun opened
			168h live: accepted opened`,
		"a change that grows is reported again, and its week begins again": `
			0s live
			10m shop: begun closed-search
			24h blog: changed closed-search
			150h blog
			20h blog: accepted closed-search`,
		"a record is noted and is normal at once": `
			0s live
			10m record: noted records
			10m record
			10m live: noted records`,
		"one failing look is not reported": `
			0s live
			10m 500: again
			1m live
			10m live`,
		"a failure is reported once for each stage": `
			0s live
			10m 500: again
			1m 500: begun unreachable
			10m 500
			10m live: ended unreachable`,
		"a failure hides what else is wrong, and does not end it": `
			0s live
			10m staging: begun closed-site
			10m 500: again
			1m 500: begun unreachable
			10m staging: ended unreachable
			10m live: ended closed-site`,
		"a lost robots.txt is confirmed": `
			0s live
			10m 404: again
			1m 404: begun status
			10m live: ended status`,
		"a line with an error is never normal": `
			0s live
			10m wrong: begun mistake, begun opened
			200h wrong
			200h wrong
			10m live: ended mistake, ended opened`,
		"an error that is removed, and not mended": `
			0s live
			10m wrong: begun mistake, begun opened
			200h bare: changed opened, ended mistake
			160h live: ended opened`,
		"a line with a warning is noted": `
			0s live
			10m doubt: noted mistake
			10m doubt
			10m live`,
		"rules that are lost and come back are a repair": `
			0s live
			10m bare: begun opened
			24h live: ended opened`,
		"a notice whose repair would be a warning is an incident": `
			0s live
			10m train: begun closed
			24h live: ended closed
			10m train: begun closed
			168h train: accepted closed`,
		"the first rules of a site are normal": `
			0s 404
			10m live: noted closed-search, noted status
			10m live`,
		"a site whose first rules close it": `
			0s 404
			10m staging: begun closed-site, begun status
			10m 404: ended closed-site, ended status`,
		"what comes and goes flaps": `
			0s live
			10m shop: begun closed-search
			10m live: ended closed-search
			10m shop: begun closed-search
			10m live: ended closed-search
			10m shop: begun closed-search
			10m live: ended closed-search
			10m shop: flapping closed-search
			10m live
			10m shop
			10m live
			5h live
			2h live: ended closed-search
			10m shop: flapping closed-search
			7h shop: changed closed-search`,
		"a site that fails at first has a baseline later": `
			0s 500: again
			1m 500: begun unreachable
			10m staging: noted closed-site, ended unreachable
			10m staging`,
	} {
		s := new(monitor.Watched)
		at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		for line := range strings.Lines(strings.TrimSpace(script)) {
			line, want, _ := strings.Cut(strings.TrimSpace(line), ": ")
			wait, word, _ := strings.Cut(line, " ")
			d, err := time.ParseDuration(wait)
			fatal.If(t, err)
			at = at.Add(d)
			if got := stepped(t, s, word, at); got != want {
				t.Errorf("%s: %s: got %q, want %q", name, line, got, want)
			}
		}
	}
}

// TestCertificateExpires checks that a certificate is one incident while it ends and when it has
// ended, also while nobody shows one.
func TestCertificateExpires(t *testing.T) {
	s, at := new(monitor.Watched), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	ends := monitor.Finding{Kind: monitor.Certificate, Severity: monitor.Critical, Since: at.Add(time.Hour)}
	var got []string
	for _, test := range []struct {
		text  string
		found []monitor.Finding
		shown bool
	}{
		{texts["live"], []monitor.Finding{ends}, true}, {texts["live"], []monitor.Finding{ends}, true},
		{"500", []monitor.Finding{{Kind: monitor.Unreachable, Severity: monitor.Warning}}, false},
		{"500", []monitor.Finding{{Kind: monitor.Unreachable, Severity: monitor.Warning}}, false},
		{"500", []monitor.Finding{{Kind: monitor.Certificate, Severity: monitor.Critical, After: "expired"}}, false},
		{texts["live"], nil, true},
	} {
		o := observation(test.text)
		o.Time, o.Findings = at, test.found
		if test.shown {
			o.File.CertificateEnds = ends.Since
		}
		updates, _ := s.Step(o, week)
		for _, u := range updates {
			got = append(got, string(u.Step)+" "+string(u.Finding.Kind))
		}
		at = at.Add(time.Hour)
	}
	const want = "begun certificate, begun unreachable, changed certificate, ended unreachable, ended certificate"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

// TestIncidentsBalance checks with random stories that beginnings and ends alternate, and that the
// state survives its JSON.
func TestIncidentsBalance(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 2026))
	words := []string{"live", "comment", "record", "staging", "shop", "blog", "404", "500"}
	for range 10 {
		s := new(monitor.Watched)
		reported := make(map[string]bool) // incidents that are open for the receivers
		at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		for range 60 {
			at = at.Add(time.Duration(1+r.IntN(600)) * time.Minute)
			for update := range strings.SplitSeq(stepped(t, s, words[r.IntN(len(words))], at), ", ") {
				step, kind, _ := strings.Cut(update, " ")
				was := reported[kind]
				switch monitor.Step(step) {
				case monitor.Begun:
					reported[kind] = true
				case monitor.Flapping:
					was, reported[kind] = false, true
				case monitor.Changed:
					was = !was
				case monitor.Ended, monitor.Accepted:
					was, reported[kind] = !was, false
				default:
					was = false
				}
				if was {
					t.Fatalf("%s after %v", update, reported)
				}
			}
			data, err := json.Marshal(s)
			fatal.If(t, err)
			again := new(monitor.Watched)
			fatal.If(t, json.Unmarshal(data, again))
			if s.Baseline != nil {
				again.Baseline.Policy = s.Baseline.Policy
			}
			if !reflect.DeepEqual(again, s) {
				t.Fatalf("the state is %+v, and %+v from its JSON", s, again)
			}
			s = again
		}
	}
}

// TestErrorsVary checks that an incident goes on while only the text of its error differs.
func TestErrorsVary(t *testing.T) {
	s := new(monitor.Watched)
	at := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	for i := range 5 {
		o := observation("500")
		o.Time = at.Add(time.Duration(i) * time.Minute)
		o.Findings[0].Before = "read tcp 192.0.2.1:" + strconv.Itoa(40000+i) + ": connection reset"
		o.Policy = robots.DisallowAll()
		updates, _ := s.Step(o, week)
		if want := map[int]int{1: 1}[i]; len(updates) != want {
			t.Errorf("look %d: %d updates, want %d: %+v", i, len(updates), want, updates)
		}
	}
}

// TestClockSetBack sets the clock back by a year while a site has a change that becomes normal
// after a week, and one that comes and goes.
func TestClockSetBack(t *testing.T) {
	wrong := time.Date(2027, 11, 2, 0, 0, 0, 0, time.UTC)
	s := new(monitor.Watched)
	for i, word := range []string{"live", "staging", "live", "staging", "live", "staging", "live", "staging"} {
		stepped(t, s, word, wrong.Add(time.Duration(i)*10*time.Minute))
	}
	right := wrong.AddDate(-1, 0, 0)
	var got []string
	for i := range 10 * 24 {
		if update := stepped(t, s, "staging", right.Add(time.Duration(i)*time.Hour)); update != "" {
			got = append(got, strconv.Itoa(i)+"h "+update)
		}
	}
	if got, want := strings.Join(got, ", "), "6h changed closed-site, 174h accepted closed-site"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPause(t *testing.T) {
	for left, want := range map[time.Duration]bool{-time.Second: false, 0: false, time.Second: true,
		48 * time.Hour: true, 48*time.Hour + 1: false, 365 * 24 * time.Hour: false} {
		if monitor.IsPause(left) != want {
			t.Errorf("%v: want %v", left, want)
		}
	}
}
