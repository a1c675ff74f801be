package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/card/answered"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// reportQuery has the parameters of GET /v1/report.
type reportQuery struct {
	URL      string `query:"url" doc:"a URL of the site, absolute" required:"true" maxBytes:"16384"`
	Language string `query:"language" doc:"the language of messages" default:"en" enum:"en,es,ko,ru"`
}

// report answers GET /v1/report.
func report(s *Server, route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q reportQuery
	if err := route.read(r, &q.URL, &q.Language); err != nil {
		return err
	}
	if err := checkURL("url", q.URL); err != nil {
		return err
	}
	l, err := parseLanguage(q.Language, badParameter)
	if err != nil {
		return err
	}
	result := s.origins.ask(r, ask.Question{URL: q.URL})[0]
	if err := failure(result); err != nil {
		return err
	}
	from := versionOf(result)
	b, err := s.work(r.Context(), func() ([]byte, error) {
		return cardJSON(from.result.Policy, card.Options{Subject: from.result.Origin, Site: true,
			Answer: answered.By(from.result), Robots: s.config.Robots, Language: l}), nil
	})
	if err != nil {
		return err
	}
	return writeFresh(w, r, b, from, []byte(l.String()))
}

// reportText answers POST /v1/report.
func reportText(s *Server, route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q card.ReportQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) {
		text, err := givenText("robots", q.Robots, q.RobotsBase64)
		if err != nil {
			return nil, err
		}
		l, err := parseLanguage(q.Language, badBody)
		if err != nil {
			return nil, err
		}
		return cardJSON(robots.Parse(text), card.Options{Subject: "robots.txt", Robots: s.config.Robots,
			Language: l}), nil
	})
}

// cardJSON returns the card as the command prints it.
func cardJSON(p *robots.Policy, o card.Options) []byte {
	return printable.JSON(append(printable.AppendJSON(nil, card.Make(p, o)), '\n'))
}

// parseLanguage returns the language with a code; "" is English.
func parseLanguage(code string, wrong *kind) (language.Language, error) {
	if code != "" && !slices.Contains(language.Codes(), code) {
		return language.English, wrong.problem(fmt.Sprintf("there is no language %s: name one of %s",
			printable.Quoted(code, 100), strings.Join(language.Codes(), ", ")))
	}
	return language.Parse(code), nil
}
