package auditreport_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"golang.org/x/net/html"
)

// TestView holds the texts of a view to those of the page: what a reader of one sees, a reader of
// the other sees too, and each text is printable.
func TestView(t *testing.T) {
	for _, l := range languages() {
		var b strings.Builder
		r := withHours(hostile)
		fatal.If(t, auditreport.WriteView(&b, r, l))
		var view map[string]any
		fatal.If(t, json.Unmarshal([]byte(b.String()), &view))
		page := textOfPage(t, pageOf(t, r, l))
		texts := 0
		var walk func(member string, value any)
		walk = func(member string, value any) {
			switch value := value.(type) {
			case map[string]any:
				for name, v := range value {
					walk(name, v)
				}
			case []any:
				for _, v := range value {
					walk(member, v)
				}
			case string:
				texts++
				if printable.Text(value) != value {
					t.Errorf("%v: %s is %q, which is not printable", l, member, value)
				}
				switch member {
				case "verdict", "robot", "head", "version", "place", "line", "notes", "header", "evidence", "opener":
					if !strings.Contains(page, strings.Join(strings.Fields(value), " ")) {
						t.Errorf("%v: the page lacks %s %q", l, member, value)
					}
				}
			}
		}
		walk("", view)
		if texts < 100 {
			t.Errorf("%v: the view has %d texts", l, texts)
		}
	}
}

// textOfPage returns the text of a page of HTML, with single blanks.
func textOfPage(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	fatal.If(t, err)
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// TestViewNothing tests the reasons by which a page says why nothing was judged.
func TestViewNothing(t *testing.T) {
	for _, test := range []struct {
		report audit.Report
		want   string
	}{
		{audit.Report{Requests: 1, Hosts: []audit.Host{{Judged: true}}}, ""},
		{audit.Report{}, ""},
		{audit.Report{Unreadable: 1}, "requests"},
		{audit.Report{Requests: 1, Unnamed: 1}, "user-agent"},
		{audit.Report{Requests: 1, Hosts: []audit.Host{{}}}, "versions"},
		{audit.Report{Requests: 2, Hosts: []audit.Host{{Name: "a"}, {Name: "b"}}}, "hosts"},
	} {
		var b strings.Builder
		fatal.If(t, auditreport.WriteView(&b, &test.report, 0))
		if !strings.Contains(b.String(), `"nothing":"`+test.want+`"`) {
			t.Errorf("%+v: the view has no reason %q: %s", test.report, test.want, b.String())
		}
	}
}

// TestHiddenAddressesAreJoined sums up addresses that look the same once they are cut.
func TestHiddenAddressesAreJoined(t *testing.T) {
	address := func(text string, verified bool, n int64) audit.Address {
		return audit.Address{Address: text, Verified: verified, Count: audit.Count{Certain: n, Grace: 1}}
	}
	r := &audit.Report{Robots: []audit.Robot{{Token: "x", Addresses: []audit.Address{address("192.0.2.1", true, 3),
		address("192.0.2.9", true, 2), address("198.51.100.1", true, 1), address("192.0.2.77", false, 1)}}}}
	auditreport.Anonymize(r, auditreport.NewHider("cut"))
	want := []audit.Address{address("192.0.2.0", true, 5), address("198.51.100.0", true, 1),
		address("192.0.2.0", false, 1)}
	want[0].Grace = 2
	if got := r.Robots[0].Addresses; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
