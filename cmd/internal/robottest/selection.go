package robottest

import (
	"fmt"
	"path"
	"slices"
)

// Duties returns the duties whose IDs match one of the patterns, by level. A pattern is an ID, in
// which * is any text, as in *-nofollow. Without patterns, Duties returns all duties. It fails if a
// pattern matches no duty.
func Duties(patterns ...string) ([]Duty, error) {
	if len(patterns) == 0 {
		return duties, nil
	}
	var list []Duty
	used := make([]bool, len(patterns))
	for _, d := range duties {
		selected := false
		for i, pattern := range patterns {
			match, err := path.Match(pattern, d.ID)
			if err != nil {
				return nil, fmt.Errorf("%q is not a pattern for duties: %w", pattern, err)
			}
			used[i] = used[i] || match
			selected = selected || match
		}
		if selected {
			list = append(list, d)
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		return nil, fmt.Errorf("no duty is named %q: robots testweb --list has the names", patterns[i])
	}
	return list, nil
}

// needed returns whether an exercise shows one of the duties, or helps another exercise to.
func (e *exercise) needed(list []Duty) bool {
	return e.name == exercises[0].name || slices.ContainsFunc(list, func(d Duty) bool {
		return d.site == e.name || slices.Contains(d.with, e.name)
	})
}
