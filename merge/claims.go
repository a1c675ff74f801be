package merge

import (
	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

// proveClaims proves the claims about a file. The error has the proofs if a claim does not hold.
func (j *joiner) proveClaims(f *File) error {
	if len(j.options.Claims) == 0 {
		return nil
	}
	f.Proofs = proof.Prove(robots.Parse([]byte(f.Text)), j.options.Claims, j.proofOptions())
	holds, undecided := true, false
	for _, p := range f.Proofs {
		if p.Decided && !p.Holds {
			// The answer is no, even if other claims are undecided.
			return &Error{Notes: f.Notes, Proofs: f.Proofs, language: j.language}
		}
		holds, undecided = holds && p.Holds, undecided || !p.Decided
	}
	if !holds {
		return &Error{Notes: f.Notes, Proofs: f.Proofs, Undecided: undecided, language: j.language}
	}
	return nil
}
