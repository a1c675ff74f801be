package accesslog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// A slowServer writes lines in a format of its own as its documentation says, and reads them with a
// regular expression.
type slowServer struct {
	// variables are the names of fields in the text of a format.
	variables map[string]string
	// escape writes a value.
	escape func(s string) string
	// text writes a text between two fields as the text of a format has it.
	text func(s string) string
}

// slowServers are nginx and Apache.
var slowServers = map[string]slowServer{
	// nginx, ngx_http_log_module: "characters '"', '\', and other characters with values less than
	// 32 or above 126 are escaped as '\xXX'. If the variable value is not found, a hyphen ('-')
	// will be logged." The variables are those of "Embedded variables" there and in
	// ngx_http_core_module.
	"nginx": {
		map[string]string{"client": "$remote_addr", "host": "$host", "endtime": "$time_local", "request": "$request",
			"status": "$status",
			"size":   "${body_bytes_sent}", "seconds": "$request_time", "referrer": "$http_referer",
			"agent": "$http_user_agent", "": "$connection", "user": "$remote_user"},
		func(s string) string {
			if s == "" {
				return "-"
			}
			return slowBytes(s, func(c byte) string {
				if c == '"' || c == '\\' || c < 32 || c > 126 {
					return fmt.Sprintf(`\x%02X`, c)
				}
				return string(rune(c))
			})
		},
		func(s string) string { return s },
	},
	// Apache, mod_log_config, "Format Notes": "non-printable and other special characters in %r, %i
	// and %o are escaped using \xhh sequences, where hh stands for the hexadecimal representation
	// of the raw byte. Exceptions from this rule are " and \, which are escaped by prepending a
	// backslash, and all whitespace characters, which are written in their C-style notation (\n,
	// \t, etc)." In the text, \n and \t are those characters, and %% is a percent sign. CLF format
	// writes "-" for 0 bytes.
	"apache": {
		map[string]string{"client": "%a", "host": "%V", "time": "%t", "request": "%r", "status": "%>s", "size": "%B",
			"micros":   "%D",
			"referrer": "%{Referer}i", "agent": "%{User-agent}i", "": "%k", "user": "%u"},
		func(s string) string {
			if s == "" {
				return "-"
			}
			return slowBytes(s, func(c byte) string {
				if i := strings.IndexByte("\"\\\n\t\r\v\f\b", c); i >= 0 {
					return []string{`\"`, `\\`, `\n`, `\t`, `\r`, `\v`, `\f`, `\b`}[i]
				}
				if c < 32 || c > 126 {
					return fmt.Sprintf(`\x%02x`, c)
				}
				return string(rune(c))
			})
		},
		func(s string) string {
			return strings.NewReplacer(`"`, `\"`, "\t", `\t`, "%", "%%").Replace(s)
		},
	},
}

func slowBytes(s string, escape func(c byte) string) string {
	var out strings.Builder
	for i := range len(s) {
		out.WriteString(escape(s[i]))
	}
	return out.String()
}

// A randomText is the text of a format, and how a line of it is written and read.
type randomText struct {
	server slowServer
	fields []string // in their order
	before []string // text before each field
	after  string
	text   string
	expr   *slowFormat
}

// newRandomText returns the text of a format with fields in any order. Texts in quotes stand only
// around fields whose values may have blanks.
func newRandomText(r *rand.Rand, server string) *randomText {
	s := slowServers[server]
	f := &randomText{server: s}
	f.fields = slices.Sorted(maps.Keys(s.variables)) // the order of a map is not that of a seed
	r.Shuffle(len(f.fields), func(i, j int) { f.fields[i], f.fields[j] = f.fields[j], f.fields[i] })
	for i := len(f.fields) - 1; i >= 0; i-- { // a format need not have all
		if n := f.fields[i]; n != "request" && n != "time" && n != "endtime" && r.IntN(4) == 0 {
			f.fields = append(f.fields[:i], f.fields[i+1:]...)
		}
	}
	texts := []string{" ", "|", " - ", "\t", ", ", " % ", "; x=", " \u00b7 ", "]["}
	var expr, text strings.Builder
	ends := map[string]string{}
	last := ""
	for i, name := range f.fields {
		before := texts[r.IntN(len(texts))]
		if i == 0 {
			before = []string{"", "> "}[r.IntN(2)]
		}
		quoted := name == "request" || name == "agent" || name == "referrer"
		open, end := "", ""
		switch {
		case quoted:
			open, end = `"`, `"`
		case name == "endtime": // nginx writes it with a blank, and people write the brackets
			open, end = "[", "]"
		}
		f.before = append(f.before, last+before+open)
		text.WriteString(s.text(last+before+open) + s.variables[name])
		expr.WriteString(regexp.QuoteMeta(last + before + open))
		group := name
		if group == "" {
			group = "other"
		}
		switch {
		case quoted:
			fmt.Fprintf(&expr, `(?P<%s>(?:[^"\\]|\\.)*)`, group)
		case name == "time": // Apache writes the brackets
			fmt.Fprintf(&expr, `\[(?P<%s>.*?)\]`, group)
		default:
			fmt.Fprintf(&expr, `(?P<%s>.*?)`, group)
		}
		last = end
		if i > 0 {
			previous := f.fields[i-1]
			if previous == "" {
				previous = "other"
			}
			if f.before[i][0] != '"' { // escapes end other fields
				ends[previous] = f.before[i]
				if name == "time" { // and the bracket that Apache writes
					ends[previous] += "["
				}
			}
			if previous == "time" {
				ends[previous] = "]" + f.before[i]
			}
		}
	}
	f.after = last
	text.WriteString(s.text(last))
	f.text = text.String()
	f.expr = &slowFormat{regexp.MustCompile("(?s)^" + expr.String() + regexp.QuoteMeta(last) + "$"), ends}
	return f
}

// line writes a line of the format.
func (f *randomText) line(values map[string]string) string {
	var out strings.Builder
	for i, name := range f.fields {
		out.WriteString(f.before[i])
		v := values[name]
		if name == "time" {
			v = "[" + v + "]"
		}
		out.WriteString(f.server.escape(v))
	}
	return out.String() + f.after
}

// TestTexts makes texts of formats at random and lines of them, which are read as what was written,
// and compares lines with damage with a regular expression.
func TestTexts(t *testing.T) {
	corpus.Unraced(t)
	r := rand.New(rand.NewPCG(14, 17))
	for _, server := range slices.Sorted(maps.Keys(slowServers)) {
		for range corpus.Cases(60, 2_000) {
			f := newRandomText(r, server)
			text := f.text
			if r.IntN(3) == 0 { // the whole directive
				if server == "nginx" {
					text = "log_format own '" + text[:len(text)/2] + "'\n    '" + text[len(text)/2:] + "';"
				} else {
					text = `LogFormat "` + text + `" own`
				}
			}
			format, err := ParseFormat(text)
			if err != nil {
				t.Fatalf("%s: %v", server, err)
			}
			w := newWorker(&Reader{})
			for range 20 {
				values, want := randomRequest(r, f)
				line := f.line(values)
				if reason := w.try(form{format: format}, []byte(line)); reason != "" {
					t.Fatalf("%s %q, %q: %s", server, text, line, reason)
				}
				if err := sameRequest(&w.request, want); err != nil {
					t.Fatalf("%s %q, %q: read and written: %v", server, text, line, err)
				}
				line = damage(r, line)
				reason := w.try(form{format: format}, []byte(line))
				slow, ok := slowMatch(f.expr, line)
				if ok {
					want, ok = slowRequest(slow)
				}
				if (reason == "") != ok {
					t.Fatalf("%s %q, %q: read %v (%s), by the regular expression %v", server, text, line, reason == "",
						reason, ok)
				}
				if ok {
					if err := sameRequest(&w.request, want); err != nil {
						t.Fatalf("%s %q, %q: %v", server, text, line, err)
					}
				}
			}
		}
	}
}

// randomRequest returns the values that a server has for a request, and the request.
func randomRequest(r *rand.Rand, f *randomText) (values map[string]string, want *Request) {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	wild := func() string { // any bytes but the ends of lines, which no header has
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "\"\\[]| -x'\x00\t\x1b\x7f\xc3\xa9\xff%n0;/#\u00b7"[r.IntN(24)]
		}
		return "w" + string(b)
	}
	at := time.Unix(r.Int64N(4e9), 0).In(time.FixedZone("", (r.IntN(27)-13)*1800))
	took := time.Duration(r.IntN(100_000)) * time.Millisecond
	client := pick("192.0.2.7", "2001:db8::7", "::ffff:192.0.2.7")
	target := "/" + strings.ReplaceAll(wild(), " ", "+")
	agent, referrer := pick("", wild(), wild(), "\u0444\u00e9 "+wild()), pick("", wild())
	status, size := r.IntN(1000), r.Int64N(1e12)
	values = map[string]string{
		"client": client, "host": "www.example.com", "time": at.Format("02/Jan/2006:15:04:05 -0700"),
		"endtime": at.Format("02/Jan/2006:15:04:05 -0700"),
		"request": "GET " + target + " HTTP/1.1", "status": fmt.Sprint(status), "size": fmt.Sprint(size),
		"seconds": fmt.Sprintf("%.3f", took.Seconds()), "micros": fmt.Sprint(took.Microseconds()),
		"referrer": referrer, "agent": agent, "": fmt.Sprint(r.IntN(99)), "user": pick("", "joe", "frank"),
	}
	want = &Request{Bytes: -1, Duration: -1, Zoned: true, Time: at.UTC(), Method: []byte("GET"), Target: []byte(target),
		Path: []byte(target), Proto: []byte("HTTP/1.1")}
	for _, name := range f.fields {
		switch name {
		case "client":
			want.Client = netip.MustParseAddr(client).Unmap()
		case "host":
			want.Host = []byte("www.example.com")
		case "status":
			want.Status = status
		case "size":
			want.Bytes = size
		case "seconds", "micros":
			want.Duration = took
			if name == "seconds" { // the time of nginx is that of the answer
				want.Time = want.Time.Add(-took)
			}
		case "referrer":
			want.Referrer = []byte(referrer)
		case "agent":
			want.UserAgent = []byte(agent)
		}
	}
	return values, want
}
