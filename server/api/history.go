package api

import "time"

// A History is the answer to GET /v1/history: versions of the robots.txt of an origin, as the
// service saw them.
type History struct {
	Origin   string          `json:"origin" doc:"scheme, host and port that the versions are for"`
	Versions []Version       `json:"versions" doc:"the newest versions, in order of time"`
	Earlier  *time.Time      `json:"earlier,omitempty" doc:"there are earlier versions: ask for them with this time as the parameter before"`
	Texts    map[string]Text `json:"texts" doc:"the texts of the versions by their SHA-256, without those that are no longer there"`
}

// A Version is the robots.txt of an origin during a period.
type Version struct {
	From   time.Time  `json:"from" doc:"when the version was first seen"`
	Until  *time.Time `json:"until,omitempty" doc:"when a change was first seen; left out for the last version"`
	Seen   *time.Time `json:"seen,omitempty" doc:"when the version was last seen; left out if that is unknown"`
	State  string     `json:"state" doc:"the outcome of the first attempt: unavailable allows everything; unreachable allows nothing, unless a text is in force" enum:"ok,unavailable,unreachable"`
	Status int        `json:"status,omitempty" doc:"the HTTP status of the first attempt; left out if there was no answer"`
	Cause  string     `json:"cause,omitempty" doc:"why the state is not ok"`
	SHA256 string     `json:"sha256,omitempty" doc:"the SHA-256 of the text in force, in lower-case hex; left out if there is no text"`
	Size   int        `json:"size,omitempty" doc:"the size of the text in bytes"`
	Cut    bool       `json:"cut,omitempty" doc:"the text was longer than the service reads"`
}

// A Text is a text of robots.txt.
type Text struct {
	Text       *string `json:"text,omitempty" doc:"the text, if it is UTF-8"`
	TextBase64 []byte  `json:"text_base64,omitempty" doc:"the text, if it is not UTF-8"`
}
