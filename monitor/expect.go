package monitor

import (
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
			found = append(found, Finding{Kind: Claim, Severity: Critical, Subject: p.Claim.Text, Robots: []string{p.Agent}, Witness: p.Witness, After: p.Match.String()})
		}
	}
	return found
}
