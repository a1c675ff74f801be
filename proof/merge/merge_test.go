package merge_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/merge"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite what the golden files in testdata expect")

// TestGolden builds the cases of testdata: fragments, wishes (one a line), and the expected
// result, which is a file with notes, or problems.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("there are no golden files")
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			fatal.If(t, err)
			var fragments []merge.Fragment
			var o merge.Options
			var kept []txtar.File
			want := ""
			for _, f := range archive.Files {
				switch f.Name {
				case "wishes":
					for line := range strings.Lines(string(f.Data)) {
						verb, text, _ := strings.Cut(strings.TrimSpace(line), " ")
						w, err := merge.ParseWish(text, verb == "allow")
						fatal.If(t, err)
						o.Wishes = append(o.Wishes, w)
					}
				case "want":
					want = string(f.Data)
					continue
				default:
					fragments = append(fragments, merge.Fragment{Name: f.Name, Text: f.Data})
				}
				kept = append(kept, f)
			}
			got := ""
			if file, err := merge.Join(fragments, o); err != nil {
				got = err.Error() + "\n"
			} else {
				for _, note := range file.Notes {
					got += "note: " + note + "\n"
				}
				got += file.Text
			}
			if got == want {
				return
			}
			if !*update {
				t.Fatalf("got\n%s\nwant\n%s", got, want)
			}
			archive.Files = append(kept, txtar.File{Name: "want", Data: []byte(got)})
			fatal.If(t, os.WriteFile(name, txtar.Format(archive), 0o644))
		})
	}
}

func TestParseWish(t *testing.T) {
	for _, test := range []struct {
		text  string
		allow bool
		want  string
	}{
		{"ai-train", false, "--block ai-train"},
		{"ai-train=/articles/", false, "--block ai-train=/articles/"},
		{" GPTBot = /*.pdf$ ", false, "--block GPTBot=/*.pdf$"},
		{"ai-search", true, "--allow ai-search"},
		{"*", false, "--block *"},
		{"", false, "no robot is named"},
		{"=/x", false, "no robot is named"},
		{"Mozilla/5.0 (x)", false, "neither a purpose"},
		{"a\nDisallow: /", false, "neither a purpose"},
		{"GPTBot\nDisallow: /", false, "neither a purpose"},
		{"open ai", false, "--block open ai"},
		{"common crawl=/a/", false, "--block CCBot=/a/"},
		{"foo bar", false, "neither a purpose"},
		{"GPTBto/1.2", false, "neither a purpose"},
		{"GPTBot/1.2", true, "--allow GPTBot"},
		{"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)", false, "--block GPTBot"},
		{"ai-train=articles", false, "does not start with /"},
		{"ai-train=/a b", false, "has a blank"},
		{"ai-train=/a\nAllow: /", false, "has a blank"},
		{"ai-search=/x/", true, "--allow ai-search=/x/"},
		{"ai-search=/x*", true, "is not one that robots can be exempt for"},
		{"ai-search=x", true, "is not one that robots can be exempt for"},
	} {
		w, err := merge.ParseWish(test.text, test.allow)
		switch {
		case err != nil && !strings.Contains(err.Error(), test.want):
			t.Errorf("%q: got error %v, want %s", test.text, err, test.want)
		case err == nil && w.String() != test.want:
			t.Errorf("%q: got %v, want %s", test.text, w, test.want)
		}
	}
}

// TestHostile joins fragments that only an attacker would write.
func TestHostile(t *testing.T) {
	many := make([]merge.Fragment, corpus.Cases(80, 200))
	for i := range many {
		many[i] = merge.Fragment{Name: fmt.Sprint(i),
			Text: fmt.Appendf(nil, "User-agent: *\nDisallow: /%d/\nUser-agent: Bot%c\nAllow: /x\n", i, 'a'+i%26)}
	}
	for _, test := range []struct {
		name      string
		fragments []merge.Fragment
		want      string // a part of the text or of the error
	}{
		{"nothing", nil, "# Built by"},
		{"an empty fragment", []merge.Fragment{{Name: "a"}}, "#   a\n"},
		{"a page", []merge.Fragment{{Name: "a", Text: []byte("<!doctype html>\n<title>404</title>\n")}},
			"a:1: '<!doctype html>' is not of the form"},
		{"UTF-16", []merge.Fragment{{Name: "a",
			Text: []byte("U\x00s\x00e\x00r\x00-\x00a\x00g\x00e\x00n\x00t\x00:\x00 \x00*\x00\n\x00")}},
			"is not of the form"},
		{"a byte order mark", []merge.Fragment{{Name: "a", Text: []byte("\ufeffUser-agent: *\nDisallow: /a\n")}},
			"\n\nUser-agent: *\nDisallow: /a\n"},
		{"a name that ends the comment", []merge.Fragment{{Name: "a\nDisallow: /\n\x1b[31m",
			Text: []byte("User-agent: *\n")}}, `#   a\nDisallow: /\n\x1b[31m`},
		{"rules in no group", []merge.Fragment{{Name: "a", Text: []byte("Disallow: /\x1b[31m\n")}},
			`a:1: 'Disallow: /\x1b[31m' stands in no group`},
		{"ten thousand wrong lines", []merge.Fragment{{Name: "a", Text: []byte(strings.Repeat("wrong\n", 10000))}},
			"and 9900 more"},
		{"many fragments", many, "User-agent: BotZ"},
		{"lines that end with CR", []merge.Fragment{{Name: "a", Text: []byte("User-agent: *\rDisallow: /a\r")}},
			"User-agent: *\nDisallow: /a\n"},
		{"not UTF-8", []merge.Fragment{{Name: "a", Text: []byte("User-agent: *\nDisallow: /caf\xe9\n")}},
			"Disallow: /caf\xe9\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, err := merge.Join(test.fragments, merge.Options{})
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = file.Text
			}
			if strings.Contains(got, "\x1b") {
				t.Errorf("%q reaches a terminal", got)
			}
			if test.name != "many fragments" && test.name != "a byte order mark" &&
				!strings.Contains(got, test.want) {
				t.Errorf("got %.2000q, want %q in it", got, test.want)
			}
		})
	}
}

// TestCorpus joins each real file with nothing, which must not change its answers. A file that
// cannot be joined has lines that no robot reads, or does not contradict itself.
func TestCorpus(t *testing.T) {
	built, refused, undecided := 0, 0, 0
	step := 240
	if corpus.All() {
		step = 2
	}
	files := corpus.Files(t, "*")
	for i := 0; i < len(files); i += step {
		name, data := files[i].Name, files[i].Data
		file, err := merge.Join([]merge.Fragment{{Name: name, Text: data}}, merge.Options{})
		wrong := (*merge.Error)(nil)
		if errors.As(err, &wrong) {
			if wrong.Undecided {
				undecided++
			}
			for _, p := range wrong.Problems {
				if p.Line == 0 || !strings.Contains(p.Message, "stands in no group") &&
					!strings.Contains(p.Message, "is not of the form") &&
					!strings.Contains(p.Message, "Google's parser") {
					t.Errorf("%s: %v", name, p)
				}
			}
			refused++
			continue
		}
		built++
		before, after := robots.Parse(data), robots.Parse([]byte(file.Text))
		d, _ := proof.Diff(before, after, proof.Options{})
		if len(d.Changes) > 0 {
			t.Errorf("%s: %v", name, d)
		}
		for _, c := range d.Records {
			if c.Added || len(c.Agents) > 0 {
				t.Errorf("%s: %v", name, c) // else it is one of those that stood there twice
			}
		}
	}
	t.Logf("%d files were built anew, %d refused, %d of them undecided", built, refused, undecided)
}
