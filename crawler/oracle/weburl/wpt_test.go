package weburl_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A wptCase is one case of url/resources/urltestdata.json of web-platform-tests.
type wptCase struct {
	Input, Base, Href, Origin, Protocol, Username, Password string
	Host, Hostname, Port, Pathname, Search, Hash            string
	Failure                                                 bool
}

// wptData returns a file of the URL tests of web-platform-tests. The library includes
// them, so they are in the module cache whenever this test compiles. They are under
// that project's licence, so this repository has no copy.
func wptData(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/nlnwa/whatwg-url").Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			t.Skipf("go list does not tell where the library is: %s", failed.Stderr)
		}
		t.Skipf("go list does not tell where the library is: %v", err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "testdata", name))
	if err != nil {
		t.Skip("the library is without its test data: ", err)
	}
	return data
}

// wptRefused has the inputs that are URLs in the standard, but not in this package.
var wptRefused = map[string]weburl.Refusal{
	// Port 0 cannot be dialled.
	"http://f:0/c":              weburl.BadPort,
	"http://f:00000000000000/c": weburl.BadPort,
	// DNS has no empty labels.
	"http://./":       weburl.BadHost,
	"http://../":      weburl.BadHost,
	"http://foo.09..": weburl.BadHost,
	// Hosts cannot have these characters, and package fetch finds no origin there.
	"http://!\"$&'()*+,-.;=_`{}~/": weburl.BadHost,
}

// TestWPT runs the tests of browsers on this package.
func TestWPT(t *testing.T) {
	var entries []json.RawMessage
	fatal.If(t, json.Unmarshal(wptData(t, "urltestdata.json"), &entries))
	seen := make(map[string]bool) // keys of wptRefused
	compared := 0
	for _, entry := range entries {
		var c wptCase
		if json.Unmarshal(entry, &c) != nil {
			continue // a comment
		}
		var base weburl.URL
		if c.Base != "" {
			base, _ = exact.Parse(c.Base)
		}
		if base.IsZero() && c.Base != "" && (strings.HasPrefix(c.Base, "http") ||
			!strings.HasPrefix(c.Protocol, "http")) {
			continue // in a document that is not visited because of its user information or its scheme
		}
		compared++
		got, u, why := exact.AppendResolved(nil, base, c.Input)
		if string(got) != u.String() {
			t.Errorf("%q at %q: appended %s, returned %s", c.Input, c.Base, got, u)
		}
		var want string
		wantWhy := weburl.None
		switch {
		case c.Failure:
			if why == weburl.None {
				t.Errorf("%q at %q: got %s, want a refusal", c.Input, c.Base, u)
			}
			continue
		case c.Protocol != "http:" && c.Protocol != "https:":
			wantWhy = weburl.OtherScheme
		case c.Username != "" || c.Password != "":
			wantWhy = weburl.UserInfo
		default:
			want, _, _ = strings.Cut(c.Href, "#")
		}
		if why, ok := wptRefused[c.Input]; ok {
			seen[c.Input] = true
			want, wantWhy = "", why
		}
		if why != wantWhy || u.String() != want {
			t.Errorf("%q at %q: got %q (%v), want %q (%v)", c.Input, c.Base, u, why, want, wantWhy)
			continue
		}
		if why != weburl.None {
			continue
		}
		for _, part := range []struct{ name, got, want string }{
			{"origin", u.Origin(), c.Origin},
			{"scheme", u.Scheme() + ":", c.Protocol},
			{"host", u.Host(), c.Hostname},
			{"port", u.Port(), c.Port},
			{"path", u.Pathname(), c.Pathname},
			{"query", u.Query(), strings.TrimPrefix(c.Search, "?")},
			{"path and query", strings.TrimSuffix(u.Path(), "?"), c.Pathname + c.Search},
		} {
			if part.got != part.want && !(part.name == "origin" && part.want == "") {
				t.Errorf("%q at %q: got %s %q, want %q", c.Input, c.Base, part.name, part.got, part.want)
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d cases were compared", compared)
	}
	for input := range wptRefused {
		if !seen[input] {
			t.Errorf("%q is listed as refused, but is no case, or its case is none of a URL", input)
		}
	}
	t.Logf("%d cases", compared)
}

// TestToASCII runs the tests of domain to ASCII, except those with an empty or too long
// label, which DNS does not allow.
func TestToASCII(t *testing.T) {
	var entries []json.RawMessage
	fatal.If(t, json.Unmarshal(wptData(t, "toascii.json"), &entries))
	compared := 0
	for _, entry := range entries {
		var c struct {
			Input  string
			Output *string
		}
		if json.Unmarshal(entry, &c) != nil {
			continue // a comment
		}
		compared++
		u, err := exact.Parse("https://" + c.Input + "/x")
		want := ""
		if c.Output != nil && canDial(*c.Output) {
			want = *c.Output
		}
		if u.Host() != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q (%v), want %q", c.Input, u.Host(), err, want)
		}
	}
	if compared < 30 {
		t.Errorf("only %d cases were compared", compared)
	}
}
