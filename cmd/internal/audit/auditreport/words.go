package auditreport

import (
	"time"

	"github.com/robotsexclusion/robots/internal/language"
)

// Number returns a number with its digits in groups of three, as a language writes them.
func Number(l language.Language, n int64) string { return number(l, n) }

// Duration returns seconds in the unit that suits them.
func Duration(l language.Language, seconds float64) string { return duration(l, seconds) }

// Period returns two times in UTC.
func Period(first, last time.Time) string { return period(first, last) }
