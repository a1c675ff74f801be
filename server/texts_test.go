package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/server/answers"
	"github.com/robotsexclusion/robots/server/api"
)

// asked returns the answer to a question as JSON, and decodes it into answer.
func asked(t *testing.T, s *Server, path string, question, answer any) []byte {
	t.Helper()
	body, err := json.Marshal(question)
	fatal.If(t, err)
	w := post(s, path, bytes.NewReader(body))
	decoder := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(answer); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s: %v", path, w.Code, w.Body, err)
	}
	return w.Body.Bytes()
}

// TestTexts asks about texts: the answers must be the JSON of the verbs, and fit the types.
func TestTexts(t *testing.T) {
	s := New(Config{})
	before, after := "User-agent: *\nDisallow: /a\n",
		"Usr-agent: *\nUser-agent: *\nDisallow: /a\nDisallow: /a/b\nCrawl-delay: 2\n"
	policies := [2]*robots.Policy{robots.Parse([]byte(before)), robots.Parse([]byte(after))}

	var report api.Report
	got := asked(t, s, "/v1/lint", api.LintQuestion{Robots: &after, Profile: "strict", Enable: []string{"portability"}},
		&report)
	var want bytes.Buffer
	options := lint.Options{Profile: lint.Strict, Enable: []string{"portability"}}
	lint.Writer{Format: "json"}.Write(&want, lint.File{Name: "robots.txt", Report: lint.Run(policies[1], options)})
	if !bytes.Equal(got, want.Bytes()) || len(report.Diagnostics) < 2 {
		t.Errorf("lint: got %s\nwant %s", got, want.Bytes())
	}

	closing := after + "Disallow: /c<>\n"
	var difference api.Difference
	got = asked(t, s, "/v1/diff", api.DiffQuestion{Before: &before, AfterBase64: []byte(closing)}, &difference)
	change, _ := proof.Diff(policies[0], robots.Parse([]byte(closing)), proof.Options{})
	sameJSON(t, "diff", got, change)
	if difference.Equal || !difference.Decided || len(difference.Changes) != 1 || len(difference.Records) != 2 {
		t.Errorf("diff: %+v", difference)
	}

	var proofs api.Proofs
	text := "Googlebot may fetch /a\n* may not fetch /a\n"
	got = asked(t, s, "/v1/prove", api.ProveQuestion{Robots: &before, Claims: text}, &proofs)
	claims, _ := proof.ParseClaims(text)
	all, _ := proof.Prove(policies[0], claims, proof.Options{})
	sameJSON(t, "prove", got, map[string]any{"claims": all})
	if len(proofs.Claims) != 2 || proofs.Claims[0].Holds || !proofs.Claims[1].Holds {
		t.Errorf("prove: %+v", proofs)
	}

	var small api.Minimized
	asked(t, s, "/v1/minimize", api.MinimizeQuestion{Robots: &after}, &small)
	fewer, _ := proof.Minimize(policies[1], proof.Options{})
	if small.Text == nil || *small.Text != fewer.Text || len(small.LeftOut) != 1 || small.Minimized != len(fewer.Text) {
		t.Errorf("minimize: %+v", small)
	}
}

// sameJSON checks that JSON has a value.
func sameJSON(t *testing.T, name string, got []byte, want any) {
	t.Helper()
	b, err := json.Marshal(want)
	fatal.If(t, err)
	var one, other any
	if json.Unmarshal(got, &one) != nil || json.Unmarshal(b, &other) != nil {
		t.Fatalf("%s: %s", name, got)
	}
	one2, _ := json.Marshal(one)
	other2, _ := json.Marshal(other)
	if !bytes.Equal(one2, other2) {
		t.Errorf("%s: got %s\nwant %s", name, one2, other2)
	}
}

// TestTextProblems sends bodies that have no answer.
func TestTextProblems(t *testing.T) {
	s := New(Config{MaxBody: 2 << 20})
	large := `"` + strings.Repeat("a", answers.MaxText+1) + `"`
	for _, test := range []struct {
		path, body string
		want       *kind
	}{
		{"/v1/lint", ``, badBody},
		{"/v1/lint", `{}`, badBody},
		{"/v1/lint", `[]`, badBody},
		{"/v1/lint", `{"robots":1}`, badBody},
		{"/v1/lint", `{"robots":"","robots_base64":"YQ=="}`, badBody},
		{"/v1/lint", `{"robots_base64":"<"}`, badBody},
		{"/v1/lint", `{"robots":""}{}`, badBody},
		{"/v1/lint", `{"robots":"","\u202e<x>":1}`, badBody},
		{"/v1/lint", `{"robots":"","profile":"x"}`, badBody},
		{"/v1/lint", `{"robots":"","enable":["x"]}`, badBody},
		{"/v1/lint", strings.Repeat("[", 1<<20), badBody},
		{"/v1/lint", `{"robots":"x","robots":"y"}`, badBody},
		{"/v1/lint", `{"robots":"x","robot\u0073":"x"}`, badBody},
		{"/v1/lint", `{"robots":"x","profile":"seo","profile":"seo"}`, badBody},
		{"/v1/lint", `{"Robots":"x"}`, badBody},
		{"/v1/lint", `{"robots":"x","ROBOTS":"y"}`, badBody},
		{"/v1/lint", `{"robot\u017f":"x"}`, badBody},
		{"/v1/lint", `{"robots":"x","":"y"}`, badBody},
		{"/v1/lint?x=y", `{"robots":""}`, badParameter},
		{"/v1/lint", `{"robots":` + large + `}`, tooLarge},
		{"/v1/lint", `{"robots":"` + strings.Repeat("a", 2<<20) + `"}`, tooLarge},
		{"/v1/diff", `{"before":""}`, badBody},
		{"/v1/diff", `{"before":"","after":"","after":"","x":1}`, badBody},
		{"/v1/prove", `{"robots":"","Claims":"* may fetch /"}`, badBody},
		{"/v1/minimize", `{"robots":"","robots":""}`, badBody},
		{"/v1/diff", `{"before":"","after":` + large + `}`, tooLarge},
		{"/v1/diff", `{"before":"","after":"","dialect":"x"}`, badParameter},
		{"/v1/diff", `{"before":"","after":"","agents":["a"` + strings.Repeat(`,"a"`, maxAgents) + `]}`, badBody},
		{"/v1/diff", `{"before":"","after":"","agents":["a` + strings.Repeat(`,a`, maxAgents) + `"]}`, badBody},
		{"/v1/diff", `{"before":"","after":"","agents":["Goglebot"]}`, badBody},
		{"/v1/diff", `{"before":"","after":"","agents":["YetUnheardOfBot"]}`, badBody},
		{"/v1/diff", `{"before":"","after":"","agents":[","]}`, badBody},
		{"/v1/diff", `{"before":"","after":"","agents":["NewBot>OldBot"],"unknown":true}`, badBody},
		{"/v1/prove", `{"robots":""}`, badClaim},
		{"/v1/prove", `{"robots":"","claims":"\u202e"}`, badClaim},
		{"/v1/prove", `{"robots":"","claims":"Goglebot may fetch /"}`, badClaim},
		{"/v1/prove", `{"robots":"","claims":"` + strings.Repeat(`* may fetch /\n`, 1001) + `"}`,
			badClaim},
		{"/v1/minimize", `null`, badBody},
	} {
		name := test.path + " " + test.body[:min(len(test.body), 60)]
		wantProblem(t, name, post(s, test.path, strings.NewReader(test.body)), test.want)
	}
}

// TestWork does work that panics, and work that takes too long: the service goes on, and the work
// keeps its place until it ends.
func TestWork(t *testing.T) {
	s := New(Config{})
	if _, err := s.work(t.Context(), func() ([]byte, error) { panic("a fault") }); !errors.Is(err, errPanic) {
		t.Errorf("a panic: %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		s := New(Config{MaxTime: time.Second})
		s.processors = make(chan struct{}, 1)
		release := make(chan bool)
		go s.work(t.Context(), func() ([]byte, error) { <-release; return nil, nil })
		synctest.Wait()
		wantProblem(t, "no processor is free", post(s, "/v1/lint", strings.NewReader(`{"robots":""}`)), timedOut)
		close(release)
		synctest.Wait()
		if w := post(s, "/v1/lint", strings.NewReader(`{"robots":""}`)); w.Code != http.StatusOK {
			t.Errorf("afterwards: %d %s", w.Code, w.Body)
		}
	})
}

// TestDiffNames asks POST /v1/diff about robots as people name them.
func TestDiffNames(t *testing.T) {
	s := New(Config{})
	for _, test := range []struct {
		agent   string
		unknown bool
		want    string // the robots, or a part of the problem
	}{
		{"GPTBot/1.2, CCBot", false, "GPTBot CCBot"},
		{"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; GPTBot/1.2; +https://openai.com/gptbot)", false, "GPTBot"},
		{"gemini", false, "Google-Extended"},
		{"housebot", false, "housebot"}, // a name of the new text
		{"*", false, "*"},
		{"GPTBto", true, "GPTBto"},
		{"GPTBto", false, `no robot is named GPTBto: did you mean GPTBot? "unknown": true accepts the name`},
		{"GPTBot, YetUnheardOfBot", false, "YetUnheardOfBot"},
	} {
		body, err := json.Marshal(map[string]any{"before": "", "after": "User-agent: HouseBot\nDisallow: /\n",
			"agents": []string{test.agent}, "unknown": test.unknown})
		fatal.If(t, err)
		var answer struct {
			Agents []string
			Detail string
		}
		fatal.If(t, json.Unmarshal(post(s, "/v1/diff", bytes.NewReader(body)).Body.Bytes(), &answer))
		got := strings.Join(answer.Agents, " ")
		if got != test.want && (got != "" || answer.Detail == "" || !strings.Contains(answer.Detail, test.want)) {
			t.Errorf("%s: got %+v, want %s", test.agent, answer, test.want)
		}
	}
}
