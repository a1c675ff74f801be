package auditrows

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/robotsexclusion/robots/accesslog"
	"github.com/robotsexclusion/robots/audit"
)

// A row is a row of the Parquet file. Optional columns are NULL if they have the zero value.
type row struct {
	Log       string    `parquet:"log,dict"`
	Line      int64     `parquet:"line"`
	Time      time.Time `parquet:"time,timestamp(microsecond)"` // UTC
	Host      string    `parquet:"host,optional,dict"`
	Client    string    `parquet:"client,optional,dict"`
	Method    string    `parquet:"method,optional,dict"`
	Target    string    `parquet:"target,optional"`
	Path      string    `parquet:"path,optional"` // with the query, as rules are compared with it
	Status    int32     `parquet:"status,optional,dict"`
	Bytes     *int64    `parquet:"bytes,optional"`
	UserAgent string    `parquet:"user_agent,optional,dict"`
	Referrer  string    `parquet:"referrer,optional"`
	Robot     string    `parquet:"robot,optional,dict"`    // the token; NULL for people
	Kind      string    `parquet:"kind,optional,dict"`     // robot or program
	Identity  string    `parquet:"identity,optional,dict"` // verified, forged or unverifiable
	Class     string    `parquet:"class,optional,dict"`    // NULL if the request is not judged
	Unjudged  string    `parquet:"unjudged,optional,dict"` // why the request is not judged
	Version   string    `parquet:"version,optional,dict"`  // the version, line and text of the rule that disallows it
	RuleLine  int32     `parquet:"rule_line,optional,dict"`
	Rule      string    `parquet:"rule,optional,dict"`
}

// size returns about how much memory the row takes until it is written.
func (r *row) size() int {
	const fixed = 256
	return fixed + len(r.Host) + len(r.Client) + len(r.Method) + len(r.Target) + len(r.Path) + len(r.UserAgent) + len(r.Referrer)
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

// Limits of what is held in memory.
const (
	maxGroupRows  = 128 << 10 // rows in a row group
	maxGroupBytes = 32 << 20  // bytes of the texts in a row group
	maxBatchRows  = 1024      // rows that are handed over together
	maxBatchBytes = 1 << 20
	maxDictionary = 1 << 20 // bytes of the texts that a column writes once and numbers; then it writes texts
)

// A rowWriter writes rows as a Parquet file.
type rowWriter struct {
	w          *parquet.GenericWriter[row]
	batch      []row
	batchBytes int
	groupRows  int
	groupBytes int
}

func newRowWriter(w io.Writer) *rowWriter {
	return &rowWriter{w: parquet.NewGenericWriter[row](w, parquet.CreatedBy("robots audit", "", ""),
		parquet.Compression(newZstdCodec()), parquet.DictionaryMaxBytes(maxDictionary))}
}

func (w *rowWriter) add(r row) error {
	w.batch = append(w.batch, r)
	w.batchBytes += r.size()
	if len(w.batch) < maxBatchRows && w.batchBytes < maxBatchBytes {
		return nil
	}
	return w.flushBatch()
}

// flushBatch hands the batch over, and ends the row group if it is big enough.
func (w *rowWriter) flushBatch() error {
	n, err := w.w.Write(w.batch)
	if err != nil {
		return err
	}
	if n != len(w.batch) {
		return fmt.Errorf("only %d of %d rows were written", n, len(w.batch))
	}
	w.groupRows += len(w.batch)
	w.groupBytes += w.batchBytes
	clear(w.batch)
	w.batch, w.batchBytes = w.batch[:0], 0
	if w.groupRows < maxGroupRows && w.groupBytes < maxGroupBytes {
		return nil
	}
	w.groupRows, w.groupBytes = 0, 0
	return w.w.Flush()
}

// close ends the file.
func (w *rowWriter) close() error {
	if len(w.batch) > 0 {
		if err := w.flushBatch(); err != nil {
			return err
		}
	}
	return w.w.Close()
}

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
