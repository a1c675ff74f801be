package ask

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// echo answers with what it was asked: allowed where the text starts with the
// letters of the URL, by the line that the text is long.
func echo(q Question) (Answer, error) {
	switch q.URL {
	case "/panic":
		var none []int
		return Answer{}, fmt.Errorf("%d", none[len(q.URL)])
	case "/error":
		return Answer{}, errors.New("no <verdict>")
	case "/question":
		return Answer{}, fmt.Errorf("%+q", q)
	}
	return Answer{Allowed: strings.HasPrefix(q.Robots, q.URL), Line: len(q.Robots)}, nil
}

func TestServe(t *testing.T) {
	// The lines are one conversation.
	lines := []struct{ question, answer string }{
		{`{"url": "/x", "id": 0}`,
			`{"id":0,"error":"the line has no \"robots\", and the line before has none to go by"}`},
		{`{"robots": "/xyz", "url": "/x", "id": 1}`, `{"id":1,"allowed":true,"line":4}`},
		{`{"url": "/y", "id": "two"}`, `{"id":"two","allowed":false,"line":4}`},
		{`{"robots": "", "url": "/y"}`, `{"allowed":false}`},
		{`{"robots_base64": "/wA=", "url": "/question", "id": {"a": [1, 2]}}`,
			`{"id":{"a":[1,2]},"error":"{\"\\xff\\x00\" \"*\" \"/question\" \"\"}"}`},
		{`{"agent": "FooBot", "url": "/question", "dialect": "google"}`,
			`{"error":"{\"\\xff\\x00\" \"FooBot\" \"/question\" \"google\"}"}`},
		{`{"agent": "", "url": "/question"}`, `{"error":"{\"\\xff\\x00\" \"\" \"/question\" \"\"}"}`},
		{`{"url": "/panic", "id": 7}`, `{"id":7,"error":"panic: runtime error: index out of range [6] with length 0"}`},
		{`{"url": "/error", "id": 8}`, `{"id":8,"error":"no <verdict>"}`},
		{`{"robots": "/kept", "id": 9}`, `{"id":9,"error":"the line has no \"url\""}`},
		{`{"url": "/kept", "id": 10}`, `{"id":10,"allowed":true,"line":5}`},
		{`{"robots": "/x", "robots_base64": "", "url": "/x"}`,
			`{"error":"the line has both \"robots\" and \"robots_base64\""}`},
		{`{"url": "/x"}`, `{"error":"the line has no \"robots\", and the line before has none to go by"}`},
		{`{"robots_base64": "/", "url": "/", "id": 13}`,
			`{"id":13,"error":"\"robots_base64\" cannot be read: illegal base64 data at input byte 0"}`},
		{`gibberish`, `{"error":"the line is not a question: invalid character 'g' looking for beginning of value"}`},
		{``, `{"error":"the line is not a question: unexpected end of JSON input"}`},
		{`{"robots": "/x", "url": "/x", "id": null}`, `{"id":null,"allowed":true,"line":2}`},
	}
	var questions, want strings.Builder
	for i, l := range lines {
		questions.WriteString(l.question)
		if i < len(lines)-1 { // the last line may lack its end
			questions.WriteByte('\n')
		}
		want.WriteString(l.answer + "\n")
	}
	var got strings.Builder
	fatal.If(t, Serve(strings.NewReader(questions.String()), &got, echo))
	answers := strings.Split(got.String(), "\n")
	for i, l := range lines {
		if i >= len(answers) || answers[i] != l.answer {
			t.Errorf("line %d: %s\n got %s\nwant %s", i+1, l.question, answers[min(i, len(answers)-1)], l.answer)
		}
	}
	if got.String() != want.String() {
		t.Errorf("got %d lines of answers, want %d", len(answers)-1, len(lines))
	}
}

// A line of the wrong type still has its id in the answer.
func TestServeKeepsID(t *testing.T) {
	var got strings.Builder
	fatal.If(t, Serve(strings.NewReader(`{"agent": 5, "robots": "", "url": "/", "id": 1}`), &got, echo))
	if !strings.HasPrefix(got.String(), `{"id":1,"error":`) {
		t.Errorf("got %s, want an error with the id", got.String())
	}
}

// An answer is written before the next question has come, even if a part of
// that has.
func TestServeFlushes(t *testing.T) {
	in, questions := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- Serve(in, out, echo)
		out.Close()
	}()
	r := bufio.NewReader(answers)
	for _, part := range []string{`{"robots": "/x", "url": "/x"}` + "\n" + `{"url"`, `: "/x"}` + "\n"} {
		go io.WriteString(questions, part)
		if got, err := r.ReadString('\n'); err != nil || got != `{"allowed":true,"line":2}`+"\n" {
			t.Fatalf("got %q, %v", got, err)
		}
	}
	questions.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
