// Package auditrows writes what an audit says of each request, for other programs: all requests,
// and violations with their lines, as JSON lines.
//
// The logs are read a second time, because an audit judges only after it has read all of them.
package auditrows

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Options say what to write.
type Options struct {
	Rows       io.Writer // gets a line for each request, or is nil
	Violations io.Writer // gets a line for each request that a rule disallows, or is nil
	Hide       Hider     // hides addresses, or is nil
}

// A Hider hides addresses.
type Hider interface {
	Address(netip.Addr) string // the text in place of an address
	Text(string) string        // a text with its addresses hidden
}

// CheckLogs returns an error if a log cannot be read twice: standard input, a pipe or a device. A
// log that cannot be opened is left to the reader of logs, which reports it.
func CheckLogs(names []string) error {
	for _, name := range names {
		if name == "-" {
			return errors.New("standard input cannot be read twice, as single requests need it: name a file")
		}
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s cannot be read twice, as single requests need it: it is not a regular file",
				printable.Shown(name))
		}
	}
	return nil
}

// Write reads logs again and writes the judgements of their requests. The logs are those that
// Scan.Logs returned after the first reading with the same reader. Lines that were added since are
// left out. It is an error if a log has changed otherwise, or if the context ends.
func Write(ctx context.Context, reader *accesslog.Reader, logs []accesslog.Log, judge *audit.Judge, o Options) error {
	w := &writer{hide: o.Hide}
	if o.Rows != nil {
		w.rows = bufio.NewWriterSize(o.Rows, 64<<10)
	}
	if o.Violations != nil {
		w.violations = bufio.NewWriterSize(o.Violations, 64<<10)
	}
	if err := Each(ctx, reader, logs, judge, w.write); err != nil {
		return err
	}
	for _, out := range []*bufio.Writer{w.violations, w.rows} {
		if out != nil {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// A writer writes requests and their judgements.
type writer struct {
	hide       Hider
	rows       *bufio.Writer // or nil
	violations *bufio.Writer // or nil
	line       []byte        // memory of a line
}

// Each reads logs again, as Write does, and calls a function with each request and its judgement.
// It returns the error of the function. The request is valid until the function returns.
func Each(ctx context.Context, reader *accesslog.Reader, logs []accesslog.Log, judge *audit.Judge,
	each func(*accesslog.Request, audit.Judgement) error) error {
	for _, log := range logs {
		if err := eachOf(ctx, reader, log, judge, each); err != nil {
			return err
		}
	}
	return nil
}

// eachOf calls a function with the requests of a log.
func eachOf(ctx context.Context, reader *accesslog.Reader, log accesslog.Log, judge *audit.Judge,
	each func(*accesslog.Request, audit.Judgement) error) error {
	var requests int64
	for r, err := range reader.Open(log.Name).Requests() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if syntax := (*accesslog.SyntaxError)(nil); errors.As(err, &syntax) || log.Err != nil {
				continue // the first reading has counted the line, or reported the error
			}
			return err
		}
		if int64(r.Line) > log.Lines {
			break // lines were added since
		}
		requests++
		if err := each(r, judge.Judge(r)); err != nil {
			return err
		}
	}
	if requests != log.Requests {
		return fmt.Errorf("%s has changed between its two readings: it had %d requests, and has %d",
			printable.Shown(log.Name), log.Requests, requests)
	}
	return nil
}

func (w *writer) write(r *accesslog.Request, j audit.Judgement) error {
	if w.rows != nil {
		if err := w.add(w.rows, w.row(r, j)); err != nil {
			return err
		}
	}
	if w.violations != nil && j.Rule.Line > 0 {
		return w.add(w.violations, w.violation(r, j))
	}
	return nil
}

// add writes a row or a violation.
func (w *writer) add(out *bufio.Writer, v any) error {
	w.line = appendLine(w.line[:0], v)
	_, err := out.Write(w.line)
	return err
}

// client returns the address of the client, or the name that the log has instead. Where addresses
// are hidden, names are left out, because providers write addresses into them.
func (w *writer) client(r *accesslog.Request) string {
	switch {
	case r.Client.IsValid() && w.hide != nil:
		return w.hide.Address(r.Client)
	case r.Client.IsValid():
		return r.Client.String()
	case w.hide != nil:
		return ""
	}
	return text(r.ClientName)
}

// hidden returns a text, with its addresses hidden if the options say so.
func (w *writer) hidden(s string) string {
	if w.hide == nil {
		return s
	}
	return w.hide.Text(s)
}
