package main

import (
	"slices"
	"testing"
)

func TestSplitWords(t *testing.T) {
	for _, test := range []struct {
		command string
		want    []string
	}{
		{"", nil},
		{"  ", nil},
		{"python3 ask.py", []string{"python3", "ask.py"}},
		{"\tpython3  ask.py\n", []string{"python3", "ask.py"}},
		{`"C:\Program Files\ask.exe" -v`, []string{`C:\Program Files\ask.exe`, "-v"}},
		{`sh -c 'echo "$1"'`, []string{"sh", "-c", `echo "$1"`}},
		{`a"b c"d''e ''`, []string{"ab cde", ""}},
	} {
		got, err := splitWords(test.command)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, %v, want %q", test.command, got, err, test.want)
		}
	}
	for _, command := range []string{`"`, `a 'b`, `'"`} {
		if got, err := splitWords(command); err == nil {
			t.Errorf("%s: got %q, want an error", command, got)
		}
	}
}
