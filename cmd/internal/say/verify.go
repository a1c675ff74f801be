package say

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Verdicts writes a row for each address with the verdict on it, in English.
func (p *Printer) Verdicts(verdicts []agent.Verdict) {
	t := p.table()
	for _, v := range verdicts {
		cell := columns.Text
		switch v.Result {
		case agent.Verified:
			cell = columns.Green
		case agent.Forged:
			cell = columns.Red
		}
		t.Add([]columns.Cell{cell(v.Result.String()), columns.Text(v.Address.String()),
			columns.Text(printable.Text(v.Why()))})
	}
	t.Flush()
}

// An Owner is the robots that have an address, and a sentence that says by what.
type Owner struct {
	Address netip.Addr `json:"address"`
	Robots  []string   `json:"robots"`
	Why     string     `json:"why"`
}

// Owners writes which robots have addresses, and why, in English.
func Owners(p *Printer, owners []Owner) {
	const most = 4 // operators have up to a dozen robots behind one name
	t := p.table()
	for _, o := range owners {
		names := strings.Join(o.Robots[:min(most, len(o.Robots))], ", ")
		if n := len(o.Robots) - most; n > 0 {
			names += fmt.Sprintf(" and %d more", n)
		}
		t.Add([]columns.Cell{columns.Text(o.Address.String()), columns.Text(printable.Text(names)),
			columns.Text(printable.Text(o.Why))})
	}
	t.Flush()
}

// Judgement writes the verdicts on the signatures of a request, in English. If the request was
// judged at the present time, the text says how to name the time of an expired signature.
func (p *Printer) Judgement(j *keydir.Judgement, now bool) {
	line := func(title, text string) {
		if text != "" {
			fmt.Fprintf(p.W, "    %-9s  %s\n", title, printable.Text(text))
		}
	}
	for i, s := range j.Signatures {
		if i > 0 {
			fmt.Fprintln(p.W)
		}
		fmt.Fprintf(p.W, "%s: %s\n", s.Result, printable.Text(whySigned(&s)))
		line("request", j.Method+" "+j.URL)
		if s.Reason == botauth.Unsigned {
			continue
		}
		line("signature", s.Label+", web-bot-auth")
		claim := s.Agent.URL
		if claim != "" && s.Source == nil {
			claim += ", which is only claimed"
		}
		line("agent", claim)
		if s.Source != nil {
			proof := ", which this key has not signed"
			if slices.Contains(s.Source.Possessed, s.KeyID) {
				proof = ", which this key has signed"
			}
			line("keys", s.Source.URL+proof)
			if c := s.Source.Card; c != nil {
				line("card", strings.Trim(c.Name+", in robots.txt "+c.ProductToken, ", "))
			}
		}
		line("key", s.KeyID)
		line("created", timeText(s.Created))
		line("expires", timeText(s.Expires))
		line("covers", strings.Join(s.Covered, " "))
		if s.Reason == "expired" && now {
			line("note", "--at TIME judges it as at the time of the request")
		}
	}
}

// whySigned returns the reason for the verdict on a signature.
func whySigned(s *keydir.Signature) string {
	switch {
	case s.Source != nil:
		return "signed by " + s.Source.Host
	case s.KeysName != "":
		return "signed by a key of " + s.KeysName
	}
	return s.Why()
}

// timeText returns a time, or an empty string for no time.
func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339)
}
