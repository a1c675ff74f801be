package page_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// TestReservation reads tdm-reservation and tdm-policy of headers and META tags. A META tag
// takes the place of a header ("Processing priority" of the protocol).
func TestReservation(t *testing.T) {
	const conditions = "https://example.com/policy.json"
	for _, test := range []struct {
		name    string
		header  []string // of tdm-reservation
		policy  string   // of the tdm-policy header
		html    string
		ai      bool
		want    string // the TDM policy
		because string // what decides about training
	}{
		{"nothing", nil, "", "", true, "", ""},
		{"header", []string{"1"}, "", "", false, "", "TDM header 1: tdm-reservation:1"},
		{"header with a policy", []string{" 1 "}, conditions, "", false, conditions, "TDM header 1: tdm-reservation:1"},
		{"header that reserves nothing", []string{"0"}, conditions, "", true, "", "TDM header 1: tdm-reservation:0"},
		{"headers that differ", []string{"0", "1"}, "", "", false, "", "TDM header 2: tdm-reservation:1"},
		{"header of another form", []string{"1, 1"}, conditions, "", true, "", ""},
		{"a policy alone", nil, conditions, "", true, "", ""},
		{"a policy that is not an absolute URL", []string{"1"}, "/policy.json", "", false, "",
			"TDM header 1: tdm-reservation:1"},

		{"page", nil, "", "\n<meta name=tdm-reservation content=1>", false, "", "line 2: tdm-reservation:1"},
		{"page instead of header", []string{"1"}, conditions, "<meta name=tdm-reservation content=0>", true, "",
			"line 1: tdm-reservation:0"},
		{"page against header", []string{"0"}, conditions, "<meta name=tdm-reservation content=1>", false, conditions,
			"line 1: tdm-reservation:1"},
		{"a page that says nothing valid", []string{"1"}, "", "<meta name=tdm-reservation content=no>", false, "",
			"TDM header 1: tdm-reservation:1"},
		{"policy of the page", []string{"1"}, conditions, "<meta name=tdm-policy content='https://example.org/x'>",
			false, "https://example.org/x", "TDM header 1: tdm-reservation:1"},
		{"in Latin-1", nil, "",
			"<meta charset=latin1><title>\xe9</title><meta name=tdm-reservation content=1><meta name=tdm-policy content='" + conditions + "'>", false, conditions, "line 1: tdm-reservation:1"},
		{"in a template", nil, "", "<template><meta name=tdm-reservation content=1></template>", true, "", ""},
		{"beside noai", []string{"0"}, "", "<meta name=robots content=noai>", false, "", "line 1: noai"},
	} {
		header := http.Header{}
		for _, value := range test.header {
			header.Add("tdm-reservation", value)
		}
		if test.policy != "" {
			header.Set("tdm-policy", test.policy)
		}
		doc, err := page.Read(strings.NewReader(test.html), page.Options{Header: header})
		fatal.If(t, err)
		d := doc.For("ExampleBot")
		var because []string
		for _, by := range d.Why("noai") {
			because = append(because, by.Source.String()+": "+by.String())
		}
		if got := strings.Join(because, "; "); d.AI != test.ai || doc.TDMPolicy != test.want || got != test.because ||
			!d.Index {
			t.Errorf("%s: training %v, policy %q, because %q; want %v, %q, %q", test.name, d.AI, doc.TDMPolicy, got,
				test.ai, test.want, test.because)
		}
	}
	// A picture has headers only.
	doc, _ := page.Read(nil, page.Options{Header: http.Header{"Tdm-Reservation": {"1"}, "Tdm-Policy": {conditions}}})
	if d := doc.For(); d.AI || !d.ImageAI || doc.TDMPolicy != conditions {
		t.Errorf("a picture: %v, policy %q", d, doc.TDMPolicy)
	}
}

// TestReservationBehindMuch finds the tag behind a MiB of other META tags.
func TestReservationBehindMuch(t *testing.T) {
	much := strings.Repeat("<meta name=x content='"+strings.Repeat("y", 1000)+"'>", 1200)
	doc, _ := page.Read(strings.NewReader(much+"<meta name=tdm-reservation content=1>"), page.Options{})
	if doc.For().AI || doc.Cut != page.CutTags {
		t.Errorf("training %v, cut %v", doc.For().AI, doc.Cut)
	}
}

// TestNoteOfRobot tells of unknown words before a colon that may be names of robots, where
// known directives follow, which count for all then.
func TestNoteOfRobot(t *testing.T) {
	for value, want := range map[string]string{
		"otherbot: futuredirective, noindex":        "otherbot",
		"otherbot: tdm-reservation: 1, noindex":     "otherbot tdm-reservation",
		"otherbot: disallow-x nofollow":             "otherbot",
		"otherbot: future: past, a: b, noindex":     "otherbot future a",
		"otherbot: noindex":                         "",
		"otherbot: futuredirective":                 "",
		"futuredirective, noindex":                  "",
		"noindex, otherbot: futuredirective":        "",
		"otherbot: futuredirective, max-snippet: x": "",
	} {
		doc, _ := page.Read(nil, page.Options{Header: http.Header{"X-Robots-Tag": {value, "noarchive"}}})
		var got []string
		for _, d := range doc.Directives {
			if strings.Contains(d.Note("en"), "names a robot") {
				got = append(got, d.Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", value, got, want)
		}
	}
}
