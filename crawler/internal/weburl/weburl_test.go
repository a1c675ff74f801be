package weburl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func parse(t *testing.T, form weburl.Form, text string) weburl.URL {
	t.Helper()
	u, err := form.Parse(text)
	fatal.If(t, err)
	return u
}

// TestCanonical checks the canonical form of links, in the default form.
func TestCanonical(t *testing.T) {
	base := parse(t, weburl.Links, "https://example.com/a/b.html?c=d")
	for _, c := range []struct{ ref, want string }{
		// Nothing is sorted, no slash is dropped, the path keeps its case.
		{"/B/?z&a", "https://example.com/B/?z&a"},
		{"/x//y", "https://example.com/x//y"},
		{"/x?", "https://example.com/x?"},
		{"", "https://example.com/a/b.html?c=d"},
		{"#top", "https://example.com/a/b.html?c=d"},
		{"?e#f", "https://example.com/a/b.html?e"},
		{"x", "https://example.com/a/x"},
		{".", "https://example.com/a/"},
		{"..", "https://example.com/"},
		{"../../../x", "https://example.com/x"},
		{"x/./y/../z", "https://example.com/a/x/z"},
		{"%2e%2E/x", "https://example.com/x"},
		{"...", "https://example.com/a/..."},
		{"x.", "https://example.com/a/x."},
		{"https:x", "https://example.com/a/x"},
		{"https:/x", "https://example.com/x"},
		{"http:x", "http://x/"},
		{`\\other.example\x`, "https://other.example/x"},
		{"//other.example", "https://other.example/"},
		{"//other.example?q", "https://other.example/?q"},
		{" /x\n", "https://example.com/x"},
		{"/a\tb\r\nc", "https://example.com/abc"},
		{"/a b", "https://example.com/a%20b"},

		// Percent-encoding stays, and is added where the standard requires it.
		{"/%7ejoe/~joe/%zz%", "https://example.com/%7ejoe/~joe/%zz%"},
		{"/\"<>`{}^|'?\"<>`{}^|'", "https://example.com/%22%3C%3E%60%7B%7D%5E|'?%22%3C%3E`{}^|%27"},
		{"/^", "https://example.com/%5E"}, // since whatwg/url#846, of 2024
		{"/путь?вопрос", "https://example.com/%D0%BF%D1%83%D1%82%D1%8C?%D0%B2%D0%BE%D0%BF%D1%80%D0%BE%D1%81"},
		{"/\xff", "https://example.com/%EF%BF%BD"},

		// Hosts and ports.
		{"HTTP://EXAMPLE.COM:80", "http://example.com/"},
		{"https://example.com:0443/", "https://example.com/"},
		{"http://example.com:443/", "http://example.com:443/"},
		{"http://example.com:/", "http://example.com/"},
		{"http://@example.com/", "http://example.com/"},
		{"http://:@example.com/", "http://example.com/"},
		{"http://example.com./", "http://example.com./"},
		{"http://a_b.example/", "http://a_b.example/"},
		{"http://bücher.example/", "http://xn--bcher-kva.example/"},
		{"http://B%C3%9Ccher.example/", "http://xn--bcher-kva.example/"},
		{"http://XN--BCHER-KVA.example/", "http://xn--bcher-kva.example/"},
		{"http://президент.рф/", "http://xn--d1abbgf6aiiy.xn--p1ai/"},
		{"http://예시.한국/", "http://xn--vv4b11d.xn--3e0b707e/"},
		{"http://127.0.0.1/", "http://127.0.0.1/"},
		{"http://0x7f.1/", "http://127.0.0.1/"},
		{"http://2130706433/", "http://127.0.0.1/"},
		{"http://[2001:DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/"},
		{"http://[::ffff:192.0.2.1]/", "http://[::ffff:c000:201]/"},
		// Numbers have no signs: the library parses these as addresses.
		{"http://a.0x-1/", "http://a.0x-1/"},
		{"http://-1/", "http://-1/"},

		// Tracking parameters and session ids.
		{"/x?utm_source=a", "https://example.com/x"},
		{"/x?utm_source=a&b=c", "https://example.com/x?b=c"},
		{"/x?b=c&gclid=1&d&fbclid", "https://example.com/x?b=c&d"},
		{"/x?&a&utm_x", "https://example.com/x?&a"},
		{"/x?utm_x&", "https://example.com/x"},
		{"/x?utm_x&&", "https://example.com/x?&"},
		{"/x?UTM_SOURCE=a&ref=b&mygclid=c", "https://example.com/x?UTM_SOURCE=a&ref=b&mygclid=c"},
		{"/x;jsessionid=1A2B.node1?b", "https://example.com/x?b"},
		{"/x;v=1;JSESSIONID=1/y;jsessionid=2;w", "https://example.com/x;v=1/y;w"},
		{"/..;jsessionid=1/x", "https://example.com/..;jsessionid=1/x"}, // without the id it would be another folder
		{"/x;jsessionidea=1", "https://example.com/x;jsessionidea=1"},
		{"/x?PHPSESSID=abc&b", "https://example.com/x?b"},
		{"/x?sid=0123456789abcdef0123456789ABCDEF", "https://example.com/x"},
		{"/x?sid=12345", "https://example.com/x?sid=12345"},
		{"/x?sid=12345678901234567890123456789012", "https://example.com/x?sid=12345678901234567890123456789012"},
		{"/x?s=shoes", "https://example.com/x?s=shoes"},
		{"/x?CFID=1&CFTOKEN=2&b", "https://example.com/x?b"},
		{"/x?cfid=1", "https://example.com/x?cfid=1"},
		{"/x?ASPSESSIONIDABCDEFGH=1", "https://example.com/x"},
		{"/x?zenid=0123456789abcdef0123456789", "https://example.com/x"},
	} {
		u, err := weburl.Links.Resolve(base, c.ref)
		if err != nil || u.String() != c.want {
			t.Errorf("%q: got %q (%v), want %q", c.ref, u, err, c.want)
			continue
		}
		checkURL(t, weburl.Links, u)
	}
}

// TestExact checks that the form of redirects drops nothing.
func TestExact(t *testing.T) {
	for _, ref := range []string{"http://h/?utm_source=a&sid=1", "http://h/;jsessionid=1?PHPSESSID=2&gclid=3"} {
		u := parse(t, weburl.Exact, ref)
		if u.String() != ref {
			t.Errorf("%s: got %s", ref, u)
		}
		checkURL(t, weburl.Exact, u)
	}
}

// TestRefusals checks links that are not visited.
func TestRefusals(t *testing.T) {
	base := parse(t, weburl.Links, "https://example.com/")
	long := strings.Repeat("x", 2048-len("https://example.com/"))
	for _, c := range []struct {
		ref  string
		want weburl.Refusal
	}{
		{"mailto:a@example.com", weburl.OtherScheme},
		{"javascript:void(0)", weburl.OtherScheme},
		{"JavaScript:void(0)", weburl.OtherScheme},
		{"java\nscript:void(0)", weburl.OtherScheme},
		{"data:text/html," + strings.Repeat("x", 100_000), weburl.OtherScheme},
		{"ftp://example.com/", weburl.OtherScheme},
		{"localhost:8080", weburl.OtherScheme},
		{"http://user@example.com/", weburl.UserInfo},
		{"http://:secret@example.com/", weburl.UserInfo},
		{"http://a@b@c/", weburl.UserInfo},
		{`http://example.com@\/x`, weburl.UserInfo},
		{"http://", weburl.BadHost},
		{"http://:80/", weburl.BadHost},
		{"http://a b/", weburl.BadHost},
		{"http://a..b/", weburl.BadHost},
		{"http://" + strings.Repeat("a", 64) + "/", weburl.BadHost},
		{"http://" + strings.Repeat("a.", 127) + "b/", weburl.BadHost},
		{"http://a%00b/", weburl.BadHost},
		{"http://xn--a/", weburl.BadHost},
		{"http://\u00ad/", weburl.BadHost},
		{"http://256.1.1.1/", weburl.BadHost},
		{"http://1.2.3.4.5/", weburl.BadHost},
		{"http://[::1/", weburl.BadHost},
		{"http://[[::1]]/", weburl.BadHost}, // the library accepts this
		{"http://[::1%25eth0]/", weburl.BadHost},
		{"http://a[::1]/", weburl.BadHost},
		{"http://" + strings.Repeat("一", 1000) + "/", weburl.BadHost},
		{"http://a:0/", weburl.BadPort},
		{"http://a:65536/", weburl.BadPort},
		{"http://a:+80/", weburl.BadPort},
		{"http://a:99999999999999999999/", weburl.BadPort},
		{"http://a:8O/", weburl.BadPort},
		{"/" + long, weburl.None},
		{"/" + long + "x", weburl.TooLong},
		{"/" + strings.Repeat("ж", 400), weburl.TooLong},
		{"/" + strings.Repeat("x/../", 1000), weburl.None},
		{"/" + strings.Repeat("x/../", 10_000), weburl.TooLong},
		{"#" + strings.Repeat("x", 100_000), weburl.None},
		{strings.Repeat("\n", 100_000), weburl.None},
		{strings.Repeat("x", 1<<20), weburl.TooLong},
	} {
		_, u, why := weburl.Links.AppendResolved(nil, base, c.ref)
		if why != c.want {
			t.Errorf("%.80q: got %v (%.80q), want %v", c.ref, why, u, c.want)
		}
	}
	for _, ref := range []string{"", "/x", "x", "?x", "#x", "//h/", "\t"} {
		if _, u, why := weburl.Links.AppendResolved(nil, weburl.URL{}, ref); why != weburl.Relative || !u.IsZero() {
			t.Errorf("%q without a base: got %v (%q), want %v", ref, why, u, weburl.Relative)
		}
	}
}

// TestErrors checks the messages.
func TestErrors(t *testing.T) {
	_, err := weburl.Links.Parse("example.com/\x1b[31m")
	const want = `wrong URL "example.com/\x1b[31m": it is not absolute: write https://, the host, and the path`
	var e *weburl.Error
	if !errors.As(err, &e) || e.Refusal != weburl.Relative || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	names := make(map[string]bool)
	for r := range weburl.Refusals {
		names[weburl.Refusal(r).String()] = true
	}
	if len(names) != weburl.Refusals || names["unknown"] || names[""] {
		t.Errorf("the names of refusals are %v", names)
	}
	if got := weburl.Refusal(200).String(); got != "unknown" {
		t.Errorf("refusal 200 is %q", got)
	}
}

// TestZero checks the methods of the zero URL.
func TestZero(t *testing.T) {
	var u weburl.URL
	if _, isAddr := u.Addr(); !u.IsZero() || isAddr ||
		u.String()+u.Scheme()+u.Host()+u.Port()+u.Origin()+u.Path()+u.Pathname()+u.Query()+u.Domain() != "" {
		t.Error("the zero URL is not empty")
	}
}

// TestShared checks the promises of AppendResolved about memory.
func TestShared(t *testing.T) {
	base := parse(t, weburl.Links, "http://h/")
	buffer, u, _ := weburl.Links.AppendResolved(nil, base, "abc")
	kept := u.Clone()
	copy(buffer, "http://h/xyz")
	if u.String() != "http://h/xyz" || kept.String() != "http://h/abc" {
		t.Errorf("the URL is %s, and its clone %s", u, kept)
	}
	buffer, _, why := weburl.Links.AppendResolved(buffer, base, "mailto:a")
	if string(buffer) != "http://h/xyz" || why != weburl.OtherScheme {
		t.Errorf("after a refusal the buffer is %s", buffer)
	}
}

// TestDomain checks registrable domains.
func TestDomain(t *testing.T) {
	for _, c := range []struct{ host, want string }{
		{"example.com", "example.com"},
		{"a.b.example.com", "example.com"},
		{"www.example.co.uk", "example.co.uk"},
		{"alice.github.io", "alice.github.io"}, // a private suffix
		{"x.alice.github.io", "alice.github.io"},
		{"github.io", "github.io"},
		{"co.uk", "co.uk"},
		{"com", "com"},
		{"www.example.com.", "example.com"},
		{"localhost", "localhost"},
		{"server.internal", "server.internal"},
		{"a.server.internal", "server.internal"},
		{"президент.рф", "xn--d1abbgf6aiiy.xn--p1ai"},
		{"www.example.kobe.jp", "www.example.kobe.jp"}, // a wildcard
		{"www.city.kobe.jp", "city.kobe.jp"},           // its exception
		{"127.0.0.1", "127.0.0.1"},
		{"[2001:db8::1]", "[2001:db8::1]"},
	} {
		if got := parse(t, weburl.Links, "http://"+c.host+":8080/").Domain(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.host, got, c.want)
		}
	}
}

// TestTracking checks that each tracking parameter is dropped, and no longer or shorter name.
func TestTracking(t *testing.T) {
	resolved := func(name string) string { return parse(t, weburl.Links, "http://h/?"+name+"=1").String() }
	for name := range strings.FieldsSeq("utm_source oly_anon_id gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid " +
		"ysclid _openstat twclid li_fat_id mc_eid mkt_tok vero_id _hsenc __hssc __hstc __hsfp") {
		if resolved(name) != "http://h/" {
			t.Errorf("%s is kept", name)
		}
		if prefix := strings.HasPrefix(name, "utm_") || strings.HasPrefix(name, "oly_"); !prefix &&
			(resolved(name+"x") == "http://h/" || resolved(name[:len(name)-1]) == "http://h/") {
			t.Errorf("more than %s is dropped", name)
		}
	}
}

// TestAllocations checks that the shortcuts, and most other links, need no allocations
// beyond the buffer.
func TestAllocations(t *testing.T) {
	base := parse(t, weburl.Links, benchBase)
	buffer := make([]byte, 0, 4096)
	for _, c := range benchLinks {
		if c.name == "messy" || c.name == "idna" {
			continue
		}
		for _, link := range c.links {
			if n := testing.AllocsPerRun(10, func() {
				buffer, _, _ = weburl.Links.AppendResolved(buffer[:0], base, link)
			}); n != 0 {
				t.Errorf("%s: %q allocates %v times", c.name, link, n)
			}
		}
	}
}

// ExampleForm_AppendResolved resolves the links of a page into one buffer.
func ExampleForm_AppendResolved() {
	page, err := weburl.Links.Parse("https://www.example.co.uk/docs/")
	if err != nil {
		fmt.Println(err)
		return
	}
	var buffer []byte
	for _, href := range []string{"../news?utm_source=docs#top", "HTTP://Example.com:80",
		"mailto:webmaster@example.com"} {
		var u weburl.URL
		var why weburl.Refusal
		buffer, u, why = weburl.Links.AppendResolved(buffer[:0], page, href)
		if why != weburl.None {
			fmt.Println("not visited:", why)
			continue
		}
		fmt.Println(u, u.Origin(), u.Path(), u.Domain())
	}
	// Output:
	// https://www.example.co.uk/news https://www.example.co.uk /news example.co.uk
	// http://example.com/ http://example.com / example.com
	// not visited: scheme
}
