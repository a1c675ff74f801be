package main

import (
	"slices"
	"testing"
)

// The robots for values of --agent, and values that name no robot.
func TestRobotsOf(t *testing.T) {
	for _, name := range []string{"", " ", ",", " , ,", "()", "/", "  (;)"} {
		if all, err := robotsOf(nil, []string{name}); err == nil {
			t.Errorf("%q: got %q, want an error", name, all[0].Tokens)
		}
	}
	all, err := robotsOf(nil, nil)
	if err != nil || len(all) != 1 || !slices.Equal(all[0].Obeys(), []string{"*"}) {
		t.Errorf("nobody: got %v, %v", all, err)
	}
}
