package robots_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestAllowedIsStrict asks Allowed for texts that are not URLs, of policies that allow everything.
func TestAllowedIsStrict(t *testing.T) {
	open := []*robots.Group{new(robots.Group), robots.AllowAll().For(), robots.ParseString("User-agent: *\nAllow: /").For("FooBot")}
	for _, g := range open {
		for _, bad := range []string{"", "private/x", "www.example.com/x", " /x", "?q", "//", "//a/x", "mailto:x@y.z", `C:\private\x`, "http://", "http://[::1", "ftp://h/x"} {
			if g.Allowed(bad) || robots.CheckURL(bad) == nil {
				t.Errorf("%q, which is not a URL, is allowed", bad)
			}
		}
		for _, good := range []string{"/", "/a", "/a//b", "/?q", "http://h", "https://h/x?y#z", "http://[::1]:80/"} {
			if !g.Allowed(good) {
				t.Errorf("%q is disallowed", good)
			}
		}
	}
	if url := "https://h/private"; robots.ParseString("User-agent: *\nDisallow: /private").For().Allowed(url) {
		t.Errorf("%s is allowed", url)
	}
	if n := testing.AllocsPerRun(10, func() { open[2].Allowed("https://example.com/a") }); n != 0 {
		t.Errorf("Allowed allocates %v times for a URL, want 0", n)
	}
}

func TestCheckURL(t *testing.T) {
	for _, good := range []string{
		"/", "/a", "/a//b", "/a?b#c", "/a b", "/a\nb", "/%", "/é", "/http://x", "/;",
		"http://h", "https://h", "HTTPS://H/", "http://h:8080", "http://h:", "http://h?q", "http://h#f", "http://user:pw@h/", "http://a@b@h/",
		"http://[::1]", "http://[2001:db8::1]:80/x", "http://[::ffff:1.2.3.4]/", "http://127.0.0.1/", "http://münchen.example/", "http://h/a;b", "http://h//x", "http://xn--a_b.c/",
	} {
		if err := robots.CheckURL(good); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for bad, want := range map[string]string{
		"":                    `the URL is empty: write a path such as /index.html, or a whole URL`,
		"private/x":           `"private/x" is neither a path nor a URL: write "/private/x" if it is a path, or "https://private/x" if it starts with a host`,
		"www.example.com/x":   `"www.example.com/x" is neither a path nor a URL: write "/www.example.com/x" if it is a path, or "https://www.example.com/x" if it starts with a host`,
		"localhost:8080/x":    `"localhost:8080/x" is neither a path nor a URL: write "/localhost:8080/x" if it is a path, or "https://localhost:8080/x" if it starts with a host`,
		" /x":                 `" /x" is neither a path nor a URL: write "/ /x" if it is a path, or "https:// /x" if it starts with a host`,
		"?q":                  `"?q" is neither a path nor a URL: write "/?q" if it is a path, or "https://?q" if it starts with a host`,
		"//":                  `"//" starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`,
		"//private/x":         `"//private/x" starts with two slashes: write "https:" before them if a host follows, or one slash if it is a path`,
		"mailto:x@y.z":        `"mailto:x@y.z" has the scheme mailto: robots.txt speaks of http and https URLs, and of their paths`,
		"ftp://h/x":           `"ftp://h/x" has the scheme ftp: robots.txt speaks of http and https URLs, and of their paths`,
		`C:\private\x`:        `"C:\private\x" has the scheme c: robots.txt speaks of http and https URLs, and of their paths`,
		"http:":               `"http:" names no host: write http://HOST/PATH`,
		"HTTP:/x":             `"HTTP:/x" names no host: write http://HOST/PATH`,
		"http:80":             `"http:80" names no host: write http://HOST/PATH`,
		"http://":             `"http://" names no host`,
		"http:///x":           `"http:///x" names no host`,
		"http://:80/":         `"http://:80/" names no host`,
		"http://u@/":          `"http://u@/" names no host`,
		"http://[::1":         `"http://[::1" has no valid host: an IPv6 address stands in brackets, as in http://[2001:db8::1]/`,
		"http://[]/":          `"http://[]/" has no valid host: an IPv6 address stands in brackets, as in http://[2001:db8::1]/`,
		"http://[::1]x/":      `"http://[::1]x/" has no valid host: only a port may follow the bracket`,
		"http://h:x/":         `"http://h:x/" has no valid port: "x"`,
		"http://::1/":         `"http://::1/" names no host`,
		`http://h\private\x`:  `"http://h\private\x" has no valid host: "\\" cannot stand in it`,
		"http://h;p":          `"http://h;p" has no valid host: ";" cannot stand in it`,
		"http://u;v@h/p":      `"http://u;v@h/p" has no valid host: ";" cannot stand in it`,
		"http://my host/x":    `"http://my host/x" has no valid host: " " cannot stand in it`,
		"http://h\x1b[31m/x":  `"http://h\x1b[31m/x" has no valid host: "\\x1b" cannot stand in it`,
		"javascript:alert(1)": `"javascript:alert(1)" has the scheme javascript: robots.txt speaks of http and https URLs, and of their paths`,
	} {
		err := robots.CheckURL(bad)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", bad, err, want)
		}
	}
	if err := robots.CheckURL(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 1000 {
		t.Error("the message for a long text is long")
	}
	if n := testing.AllocsPerRun(100, func() { robots.CheckURL("https://user@www.example.com:8080/x?y") }); n > 0 {
		t.Errorf("CheckURL allocates %v times", n)
	}
}

// TestNoURLs checks that Match gives the answer of Google's parser for texts that CheckURL refuses.
func TestNoURLs(t *testing.T) {
	for _, test := range []struct {
		dialect robots.Dialect
		rules   string
		url     string
		line    int // the line that disallows it, or 0
	}{
		{robots.Google, "Disallow: /$\n", "example.com", 2},
		{robots.Google, "Disallow: /$\n", "//example.com", 2},
		{robots.Google, "Disallow: /$\n", "", 2},
		{robots.Google, "Disallow: /?q\nDisallow: /;p\n", "?q", 2},
		{robots.Google, "Disallow: /?q\nDisallow: /;p\n", "https://example.com;p", 3},
		{robots.Google, "Disallow: /b\n", "a/b", 2},
		{robots.Google, "Disallow: /b\n", "//a/b", 2},
		{robots.Google, "Disallow: /b\n", "b", 0},
		{robots.Google, "Disallow: /a$\nDisallow: /b\n", "#/b", 0},
		{robots.Google, "Disallow: /?u=http://a/b\nDisallow: /http://a/b\nDisallow: /b\n", "?u=http://a/b", 2},
		{robots.RFC9309, "Disallow: /\n", "//robots.txt/robots.txt", 0},
		{robots.RFC9309, "Disallow: /\n", "ftp://ftp.example.com/robots.txt", 0},
		{robots.RFC9309, "Disallow: https://example.com/x\nDisallow: //example.com/y\n", "//example.com/y", 0},
		{robots.RFC9309, "Disallow: /$\n", "", 2},
		{robots.RFC9309, "Disallow: /?q\n", "?q=1", 2},
		{robots.RFC9309, "Disallow: /path\nDisallow: //host\n", "//host/path", 2},
		{robots.RFC9309, "Disallow: /path\nDisallow: //host\n", "//host", 0},
		{robots.RFC9309, "Disallow: /path\nDisallow: //host\n", "//path/x", 0},
		{robots.RFC9309, "Disallow: /\n", "//example.com/robots.txt", 0},
		{robots.RFC9309, "Disallow: /\n", "//robots.txt", 2},
	} {
		text := "User-agent: *\n" + test.rules
		check(t, test.dialect, text, "FooBot", test.url)
		m := test.dialect.Parse([]byte(text)).For("FooBot").Match(test.url)
		if m.Allowed != (test.line == 0) || m.Rule.Line != test.line {
			t.Errorf("%v: %q under %q: %v, want line %d", test.dialect, test.url, test.rules, m, test.line)
		}
		if robots.CheckURL(test.url) == nil {
			t.Errorf("CheckURL(%q) has no error", test.url)
		}
	}
}

// uriParts splits a URI (RFC 3986, appendix B).
var uriParts = regexp.MustCompile(`(?s)^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$`)

// FuzzCheckURL compares CheckURL with net/url, which recognizes URLs with a host, and the path for
// the comparison with rules with the path and query that the expression of RFC 3986 finds.
func FuzzCheckURL(f *testing.F) {
	for _, s := range []string{"", "/", "//", "/a?b", "private/x", "http://h/x;y?z#f", "https://u:p@[::1]:80?q", "http://h;x/y", "mailto:x@y", `C:\x`, "http:/x", "https://a-b.1?", "https://a-b.1#", "https:///", "http://?", "http://a_b/", "http://h:80:90/", "h:80/x", "http://%41/", "http://h?a/b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		err := robots.CheckURL(s)
		// A scheme in capital letters takes the slow path.
		if rest, ok := strings.CutPrefix(s, "http"); ok && (robots.CheckURL("HTTP"+rest) == nil) != (err == nil) {
			t.Fatalf("%q depends on the case of its scheme: %v", s, err)
		}
		u, parseErr := url.Parse(s)
		if parseErr != nil {
			return
		}
		isPath := u.Scheme == "" && u.Host == "" && strings.HasPrefix(s, "/") && !strings.HasPrefix(s, "//")
		isWeb := (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
		if err == nil && !isPath && !isWeb {
			t.Fatalf("%q is accepted, and net/url reads %#v", s, u)
		}
		if err != nil {
			return
		}
		parts := uriParts.FindStringSubmatch(s)
		want := parts[5] + parts[6]
		if want == "" || want[0] != '/' {
			want = "/" + want
		}
		if got := robots.RFC9309.Path(s); got != robots.RFC9309.Path("http://h"+want) {
			t.Errorf("%q: rules are compared with %q, and RFC 3986 reads %q", s, got, want)
		}
	})
}
