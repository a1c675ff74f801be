package seeds_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/seeds"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// archive returns an archive of about the given size in bytes, with messages as in
// mailing lists: half of them plain, half with encoded parts, and two URLs in each.
func archive(size int) string {
	words := strings.Fields("the robot shall not visit any page that begins with one of these paths, and /robots.txt is where it is told so")
	rnd := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		var text strings.Builder
		for line := range 40 {
			for range 10 {
				text.WriteString(words[rnd.IntN(len(words))] + " ")
			}
			if text.WriteString("\n"); line%20 == 10 {
				fmt.Fprintf(&text, "> see <http://www.example.com/list/%d/%d.html>,\n", i, line)
			}
		}
		header, body := "", text.String()
		if i%2 == 1 {
			header = "Content-Type: multipart/alternative; boundary=b\n"
			body = "--b\nContent-Transfer-Encoding: quoted-printable\n\n" + qp(body) +
				"\n--b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n" +
				b64("<p>"+strings.ReplaceAll(body, "<", "<a href='x'>")) + "\n--b--\n"
		}
		b.WriteString(message(fmt.Sprintf("Message-ID: <%d@example.com>\n%s", i, header), body))
	}
	return b.String()
}

// count returns the number of URLs found, and fails on an error.
func count(tb testing.TB, found func(func(string, error) bool)) (n int) {
	for _, err := range found {
		fatal.If(tb, err)
		n++
	}
	return n
}

// TestCost limits the allocations of reading text to one for each URL, and of plain
// mail to a few for each message.
func TestCost(t *testing.T) {
	corpus.Unraced(t)
	text := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "A line without any, and one with it: (http://example.com/%d).\nAnd another\n", i)
		}
		return b.String()
	}
	mail := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(message("Message-ID: <1@x>\n", fmt.Sprintf("http://example.com/%d", i)))
		}
		return b.String()
	}
	const more = 1000
	for _, test := range []struct {
		name string
		text func(n int) string
		most float64
	}{{"text", text, 1.1}, {"mail", mail, 20}} {
		allocations := func(text string) float64 {
			return testing.AllocsPerRun(5, func() { count(t, seeds.Read("", strings.NewReader(text))) })
		}
		if got := (allocations(test.text(100+more)) - allocations(test.text(100))) / more; got > test.most {
			t.Errorf("%s: %.1f allocations for each URL, want at most %.1f", test.name, got, test.most)
		}
	}
}

// BenchmarkRead reads files of 16 MiB.
func BenchmarkRead(b *testing.B) {
	const size = 16 << 20
	mail := archive(size)
	plain := strings.ReplaceAll(mail, "Content-", "X-")
	var list strings.Builder
	for i := 0; list.Len() < size; i++ {
		fmt.Fprintf(&list, "https://www.example.com/products/category-%d/item-%d.html\n", i%97, i)
	}
	var page strings.Builder
	for i := 0; page.Len() < size; i++ {
		fmt.Fprintf(&page,
			"<p class=x>Some text and <a class=y href=\"http://example.com/%d\">a link</a>, and text again, as it is on pages.</p>\n", i)
	}
	run := func(name, text string, read func(io.Reader) func(func(string, error) bool)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = count(b, read(strings.NewReader(text)))
			}
			b.ReportMetric(float64(n), "urls")
		})
	}
	run("text", plain, func(r io.Reader) func(func(string, error) bool) { return seeds.Text(r) })
	run("list", list.String(), func(r io.Reader) func(func(string, error) bool) { return seeds.List(r) })
	run("html", page.String(), func(r io.Reader) func(func(string, error) bool) { return seeds.HTML(r) })
	run("mail", mail, func(r io.Reader) func(func(string, error) bool) { return seeds.Mail(r) })
}
