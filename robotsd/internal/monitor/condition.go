package monitor

import (
	"crypto/tls"
	"errors"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/unusable"
)

// textFaults are the kinds that say what stands in the place of a robots.txt. A look finds one of
// them at most, and they are one incident from its start to its repair.
var textFaults = []Kind{Challenge, HTML, UTF16, Empty, Unusable, Cut}

// textFault returns why a text is not a robots.txt, or robots read a part of it only, and a detail.
func textFault(f *File, policy *robots.Policy) (kind Kind, detail string) {
	switch {
	case !f.UnreachableSince.IsZero():
		return "", ""
	case f.Challenge != "":
		return Challenge, f.Challenge
	case f.HTML:
		return HTML, strconv.Itoa(f.Status)
	case f.State != fetch.OK:
		return "", ""
	case printable.UTF16Order(policy.String()) != 0:
		return UTF16, ""
	}
	switch odd, ok := unusable.Find(policy); {
	case ok && odd.Line == 0:
		return Empty, ""
	case ok:
		return Unusable, printable.Clipped(readable(odd.Text), maxShown)
	case f.Cut:
		return Cut, strconv.Itoa(f.Size)
	}
	return "", ""
}

// readable returns what a person can read of a line, perhaps of an image or of UTF-32.
func readable(line string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == utf8.RuneError {
			return -1
		}
		return c
	}, line[:min(len(line), 10*maxShown)])
}

// fileFindings returns what is wrong with an answer, whatever was before, and notes in f why its
// text is unusable. The policy is that of the answer, or of a copy while the site fails. A bad
// certificate is the whole failure.
func fileFindings(f *File, policy *robots.Policy, err error, days int, now time.Time) []Finding {
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return []Finding{{Kind: Certificate, Severity: Critical, After: printable.Clipped(bad.Err.Error(), 300)}}
	}
	found := certificateFindings(f, days, now)
	if !f.UnreachableSince.IsZero() {
		return append(found, unreachableFinding(f, now))
	}
	var detail string
	if f.Unusable, detail = textFault(f, policy); f.Unusable != "" {
		found = append(found, Finding{Kind: f.Unusable, Severity: Warning, After: detail})
	}
	return found
}

// The stages of a failing site, in Finding.After. Stored: never change a word.
const (
	stageCopy  = "copy"  // robots use the copy that they have
	stageDay   = "day"   // copies are older than 24 hours: robots without another copy fetch nothing
	stageMonth = "month" // after 30 days robots may fetch everything (RFC 9309, section 2.3.1.4)
)

// unreachableFinding returns the finding for a site that fails. What the failure means depends on
// its length.
func unreachableFinding(f *File, now time.Time) Finding {
	finding := Finding{Kind: Unreachable, Severity: Warning, Before: f.Cause, After: stageCopy,
		Since: f.UnreachableSince}
	switch failing := now.Sub(f.UnreachableSince); {
	case failing >= 30*24*time.Hour:
		finding.Severity, finding.After = Critical, stageMonth
	case failing >= 24*time.Hour:
		finding.Severity, finding.After = Critical, stageDay
	}
	return finding
}

// urgentDays is the number of days before its end at which a certificate is urgent.
const urgentDays = 3

// certificateFindings returns a finding for a certificate that ends within some days.
func certificateFindings(f *File, days int, now time.Time) []Finding {
	if days == 0 {
		days = 14
	}
	day := 24 * time.Hour
	left := f.CertificateEnds.Sub(now)
	if f.CertificateEnds.IsZero() || days < 0 || left > time.Duration(days)*day {
		return nil
	}
	severity := Warning
	if left <= urgentDays*day {
		severity = Critical
	}
	return []Finding{{Kind: Certificate, Severity: severity, Since: f.CertificateEnds}}
}
