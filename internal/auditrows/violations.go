package auditrows

import (
	"bufio"
	"io"
	"time"

	"github.com/robotsexclusion/robots/accesslog"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A violation is a request that a rule disallows, as a JSON line.
type violation struct {
	Log      string    `json:"log"`
	Line     int       `json:"line"`
	Time     time.Time `json:"time"`
	Client   string    `json:"client"`
	Token    string    `json:"token"`
	Identity string    `json:"identity"`
	Class    string    `json:"class"` // certain, informed, grace or forged
	Version  string    `json:"version"`
	RuleLine int       `json:"rule_line"`
	Rule     string    `json:"rule"`
	Text     string    `json:"text"` // the line
}

// violation returns the violation of a request that a rule disallows.
func (w *writer) violation(r *accesslog.Request, j audit.Judgement) violation {
	class := j.Class.String()
	if j.Identity == agent.Forged {
		class = agent.Forged.String()
	}
	return violation{
		Log: valid(r.Log), Line: r.Line, Time: r.Time, Client: w.client(r),
		Token: w.hidden(valid(j.Token)), Identity: j.Identity.String(), Class: class,
		Version: valid(j.Version), RuleLine: j.Rule.Line, Rule: j.Rule.String(),
		Text: w.hidden(text(r.Text)),
	}
}

// A violationWriter writes violations as JSON lines.
type violationWriter struct{ w *bufio.Writer }

func newViolationWriter(w io.Writer) *violationWriter {
	return &violationWriter{bufio.NewWriterSize(w, 64<<10)}
}

func (w *violationWriter) add(v violation) error {
	line := printable.JSON(printable.AppendJSON(nil, v))
	if _, err := w.w.Write(line); err != nil {
		return err
	}
	return w.w.WriteByte('\n')
}
