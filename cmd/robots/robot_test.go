package main

import (
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/internal/language"
)

// The robots for values of --agent, and values that name no robot.
func TestAgentsFlag(t *testing.T) {
	for _, name := range []string{"", " ", ",", " , ,", "()", "/", "  (;)"} {
		f := agentsFlag{texts: []string{name}, unknown: true}
		if all, err := f.resolve(nil, language.English); err == nil {
			t.Errorf("%q: got %q, want an error", name, all[0].Tokens)
		}
	}
	all, err := (&agentsFlag{}).resolve(nil, language.English)
	if err != nil || len(all) != 1 || !slices.Equal(all[0].Obeys(), []string{"*"}) {
		t.Errorf("nobody: got %v, %v", all, err)
	}
}
