package audit_test

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestDocument holds doc/audit-json.md to the encoder: it describes each member of the JSON of a
// report, in order, in a sentence, and no other.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../doc/audit-json.md")
	fatal.If(t, err)
	title, row := regexp.MustCompile("^## (?:`(.*)`|The report)$"),
		regexp.MustCompile("^[|] `(.*?)` [|] ([A-Z`].* .*[.]) [|]$")
	var got []string
	object := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if m := title.FindStringSubmatch(line); m != nil {
			object = m[1]
		} else if m := row.FindStringSubmatch(line); m != nil {
			got = append(got, object+" "+m[1])
		} else if strings.HasPrefix(line, "| `") {
			t.Errorf("no sentence describes a member: %s", line)
		}
	}
	want := membersOf(reflect.TypeFor[audit.Report](), "")
	for _, member := range want {
		if !slices.Contains(got, member) {
			t.Errorf("doc/audit-json.md lacks %s", member)
		}
	}
	for _, member := range got {
		if !slices.Contains(want, member) {
			t.Errorf("doc/audit-json.md has %s, which no report has", member)
		}
	}
	// The members of each object are in the order of the encoder.
	byObject := func(a, b string) int {
		a, _, _ = strings.Cut(a, " ")
		b, _, _ = strings.Cut(b, " ")
		return strings.Compare(a, b)
	}
	slices.SortStableFunc(got, byObject)
	slices.SortStableFunc(want, byObject)
	if !t.Failed() && !slices.Equal(got, want) {
		t.Errorf("doc/audit-json.md has the members in another order, got %q, want %q", got, want)
	}
}

// membersOf returns the members of the JSON of a type, each with the object that has it.
func membersOf(t reflect.Type, object string) (members []string) {
	var below []string
	for field := range fieldsOf(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" {
			panic(fmt.Sprintf("%v.%s has no name in JSON", t, field.Name))
		}
		members = append(members, object+" "+name)
		path, inner := strings.TrimPrefix(object+"."+name, "."), field.Type
		for inner.Kind() == reflect.Slice || inner.Kind() == reflect.Pointer {
			if inner.Kind() == reflect.Slice {
				path += "[]"
			}
			inner = inner.Elem()
		}
		if inner.Kind() == reflect.Struct && inner != reflect.TypeFor[time.Time]() {
			below = append(below, membersOf(inner, path)...)
		}
	}
	return append(members, below...)
}

// fieldsOf yields the fields of a struct, and those of embedded structs in their place.
func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for field := range t.Fields() {
			if field.Anonymous {
				for inner := range fieldsOf(field.Type) {
					if !yield(inner) {
						return
					}
				}
			} else if !yield(field) {
				return
			}
		}
	}
}
