package seeds_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"mime/multipart"
	"net/textproto"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/crawler/internal/seeds"
)

// The slow twin of Text checks at each byte of a line whether a URL begins there, with
// a regular expression, and then extends the URL as long as it stays valid.
var (
	slowURL  = regexp.MustCompile(`^(?i:https?://)(?:[^/?#@ <>"\t]{0,200}@)?`)
	slowWWW  = regexp.MustCompile(`^(?i:www)\.`)
	slowName = regexp.MustCompile(`^[\w\x{b7}\x{200c}\x{200d}\p{Nd}\pL\pM][\w\x{b7}\x{200c}\x{200d}\p{Nd}\pL\pM-]*(?:\.[\w\x{b7}\x{200c}\x{200d}\p{Nd}\pL\pM][\w\x{b7}\x{200c}\x{200d}\p{Nd}\pL\pM-]*)*`)
	slowIPv6 = regexp.MustCompile(`^\[[0-9A-Fa-f:.]{2,}\]`)
	slowPort = regexp.MustCompile(`^:[0-9]+`)
	slowEnd  = regexp.MustCompile("[\\x00-\\x20\\x7f<>\"`\\\\\\pZ\\p{Cc}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\u2014\u2015\u2026\u3001-\u3003\ufe10-\ufe19\uff01-\uff0f\uff1a\uff1b\uff1f\uff20\uff61-\uff65]|&(?:lt|gt|quot|#34|#39|apos|nbsp);")
	// before a name without scheme
	slowWord   = regexp.MustCompile(`[\w@./%=&?:#~-]$`)
	slowOpened = regexp.MustCompile(`(?i)(<|<[ \t]*URL:[ \t]*)$`)
)

// slowLine returns the URLs in a line, and false if the expressions cannot decide: for
// invalid UTF-8, and for a URL in angle brackets that may continue on the next line.
func slowLine(line string) (urls []string, ok bool) {
	if !utf8.ValidString(line) || strings.Contains(line, "\ufffd") {
		return nil, false
	}
	for i := 0; i < len(line); {
		host := i + len(slowURL.FindString(line[i:]))
		www := host == i
		if www && (slowWWW.FindString(line[i:]) == "" || slowWord.MatchString(line[:i]) &&
			!strings.HasSuffix(strings.ToLower(line[:i]), "url:")) {
			i++
			continue
		}
		end := host + slowHost(line[host:])
		if name := strings.ToLower(line[host:end]); end == host || name == "http" || name == "https" {
			i++
			continue
		}
		if name := slowName.FindString(line[host:end]); www && strings.Count(strings.TrimRight(name, "-."), ".") < 2 {
			i++
			continue
		}
		if rest := strings.TrimPrefix(line[end:], "."); rest != "" && strings.ContainsRune("/?#", rune(rest[0])) {
			end = len(line) - len(rest)
			for end < len(line) && slowLonger(line, host, end+1, i) {
				end++
			}
		}
		if end == len(line) && slowOpened.MatchString(line[:i]) {
			return nil, false
		}
		url := strings.TrimRight(line[i:end], ".,;:!?'*|([{")
		if i > 0 && (line[i-1] == '_' || line[i-1] == '~') {
			url = strings.TrimSuffix(url, line[i-1:i])
		}
		urls = append(urls, url)
		i = max(end, i+1)
	}
	return urls, true
}

// slowHost returns the length of the host, with its port, at the start of a text.
func slowHost(text string) int {
	host := slowIPv6.FindString(text)
	if host == "" {
		host = strings.TrimRight(slowName.FindString(text), "-.")
		labels := strings.Split(host, ".")
		last := labels[len(labels)-1]
		if foreign := strings.IndexFunc(last, func(c rune) bool { return c > unicode.MaxASCII }); foreign > 0 &&
			len(labels) > 1 {
			host = strings.TrimRight(host[:len(host)-len(last)+foreign], "-")
		}
	}
	if host == "" {
		return 0
	}
	return len(host) + len(slowPort.FindString(text[len(host):]))
}

// slowLonger reports whether the URL whose host begins at host is still a URL if it
// ends at end.
func slowLonger(line string, host, end, start int) bool {
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end++
	}
	last, size := utf8.DecodeLastRuneInString(line[:end])
	path := line[host:end]
	if last == '\u200c' || last == '\u200d' {
		return true
	}
	bracket := strings.ContainsRune("()[]{}", last)
	if unicode.Is(unicode.Cf, last) || !bracket && slowEnd.MatchString(string(last)) || last == '&' &&
		strings.HasPrefix(slowEnd.FindString(line[end-size:]), "&") &&
		slowEnd.FindStringIndex(line[end-size:])[0] == 0 {
		return false
	}
	if start > 0 && (line[start-1] == '\'' || line[start-1] == '|') && rune(line[start-1]) == last {
		return false
	}
	path = path[slowHost(path):] // brackets of an address do not count
	for _, pair := range []string{"()", "[]", "{}"} {
		if strings.Count(path, pair[1:]) > strings.Count(path, pair[:1]) {
			return false
		}
	}
	return true
}

// compareLine compares the URLs found in a line with those of the twin.
func compareLine(t *testing.T, line string) int {
	t.Helper()
	want, ok := slowLine(line)
	if !ok {
		return 0
	}
	if got := seeds.InLine([]byte(line)); !slices.Equal(got, want) {
		t.Errorf("%q:\ngot  %q\nwant %q", line, got, want)
	}
	return len(want)
}

func TestTwin(t *testing.T) {
	for _, test := range texts {
		for line := range strings.SplitSeq(test.text, "\n") {
			compareLine(t, strings.TrimSuffix(line, "\r"))
		}
	}
	pieces := strings.Fields(`http:// https:// www. example.com a.b. / /x ? # & &lt; &gt; &amp; ( ) [ ] { } < > " ' | * _ ~ . , ; : :80 - @ 日本 。 é – … « » [::1] URL: <URL: \ ` + "`")
	pieces = append(pieces, " ", "\t", "\u00a0", "\u200d", "\x00")
	rnd := rand.New(rand.NewPCG(1, 2))
	n := 0
	for range 4_000 {
		var line strings.Builder
		for range 1 + rnd.IntN(12) {
			line.WriteString(pieces[rnd.IntN(len(pieces))])
			if rnd.IntN(3) == 0 {
				line.WriteString("http://example.com/")
			}
		}
		n += compareLine(t, line.String())
	}
	if n < 2_000 {
		t.Errorf("only %d URLs", n)
	}
}

func FuzzText(f *testing.F) {
	for _, test := range texts {
		if len(test.text) < 1000 {
			f.Add(test.text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for line := range strings.SplitSeq(text, "\n") {
			if len(line) < 300 {
				compareLine(t, line)
			}
		}
		whole := transcript(t, seeds.Text(strings.NewReader(text)))
		if pieces := transcript(t, seeds.Text(iotest.OneByteReader(strings.NewReader(text)))); pieces != whole {
			t.Errorf("%q in pieces, %q whole", pieces, whole)
		}
	})
}

// transcript returns all results as text, after checking that each has the promised
// form.
func transcript(t *testing.T, found func(func(string, error) bool)) string {
	var b strings.Builder
	for f, err := range found {
		fmt.Fprintln(&b, f, err)
		if err != nil {
			continue
		}
		if !strings.HasPrefix(strings.ToLower(f), "http") || len(f) < len("http://x") {
			t.Errorf("found %q", f)
		}
	}
	return b.String()
}

// FuzzRead reads any input in any format, whole and in pieces, and expects the same
// results.
func FuzzRead(f *testing.F) {
	f.Add("", []byte("example.com\nhttp://example.org/ # x\n"))
	f.Add("x.html", []byte("<base href=http://example.com/><a href=x><iframe src='//y'>"))
	f.Add("x.mbox", []byte(message("Content-Type: multipart/mixed; boundary=b\n",
		"--b\nContent-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n<a href=3D\"http://example.com/=C1\">\n--b\nContent-Type: message/rfc822\n\nContent-Type: text/plain; format=flowed; delsp=yes\n\nhttp://example.com/ \nx\n--b--")))
	f.Add("x.mbox", []byte(message(fmt.Sprintf("Content-Length: %d\n", len(inner)),
		inner)+message("Content-Transfer-Encoding: base64\n", b64("http://example.com/"))))
	f.Add("x.gz", []byte(zip("http://example.com/ and more")))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		whole := transcript(t, seeds.Read(name, bytes.NewReader(data)))
		if pieces := transcript(t, seeds.Read(name, iotest.OneByteReader(bytes.NewReader(data)))); pieces != whole {
			t.Errorf("in pieces:\n%s\nwhole:\n%s", pieces, whole)
		}
		transcript(t, seeds.Mail(bytes.NewReader(data)))
		transcript(t, seeds.HTML(bytes.NewReader(data)))
		transcript(t, seeds.List(bytes.NewReader(data)))
	})
}

// A post writes messages, each in one of many forms.
type post struct {
	*rand.Rand
	n    int
	want []string
}

// url returns a new URL.
func (p *post) url() string {
	p.n++
	url := fmt.Sprintf("http://example.com/%d/%s?a=b=c&d", p.n, strings.Repeat("long/", p.IntN(30)))
	p.want = append(p.want, url)
	return url
}

// body returns the fields of a body, and the body.
func (p *post) body(depth int) (textproto.MIMEHeader, string) {
	h := textproto.MIMEHeader{}
	var text string
	switch kind := p.IntN(7); {
	case kind == 0 && depth < 4:
		var b strings.Builder
		w := multipart.NewWriter(&b)
		for range p.IntN(4) {
			header, body := p.body(depth + 1)
			part, _ := w.CreatePart(header)
			io.WriteString(part, body)
		}
		w.Close()
		h.Set("Content-Type", "multipart/alternative; boundary="+w.Boundary())
		return h, b.String()
	case kind == 1 && depth < 4:
		header, body := p.body(depth + 1)
		h.Set("Content-Type", "message/rfc822")
		return h, fields(header) + "\r\n" + body
	case kind == 2:
		h.Set("Content-Type", "text/html; charset=utf-8")
		text = "<p>Page é\r\n<a class=x href=\"" + strings.ReplaceAll(p.url(), "&", "&amp;") + "\">http://no</a>\r\n"
	case kind == 3:
		h.Set("Content-Type", "application/octet-stream")
		return h, "http://example.com/attached"
	default:
		if kind == 4 {
			h.Set("Content-Type", "text/plain; charset=utf-8")
		}
		text = "Text é\r\nsee <" + p.url() + ">,\r\n> and " + p.url() + ".\r\n"
	}
	switch p.IntN(3) {
	case 0:
		h.Set("Content-Transfer-Encoding", "quoted-printable")
		text = qp(text)
	case 1:
		h.Set("Content-Transfer-Encoding", "base64")
		text = b64(text)
	}
	return h, text
}

func fields(h textproto.MIMEHeader) string {
	s := "Subject: x\r\n"
	for name, values := range h {
		s += name + ": " + values[0] + "\r\n"
	}
	return s
}

// TestPost finds, in archives of all kinds of messages, exactly the URLs in them.
func TestPost(t *testing.T) {
	quote := regexp.MustCompile(`(?m)^>*From `)
	for seed := range uint64(300) {
		p := &post{Rand: rand.New(rand.NewPCG(seed, 0))}
		var archive strings.Builder
		var want []string
		form := p.IntN(4)
		for i := range p.IntN(5) {
			had := len(p.want)
			h, body := p.body(0)
			if h.Get("Content-Transfer-Encoding") == "" && h.Get("Content-Type") != "message/rfc822" && p.IntN(2) == 0 {
				body = "From me\r\n" + body
			}
			switch form {
			case 0, 1:
				body = quote.ReplaceAllStringFunc(body, func(s string) string {
					if form == 0 && s[0] == '>' {
						return s
					}
					return ">" + s
				})
			default:
				h.Set("Content-Length", fmt.Sprint(len(body)))
			}
			fmt.Fprintf(&archive,
				"From a@example.com Mon May  5 12:00:00 2003\r\nMessage-ID: <%d@x>\r\n%s\r\n%s\r\n\r\n", i, fields(h),
				body)
			for _, url := range p.want[had:] {
				want = append(want, fmt.Sprint(i+1, " ", url))
			}
		}
		text := archive.String()
		if p.IntN(2) == 0 && form < 2 {
			text = strings.ReplaceAll(text, "\r\n", "\n")
		}
		got := seeds.Places(strings.NewReader(text))
		if !slices.Equal(got, want) {
			t.Fatalf("got\n%s\nwant\n%s\nof\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), text)
		}
	}
}
