package fetch_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
)

func TestOrigin(t *testing.T) {
	for _, test := range []struct{ url, want string }{
		{"https://example.com", "https://example.com"},
		{"https://example.com/", "https://example.com"},
		{"https://example.com/a?b#c", "https://example.com"},
		{"https://example.com?b", "https://example.com"},
		{"https://example.com#c", "https://example.com"},
		{"HTTPS://EXAMPLE.Com/A", "https://example.com"},
		{"http://example.com:80/", "http://example.com"},
		{"https://example.com:443/", "https://example.com"},
		{"http://example.com:443/", "http://example.com:443"},
		{"http://example.com:08080/", "http://example.com:8080"},
		{"http://example.com:/", "http://example.com"},
		{"http://user:pass@example.com/", "http://example.com"},
		{"http://user@evil.example@example.com/", "http://example.com"},
		{"http://example.com./", "http://example.com."}, // another origin
		{"http://my_site.example.com/", "http://my_site.example.com"},
		{"http://localhost/", "http://localhost"},
		{"http://b\u00fccher.example/", "http://xn--bcher-kva.example"},
		{"http://B\u00dcCHER.Example/", "http://xn--bcher-kva.example"},
		{"http://b%C3%BCcher.example/", "http://xn--bcher-kva.example"},
		{"http://XN--BCHER-KVA.example/", "http://xn--bcher-kva.example"},
		{"http://fa\u00df.example/", "http://xn--fa-hia.example"},
		{"http://\u4f8b\u3048\u3002\u30c6\u30b9\u30c8/", "http://xn--r8jz45g.xn--zckzah"},
		{"http://ex%61mple.com/", "http://example.com"},
		{"http://\uff11\uff12\uff17.0.0.1/", "http://127.0.0.1"},
		{"http://192.0.2.1:8080/", "http://192.0.2.1:8080"},
		{"http://[2001:DB8:0:0::1]/", "http://[2001:db8::1]"},
		{"http://[::ffff:192.0.2.1]:80/", "http://[::ffff:192.0.2.1]"},
		{"http://example.com/\\x", "http://example.com"},
		{"http://example.com/%zz\x00 ", "http://example.com"},
	} {
		got, err := fetch.Origin(test.url)
		if got != test.want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", test.url, got, err, test.want)
		}
	}
}

func TestWrongURL(t *testing.T) {
	for _, test := range []struct{ url, reason string }{
		{"", "not absolute"},
		{"/robots.txt", "not absolute"},
		{"example.com/x", "write https://"},
		{"example.com:8080/x", "not absolute"},
		{"mailto:x@example.com", "not absolute"},
		{"ftp://example.com/", `"ftp"`},
		{"file:///etc/passwd", `"file"`},
		{" https://example.com/", `" https"`},
		{"http://", "no host"},
		{"http:///x", "no host"},
		{"http://:80/", "no host"},
		{"http://user@/", "no host"},
		{"http://example.com\\@evil.example/", "cannot stand"},
		{"http://exa mple.com/", `" " cannot stand`},
		{"http://example.com\x00/", `"\x00" cannot stand`},
		{"http://ex\x1b[2Jample.com/", `\x1b`},
		{"http://example.com:0/", "1 to 65535"},
		{"http://example.com:65536/", "1 to 65535"},
		{"http://example.com:+80/", "1 to 65535"},
		{"http://example.com:http/", "1 to 65535"},
		{"http://a..example/", "empty"},
		{"http://.example/", "empty"},
		{"http://./", "empty"},
		{"http://" + strings.Repeat("a", 64) + ".example/", "63"},
		{"http://" + strings.Repeat("a.", 127) + "example/", "253"},
		{"http://" + strings.Repeat("\u00fc", 1<<20) + "/", "253"},
		{"http://" + strings.Repeat("%C3%BC", 1<<18) + "/", "253"},
		{"http://2001:db8::1/", "brackets"},
		{"http://[2001:db8::1/", "brackets"},
		{"http://[2001:db8::1]x/", "only a port"},
		{"http://[192.0.2.1]/", "an IPv6 address"},
		{"http://[fe80::1%25eth0]/", "an IPv6 address"},
		{"http://[fe80::1%eth0]/", "an IPv6 address"},
		{"http://127.1/", "ends in a number"},
		{"http://0x7f000001/", "ends in a number"},
		{"http://0x7f.0x1/", "ends in a number"},
		{"http://2130706433/", "ends in a number"},
		{"http://0177.0.0.1/", "ends in a number"},
		{"http://127.0.0.1./", "ends in a number"},
		{"http://1.2.3.4.5/", "ends in a number"},
		{"http://%zz/", `"%" cannot stand`},
		{"http://a%2fb/", `"/" cannot stand`},
		{"http://\uff0f.example/", "host"},
		{"http://a\uff0fb.example/", "host"},
		{"http://\uff11\uff12\uff17.1/", "ends in a number"},
		{"http://u;v@example.com/", `";" cannot stand`},
		{"http://\u202egpj.example/", "IDNA"},
	} {
		got, err := fetch.Origin(test.url)
		wrong, ok := errors.AsType[*fetch.URLError](err)
		if !ok {
			t.Errorf("%q: got %q, %v, want a URLError", test.url, got, err)
			continue
		}
		if wrong.URL != test.url || !strings.Contains(err.Error(), test.reason) {
			t.Errorf("%q: got %q, want one with %q", test.url, err, test.reason)
		}
		for _, c := range err.Error() {
			if c < ' ' {
				t.Errorf("%q: control character in %q", test.url, err)
			}
		}
		if _, err := new(fetch.Client).Policy(t.Context(), test.url); err == nil {
			t.Errorf("%q: Policy gave no error", test.url)
		}
	}
}

// FuzzOrigin checks the invariants of an origin: the origin of an origin is itself, and net/url
// finds the same host in it, and nothing else.
func FuzzOrigin(f *testing.F) {
	for _, s := range []string{
		"https://example.com/x", "http://u:p@B\u00fccher.example:8080?x", "http://[::1]:80/", "http://127.1/",
		"http://a\\@b/", "http://\uff11.example/", "http://%41/", "http://xn--a/", "http://\u00ad/",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		origin, err := fetch.Origin(s)
		if err != nil {
			if _, ok := errors.AsType[*fetch.URLError](err); !ok {
				t.Errorf("%q: %v is no URLError", s, err)
			}
			return
		}
		if again, err := fetch.Origin(origin); again != origin || err != nil {
			t.Errorf("%q: origin %q has the origin %q, %v", s, origin, again, err)
		}
		u, err := url.Parse(origin + "/robots.txt")
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if got := u.Scheme + "://" + u.Host; got != origin || u.User != nil || u.Path != "/robots.txt" ||
			u.RawQuery != "" {
			t.Errorf("%q: origin %q is read as %q", s, origin, u)
		}
	})
}
