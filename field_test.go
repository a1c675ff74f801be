package robots_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestFields checks that the engine reads the lines of each field as that field, that the example is
// a valid value, and that the entries of the table do not contradict each other.
func TestFields(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range robots.Fields() {
		if lower := strings.ToLower(f.Name); seen[lower] {
			t.Errorf("%s: stands in the table twice", f.Name)
		} else {
			seen[lower] = true
		}
		if got, ok := robots.FieldNamed(strings.ToUpper(f.Name)); !ok || got.Name != f.Name {
			t.Errorf("%s: FieldNamed finds %q, %t", f.Name, got.Name, ok)
		}
		policy := parse("User-agent: *\n" + f.Name + ": " + f.Example + "\nDisallow: /x\n")
		for number, line := range policy.Lines() {
			if number == 2 && (line.Kind != f.Kind || line.Value != f.Example) {
				t.Errorf("%s: its example is read as %v with value %q", f.Name, line.Kind, line.Value)
			}
		}
		if errs := policy.BadRecords(); len(errs) > 0 {
			t.Errorf("%s: its example is bad: %v", f.Name, errs[0])
		}
		if f.Check != nil && f.Kind != robots.Other {
			t.Errorf("%s: a rule has a check", f.Name)
		}
		if f.Read && f.Obsolete || f.OfFile && f.OfGroup || f.Pace && !f.OfGroup {
			t.Errorf("%s: contradicts itself: %+v", f.Name, f)
		}
		if f.Read && f.Document == "" {
			t.Errorf("%s: somebody reads it, but no document defines it", f.Name)
		}
	}
	for _, name := range []string{"", "x", "Crawl-delay ", "ho\u017ft"} {
		if f, ok := robots.FieldNamed(name); ok {
			t.Errorf("FieldNamed(%q) is %s", name, f.Name)
		}
	}
	robots.Fields()[0].Name = "changed"
	if f := robots.Fields()[0]; f.Name != "User-agent" {
		t.Errorf("the table is shared: its first field is %s now", f.Name)
	}
}

// The engine needs only a line in the table for a new record.
func TestMadeUpField(t *testing.T) {
	text := "User-agent: a\nMADE-UP: 1\nUser-agent: b\nmade-up: wrong\nDisallow: /x\n"
	bad := errors.New("not 1")
	check := func(value string) error {
		if value != "1" {
			return bad
		}
		return nil
	}
	state := func() string {
		policy := parse(text)
		var wrong []string
		for _, e := range policy.BadRecords() {
			if !errors.Is(e.Err, bad) {
				t.Errorf("bad for another reason: %v", e)
			}
			wrong = append(wrong, fmt.Sprint(e.Line))
		}
		r := policy.Records("made-up")[0]
		return fmt.Sprintf("a %d, b %d, of file %t, bad %s", len(policy.For("a").Records("made-up")), len(policy.For("b").Records("made-up")),
			r.OfFile(), strings.Join(wrong, " "))
	}
	for _, tt := range []struct {
		field robots.Field
		want  string
	}{
		{robots.Field{Name: "Other"}, "a 2, b 1, of file false, bad "},
		{robots.Field{Name: "Made-up", OfFile: true}, "a 2, b 1, of file true, bad "},
		{robots.Field{Name: "Made-up", OfGroup: true, Check: check}, "a 1, b 1, of file false, bad 4"},
	} {
		robots.WithField(tt.field, func() {
			if got := state(); got != tt.want {
				t.Errorf("%+v: got %s, want %s", tt.field, got, tt.want)
			}
		})
	}
	if slices.ContainsFunc(robots.Fields(), func(f robots.Field) bool { return f.Name == "Made-up" }) {
		t.Error("the made-up field is still in the table")
	}
}
