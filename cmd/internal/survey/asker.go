package survey

import (
	"context"
	"iter"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/parallel"
)

// An Asker fetches the robots.txt of many origins.
type Asker struct {
	Client   *fetch.Client
	Parallel int  // the maximum number of origins asked concurrently
	InOrder  bool // yield answers in the order of the origins, not as they arrive

	Origin  func(text string) (string, error) // returns the origin that a text names
	Explain func(error) error                 // puts an error of fetching in the words of the caller
}

// Answers yields the answers of the origins that texts name, without those that s has, and adds
// them to s. A text that is not an origin yields an answer with an error.
func (a *Asker) Answers(ctx context.Context, texts iter.Seq2[string, error], s *Survey) iter.Seq2[Answer, error] {
	asked := func(yield func(Answer, error) bool) {
		for text, err := range texts {
			one := Answer{Origin: text}
			if err == nil {
				var origin string
				if origin, one.Err = a.Origin(text); one.Err == nil {
					one.Origin = origin
				}
			}
			if (err != nil || s.First(one.Origin)) && !yield(one, err) {
				return
			}
		}
	}
	fetched := func(ctx context.Context, one Answer) Answer {
		if one.Err == nil {
			one.Result, one.Err = a.Client.Policy(ctx, one.Origin)
			one.Err = a.Explain(one.Err)
		}
		return one
	}
	if a.InOrder {
		return parallel.InOrder(ctx, a.Parallel, asked, fetched)
	}
	return parallel.AsTheyCome(ctx, a.Parallel, asked, fetched)
}
