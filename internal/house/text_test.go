package house

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// lineAt returns the number of the line that has a byte of a text, from 1 on.
func lineAt(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// TestWhiteSpace checks that every line of text ends with LF and no white space before it, so that
// no editor makes unintended changes.
func TestWhiteSpace(t *testing.T) {
	for _, s := range house(t).files {
		if bytes.IndexByte(s.text, 0) >= 0 {
			continue // a binary
		}
		number := 0
		for line := range bytes.Lines(s.text) {
			number++
			line = bytes.TrimSuffix(line, []byte("\n"))
			if len(line) > 0 && bytes.IndexByte([]byte(" \t\r"), line[len(line)-1]) >= 0 {
				t.Errorf("%s:%d: white space or CR at the end of the line", s.path, number)
				break
			}
		}
	}
}

// TestLinks checks that the links of every document to files of the repository work.
func TestLinks(t *testing.T) {
	code := regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
	link := regexp.MustCompile(`\]\(([^)\s]+)|(?m)^\[[^\]\n]+\]:\s+(\S+)`) // in line, or by reference
	scheme := regexp.MustCompile(`^[a-z][a-z0-9+.-]*:`)
	r := house(t)
	for _, s := range r.files {
		if path.Ext(s.path) != ".md" {
			continue
		}
		for _, m := range link.FindAllSubmatch(code.ReplaceAll(s.text, nil), -1) {
			target, _, _ := strings.Cut(string(m[1])+string(m[2]), "#")
			if target == "" || scheme.MatchString(target) {
				continue
			}
			to := path.Join(s.folder(), target)
			if !filepath.IsLocal(to) {
				t.Errorf("%s: the link to %s leads out of the repository", s.path, target)
			} else if _, err := os.Stat(filepath.Join(r.root, to)); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", s.path, target)
			}
		}
	}
}

// TestUserDocuments checks that the documents for users link to no decision: why something is so is
// for those who change it.
func TestUserDocuments(t *testing.T) {
	forAuthors := []string{"doc/ARCHITECTURE.md", "doc/performance.md"}
	for _, s := range house(t).files {
		if s.folder() != "doc" || path.Ext(s.path) != ".md" || slices.Contains(forAuthors, s.path) {
			continue
		}
		if at := bytes.Index(s.text, []byte("(decisions/")); at >= 0 {
			t.Errorf("%s:%d: a link to a decision", s.path, lineAt(s.text, at))
		}
	}
}

// TestRoot checks that the root of the repository has the files that people expect there.
func TestRoot(t *testing.T) {
	for _, file := range []string{"CHANGELOG.md", "CONTRIBUTING.md", "LICENSE"} {
		if len(house(t).file(t, file).text) == 0 {
			t.Errorf("%s is empty", file)
		}
	}
}

// A habit is a phrase to avoid.
type habit struct {
	has     string // a part of each such phrase, in lower case: most texts have none of them
	phrase  string // an expression for texts in lower case
	instead string
	example string
}

// habits are phrases that were in the texts of this project, and that its readers did not
// understand.
var habits = []habit{
	{"be had", `\b(could not|can|cannot|to) be had\b`, "could not be fetched, is available", "none is to be had"},
	// "there is no URL" is English.
	{" is no url", `([^e]|[^r]e) is no url\b`, "is not a URL", "a/b is no URL"},
	{" is no ip", `([^e]|[^r]e) is no ip address\b`, "is not an IP address", "1.2 is no IP address"},
	{"without another meaning", `\bwithout another meaning\b`, "without changing", "without another meaning"},
	{"go of", `\blets? go of\b`, "drops, forgets, releases", "lets go of it"},
	{"nobody is", `\bnobody is (named|told)\b`, "no … is given", "Nobody is told"},
	{"come", `\b(what|which) (it|they|that) comes? to\b`, "is", "what it comes to"},
	{"come", `\bcomes? to (its|their) end\b`, "ends", "comes to its end"},
	{" on where", `\bgo(es)? on where (it|they) (was|were)\b`, "resumes", "goes on where it was"},
	{"so many of them", `\bso many of them\b`, "at most a number of …", "so many of them"},
	{"as yet", `\bas yet\b`, "yet, so far", "none as yet"},
	{"so many of", `\bso many of\b`, "the number", "so many of which"},
	{"anew", `\banew\b`, "again; rebuilds, rewrites", "makes them anew"},
	{"of those that", `\bof those that\b`, "the noun again", "of those that fit"},
	{"what ", `\bwhat (came|comes|became|becomes) of\b`, "the result of", "what came of it"},
	{"but for", `\bbut for (the|those|its|their)\b`, "except for", "all but for the notes"},
}

// TestHabits checks that no text has one of the habits. Records of decisions are not rewritten, and
// tests may quote strangers.
func TestHabits(t *testing.T) {
	find := make([]func(lower []byte) []int, len(habits))
	for i, habit := range habits {
		phrase := regexp.MustCompile(habit.phrase)
		find[i] = func(lower []byte) []int {
			if !bytes.Contains(lower, []byte(habit.has)) {
				return nil
			}
			return phrase.FindIndex(lower)
		}
		if find[i](lowered(nil, []byte(habit.example))) == nil {
			t.Errorf("the habit of %q is not found", habit.example)
		}
	}
	var lower []byte
	for _, s := range house(t).files {
		switch path.Ext(s.path) {
		case ".go", ".md", ".sh", ".yml", ".yaml":
		default:
			continue
		}
		decision := strings.HasPrefix(s.path, "doc/decisions/")
		if s.isTest() || decision || s.path == "doc/testweb-results.md" {
			continue
		}
		lower = lowered(lower[:0], s.text)
		for i, habit := range habits {
			if at := find[i](lower); at != nil {
				t.Errorf("%s:%d: %q: write %s", s.path, lineAt(lower, at[0]), s.text[at[0]:at[1]], habit.instead)
			}
		}
	}
}

// lowered appends a text to b, with the letters of US-ASCII in lower case.
func lowered(b, text []byte) []byte {
	from := len(b)
	b = append(b, text...)
	for i, c := range b[from:] {
		if 'A' <= c && c <= 'Z' {
			b[from+i] = c + 'a' - 'A'
		}
	}
	return b
}

// TestDecisions checks the index of the decisions: it has a line for each record, and no other.
func TestDecisions(t *testing.T) {
	const folder = "doc/decisions/"
	r := house(t)
	index := string(r.file(t, folder+"README.md").text)
	records := 0
	for _, s := range r.files {
		name, ok := strings.CutPrefix(s.path, folder)
		if !ok || name == "README.md" {
			continue
		}
		records++
		if strings.Count(index, "]("+name+")") != 1 {
			t.Errorf("%sREADME.md does not have one line for %s", folder, name)
		}
	}
	if listed := strings.Count(index, "\n- ["); listed != records {
		t.Errorf("%sREADME.md lists %d records, and there are %d", folder, listed, records)
	}
}
