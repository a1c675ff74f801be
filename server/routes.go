package server

import (
	"net/http"

	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/server/api"
)

// A route is a method and a path, with all that the OpenAPI document says about it.
type route struct {
	method, path string
	summary      string
	query        any  // the zero value of a struct with the parameters of the query, or nil
	body         any  // the zero value of the body, or nil
	answer       any  // the zero value of the answer, or nil for any object
	lines        bool // body and answer are lines of such values
	picture      bool // the answer is an SVG picture
	problems     []*kind
	conditional  bool // the answer has an ETag
	always       bool // without limits: for those who watch the service
	quick        bool // takes no time but that of a fetch, which policy limits
	serve        func(s *Server, route *boundRoute, w http.ResponseWriter, r *http.Request) error
}

// analysisProblems are the problems of the routes about whole texts.
var analysisProblems = []*kind{badParameter, badBody, tooLarge, badClaim, busy, timedOut}

// routes is the list of all routes. Each route may also answer the problems that all have.
var routes = []route{
	{
		method: http.MethodGet, path: "/v1/match",
		summary:  "decide whether robots may fetch a URL, by the robots.txt of its origin",
		query:    matchQuery{},
		answer:   api.Match{},
		problems: []*kind{badParameter, badURL, refusedAddress, noSuchHost, busy, timedOut},
		serve:    (*Server).match, conditional: true, quick: true,
	},
	{
		method: http.MethodPost, path: "/v1/match",
		summary:  "decide about texts of robots.txt: the body has lines of the ask protocol, and so has the answer, in the same order",
		query:    linesQuery{},
		body:     api.Question{},
		answer:   api.Answer{},
		lines:    true,
		problems: []*kind{badParameter, badBody, tooLarge, busy, timedOut},
		serve:    (*Server).lines,
	},
	{
		method: http.MethodGet, path: "/v1/robots",
		summary:  "the robots.txt that is in force for an origin",
		query:    robotsQuery{},
		answer:   api.File{},
		problems: []*kind{badParameter, badURL, refusedAddress, noSuchHost, busy, timedOut},
		serve:    (*Server).robots, conditional: true, quick: true,
	},
	{
		method: http.MethodGet, path: "/v1/history",
		summary:  "versions of the robots.txt of an origin, as far as the service saw them",
		query:    historyQuery{},
		answer:   api.History{},
		problems: []*kind{badParameter, badURL, noHistory, busy, timedOut},
		serve:    history, conditional: true,
	},
	{
		method: http.MethodGet, path: "/v1/report",
		summary:  "the report card of a site: what it says to robots of each purpose, proven; its mistakes",
		query:    reportQuery{},
		answer:   card.Card{},
		problems: []*kind{badParameter, badURL, refusedAddress, noSuchHost, busy, timedOut},
		serve:    report, conditional: true,
	},
	{
		method: http.MethodPost, path: "/v1/report",
		summary:  "the report card of a text of robots.txt",
		body:     card.ReportQuestion{},
		answer:   card.Card{},
		problems: analysisProblems,
		serve:    reportText,
	},
	{
		method: http.MethodGet, path: "/v1/badge",
		summary:  "a picture for other pages with what a site says to search engines and to AI training",
		query:    reportQuery{},
		picture:  true,
		problems: []*kind{badParameter, badURL, refusedAddress, noSuchHost, busy, timedOut},
		serve:    badge, conditional: true,
	},
	{
		method: http.MethodPost, path: "/v1/badge",
		summary:  "the same picture for a text of robots.txt",
		body:     card.ReportQuestion{},
		picture:  true,
		problems: analysisProblems,
		serve:    badgeOfText,
	},
	{
		method: http.MethodPost, path: "/v1/lint",
		summary:  "find mistakes in a text of robots.txt",
		body:     api.LintQuestion{},
		answer:   api.Report{},
		problems: analysisProblems,
		serve:    (*Server).lint,
	},
	{
		method: http.MethodPost, path: "/v1/diff",
		summary:  "what a change of robots.txt changes, for which robots, proven for all paths",
		body:     api.DiffQuestion{},
		answer:   api.Difference{},
		problems: analysisProblems,
		serve:    (*Server).diff,
	},
	{
		method: http.MethodPost, path: "/v1/prove",
		summary:  "prove claims about a text of robots.txt for all paths, or show a counterexample",
		body:     api.ProveQuestion{},
		answer:   api.Proofs{},
		problems: analysisProblems,
		serve:    (*Server).prove,
	},
	{
		method: http.MethodPost, path: "/v1/minimize",
		summary:  "leave out the lines of a text that change no answer",
		body:     api.MinimizeQuestion{},
		answer:   api.Minimized{},
		problems: analysisProblems,
		serve:    (*Server).minimize,
	},
	{
		method: http.MethodGet, path: "/openapi.json",
		summary: "this document",
		serve:   (*Server).openAPI,
	},
	{
		method: http.MethodGet, path: "/healthz",
		summary: "whether the service answers",
		always:  true, quick: true,
		answer: api.Health{},
		serve:  (*Server).health,
	},
}

// A boundRoute is a route with the parameters of its query.
type boundRoute struct {
	*route
	parameters []string // names
}
