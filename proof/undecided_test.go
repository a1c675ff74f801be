package proof_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// TestUndecided asks each question about rules with wildcards that one state of a search cannot
// decide: the error wraps pathset.ErrUndecided. With the usual limit, the questions are decided.
func TestUndecided(t *testing.T) {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i := range 3 {
		fmt.Fprintf(&b, "Disallow: /*a%d*b%[1]d*c\nAllow: /*b%[1]d*a%[1]d*d\n", i)
	}
	before := robots.Parse([]byte(b.String()))
	after := robots.Parse([]byte(b.String() + "Disallow: /x*a0*b0*c\n")) // which changes nothing
	claims, err := proof.ParseClaims("* may not fetch /*a0*b0*c except /*d*\n")
	fatal.If(t, err)
	google := proof.Readers()[1:2]
	for _, test := range []struct {
		name string
		ask  func(proof.Options) error
	}{
		{"Diff", func(o proof.Options) error {
			d, err := proof.Diff(before, after, o)
			if err != nil && (d.Equal() || len(d.Undecided) == 0) {
				t.Errorf("the policies are equal, and undecided for %q: %v", d.Undecided, err)
			}
			return err
		}},
		{"Prove", func(o proof.Options) error {
			proofs, err := proof.Prove(after, claims, o)
			if proofs[0].Decided != (err == nil) || proofs[0].Holds && err != nil {
				t.Errorf("%v, but the error is %v", proofs[0], err)
			}
			return err
		}},
		{"Minimize", func(o proof.Options) error {
			m, err := proof.Minimize(after, o)
			if m.Undecided != (err != nil) || err != nil && m.Text != after.String() {
				t.Errorf("error %v, undecided %t, for\n%s", err, m.Undecided, m.Text)
			}
			return err
		}},
		{"Conflicts", func(o proof.Options) error {
			_, err := proof.Conflicts([]*robots.Policy{before, after},
				o)
			return err
		}},
		{"Breaches", func(o proof.Options) error {
			_, err := proof.Breaches(before, []*robots.Policy{after},
				o)
			return err
		}},
		{"Redundant", func(o proof.Options) error { _, err := proof.Redundant(before, o); return err }},
		{"Shifts", func(o proof.Options) error { _, err := proof.Shifts(before, after, google, o); return err }},
		{"Portable", func(o proof.Options) error {
			_, err := proof.Portable(before.In(robots.Koster1996),
				o)
			return err
		}},
	} {
		if err := test.ask(proof.Options{Limit: 1}); !errors.Is(err, pathset.ErrUndecided) {
			t.Errorf("%s with one state: got %v, want an error that wraps %q", test.name, err, pathset.ErrUndecided)
		}
		if err := test.ask(proof.Options{}); err != nil {
			t.Errorf("%s with the usual limit: %v", test.name, err)
		}
	}
}
