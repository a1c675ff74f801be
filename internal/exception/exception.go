// Package exception reads the exceptions of an operator: requests that pass regardless of
// robots.txt, by their method, path, header or the address of the client. A guard and exported
// configuration have the same.
package exception

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// A Set is the exceptions of an operator, as guards and exports take them.
type Set struct {
	Methods   []string // that are enforced; nil is Methods
	Paths     []string
	Addresses []netip.Prefix
	Headers   http.Header
}

// Texts are the exceptions as an operator writes them.
type Texts struct{ Methods, Paths, Addresses, Headers []string }

// Read reads the texts, and checks them. An error comes with the name of its option.
func (t *Texts) Read() (s Set, option string, err error) {
	s.Methods, s.Paths = t.Methods, t.Paths
	for _, text := range t.Addresses {
		p, err := parseAddress(text)
		if err != nil {
			return s, "pass-address", err
		}
		s.Addresses = append(s.Addresses, p)
	}
	for _, text := range t.Headers {
		name, value, err := parseHeader(text)
		if err != nil {
			return s, "pass-header", err
		}
		if s.Headers == nil {
			s.Headers = make(http.Header)
		}
		s.Headers.Add(name, value)
	}
	option, err = s.Check()
	return s, option, err
}

// Exposed returns what to say if everybody on this machine can read or change a file with the value
// of a header.
func (t *Texts) Exposed() (notices []string) {
	for _, text := range t.Headers {
		name, value, _ := strings.Cut(text, ":")
		file, ok := strings.CutPrefix(strings.TrimSpace(value), "@")
		if notice := userfile.Exposed(file, "value of "+strings.TrimSpace(name)); ok && notice != "" {
			notices = append(notices, notice)
		}
	}
	return notices
}

// Check refuses exceptions that are unclear, or that would let everybody pass. An error comes with
// the name of its option.
func (s *Set) Check() (option string, err error) {
	if err := checkMethods(s.Methods); err != nil {
		return "methods", err
	}
	for _, path := range s.Paths {
		if err := CheckPath(path); err != nil {
			return "pass-path", err
		}
	}
	for _, p := range s.Addresses {
		if !p.IsValid() || p.Bits() == 0 || p.Addr().Is4In6() {
			return "pass-address", fmt.Errorf("%s is every address, or none: name a smaller range", p)
		}
	}
	for name, values := range s.Headers {
		for _, value := range values {
			if err := checkHeader(name, value); err != nil {
				return "pass-header", err
			}
		}
	}
	return "", nil
}

// Methods are the methods whose requests are enforced by default. Webhooks, forms and the cron of a
// site send others.
var Methods = []string{http.MethodGet, http.MethodHead}

// AllMethods stands for every method in a list.
const AllMethods = "all"

var methodName = regexp.MustCompile(`^[A-Z][A-Z-]{0,30}$`)

// checkMethods refuses a list of enforced methods without GET, or with a name that is none.
func checkMethods(list []string) error {
	for _, name := range list {
		if name != AllMethods && !methodName.MatchString(name) {
			return fmt.Errorf("%s is not a method: write capitals, such as POST, or %s",
				printable.Quoted(name, 40), AllMethods)
		}
	}
	if len(list) > 0 && !slices.Contains(list, http.MethodGet) && !slices.Contains(list, AllMethods) {
		return errors.New("GET is missing, so robots could read every page: add it")
	}
	return nil
}

// Enforced reports whether requests with a method are enforced. An empty list is Methods. Methods
// have case, but a site may answer "get" with a page.
func Enforced(list []string, method string) bool {
	if len(list) == 0 {
		list = Methods
	}
	return method == "" || slices.Contains(list, strings.ToUpper(method)) || slices.Contains(list, AllMethods)
}

var usualPath = regexp.MustCompile(`^(?:/[0-9A-Za-z_~!+=:@.-]+)+/?$`)

// CheckPath refuses a path whose exception would be unclear: the whole site, a pattern, or a path
// that servers read in several ways.
func CheckPath(path string) error {
	switch {
	case path == "/":
		return errors.New(`"/" is the whole site: name a path below it, such as /webhook`)
	case strings.ContainsAny(path, "*$"):
		return fmt.Errorf("%s has a wildcard: name a path, and all below it passes", printable.Quoted(path, 100))
	case len(path) > 200 || !usualPath.MatchString(path) || strings.Contains(path+"/", "/./") ||
		strings.Contains(path+"/", "/../"):
		return fmt.Errorf("%s is not a path such as /webhook: it begins with \"/\", "+
			"and has letters, digits and \"_~!+=:@.-\" between single slashes", printable.Quoted(path, 100))
	}
	return nil
}

const (
	pathByte = `[0-9A-Za-z_~!&()*+,=:@\x2d]`
	// pathEscape matches the escapes of a blank, of some letters, and of bytes of UTF-8. Others may
	// be slashes, dots and percent signs, which a server or a program behind it may read as such.
	pathEscape = `%(?:20|[4689ABD-Fabd-f][0-9A-Fa-f]|[Cc][2-9A-Fa-f])`
)

// PathExpression returns an expression, after the start of an expression, of the targets that lie
// below a path however they are read. end matches the end of a target without a query. A segment
// that begins with a dot, a semicolon, a backslash and unusual escapes match nothing, because some
// servers leave the path there. The expression is one of RE2, or else of PCRE, in which it never
// backtracks.
func PathExpression(start, path, end string, re2 bool) string {
	all := "*+"
	if re2 {
		all = "*"
	}
	below := `(?:/|(?:` + pathByte + `|` + pathEscape + `)\.` + all + `)` + all
	quoted := strings.NewReplacer(`\-`, `\x2d`, "-", `\x2d`).Replace(regexp.QuoteMeta(path))
	if !strings.HasSuffix(path, "/") {
		below = `(?:/` + below + `)?`
	}
	return start + quoted + below + `(?:\?|` + end + `)`
}

// parseAddress reads an address or a range of addresses.
func parseAddress(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	if err != nil || p.Addr().Is4In6() {
		return p, fmt.Errorf("%s is not an address such as 192.0.2.1 or a range such as 192.0.2.0/24",
			printable.Quoted(text, 60))
	}
	return p.Masked(), nil
}

var headerName = regexp.MustCompile(`^[A-Za-z][0-9A-Za-z-]{0,60}$`)

// parseHeader reads a header field, "NAME: VALUE" or "NAME: @FILE" with the value in a file. The
// value may be a secret, so no error has it.
func parseHeader(text string) (name, value string, err error) {
	name, value, ok := strings.Cut(text, ":")
	name, value = http.CanonicalHeaderKey(strings.TrimSpace(name)), strings.TrimSpace(value)
	if !ok || !headerName.MatchString(name) {
		return "", "", errors.New("write the name and the value of a header field, such as 'X-Webhook-Token: VALUE'")
	}
	if file, ok := strings.CutPrefix(value, "@"); ok {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", "", fmt.Errorf("the value of %s cannot be read from %s: %w", name, printable.Shown(file),
				userfile.Cause(err))
		}
		value = strings.TrimSpace(string(data))
	}
	return name, value, nil
}

func checkHeader(name, value string) error {
	switch {
	case !headerName.MatchString(name):
		return fmt.Errorf("%s is not the name of a header field", printable.Quoted(name, 60))
	case http.CanonicalHeaderKey(name) == "Host":
		return errors.New("the field Host names the site in all requests: name another field")
	case value == "":
		return fmt.Errorf("%s has no value: a field with any value would let everybody pass", name)
	case len(value) > 4096 || strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c == 0x7F }):
		return fmt.Errorf("the value of %s is too long or has a control character", name)
	}
	return nil
}
