package auditrows

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// A row is a request, as a JSON line. Each line has all members, so that a program which looks at
// some of them knows all.
type row struct {
	Log       string    `json:"log"`
	Line      int       `json:"line"`
	Time      time.Time `json:"time"`
	Host      *string   `json:"host"`
	Client    *string   `json:"client"`
	Method    *string   `json:"method"`
	Target    *string   `json:"target"`
	Path      *string   `json:"path"` // with the query, as rules are compared with it
	Status    *int      `json:"status"`
	Bytes     *int64    `json:"bytes"`
	UserAgent *string   `json:"user_agent"`
	Referrer  *string   `json:"referrer"`
	Robot     *string   `json:"robot"`    // the token; null for people
	Kind      *string   `json:"kind"`     // robot or program
	Identity  *string   `json:"identity"` // verified, forged or unverifiable
	Class     *string   `json:"class"`    // null if the request is not judged
	Unjudged  *string   `json:"unjudged"` // why the request is not judged
	Version   *string   `json:"version"`  // the version, line and text of the rule that disallows it
	RuleLine  *int      `json:"rule_line"`
	Rule      *string   `json:"rule"`
}

// row returns the row of a request.
func (w *writer) row(r *accesslog.Request, j audit.Judgement) row {
	out := row{
		Log: valid(r.Log), Line: r.Line, Time: r.Time,
		Host: orNull(w.hidden(text(r.Host))), Client: orNull(w.client(r)), Method: orNull(text(r.Method)),
		Target: orNull(w.hidden(urlText(r.Target))), Path: orNull(w.hidden(urlText(r.Path))),
		Status: orNull(r.Status), UserAgent: orNull(w.hidden(text(r.UserAgent))),
		Referrer: orNull(w.hidden(urlText(r.Referrer))),
		Robot:    orNull(w.hidden(valid(j.Token))), Unjudged: orNull(j.Unjudged),
	}
	if bytes := r.Bytes; bytes >= 0 {
		out.Bytes = &bytes
	}
	if j.Token != "" {
		out.Kind, out.Identity = orNull(j.Kind.String()), orNull(j.Identity.String())
	}
	if j.Unjudged == "" {
		out.Class = orNull(j.Class.String())
	}
	if j.Rule.Line > 0 {
		out.Version, out.RuleLine, out.Rule = orNull(valid(j.Version)), orNull(j.Rule.Line), orNull(j.Rule.String())
	}
	return out
}

// orNull returns nil for the zero value, which JSON has as null.
func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

// Texts of JSON are UTF-8, and logs may have any bytes.

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
