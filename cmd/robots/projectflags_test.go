package main

import (
	"slices"
	"strings"
	"testing"
)

// FuzzProject checks that the file of a project is read line by line, whatever is in it: no setting
// comes from two lines, and each has a value that stands in its line.
func FuzzProject(f *testing.F) {
	for _, text := range []string{"", "file = a\n[lint]\nprofile=strict\n; c\n# d\n",
		"\ufeff[prove]\r\nclaim = all may = x\r\n", "[lint", "[]\n", "=\n", "a", "[ build ]\noutput = x\x00y",
		"[fmt]\n[lint]\nenable = a,b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := parseProject(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), settingsFile+":") || strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("%q: got the error %q", text, err)
			}
			return
		}
		lines := strings.Split(text, "\n")
		before := 0
		for _, s := range settings {
			if s.line <= before || !strings.Contains(lines[s.line-1], s.value) || strings.Contains(s.key, "=") {
				t.Errorf("%q: got %+v", text, s)
			}
			before = s.line
		}
	})
}

// TestProjectFlags checks that the verbs have the flags that a project may set.
func TestProjectFlags(t *testing.T) {
	for name, may := range projectVerbs {
		verb, _, err := newRoot().Find([]string{name})
		if err != nil || verb.Name() != name {
			t.Errorf("there is no verb %s: %v", name, err)
			continue
		}
		for _, flag := range slices.Concat(may.flags, may.files) {
			if verb.Flags().Lookup(flag) == nil {
				t.Errorf("%s has no flag --%s", name, flag)
			}
		}
	}
}
