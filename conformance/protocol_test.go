package conformance

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestParseQuestion(t *testing.T) {
	for _, test := range []struct {
		line string
		want string // the question as JSON, and its error
	}{
		{`{"id":7,"robots":"x","agent":"a","url":"/","dialect":"google"}`,
			`{"id":7,"robots":"x","agent":"a","url":"/","dialect":"google"}`},
		{`{"url":"/"}`, `{"agent":"*","url":"/"}`},
		{`{"robots":null,"agent":null,"dialect":null,"url":"/"}`, `{"agent":"*","url":"/"}`},
		{`{"robots":"","agent":"","dialect":"","url":""}`, `{"robots":"","agent":"","url":""}`},
		{`{"robots_base64":"4Q==","url":"/"}`, `{"robots_base64":"4Q==","agent":"*","url":"/"}`},
		{`{"id":null,"url":"/"}`, `{"id":null,"agent":"*","url":"/"}`},
		{`{"id": {"a" : [1, 2.50]} ,"url":"/"}`, `{"id":{"a":[1,2.50]},"agent":"*","url":"/"}`},
		{`{"url":"/a","url":"/b","more":{"url":"/c"}}`, `{"agent":"*","url":"/b"}`},
		// Names of members are case-sensitive, unlike in encoding/json.
		{`{"URL":"/a","url":"/b","Agent":"c"}`, `{"agent":"*","url":"/b"}`},
		{` {"url":"\ud83d\ude00"} ` + "\r\n", `{"agent":"*","url":"😀"}`},

		{``,
			`{"agent":"*","url":""} the line is not a question: a JSON object is expected: unexpected end of JSON input`},
		{`garbage`,
			`{"agent":"*","url":""} the line is not a question: a JSON object is expected: invalid character 'g' looking for beginning of value`},
		{`[1]`, `{"agent":"*","url":""} the line is not a question: a JSON object is expected, not a JSON array`},
		{`null`, `{"agent":"*","url":""} the line is not a question: a JSON object is expected, not null`},
		{`{"url":"/"} {"url":"/"}`,
			`{"agent":"*","url":""} the line is not a question: a JSON object is expected: invalid character '{' after top-level value`},
		{`{"id":"x","url":5}`, `{"id":"x","agent":"*","url":""} the line is not a question: "url" is not a string`},
		{`{"id":"x","robots":"t"}`, `{"id":"x","robots":"t","agent":"*","url":""} the line has no "url" to ask about`},
		{`{"id":1,"robots":"t","robots_base64":"","url":"/"}`,
			`{"id":1,"agent":"*","url":""} the line has both "robots" and "robots_base64": give one of them`},
		{`{"id":1,"robots_base64":"4Q","url":"/"}`,
			`{"id":1,"agent":"*","url":""} "robots_base64" is not base64: illegal base64 data at input byte 0`},
		{"{\"id\":1,\"url\":\"/\xe1\"}",
			`{"id":1,"agent":"*","url":""} the line is not UTF-8: give a text of other bytes as "robots_base64", and percent-encode those of a URL`},
		{"{\"id\":\"\xe1\",\"url\":\"/\"}",
			`{"agent":"*","url":""} the line is not UTF-8: give a text of other bytes as "robots_base64", and percent-encode those of a URL`},
	} {
		q, err := ParseQuestion([]byte(test.line))
		data, _ := json.Marshal(q)
		got := string(data)
		if err != nil {
			got += " " + err.Error()
		}
		if got != test.want {
			t.Errorf("%s\n got  %s\n want %s", test.line, got, test.want)
		}
	}
}

func TestParseAnswer(t *testing.T) {
	q := &Question{ID: json.RawMessage("7")}
	for _, test := range []struct {
		line string
		want string // a part of the error, or "" for none
	}{
		{`{"id":7,"allowed":true}`, ``},
		{`{"id":7.0,"allowed":false,"line":3,"more":[]}`, ``},
		{`{"allowed":true}`, ``},
		{`{"id":7,"error":"no"}`, ``},
		{`{"id":8,"allowed":true}`, `the answer to another question: id "8", not 7`},
		{`{"id":[7],"allowed":true}`, `the answer to another question: id "[7]", not 7`},
		{`{"id":7}`, `neither "allowed" nor "error"`},
		{`{"id":7,"allowed":"yes"}`, `not an answer`},
		{`{"id":7,"allowed":null}`, `neither "allowed" nor "error"`},
		{``, `not an answer: ""`},
		{"\x1b[31m" + strings.Repeat("x", 100), `not an answer: "\x1b[31mxxx`},
	} {
		_, err := parseAnswer([]byte(test.line), q)
		switch {
		case err == nil && test.want != "":
			t.Errorf("%q: no error, want %q", test.line, test.want)
		case err != nil && (test.want == "" || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%q: error %q, want %q", test.line, err, test.want)
		}
	}
}
