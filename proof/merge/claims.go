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
	var err error
	f.Proofs, err = proof.Prove(robots.Parse([]byte(f.Text)), j.options.Claims, j.proofOptions())
	holds := true
	for _, p := range f.Proofs {
		if p.Decided && !p.Holds {
			// The answer is no, even if other claims are undecided.
			return &Error{Notes: f.Notes, Proofs: f.Proofs, language: j.language}
		}
		holds = holds && p.Holds
	}
	if !holds {
		return &Error{Notes: f.Notes, Proofs: f.Proofs, Undecided: err != nil, language: j.language}
	}
	return nil
}
