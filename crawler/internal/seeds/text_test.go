package seeds_test

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/robotsexclusion/robots/crawler/internal/seeds"
)

// urls returns the URLs without their places, and errors as printed.
func urls(found iter.Seq2[string, error]) (urls []string) {
	for f, err := range found {
		if err != nil {
			f = "error: " + err.Error()
		}
		urls = append(urls, f)
	}
	return urls
}

// texts are texts with the URLs that a person sees in them.
var texts = []struct {
	text string
	want string // separated by blanks
}{
	{"", ""},
	{"no URL: here, or there.", ""},
	{"See http://example.com/a.html.", "http://example.com/a.html"},
	{"http://example.com", "http://example.com"},
	{"HTTP://EXAMPLE.COM/A and HttpS://example.com/b", "HTTP://EXAMPLE.COM/A HttpS://example.com/b"},
	{"Is it http://example.com/? No, https://example.com:8443/x?y=z#t!",
		"http://example.com/ https://example.com:8443/x?y=z#t"},
	{"http://example.com/a,http://example.com/b;c, (http://example.com/d)",
		"http://example.com/a,http://example.com/b;c http://example.com/d"},
	{"http://example.com,http://example.org;", "http://example.com http://example.org"},
	{"http://example.com/...", "http://example.com/"},
	{"http://example.com. The next", "http://example.com"},

	// Brackets and quotes.
	{"(see http://example.com/foo_(bar))", "http://example.com/foo_(bar)"},
	{"(http://example.com/a) [http://example.com/b] {http://example.com/c}",
		"http://example.com/a http://example.com/b http://example.com/c"},
	{"(http://example.com/a),(http://example.com/b).", "http://example.com/a http://example.com/b"},
	{`"http://example.com/a" 'http://example.com/b' ` + "`http://example.com/c`",
		"http://example.com/a http://example.com/b http://example.com/c"},
	{"['http://example.com/a','http://example.com/b']", "http://example.com/a http://example.com/b"},
	{"http://example.com/O'Reilly's", "http://example.com/O'Reilly's"},
	{"[text](http://example.com/a_(b) \"title\") and [text](http://example.com/c)",
		"http://example.com/a_(b) http://example.com/c"},
	{"[1]: http://example.com/a \"title\"", "http://example.com/a"},
	{"![i](http://example.com/i.png)<http://example.com/b>", "http://example.com/i.png http://example.com/b"},
	{"**http://example.com/a** *http://example.com/b* _http://example.com/c_ ~http://example.com/d~",
		"http://example.com/a http://example.com/b http://example.com/c http://example.com/d"},
	{"| http://example.com/a | http://example.com/b|c |http://example.com/d|e|",
		"http://example.com/a http://example.com/b|c http://example.com/d"},
	{`\url{http://example.com/a_b} \href{http://example.com/c}{text}`, "http://example.com/a_b http://example.com/c"},
	{`{"url":"http://example.com/a","b":"http:\/\/example.com\/c\n"}`, "http://example.com/a"},
	{`"http://example.com/a\n"`, "http://example.com/a"},
	{"`text <http://example.com/a>`_ =HYPERLINK(\"http://example.com/b\")",
		"http://example.com/a http://example.com/b"},
	{"[http://example.com/a a page] [[http://example.com/b|name]]", "http://example.com/a http://example.com/b|name"},
	{`<a href="http://example.com/a">http://example.com/b</a>`, "http://example.com/a http://example.com/b"},
	{"&lt;http://example.com/a?b&amp;c&gt; &quot;http://example.com/d&quot;",
		"http://example.com/a?b&amp;c http://example.com/d"},
	{"http://example.com/{id}/x", "http://example.com/{id}/x"},
	{"http://example.com/a(", "http://example.com/a"},

	// RFC 3986, appendix C.
	{"<URL:http://example.com/a> <url: http://example.com/b> URL:http://example.com/c",
		"http://example.com/a http://example.com/b http://example.com/c"},
	{"Submit-it <URL: http://www.example.com/> will", "http://www.example.com/"},
	{"Yes, Jim, I found it under \"http://www.w3.org/Addressing/\",\nbut you can probably pick it up from <ftp://foo.example.\ncom/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/\nietf/uri/historical.html#WARNING>.",
		"http://www.w3.org/Addressing/ http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING"},
	{"<http://example.com/a/\n   b/c\r\n\td.html>, http://example.com/e",
		"http://example.com/a/b/cd.html http://example.com/e"},
	{"> > <http://example.com/a/\n> > b.html> and\n> http://example.com/c",
		"http://example.com/a/b.html http://example.com/c"},
	{"<http://example.com/a/\n>", "http://example.com/a/"},
	{"<http://example.com/a.\nThe next line.", "http://example.com/a"},
	{"<http://example.com/a\nhttp://example.com/b>", "http://example.com/a http://example.com/b"},
	{"<http://example.com/a\n\nb>", "http://example.com/a"},
	{"<http://example.com/a", "http://example.com/a"},
	{"<http://example.com/a>\nb>", "http://example.com/a"},
	{"<http://example.com/a" + strings.Repeat("\nb", 20), "http://example.com/abbbbbbb"},
	{"http://example.com/a\nb>", "http://example.com/a"},
	{"<www.example.com/a/\nb>", "https://www.example.com/a/b"},

	// Without a scheme.
	{"www.example.com, WWW.Example.COM/a. (www.example.co.uk)",
		"https://www.example.com https://WWW.Example.COM/a https://www.example.co.uk"},
	{"URL:www.example.com <URL:www.example.org>", "https://www.example.com https://www.example.org"},
	{"www.com www. www awww.example.com a@www.example.com ftp://www.example.com/ //www.example.com", ""},
	{"http://web.example/2006/http://www.example.org:80/a.html#b",
		"http://web.example/2006/http://www.example.org:80/a.html#b"},
	{"http://example.com/?u=http://example.org/&v=www.example.net",
		"http://example.com/?u=http://example.org/&v=www.example.net"},

	// Hosts.
	{"http://localhost:8080/x http://127.0.0.1/ http://[::1]:80/ (http://[2001:db8::1])",
		"http://localhost:8080/x http://127.0.0.1/ http://[::1]:80/ http://[2001:db8::1]"},
	{"http://user:pa,ss@example.com/ http://user@example.com",
		"http://user:pa,ss@example.com/ http://user@example.com"},
	{"http:// http:/// http://? http://. http://-a http://[x] http://%/ http://{host}/ http://*.example.com/ http:",
		""},
	{"http://http://example.com/ http://https://example.org/", "http://example.com/ https://example.org/"},
	{"http://example.com: x http://example.com:x http://a..b/", "http://example.com http://a"},
	{"Seehttp://example.com/a view-source:http://example.com/b", "http://example.com/a http://example.com/b"},
	{"ftp://example.com/ mailto:a@example.com file:///etc/passwd", ""},
	{"http://example.com?a=b http://example.org#c", "http://example.com?a=b http://example.org#c"},

	// Other scripts.
	{"http://пример.рф/путь?в=г, http://例え.jp/日本語 и «http://example.com/а»",
		"http://пример.рф/путь?в=г http://例え.jp/日本語 http://example.com/а"},
	{"请看http://example.com/a。然后（http://example.com/b），「http://example.com/c」",
		"http://example.com/a http://example.com/b http://example.com/c"},
	{"请看http://example.com的网页，和www.example.org这个", "http://example.com https://www.example.org"},
	{"http://ja.wikipedia.org/wiki/日本語の話", "http://ja.wikipedia.org/wiki/日本語の話"},
	{"http://en.wikipedia.org/wiki/A–B·C", "http://en.wikipedia.org/wiki/A–B·C"},
	{"http://example.com/a—and “http://example.com/b” and http://example.com/c… http://example.com/d\u00a0e",
		"http://example.com/a http://example.com/b http://example.com/c http://example.com/d"},
	{"http://example.com/a\u200bb http://example.com/\u202ec", "http://example.com/a http://example.com/"},
	{"http://fa.example/می\u200cخواهم", "http://fa.example/می\u200cخواهم"},
	{"http://example.com/caf\xe9 http://example.com/\xff\xfe, http://ex\xe9mple.com/",
		"http://example.com/caf\xe9 http://example.com/\xff\xfe http://ex"},
	{"http://example.com/a\x00b \x1b[1mhttp://example.com/c\x1b[0m", "http://example.com/a http://example.com/c"},

	// Repetitions are left out.
	{"http://example.com/a http://example.com/a http://example.com/A", "http://example.com/a http://example.com/A"},
	{"http://example.com/" + strings.Repeat("x", 9000), ""},
}

func TestText(t *testing.T) {
	for _, test := range texts {
		want := strings.Split(test.want, " ")
		if test.want == "" {
			want = nil
		}
		if got := urls(seeds.Text(strings.NewReader(test.text))); !slices.Equal(got, want) {
			t.Errorf("%q:\ngot  %q\nwant %q", test.text, got, want)
		}
		if got := urls(seeds.Text(iotest.OneByteReader(strings.NewReader(test.text)))); !slices.Equal(got, want) {
			t.Errorf("%q in pieces:\ngot  %q\nwant %q", test.text, got, want)
		}
	}
}

func TestTextLines(t *testing.T) {
	const text = "\ufeffhttp://example.com/1\r\n\r\n<http://example.com/\n3>http://example.com/4\n<http://example.com/5\nx y\n<http://example.com/7"
	want := []string{"http://example.com/1", "http://example.com/3", "http://example.com/4",
		"http://example.com/5", "http://example.com/7"}
	if got := urls(seeds.Text(strings.NewReader(text))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLongLine finds all URLs in a line of a megabyte, wherever the window ends.
func TestLongLine(t *testing.T) {
	var text strings.Builder
	var want []string
	for i := range 30_000 {
		url := fmt.Sprintf("http://example.com/%d/%s", i, strings.Repeat("x", i%50))
		want = append(want, url)
		text.WriteString("[" + url + "] ")
	}
	if got := urls(seeds.Text(strings.NewReader(text.String()))); !slices.Equal(got, want) {
		t.Errorf("%d URLs, want %d", len(got), len(want))
	}
}

func TestUTF16(t *testing.T) {
	for _, text := range []string{"\xff\xfeh\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00/\x00\x16\x04",
		"\xfe\xff\x00h\x00t\x00t\x00p\x00:\x00/\x00/\x00a\x00.\x00b\x00/\x04\x16"} {
		for name, found := range map[string]iter.Seq2[string, error]{
			"Text": seeds.Text(strings.NewReader(text)), "List": seeds.List(strings.NewReader(text)),
			"Read": seeds.Read("", strings.NewReader(text)),
		} {
			if got := urls(found); !slices.Equal(got, []string{"http://a.b/Ж"}) {
				t.Errorf("%s: got %q", name, got)
			}
		}
	}
}

func TestList(t *testing.T) {
	const list = "\ufeff# Seeds\r\nhttp://example.com/a#b\r\n\r\n  example.com/docs # a comment\n\t# another\n<URL:http://example.org/>\nnot a URL\n" +
		"see http://example.com/c and www.example.net\n2026-11-21\thttps://example.com/d\t200\nmailto:a@example.com\nlocalhost:8080\nexample.com/docs"
	want := []string{
		"http://example.com/a#b", "https://example.com/docs", "http://example.org/",
		`error: line 7: "not a URL" is not a URL: it has white space in it: name a host and perhaps a path, such as example.com/docs`,
		"http://example.com/c", "https://www.example.net", "https://example.com/d",
		`error: line 10: "mailto:a@example.com" is not a URL: its scheme is not http or https: name a host and perhaps a path, such as example.com/docs`,
		"https://localhost:8080",
	}
	if got := urls(seeds.List(strings.NewReader(list))); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAddress(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"http://example.com/", "http://example.com/"},
		{" HTTPS://Example.com/a\t", "HTTPS://Example.com/a"},
		{"example.com", "https://example.com"},
		{"example.com/docs?q=a:b@c#d", "https://example.com/docs?q=a:b@c#d"},
		{"example.com:8080", "https://example.com:8080"},
		{"example.com.", "https://example.com."},
		{"//example.com/x", "https://example.com/x"},
		{"localhost", "https://localhost"},
		{"intranet:8080/x", "https://intranet:8080/x"},
		{"127.0.0.1/x", "https://127.0.0.1/x"},
		{"[::1]:8080/x", "https://[::1]:8080/x"},
		{"http://[::1]", "http://[::1]"},
		{"пример.рф/путь", "https://пример.рф/путь"},
		{"<http://example.com/>", "http://example.com/"},
		{"<URL: example.com>", "https://example.com"},
		{"http://user:password@example.com/", "http://user:password@example.com/"},
		{"\ufeffexample.com\r", "https://example.com"},
		{"http://localhost", "http://localhost"},

		{"", ""},
		{" ", ""},
		{"http://", ""},
		{"http:///x", ""},
		{"http://?x", ""},
		{"http://a b/", ""},
		{"http://a/b c", ""},
		{"http:example.com", ""},
		{"ftp://example.com/", ""},
		{"mailto:a@example.com", ""},
		{"javascript:alert(1)", ""},
		{"a@example.com", ""},
		{"/etc/passwd", ""},
		{"./x.y", ""},
		{"-x.y", ""},
		{"word", ""},
		{"word/x.y", ""},
		{"example.com:", ""},
		{"example.com:x", ""},
		{"exa,mple.com", ""},
		{"http://exa<mple.com/", ""},
		{"*.example.com", ""},
		{"[::1", ""},
		{"<>", ""},
		{"http://" + strings.Repeat("x", 9000), ""},
	} {
		got, err := seeds.Address(test.text)
		if got != test.want || (err == nil) != (test.want != "") || err != nil && !errors.Is(err, seeds.ErrNoURL) {
			t.Errorf("Address(%.50q) is %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}
