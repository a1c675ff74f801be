package auditreport

import (
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

// addresses returns a number of addresses, and says if it is an estimate.
func addresses(l language.Language, c audit.Clients) string {
	if c.Estimated {
		return "≈ " + number(l, c.Addresses)
	}
	return number(l, c.Addresses)
}

var textAddresses = language.New("addresses")
