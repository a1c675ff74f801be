package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// post returns the answer to a POST request.
func post(h http.Handler, target string, body io.Reader) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, target, body))
	return w
}

// vectorLines returns the vectors as questions of the ask protocol.
func vectorLines(t testing.TB) []byte {
	sections, err := conformance.Sections()
	fatal.If(t, err)
	var b bytes.Buffer
	for _, section := range sections {
		for _, c := range section.Cases {
			for i, a := range c.Asks {
				line, err := json.Marshal(conformance.Question{ID: []byte{'0' + byte(i%10)}, RobotsBase64: c.Text(),
					Agent: a.Agent, URL: a.URL, Dialect: section.Profile})
				fatal.If(t, err)
				b.Write(append(line, '\n'))
			}
		}
	}
	return b.Bytes()
}

// TestLines asks the vectors as lines: the answers must be those of package ask, byte for byte.
func TestLines(t *testing.T) {
	s := httptest.NewServer(New(Config{}))
	defer s.Close()
	questions := append(vectorLines(t), "no question\n{\"url\":\"/x\"}\n{}"...)
	var want bytes.Buffer
	if _, err := new(ask.Server).Serve(t.Context(), bytes.NewReader(questions), &want); err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(s.URL+"/v1/match", "application/jsonl", bytes.NewReader(questions))
	fatal.If(t, err)
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "application/jsonl" {
		t.Errorf("%s %v: %v", answer.Status, answer.Header, err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		t.Errorf("got %d bytes, want %d", len(got), want.Len())
	}
}

// TestLinesStream asks one question after the answer to the one before, in one request.
func TestLinesStream(t *testing.T) {
	s := httptest.NewServer(New(Config{}))
	defer s.Close()
	in, out := io.Pipe()
	defer out.Close()
	request, _ := http.NewRequest(http.MethodPost, s.URL+"/v1/match?dialect=google", in)
	go out.Write([]byte("{\"robots\":\"User-agent: *\\nDisallow: /x\\n\",\"url\":\"/x\"}\n"))
	answer, err := http.DefaultClient.Do(request)
	fatal.If(t, err)
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	for i, want := range []string{`"allowed":false`, `"allowed":true`, `"allowed":false`} {
		if i > 0 {
			out.Write([]byte([]string{"", "{\"url\":\"/\"}\n", "{\"url\":\"/x/y\"}\n"}[i]))
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), want) {
			t.Fatalf("answer %d: %q, %v", i, lines.Text(), lines.Err())
		}
	}
}

// TestLinesProblems sends bodies that are not answered to their end.
func TestLinesProblems(t *testing.T) {
	s := New(Config{MaxBody: 3 << 20, MaxBodies: 1})
	long := strings.Repeat("a", maxLine+1)
	wantProblem(t, "a long line", post(s, "/v1/match", strings.NewReader(long)), tooLarge)
	wantProblem(t, "a long line with its end", post(s, "/v1/match", strings.NewReader(long+"\n")), tooLarge)
	wantProblem(t, "a dialect", post(s, "/v1/match?dialect=x", nil), badParameter)
	wantProblem(t, "a parameter of GET", post(s, "/v1/match?url=x", nil), badParameter)
	s.bodies.take(netip.Prefix{})
	wantProblem(t, "another body", post(s, "/v1/match", nil), busy)
	s.bodies.give(netip.Prefix{})
	if w := post(s, "/v1/match", nil); w.Code != http.StatusOK || w.Body.Len() > 0 {
		t.Errorf("no line: %d %q", w.Code, w.Body)
	}
	live := httptest.NewServer(s)
	defer live.Close()
	questions := strings.Repeat("{\"robots\":\"\",\"url\":\"/\"}\n", 3<<20/20)
	answer, err := http.Post(live.URL+"/v1/match", "", strings.NewReader(questions))
	if err != nil {
		return // the connection was reset before the header was read
	}
	defer answer.Body.Close()
	// The line with the reason is lost if the connection is reset before the client has read it.
	if _, err := io.Copy(io.Discard, answer.Body); err == nil {
		t.Error("the answers to a part of a large body seem to be complete")
	}
}

// TestSlowBody sends a line that never ends: the service closes the connection in time.
func TestSlowBody(t *testing.T) {
	s := httptest.NewServer(New(Config{MaxTime: 50 * time.Millisecond}))
	defer s.Close()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	fatal.If(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(conn, "POST /v1/match HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{\"url\":")
	answer, err := io.ReadAll(conn)
	if !bytes.HasPrefix(answer, []byte("HTTP/1.1 504 ")) || !bytes.Contains(answer, []byte("#timeout")) {
		t.Errorf("%q: %v", answer, err)
	}
}
