// Package api has the questions, answers and problems of the decision service, as package server
// reads and writes them, and a [Client] of a remote service, such as "robots serve". A program that
// answers its questions itself uses package ask. The tag doc of a field is its description in the
// OpenAPI document of the service.
package api

import "time"

// A Match is the answer to GET /v1/match: which of the robots may fetch a URL.
type Match struct {
	URL     string   `json:"url" doc:"the URL of the question"`
	Dialect string   `json:"dialect" doc:"the dialect in which robots.txt was read"`
	Results []Result `json:"results" doc:"one result for each robot, in the order of the question"`
	Robots  Source   `json:"robots" doc:"the robots.txt that decided"`
}

// A Result is the answer about one robot.
type Result struct {
	Agent string `json:"agent" doc:"the robot, as the question names it"`
	Token string `json:"token" doc:"the product token by which the robot is looked up first"`
	Verdict
}

// A Verdict is a decision with its reason.
type Verdict struct {
	Allowed bool   `json:"allowed" doc:"whether the robot may fetch the URL"`
	Reason  string `json:"reason" doc:"why" enum:"rule,no-rule,no-group,robots-file,unavailable,unreachable"`
	Line    int    `json:"line,omitempty" doc:"the number of the deciding line, starting at 1, if a rule decides"`
	Rule    string `json:"rule,omitempty" doc:"the deciding rule, if a rule decides"`
}

// A Source describes the robots.txt of an origin.
type Source struct {
	Origin     string    `json:"origin" doc:"scheme, host and port that robots.txt is for"`
	State      string    `json:"state" doc:"the outcome of the last attempt to fetch robots.txt: unavailable allows everything; unreachable and forbidden allow nothing, unless an earlier text is in force" enum:"ok,unavailable,unreachable,forbidden"`
	Status     int       `json:"status,omitempty" doc:"the HTTP status of the last attempt; left out if there was no answer"`
	FetchedAt  time.Time `json:"fetched_at" doc:"when the text in force was received; without a text, when the last attempt ended"`
	FreshUntil time.Time `json:"fresh_until" doc:"the service does not ask the origin again before this time"`
	SHA256     string    `json:"sha256,omitempty" doc:"the SHA-256 of the text in force, in lower-case hex; left out if there is no text"`
}

// A File is the answer to GET /v1/robots: the robots.txt of an origin with its text.
type File struct {
	Source
	Text       *string `json:"text,omitempty" doc:"the text in force, if it is UTF-8"`
	TextBase64 []byte  `json:"text_base64,omitempty" doc:"the text in force, if it is not UTF-8"`
}

// A Question is a line of the body of POST /v1/match: it asks whether a robot may fetch a URL under
// a text of robots.txt. Package conformance defines the protocol.
type Question struct {
	ID           any     `json:"id,omitempty" doc:"any value; the answer repeats it"`
	Robots       *string `json:"robots,omitempty" doc:"the text of robots.txt; without it, the text of the line before"`
	RobotsBase64 []byte  `json:"robots_base64,omitempty" doc:"the text, if it is not UTF-8"`
	Agent        string  `json:"agent,omitempty" doc:"the name of the robot; without it, a robot that no group names"`
	URL          string  `json:"url" doc:"an absolute URL, or a path with its query"`
	Dialect      string  `json:"dialect,omitempty" doc:"the document by which the text is read" enum:"rfc9309,google,koster1994,koster1996,kollar1996"`
}

// An Answer is the line that answers a Question: a verdict or an error.
type Answer struct {
	ID      any    `json:"id,omitempty" doc:"of the question"`
	Allowed *bool  `json:"allowed,omitempty" doc:"whether the robot may fetch the URL; left out if there is an error"`
	Reason  string `json:"reason,omitempty" doc:"why" enum:"rule,no-rule,no-group,robots-file"`
	Line    int    `json:"line,omitempty" doc:"the number of the deciding line, starting at 1, if a rule decides"`
	Rule    string `json:"rule,omitempty" doc:"the deciding rule, if a rule decides"`
	Error   string `json:"error,omitempty" doc:"why there is no verdict"`
}

// Health is the answer to GET /healthz.
type Health struct {
	Status string `json:"status" doc:"the service answers" enum:"ok"`
}
