package weburl_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

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

// checkURL checks the invariants of a URL.
func checkURL(t *testing.T, form weburl.Form, u weburl.URL) {
	t.Helper()
	again, err := form.Parse(u.String())
	if err != nil || again != u {
		t.Fatalf("%q: parsed again, it is %q (%v)", u, again, err)
	}
	for _, c := range []byte(u.String()) {
		if c <= ' ' || c >= 0x7F {
			t.Fatalf("%q has a byte that is not printable ASCII", u)
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
	f.Fuzz(func(t *testing.T, baseText, ref string) {
		for _, form := range []weburl.Form{weburl.Links, weburl.Exact} {
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
