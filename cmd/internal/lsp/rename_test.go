package lsp

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/lint"
)

// askRename renames the product token of a line, and compares the names in the new text with those
// in the old.
func askRename(t *testing.T, d *document, c *client, line int) {
	t.Helper()
	l, ok := d.line(line)
	if !ok {
		return
	}
	start, _ := valueOf(l)
	at := d.text.position(start)
	prepared := answer[*renameRange](t, d.prepareRename, c, placeParams{Position: at})
	const name = "New-Name"
	result, err := d.rename(c, renameParams{Position: at, NewName: name})
	if slices.ContainsFunc(namesIn(d.text.content), func(n string) bool { return strings.EqualFold(n, name) }) {
		return // the rename may be refused: TestRenameMerges
	}
	if (prepared == nil) != (err != nil) && utf8.ValidString(d.text.content) {
		t.Fatalf("%q: line %d: prepared %v, and rename gives %v", d.text.content, line, prepared, err)
	}
	if err != nil || result == nil {
		return
	}
	got := slowApply(d.text.content, c.encoding, result.(workspaceEdit).DocumentChanges[0].Edits)
	if renamed, want := namesIn(got), namesIn(d.text.content); !slices.Equal(renamed,
		replaced(want, tokenOf(l), name)) {
		t.Fatalf("%q: line %d: renamed %q, and the names are %q", d.text.content, line, tokenOf(l), renamed)
	}
}

// namesIn returns the product tokens of all groups of a text.
func namesIn(s string) (names []string) {
	for _, g := range testDocument(s, utf8Bytes, lint.Options{}).policy().Groups() {
		names = append(names, g.Agents()...)
	}
	return names
}

func replaced(names []string, old, now string) []string {
	names = slices.Clone(names)
	for i, name := range names {
		if strings.EqualFold(name, old) {
			names[i] = now
		}
	}
	return names
}

func TestRename(t *testing.T) {
	const text = "\uFEFFUser-agent: a # \U0001F916\r\nuser-agent:b/2\rDisallow: /\xff\n\nUser-agent: A/1.0\nUser-agent: *\nAllow: /a\n"
	for _, test := range []struct {
		line, character int
		name, want      string // the text, or a part of the error
	}{
		{0, 13, "Googlebot",
			"\uFEFFUser-agent: Googlebot # \U0001F916\r\nuser-agent:b/2\rDisallow: /\xff\n\nUser-agent: Googlebot/1.0\nUser-agent: *\nAllow: /a\n"},
		{4, 13, "a",
			"\uFEFFUser-agent: a # \U0001F916\r\nuser-agent:b/2\rDisallow: /\xff\n\nUser-agent: a/1.0\nUser-agent: *\nAllow: /a\n"},
		{1, 12, "MJ12bot",
			"\uFEFFUser-agent: a # \U0001F916\r\nuser-agent:MJ12bot/2\rDisallow: /\xff\n\nUser-agent: A/1.0\nUser-agent: *\nAllow: /a\n"},
		{1, 13, "x", "no product token is here"},
		{0, 3, "x", "no product token is here"},
		{2, 0, "x", "no product token is here"},
		{5, 12, "x", "no product token is here"},
		{99, 0, "x", "no product token is here"},
		{0, 13, "", `"" is not a product token`},
		{0, 13, "*", `"*" is not a product token`},
		{0, 13, "a/1", `"a/1" is not a product token`},
		{0, 13, "a b", `"a b" is not a product token`},
		{0, 13, "a\nDisallow: /", `is not a product token`},
		{0, 13, "unheard0f", `"unheard0f" is not a product token`},
	} {
		d := testDocument(text, utf16Units, lint.Options{})
		p := renameParams{Position: position{test.line, test.character}, NewName: test.name}
		result, err := d.rename(testClient(utf16Units), p)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: got error %v, want %q", p, err, test.want)
			}
			continue
		}
		if got := slowApply(text, utf16Units, result.(workspaceEdit).DocumentChanges[0].Edits); got != test.want {
			t.Errorf("%v: got %q, want %q", p, got, test.want)
		}
	}
	large := testDocument(strings.Repeat("\n", maxDocument+1), utf16Units, lint.Options{})
	if _, err := large.rename(nil, renameParams{NewName: "a"}); err == nil ||
		!strings.Contains(err.Error(), "larger than 4 MiB") {
		t.Errorf("got error %v", err)
	}
}

// A rename that would merge two groups is refused.
func TestRenameMerges(t *testing.T) {
	const text = "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: c\nAllow: /\n\nUser-agent: B\nDisallow: /y\n\nUser-agent: c\nUser-agent: d\n"
	for _, test := range []struct {
		line int
		name string
		want string // a part of the error, or of the new text
		ok   bool
	}{
		{0, "c", `"c" has one at line 5:`, false},
		{0, "C", `"C" has one at line 5:`, false},
		{0, "b", `"b" has one at line 2:`, false}, // b has more groups than a
		{1, "a", `"a" has one at line 1:`, false}, // and a would get these
		{4, "b", `"b" has one at line 2:`, false},
		{10, "a", `"a" has one at line 1:`, false},
		{1, "B", "User-agent: a\nUser-agent: B\n", true},
		{4, "e", "User-agent: e\nAllow: /\n", true},
	} {
		d := testDocument(text, utf8Bytes, lint.Options{})
		result, err := d.rename(testClient(utf8Bytes), renameParams{Position: position{test.line, 12},
			NewName: test.name})
		if (err == nil) != test.ok {
			t.Errorf("line %d to %s: got %v", test.line, test.name, err)
			continue
		}
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = slowApply(text, utf8Bytes, result.(workspaceEdit).DocumentChanges[0].Edits)
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("line %d to %s: got %q, want %q in it", test.line, test.name, got, test.want)
		}
	}
	both := testDocument("User-agent: a\nUser-agent: b\nDisallow: /\n", utf8Bytes, lint.Options{})
	if _, err := both.rename(testClient(utf8Bytes), renameParams{Position: position{0, 12}, NewName: "b"}); err != nil {
		t.Errorf("both names are in the same groups: %v", err)
	}
}
