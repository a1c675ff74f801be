package oracle_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// clients are the programs of this module. A command is found when it is
// needed; its function skips the test where something is not installed.
var clients = []struct {
	name    string
	command func(t *testing.T) []string
	version string // pattern of what -version prints
	line    bool   // it tells the line that decides
	refused string // a question that this library cannot answer
}{
	{"python", python, `^urllib\.robotparser \(Python 3\.\d+\.\d+.*\)\n$`, false,
		`{"robots_base64": "/w==", "url": "/"}`}, // not UTF-8
	{"npm", npm, `^robots-parser 3\.0\.1 \(Node v\d+\.\d+\.\d+.*\)\n$`, true,
		`{"robots": "", "url": "http://"}`}, // no origin
	{"temoto", command("./cmd/temoto"), `^github\.com/temoto/robotstxt v1\.1\.2\n$`, false,
		`{"robots": "Disallow: /x\n", "url": "/"}`}, // a rule in no group
	{"grobotstxt", command("./cmd/grobotstxt"), `^github\.com/jimsmart/grobotstxt v1\.0\.3\n$`, true,
		""}, // it answers everything
}

func python(t *testing.T) []string {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	return []string{path, filepath.Join("python", "ask.py")}
}

func npm(t *testing.T) []string {
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat(filepath.Join("npm", "node_modules", "robots-parser")); errors.Is(err, fs.ErrNotExist) {
		t.Skip(`robots-parser is not installed: run "npm ci" in oracle/npm`)
	}
	return []string{path, filepath.Join("npm", "ask.mjs")}
}

// command returns a function that builds a command of this module.
func command(pkg string) func(t *testing.T) []string {
	return func(t *testing.T) []string {
		program := filepath.Join(t.TempDir(), "client.exe")
		if out, err := exec.Command("go", "build", "-o", program, pkg).CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", pkg, err, out)
		}
		return []string{program}
	}
}

// transcript is one conversation, with verdicts that all libraries agree on. An
// answer is as it is wanted, but for the text of an error; "line" is wanted
// only of those that tell it.
var transcript = []struct{ question, answer string }{
	{`{"url": "/private/x", "id": 0}`, `{"id": 0, "error": ""}`},
	{`{"robots": "User-agent: *\nDisallow: /private/\n", "agent": "FooBot", "url": "/private/x", "id": 1}`,
		`{"id": 1, "allowed": false, "line": 2}`},
	{`{"url": "https://example.com/private/x"}`, `{"allowed": false, "line": 2}`},
	{`{"url": "https://example.net:8080/public?x=\u2028", "id": "three"}`, `{"id": "three", "allowed": true}`},
	{`gibberish`, `{"error": ""}`},
	{`{"url": "/private/x", "id": 5}`, `{"id": 5, "error": ""}`}, // nobody knows which text that was
	{`{"robots_base64": "VXNlci1hZ2VudDogKgpEaXNhbGxvdzogL3ByaXZhdGUvCg==", "url": "/private/x", "dialect": "google"}`,
		`{"allowed": false, "line": 2}`},
	{`{"id": 7}`, `{"id": 7, "error": ""}`},
	{`{"url": "/private/x", "id": [8]}`, `{"id": [8], "allowed": false, "line": 2}`},
	{`{"robots": "", "url": "/private/x"}`, `{"allowed": true}`},
	{`{"robots_base64": "!", "url": "/"}`, `{"error": ""}`},
	{`{"robots": "", "agent": 5, "url": "/", "id": null}`, `{"id": null, "error": ""}`},
	{`{"robots": "User-agent: FooBot\nDisallow: /\n\nUser-agent: *\nDisallow: /none\n", "agent": "FooBot", "url": "/", "id": 12}`,
		`{"id": 12, "allowed": false, "line": 2}`},
	{`{"agent": "BarBot", "url": "/", "id": 13}`, `{"id": 13, "allowed": true}`},
	{``, `{"error": ""}`},
	{`[]`, `{"error": ""}`},
}

func TestClients(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			args := c.command(t)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			start := func(arg ...string) *exec.Cmd {
				cmd := exec.CommandContext(ctx, args[0], append(args[1:len(args):len(args)], arg...)...)
				cmd.Stderr = t.Output()
				return cmd
			}

			t.Run("version", func(t *testing.T) {
				got, err := start("--version").Output()
				if err != nil || !regexp.MustCompile(c.version).Match(got) {
					t.Errorf("got %q, %v, want %s", got, err, c.version)
				}
			})

			// Each question waits for the answer to the one before.
			t.Run("one by one", func(t *testing.T) {
				cmd := start()
				in, err := cmd.StdinPipe()
				fatal.If(t, err)
				out, err := cmd.StdoutPipe()
				fatal.If(t, err)
				fatal.If(t, cmd.Start())
				answers := bufio.NewReader(out)
				for _, l := range transcript {
					io.WriteString(in, l.question+"\n")
					got, err := answers.ReadString('\n')
					if err != nil {
						t.Fatalf("%s: no answer: %v", l.question, err)
					}
					compare(t, l.question, got, l.answer, c.line)
				}
				if c.refused != "" {
					io.WriteString(in, c.refused+"\n")
					got, err := answers.ReadString('\n')
					if err != nil {
						t.Fatalf("%s: no answer: %v", c.refused, err)
					}
					compare(t, c.refused, got, `{"error": ""}`, c.line)
				}
				in.Close()
				if rest, _ := io.ReadAll(answers); len(rest) > 0 {
					t.Errorf("got more than the answers: %s", rest)
				}
				if err := cmd.Wait(); err != nil {
					t.Error(err)
				}
			})

			// All questions come together, the last without the end of its line.
			t.Run("at once", func(t *testing.T) {
				var questions []string
				for _, l := range transcript {
					questions = append(questions, l.question)
				}
				cmd := start()
				cmd.Stdin = strings.NewReader(strings.Join(questions, "\n"))
				out, err := cmd.Output()
				fatal.If(t, err)
				answers := bytes.SplitAfter(out, []byte("\n"))
				if n := len(answers) - 1; n != len(transcript) {
					t.Fatalf("got %d answers to %d questions:\n%s", n, len(transcript), out)
				}
				for i, l := range transcript {
					compare(t, l.question, string(answers[i]), l.answer, c.line)
				}
			})
		})
	}
}

// compare compares an answer with that of the transcript.
func compare(t *testing.T, question, got, want string, line bool) {
	t.Helper()
	g, w := fields(t, got), fields(t, want)
	if !line {
		delete(w, "line")
	}
	if text, ok := g["error"]; ok && text != `""` {
		g["error"] = `""` // which says something, as it must
	}
	if len(g) == len(w) {
		same := true
		for name := range w {
			same = same && g[name] == w[name]
		}
		if same {
			return
		}
	}
	t.Errorf("%s\n got %s\nwant %s", question, strings.TrimSpace(got), want)
}

// fields returns the members of a JSON object.
func fields(t *testing.T, object string) map[string]string {
	t.Helper()
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &raw); err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	m := make(map[string]string)
	for name, value := range raw {
		m[name] = string(value)
	}
	return m
}
