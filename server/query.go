package server

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// parametersOf returns the names of the parameters of a query: a struct, whose fields have the tags
// query, the name, and doc. A string is given once at most; a []string is given any number of
// times.
func parametersOf(query any) (names []string) {
	if query == nil {
		return nil
	}
	t := reflect.TypeOf(query)
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("query"))
	}
	return names
}

// read reads the query of a request into pointers to the parameters, a *string or a *[]string each,
// in the order of the struct of the route. The error is a problem.
func (b *boundRoute) read(r *http.Request, to ...any) error {
	seen := 0 // parameters given once, as bits
	for rest := r.URL.RawQuery; rest != ""; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		value, err := unescape(value)
		i := b.parameter(name)
		if i < 0 && err == nil { // few clients encode the name of a parameter
			name, err = unescape(name)
			i = b.parameter(name)
		}
		if err != nil {
			return badParameter.problem(fmt.Sprintf("the query is not encoded correctly: %v", err))
		}
		if i < 0 {
			return badParameter.problem(fmt.Sprintf("there is no parameter %q: the parameters are %s", name, b.names()))
		}
		switch to := to[i].(type) {
		case *[]string:
			*to = append(*to, value)
		case *string:
			if seen&(1<<i) != 0 {
				return badParameter.problem(fmt.Sprintf("the parameter %s is given twice", name))
			}
			seen |= 1 << i
			*to = value
		}
	}
	return nil
}

// unescape is [url.QueryUnescape], which takes twice as long: a URL in a query has many escapes.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '+') < 0 {
		return s, nil
	}
	var space [256]byte
	b := space[:0]
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '+':
			c = ' '
		case c == '%':
			if i+2 >= len(s) || hexDigits[s[i+1]]|hexDigits[s[i+2]] > 15 {
				return url.QueryUnescape(s) // which says what is wrong
			}
			c = hexDigits[s[i+1]]<<4 | hexDigits[s[i+2]]
			i += 2
		}
		b = append(b, c)
	}
	return string(b), nil
}

// hexDigits has the value of each hexadecimal digit, and 255 for other bytes.
var hexDigits = func() (values [256]byte) {
	for c := range values {
		values[c] = 255
	}
	for i, c := range "0123456789abcdef" {
		values[c], values[strings.ToUpper(string(c))[0]] = byte(i), byte(i)
	}
	return values
}()

// parameter returns the index of the parameter with a name, or -1.
func (b *boundRoute) parameter(name string) int { return slices.Index(b.parameters, name) }

// names returns the names of the parameters, for a message.
func (b *boundRoute) names() string { return cmp.Or(strings.Join(b.parameters, ", "), "none") }
