package seeds_test

import (
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/seeds"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// An endless reader repeats a text for ever.
type endless struct {
	text string
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		k := copy(p[n:], e.text[e.at:])
		e.at = (e.at + k) % len(e.text)
		n += k
	}
	return n, nil
}

// repeated returns a reader that repeats a text up to about the given number of bytes.
func repeated(text string, size int64) io.Reader {
	return io.LimitReader(&endless{text: text}, size-size%int64(len(text)))
}

// huge lists files with one huge element, a URL before it and a URL after it.
var huge = []struct{ name, begin, text, end string }{
	{"line", "http://example.com/1 ", "x", " http://example.com/2"},
	{"line of blanks", "http://example.com/1", " ", "http://example.com/2"},
	{"URL", "http://example.com/1 http://example.com/", "x", " http://example.com/2"},
	{"brackets", "http://example.com/1 <", "<", "http://example.com/2>"},
	{"URL in brackets", "http://example.com/1 <http://example.com/", "x\n", "y z> http://example.com/2"},
	{"colons", "http://example.com/1 ", "://", " http://example.com/2"},
	{"schemes", "http://example.com/1 ", "http:// ", " http://example.com/2"},
	{"names", "http://example.com/1 ", "www. ", " http://example.com/2"},
	{"short names", "http://example.com/1 ", "www.x?(", " http://example.com/2"},
	{"users", "http://example.com/1 ", "http://@", " http://example.com/2"},
	{"one again and again", "http://example.com/1 ", "http://example.com/1\n", " http://example.com/2"},
	{"empty lines", "http://example.com/1", "\n", " http://example.com/2"},
	{"blank in a URL", "<http://example.com/1", "\n \n", " http://example.com/2"},

	{"tag", "<a href=http://example.com/1><a href='", "x", "'><a href=http://example.com/2>"},
	{"attributes", "<a href=http://example.com/1><a", " x=y", "><a href=http://example.com/2>"},
	{"comment", "<a href=http://example.com/1><!--", "x", "--><a href=http://example.com/2>"},
	{"script", "<a href=http://example.com/1><script>", "x", "</script><a href=http://example.com/2>"},
	{"open tags", "<a href=http://example.com/1>", "<div>", "<a href=http://example.com/2>"},

	{"header",
		"From a Mon May  5 12:00:00 2003\nFrom: x\n\nhttp://example.com/1\n\nFrom a Mon May  5 12:00:00 2003\nSubject: ", "x", "\nTo: x\n\nhttp://example.com/2"},
	{"folded header",
		"From a Mon May  5 12:00:00 2003\nFrom: x\n\nhttp://example.com/1\n\nFrom a Mon May  5 12:00:00 2003\nContent-Type: text/plain;\n", " x\n", "\nhttp://example.com/2"},
	{"fields", "From a Mon May  5 12:00:00 2003\nFrom: x\n\nhttp://example.com/1\n\nFrom a Mon May  5 12:00:00 2003\n",
		"X-X: x\n", "\nhttp://example.com/2"},
	{"separators", "From: x\n\nhttp://example.com/1\n\n", "From a Mon May  5 12:00:00 2003\n",
		"From: x\n\nhttp://example.com/2"},
	{"messages", "From: x\n\nhttp://example.com/1\n\n", "From a Mon May  5 12:00:00 2003\nContent-Length: 200000\n\n\n",
		"From: x\n\nhttp://example.com/2"},
	{"base64", "From: x\nContent-Transfer-Encoding: base64\n\n" + "aHR0cDovL2V4YW1wbGUuY29tLzEg", "eHh4",
		"IGh0dHA6Ly9leGFtcGxlLmNvbS8y"},
	{"quoted-printable", "From: x\nContent-Transfer-Encoding: quoted-printable\n\nhttp://example.com/1 ", "x=\n",
		"\n http://example.com/2"},
	{"no quoted-printable", "From: x\nContent-Transfer-Encoding: quoted-printable\n\nhttp://example.com/1\n", "\x01\n",
		"\nhttp://example.com/2"},
	{"flowed", "From: x\nContent-Type: text/plain; format=flowed; delsp=yes\n\nhttp://example.com/1\n", "x \n",
		" \nhttp://example.com/2"},
	{"parts", "From: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://example.com/1\n", "--b\n\n",
		"--b\n\nhttp://example.com/2\n--b--"},
	{"broken parts", "From: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://example.com/1\n", "--b\nx\n",
		"\nFrom a Mon May  5 12:00:00 2003\nFrom: x\n\nhttp://example.com/2"},
	{"attachment",
		"From: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://example.com/1\n--b\nContent-Type: image/png\n\n", "x", "\n--b\n\nhttp://example.com/2\n--b--"},
	{"deep messages",
		"From: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhttp://example.com/1\n--b\nContent-Type: message/rfc822\n\n", "Content-Type: message/rfc822\n\n", "\n--b\n\nhttp://example.com/2\n--b--"},
}

// TestHuge finds the URLs before and after something huge, in little memory.
func TestHuge(t *testing.T) {
	size := int64(1_500_000) // more than any window, and than maxToken
	if testing.Short() {
		size /= 10
	}
	for _, test := range huge {
		t.Run(test.name, func(t *testing.T) {
			r := io.MultiReader(strings.NewReader(test.begin), repeated(test.text, size), strings.NewReader(test.end))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var got []string
			peak := uint64(0)
			watch := &watched{r: r, every: size / 8, see: func() {
				var now runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc)
			}}
			for f, err := range seeds.Read("", watch) {
				if err != nil {
					t.Error(err)
				}
				got = append(got, f)
			}
			runtime.ReadMemStats(&after)
			if n := len(got); n < 2 || got[0] != "http://example.com/1" || got[n-1] != "http://example.com/2" || n > 3 {
				t.Errorf("found %.200q", got)
			}
			if peak > before.HeapAlloc && peak-before.HeapAlloc > 8<<20 {
				t.Errorf("%d bytes in use, want at most 8 MiB", peak-before.HeapAlloc)
			}
		})
	}
}

// A watched reader measures the memory now and then.
type watched struct {
	r       io.Reader
	n, last int64
	every   int64
	see     func()
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if w.n += int64(n); w.n-w.last > w.every {
		w.last = w.n
		w.see()
	}
	return n, err
}

// TestDeep reads endlessly nested parts, and mail in mail.
func TestDeep(t *testing.T) {
	for _, header := range []string{"Content-Type: multipart/mixed; boundary=b\n\n--b\n",
		"Content-Type: message/rfc822\n\n"} {
		got := urls(seeds.Mail(io.MultiReader(strings.NewReader("From: x\n"),
			repeated(header, int64(corpus.Cases(300_000, 1_000_000))), strings.NewReader("\nhttp://example.com/"))))
		if len(got) > 1 {
			t.Errorf("found %q", got)
		}
	}
}

// TestBombs decompresses only as much as the caller reads.
func TestBombs(t *testing.T) {
	bomb := zip("http://example.com/1 " + strings.Repeat(" ", 8<<20) + "http://example.com/2")
	for f := range seeds.Read("x.gz", strings.NewReader(zip(bomb))) {
		if f != "http://example.com/1" {
			t.Errorf("found %s", f)
		}
		break
	}
}

// TestStop leaves the loop at each URL: the iterator must yield nothing afterwards, or
// the language would panic.
func TestStop(t *testing.T) {
	for _, text := range []string{
		"http://a.b/1 http://a.b/2 http://a.b/3", "a.b\nx\na.c\nhttp://d",
		"<a href=http://a.b/1><a href=http://a.b/2><a href=http://a.b/3>",
		message("Content-Type: multipart/mixed; boundary=b\n",
			"--b\n\nhttp://a.b/1 http://a.b/2\n--b\n\nhttp://a.b/3\n--b--") + message("", "http://a.b/4"),
	} {
		for stop := range 5 {
			n := 0
			for range seeds.Read("", strings.NewReader(text)) {
				if n++; n > stop {
					break
				}
			}
		}
	}
}

// TestHostileHTML reads pages made to be slow: in quadratic time, each would take
// hours.
func TestHostileHTML(t *testing.T) {
	n := corpus.Cases(1<<20, 4<<20)
	for _, unit := range []string{
		"<", "<a", "<a ", "</", "<!", "<!--", "--", "&", "<a href=&", "<a href='", "<b>", "<p>", "</b></p>", "<script>",
		"<script><!--<script>",
		"<title>", "<svg><title>", "<svg>", "<math><mi>", "<![CDATA[", "<svg><![CDATA[", "<plaintext>", "<?", "\x00",
		"\r", "<table>", "<base href=x>", "<a href=//x",
	} {
		if got := urls(seeds.HTML(strings.NewReader("<a href=http://example.com/1>" +
			strings.Repeat(unit, n/len(unit))))); !slices.Equal(got, []string{"http://example.com/1"}) {
			t.Errorf("%q: got %d URLs, the first of which is %q", unit, len(got), got[:min(len(got), 1)])
		}
	}
}
