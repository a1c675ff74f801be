package format_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/lint/format"
)

func TestSource(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"blanks", "\n\n \n", ""},
		{"fields and blanks", "user-AGENT:*\n  disallow :/a  # why\nDISALLOW:\nFoo-Bar:x\t\n",
			"User-agent: *\nDisallow: /a # why\nDisallow:\nFoo-Bar: x\n"},
		{"line ends, and a byte order mark", "\ufeffUser-agent: *\r\nDisallow: /a\r\n",
			"User-agent: *\nDisallow: /a\n"},
		{"lone CR", "User-agent: *\rDisallow: /a\r", "User-agent: *\nDisallow: /a\n"},
		{"no end", "User-agent: *\nDisallow: /a", "User-agent: *\nDisallow: /a\n"},
		{"blank lines", "\n\nUser-agent: a\nDisallow: /a\n\n\n\nUser-agent: b\nDisallow: /b\n\n",
			"User-agent: a\nDisallow: /a\n\nUser-agent: b\nDisallow: /b\n"},
		{"comments", "  # one  \nUser-agent: a#b\nDisallow: /a\n\n# two\n",
			"# one\nUser-agent: a #b\nDisallow: /a\n\n# two\n"},
		{"what is not understood", "User-agent: *\nthis is no record  \nDisallow: /a\n",
			"User-agent: *\nthis is no record  \nDisallow: /a\n"},
		{"groups without a blank line", "User-agent: a\nDisallow: /a\n# two\nUser-agent: b\nDisallow: /b\n",
			"User-agent: a\nDisallow: /a\n\n# two\nUser-agent: b\nDisallow: /b\n"},
		{"a blank line that ends a record of 1994", "User-agent: a\n\n\nUser-agent: b\nDisallow: /b\n",
			"User-agent: a\n\nUser-agent: b\nDisallow: /b\n"},
		{"a colon that only Google does without", "user agent *\nDisallow /a\n", "user agent *\nDisallow /a\n"},
	} {
		got := format.Source(test.text)
		if got != test.want {
			t.Errorf("%s: got\n%q\nwant\n%q", test.name, got, test.want)
		}
		check(t, test.text)
	}
}

// check checks the promises of Source for any text.
func check(t *testing.T, text string) {
	t.Helper()
	got := format.Source(text)
	if again := format.Source(got); again != got {
		t.Errorf("laid out again, %q is %q", got, again)
	}
	for _, d := range robots.Dialects() {
		a, b := d.Parse([]byte(text)), d.Parse([]byte(got))
		was, is := groups(a), groups(b)
		if was != is {
			t.Errorf("%v: %q has groups\n%s\nlaid out\n%s", d, text, was, is)
		}
	}
}

// groups returns all groups of a policy as text.
func groups(p *robots.Policy) string {
	var b strings.Builder
	for _, g := range p.Groups() {
		b.WriteString(strings.Join(g.Agents(), ",") + "\n")
		for rule := range g.Rules() {
			b.WriteString(rule.String() + "\n")
		}
		for _, r := range g.Records() {
			b.WriteString(strings.ToLower(r.Field) + ": " + r.Value + "\n")
		}
	}
	for _, s := range p.Sitemaps() {
		b.WriteString(s.Value + "\n")
	}
	return b.String()
}

func FuzzSource(f *testing.F) {
	f.Add("user-AGENT:*\n  disallow :/a  # why\n\n\nUser-agent:b\rAllow:\x00\n")
	f.Add("\ufeffUser-agent: a\r\n\r\nDisallow: /a\r\n\r\nDisallow: /b\r\n# c\r\nuser agent b\r\n")
	f.Add("User-agent: a\n#\nUser-agent: b\n\n\nDisallow: /x#y\nUser-agent: c")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 4000 {
			check(t, text)
		}
	})
}

// TestCorpus formats real files: every tenth, or all with ROBOTS_CORPUS_ALL.
func TestCorpus(t *testing.T) {
	files := corpus.Files(t, "protego-sites")
	changed := 0
	for i, f := range files {
		if i%20 != 0 && !corpus.All() {
			continue
		}
		check(t, string(f.Data))
		if format.Source(string(f.Data)) != string(f.Data) {
			changed++
		}
	}
	t.Logf("%d files, %d changed", len(files), changed)
}

// Every known field is spelled as in its document.
func TestFieldNames(t *testing.T) {
	for _, f := range robots.Fields() {
		want := f.Name + ": " + f.Example + "\n"
		if got := format.Source("User-agent: *\n" + strings.ToUpper(f.Name) + ":" + f.Example); !strings.HasSuffix(got,
			want) {
			t.Errorf("%s: got %q", f.Name, got)
		}
	}
}
