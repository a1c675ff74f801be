package monitor

import (
	"fmt"
	"time"
)

// Engines are the search engines that are asked about.
var Engines = engines

// A Watched is the state of a site between looks.
type Watched = site

// Step is site.step.
func (s *site) Step(o *Observation, accept time.Duration) ([]Update, bool) {
	return s.step(o, Compare(s.Baseline, o), accept)
}

// Check returns what of the state of a site can never be.
func (s *site) Check() error {
	seen := make(map[string]bool)
	for _, i := range s.Incidents {
		key := string(i.Finding.Kind) + " " + i.Finding.Subject
		switch {
		case seen[key]:
			return fmt.Errorf("%s has two incidents", key)
		case i.State < pending || i.State > flapping:
			return fmt.Errorf("%s has the state %d", key, i.State)
		case i.State == open && (i.Absent || len(i.Begins) == 0):
			return fmt.Errorf("%s is open, and absent or without a beginning", key)
		case len(i.Begins) > flapBegins:
			return fmt.Errorf("%s remembers %d beginnings", key, len(i.Begins))
		case i.Began.IsZero():
			return fmt.Errorf("%s never began", key)
		}
		seen[key] = true
	}
	return nil
}

// TextFolder is textFolder.
type TextFolder = textFolder

// Keep is textFolder.keep.
func (d textFolder) Keep(o *Observation) error { return d.keep(o) }

// Complete is textFolder.complete.
func (d textFolder) Complete(s *site, o *Observation) error { return d.complete(s, o) }

// Prune is textFolder.prune.
func (d textFolder) Prune(sites map[string]*site) { d.prune(sites) }

// Seal is seal.
func Seal(v any) ([]byte, error) { return seal(v) }

// Unseal is unseal.
func Unseal(text []byte, v any) error { return unseal(text, v) }

// States returns an incident in each state.
func States(at time.Time) []incident {
	f := Finding{Kind: "a", Severity: Notice}
	begins := []time.Time{at}
	return []incident{
		{State: pending, Finding: f, Began: at},
		{State: open, Finding: f, Began: at, Moved: at, Begins: begins},
		{State: over, Finding: f, Began: at, Moved: at, Absent: true, Begins: begins},
		{State: flapping, Finding: f, Began: at, Moved: at, Begins: begins},
	}
}
