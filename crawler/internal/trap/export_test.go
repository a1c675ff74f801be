package trap

import (
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
)

// CheckAt is Check at another time.
func CheckAt(u weburl.URL, now time.Time) Finding { return check(u, func() time.Time { return now }) }

// CheckAll returns what each rule alone finds.
func CheckAll(u weburl.URL) (all []Finding) {
	path := segments(nil, u.Pathname())
	for rule := Depth; rule <= Effect; rule++ {
		if part := rule.find(path, u.Query(), time.Now); part != "" {
			all = append(all, Finding{rule, part})
		}
	}
	return all
}

// The lists of words, for a test of each.
var (
	Doing = doing
	Done  = done
	Mild  = mild
	Acts  = acts
	Names = names
)
