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
	b, from, l, err := cardOf(s, route, r, cardJSON)
	if err != nil {
		return err
	}
	return writeFresh(w, r, b, from, []byte(l.String()))
}

// badge answers GET /v1/badge.
func badge(s *Server, route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	b, from, _, err := cardOf(s, route, r, cardBadge)
	if err != nil {
		return err
	}
	if unchanged(w, r, from, b) {
		return nil
	}
	return sendPicture(w, b)
}

// cardOf returns the card of a site in a form, the robots.txt that it is about, and its language.
func cardOf(s *Server, route *boundRoute, r *http.Request, form func(*robots.Policy, card.Options) []byte) (
	b []byte, from *version, l language.Language, err error) {
	var q reportQuery
	if err := route.read(r, &q.URL, &q.Language); err != nil {
		return nil, nil, l, err
	}
	if err := checkURL("url", q.URL); err != nil {
		return nil, nil, l, err
	}
	if l, err = parseLanguage(q.Language, badParameter); err != nil {
		return nil, nil, l, err
	}
	result := s.origins.ask(r, ask.Question{URL: q.URL})[0]
	if err := failure(result); err != nil {
		return nil, nil, l, err
	}
	from = versionOf(result)
	b, err = s.work(r.Context(), func() ([]byte, error) {
		return form(from.result.Policy, card.Options{Subject: from.result.Origin, Site: true,
			Answer: answered.By(from.result), Robots: s.config.Robots, Language: l}), nil
	})
	return b, from, l, err
}

// reportText answers POST /v1/report.
func reportText(s *Server, route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q card.ReportQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) { return cardOfText(s, &q, cardJSON) })
}

// badgeOfText answers POST /v1/badge.
func badgeOfText(s *Server, route *boundRoute, w http.ResponseWriter, r *http.Request) error {
	var q card.ReportQuestion
	return s.analyse(route, w, r, &q, func() ([]byte, error) { return cardOfText(s, &q, cardBadge) })
}

// cardOfText returns the card of a text in a form.
func cardOfText(s *Server, q *card.ReportQuestion, form func(*robots.Policy, card.Options) []byte) ([]byte, error) {
	text, err := givenText("robots", q.Robots, q.RobotsBase64)
	if err != nil {
		return nil, err
	}
	l, err := parseLanguage(q.Language, badBody)
	if err != nil {
		return nil, err
	}
	return form(robots.Parse(text), card.Options{Subject: "robots.txt", Robots: s.config.Robots, Language: l}), nil
}

// cardBadge returns the card as a picture.
func cardBadge(p *robots.Policy, o card.Options) []byte {
	return card.Badge(card.Make(p, o), o.Language)
}

// sendPicture answers with an SVG picture, which other pages may show. An error of the
// connection ends the request.
func sendPicture(w http.ResponseWriter, b []byte) error {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Write(b)
	return nil
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
