package guard

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/slowguard"
	"github.com/robotsexclusion/robots/internal/url/reading"
)

var slowSeeds = []string{
	"/", "/private/x", "//private/x", "///private", "/a/../private/x", "/a/%2e%2E/private/x", "/private%2Fx",
	"/%2e%2e%2fprivate/x", "/a//../private/x",
	"/a%2f%2f..%2f..%2fprivate", "/.", "/..", "/./", "/../", "/a/.", "/a/..", "/.well-known/../private/x",
	"/robots.txt/..", "//robots.txt", "/x#/../private/x",
	"/x?/../private/x", "/x%3F/../private/x", "/%", "/%2", "/%zz/../private/", "/%00/../private/x", "/ä/../private/x",
	"/%c3%a4", "/...", "/.a", "/%70rivate/x", "/a%40b", "/%252e%252e/private/x",
	"/q%", "/q%25", "/%%34%30", "/%2%66private/x", "/x?%%34%30#y", "/a%%32e%2e/private*$", "/%2F%2Fprivate/x", "/a/%2e",
	"//", "/%2f", "//%3C%22$x", "/b/c/../../px/%2F", "/%%37%30x/%2f/..?%%34%30",
	"/very/long/path/after/which/../../../../../../private/x", "/a/%2e%2e//private//////////////////////////x",
	"/private%2F%2F%2F%2F%2F%2F%2F%2F%2F..//..", "/x%2fy/../private/x", "/x%2fy/../a%2f../private/x",
	"/x%2F/%2e%2E//a%2f%2f../private//x", "/a%2F/.",
	"/q%25/.", "/x/a/..", "/x%2F.", "//x/%2e", "/x/.?y", "/..%2f../b/../private/x",
	"/%%32ewell-known/x", "/%%372obots.txt", "/.well-known%2f..%2fprivate/x", "/x%2f/../../private/x",
	"/%4%%331b", "/a/%4%%331%2f../%4%%331b", "/%%32e", "/a/%%32e.", "/%%32e%2e/private/x",
}

const slowText = "User-agent: *\nDisallow: /private/\nDisallow: /a@b\nDisallow: /*..\nAllow: /private/x/$\n" +
	"Disallow: /q%25\nDisallow: /x$\nDisallow: /.well-known/\nDisallow: /%41b\n" +
	"User-agent: GPTBot\nDisallow: /\nAllow: /a\n"

// slowShort has no wildcards, so that it decides by the first bytes of paths.
const slowShort = "User-agent: *\nDisallow: /private/\nDisallow: /a@b\nDisallow: /<\"$x\n" +
	"Allow: /private/x/$\nDisallow: /q%25\nDisallow: /x$\nDisallow: /A*$\nDisallow: /%70x/%2f**\n" +
	"Disallow: /.well-known/\n"

// FuzzDecide compares Decide with its slow twin.
func FuzzDecide(f *testing.F) {
	for _, target := range slowSeeds {
		for _, header := range []string{"GPTBot/1.0", "FooBot/1.0",
			"Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "AdsBot-Google"} {
			f.Add(target, header, slowText)
			f.Add(target, header, slowShort)
		}
	}
	f.Fuzz(func(t *testing.T, target, header, text string) {
		if !strings.HasPrefix(target, "/") || len(text) > 1<<16 {
			t.Skip()
		}
		policy := robots.Parse([]byte(text))
		g := &Guard{Policy: Fixed(policy)}
		r := httptest.NewRequest("GET", "http://example.com/", nil)
		r.RequestURI = target
		r.Header["User-Agent"] = []string{header}
		want := slowguard.Refuses(policy, header, target)
		for range 2 { // the second decision is by the remembered header
			if d := g.Decide(r); (d.Action == Refuse) != want {
				t.Errorf("%q of %q: got %v for %v, form %q, want refused %v", target, header, d.Action, d.Reason,
					d.Target, want)
			} else if d.Reason == byRules {
				if m := slowguard.Group(policy, agent.Lookup(header)).Match("http://example.com" +
					d.Target); d.Match != m || !slices.Contains(slowguard.Forms(target), d.Target) {
					t.Errorf("%q of %q: got %v for the form %q, want %v", target, header, d.Match, d.Target, m)
				}
			}
		}
	})
}

// FuzzForms compares the forms of a target with those of the slow twin.
func FuzzForms(f *testing.F) {
	for _, target := range slowSeeds {
		f.Add(target)
	}
	f.Fuzz(func(t *testing.T, target string) {
		if !strings.HasPrefix(target, "/") {
			t.Skip()
		}
		got := []string{target}
		for _, way := range reading.All {
			got = append(got, servedForm(target, way))
			if path, _, found := strings.Cut(target, "#"); found {
				got = append(got, path, servedForm(path, way))
			}
		}
		want := slowguard.Forms(target)
		slices.Sort(got)
		slices.Sort(want)
		if got, want = slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", target, got, want)
		}
		if slices.Contains(got, "") {
			t.Errorf("%q has an empty form", target)
		}
		// All forms of a plain target are equal to robots.txt.
		if plain(target) {
			for _, form := range want {
				if a, b := robots.RFC9309.Path("http://h"+target), robots.RFC9309.Path("http://h"+form); a != b {
					t.Errorf("%q is plain, but its form %q is %q and not %q", target, form, b, a)
				}
			}
		}
	})
}

// FuzzNormal compares the normal forms of a path and of its decoded path with those of package
// robots.
func FuzzNormal(f *testing.F) {
	for _, target := range slowSeeds {
		f.Add(target, uint8(4))
		f.Add(target, uint8(9))
		f.Add(target, uint8(200))
	}
	f.Fuzz(func(t *testing.T, target string, limit uint8) {
		if !strings.HasPrefix(target, "/") || limit < 4 {
			t.Skip()
		}
		want := robots.RFC9309.Path("http://h" + target)
		begin, part, _ := appendNormal(nil, target, int(limit))
		if !strings.HasPrefix(want, string(begin)) || len(begin) < min(int(limit), len(want)) {
			t.Errorf("%q: got %q up to %d bytes, want %q", target, begin, limit, want)
		}
		if got := robots.RFC9309.Path("http://h" + target[:part]); part > 0 && got != string(begin) {
			t.Errorf("%q: got %q of %d bytes, which are %q", target, begin, part, got)
		}
		got, read, stable := appendNormal([]byte("before"), target, 3*len(target))
		if got = got[len("before"):]; string(got) != want || read < len(target) != strings.Contains(target, "#") {
			t.Errorf("%q: got %q of %d bytes, want %q", target, got, read, want)
		}
		if again := robots.RFC9309.Path("http://h" + want); stable && again != want {
			t.Errorf("%q: got %q, which is not stable: its normal form is %q", target, want, again)
		}
		path, _, _ := strings.Cut(target, "?")
		for _, way := range reading.All {
			want := robots.RFC9309.Path("http://h" + servedForm(path, way))
			whole, raw := writtenForm(path, way, 3*len(path))
			if got := robots.RFC9309.Path("http://h" + whole); got != want || !raw && got != whole {
				t.Errorf("%q: got %q with the normal form %q, want %q", path, whole, got, want)
			}
			if begin, _ := writtenForm(path, way, int(limit)); !strings.HasPrefix(whole, begin) ||
				len(begin) < min(int(limit), len(whole)) {
				t.Errorf("%q: got %q up to %d bytes, want %q", path, begin, limit, whole)
			}
		}
	})
}

// writtenForm returns a form of a path up to a limit, as forms writes it.
func writtenForm(path string, way reading.Reading, limit int) (text string, raw bool) {
	f := forms{}.read(path, limit)
	return string(f.write(nil, way, "", limit)), slices.ContainsFunc(f.segments, func(s segment) bool { return s.raw })
}
