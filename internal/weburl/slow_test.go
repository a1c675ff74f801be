package weburl_test

import (
	"net/netip"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/robotsexclusion/robots/internal/weburl"
)

// library is the slow twin: it replaces everything that this package does itself. It has the same
// table of IDNA, that of golang.org/x/net/idna. The library is older than the standard's last change to the
// path percent-encode set, which added "^" (whatwg/url#846).
var library = whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')))

// twin returns the library's result for a link, and whether the link is visited under
// the additional rules of this package. The base is a URL or empty.
func twin(base, ref string) (href string, ok bool) {
	u, err := library.ParseRef(base, ref)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" {
		return "", false
	}
	if u.Username() != "" || u.Password() != "" || u.Port() == "0" || !canDial(u.Hostname()) {
		return "", false
	}
	if href = u.Href(true); len(href) > exact.MaxLength {
		return "", false
	}
	return href, true
}

// canDial reports whether a host in canonical form is an address or a valid DNS name.
// It is written for readability.
func canDial(host string) bool {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > 253 {
		return false
	}
	for _, label := range strings.Split(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

// disagree reports whether the package and the library are known to differ for a link
// with an address.
func disagree(ref string) bool {
	u, err := library.Parse(ref)
	if err != nil {
		u, err = library.ParseRef("http://a/", ref)
	}
	switch {
	case err != nil:
		// The library refuses an underscore in an international name; the standard accepts all of
		// ASCII but for the forbidden code points (UseSTD3ASCIIRules is false, section 3.3).
		return strings.Contains(ref, "_") && strings.ContainsFunc(ref, func(c rune) bool { return c > '~' || c == '%' })
	case u.IsIPv4() && strings.ContainsAny(ref, "+-\uff0b\uff0d%"):
		return true // the library reads numbers with signs; the standard requires digits (section 3.5)
	case u.IsIPv6() && (strings.Count(ref, "[") > 1 || strings.Count(ref, "]") > 1):
		return true // the library accepts any number of brackets; the standard requires two
	case u.IsIPv4() && len(ref) > 63:
		return true // we reject numbers longer than a label, whatever their leading zeros
	}
	return false
}

var seeds = []struct{ base, ref string }{
	{"https://example.com/a/b?c", "/d/e.html"},
	{"https://example.com/a/b?c", "d.html?x=1&y=2#z"},
	{"https://example.com/a/b/", "../../../d/./e/.."},
	{"https://example.com/a/b", "%2e%2E/x%2e/%7ejoe/.%2e"},
	{"https://example.com/a?b", "?c='d'"},
	{"https://example.com/a?b", ""},
	{"https://example.com/", "//other.example:443/\\x"},
	{"http://example.com/", "http:b/c"},
	{"http://example.com/", "http:/b"},
	{"http://example.com/", "https:b"},
	{"", "HTTP://EXAMPLE.com:080/{a}^`?`{}^#x"},
	{"", "http://xn--bcher-kva.example/"},
	{"", "http://b\u00fccher.example./\u00fc?\u00fc"},
	{"", "http://0x7f.1/"},
	{"", "http://127.0.0.1:8080"},
	{"", "http://[::FFFF:1.2.3.4]:1/"},
	{"", "http://[2001:db8::1]/"},
	{"", " ht\ntp://a b/"},
	{"", "http://us@er:pw@h/"},
	{"", "http://@h/"},
	{"", "http://ex%61mple.com/%zz%"},
	{"", "http://h/\xff\xc3\x28?\xe2\x82"},
	{"", "mailto:a@b"},
	{"", "http:///////h\\..\\x"},
	{"http://example.com/", "a:b/c"},
	{"http://example.com/a//b/", "..///c"},
}

// FuzzTwin compares the package with the library for every link.
func FuzzTwin(f *testing.F) {
	for _, s := range seeds {
		f.Add(s.base, s.ref)
	}
	f.Fuzz(func(t *testing.T, baseText, ref string) {
		base, _ := exact.Parse(baseText)
		buffer := []byte("before")
		buffer, u, why := exact.AppendResolved(buffer, base, ref)
		if string(buffer) != "before"+u.String() {
			t.Fatalf("%q at %q: appended %q, returned %q", ref, base, buffer, u)
		}
		want, ok := twin(base.String(), ref)
		if u.String() != want || ok != (why == weburl.None) {
			if why == weburl.TooLong && len(ref) > 4*exact.MaxLength || disagree(ref) {
				t.Skip()
			}
			t.Fatalf("%.200q at %q: got %.200q (%v), want %.200q", ref, base, u, why, want)
		}
		if why == weburl.None {
			checkURL(t, exact, u)
		}
	})
}

// checkURL checks the invariants of a URL.
func checkURL(t *testing.T, form *weburl.Form, u weburl.URL) {
	t.Helper()
	again, err := form.Parse(u.String())
	if err != nil || again != u {
		t.Fatalf("%q: parsed again, it is %q (%v)", u, again, err)
	}
	for _, c := range []byte(u.String()) {
		if c <= ' ' || c >= 0x7F {
			t.Fatalf("%q has a byte that is no printable ASCII", u)
		}
	}
	if u.Origin()+u.Path() != u.String() || !strings.HasPrefix(u.Path(), "/") {
		t.Fatalf("%q: origin %q, path %q", u, u.Origin(), u.Path())
	}
	port := u.Port()
	if port != "" {
		port = ":" + port
	}
	if origin := u.Scheme() + "://" + u.Host() + port; origin != u.Origin() {
		t.Fatalf("%q: origin %q, put together %q", u, u.Origin(), origin)
	}
	if path := u.Pathname() + "?" + u.Query(); path != u.Path() && u.Pathname() != u.Path() {
		t.Fatalf("%q: path %q, put together %q", u, u.Path(), path)
	}
	_, parsed := netip.ParseAddr(strings.Trim(u.Host(), "[]"))
	if _, ok := u.Addr(); ok != (parsed == nil) {
		t.Fatalf("%q: host %q is an address: %v", u, u.Host(), ok)
	}
	if domain := u.Domain(); domain == "" || !strings.HasSuffix(strings.TrimSuffix(u.Host(), "."), domain) {
		t.Fatalf("%q: domain %q", u, domain)
	}
}

// FuzzForm checks the invariants of every form: the canonical form of a canonical form
// is itself, and [weburl.Form] without shortcuts gives the same form.
func FuzzForm(f *testing.F) {
	for _, s := range seeds {
		f.Add(s.base, s.ref)
	}
	f.Add("http://h/", "?utm_source=a&b=c&utm_x&&sid=0123456789abcdef0123456789abcdef")
	f.Add("http://h/a;jsessionid=1/", "..;jsessionid=2/x;JSESSIONID=3;y?CFID=1&CFTOKEN=2")
	f.Add("http://h/", "%%37%45%4%31%7e%E3%81%2F")
	forms := []*weburl.Form{nil, {Unescape: true}, {Tracking: []string{"a*", "b"}, MaxLength: 64}, {KeepSessions: true}}
	f.Fuzz(func(t *testing.T, baseText, ref string) {
		for _, form := range forms {
			base, _ := form.Parse(baseText)
			_, u, why := form.AppendResolved(nil, base, ref)
			slow, slowWhy := weburl.Slow(form, base, ref)
			if u != slow || why != slowWhy {
				t.Fatalf("%q at %q: got %q (%v), without the shortcut %q (%v)", ref, base, u, why, slow, slowWhy)
			}
			if why == weburl.None {
				checkURL(t, form, u)
			}
		}
	})
}
