package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	cdpage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The engine in static answers as one that is compiled now. Its bytes may be older: a change of a
// package that it contains, which changes no answer, needs no new engine.
func TestEngine(t *testing.T) {
	old, err := os.ReadFile(filepath.Join(static, "engine.wasm.gz"))
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := compile(engines["engine.wasm.gz"])
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(old, fresh) {
		return
	}
	files := http.FileServer(http.Dir(static))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/fresh.wasm.gz" {
			w.Write(fresh)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer s.Close()
	p := open(t, s.URL+"/", 1280, false, "en")
	p.run(cdpage.SetBypassCSP(true), chromedp.Reload())
	p.wait(`document.documentElement.dataset.engine === "ready"`)
	questions, err := json.Marshal(engineQuestions(t))
	if err != nil {
		t.Fatal(err)
	}
	differ := get[[]string](p, "("+comparing+")("+string(questions)+")")
	for i, d := range differ {
		if i == 10 {
			t.Errorf("and %d more", len(differ)-i)
			break
		}
		t.Errorf("the engine in static answers otherwise than its sources: %.600s", d)
	}
	if len(differ) > 0 {
		t.Error(`run "npm ci && go run . -engine" in server/web/frontend`)
	}
}

// A question is what the worker is sent.
type question struct {
	Name     string            `json:"name"`
	Question map[string]any    `json:"question"`
	Texts    map[string]string `json:"texts"`
}

// engineQuestions returns questions about the texts of the linter's tests and of the test vectors.
func engineQuestions(t *testing.T) (all []question) {
	all = append(all, question{"page-robots", map[string]any{}, nil})
	var texts []string
	for _, file := range glob(t, "../../../lint/testdata/*.txtar") {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// the comments of a txtar are lines of robots.txt too
		texts = append(texts, strings.ToValidUTF8(string(b), "\uFFFD"))
	}
	urls := []string{"/", "/a", "/a?b=c", "/%E4", "/index.html", "/private/x", "/x$", "https://example.com/a/b.php",
		"no URL"}
	languages := []string{"en", "es", "ko", "ru"}
	for i, text := range texts {
		policy := map[string]string{"policy": text}
		all = append(all,
			question{"page-matrix", map[string]any{"urls": urls}, policy},
			question{"page-explain", map[string]any{"agent": "Googlebot-Image", "url": urls[i%8]}, policy},
			question{"lint", map[string]any{"language": languages[i%4]}, policy},
			question{"page-reach", map[string]any{}, policy},
			question{"diff", map[string]any{}, map[string]string{"before": text, "after": texts[(i+1)%len(texts)]}},
			question{"prove", map[string]any{"claims": "* may not fetch /\nGooglebot may fetch /a", "unknown": true},
				policy},
		)
	}
	return all
}

// glob returns the files of a pattern, of which there is one at least.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}

// comparing asks both engines, and returns the answers that differ.
const comparing = `async (questions) => {
	const start = async (file) => {
		const body = (await fetch(file)).body.pipeThrough(new DecompressionStream("gzip"));
		const module = await WebAssembly.compile(await new Response(body).arrayBuffer());
		const worker = new Worker("worker.js");
		worker.postMessage({module, files: []});
		return (question, id) => new Promise((resolve) => {
			worker.addEventListener("message", function hear(event) {
				if (event.data.id !== id) return;
				worker.removeEventListener("message", hear);
				resolve(JSON.stringify(event.data));
			});
			worker.postMessage({id, ...question, texts: question.texts ?? {}});
		});
	};
	const [a, b] = [await start("engine.wasm.gz"), await start("fresh.wasm.gz")];
	const differ = [];
	for (const [id, question] of questions.entries()) {
		const [x, y] = await Promise.all([a(question, id), b(question, id)]);
		if (x !== y) differ.push(JSON.stringify(question).slice(0, 200) + ": " + x.slice(0, 200) + ", now " + y.slice(0, 200));
	}
	return differ;
}`

// The page's engine gives the answers of the test vectors, in all five readings. Left out are texts
// of bytes that are not UTF-8, which the page cannot have, and names with versions or of other
// bytes: the page looks for the robot in them, as robots match does, and the vectors take them as
// given.
func TestVectors(t *testing.T) {
	type ask struct {
		Agent, URL string
		Allowed    bool
		Line       int
	}
	var questions []question
	var wants []ask
	var profiles, names []string
	for _, file := range glob(t, "../../../conformance/vectors/*/*.json") {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var vectors struct {
			Profile string
			Cases   []struct {
				Name   string
				Robots *string
				Asks   []ask
			}
		}
		if err := json.Unmarshal(b, &vectors); err != nil {
			t.Fatal(err)
		}
		for _, c := range vectors.Cases {
			if c.Robots == nil {
				continue
			}
			for _, a := range c.Asks {
				if strings.Trim(strings.ToLower(a.Agent), "abcdefghijklmnopqrstuvwxyz_-") != "" || a.Agent == "" {
					continue
				}
				if a.Agent == "Mozilla" { // people call Mozilla-Tabstack so
					continue
				}
				questions = append(questions, question{"page-explain", map[string]any{"agent": a.Agent, "url": a.URL},
					map[string]string{"policy": *c.Robots}})
				wants, profiles, names = append(wants, a), append(profiles, vectors.Profile), append(names, c.Name)
			}
		}
	}
	p := open(t, testView(t), 1280, false, "en")
	p.run(cdpage.SetBypassCSP(true), chromedp.Reload())
	p.wait(`document.documentElement.dataset.engine === "ready"`)
	list, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	answers := get[[]struct {
		Answer *struct {
			Dialects []struct {
				Dialect     string
				Explanation struct{ Match ask }
			}
		}
		Error json.RawMessage
	}](p, "("+answering+")("+string(list)+")")
	wrong := 0
	for i, want := range wants {
		if answers[i].Answer == nil {
			wrong++
			t.Logf("%s, %s: %q: %s", profiles[i], names[i], want.URL, answers[i].Error)
			continue
		}
		for _, d := range answers[i].Answer.Dialects {
			if got := d.Explanation.Match; d.Dialect == profiles[i] && (got.Allowed != want.Allowed || want.Line > 0 &&
				got.Line != want.Line) {
				wrong++
				t.Logf("%s, %s: %s and %s: got %t by line %d, want %t by line %d", profiles[i], names[i], want.Agent,
					want.URL, got.Allowed, got.Line, want.Allowed, want.Line)
			}
		}
	}
	t.Logf("%d questions, %d wrong", len(wants), wrong)
	if wrong > 0 {
		t.Fail()
	}
}

// answering returns the answers of the page's engine.
const answering = `async (questions) => {
	const body = (await fetch("engine.wasm.gz")).body.pipeThrough(new DecompressionStream("gzip"));
	const worker = new Worker("worker.js");
	worker.postMessage({module: await WebAssembly.compile(await new Response(body).arrayBuffer()), files: []});
	const answers = [];
	for (const [id, question] of questions.entries()) {
		answers.push(await new Promise((resolve) => {
			worker.onmessage = (event) => resolve(event.data);
			worker.postMessage({id, ...question, texts: question.texts ?? {}});
		}));
	}
	return answers;
}`
