package engine

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/probe"
)

// TestNode asks the package for JavaScript, with one call for each question and with matchAll, all
// conformance vectors and random questions about real files, and compares its answers with those of
// this library.
func TestNode(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	script := filepath.Join("..", "..", "..", "..", "integrations", "npm", "test", "ask.mjs")
	if _, err := os.Stat(filepath.Join("..", "..", "..", "..", "integrations", "npm", "dist",
		"core.wasm")); err != nil {
		t.Skip(`the package is not built: run "npm ci && npm run build" in npm`)
	}
	questions := randomQuestions(t, corpus.Cases(10_000, 100_000), 1<<20)
	for _, mode := range [][]string{nil, {"--batch"}} {
		program := &conformance.Program{Args: append([]string{"node", script}, mode...), Timeout: time.Minute}
		t.Run("vectors", func(t *testing.T) { askVectors(t, program) })
		compareAnswers(t, program, questions, named, true)
	}
}

// named returns the group of a robot that is named by one text. ok is false for a text that names
// several.
func named(p *robots.Policy, name string) (group *robots.Group, ok bool) {
	robot, err := Robot{Tokens: []string{name}}.meant(p)
	if err == nil {
		robot, err = robot.known()
	}
	if err != nil {
		return nil, false
	}
	return robot.group(p), true
}

// compareAnswers asks questions, and compares the answers with those of this library for the group
// that groupOf returns, with or without the reasons. Where groupOf returns none, the answer must be
// an error.
func compareAnswers(t *testing.T, asker conformance.Asker, questions []conformance.Question,
	groupOf func(p *robots.Policy, name string) (*robots.Group, bool), reasons bool) {
	t.Helper()
	answers, err := asker.Ask(t.Context(), questions)
	fatal.If(t, err)
	differ := 0
	var policy *robots.Policy
	for i, q := range questions {
		if q.Robots != nil || q.RobotsBase64 != nil {
			d, _ := robots.ParseDialect(q.Dialect)
			text := q.RobotsBase64
			if q.Robots != nil {
				text = []byte(*q.Robots)
			}
			policy = d.Parse(text)
		}
		a := answers[i]
		group, ok := groupOf(policy, q.Agent)
		if !ok || robots.CheckURL(q.URL) != nil {
			if a.Error == "" {
				t.Errorf("got an answer for %q and %q, which cannot be asked: %+v", q.Agent, q.URL, a)
			}
			continue
		}
		want := group.Match(q.URL)
		if a.Allowed == nil || *a.Allowed != want.Allowed || reasons && a.Reason != want.Reason.String() ||
			a.Line != want.Rule.Line {
			if differ++; differ <= 10 {
				t.Errorf("%s, %q, %q: got %+v, want %v", q.Dialect, q.Agent, q.URL, a, want)
			}
		}
	}
	t.Logf("%d of %d answers differ", differ, len(questions))
}

// askVectors runs the conformance vectors.
func askVectors(t *testing.T, program conformance.Asker) {
	sections, err := conformance.Sections()
	fatal.If(t, err)
	report, err := conformance.Run(context.Background(), program, sections)
	fatal.If(t, err)
	if report.Missed(true) {
		t.Errorf("%+v", report)
	}
}

// randomQuestions returns questions about real files up to a size: paths near their rules, for
// robots that they name, and for others.
func randomQuestions(t *testing.T, n, size int) (questions []conformance.Question) {
	random := rand.New(rand.NewPCG(1, 18))
	files := corpus.Sample(t, n/20)
	for i := 0; len(questions) < n; i++ {
		data := files[i%len(files)].Data
		if len(data) == 0 || len(data) > size {
			continue
		}
		d := robots.Dialects()[random.IntN(len(robots.Dialects()))]
		p := d.Parse(data)
		names := []string{"*", "ExampleBot/1.0", "Googlebot-Image"}
		for _, g := range p.Groups() {
			names = append(names, g.Agents()...)
		}
		for j, target := range probe.Targets(p, random, 20) {
			// JSON has no bytes but those of UTF-8.
			agent, url := string([]rune(names[random.IntN(len(names))])), string([]rune(target))
			q := conformance.Question{Agent: agent, URL: url, Dialect: d.String()}
			if j == 0 {
				q.RobotsBase64 = data
			}
			questions = append(questions, q)
		}
	}
	return questions[:n]
}
