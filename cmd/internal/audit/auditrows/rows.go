package auditrows

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/parquet"
)

// A row is a row of the Parquet file.
type row struct {
	Log       string
	Line      int64
	Time      time.Time
	Host      string
	Client    string
	Method    string
	Target    string
	Path      string // with the query, as rules are compared with it
	Status    int32
	Bytes     *int64
	UserAgent string
	Referrer  string
	Robot     string // the token; "" for people
	Kind      string // robot or program
	Identity  string // verified, forged or unverifiable
	Class     string // "" if the request is not judged
	Unjudged  string // why the request is not judged
	Version   string // the version, line and text of the rule that disallows it
	RuleLine  int32
	Rule      string
}

// columns are the columns of the Parquet file. Optional columns are NULL if they have the zero value.
var columns = []parquet.Column{
	{Name: "log", Dictionary: true},
	{Name: "line", Type: parquet.Int64},
	{Name: "time", Type: parquet.Micros},
	{Name: "host", Optional: true, Dictionary: true},
	{Name: "client", Optional: true, Dictionary: true},
	{Name: "method", Optional: true, Dictionary: true},
	{Name: "target", Optional: true},
	{Name: "path", Optional: true},
	{Name: "status", Type: parquet.Int32, Optional: true, Dictionary: true},
	{Name: "bytes", Type: parquet.Int64, Optional: true},
	{Name: "user_agent", Optional: true, Dictionary: true},
	{Name: "referrer", Optional: true},
	{Name: "robot", Optional: true, Dictionary: true},
	{Name: "kind", Optional: true, Dictionary: true},
	{Name: "identity", Optional: true, Dictionary: true},
	{Name: "class", Optional: true, Dictionary: true},
	{Name: "unjudged", Optional: true, Dictionary: true},
	{Name: "version", Optional: true, Dictionary: true},
	{Name: "rule_line", Type: parquet.Int32, Optional: true, Dictionary: true},
	{Name: "rule", Optional: true, Dictionary: true},
}

// row returns the row of a request.
func (w *writer) row(r *accesslog.Request, j audit.Judgement) row {
	out := row{
		Log: valid(r.Log), Line: int64(r.Line), Time: r.Time,
		Host: w.hidden(text(r.Host)), Client: w.client(r), Method: text(r.Method),
		Target: w.hidden(urlText(r.Target)), Path: w.hidden(urlText(r.Path)),
		Status: int32(r.Status), UserAgent: w.hidden(text(r.UserAgent)), Referrer: w.hidden(urlText(r.Referrer)),
		Robot: w.hidden(valid(j.Token)), Unjudged: j.Unjudged,
	}
	if r.Bytes >= 0 {
		bytes := r.Bytes
		out.Bytes = &bytes
	}
	if j.Token != "" {
		out.Kind, out.Identity = j.Kind.String(), j.Identity.String()
	}
	if j.Unjudged == "" {
		out.Class = j.Class.String()
	}
	if j.Rule.Line > 0 {
		out.Version, out.RuleLine, out.Rule = valid(j.Version), int32(j.Rule.Line), j.Rule.String()
	}
	return out
}

// A rowWriter writes rows as a Parquet file.
type rowWriter struct{ w *parquet.Writer }

func newRowWriter(w io.Writer) *rowWriter {
	return &rowWriter{parquet.NewWriter(w, "robots audit", columns...)}
}

// add writes a row, with its values in the order of columns.
func (w *rowWriter) add(r row) error {
	out := w.w
	out.Text(r.Log)
	out.Int(r.Line)
	out.Int(r.Time.UnixMicro())
	for _, s := range []string{r.Host, r.Client, r.Method, r.Target, r.Path} {
		out.Text(s)
	}
	w.addNumber(r.Status)
	if r.Bytes != nil {
		out.Int(*r.Bytes)
	} else {
		out.Null()
	}
	for _, s := range []string{r.UserAgent, r.Referrer, r.Robot, r.Kind, r.Identity, r.Class, r.Unjudged, r.Version} {
		out.Text(s)
	}
	w.addNumber(r.RuleLine)
	out.Text(r.Rule)
	return out.EndRow()
}

// addNumber writes a number, or NULL for 0.
func (w *rowWriter) addNumber(n int32) {
	if n == 0 {
		w.w.Null()
	} else {
		w.w.Int(int64(n))
	}
}

// close ends the file.
func (w *rowWriter) close() error { return w.w.Close() }

// Texts of Parquet and JSON are UTF-8, and logs may have any bytes.

// text returns bytes as valid UTF-8: other bytes become \xNN, as nginx writes them.
func text(b []byte) string { return valid(string(b)) }

// urlText returns the bytes of a URL as valid UTF-8: other bytes become %NN, which rules do
// not tell from the bytes themselves (RFC 9309, section 2.2.2).
func urlText(b []byte) string { return escaped(string(b), "%%%02X") }

// valid returns a text as text does.
func valid(s string) string { return escaped(s, `\x%02X`) }

// escaped returns s with its invalid bytes in a format.
func escaped(s, format string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		c, size := utf8.DecodeRuneInString(s[i:])
		if c == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, format, s[i])
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}
