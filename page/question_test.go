package page_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/page"
)

func TestAppendAnswer(t *testing.T) {
	for _, test := range []struct {
		line    string
		reading page.Reading
		want    string
	}{
		{`{}`, 0, `{"index":true,"follow":true,"directives":{}}`},
		{`{"id": {"a": [1, 2.0]}, "html": "<meta name=robots content=none>"}`, 0,
			`{"id":{"a": [1, 2.0]},"index":false,"follow":false,"directives":{"noindex":true,"nofollow":true}}`},
		{`{"html": "<meta charset=windows-1251><meta name=robots content='noarchive\u00a0noindex'>"}`, 0,
			`{"index":false,"follow":true,"directives":{"noindex":true,"noarchive":true}}`},
		{`{"id": null}`, 0, `{"id":null,"index":true,"follow":true,"directives":{}}`},
		{`{"html": null, "headers": null, "meta": null, "agent": null, "now": null, "reading": null, "what": 1}`, 0,
			`{"index":true,"follow":true,"directives":{}}`},
		{`{"headers": ["index, noindex"]}`, page.Reading1996,
			`{"index":true,"follow":true,"directives":{"index":true}}`},
		{`{"headers": ["index, noindex"], "reading": "restrictive"}`, page.Reading1996,
			`{"index":false,"follow":true,"directives":{"noindex":true}}`},
		{`{"meta": [["googlebot", "noindex"]], "agent": "Googlebot-News, Googlebot"}`, 0,
			`{"index":false,"follow":true,"directives":{"noindex":true}}`},
		{`{"headers": ["unavailable_after: 1 Jan 2026"], "now": "2026-01-01T02:00:00+02:00"}`, 0,
			`{"index":true,"follow":true,"directives":{"unavailable_after":"2026-01-01T00:00:00Z"}}`},

		{``, 0, `{"error":"the line is not a question: a JSON object is expected: unexpected end of JSON input"}`},
		{`[]`, 0, `{"error":"the line is not a question: a JSON object is expected, not a JSON array"}`},
		{`null`, 0, `{"error":"the line is not a question: a JSON object is expected, not null"}`},
		{`{"id": 7, "html": 1}`, 0, `{"id":7,"error":"the line is not a question: \"html\" is not a string"}`},
		{`{"id": 7, "headers": "noindex"}`, 0,
			`{"id":7,"error":"the line is not a question: \"headers\" is not a list of strings"}`},
		{`{"meta": [["robots"]]}`, 0,
			`{"error":"the line is not a question: number 1 of \"meta\" has 1 strings, not a name and a content"}`},
		{`{"meta": {"robots": "x"}}`, 0,
			`{"error":"the line is not a question: \"meta\" is not a list of pairs of strings, such as [[\"robots\", \"noindex\"]]"}`},
		{`{"now": "today"}`, 0,
			`{"error":"the line is not a question: \"now\" is not a time such as \"2026-01-31T12:00:00Z\""}`},
		{`{"reading": "1997"}`, 0,
			`{"error":"the line is not a question: \"reading\" is not \"restrictive\" or \"1996\""}`},
		{"{\"id\": 7, \"html\": \"\xff\"}", 0, `{"id":7,"error":"the line is not UTF-8: convert the page to it"}`},
	} {
		got, err := page.AppendAnswer(nil, []byte(test.line), test.reading)
		if string(got) != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.line, got, test.want)
		}
		if (err != nil) != strings.Contains(test.want, `"error":`) {
			t.Errorf("%s: error %v", test.line, err)
		}
	}
}
