package pageask

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/cmd/internal/say/cardtext"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestCard compares the cards of real and odd files with what the command prints, in each language:
// the JSON is the same, and the words are the same but for what a screen has no room for.
func TestCard(t *testing.T) {
	e := engine.New(Questions()...)
	all := slices.Clone(texts)
	for _, c := range engineTexts {
		if c.why != "size" { // which TestLargeText has
			all = append(all, c.text)
		}
	}
	all = append(all, "<!DOCTYPE html>", "\xff\xfeU\x00", "User-agent: *\nDisallow: /caf\xe9\n",
		"\ufeffUser-agent: *\n", "User-agent: GPTBot\nDisalow: /<x>\x1b\nfoo\nbar\nAlow: /\nDisallow: y\n")
	nth := corpus.Cases(200, 8) // a card takes some milliseconds
	for i, f := range corpus.Files(t, "*") {
		if i%nth == 0 {
			all = append(all, string(f.Data))
		}
	}
	answer := &card.Response{State: "ok", Status: 200, URL: "https://b.example/robots.txt", ContentType: "text/html",
		Redirects: []string{"https://a.example/robots.txt"}, MaxAge: new(100_000)}
	views, shorter := make(map[string]int), 0
	for i, text := range all {
		l := language.Parse(language.Codes()[i%len(language.Codes())])
		o := card.Options{Subject: "robots.txt", Language: l}
		question := map[string]any{"language": l.String()}
		if i%5 == 4 {
			o.Subject, o.Site, o.Answer = "https://a.example", true, answer
			question["origin"], question["answer"] = o.Subject, answer
		}
		handle, err := e.Parse(text, robots.RFC9309)
		fatal.If(t, err)
		question["policy"] = handle
		object, err := json.Marshal(question)
		fatal.If(t, err)
		b, err := e.Ask("page-card", object)
		fatal.If(t, err)
		e.Free(handle)
		var got struct {
			Card  *card.Card
			Sheet cardtext.Sheet
			Steps []card.Step
		}
		fatal.If(t, json.Unmarshal(b, &got))
		want := card.Make(robots.ParseString(text), o)
		if got, want := printable.AppendJSON(nil, got.Card), printable.AppendJSON(nil, want); !bytes.Equal(got, want) {
			t.Errorf("%.60q: the card is %s\nnot %s", text, got, want)
		}
		var screen bytes.Buffer
		say.Card(&say.Printer{W: &screen, Language: l}, want)
		if linesOf(cardtext.Of(want, l, cardtext.Form{Screen: true, Parts: 3, Findings: 3}))+len(want.Next) > 24 {
			shorter++ // the command may have left something out
			continue
		}
		words, _, _ := strings.Cut(screen.String(), "\n  robots ") // its commands are in the JSON
		if differs := sameWords(&got.Sheet, words); differs != "" {
			t.Errorf("%.60q: %s\n%s%+v", text, differs, screen.String(), got.Sheet)
		}
		if len(got.Steps) != len(want.Next) {
			t.Errorf("%.60q: %d steps for %d commands", text, len(got.Steps), len(want.Next))
		}
		for _, s := range got.Steps {
			views[s.View]++
		}
	}
	t.Logf("%d cards, %d too long for a screen, %v", len(all), shorter, views)
	for _, view := range []string{"findings", "test", "build", "audit"} {
		if views[view] == 0 {
			t.Errorf("no card leads to the view %s", view)
		}
	}
	if shorter > len(all)/4 {
		t.Errorf("%d of %d cards are not compared", shorter, len(all))
	}
}

// linesOf returns the number of lines of a sheet on a screen.
func linesOf(s *cardtext.Sheet) int {
	n := 2 // the head, and that of the commands
	if s.Redirects != "" {
		n++
	}
	if s.NotRobots != "" {
		n++
	}
	for _, row := range s.Rows {
		n += len(row.Lines) + len(row.Beneath)
	}
	return n
}

// sameWords returns how the words of a sheet differ from the text of the command, or "". Both are
// compared without columns, and "…" in the text stands for any words.
func sameWords(s *cardtext.Sheet, text string) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Head, s.Redirects, s.NotRobots)
	for _, row := range s.Rows {
		fmt.Fprintln(&b, row.Label)
		for _, line := range slices.Concat(row.Lines, row.Beneath) {
			fmt.Fprintln(&b, line.Text)
		}
	}
	fmt.Fprint(&b, s.Next)
	plain := func(text string) string { return strings.Join(strings.Fields(strings.ReplaceAll(text, ";", " ")), " ") }
	said, parts := plain(b.String()), strings.Split(plain(text), "…")
	for i, part := range parts {
		at := strings.Index(said, part)
		if i == len(parts)-1 {
			at = strings.LastIndex(said, part)
		}
		if at < 0 || at > 0 && i == 0 {
			return fmt.Sprintf("%.200q is not %.200q", said, part)
		}
		said = said[at+len(part):]
	}
	if said != "" {
		return fmt.Sprintf("more words: %.200q", said)
	}
	return ""
}

// A large text has its findings and its card, with the line at which robots stop.
func TestLargeText(t *testing.T) {
	text := "User-agent: *\n" + strings.Repeat("Disallow: /"+strings.Repeat("a", 60)+"\n", 9000) + "Disallow: /search\n"
	e := engine.New(Questions()...)
	got := ask[cardAnswer](t, e, "page-card", text, nil)
	if got.Card.LostAt == 0 || got.Card.LostAt > 9000 {
		t.Errorf("lost at line %d", got.Card.LostAt)
	}
	report := ask[struct{ Diagnostics []struct{ Check string } }](t, e, "page-lint", text, nil)
	if !slices.ContainsFunc(report.Diagnostics, func(d struct{ Check string }) bool { return d.Check == "too-large" }) {
		t.Errorf("%+v", report)
	}
}
