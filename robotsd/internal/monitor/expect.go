package monitor

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

// claimFindings returns the claims that do not hold of the policy in force.
func claimFindings(o *Observation, claims []proof.Claim) (found []Finding) {
	proofs, _ := proof.Prove(o.Policy, claims, proof.Options{}) // each proof says whether it is decided
	for _, p := range proofs {
		switch {
		case !p.Decided:
			found = append(found, Finding{Kind: Undecided, Severity: Warning, Subject: p.Claim.Text})
		case !p.Holds:
			found = append(found, Finding{Kind: Claim, Severity: Critical, Subject: p.Claim.Text,
				Robots: []string{p.Agent}, Witness: p.Witness, After: p.Match.String()})
		}
	}
	return found
}

// expectFindings returns how the rules differ from those expected.
func expectFindings(ctx context.Context, o *Observation, expect func(context.Context) (*robots.Policy,
	error)) []Finding {
	if expect == nil {
		return nil
	}
	want, err := expect(ctx)
	if err == nil {
		if kind, _ := textFault(&File{State: fetch.OK}, want); kind != "" && kind != Empty {
			err = fmt.Errorf("its text is %s", kind)
		}
	}
	if err != nil {
		return []Finding{{Kind: Unread, Severity: Warning, After: printable.Clipped(err.Error(), 300)}}
	}
	finding := Finding{Kind: Unexpected, Severity: Warning}
	d, _ := proof.Diff(want, o.Policy, proof.Options{}) // undecided is not equal
	if !differs(&finding, d) {
		return nil
	}
	return []Finding{finding}
}

// differs completes a finding with what a difference says. It reports false if the policies mean
// the same.
func differs(f *Finding, d *proof.Difference) bool {
	for _, c := range d.Changes {
		f.Robots = append(f.Robots, c.Agents...)
		for _, region := range c.Main() {
			f.Patterns = append(f.Patterns, region.Rule.String())
			if f.Witness == "" {
				f.Witness = region.Witness
			}
		}
	}
	for _, r := range d.Records {
		f.Patterns = append(f.Patterns, r.String())
	}
	f.Robots, f.Patterns = listed(f.Robots), listed(f.Patterns)
	return !d.Equal() || len(d.Records) > 0
}
