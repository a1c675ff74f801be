package accesslog

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// headFormats are formats that have a head, with the number of steps in the head and of all steps.
var headFormats = []struct {
	text            string
	inHead, inTotal int
}{
	{"combined", 9, 9},
	{"common", 6, 7},
	{"vhost-combined", 9, 10},
	{"vhost-common", 6, 8},
	{"combined-names", 9, 9},
	{"common-names", 6, 7},
	{`$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for" $request_time`, 8, 10},
	{`LogFormat "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-agent}i\" %D" timed`, 9, 10},
	{`> $remote_addr - - [$time_local] "$request" $status $body_bytes_sent "$http_user_agent"`, 0, 6},
	{"ovh", 0, 9},
	{"gandi", 0, 11},
	{"alb", 0, 17},
}

// TestFindHead checks which steps of formats are in their heads.
func TestFindHead(t *testing.T) {
	for _, c := range headFormats {
		f, err := ParseFormat(c.text)
		if err != nil {
			t.Error(err)
			continue
		}
		template, inHead := f.reader.(*template), 0
		if h := template.head; h != nil {
			inHead = h.after - h.first
		}
		if inHead != c.inHead || len(template.steps) != c.inTotal {
			t.Errorf("%s: %d of %d steps are in the head, want %d of %d", c.text, inHead, len(template.steps), c.inHead,
				c.inTotal)
		}
	}
}

// TestHead checks which lines the head of the combined format reads: nearly all must be among
// them.
func TestHead(t *testing.T) {
	f, err := ParseFormat("combined")
	fatal.If(t, err)
	usual := `66.249.66.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 203023 "http://example.com/" "Googlebot/2.1"`
	for _, c := range []struct {
		old, new string
		want     bool
	}{
		{"", "", true},
		{"66.249.66.1", "2001:db8::1", true},
		{"66.249.66.1", "255.255.255.255", true},
		{"66.249.66.1", "0.0.0.0", true},
		{"66.249.66.1", "0.0.0.01", false},
		{"66.249.66.1", "1.2.3.256", false},
		{"66.249.66.1", "1.2.3.4.5", false},
		{"66.249.66.1", "a", false},
		{"- -", "- joe", true},
		{"- -", "- ", true},
		{"- -", "- joe doe", false},
		{"- -", "joe -", false},
		{"- - [", "- [", false},
		{"May", "Mai", false},
		{"+0200", "-1130", true},
		{"+0200", "+02:0", false},
		{"17/May", "32/May", false},
		{":10:", ":24:", false},
		{":05:", ":60:", false},
		{":03", ":60", true},
		{"GET /a?b=c HTTP/1.1", "", true},
		{"GET /a?b=c HTTP/1.1", `a" b`, false},
		{"200", "-", false},
		{"203023", "-", true},
		{"203023", "1234567", true},
		{"203023", "12345678", false},
		{"http://example.com/", "", true},
		{"Googlebot/2.1", "-", true},
		{"Googlebot/2.1", `\"`, false},
		{`2.1"`, `2.1" more`, true},
		{`2.1"`, `2.1`, false},
	} {
		line := []byte(strings.Replace(usual, c.old, c.new, 1))
		d := draft{Request: new(Request)}
		_, ok := f.reader.(*template).head.read(line, &d)
		if ok = ok && bytes.IndexByte(line, '\\') < 0; ok != c.want {
			t.Errorf("the head reads %s: %v, want %v", line, ok, c.want)
		}
	}
}

// TestUsualHead checks which formats have lines that are nothing but a head, and that a usual line
// takes nothing from the line before.
func TestUsualHead(t *testing.T) {
	for text, want := range map[string]bool{
		"combined": true, "combined-names": true, "common": false, "vhost-combined": false, "ovh": false,
		"caddy": false,
		`> $remote_addr - - [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`: false,
	} {
		f, err := ParseFormat(text)
		fatal.If(t, err)
		if got := usualHead(form{format: f}) != nil; got != want {
			t.Errorf("lines of %s are nothing but a head: %v, want %v", text, got, want)
		}
		if usualHead(form{format: f, envelope: envelopes[0]}) != nil {
			t.Errorf("lines of %s in an envelope are nothing but a head", text)
		}
	}
	log := `1.2.3.4 - - [10/Feb/2012:16:42:07 +0000] "GET http://a.example/b HTTP/1.0" 200 1 "c" "d"` + "\n" +
		`a.example - - [10/Feb/2012:16:42:08 +0000] "GET /e HTTP/1.0" 200 1 "f" "\"g"` + "\n" +
		`5.6.7.8 - - [10/Feb/2012:16:42:09 +0100] "-" 400 - "-" "-"` + "\n"
	f, err := ParseFormat("combined-names")
	fatal.If(t, err)
	reader, last := Reader{Formats: []*Format{f}}, Request{}
	for r, err := range reader.From("log", strings.NewReader(log)).Requests() {
		fatal.If(t, err)
		last = *r
	}
	want := Request{Client: netip.MustParseAddr("5.6.7.8"), Time: time.Date(2012, 2, 10, 15, 42, 9, 0, time.UTC),
		Zoned: true, Status: 400, Bytes: -1, Duration: -1}
	if err := sameRequest(&last, &want); err != nil || last.Line != 3 {
		t.Errorf("line %d, got and want: %v", last.Line, err)
	}
}

// FuzzHead compares templates with a head with the same templates without it.
func FuzzHead(f *testing.F) {
	for _, line := range []string{
		`66.249.66.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 203023 "http://example.com/" "Mozilla/5.0 (compatible; Googlebot/2.1)"`,
		`example.com:443 [::ffff:1.2.3.4]:8080 - - [31/Dec/1969:23:59:59 -0730] "OPTIONS * HTTP/2.0" 200 0 "-" "-"`,
		`2001:db8::1 - - [29/Feb/2016:23:59:60 +0000] "POST http://a@example.com:80?x HTTP/1.1" 404 12345678 "" "a" 17 more`,
		`1.2.3.4 - joe [10/Feb/2012:16:42:07 -0500] "GET / HTTP/1.0" 301 368`,
		`1.2.3.4 -  [10/Feb/2012:16:42:07 -0500] "GET / HTTP/1.0" 301 368 "-" "-"`,
		`1.2.3.4 - a [b [10/Feb/2012:16:42:07 -0500] "GET / HTTP/1.0" 301 368 "-" "-"`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] "-" 400 - "-" "-" "10.0.0.1, 10.0.0.2" 0.250`,
		`255.255.255.255 - - [10/feb/2012:16:42:07 +1400] "GET /a HTTP/1 1" 301 1 "b" "c" 1500`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07 +0000] "GET" / HTTP/1.0" 301 1 "" ""`,
		`1.2.3.4 - - [10/Feb/2012:24:42:07 +0000] "GET / HTTP/1.0" 99x -1 "a" b" "c"`,
	} {
		f.Add(line)
	}
	type pair struct {
		text        string
		quick, slow form
	}
	var pairs []pair
	for _, c := range headFormats {
		format, err := ParseFormat(c.text)
		fatal.If(f, err)
		bare := *format.reader.(*template)
		bare.head = nil
		pairs = append(pairs, pair{c.text, form{format: format}, form{format: &Format{reader: &bare}}})
	}
	f.Fuzz(func(t *testing.T, line string) {
		// A second worker reads another line first, so that its memory of times is of that line.
		quick, later, slow := newWorker(&Reader{}), newWorker(&Reader{}), newWorker(&Reader{})
		for _, c := range pairs {
			want := slow.try(c.slow, []byte(line))
			later.try(c.quick, []byte(`1.2.3.4 - - [10/Feb/2012:16:42:07 +0000] "GET / HTTP/1.0" 200 1 "" ""`))
			h := usualHead(c.quick)
			if h != nil && !strings.ContainsAny(line, "\\\r\n") && quick.readUsual(h, []byte(line)) {
				if want != "" {
					t.Fatalf("%s, %q is a usual line; without a head: %s", c.text, line, want)
				}
				if err := sameRequest(&quick.request, &slow.request); err != nil {
					t.Fatalf("%s, %q: as a usual line and without a head: %v", c.text, line, err)
				}
				if got, want := quick.request.Text, slow.request.Text; !bytes.Equal(got, want) {
					t.Fatalf("%s, %q: the text is %q as a usual line, %q without a head", c.text, line, got, want)
				}
			}
			for _, w := range []*worker{quick, later} {
				got := w.try(c.quick, []byte(line))
				if got != want {
					t.Fatalf("%s, %q: %q with a head, %q without", c.text, line, got, want)
				}
				if got != "" {
					continue
				}
				if err := sameRequest(&w.request, &slow.request); err != nil {
					t.Fatalf("%s, %q: with a head and without: %v", c.text, line, err)
				}
				if got, want := w.request.Text, slow.request.Text; !bytes.Equal(got, want) {
					t.Fatalf("%s, %q: the text is %q with a head, %q without", c.text, line, got, want)
				}
			}
		}
	})
}

// FuzzUsual compares the reading of blocks with a head and without.
func FuzzUsual(f *testing.F) {
	line := `66.249.66.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 203023 "-" "a"`
	for _, text := range []string{
		line + "\n" + line + "\r\n" + line, line + "\r\r\n\n" + line + "\n#\n" + line + "\n",
		line + "\"\n" + line + "\n", "\ufeff" + line + "\n \n\n" + line + "\n", strings.Replace(line, "a", `\"`, 1) +
			"\n" + line + "\n",
	} {
		f.Add(text)
	}
	format, err := ParseFormat("combined")
	fatal.If(f, err)
	bare := *format.reader.(*template)
	bare.head = nil
	forms := []form{{format: format}, {format: &Format{name: format.name, reader: &bare}}}
	f.Fuzz(func(t *testing.T, text string) {
		var read [2][]string
		for i := range read {
			w, log := newWorker(&Reader{MaxLine: 1000}), &logInput{}
			form := forms[i]
			w.readBlock(&block{log: log, first: 1, data: []byte(text), form: form}, func(r *Request, err error) bool {
				read[i] = append(read[i], fmt.Sprintf("%+v %v", r, err))
				return true
			})
			w.addTo()
			read[i] = append(read[i], fmt.Sprint(log.Lines, log.Requests, log.Unreadable, log.Empty, log.Comments))
		}
		if !slices.Equal(read[0], read[1]) {
			t.Errorf("%q is read with a head as\n%s\nand without as\n%s", text, strings.Join(read[0], "\n"),
				strings.Join(read[1], "\n"))
		}
	})
}

// TestHeadCorpus compares the head of the combined format with its steps, on the lines of real
// logs.
func TestHeadCorpus(t *testing.T) {
	corpus.Unraced(t)
	f, err := ParseFormat("combined")
	fatal.If(t, err)
	steps := *f.reader.(*template)
	head := steps.head
	steps.head = nil
	for _, name := range []string{"honeynet-2004", "honeypot-form-2015", "lnav-playground-2022", "semicomplete-2015",
		"shop-zanbil-2019"} {
		file, err := os.Open(corpus.Path(t, "logs", "large", name+".log.gz"))
		fatal.If(t, err)
		defer file.Close()
		z, err := gzip.NewReader(file)
		fatal.If(t, err)
		quick, slow := newWorker(&Reader{}), newWorker(&Reader{})
		lines, read := 0, 0
		in := bufio.NewScanner(z)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			line := in.Bytes()
			if lines++; lines%corpus.Cases(4, 1) != 0 {
				continue
			}
			if bytes.IndexByte(line, '\\') < 0 {
				if _, ok := head.read(line, &draft{Request: new(Request)}); ok {
					read++
				}
			}
			got, want := quick.try(form{format: f}, line), slow.try(form{format: &Format{reader: &steps}}, line)
			if got != want {
				t.Fatalf("%s: %q: %q with a head, %q without", name, line, got, want)
			}
			if got == "" {
				if err := sameRequest(&quick.request, &slow.request); err != nil {
					t.Fatalf("%s: %q: with a head and without: %v", name, line, err)
				}
			}
		}
		fatal.If(t, in.Err())
		t.Logf("%s: the head reads %d of %d lines", name, read, lines)
	}
}

// TestLeadingIPv4 compares leadingIPv4 with package netip, for numbers of all lengths at all
// places, and for texts that are not addresses.
func TestLeadingIPv4(t *testing.T) {
	numbers := []string{"0", "7", "00", "07", "10", "99", "100", "199", "200", "255", "256", "999", "1000", "", "a",
		"1a", "-1"}
	for _, a := range numbers {
		for _, b := range numbers {
			for _, c := range numbers {
				for _, d := range numbers {
					s := fmt.Sprintf("%s.%s.%s.%s", a, b, c, d)
					want, err := netip.ParseAddr(s)
					v, n := leadingIPv4([]byte(s + " - - [17/May"))
					got := netip.AddrFrom4([4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
					if ok := n == len(s); ok != (err == nil) || ok && got != want {
						t.Fatalf("leadingIPv4(%q) = %v, %d; netip says %v", s, got, n, want)
					}
				}
			}
		}
	}
	for _, s := range []string{"1.2.3.4", "1.2.3.4:80 - - [17/May", "1.2.3 4 - - [17/May", "1.2.3.4.5 - - [17/May",
		"1.2.3.4\xff- - [17/May", "                    "} {
		if _, n := leadingIPv4([]byte(s)); n != 0 {
			t.Errorf("leadingIPv4 reads an address of %d bytes from %q", n, s)
		}
	}
}
