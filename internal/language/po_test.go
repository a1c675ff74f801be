package language

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A poFile is a file of GNU gettext: the translations of all texts to one language.
type poFile struct {
	header  poEntry
	entries []poEntry
}

// A poEntry is a text in a [poFile].
type poEntry struct {
	comments []string // lines of the translator, and flags
	files    []string // that have the text
	note     string   // for the translator, from us

	context, english, translation string
}

func (e poEntry) key() string { return InContext(e.context, e.english).key() }

// parsePO reads a file of gettext without plural forms, as we write it and as editors of such
// files do, which break long strings into several lines.
func parsePO(data string) (po poFile, err error) {
	var e poEntry
	var into *string // what a string on a line of its own continues
	started := false
	end := func() {
		if started && e.english == "" {
			po.header = e
		} else if started {
			po.entries = append(po.entries, e)
		}
		e, started, into = poEntry{}, false, nil
	}
	for line := range strings.Lines(data) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "":
			end()
			continue
		case strings.HasPrefix(line, "#:"), strings.HasPrefix(line, "#."), strings.HasPrefix(line, "#~"):
			continue // we write these, except texts that were removed
		case strings.HasPrefix(line, "#"):
			e.comments = append(e.comments, line)
			continue
		case word == "msgctxt":
			into = &e.context
		case word == "msgid":
			started, into = true, &e.english
		case word == "msgstr":
			into = &e.translation
		case strings.HasPrefix(line, `"`) && into != nil:
			rest = line
		default:
			return po, fmt.Errorf("no line of a PO file: %s", line)
		}
		text, err := strconv.Unquote(rest)
		if err != nil {
			return po, fmt.Errorf("no string: %s", line)
		}
		*into += text
	}
	end()
	return po, nil
}

// String returns the file. It does not break long strings, so that a changed text is one changed
// line.
func (po poFile) String() string {
	var b strings.Builder
	for _, line := range po.header.comments {
		fmt.Fprintln(&b, line)
	}
	fmt.Fprint(&b, "msgid \"\"\nmsgstr \"\"\n")
	for line := range strings.Lines(po.header.translation) {
		fmt.Fprintln(&b, quoted(line))
	}
	for _, e := range po.entries {
		fmt.Fprintln(&b)
		for _, line := range e.comments {
			fmt.Fprintln(&b, line)
		}
		if e.note != "" {
			fmt.Fprintln(&b, "#.", e.note)
		}
		for _, file := range e.files {
			fmt.Fprintln(&b, "#:", file)
		}
		if e.context != "" {
			fmt.Fprintln(&b, "msgctxt", quoted(e.context))
		}
		fmt.Fprintf(&b, "msgid %s\nmsgstr %s\n", quoted(e.english), quoted(e.translation))
	}
	return b.String()
}

// quoted returns a string of a PO file.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// updated returns the file with an entry for each text of the source, in their order, with the
// translations and comments that it has for them.
func (po poFile) updated(l Language, texts []sourceText) poFile {
	had := make(map[string]poEntry)
	for _, e := range po.entries {
		had[e.key()] = e
	}
	next := poFile{header: po.header}
	for _, text := range texts {
		e := had[text.key()]
		e.context, e.english, e.files = text.context, text.english, text.files
		e.note = ""
		if strings.Contains(e.english+e.translation, "⟨") {
			e.note = choiceNotes[l]
		}
		next.entries = append(next.entries, e)
	}
	return next
}

// choiceNotes say to translators which choices stand in angle brackets.
var choiceNotes = [len(codes)]string{
	Spanish: "⟨form for 1/form for other numbers⟩, by the number before it",
	Korean:  "⟨particle after a consonant/particle after a vowel⟩, by the sound before it",
	Russian: "⟨form for 1/form for 2/form for 5⟩, by the number before it",
}

// catalog returns the lines of files that programs embed: those of the language, or the keys for
// English.
func (po poFile) catalog(l Language) string {
	var b strings.Builder
	for _, e := range po.entries {
		text := e.translation
		if l == English {
			text = e.key()
		}
		fmt.Fprintln(&b, strconv.Quote(text))
	}
	return b.String()
}

// fuzzy reports whether an editor marked the translation as one of another text.
func (e poEntry) fuzzy() bool {
	return slices.ContainsFunc(e.comments, func(line string) bool {
		return strings.HasPrefix(line, "#,") && strings.Contains(line, "fuzzy")
	})
}

// TestPO reads a file that an editor has written, and writes it in our form.
func TestPO(t *testing.T) {
	po, err := parsePO(`# Title
msgid ""
msgstr "Language: es\n"

# why
#. note
#: a.go:1 b.go:2
#, fuzzy
msgctxt "list"
msgid ""
"new \"%[1]s\", "
"and more"
msgstr "nuevo"

#~ msgid "gone"
#~ msgstr "ido"
`)
	fatal.If(t, err)
	if !po.entries[0].fuzzy() {
		t.Error("the entry is not fuzzy")
	}
	text := InContext("list", `new "%[1]s", and more`)
	got := po.updated(Spanish, []sourceText{{text, []string{"c.go", "d.go"}},
		{New("not yet"), []string{"d.go"}}}).String()
	const want = `# Title
msgid ""
msgstr ""
"Language: es\n"

# why
#, fuzzy
#: c.go
#: d.go
msgctxt "list"
msgid "new \"%[1]s\", and more"
msgstr "nuevo"

#: d.go
msgid "not yet"
msgstr ""
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, odd := range []string{`msgid "`, `msgid x`, `"x"`, "msgid_plural \"x\""} {
		if _, err := parsePO(odd); err == nil {
			t.Errorf("%s: no error", odd)
		}
	}
}
