package seeds_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/net/html/charset"

	"github.com/robotsexclusion/robots/crawler/internal/seeds"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// message returns a message with a header, whose lines end with LF, and a body.
func message(header, body string) string {
	return "From a@example.com Mon May  5 12:00:00 2003\nFrom: a@example.com\nSubject: http://example.com/in-the-subject\n" + header + "\n" + body + "\n"
}

// TestArchives reads the forms of mbox, and realistic archives.
func TestArchives(t *testing.T) {
	const from = "From a@example.com Mon May  5 12:00:00 2003\n"
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"RFC 4155", from + "Message-ID: <1@example.com>\n\nhttp://example.com/1\n\n" + from +
			"message-id:  <2@example.com>\n\nhttp://example.com/2\n\n",
			[]string{"1 http://example.com/1", "2 http://example.com/2"}},
		{"CR LF", strings.ReplaceAll(from+"Subject: x\n\nhttp://example.com/1\n\n"+from+
			"Subject: x\n\nhttp://example.com/2\n\n", "\n", "\r\n"),
			[]string{"1 http://example.com/1", "2 http://example.com/2"}},
		{"mboxo and mboxrd",
			message("",
				">From now on\n>>From a@example.com Mon May  5 12:00:00 2003\nhttp://example.com/1\n") + message("",
				"http://example.com/2\n"),
			[]string{"1 http://example.com/1", "2 http://example.com/2"}},
		{"mboxcl2", message(fmt.Sprintf("Content-Length: %d\n", len(inner)), inner) + message("",
			"http://example.com/3\n"),
			[]string{"1 http://example.com/1", "1 http://example.com/2", "2 http://example.com/3"}},
		{"mboxcl2 at the end", message(fmt.Sprintf("Content-Length: %d\n", len(inner)+1), inner),
			[]string{"1 http://example.com/1", "1 http://example.com/2"}},
		{"a wrong Content-Length", message("Content-Length: 100000\n",
			"http://example.com/1\n") + message("Content-Length: 5\n",
			"http://example.com/2\n") + message("Content-Length: -1\n", "http://example.com/3\n"),
			[]string{"1 http://example.com/1", "2 http://example.com/2", "3 http://example.com/3"}},
		{"no blank line before it", from + "Subject: x\n\nhttp://example.com/1\n" + from +
			"Subject: x\n\nhttp://example.com/2\n",
			[]string{"1 http://example.com/1", "2 http://example.com/2"}},
		{"Thunderbird and Eudora",
			"From - Mon Jul 11 12:08:34 2011\nFrom: x\n\nhttp://example.com/1\n\nFrom ???@??? Mon Jul 11 12:08:34 2011\nTo: x\n\nhttp://example.com/2\n\nFrom \nX-Mozilla-Status: 0001\n\nhttp://example.com/3\n",
			[]string{"1 http://example.com/1", "2 http://example.com/2", "3 http://example.com/3"}},
		{"Mailman",
			"From a at example.com  Mon May  5 12:00:00 2003\nFrom: a at example.com (A)\nMessage-ID: <1@x>\n\nhttp://example.com/1\n\n\nFrom b at example.com  Mon May  5 12:00:00 EDT 2003\nSubject: x\n\nhttp://example.com/2\n",
			[]string{"1 http://example.com/1", "2 http://example.com/2"}},
		{"no separator at all",
			message("", "x\n\nFrom here on: http://example.com/1\n\nFrom http://example.com/2 at 12:00\n"),
			[]string{"1 http://example.com/1", "1 http://example.com/2"}},
		{"a single message", "Return-Path: <a@example.com>\nMessage-ID: <1@x>\n\nhttp://example.com/1",
			[]string{"1 http://example.com/1"}},
		{"no header", "http://example.com/1\n\nhttp://example.com/2\n", []string{"1 http://example.com/1",
			"1 http://example.com/2"}},
		{"a broken header", from + "Subject: x\nthis is no field http://example.com/1\n\nhttp://example.com/2\n",
			[]string{"1 http://example.com/1", "1 http://example.com/2"}},
		{"a From in the header", from +
			"Subject: x\n>From b@example.com Mon May  5 12:00:00 2003\nMessage-ID: <1@x>\n\nhttp://example.com/1\n",
			[]string{"1 http://example.com/1"}},
		{"a folded header", from +
			"Message-ID:\n <1@x>\nContent-Type: text/html;\n\tcharset=utf-8\n\n<a href='http://example.com/1'>",
			[]string{"1 http://example.com/1"}},
		{"only a header", from + "Subject: x", nil},
		{"only a separator", from, nil},
		{"blank lines", "\n\n\r\n" + from + "\n\n" + from + "\n\nhttp://example.com/1\n",
			[]string{"2 http://example.com/1"}},
		{"nothing", "", nil},
	} {
		for kind, r := range map[string]io.Reader{"whole": strings.NewReader(test.text),
			"in pieces": iotest.OneByteReader(strings.NewReader(test.text))} {
			if got := seeds.Places(r); !slices.Equal(got, test.want) {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", test.name, kind, strings.Join(got, "\n"),
					strings.Join(test.want, "\n"))
			}
		}
	}
}

// inner is a body with a message in it.
const inner = "http://example.com/1\n\nFrom b@example.com Mon May  5 12:00:00 2003\nSubject: x\n\nhttp://example.com/2\n"

func qp(text string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func b64(text string) string {
	var b strings.Builder
	for encoded := base64.StdEncoding.EncodeToString([]byte(text)); encoded != ""; {
		n := min(len(encoded), 76)
		b.WriteString(encoded[:n] + "\r\n")
		encoded = encoded[n:]
	}
	return b.String()
}

func in(t *testing.T, encoding, text string) string {
	t.Helper()
	e, _ := charset.Lookup(encoding)
	s, err := e.NewEncoder().String(text)
	fatal.If(t, err)
	return s
}

// TestMIME reads messages of all kinds.
func TestMIME(t *testing.T) {
	long := "http://example.com/" + strings.Repeat("long-", 30) + "?a=b&c=d"
	const mixed = "Content-Type: multipart/mixed; boundary=\"b b\"\n"
	for _, test := range []struct {
		name, header, body string
		want               []string
	}{
		{"plain", "", "http://example.com/1 <" + long + ">", []string{"http://example.com/1", long}},
		{"quoted-printable", "Content-Transfer-Encoding: Quoted-Printable\n", qp("x=1 " + long + " é"), []string{long}},
		{"quoted-printable that is broken", "Content-Transfer-Encoding: quoted-printable\n",
			"=\n\x01 x\n= x\n=zz\nhttp://example.com/?a=3Db=\n&c\n=", []string{"http://example.com/?a=b&c"}},
		{"quoted-printable that is none", "Content-Transfer-Encoding: quoted-printable\n",
			strings.Repeat("\x01\n", 1000) + "http://example.com/?a=zz", []string{"http://example.com/?a=zz"}},
		{"base64", "Content-Transfer-Encoding: BASE64\n", b64(long + " http://example.com/2"),
			[]string{long, "http://example.com/2"}},
		{"base64 that is broken", "Content-Transfer-Encoding: base64\n", "! " +
			strings.ReplaceAll(b64("http://example.com/1 http://example.com/2"), "\r\n", " \n> "),
			[]string{"http://example.com/1", "http://example.com/2"}},
		{"encoded by nobody knows what", "Content-Transfer-Encoding: x-uuencode\n", "http://example.com/1",
			[]string{"http://example.com/1"}},
		{"charset", "Content-Type: text/plain; charset=koi8-r\n", in(t, "koi8-r", "http://example.com/путь"),
			[]string{"http://example.com/путь"}},
		{"charset of a page", "Content-Type: TEXT/HTML; charset=\"Shift_JIS\"\nContent-Transfer-Encoding: base64\n",
			b64(in(t, "shift_jis", "<a href='http://example.com/ソ表'>")), []string{"http://example.com/ソ表"}},
		{"charset that nobody knows", "Content-Type: text/plain; charset=klingon\n", "http://example.com/ü",
			[]string{"http://example.com/ü"}},
		{"a bad Content-Type", "Content-Type: text/plain; charset==;;\n", "http://example.com/1",
			[]string{"http://example.com/1"}},
		{"an old Content-Type", "Content-Type: text\n", "http://example.com/1", []string{"http://example.com/1"}},
		{"a Content-Type of nobody", "Content-Type: ;\n", "http://example.com/1", []string{"http://example.com/1"}},
		{"no text", "Content-Type: application/pdf\n", "http://example.com/1", nil},
		{"parts", mixed,
			"Preamble http://example.com/no\n--b b\n\nhttp://example.com/1\n--b b\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n" +
				qp("<p>http://example.com/no<a href=\""+long+"\">x</a>") +
				"\n--b b\nContent-Type: image/gif\n\nhttp://example.com/no\n--b b--\nhttp://example.com/no",
			[]string{"http://example.com/1", strings.ReplaceAll(long, "&amp;", "&")}},
		{"parts in parts", mixed,
			"--b b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nhttp://example.com/1\n--c\n\nhttp://example.com/2\n--c--\n--b b\n\nhttp://example.com/3\n--b b--",
			[]string{"http://example.com/1", "http://example.com/2", "http://example.com/3"}},
		{"a message in a part", mixed,
			"--b b\nContent-Type: message/rfc822\n\nMessage-ID: <inner@x>\nContent-Type: text/html\n\n<a href=http://example.com/1>\n--b b--", []string{"http://example.com/1"}},
		{"a digest", "Content-Type: multipart/digest; boundary=d\n",
			"--d\n\nSubject: http://example.com/no\n\nhttp://example.com/1\n--d\n\nSubject: x\nContent-Type: text/html\n\n<a href=http://example.com/2>\n--d--",
			[]string{"http://example.com/1", "http://example.com/2"}},
		{"parts that do not end", mixed,
			"--b b\n\nhttp://example.com/1\n--b b\nContent-Type: multipart/x; boundary=c\n\n--c\n\nhttp://example.com/2", []string{"http://example.com/1", "http://example.com/2"}},
		{"a part with a bad header", mixed, "--b b\nthis is no field\n\nhttp://example.com/1\n" +
			strings.Repeat("x\n", 4000) + "--b b\n\nhttp://example.com/2\n--b b--", []string{"http://example.com/2"}},
		{"parts without their boundary", mixed, "http://example.com/1", []string{"http://example.com/1"}},
		{"parts without a boundary", "Content-Type: multipart/mixed\n", "--b\n\nhttp://example.com/1\n--b--",
			[]string{"http://example.com/1"}},
		{"flowed, blanks deleted", "Content-Type: text/plain; format=flowed; delsp=yes\n",
			"http://example.com/a \nb \nc d \n\n> http://example.com/ \n> e\n>> f\n-- \nhttp://example.com/g",
			[]string{"http://example.com/abc", "http://example.com/e", "http://example.com/g"}},
		{"flowed, blanks kept", "Content-Type: text/plain; format=flowed\n", "http://example.com/a \nb",
			[]string{"http://example.com/a"}},
		{"flowed, to the end", "Content-Type: text/plain; format=flowed; delsp=yes\n", "http://example.com/a \nb ",
			[]string{"http://example.com/ab"}},
		{"a quotation", "", "> see <http://example.com/a/\n> b>", []string{"http://example.com/a/b"}},
	} {
		var got []string
		for f, err := range seeds.Mail(strings.NewReader(message(test.header, test.body))) {
			if got = append(got, f); err != nil {
				t.Errorf("%s: %s, %v", test.name, f, err)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\ngot  %q\nwant %q", test.name, got, test.want)
		}
	}
}

func TestHTML(t *testing.T) {
	const page = "<!DOCTYPE html>\n<title>http://example.com/no</title>\n<A HREF=' http://example.com/1?a&amp;b '>x</A><area href=\"HTTPS://example.com/2\">\n" +
		"<a\nname=x\nhref=http://example.com/3><img src='http://example.com/no'><frame src=http://example.com/4><a href='/no'><a href=#no><a href='mailto:x@example.com'><a href='http:///no'><a href='http://user@example.com/5'><a>\n" +
		"<!-- <a href='http://example.com/no'> --><script>'<a href=\"http://example.com/no\">'</script><link href='http://example.com/no'>"
	want := []string{"http://example.com/1?a&b", "HTTPS://example.com/2", "http://example.com/3",
		"http://example.com/4", "http://user@example.com/5"}
	if got := urls(seeds.HTML(strings.NewReader(page))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	const based = "<base target=x><base href='http://example.com/a/b'><base href=http://example.org/><a href=c><a href='../d?e#f'><a href=//example.net/x><a href=#g><a href=javascript:x()><a href=%zz>"
	want = []string{"http://example.com/a/c", "http://example.com/d?e#f", "http://example.net/x"}
	if got := urls(seeds.HTML(strings.NewReader(based))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// Links for which golang.org/x/net/html returns no tags: it takes the content of
	// noscript, of titles in SVG, and after a script in the comment of a script for
	// text, or the other way round.
	const hard = "<noscript><a href=http://example.com/1></noscript><svg><title><a href=http://example.com/2></title></svg>" +
		"<svg><![CDATA[<a href=http://example.com/no>]]></svg><script><!--<<script></script><a href=http://example.com/no></script><a href=http://example.com/3>"
	want = []string{"http://example.com/1", "http://example.com/2", "http://example.com/3"}
	if got := urls(seeds.HTML(strings.NewReader(hard))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// In a tag longer than the limit the last attributes count, and a comment of any
	// length hides links.
	long := strings.Repeat("x", 3<<20)
	want = []string{"http://example.com/1", "http://example.com/2"}
	if got := urls(seeds.HTML(strings.NewReader("<a title='" + long + "' href=http://example.com/1><!--" + long +
		"<a href=http://example.com/no>--><a href=http://example.com/2>"))); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	declared := "<meta charset=windows-1251><a href='http://example.com/путь'>"
	if got := urls(seeds.HTML(strings.NewReader(in(t, "windows-1251", declared)))); !slices.Equal(got,
		[]string{"http://example.com/путь"}) {
		t.Errorf("got %q", got)
	}
}

func TestDetect(t *testing.T) {
	for _, test := range []struct {
		name, head string
		want       seeds.Format
	}{
		{"", "", seeds.TextFormat},
		{"x.html", "", seeds.HTMLFormat},
		{"", "http://example.com/\n# x\nexample.com\n", seeds.ListFormat},
		{"x.txt", "<http://example.com/>\n", seeds.ListFormat},
		{"", "http://example.com/\n" + strings.Repeat("example.com/x\n", 1000)[:4077] + "x y", seeds.ListFormat},
		{"", "http://example.com/ is a page", seeds.TextFormat},
		{"x.md", "http://example.com/\n", seeds.TextFormat},
		{"", "# Only a comment\n", seeds.TextFormat},
		{"", message("", ""), seeds.MailFormat},
		{"", "From \nFrom: x\n", seeds.MailFormat},
		{"", "From here on http://example.com/\n", seeds.TextFormat},
		{"", "Received: from x\n\tby y\nDate: x\n\n", seeds.MailFormat},
		{"", "Date: today\nhttp://example.com/\n", seeds.TextFormat},
		{"INBOX.MBOX.gz", "", seeds.MailFormat},
		{"x.eml", "hello", seeds.MailFormat},
		{"x.txt", zip(message("", "")), seeds.MailFormat},
		{"", "<!DOCTYPE html><p>", seeds.HTMLFormat},
		{"", "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n", seeds.HTMLFormat},
		{"", "<?xml version='1.0'?>\n<!-- x -->\n<html>", seeds.HTMLFormat},
		{"", " <p>x", seeds.HTMLFormat},
		{"", "<?xml version='1.0'?><urlset xmlns='x'>", seeds.SitemapFormat},
		{"x.html", "\xef\xbb\xbf<sitemapindex>", seeds.SitemapFormat},
		{"", "<a:rdf x='y'>", seeds.SitemapFormat},
		{"", "<unheard-of>", seeds.TextFormat},
		{"", "<<<", seeds.TextFormat},
		{"", "\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00", seeds.HTMLFormat},
		{"", "\x1f\x8b broken", seeds.TextFormat},
	} {
		if got := seeds.Detect(test.name, []byte(test.head)); got != test.want {
			t.Errorf("Detect(%q, %.40q) is %v, want %v", test.name, test.head, got, test.want)
		}
	}
}

func zip(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.String()
}

func TestRead(t *testing.T) {
	broken := errors.New("the disk is gone")
	for _, test := range []struct {
		name string
		r    io.Reader
		want []string
	}{
		{"x", strings.NewReader("example.com\nhttp://example.com/a\n"),
			[]string{"https://example.com", "http://example.com/a"}},
		{"x", strings.NewReader("See http://example.com/a, or example.org.\n"), []string{"http://example.com/a"}},
		{"x.mbox.gz", strings.NewReader(zip(zip(message("Content-Transfer-Encoding: base64\n",
			b64("http://example.com/a"))))), []string{"http://example.com/a"}},
		{"x.html", strings.NewReader("<a href=http://example.com/a>http://example.com/b</a>"),
			[]string{"http://example.com/a"}},
		{"s\x1b.xml", strings.NewReader("<urlset>"),
			[]string{`error: s\x1b.xml: this is a sitemap or a feed: read it as such`}},
		{"", strings.NewReader("example.com\n?\nexample.org\n" + strings.Repeat("#\n", 3000)), nil},
		{"x", iotest.ErrReader(broken), []string{"error: x: the disk is gone"}},
		{"x.mbox", io.MultiReader(strings.NewReader(message("", "http://example.com/a ")), iotest.ErrReader(broken)),
			[]string{"http://example.com/a", "error: x.mbox: the disk is gone"}},
		{"x.html", io.MultiReader(strings.NewReader("<a href=http://example.com/a>"), iotest.ErrReader(broken)),
			[]string{"http://example.com/a", "error: x.html: the disk is gone"}},
		{"x.gz", strings.NewReader("\x1f\x8bx"), []string{"error: x.gz: unexpected EOF"}},
		{"x.gz", strings.NewReader(zip("http://example.com/a ")[:20]), []string{"error: x.gz: unexpected EOF"}},
	} {
		if got := urls(seeds.Read(test.name, test.r)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
