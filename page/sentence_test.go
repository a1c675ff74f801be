package page_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// The sentences of decisions, verdicts and notes are in the language that is asked for, and
// English for any other.
func TestSentence(t *testing.T) {
	for _, content := range []string{
		"", "noindex", "nofollow", "none", "all", "noindex, indexifembedded", "noarchive, nosnippet", "max-snippet:50",
		"max-snippet:0",
		"max-image-preview:none", "max-image-preview:large, max-video-preview:0",
		"max-video-preview:30, notranslate, noimageindex", "noai", "noimageai",
		"unavailable_after: 2099-01-01", "unavailable_after: 2001-01-01", "noindex, foo",
		"noindex, noindex, noindex, none, noindex",
		"max-snippet:x", "max-snippet", "max-image-preview:huge", "unavailable_after: tomorrow",
		"otherbot: future, noindex",
	} {
		text := "<!doctype html><meta name=robots content=\"" + content + "\">\n<meta name=robots content=\"" +
			content + "\"><a href=/x>"
		doc, err := page.Read(strings.NewReader(text), page.Options{MaxLinks: 1})
		fatal.If(t, err)
		d := doc.For("ExampleBot")
		closed := d.Under(robots.Parse([]byte("User-agent: *\nDisallow: /")).For("*").Match("/x"))
		open := d.Under(robots.Parse(nil).For("*").Match("/x"))
		say := func(code string) (all []string) {
			all = append(all, d.Sentence(code), closed.Sentence(code), open.Sentence(code),
				d.Link(doc.Links[0]).Sentence(code))
			for _, directive := range doc.Directives {
				if note := directive.Note(code); note != "" {
					all = append(all, note)
				}
			}
			return all
		}
		english := say("en")
		if english[0] != d.String() || english[1] != closed.String() || say("xx")[0] != english[0] {
			t.Errorf("%s: in English %q, want %q", content, english[0], d)
		}
		for _, code := range []string{"es", "ko", "ru_RU.UTF-8"} {
			for i, sentence := range say(code) {
				for part := range strings.SplitSeq(english[i], ", ") {
					part, _, _ = strings.Cut(part, " (")
					if strings.HasPrefix(part, "may") && strings.Contains(sentence, part) {
						t.Errorf("%s: %q is in English in %s: %q", content, part, code, sentence)
					}
				}
				if sentence == english[i] || strings.Contains(sentence, "%!") {
					t.Errorf("%s: in %s: %q", content, code, sentence)
				}
			}
		}
	}
}

// The messages of diagnostics are in the language of the options.
func TestLintLanguage(t *testing.T) {
	const text = `<!doctype html><meta name=robot content=noindex><meta name=description content="<b>x"><meta name=url content=/x>
<meta name=document-state content=fluid><meta name=robots content="max-snippet:x, noindx, unheard, other: future, noindex, index, tdm-policy">
<link rel=canonical href=/a><link rel=canonical href=/b><!-- <meta name=robots content=none> --><title>`
	read := func(code string) []page.Diagnostic {
		doc, err := page.Read(strings.NewReader(text+strings.Repeat("x", 5000)),
			page.Options{Lint: true, Language: code})
		fatal.If(t, err)
		return doc.Diagnostics
	}
	english := read("en")
	checks := make(map[string]bool)
	for _, d := range english {
		checks[d.Check] = true
	}
	if len(checks) < 9 {
		t.Errorf("only %d checks: %v", len(checks), checks)
	}
	for _, code := range []string{"es", "ko", "ru"} {
		for i, d := range read(code) {
			if d.Message == english[i].Message || strings.Contains(d.Message, "%!") {
				t.Errorf("in %s: %s", code, d)
			}
			if d.Message = english[i].Message; d != english[i] {
				t.Errorf("in %s: %v, want %v", code, d, english[i])
			}
		}
	}
}
