package monitor

import (
	"crypto/tls"
	"errors"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

// fileFindings returns what is wrong with an answer, whatever was before. The policy is that of the
// answer, or of a copy while the site fails.
func fileFindings(f *File, policy *robots.Policy, now time.Time) (found []Finding) {
	switch {
	case !f.UnreachableSince.IsZero():
		found = append(found, unreachableFinding(f, now))
	case f.Challenge != "":
		found = append(found, Finding{Kind: Challenge, Severity: Warning, After: f.Challenge})
	case f.HTML:
		found = append(found, Finding{Kind: HTML, Severity: Warning, After: strconv.Itoa(f.Status)})
	case f.State == fetch.OK && printable.UTF16Order(policy.String()) != 0:
		found = append(found, Finding{Kind: UTF16, Severity: Warning})
	}
	if f.Cut {
		found = append(found, Finding{Kind: Cut, Severity: Warning, After: strconv.Itoa(f.Size)})
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

// certificateFindings returns a finding for a certificate that is not valid, or ends within some
// days.
func certificateFindings(f *File, err error, days int, now time.Time) []Finding {
	if bad, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return []Finding{{Kind: Certificate, Severity: Critical, After: printable.Clipped(bad.Err.Error(), 300)}}
	}
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
