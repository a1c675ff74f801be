package guard

import (
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// slowForms returns all forms of a target, with the target itself, written from the documentation: segments are lists.
func slowForms(target string) (forms []string) {
	path, query, found := strings.Cut(target, "?")
	if found {
		query = "?" + query
	}
	forms = []string{target}
	path = strings.ReplaceAll(path, "#", "%23")
	for _, slashes := range []bool{false, true} {
		var segments []string
		for segment := range strings.SplitSeq(path[1:], "/") {
			parts := []string{segment}
			if slashes {
				parts = strings.Split(strings.ReplaceAll(segment, "%2f", "%2F"), "%2F")
			}
			segments = append(segments, parts...)
		}
		for _, merge := range []bool{false, true} {
			forms = append(forms, slowResolve(segments, merge)+query)
		}
	}
	return forms
}

// slowResolve returns the path of segments, without those of dots and, if merge is set, without empty ones before the last.
func slowResolve(segments []string, merge bool) string {
	out := []string{}
	for i, segment := range segments {
		last := i == len(segments)-1
		switch s := slowDecode(segment); {
		case s == "" && merge && !last:
		case s == "." && last, s == "" && last:
			out = append(out, "")
		case s == ".":
		case s == "..":
			out = out[:max(0, len(out)-1)]
			if last {
				out = append(out, "")
			}
		default:
			out = append(out, s)
		}
	}
	path := ""
	for _, s := range out {
		path += "/" + s
	}
	return path
}

// slowDecode decodes the escapes of a segment but "%2F", and escapes the bytes that have a meaning.
func slowDecode(segment string) string {
	out := ""
	for i := 0; i < len(segment); i++ {
		c := segment[i : i+1]
		if i+3 <= len(segment) {
			if s, err := url.PathUnescape(segment[i : i+3]); c == "%" && err == nil {
				if i += 2; s == "/" {
					out += segment[i-2 : i+1]
					continue
				}
				if c = s; s == "%" {
					c = "%25"
				}
			}
		}
		if len(c) == 1 && (c[0] <= ' ' || c[0] >= 0x7f || strings.Contains("?#\"<>\\^`{|}", c)) {
			c = "%" + strings.ToUpper(string("0123456789abcdef"[c[0]>>4])+string("0123456789abcdef"[c[0]&15]))
		}
		out += c
	}
	return out
}

// slowRefuses decides in the plainest way: it looks the robot up, and tries every form.
func slowRefuses(policy *robots.Policy, header, target string) bool {
	a := agent.Lookup(header)
	if a.Kind != agent.Robot {
		return false
	}
	group := policy.ForOnly(a.Tokens()...)
	if a.Everyone() {
		group = policy.For(a.Tokens()...)
	}
	for _, form := range slowForms(target) {
		path, _, _ := strings.Cut(form, "?")
		if path == "/robots.txt" || strings.HasPrefix(path, "/.well-known/") {
			continue
		}
		if !group.Allowed("http://example.com" + form) {
			return true
		}
	}
	return false
}

var slowSeeds = []string{
	"/", "/private/x", "//private/x", "///private", "/a/../private/x", "/a/%2e%2E/private/x", "/private%2Fx", "/%2e%2e%2fprivate/x", "/a//../private/x",
	"/a%2f%2f..%2f..%2fprivate", "/.", "/..", "/./", "/../", "/a/.", "/a/..", "/.well-known/../private/x", "/robots.txt/..", "//robots.txt", "/x#/../private/x",
	"/x?/../private/x", "/x%3F/../private/x", "/%", "/%2", "/%zz/../private/", "/%00/../private/x", "/ä/../private/x", "/%c3%a4", "/...", "/.a", "/%70rivate/x", "/a%40b", "/%252e%252e/private/x",
	"/q%", "/q%25", "/%%34%30", "/%2%66private/x", "/x?%%34%30#y", "/a%%32e%2e/private*$", "/%2F%2Fprivate/x", "/a/%2e", "//", "/%2f",
}

const slowText = "User-agent: *\nDisallow: /private/\nDisallow: /a@b\nDisallow: /*..\nAllow: /private/x/$\nDisallow: /q%25\nDisallow: /x$\nUser-agent: GPTBot\nDisallow: /\nAllow: /a\n"

// FuzzDecide compares Decide with its slow twin.
func FuzzDecide(f *testing.F) {
	for _, target := range slowSeeds {
		for _, header := range []string{"GPTBot/1.0", "FooBot/1.0", "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "AdsBot-Google"} {
			f.Add(target, header, slowText)
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
		want := slowRefuses(policy, header, target)
		for range 2 { // the second decision is by the remembered header
			if d := g.Decide(r); (d.Action == Refuse) != want {
				t.Errorf("%q of %q: got %v for %v, form %q, want refused %v", target, header, d.Action, d.Reason, d.Target, want)
			} else if d.Reason == ByRules {
				if m := agent.Group(policy, header).Match("http://example.com" + d.Target); d.Match != m || !slices.Contains(slowForms(target), d.Target) {
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
		for _, slashes := range []bool{false, true} {
			for _, merge := range []bool{false, true} {
				got = append(got, servedForm(target, slashes, merge))
			}
		}
		want := slowForms(target)
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

// FuzzNormal compares the normal forms of a path and of its decoded path with those of package robots.
func FuzzNormal(f *testing.F) {
	for _, target := range slowSeeds {
		f.Add(target)
	}
	f.Fuzz(func(t *testing.T, target string) {
		if !strings.HasPrefix(target, "/") {
			t.Skip()
		}
		want := robots.RFC9309.Path("http://h" + target)
		got, fragment, stable := appendNormal([]byte("before"), target)
		if got = got[len("before"):]; string(got) != want || fragment != strings.Contains(target, "#") {
			t.Errorf("%q: got %q, fragment %t, want %q", target, got, fragment, want)
		}
		if again := robots.RFC9309.Path("http://h" + want); stable && again != want {
			t.Errorf("%q: got %q, which is not stable: its normal form is %q", target, want, again)
		}
		path, _, _ := strings.Cut(target, "?")
		for _, slashes := range []bool{false, true} {
			written, _ := decodePath(nil, path, slashes, false)
			normal, has := decodePath(nil, path, slashes, true)
			want := robots.RFC9309.Path("http://h" + string(written))
			if got := robots.RFC9309.Path("http://h" + string(normal)); got != want || !has.unclear && got != string(normal) {
				t.Errorf("%q: got %q with the normal form %q, want %q", path, normal, got, want)
			}
		}
	})
}
