package pageask

import (
	"encoding/json"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/say/cardtext"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/lint"
)

// maxShown is the maximum size in bytes of a text on the page.
const maxShown = 6 << 20 // 2 MiB of characters

// shown returns a policy for a question that takes longer for a large text. Robots read 500 KiB,
// but whoever has a larger file has to know where they stop.
func shown(e *engine.Engine, handle uint32) (*robots.Policy, error) {
	p, err := e.Policy(handle)
	if err == nil && len(p.String()) > maxShown {
		return nil, wrong(engine.TooLarge, "the text has %d bytes, more than %d: shorten it", len(p.String()), maxShown)
	}
	return p, err
}

// A cardQuestion asks for the report card of a text.
type cardQuestion struct {
	Policy   uint32         `json:"policy"`
	Language string         `json:"language"`
	Origin   string         `json:"origin"` // of a text that was fetched
	Answer   *card.Response `json:"answer"` // of the server that sent it, as in GET /v1/report
}

// A cardAnswer is a card with its words, and where on the page its commands have their like.
type cardAnswer struct {
	Card  *card.Card      `json:"card"`
	Sheet *cardtext.Sheet `json:"sheet"`
	Steps []card.Step     `json:"steps"`
}

// report answers page-card.
func report(e *engine.Engine, q cardQuestion) (*cardAnswer, error) {
	p, err := shown(e, q.Policy)
	if err != nil {
		return nil, err
	}
	o := card.Options{Subject: "robots.txt", Language: language.Parse(q.Language)}
	if q.Origin != "" {
		o.Subject, o.Site, o.Answer = q.Origin, true, q.Answer
	}
	a := &cardAnswer{Card: card.Make(p, o), Steps: []card.Step{}}
	a.Sheet = cardtext.Of(a.Card, o.Language, cardtext.Page)
	for _, n := range a.Card.Next {
		a.Steps = append(a.Steps, n.Step())
	}
	return a, nil
}

// A lintQuestion asks for the findings of the linter.
type lintQuestion struct {
	Policy   uint32 `json:"policy"`
	Language string `json:"language"`
}

// lintAll answers page-lint: as lint does, but also for texts of which robots read a part.
func lintAll(e *engine.Engine, q lintQuestion) (json.RawMessage, error) {
	p, err := shown(e, q.Policy)
	if err != nil {
		return nil, err
	}
	o := lint.Options{Language: language.Parse(q.Language).String()}
	return lint.File{Name: "robots.txt", Report: lint.Run(p, o)}.AppendJSON(nil), nil
}
