package auditrows

import (
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A violation is a request that a rule disallows, as a JSON line.
type violation struct {
	Log      string    `json:"log"`
	Line     int       `json:"line"`
	Time     time.Time `json:"time"`
	Hidden   bool      `json:"anonymized,omitempty"` // the client is not the address, and must not be banned
	Client   string    `json:"client"`
	Token    string    `json:"token"`
	Identity string    `json:"identity"`
	Class    string    `json:"class"` // certain, informed, grace or forged
	Version  string    `json:"version"`
	RuleLine int       `json:"rule_line"`
	Rule     string    `json:"rule"`
	Text     string    `json:"text"` // the line
}

// violation returns the violation of a request that a rule disallows, or of any request of a
// forger.
func (w *writer) violation(r *accesslog.Request, j audit.Judgement) violation {
	class := j.Class.String()
	if j.Identity == agent.Forged {
		class = agent.Forged.String()
	}
	rule := ""
	if j.Rule.Line > 0 {
		rule = j.Rule.String()
	}
	return violation{
		Log: valid(r.Log), Line: r.Line, Time: r.Time, Hidden: w.hide != nil, Client: w.client(r),
		Token: w.hidden(valid(j.Token)), Identity: j.Identity.String(), Class: class,
		Version: valid(j.Version), RuleLine: j.Rule.Line, Rule: rule,
		Text: w.hidden(text(r.Text)),
	}
}

// AppendViolation appends the line of a request as Write writes it to Options.Violations, with its
// line end. The request is one that a rule disallows, or any request of a forger, perhaps without a
// rule. It hides addresses if hide is not nil.
func AppendViolation(b []byte, r *accesslog.Request, j audit.Judgement, hide Hider) []byte {
	w := writer{hide: hide}
	return appendLine(b, w.violation(r, j))
}

// appendLine appends a row or a violation as a line, in which control characters are escaped.
func appendLine(b []byte, v any) []byte {
	return append(append(b, printable.JSON(printable.AppendJSON(nil, v))...), '\n')
}
