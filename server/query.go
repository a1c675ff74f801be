package server

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
)

// A queryField is a parameter of a query: a field of a struct, with the tags query, its name, and
// doc. A string is given once at most; a []string is given any number of times.
type queryField struct {
	name  string
	index int
	many  bool
}

// queryFields returns the parameters of a struct.
func queryFields(query any) (fields []queryField) {
	if query == nil {
		return nil
	}
	t := reflect.TypeOf(query)
	for i := range t.NumField() {
		f := t.Field(i)
		fields = append(fields, queryField{f.Tag.Get("query"), i, f.Type.Kind() == reflect.Slice})
	}
	return fields
}

// read reads the query of a request into the struct that to points to. The error is a problem.
func (b *boundRoute) read(r *http.Request, to any) error {
	v := reflect.ValueOf(to).Elem()
	seen := 0 // parameters given once, as bits
	for rest := r.URL.RawQuery; rest != ""; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err == nil {
			value, err = url.QueryUnescape(value)
		}
		if err != nil {
			return badParameter.problem(fmt.Sprintf("the query is not encoded correctly: %v", err))
		}
		field := b.field(name)
		if field == nil {
			return badParameter.problem(fmt.Sprintf("there is no parameter %q: the parameters are %s", name, b.names()))
		}
		if field.many {
			list := v.Field(field.index).Addr().Interface().(*[]string)
			*list = append(*list, value)
			continue
		}
		if seen&(1<<field.index) != 0 {
			return badParameter.problem(fmt.Sprintf("the parameter %s is given twice", name))
		}
		seen |= 1 << field.index
		v.Field(field.index).SetString(value)
	}
	return nil
}

// field returns the parameter with a name, or nil.
func (b *boundRoute) field(name string) *queryField {
	for i := range b.fields {
		if b.fields[i].name == name {
			return &b.fields[i]
		}
	}
	return nil
}

// names returns the names of the parameters, for a message.
func (b *boundRoute) names() string {
	var names []string
	for _, f := range b.fields {
		names = append(names, f.name)
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, ", ")
}
