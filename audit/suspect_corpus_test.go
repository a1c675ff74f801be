package audit_test

import (
	"strings"

	"github.com/robotsexclusion/robots/audit"
)

func kinds(s audit.Suspect) string {
	var b strings.Builder
	for _, e := range s.Evidence {
		b.WriteString(e.Kind)
		if e.Strong {
			b.WriteByte('!')
		}
		b.WriteByte(' ')
	}
	return b.String()
}
