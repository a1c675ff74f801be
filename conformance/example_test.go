package conformance_test

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots/conformance"
)

// An open asker answers that everything is allowed. A parser of one's own takes its place.
type open struct{}

func (open) Ask(_ context.Context, questions []conformance.Question) ([]conformance.Answer, error) {
	answers := make([]conformance.Answer, len(questions))
	for i, q := range questions {
		allowed := true
		answers[i] = conformance.Answer{ID: q.ID, Allowed: &allowed}
	}
	return answers, nil
}

// Run holds a parser to the vectors, and says which answers are wrong.
func ExampleRun() {
	sections, err := conformance.Sections()
	if err != nil {
		panic(err)
	}
	report, err := conformance.Run(context.Background(), open{}, sections)
	if err != nil {
		panic(err)
	}
	for _, profile := range report.Profiles {
		if profile.Profile == "rfc9309" {
			fmt.Println(profile.Agreed < profile.Asks, len(profile.Misses) == profile.Asks-profile.Agreed)
		}
	}
	// Output:
	// true true
}
