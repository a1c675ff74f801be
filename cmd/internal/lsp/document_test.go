package lsp

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/lint/format"
)

// hostileTexts are files that were not written for people to read.
var hostileTexts = []string{
	"User-agent: *\nDisallow: /`a` **b** <img src=x onerror=alert(1)> [c](javascript:d)\nDisallow: /``\x1b[31m\u202e\n",
	"User-agent: ](x) `\nDisallow\n`: x\n<b>: y\nContent-Usage: /*` train-ai=`<i>`\nSitemap: javascript:alert(1)\n",
	"Disallow: /x\n\x00\xff:\n: \n  :x\n#\n# robots-lint: ignore <b>,`x` y\n# robots-lint:\n# robots-lint: what\n",
	"\uFEFFdisallow:/caf\xe9\r\nUser-agent: A\ruser agent: b\nDisallow: " + strings.Repeat("/*a", 100) +
		"$\nAllow: /*a*a*a*a*b\n",
	"User-agent: *\nDisallow: /\u00e9\U0001F916*x\nDisallow: /a b\r\nCrawl-delay: soon\nRequest-rate: 1/1s\nVisit-time: 2300-0100\nClean-param: a&b&c\nHost: x\nLicense: https://a/\nContent-Signal: search=maybe, use=full\n",
	"<html>\n<body>User-agent: *</body>\n",
	"U\x00s\x00e\x00r\x00",
}

// testClient has all capabilities of a client.
func testClient(e encoding) *client {
	return &client{encoding: e, related: true, descriptions: true, data: true, tags: []int{1, 2},
		markdown: true, markdownItems: true, versioned: true, actions: true, nested: true}
}

func testDocument(s string, e encoding, o lint.Options) *document {
	return newDocument("file:///robots.txt", 1, 1, newText(s, e), o)
}

// FuzzDocument asks all questions at all positions of a document, in one encoding. It compares
// the edits with the results of packages lint and format.
func FuzzDocument(f *testing.F) {
	for _, s := range append(hostileTexts, hardTexts...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 500 {
			t.Skip("everything is asked everywhere")
		}
		ask(t, testDocument(s, allEncodings[len(s)%3], lint.Options{Profile: lint.Strict,
			Language: language.Codes()[len(s)%4]}))
	})
}

func ask(t *testing.T, d *document) {
	t.Helper()
	c := testClient(d.text.encoding)
	s := d.text.content
	all := span{End: position{Line: d.text.lines()}}
	inText := func(what string, at span) {
		if last := d.text.position(len(s)); at.End.before(at.Start) || last.before(at.End) ||
			at.Start.before(position{}) {
			t.Fatalf("%v %q: %s at %v, which is not in the text", c.encoding, s, what, at)
		}
	}
	for _, found := range d.diagnostics(c) {
		inText(found.Code, found.Range)
		if !printable.IsText(found.Message) {
			t.Fatalf("%q: message %q", s, found.Message)
		}
	}
	askTokens(t, d)
	askLenses(t, d)
	actions := answer[[]codeAction](t, d.codeActions, c, codeActionParams{Range: all})
	fixed := ""
	for _, a := range actions {
		got := slowApply(s, c.encoding, a.Edit.DocumentChanges[0].Edits)
		switch {
		case a.Kind == kindFixAll:
			if fixed = d.report().Fix(); got != fixed {
				t.Fatalf("%v %q: %s comes to %q, want %q", c.encoding, s, a.Title, got, fixed)
			}
		case strings.Contains(got, placeholder.in(d.options.Language)):
			// Whether a comment silences a diagnostic is tried before the comment is offered.
		case !hasFix(d, got):
			t.Fatalf("%v %q: %s comes to %q, which no fix does", c.encoding, s, a.Title, got)
		}
	}
	if edits, err := d.formatting(c, documentParams{}); err == nil {
		if got, want := slowApply(s, c.encoding, edits.([]textEdit)), format.Source(s); got != want {
			t.Fatalf("%v %q: formatting comes to %q, want %q", c.encoding, s, got, want)
		}
	} else if utf8.ValidString(s) {
		t.Fatalf("%q: %v", s, err)
	}
	for line := range d.text.lines() {
		_, end := d.text.line(line)
		for character := range min(d.text.position(end).Character, 30) + 2 {
			at := placeParams{Position: position{line, character}}
			list, _ := d.completion(c, at)
			for _, item := range list.(completionList).Items {
				edit := item.Edit.Range
				inText(item.Label, edit)
				clamped := d.text.position(d.text.offset(at.Position))
				top := d.text.position(d.top()) // before which nothing is typed
				if edit.Start.Line != line || edit.End.Line != line || !clamped.before(top) &&
					clamped.before(edit.Start) || edit.End.before(clamped) {
					t.Fatalf("%v %q: at %v %s would replace %v", c.encoding, s, at.Position, item.Label, edit)
				}
			}
			if character > 0 {
				continue
			}
			if h := answer[*hover](t, d.hover, c, at); h != nil {
				inText("hover", h.Range)
				for text := range strings.SplitSeq(h.Contents.Value, "\n") {
					if !printable.IsText(text) {
						t.Fatalf("%q: hover %q", s, h.Contents.Value)
					}
				}
			}
			for _, h := range answer[[]documentHighlight](t, d.highlights, c, at) {
				inText("highlight", h.Range)
			}
			for _, l := range answer[[]location](t, d.references, c, at) {
				inText("reference", l.Range)
			}
			askRename(t, d, c, line)
			askRange(t, d, c, line)
		}
	}
	for _, symbol := range answer[[]documentSymbol](t, d.symbols, c, documentParams{}) {
		inText(symbol.Name, symbol.Range)
		if symbol.Range.End.before(symbol.SelectionRange.End) ||
			symbol.SelectionRange.Start.before(symbol.Range.Start) {
			t.Fatalf("%q: the selection of %v is not in it", s, symbol)
		}
		for _, child := range symbol.Children {
			if symbol.Range.End.before(child.Range.End) {
				t.Fatalf("%q: %v is not in %v", s, child, symbol)
			}
		}
	}
	for _, fold := range answer[[]foldingRange](t, d.folds, c, documentParams{}) {
		if fold.StartLine < 0 || fold.EndLine <= fold.StartLine || fold.EndLine >= d.text.lines() {
			t.Fatalf("%q: fold %v", s, fold)
		}
	}
	for _, link := range answer[[]documentLink](t, d.links, c, documentParams{}) {
		inText("link", link.Range)
		if !strings.HasPrefix(link.Target, "http") || !printable.IsText(link.Target) {
			t.Fatalf("%q: link %q", s, link.Target)
		}
	}
}

// answer returns an answer in the form in which a client gets it, through JSON.
func answer[A, P any](t *testing.T, question func(*client, P) (any, error), c *client, p P) (a A) {
	t.Helper()
	v, err := question(c, p)
	fatal.If(t, err)
	data, err := json.Marshal(v)
	fatal.If(t, err)
	fatal.If(t, json.Unmarshal(data, &a))
	return a
}

// hasFix reports whether a fix of a diagnostic results in a text.
func hasFix(d *document, want string) bool {
	for _, found := range d.report().Diagnostics {
		if found.Fix != nil && found.Fix.Apply(d.text.content) == want {
			return true
		}
	}
	return false
}

// An offered comment silences its diagnostic, and has no diagnostic itself.
func TestIgnore(t *testing.T) {
	for _, s := range []string{
		"Disallow: /x\nUser-agent: *\nDisallow: y\n",
		"\uFEFFDisallow: /x\r\nUser-agent: *\r\nDisallow: y\r\n",
		"User-agent: *\nDisallow: /x\n# block all\nDisallow:\n",
		"User-agent: *\n# robots-lint: ignore pattern-start because\nDisallow: y z\nFoo: bar\n",
	} {
		d := testDocument(s, utf16Units, lint.Options{Profile: lint.Strict})
		offered := false
		for _, a := range answer[[]codeAction](t, d.codeActions, testClient(utf16Units),
			codeActionParams{Range: span{End: position{99, 0}}}) {
			text := slowApply(s, utf16Units, a.Edit.DocumentChanges[0].Edits)
			if !strings.Contains(text, placeholder.in("")) {
				continue
			}
			offered = true
			check := lint.Find(a.Diagnostics[0].Code)
			after := lint.Run(robots.Parse([]byte(text)), d.options)
			if was, is := count(d.report(), check), count(after, check); is >= was {
				t.Errorf("%q: %s: %d diagnostics, and before %d", s, a.Title, is, was)
			}
			for _, name := range []string{"bad-ignore", "unused-ignore"} {
				if was, is := count(d.report(), lint.Find(name)), count(after, lint.Find(name)); is > was {
					t.Errorf("%q: %s: finds %s", s, a.Title, name)
				}
			}
		}
		if !offered {
			t.Errorf("%q: no comment is offered", s)
		}
	}
}

// unexplained are the fields without a description, because no robot is known to read them.
var unexplained = []string{"Revisit-after", "Domain", "Agentmap", "Schemamap"}

// withoutText returns the fields that fieldTexts lacks.
func withoutText(fields []robots.Field) (names []string) {
	for _, f := range fields {
		if _, ok := fieldTexts[f.Name]; !ok {
			names = append(names, f.Name)
		}
	}
	return names
}

// unexplainedValues are the fields with checked values that explain themselves: they are addresses.
var unexplainedValues = []string{"Sitemap", "License"}

// withoutValue returns the fields with checked values that sayValue does not explain.
func withoutValue(fields []robots.Field) (names []string) {
	for _, f := range fields {
		p := new(prose)
		explainer{}.sayValue(p, robots.Line{Field: f.Name, Value: f.Example})
		if f.Check != nil && p.plain.Len() == 0 {
			names = append(names, f.Name)
		}
	}
	return names
}

// A hover explains each value with a syntax. A made-up field shows that the test names a forgotten
// field.
func TestFieldValues(t *testing.T) {
	for _, name := range withoutValue(robots.Fields()) {
		if !slices.Contains(unexplainedValues, name) {
			t.Errorf("sayValue in hover_record.go lacks %s: say what its value means, or add it to unexplainedValues",
				name)
		}
	}
	madeUp := robots.Field{Name: "Made-up", Example: "x", Check: func(string) error { return nil }}
	if got := withoutValue([]robots.Field{madeUp}); !slices.Equal(got, []string{"Made-up"}) {
		t.Errorf("without an explanation: %v, want Made-up", got)
	}
}

// Each field has its texts, and each text its field. Lint finds nothing in the examples. A
// made-up field shows that the test names a forgotten one.
func TestFieldTexts(t *testing.T) {
	for _, name := range withoutText(robots.Fields()) {
		if !slices.Contains(unexplained, name) {
			t.Errorf("fieldTexts in fields.go lacks %s: say what a record of it means, and who reads it", name)
		}
	}
	for name := range fieldTexts {
		f, ok := robots.FieldNamed(name)
		if !ok || f.Name != name || slices.Contains(unexplained, name) {
			t.Errorf("fieldTexts has %q, which robots.Fields does not have, or unexplained has too", name)
		}
		p := robots.Parse([]byte("User-agent: *\n" + form(f) + "\n"))
		for _, d := range lint.Run(p, lint.Options{}).Diagnostics {
			if name := d.Check.Name; name == "unknown-field" || name == "misspelt-field" {
				t.Errorf("%s: %v", f.Name, d)
			}
		}
	}
	madeUp := robots.Field{Name: "Made-up", Kind: robots.Other, Read: true}
	if got := withoutText([]robots.Field{madeUp}); !slices.Equal(got, []string{"Made-up"}) {
		t.Errorf("without texts: %v, want Made-up", got)
	}
}

// The last of a hundred diagnostics of a check gives the number of the rest.
func TestOmitted(t *testing.T) {
	d := testDocument("User-agent: *\n"+strings.Repeat("Disalow: /x\n", 123), utf16Units, lint.Options{})
	all := d.diagnostics(testClient(utf16Units))
	if n := len(all); n < 100 || !strings.HasSuffix(all[n-1].Message, " (and 23 more)") ||
		strings.HasSuffix(all[n-2].Message, "more)") {
		t.Errorf("got %d, the last %v", n, all[n-1])
	}
}

// Descriptions of patterns, by their parts.
func TestMatched(t *testing.T) {
	for pattern, want := range map[string]string{
		"/":            "all paths.",
		"*":            "all paths.",
		"/*":           "all paths.",
		"/a":           "all paths that start with /a.",
		"/a*":          "all paths that start with /a.",
		"/a$":          "the path /a, with nothing after it.",
		"/$":           "the path /, with nothing after it.",
		"*.pdf$":       "all paths that end with .pdf.",
		"/*.pdf":       "all paths that have .pdf anywhere.",
		"/a*b*c*d$":    "all paths that start with /a and then have b anywhere, after that c, and end with d.",
		"/x*y":         "all paths that start with /x and then have y anywhere.",
		"/\u00e9*%7e$": "all paths that start with /%C3%A9 and then end with ~.",
	} {
		var p prose
		format, args := matched(robots.RFC9309.Pattern(pattern))
		p.say(format, args...)
		if got := p.plain.String(); got != want {
			t.Errorf("%s: got %q, want %q", pattern, got, want)
		}
	}
}

// The text of a file has no effect as Markdown or on a terminal.
func TestProse(t *testing.T) {
	for _, test := range []struct {
		arg             any
		markdown, plain string
	}{
		{code("/a b"), "`/a b`", "/a b"},
		{code("``x`"), "``` ``x` ```", "``x`"},
		{code("`"), "`` ` ``", "`"},
		{code("  "), "(nothing)", "  "},
		{code("<b>[x](y)*"), "`<b>[x](y)*`", "<b>[x](y)*"},
		{code("\x1b[1m\u202e\n"), "`\\x1b[1m\\u202e\\n`", "\\x1b[1m\\u202e\\n"},
		{"<b>*_`[x](y)#~|!&\\", "\\<b\\>\\*\\_\\`\\[x\\](y)\\#\\~\\|\\!\\&\\\\", "<b>*_`[x](y)#~|!&\\"},
		{strong("a*"), "**a\\***", "a*"},
		{[]code{"a", "b", "c`"}, "`a`, `b` and `` c` ``", "a, b and c`"},
		{link{"a_b", "https://example.com/"}, "[a\\_b](<https://example.com/>)", "a_b (https://example.com/)"},
	} {
		var p prose
		p.say("%s", test.arg)
		if p.markdown.String() != test.markdown || p.plain.String() != test.plain {
			t.Errorf("%#v: got %q and %q, want %q and %q", test.arg, p.markdown.String(), p.plain.String(),
				test.markdown, test.plain)
		}
	}
}

// Slow requests are not offered for a file larger than robots read.
func TestLargeFile(t *testing.T) {
	d := testDocument("user-agent: *\nDisalow: /x\n"+strings.Repeat("disallow: /x\n", maxRewritten/13), utf16Units,
		lint.Options{})
	if len(d.diagnostics(testClient(utf16Units))) == 0 {
		t.Error("no diagnostics")
	}
	all := codeActionParams{Range: span{End: position{99, 0}}}
	var titles []string
	for _, a := range answer[[]codeAction](t, d.codeActions, testClient(utf16Units), all) {
		titles = append(titles, a.Title)
	}
	if got := strings.Join(titles, "; "); !strings.Contains(got, "ignore misspelt-field in this file") ||
		strings.Contains(got, "here") || strings.Contains(got, "all safe fixes") {
		t.Errorf("got %s", got)
	}
	if _, err := d.formatting(nil, documentParams{}); err == nil ||
		!strings.Contains(err.Error(), "larger than 512 KiB") {
		t.Errorf("got error %v", err)
	}
	larger := testDocument(strings.Repeat("\n", maxDocument+1), utf16Units, lint.Options{Language: "ru"})
	if got := larger.diagnostics(testClient(utf16Units)); len(got) != 1 ||
		!strings.Contains(got[0].Message, "файл больше 4 МиБ") || larger.text.content != "" {
		t.Errorf("got %v", got)
	}
}

// Real files, some of them: all safe fixes, the format, and no panic.
func TestCorpus(t *testing.T) {
	corpus.Unraced(t)
	step := 200
	if corpus.All() {
		step = 28
	}
	for n, file := range corpus.Files(t, "*") {
		if n%step != 0 || len(file.Data) > 100_000 {
			continue
		}
		name, s := file.Name, string(file.Data)
		d := testDocument(s, allEncodings[n%3], lint.Options{})
		c := testClient(d.text.encoding)
		if edit, ok := d.edit(c, difference(s, d.fixed())); ok {
			if got := slowApply(s, c.encoding, edit.DocumentChanges[0].Edits); got != d.fixed() {
				t.Errorf("%s: the fixes come to something else", name)
			}
		}
		if edits, ok := d.text.textEdits(difference(s, format.Source(s))); ok {
			if got := slowApply(s, c.encoding, edits); got != format.Source(s) {
				t.Errorf("%s: the layout comes to something else", name)
			}
		} else if utf8.ValidString(s) {
			t.Errorf("%s: the layout cannot be sent", name)
		}
		d.diagnostics(c)
		for line := range min(d.text.lines(), 100) {
			if _, err := d.hover(c, placeParams{Position: position{line, 0}}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
