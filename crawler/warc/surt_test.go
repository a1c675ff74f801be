package warc_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
)

// TestSURT compares keys with those of the Python package surt, by feature.
func TestSURT(t *testing.T) {
	const session = "0123456789abcdefghijklemopqrstuv"
	for _, test := range []struct{ url, want string }{
		{"", "-"},
		{"filedesc:foo.arc.gz", "filedesc:foo.arc.gz"},
		{"filedesc://foo.arc.gz", "filedesc://foo.arc.gz"},
		{"warcinfo:foo.warc.gz", "warcinfo:foo.warc.gz"},
		{"dns:Example.com", "dns:example.com"},
		{"mailto:Jo@example.com", "mailto:jo@example.com"},

		// The host.
		{"http://example.com", "com,example)/"},
		{"http://www.example.com/", "com,example)/"},
		{"https://www12.example.com/", "com,example)/"},
		{"http://www2example.com/", "com,www2example)/"},
		{"http://www2.www2example.com/", "com,www2example)/"},
		{"ftp://www.example.com/", "com,example)/"},
		{"HTTP://WWW.Example.COM/", "com,example)/"},
		{"www.example.com/x", "com,example)/x"},
		{"http://example.com.../", "com,example)/"},
		{"http://a..example.com/", "com,example,a)/"},
		{"http://192.168.1.254/info/", "254,1,168,192)/info"},
		{"http://3279880203/blah", "11,0,127,195)/blah"},
		{"http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/", "26,99,188,168)/"},
		{"http://[2001:DB8::1]:8080/", "2001:db8::1:8080)/"},
		{"http://xn--bcher-kva.example/", "example,xn--bcher-kva)/"},
		{"http://bücher.example/", "example,b%c3%bccher)/"},
		{"http://host%23.com/", "com,host%23)/"},

		// Port, user, scheme.
		{"http://example.com:80/", "com,example)/"},
		{"https://example.com:443/", "com,example)/"},
		{"https://example.com:80/", "com,example:80)/"},
		{"http://example.com:8080/a", "com,example:8080)/a"},
		{"http://example.com:/a", "com,example)/a"},
		{"http://jo:secret@example.com/a", "com,example)/a"},
		{"http://https://example.com/a", "com,example)/a"},
		{"http:////////example.com/a", "com,example)/a"},
		{"whois://whois.example.org/shaveh.co.il", "org,example,whois)/shaveh.co.il"},

		// The path.
		{"http://example.com/Goo/", "com,example)/goo"},
		{"http://example.com/goo/?", "com,example)/goo"},
		{"http://example.com/a#b?c", "com,example)/a"},
		{"http://example.com//a///b//", "com,example)/a/b"},
		{"http://example.com/a/./b/../c", "com,example)/a/c"},
		{"http://example.com/a/..", "com,example)/"},
		{"http://example.com/../a", "com,example)/../a"},
		{"http://example.com/%25%32%35", "com,example)/%25"},
		{"http://example.com/%2525252525252525", "com,example)/%25"},
		{"http://example.com/%%%25%32%35asd%%", "com,example)/%25%25%25asd%25%25"},
		{"http://example.com/%7Ejo%2Fa%20b", "com,example)/~jo/a%20b"},
		{" http://example.com/foo\tbar\r\nbaz ", "com,example)/foobarbaz"},
		{"http://example.com/é", "com,example)/%c3%a9"},
		{"http://example.com/;x", "com,example)/;x"},
		{"http://example.com/(S(4hqa0555fwsecu455xqckv45))/mileg.aspx", "com,example)/mileg.aspx"},
		{"http://example.com/(4hqa0555fwsecu455xqckv45)/mileg.aspx", "com,example)/mileg.aspx"},
		{"http://example.com/(a(4hqa0555fwsecu455xqckv45)S(4hqa0555fwsecu455xqckv45))/mileg.aspx?page=x",
			"com,example)/mileg.aspx?page=x"},
		{"http://example.com/photos/36050182@N05/", "com,example)/photos/36050182@n05"},

		// The query.
		{"http://example.com?a", "com,example)/?a"},
		{"http://example.com/goo/?b&a", "com,example)/goo?a&b"},
		{"http://example.com/goo/?a=2&b&a=1", "com,example)/goo?a=1&a=2&b"},
		{"http://example.com/?a=&a", "com,example)/?a&a="},
		{"http://example.com/?a=1&", "com,example)/?&a=1"},
		{"http://example.com/?a=B/C?D", "com,example)/?a=b/c?d"},
		{"http://example.com/app?item=Wroc%C5%82aw", "com,example)/app?item=wroc%c5%82aw"},
		{"http://example.com/?type=a+b+%26+c&grape=wine", "com,example)/?+c&grape=wine&type=a+b+"},
		{"http://example.com/?jsessionid=" + session, "com,example)/"},
		{"http://example.com/?jsessionid=" + session + "0", "com,example)/?jsessionid=" + session + "0"},
		{"http://example.com/?one=two&jsessionid=" + session + "&x=y", "com,example)/?one=two&x=y"},
		{"http://example.com/?PHPSESSID=" + session + "&action=profile;u=4221", "com,example)/?action=profile;u=4221"},
		{"http://example.com/?sid=9682993c8daa2c5497996114facdc805&x=y", "com,example)/?x=y"},
		{"http://example.com/?aspsessionidABCDEFGH=ABCDEFGHIJKLMNOPQRSTUVWX&x=y", "com,example)/?x=y"},
		{"http://example.com/?CFID=1169580&CFTOKEN=48630702&dtstamp=22", "com,example)/?dtstamp=22"},
	} {
		if got := warc.SURT(test.url); got != test.want {
			t.Errorf("%q: got %q, want %q", test.url, got, test.want)
		}
	}
}

// FuzzSURT checks that a key is one word of visible ASCII, and that percent-decoding
// equals that of its slow twin, which repeats it.
func FuzzSURT(f *testing.F) {
	f.Add("http://www.example.com:80/a/../b?c&a=1#d")
	f.Add("%%25%32%35%2%35:%zz//%")
	f.Add("http://https://jo@[::1]:99999/%2e%2e/?&&=&sid=")
	f.Add("x:?#\xff ")
	f.Fuzz(func(t *testing.T, s string) {
		if strings.HasPrefix(s, "filedesc") {
			return
		}
		for _, c := range []byte(warc.SURT(s)) {
			if c <= ' ' || c >= 0x7f {
				t.Fatalf("%q: key %q", s, warc.SURT(s))
			}
		}
		slow := s
		for before := ""; before != slow; {
			before = slow
			slow = ""
			for i := 0; i < len(before); i++ {
				if i+3 <= len(before) {
					if c, err := url.PathUnescape(before[i : i+3]); err == nil && before[i] == '%' {
						slow += c
						i += 2
						continue
					}
				}
				slow += before[i : i+1]
			}
		}
		if got := warc.Unescape(s); got != slow {
			t.Errorf("%q: got %q, the slow twin %q", s, got, slow)
		}
	})
}

func BenchmarkSURT(b *testing.B) {
	defer reportCPU(b)()
	for b.Loop() {
		warc.SURT("https://www.example.com/articles/2026/01/31/a-long-title-of-an-article?page=2&id=12345")
	}
}
