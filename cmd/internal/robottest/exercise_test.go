package robottest

import (
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestExercises compares the paths of the exercises with what package robots reads in their files,
// for a robot whose name is known.
func TestExercises(t *testing.T) {
	names := make(map[string]bool)
	for i := range exercises {
		e := &exercises[i]
		if names[e.name] {
			t.Errorf("two exercises are named %s", e.name)
		}
		names[e.name] = true
		group := robots.Parse([]byte(e.text([]string{"OtherBot", "ModelBot"}))).For("ModelBot")
		for _, path := range e.closed {
			if group.Match(path).Allowed {
				t.Errorf("%s: %s is allowed", e.name, path)
			}
		}
		for _, path := range append([]string{"/first", "/last"}, e.open...) {
			if want := !e.unvisited || e.unaudited; group.Match(path).Allowed != want {
				t.Errorf("%s: %s is allowed: %t, want %t", e.name, path, !want, want)
			}
		}
	}
}
