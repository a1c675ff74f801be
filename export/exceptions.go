package export

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/exception"
)

// headerValue matches the values of headers that need no escape in any configuration.
var headerValue = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z_.~+/=:@-]{0,199}$`)

// checkExceptions refuses exceptions that no configuration can have.
func (p *plan) checkExceptions() error {
	o := &p.options
	set := exception.Set{Methods: o.Methods, Paths: o.PassPaths, Addresses: o.PassAddresses, Headers: o.PassHeaders}
	if option, err := set.Check(); err != nil {
		return fmt.Errorf("--%s: %w", option, err)
	}
	for _, h := range p.passHeaders() {
		if !headerValue.MatchString(h.value) {
			return fmt.Errorf("--pass-header: the value of %s may have letters, digits and \"_.~+/=:@-\", "+
				"200 at most, and begins with a letter or a digit", h.name)
		}
	}
	if len(o.PassHeaders) > 0 {
		p.notes = append(p.notes,
			"the files have the values of the header fields that let robots pass: let only the server read them")
	}
	return nil
}

// judgedMethods returns the methods whose requests are refused, or nil for all.
func (p *plan) judgedMethods() []string {
	switch list := p.options.Methods; {
	case len(list) == 0:
		return exception.Methods
	case slices.Contains(list, exception.AllMethods):
		return nil
	default:
		return list
	}
}

// passTargets returns the expressions of PCRE for the targets that pass. start and end match what
// is before and after the target.
func (p *plan) passTargets(start, end string) (list []string) {
	for _, path := range p.options.PassPaths {
		list = append(list, exception.PathExpression(start, path, end, false))
	}
	return list
}

// A passHeader is a header field that lets robots pass.
type passHeader struct{ name, value string }

func (p *plan) passHeaders() (list []passHeader) {
	for _, name := range slices.Sorted(maps.Keys(p.options.PassHeaders)) {
		for _, value := range p.options.PassHeaders[name] {
			list = append(list, passHeader{http.CanonicalHeaderKey(name), value})
		}
	}
	return list
}

// passAddresses returns the addresses that pass, with a text between them.
func (p *plan) passAddresses(between string) string {
	var list []string
	for _, a := range p.options.PassAddresses {
		list = append(list, a.Masked().String())
	}
	return strings.Join(list, between)
}
