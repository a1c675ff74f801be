package accesslog

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A slowFormat is a format of a server as a regular expression, written from the documentation of
// the server and not from the reader. Its groups have the names of fields that slowRequest knows;
// others are not looked at.
type slowFormat struct {
	*regexp.Regexp
	// ends has the text after each group that may have blanks. The first such text ends the group.
	ends map[string]string
}

// slowExpr makes a slowFormat of an expression in which <name> is a field without blanks,
// <name…text> a field up to a text or the end, whose last quote is not passed, and <"name"> a field
// in quotes, in which a backslash escapes what follows.
func slowExpr(text string) *slowFormat {
	f := &slowFormat{ends: map[string]string{}}
	fields := regexp.MustCompile(`\(\?P<\w+>|<"(\w+)">|<(\w+)…([^<>]*)>|<(\w+)>`)
	text = fields.ReplaceAllStringFunc(text, func(s string) string {
		if s[0] == '(' { // a group is written as it is
			return s
		}
		s = s[1 : len(s)-1]
		if name, end, ok := strings.Cut(s, "…"); ok {
			f.ends[name] = end
			return `(?P<` + name + `>.*?)` + regexp.QuoteMeta(strings.TrimSuffix(end, `"`))
		}
		if s[0] == '"' {
			return `"(?P<` + s[1:len(s)-1] + `>(?:[^"\\]|\\.)*)"`
		}
		if s == "client" || s == "clientname" || s == "host" || s == "firsthost" { // or the fields after it would move
			return `(?P<` + s + `>[^ ]+)`
		}
		return `(?P<` + s + `>[^ ]*)`
	})
	f.Regexp = regexp.MustCompile(`(?s)^(?:` + text + `)$`)
	return f
}

// more is what may follow in formats that others extend.
const more = `(?: .*)?`

// tail is the same after a User-Agent: nginx's own configuration has a format "main", which is
// combined and "$http_x_forwarded_for" after it.
const tail = `(?P<tail> .*)?`

// slowBrowser are the fields of the combined format after the time.
const slowBrowser = `<"request"> <status> <size> <"referrer"> <"agent">`

// slowHAProxy are the fields of HAProxy's format before its queues and captured headers.
const slowHAProxy = `<clientport… [><time…] ><frontend> <backend…/><server> <timers> <status> <size> ` +
	`<cookie> <answer_cookie> <state> <counters> `

// slowFormats are the formats of the list as regular expressions. A field that says nothing about
// the request may have blanks if the text after it shows where it ends, as the name of a user has.
var slowFormats = map[string]*slowFormat{
	// The same with "%{X-Forwarded-For}i", in which proxies write ", " between addresses.
	"combined-forwarded": slowExpr(`(?P<chain>(?:[^ ,]*, ?)*[^ ,]+) <ident> <user… [><time…] >` + slowBrowser + tail),
	// NPMplus, nginx.conf, "alog".
	"npmplus": slowExpr(`\[<endtime…] ><host> <client> <seconds… "><"request"> <status> <size> <sent> <referrer> (?P<agent>.*)`),
	// KeyCDN, "Log Forwarding".
	"keycdn": slowExpr(`\[<endtime…] ><client> <edge… "><"request"> <status> <size> <cache… "><"referrer"> <"agent">` + tail),
	// Bunny, "CDN log format".
	"bunny": slowExpr(`<cache…|><status…|><time…|><size…|><zone…|><client…|>` +
		`<referrer…|><target…|><edge…|><agent…|><id…|>(?P<country>.*)`),
	// Istio, "Default access log format".
	"istio": slowExpr(`\[<time…] ><"request"> <status> <flags> <details> <termination… "><"reason"> <received> <size> ` +
		`<millis> <upstream… "><"forwarded"> <"agent"> <"id"> <"host"> <"upstream_host"> <cluster> <local> <downstream> <client>` + more),
	// HAProxy, configuration manual, section 8.8: captured headers stand in braces before the
	// request.
	"haproxy-captures": slowExpr(slowHAProxy + `<captures… ">"(?:<hashed…">"` + more + `|<hashed2…">)`),

	// Apache, mod_log_config, "Some commonly used log format strings": "%h %l %u %t \"%r\" %>s %b
	// \"%{Referer}i\" \"%{User-agent}i\""; %u may be any text. The log of Icecast adds seconds, and
	// "Access Logs" of Traefik a number, two names and a duration.
	"combined":       slowExpr(`<client> <ident> <user… [><time…] >` + slowBrowser + tail),
	"common":         slowExpr(`<client> <ident> <user… [><time…] ><"request"> <status> <size…>`),
	"combined-names": slowExpr(`<clientname> <ident> <plainuser… [><time…] >` + slowBrowser + tail),
	"common-names":   slowExpr(`<clientname> <ident> <plainuser… [><time…] ><"request"> <status> <size…>`),
	// The same, vhost_combined: "%v:%p %h %l …".
	"vhost-combined": slowExpr(`<firsthost> <client> <ident> <user… [><time…] >` + slowBrowser + tail),
	"vhost-common":   slowExpr(`<firsthost> <client> <ident> <user… [><time…] ><"request"> <status> <size…>`),
	// OVHcloud, "Web hosting: logs": the IP address, the domain, the user, and as in combined.
	"ovh": slowExpr(`<client> <host> <user… [><time…] >` + slowBrowser + tail),
	// Gandi, "Reading the logs of your instance": domain, IP address, identity, user, time,
	// duration in brackets.
	"gandi": slowExpr(`<firsthost> <client> <ident> <user… [><time…] (><seconds… s) >` + slowBrowser + tail),
	// Apache, "%{%FT%T%z}t", which has no brackets.
	"combined-iso": slowExpr(`<client> <ident> <user> <time… ">` + slowBrowser + tail),
	// Nginx Proxy Manager, docker/rootfs/etc/nginx/conf.d/include/log-proxy.conf, "proxy" and
	// "standard".
	"nginx-proxy-manager":     slowExpr(`\[<time…] ><cache> (?:[^ ]*, |(?:[^ ]*[^ ,])? : )*(?:[^ ]*[^ ,])? <status… - ><method> <scheme> <host> <"target"> \[Client <client…] [Length ><size…] [Gzip ><gzip…] [Sent-to ><server…] "><"agent"> <"referrer">`),
	"nginx-proxy-manager-own": slowExpr(`\[<time…] ><status… - ><method> <scheme> <host> <"target"> \[Client <client…] [Length ><size…] [Gzip ><gzip…] "><"agent"> <"referrer">`),
	// Elastic Load Balancing, "Access log entries" of Application Load Balancers: the time is that
	// of the answer, and the three times of processing are seconds or -1.
	"alb": slowExpr(`<type> <endtime> <elb> <client> <target_port> <part1> <part2> <part3> <status> <target_status> <received> <size> <"request"> <"agent"> <cipher> <protocol> <group>` + more),
	// The same, Classic Load Balancers: the time is that of the request.
	"elb": slowExpr(`<time> <elb> <client> <backend> <part1> <part2> <part3> <status> <backend_status> <received> <size> <"request"> <"agent"> <cipher> <protocol>` + more),
	// Amazon S3, "Amazon S3 server access log format". Total time is in milliseconds.
	"s3": slowExpr(`<owner> <bucket… [><time…] ><client> <requester> <id> <operation> <key… "><"request"> <status> <error> ` +
		`<size> <object_size> <millis> <turnaround… "><"referrer"> <"agent">` + tail),
	// HAProxy, configuration manual, section 8.2.3: "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta
	// %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r", and 8.2.4, which adds
	// fields. Headers may have blanks, and a long line is cut.
	"haproxy": slowExpr(slowHAProxy + `<queues… ">"(?:<hashed…">"` + more + `|<hashed2…">)`),
	// Envoy, "Default format string".
	"envoy": slowExpr(`\[<time…] ><"request"> <status> <flags> <received> <size> ` +
		`<millis> <upstream… "><"forwarded"> <"agent"> <"id"> <"host"> <"upstream_host">` + more),
	// Zoraxy, src/mod/dynamicproxy/util.go and mod/info/logger.
	"zoraxy":     slowExpr(`(?:[^\[]* )?\[<time…] [router:><router…] [origin:><host…] [client: ><client…] [useragent: ><agent…] ><method> <target> <status…>`),
	"zoraxy-old": slowExpr(`(?:[^\[]* )?\[<time…] [router:><router…] [origin:><host…] [client ><client…] ><method> <target> <status…>`),
}

// namedLines returns the lines of testdata/named.txt by format, without envelopes.
func namedLines(tb testing.TB) map[string][]string {
	data, err := os.ReadFile(filepath.Join("testdata", "named.txt"))
	fatal.If(tb, err)
	lines := map[string][]string{}
	for part := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n\n") {
		line, rest, _ := strings.Cut(part, "\n= ")
		name, _, _ := strings.Cut(rest, "\n")
		if i := strings.Index(line, "haproxy[6801]: "); i >= 0 {
			line = line[i+len("haproxy[6801]: "):]
		}
		lines[name] = append(lines[name], strings.TrimPrefix(line, "2025-12-31T17:37:40.493035218+01:00 stdout F "))
	}
	return lines
}

// TestTwins checks that each format of the list has a twin, and compares both on lines that are
// made of a line of the format, with other values in its fields, and on such lines with damage.
func TestTwins(t *testing.T) {
	corpus.Unraced(t)
	lines := namedLines(t)
	for _, f := range named {
		t.Run(f.name, func(t *testing.T) {
			twin := twinOf(f.name)
			if twin == nil {
				t.Fatal("the format has no twin")
			}
			compareMany(t, f, twin, places(f.name), lines[f.name]...)
		})
	}
}

// compareMany compares a format with its twin on lines that are made of samples. Places are the
// fields in the samples, or nil if they are members of JSON.
func compareMany(t *testing.T, f *Format, twin func(line string) (*Request, bool), places *regexp.Regexp,
	samples ...string) {
	t.Helper()
	r := rand.New(rand.NewPCG(14, uint64(len(f.name))))
	readable := 0
	for _, sample := range samples {
		if _, ok := twin(sample); !ok {
			t.Errorf("the twin does not read %q", sample)
		}
		for range corpus.Cases(400, 2000) {
			line := otherValues(r, f.name, places, sample)
			if r.IntN(3) == 0 {
				line = damage(r, line)
			}
			if compareTwin(t, f, twin, line) {
				readable++
			}
			if t.Failed() {
				return
			}
		}
	}
	if readable < 60*len(samples) {
		t.Errorf("only %d lines could be read", readable)
	}
}

// places returns an expression for the fields in lines of a format, or nil.
func places(format string) *regexp.Regexp {
	if f := slowFormats[format]; f != nil {
		return f.Regexp
	}
	return placesOf[format]
}

// TestTwinsCorpus compares the twins with the formats on the lines of real logs, each in all
// formats.
func TestTwinsCorpus(t *testing.T) {
	corpus.Unraced(t)
	dir := corpus.Path(t, "logs")
	files, err := filepath.Glob(filepath.Join(dir, "*", "*", "*.log.gz"))
	fatal.If(t, err)
	large, err := filepath.Glob(filepath.Join(dir, "large", "*.log.gz"))
	fatal.If(t, err)
	lines := 0
	for _, file := range append(files, large...) {
		every := corpus.Cases(14, 1)
		if slices.Contains(large, file) {
			every = corpus.Cases(800, 20)
		}
		for i, line := range logLines(t, file) {
			if i%every != 0 || len(line) > 64<<10 || strings.HasPrefix(line, "#") {
				continue
			}
			w := newWorker(&Reader{})
			for _, e := range append([]*envelope{nil}, envelopes...) {
				if inner := w.open(e, []byte(line)); len(inner) > 0 {
					inner := string(inner)
					lines++
					for _, f := range named {
						compareTwin(t, f, twinOf(f.name), inner)
					}
				}
			}
		}
	}
	if lines < 150 {
		t.Errorf("only %d lines were compared", lines)
	}
}

// logLines returns the lines of a compressed log.
func logLines(tb testing.TB, name string) (lines []string) {
	f, err := os.Open(name)
	fatal.If(tb, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	fatal.If(tb, err)
	scanner := bufio.NewScanner(z)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		lines = append(lines, strings.TrimRight(scanner.Text(), "\r"))
	}
	fatal.If(tb, scanner.Err())
	return lines
}

// FuzzTwins compares formats with their twins.
func FuzzTwins(f *testing.F) {
	for i, format := range named {
		for _, line := range namedLines(f)[format.name] {
			f.Add(i, line)
		}
	}
	f.Fuzz(func(t *testing.T, i int, line string) {
		if i < 0 || i >= len(named) || strings.ContainsAny(line, "\r\n") {
			return
		}
		compareTwin(t, named[i], twinOf(named[i].name), line)
	})
}

// compareTwin compares what a format and its twin read, and reports whether the line is one of the
// format.
func compareTwin(t *testing.T, f *Format, twin func(line string) (*Request, bool), line string) bool {
	t.Helper()
	if !twinReads(f.name, line) {
		return false
	}
	w := newWorker(&Reader{})
	reason := w.try(form{format: f}, []byte(line))
	want, ok := twin(line)
	switch {
	case (reason == "") != ok:
		t.Errorf("%s, %q: read %v (%s); by the twin %v", f.name, line, reason == "", reason, ok)
	case ok:
		if err := sameRequest(&w.request, want); err != nil {
			t.Errorf("%s, %q: %v", f.name, line, err)
		}
	}
	return ok
}

// twinOf returns the slow reader of a format, or nil.
func twinOf(name string) func(line string) (*Request, bool) {
	switch {
	case slowFormats[name] != nil:
		return func(line string) (*Request, bool) { return slowRead(name, line) }
	case slowMembers[name] != nil:
		return func(line string) (*Request, bool) { return slowJSON(slowMembers[name], line) }
	case slowCollect[name] != nil:
		return func(line string) (*Request, bool) {
			pairs, ok := slowCollect[name](line)
			if !ok {
				return nil, false
			}
			return slowGeneral(pairs)
		}
	case name == "forwarded-combined":
		return slowBehind
	case name == "cloudfront-realtime":
		return slowRealTime
	case name == "cloudfront":
		return func(line string) (*Request, bool) { return slowW3C(slowCloudFront, 19, line) }
	case name == "iis":
		return slowIIS
	case name == "iis-xml":
		return slowXML
	}
	return nil
}

// odd are values of fields, good and bad.
var odd = map[string][]string{
	"client": {"192.0.2.9", "2001:db8::9", "[2001:db8::9]:443", "::ffff:192.0.2.9", "192.0.2.9:80", "-", "", "1.2.3",
		"a.example",
		"192.0.2.256", "fe80::1%eth0", "1.2.3.4,5.6.7.8", "unknown"},
	"host": {"www.example.com", "www.example.com:8443", "_", "-", "", "192.0.2.9", "[2001:db8::9]:80",
		"b\u00fccher.example", "a/b", "a b"},
	"user":  {"-", "joe", "joe doe", `"joe"`, "a [b", "[", ""},
	"ident": {"-", "joe", "a.b", ""},
	"time": {"17/May/2015:10:05:03 +0000", "29/Feb/2016:23:59:59 -0730", "2015-05-17T10:05:03.250Z",
		"2015-05-17 10:05:03", "17/May/2015:10:05:03.007", "30/Feb/2016:10:05:03 +0000", "-", "1431857103.123", "now"},
	"status": {"200", "404", "0", "-", "-1", "2000", "20x", ""},
	"size":   {"0", "17", "-", "+243", "9223372036854775807", "9223372036854775808", "-5"},
	"part":   {"0.001", "-1", "-", "0", "1.5", "2592001", "x", "0.0000000019", "1.", "5e-7", "5e+9", "1.,2"},
	"method": {"GET", "POST", "M-SEARCH", "-", "", "G T", "(", strings.Repeat("X", 33)},
	"target": {"/", "/a?b=c", "*", "http://other.example:80/x?y", "https://other.example?z", "-", "", "a:443",
		`/\x22`, `/"`, "/%22", "/caf\u00e9", "/a b", "/\xff"},
	"request": {"GET / HTTP/1.1", "GET /a b HTTP/1.0", "-", "", `\x16\x03\x01`, "OPTIONS * HTTP/2.0",
		"CONNECT a:443 HTTP/1.1", "GET http://u@o.example:80?x HTTP/1.1", `GET /\"\x22\\ HTTP/1.1`,
		"GET /%22#22#7b#zz# HTTP/1.1", `GET /" HTTP/1.1`, "GET  HTTP/1.1", "- - - ", "get /caf\u00e9", `GET /a\`,
		"<BADREQ>", "GET / ICY/1.0"},
	"referrer": {"-", "", "http://a.example/", `a\"b`, `\u00e9\ud83d\ude00\q`, `a"b`},
	"agent": {"-", "", "ExampleBot/1.0 (+http://a.example/)", `a\"b\\`, `a" "b`, "a] b", "\x01\xfe", "\u0444", `\x`,
		"A%2520B+C", "A+B"},
	"date":  {"2015-05-17", "2015-02-30", "-", "5/17/15", "05/17/1999", "13/1/20", "5/17/150"},
	"clock": {"10:05:03", "7:55:20", "24:00:00", "10:05:03.25", "-", ""},
	"query": {"-", "", "a=b", "?a=b", "a,b", "a=%22", "a, b"},
	"":      {"-", "", "x", "0", "a b", "]", `"x"`},
}

// oddValue returns a value for a field with a name.
func oddValue(r *rand.Rand, name string) string {
	kind := strings.TrimRight(name, "0123456789")
	switch kind {
	case "clientname", "clientport", "forwarded", "chain":
		kind = "client"
	case "firsthost":
		kind = "host"
	case "endtime":
		kind = "time"
	case "seconds", "millis", "nanos":
		kind = "part"
	case "hashed":
		kind = "request"
	}
	values := odd[kind]
	if values == nil {
		values = odd[""]
	}
	return values[r.IntN(len(values))]
}

// otherValues returns a line of a format with other values in some fields.
func otherValues(r *rand.Rand, format string, fields *regexp.Regexp, line string) string {
	places := valuePlaces(format, fields, line)
	for i := len(places) - 1; i >= 0; i-- { // from the end, so that the other places stay
		if p := places[i]; r.IntN(len(places)) < 3 {
			v := oddValue(r, p.name)
			if slowMembers[format] != nil && (line[p.start] == '"' || r.IntN(4) == 0) {
				text, err := json.Marshal(v)
				if err != nil {
					panic(err)
				}
				v = string(text)
			}
			line = line[:p.start] + v + line[p.end:]
		}
	}
	return line
}

// A valuePlace is a field in a line.
type valuePlace struct {
	name       string
	start, end int
}

// valuePlaces returns the places of the fields in a line of a format.
func valuePlaces(format string, fields *regexp.Regexp, line string) (places []valuePlace) {
	if fields == nil {
		return memberPlaces(format, line)
	}
	m := fields.FindStringSubmatchIndex(line)
	if m == nil {
		return nil
	}
	for i, name := range fields.SubexpNames() {
		if name != "" && m[2*i] >= 0 {
			places = append(places, valuePlace{name, m[2*i], m[2*i+1]})
		}
	}
	return places
}

// damage returns a line with some bytes deleted, replaced, doubled or put in, or with its end cut.
func damage(r *rand.Rand, line string) string {
	const bytes = "\"\\[] -#:/|,\t0a\x00\xff{}<>&"
	for range 1 + r.IntN(3) {
		if line == "" {
			return line
		}
		i := r.IntN(len(line))
		c := string(bytes[r.IntN(len(bytes))])
		switch r.IntN(5) {
		case 0:
			line = line[:i] + line[i+1:]
		case 1:
			line = line[:i] + c + line[i+1:]
		case 2:
			line = line[:i] + c + line[i:]
		case 3:
			end := min(len(line), i+1+r.IntN(20))
			line = line[:end] + line[i:]
		case 4:
			line = line[:i]
		}
	}
	return line
}
