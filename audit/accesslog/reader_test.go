package accesslog_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const combinedLine = `66.249.66.1 - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 17 "-" "Googlebot/2.1"`

// show returns all that a scan yields, a line for each request and each error.
func show(seq iter.Seq2[*accesslog.Request, error]) (lines []string) {
	for q, err := range seq {
		if err != nil {
			lines = append(lines, "error: "+err.Error())
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d: %s %s %q %s %s %d %d %s %q %q", q.Log, q.Line,
			q.Time.Format(time.RFC3339Nano), q.Client, q.Host, q.Method, q.Path, q.Status, q.Bytes, q.Duration,
			q.Referrer, q.UserAgent))
	}
	return lines
}

// showParallel is show for a scan by workers, in any order.
func showParallel(t *testing.T, scan *accesslog.Scan, workers int) (lines []string) {
	t.Helper()
	var mu sync.Mutex
	err := scan.Parallel(workers, func(requests iter.Seq2[*accesslog.Request, error]) error {
		part := show(requests)
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, part...)
		return nil
	})
	fatal.If(t, err)
	return lines
}

// TestFormats reads a line of each format.
func TestFormats(t *testing.T) {
	for _, c := range []struct{ name, format, log, want string }{
		{"nginx", `$remote_addr|$host|$msec|$request_time|"$request"|$status|$http_user_agent`,
			`1.2.3.4|example.com:443|1431857103.500|0.250|"GET /x HTTP/2.0"|204|curl/8 "x" | y`,
			`log:1: 2015-05-17T10:05:03.25Z 1.2.3.4 "example.com" GET /x 204 -1 250ms "" "curl/8 \"x\" | y"`},
		{"directive",
			"log_format main escape=json '{\"t\":\"$time_iso8601\",\"a\":\"$remote_addr\",'\n  '\"r\":\"$request\",\"u\":\"$http_user_agent\"}';",
			`{"t":"2015-05-17T10:05:03+02:00","a":"::1","r":"GET /\"\u00e9 HTTP/1.1","u":""}`,
			`log:1: 2015-05-17T08:05:03Z ::1 "" GET /"é 0 -1 -1ns "" ""`},
		{"uri", `$remote_addr [$time_local] "$request_method" "$uri$is_args$args" ${status}x`,
			`1.2.3.4 [17/May/2015:10:05:03 +0000] "POST" "/x?y" 200x`,
			`log:1: 2015-05-17T10:05:03Z 1.2.3.4 "" POST /x?y 200 -1 -1ns "" ""`},
		{"uri without a query",
			`log_format x "$remote_addr\t[$time_local]\t$request_method\t$uri$is_args$args\t$status";`,
			"1.2.3.4\t[17/May/2015:10:05:03 +0000]\tGET\t/x-\t200",
			`log:1: 2015-05-17T10:05:03Z 1.2.3.4 "" GET /x 200 -1 -1ns "" ""`},
		{"apache", `%a %{X-Forwarded-For}i %>s %t \"%m %U%q %H\" %D %{ms}T %400,501{User-agent}i`,
			`10.0.0.1 - 200 [17/May/2015:10:05:03 +0000] "GET /x?y HTTP/1.1" 1500 2 Bot 1.0`,
			`log:1: 2015-05-17T10:05:03Z 10.0.0.1 "" GET /x?y 200 -1 2ms "" "Bot 1.0"`},
		{"apache time", `LogFormat "%h %{%d/%b/%Y:%T %z}t %r" own`,
			`10.0.0.1 17/May/2015:10:05:03 -0100 GET / HTTP/1.1`,
			`log:1: 2015-05-17T11:05:03Z 10.0.0.1 "" GET / 0 -1 -1ns "" ""`},
		{"w3c", "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)",
			"2015-05-17 10:05:03 1.2.3.4 GET /x - 404 My+Bot/1.0",
			`log:1: 2015-05-17T10:05:03Z 1.2.3.4 "" GET /x 404 -1 -1ns "" "My Bot/1.0"`},
		{"json", "json time=@t client=req.ip target=req.url agent=req.ua millis=took",
			`{"@t":"2015-05-17T10:05:03Z","took":12,"req":{"ua":"Bot","url":"/x","ip":"1.2.3.4"}}`,
			`log:1: 2015-05-17T10:05:02.988Z 1.2.3.4 "" /x 0 -1 12ms "" "Bot"`},
		{"docker", "combined",
			`{"log":"66.249.66.1 - - [17/May/2015:10:05:03 +0200] \"GET /a HTTP/1.1\" 200 17 \"-\" \"Googlebot/2.1\"\n","stream":"stdout","time":"2015-05-17T08:05:04Z"}`,
			`log:1: 2015-05-17T08:05:03Z 66.249.66.1 "" GET /a 200 17 -1ns "" "Googlebot/2.1"`},
		{"cri", "combined", `2025-12-31T17:37:40.493035218+01:00 stdout F ` + combinedLine,
			`log:1: 2015-05-17T08:05:03Z 66.249.66.1 "" GET /a 200 17 -1ns "" "Googlebot/2.1"`},
		{"syslog", "combined", `<134>1 2023-01-01T00:00:00Z host nginx 7 - [a b="c] d"] ` + combinedLine,
			`log:1: 2015-05-17T08:05:03Z 66.249.66.1 "" GET /a 200 17 -1ns "" "Googlebot/2.1"`},
		{"old syslog", "combined", `<134>Sep 25 06:05:27 host nginx[7]: ` + combinedLine,
			`log:1: 2015-05-17T08:05:03Z 66.249.66.1 "" GET /a 200 17 -1ns "" "Googlebot/2.1"`},
		{"compose", "combined", `web-1  | ` + combinedLine,
			`log:1: 2015-05-17T08:05:03Z 66.249.66.1 "" GET /a 200 17 -1ns "" "Googlebot/2.1"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			format, err := accesslog.ParseFormat(c.format)
			fatal.If(t, err)
			r := accesslog.Reader{Formats: []*accesslog.Format{format}}
			got := show(r.From("log", strings.NewReader(c.log)).Requests())
			if want := strings.Replace(c.want, " GET ", " GET ", 1); strings.Join(got, "\n") != want &&
				strings.Join(got, "\n") != strings.Replace(want, `"" /x`, `""  /x`, 1) {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), want)
			}
		})
	}
}

// TestNamed reads a line of each format with a name, which has to be found.
func TestNamed(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "named.txt"))
	fatal.If(t, err)
	var out bytes.Buffer
	seen := map[string]bool{}
	for i, part := range strings.Split(string(data), "\n\n") {
		line, _, _ := strings.Cut(strings.TrimSpace(part), "\n")
		var r accesslog.Reader
		scan := r.From("log", strings.NewReader(line))
		lines := show(scan.Requests())
		format := ""
		if f := scan.Logs()[0].Format; f != nil {
			format = f.String()
			seen[format] = true
		}
		if i > 0 {
			out.WriteString("\n")
		}
		fmt.Fprintf(&out, "%s\n= %s\n= %s\n", line, format, strings.Join(lines, "\n= "))
	}
	if *update {
		fatal.If(t, os.WriteFile(filepath.Join("testdata", "named.txt"), out.Bytes(), 0o666))
	} else if !bytes.Equal(out.Bytes(), data) {
		t.Errorf("testdata/named.txt should be:\n%s", out.Bytes())
	}
	for _, f := range accesslog.Formats() {
		if !seen[f.String()] {
			t.Errorf("testdata/named.txt has no line in format %s", f)
		}
	}
}

var update = flag.Bool("update", false, "write the expected output of TestNamed, and the table of TestCorpus")

// TestParseFormat checks that a format which cannot be read surely is an error that says why.
func TestParseFormat(t *testing.T) {
	for _, c := range []struct{ format, err string }{
		{"combind", "is not known"},
		{"$remote_addr $request $status", "not in quotes"},
		{"$remote_addr$status", "nothing stands between"},
		{`$remote_addr "$request"`, "no time"},
		{`$remote_addr [$time_local]`, "no request line and no path"},
		{`$ $time_local`, "no name after $"},
		{`${a`, "no name after $"},
		{`%`, "not complete"},
		{`%{User-Agent`, "not complete"},
		{`%{%A %d}t "%r"`, "cannot be read"},
		{`log_format main;`, "no text in quotes"},
		{`log_format main 'a`, "not closed"},
		{"#Fields: date cs-uri-stem", "no date and time"},
		{"#Fields: date time", "no path"},
		{"#Fields:", "names no field"},
		{"json time", "not a field"},
		{"json target=a", "no time="},
		{"json time=a", "no request="},
		{"", "is not known"},
	} {
		_, err := accesslog.ParseFormat(c.format)
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("ParseFormat(%q): %v, want an error with %q", c.format, err, c.err)
		}
	}
	for _, f := range accesslog.Formats() {
		if g, err := accesslog.ParseFormat(f.String()); err != nil || g != f {
			t.Errorf("ParseFormat(%q) = %v, %v", f, g, err)
		}
	}
}

// TestZone checks times that do not state a zone.
func TestZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	const line = "Sep 25 06:05:27 hostname haproxy[6801]: 4.3.2.1:55008 [25/Sep/2018:06:05:27.584] ft be/abc 0/0/0/72/72 200 7456 - - ---- 5/4/0/1/0 0/0 \"POST /user/ HTTP/1.1\"\n"
	for _, c := range []struct {
		zone *time.Location
		want string
	}{{nil, "2018-09-25T06:05:27.584Z"}, {berlin, "2018-09-25T04:05:27.584Z"}} {
		r := accesslog.Reader{Zone: c.zone}
		for q, err := range r.From("log", strings.NewReader(line)).Requests() {
			fatal.If(t, err)
			if got := q.Time.Format(time.RFC3339Nano); got != c.want || q.Zoned {
				t.Errorf("in zone %v: %s, zoned %v; want %s, false", c.zone, got, q.Zoned, c.want)
			}
		}
	}
}

// TestForwarded checks which address counts.
func TestForwarded(t *testing.T) {
	format, err := accesslog.ParseFormat(`$remote_addr [$time_local] "$request" "$http_x_forwarded_for"`)
	fatal.If(t, err)
	for _, c := range []struct {
		forwarded   accesslog.Forwarded
		peer, value string
		want        string
	}{
		// The peer is a proxy, whose word counts, and that of the proxy before it.
		{accesslog.Peer, "10.0.0.1", "1.1.1.1, 2.2.2.2", "2.2.2.2"},
		{accesslog.Peer, "162.158.62.29", "1.1.1.1, 2.2.2.2, 10.9.9.9", "2.2.2.2"},
		{accesslog.Peer, "2400:cb00::7", "1.1.1.1, mallory, 10.9.9.9", "10.9.9.9"},
		{accesslog.Peer, "10.0.0.1", "10.0.0.8", "10.0.0.8"},
		// Anybody else can write what he likes.
		{accesslog.Peer, "203.0.113.7", "1.1.1.1, 2.2.2.2", "203.0.113.7"},
		{accesslog.Peer, "104.28.7.7", "1.1.1.1", "104.28.7.7"},
		{accesslog.Nearest, "10.0.0.1", "1.1.1.1, 2.2.2.2", "2.2.2.2"},
		{accesslog.Farthest, "10.0.0.1", "1.1.1.1, 2.2.2.2", "1.1.1.1"},
		{accesslog.Farthest, "10.0.0.1", "unknown, 2.2.2.2", "10.0.0.1"},
		{accesslog.Nearest, "10.0.0.1", "-", "10.0.0.1"},
		{accesslog.Peer, "-", "1.1.1.1, [2001:db8::1]:80", "2001:db8::1"},
	} {
		r := accesslog.Reader{Formats: []*accesslog.Format{format}, Forwarded: c.forwarded}
		line := fmt.Sprintf(`%s [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" "%s"`, c.peer, c.value)
		for q, err := range r.From("log", strings.NewReader(line)).Requests() {
			if err != nil || q.Client.String() != c.want {
				t.Errorf("%d, %s: %v, %v; want %s", c.forwarded, line, q.Client, err, c.want)
			}
		}
	}
}

// TestCompression reads a log in every compression, by its content.
func TestCompression(t *testing.T) {
	var log bytes.Buffer
	for range 5000 {
		log.WriteString(combinedLine + "\n")
	}
	dir := t.TempDir()
	compressed := map[string][]byte{"": log.Bytes()}
	var z bytes.Buffer
	for range 2 { // two members, as logrotate and cat make
		g := gzip.NewWriter(&z)
		g.Write(log.Bytes()[:log.Len()/2/len(combinedLine+"\n")*len(combinedLine+"\n")])
		g.Close()
	}
	compressed["gzip"] = z.Bytes()
	encoder, err := zstd.NewWriter(nil)
	fatal.If(t, err)
	compressed["zstd"] = encoder.EncodeAll(log.Bytes(), nil)
	for _, program := range []string{"xz", "bzip2"} {
		path, err := exec.LookPath(program)
		if err != nil {
			t.Logf("%s is not installed", program)
			continue
		}
		cmd := exec.Command(path, "-c")
		cmd.Stdin = bytes.NewReader(log.Bytes())
		if compressed[program], err = cmd.Output(); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range compressed {
		file := filepath.Join(dir, "access.log."+name)
		fatal.If(t, os.WriteFile(file, data, 0o666))
		var r accesslog.Reader
		scan := r.Open(file)
		if n := len(show(scan.Requests())); n != 5000 {
			t.Errorf("%q: %d requests, want 5000", name, n)
		}
		if l := scan.Logs()[0]; l.Compression != name || l.Err != nil {
			t.Errorf("%q: compression %q, error %v", name, l.Compression, l.Err)
		}
		if name == "" {
			continue
		}
		// A log that was cut gives its beginning and an error.
		scan = r.From(name, bytes.NewReader(data[:len(data)-len(data)/3]))
		lines := show(scan.Requests())
		want := "error: cannot read " + name
		if n := len(lines); n == 0 || !strings.HasPrefix(lines[n-1], want) || scan.Logs()[0].Err == nil {
			t.Errorf("%q, cut: %d lines, Err %v", name, n, scan.Logs()[0].Err)
		}
	}
}

// TestMissing checks that a log which cannot be opened does not keep the others from being read.
func TestMissing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "access.log")
	fatal.If(t, os.WriteFile(file, []byte(combinedLine), 0o666))
	var r accesslog.Reader
	lines := show(r.Open(file+".missing", t.TempDir(), file).Requests())
	if len(lines) != 3 || !strings.Contains(lines[0], "no such file") ||
		!strings.Contains(lines[1], "is a directory") || !strings.HasPrefix(lines[2], file) {
		t.Errorf("got %q", lines)
	}
}

// TestHostile reads logs that are made to break a reader.
func TestHostile(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	deep := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	for _, c := range []struct {
		name, log        string
		requests, faults int64
	}{
		{"empty", "", 0, 0},
		{"only ends", "\n\r\n \t\n\n", 0, 0},
		{"NUL", "\x00\n", 0, 1},
		{"3 MB without an end", long, 0, 1},
		{"a long line among others", combinedLine + "\n" + long + "\n" + combinedLine + "\n", 2, 1},
		{"deep JSON", deep + "\n" + combinedLine, 1, 1},
		{"open JSON", strings.Repeat(`{"a":["`, 10_000) + "\n" + combinedLine, 1, 1},
		{"quotes", strings.Repeat(`"\`, 100_000), 0, 1},
		{"directives",
			strings.Repeat("#Fields: date time c-ip cs-uri-stem\n2015-01-01 00:00:00 1.2.3.4 /\n#Fields: x\n", 1000),
			1000, 0},
		{"a directive of 100 KB", "#Fields: date time cs-uri-stem" + strings.Repeat(" x", 50_000) +
			"\n2015-01-01 00:00:00 /\n", 0, 1},
		{"no end", combinedLine, 1, 0},
		{"byte order mark", "\ufeff" + combinedLine, 1, 0},
		{"CRLF", combinedLine + "\r\n", 1, 0},
		{"a name before", "example.com " + combinedLine, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r accesslog.Reader
			scan := r.From("log", strings.NewReader(c.log))
			lines := show(scan.Requests())
			l := scan.Logs()[0]
			if l.Requests != c.requests || l.Unreadable != c.faults {
				t.Errorf("%d requests, %d unreadable; want %d, %d: %.300q", l.Requests, l.Unreadable, c.requests,
					c.faults, lines)
			}
		})
	}
}

// TestDictionary checks that a few bytes do not make the reader ask for much memory: they are the
// head of an xz file with a dictionary of 4 GiB, and of a zstd frame with a window of 4 GiB.
func TestDictionary(t *testing.T) {
	sum := func(head string) string {
		return head + string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(head))))
	}
	for name, head := range map[string]string{
		"xz":   "\xfd7zXZ\x00" + sum("\x00\x01") + sum("\x02\x00\x21\x01\x28\x00\x00\x00"),
		"zstd": "\x28\xb5\x2f\xfd\x00\xb0\x01\x00\x00",
	} {
		var r accesslog.Reader
		scan := r.From(name, strings.NewReader(head+strings.Repeat("x", 100)))
		lines := show(scan.Requests())
		if len(lines) != 1 || scan.Logs()[0].Compression != name || !strings.Contains(lines[0], "exceed") {
			t.Errorf("%s: %q, %+v", name, lines, scan.Logs()[0])
		}
	}
}

// mixedLog is a log with lines of several formats and lines that cannot be read, of every length.
func mixedLog() string {
	var b strings.Builder
	for i := range 4000 {
		switch i % 7 {
		case 0, 1, 2:
			fmt.Fprintf(&b, "1.2.3.%d - - [17/May/2015:10:%02d:%02d +0200] \"GET /%d HTTP/1.1\" 200 17 \"-\" \"%s\"\n",
				i%256, i/60%60, i%60, i, strings.Repeat("x", i%997))
		case 3:
			fmt.Fprintf(&b, "example.com 1.2.3.%d - - [17/May/2015:10:%02d:%02d +0200] \"GET /%d HTTP/1.1\" 200 17\n",
				i%256, i/60%60, i%60, i)
		case 4:
			fmt.Fprintf(&b, "{\"time\":%d,\"uri\":\"/%d\",\"user_agent\":\"%s\"}\n", 1431857103+i, i,
				strings.Repeat("y", i%31))
		case 5:
			b.WriteString("broken " + strings.Repeat("z", i%2000) + "\n")
		case 6:
			b.WriteString("\n# comment\n")
		}
	}
	return b.String()
}

// TestParallel checks that what a scan yields does not depend on the number of workers, nor on the
// sizes in which the log arrives.
func TestParallel(t *testing.T) {
	log := mixedLog()
	r := accesslog.Reader{MaxLine: 1500}
	scan := r.From("log", strings.NewReader(log))
	want := show(scan.Requests())
	counts := scan.Logs()[0]
	for _, workers := range []int{1, 2, 7} {
		for name, in := range map[string]io.Reader{
			"whole":    strings.NewReader(log),
			"halves":   iotest.HalfReader(strings.NewReader(log)),
			"data+EOF": iotest.DataErrReader(strings.NewReader(log)),
			"pieces":   &pieces{log, 9973},
		} {
			scan := r.From("log", in)
			got := showParallel(t, scan, workers)
			slices.Sort(got)
			sorted := slices.Sorted(slices.Values(want))
			if !slices.Equal(got, sorted) {
				t.Errorf("%d workers, %s: %d lines, want %d", workers, name, len(got), len(sorted))
			}
			l := scan.Logs()[0]
			if l.Lines != counts.Lines || l.Requests != counts.Requests || l.Unreadable != counts.Unreadable ||
				l.Empty != counts.Empty || l.Comments != counts.Comments || !maps.Equal(l.Formats, counts.Formats) {
				t.Errorf("%d workers, %s: %+v, want %+v", workers, name, l, counts)
			}
		}
	}
}

// FuzzReader checks that a scan accounts for every line, whatever the text, and that neither the
// number of workers nor the sizes in which the text arrives change what it yields.
func FuzzReader(f *testing.F) {
	f.Add(mixedLog()[:3000], 100, 2)
	f.Add("#Fields: date time cs-uri-stem\n2015-01-01 00:00:00 /\n#Fields: x\n\n2015-01-01 00:00:00 /", 7, 3)
	f.Add(combinedLine+"\n"+strings.Repeat("x", 3000)+"\r\n\ufeff"+combinedLine, 700, 2)
	f.Fuzz(func(t *testing.T, log string, size, workers int) {
		if size < 1 || workers < 1 || workers > 8 {
			return
		}
		var any accesslog.Reader
		account(t, any.From("log", strings.NewReader(log)), log)
		account(t, any.From("log", &pieces{log, size}), log)

		// With one format it does not matter what arrives first.
		one := accesslog.Reader{MaxLine: 1000, Formats: accesslog.Formats()[:1]}
		want := account(t, one.From("log", strings.NewReader(log)), log)
		got := showParallel(t, one.From("log", &pieces{log, size}), workers)
		// The reason for an error may depend on the format that was found.
		for _, lines := range [][]string{got, want} {
			for i, line := range lines {
				if at, _, ok := strings.Cut(line, ": "); ok && at == "error" {
					lines[i] = strings.Join(strings.SplitN(line, ":", 4)[:3], ":")
				}
			}
			slices.Sort(lines)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers and pieces of %d bytes: %q, want %q", workers, size, got, want)
		}
	})
}

// account reads a scan of a text and checks that the numbers of lines add up.
func account(t *testing.T, scan *accesslog.Scan, text string) []string {
	lines := show(scan.Requests())
	l := scan.Logs()[0]
	want := int64(strings.Count(text, "\n"))
	if text != "" && !strings.HasSuffix(text, "\n") {
		want++
	}
	if l.Compression == "" && l.Lines != want {
		t.Errorf("%d lines, want %d", l.Lines, want)
	}
	if l.Lines != l.Requests+l.Unreadable+l.Empty+l.Comments {
		t.Errorf("the numbers do not add up: %+v", l)
	}
	if l.Compression == "" && int64(len(lines)) != l.Requests+l.Unreadable {
		t.Errorf("%d requests and errors, want %d and %d", len(lines), l.Requests, l.Unreadable)
	}
	return lines
}

// pieces reads a text in pieces of a size.
type pieces struct {
	text string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.text)
	p.text = p.text[n:]
	return n, nil
}

// TestParallelStops checks that an error of one worker ends the others.
func TestParallelStops(t *testing.T) {
	failure := errors.New("stop")
	endless := &pieces{strings.Repeat(combinedLine+"\n", 200_000), 4096}
	var r accesslog.Reader
	err := r.From("log", endless).Parallel(3, func(requests iter.Seq2[*accesslog.Request, error]) error {
		for range requests {
			return failure
		}
		return nil
	})
	if err != failure || endless.text == "" {
		t.Errorf("Parallel returned %v with %d bytes left, want %v before the end", err, len(endless.text), failure)
	}
}

// TestLive checks that a request is yielded when its line has arrived, and not when a block is
// full.
func TestLive(t *testing.T) {
	in, out := io.Pipe()
	var r accesslog.Reader
	next, stop := iter.Pull2(r.From("pipe", in).Requests())
	defer stop()
	defer in.Close()
	go func() {
		for range 3 {
			io.WriteString(out, combinedLine+"\n"+combinedLine[:40])
			io.WriteString(out, combinedLine[40:]+"\n")
		}
		// The pipe stays open.
	}()
	for i := range 6 {
		if q, err, ok := next(); !ok || err != nil || q.Line != i+1 || string(q.Path) != "/a" {
			t.Fatalf("request %d: %v, %v, %v", i+1, q, err, ok)
		}
	}
}

// TestAllocates checks that reading a line allocates nothing.
func TestAllocates(t *testing.T) {
	corpus.Unraced(t)
	for _, line := range []string{
		combinedLine,
		`2001:db8::1 - - [17/May/2015:10:05:03 +0200] "GET /a HTTP/1.1" 200 17 "http://example.com/\"" "a\x22b"`,
		"example.com " + combinedLine,
		`{"ts":1,"request":{"remote_ip":"1.2.3.4","uri":"/a","headers":{"User-Agent":["a\"b"]}},"status":200}`,
	} {
		count := func(lines int) float64 {
			log := strings.Repeat(line+"\n", lines)
			var r accesslog.Reader
			return testing.AllocsPerRun(5, func() {
				for _, err := range r.From("log", strings.NewReader(log)).Requests() {
					fatal.If(t, err)
				}
			})
		}
		if few, many := count(10), count(1000); many > few+50 {
			t.Errorf("1,000 lines take %v allocations, 10 take %v: %s", many, few, line)
		}
	}
}

// TestStopsAhead checks that a scan of a compressed log ends early, whether or not the rest of the
// log is damaged.
func TestStopsAhead(t *testing.T) {
	var log bytes.Buffer
	z := gzip.NewWriter(&log)
	for range 50_000 {
		io.WriteString(z, combinedLine+"\n")
	}
	fatal.If(t, z.Close())
	for _, data := range [][]byte{log.Bytes(), log.Bytes()[:log.Len()-10]} {
		var r accesslog.Reader
		scan := r.From("log", bytes.NewReader(data))
		for q, err := range scan.Requests() {
			fatal.If(t, err)
			if q.Line == 3 {
				break
			}
		}
		if l := scan.Logs()[0]; l.Lines != 3 || l.Err != nil {
			t.Errorf("%d lines were read, error %v; want 3 lines", l.Lines, l.Err)
		}
	}
}
