package agent_test

import (
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// TestHeaderNames checks that Lookup finds the robot of each name, unless a robot of the same name
// wins, and that the marks make a robot of a header that has nothing else.
func TestHeaderNames(t *testing.T) {
	n := 0
	for name, a := range (*agent.Table)(nil).HeaderNames() {
		n++
		if got := agent.Lookup(name + "/1.0"); got.Token != a.Token {
			t.Errorf("the header %q shows %s, not %s", name, got.Token, a.Token)
		}
	}
	if n < 580 {
		t.Errorf("%d names for 580 robots", n)
	}
}

func TestRobotMarks(t *testing.T) {
	m := agent.RobotMarks()
	for _, word := range slices.Concat(m.Words, m.Parts, m.Endings) {
		header := "Mozilla/5.0 (" + word + ")"
		if !slices.Contains(m.Words, word) {
			header = "Mozilla/5.0 (zz" + word + ")"
		}
		if a := agent.Lookup(header); a.Kind != agent.Robot {
			t.Errorf("the mark %q shows %v", word, a.Kind)
		}
	}
	for _, header := range slices.Concat(m.Others, m.Apps) {
		if a := agent.Lookup(header); a.Kind == agent.Robot {
			t.Errorf("the word %q shows a robot: %s", header, a.Why())
		}
	}
}

// TestHeaderWords checks that HeaderWords has the words of data/words.txt with their classes, no
// others, and the tokens that no header shows.
func TestHeaderWords(t *testing.T) {
	n := 0
	for word, classes := range agent.HeaderWords() {
		if len(classes) == 0 && !agent.Named(word).Known() {
			t.Errorf("the word %q has no class", word)
		}
		for _, class := range classes {
			n++
			if !slices.Contains(slowTable().classes[class], word) {
				t.Errorf("data/words.txt does not have %q in class %s", word, class)
			}
		}
	}
	want := 0
	for _, words := range slowTable().classes {
		want += len(words)
	}
	if n != want {
		t.Errorf("%d words, want %d", n, want)
	}
}
