package lint

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// everything are the options that run all checks.
func everything() Options {
	o := Options{Profile: Strict}
	for _, c := range Checks() {
		o.Enable = append(o.Enable, c.Name)
	}
	return o
}

// shrink returns the number of powers of two by which hostile texts are smaller than with
// ROBOTS_CORPUS_ALL=1. They remain large enough to show more than linear time.
func shrink() int {
	switch {
	case corpus.All():
		return 0
	case testing.Short():
		return 4
	}
	return 3
}

// hostile returns texts written to do harm. The longest has 2 MiB, or less by shrink.
func hostile(shrink int) map[string]string {
	repeat := func(s string, n int) string { return strings.Repeat(s, 1<<(n-shrink)) }
	return map[string]string{
		"empty":          "",
		"only a mark":    "\uFEFF",
		"NUL":            repeat("\x00", 20),
		"NUL lines":      "User-agent: *\n" + repeat("\x00\n", 18),
		"line ends":      repeat("\n", 20),
		"CR":             repeat("User-agent: *\rDisallow: x\r", 16),
		"one line":       "User-agent: *\nDisallow: " + repeat("a ", 20),
		"one field":      repeat("a", 20) + ": b",
		"colons":         "User-agent: *\nDisallow: " + repeat("allow: ", 18),
		"colons apart":   "User-agent: *\nDisallow: /" + repeat("  :", 18),
		"stars":          "User-agent: *\nDisallow: /" + repeat("*", 20),
		"percent":        "User-agent: *\nDisallow: /" + repeat("%", 20) + "\nDisallow: /" + repeat("%25", 18),
		"agents":         "User-agent: " + repeat("GPTBot, ", 17),
		"many agents":    repeat("User-agent: Googlebot\n", 14) + repeat("Crawl-delay: 1\n", 14),
		"broken lines":   "User-agent: *\n" + repeat("Disallow: a b\n", 16),
		"unknown fields": "User-agent: *\n" + repeat("Dissallow: /x\nfoo: bar\nplain text\nЗапретить: /y\n", 14),
		"ignores": "User-agent: *\n" + repeat("# robots-lint: ignore-file stray-rule,a,b,c why\n",
			14) + repeat("Disallow: x\n", 14),
		"waiting ignores":  repeat("# robots-lint: ignore stray-rule why\n", 15) + "Disallow: /x",
		"invalid UTF-8":    "User-agent: *\n" + repeat("Disallow: /\xff\xfe\xe2\x80\n", 15),
		"half a character": "User-agent: *\nDisallow: /\xe2\x80",
		"blank names":      "User-agent: \u00a0\nUser-agent: \u00a0 \u2003\nUser-agent: \u3000,\u00a0\nDisallow: /x\n",
		"URLs, not UTF-8":  "User-agent: *\nDisallow: http://\xe9\xe9\nDisallow: https://\u0130\u212a/\nDisallow: /\xe8\nDisallow: /\xe9\n",
		"markup":           repeat("<!--", 18),
		"brackets":         repeat("[", 20),
		"parentheses":      "User-agent: *\nDisallow: /" + repeat("(", 18) + repeat("|", 18),
		"comments":         "User-agent: *\n" + repeat("# block all everything allow everyone all\nDisallow:\n", 15),
		"UTF-16":           "\xFF\xFE" + repeat("\x00\xD8", 19) + "x",
		"escapes":          "User-agent: \x1b]0;owned\x07\nDisallow: \x1b[2J\n\u202eDisallow: /x\n",
	}
}

// TestHostile runs all checks over hostile texts, and writes the reports in all formats: no
// output contains a terminal escape.
func TestHostile(t *testing.T) {
	less := shrink()
	for name, text := range hostile(less) {
		t.Run(name, func(t *testing.T) {
			r := Run(robots.Parse([]byte(text)), everything())
			counts := make(map[*Check]int)
			for _, d := range r.Diagnostics {
				if counts[d.Check]++; counts[d.Check] > defaultLimit {
					t.Fatalf("more than %d diagnostics of %s", defaultLimit, d.Check.Name)
				}
				if d.Line < 1 || d.Column < 1 || d.EndColumn < d.Column {
					t.Errorf("a place that is none: %+v", d)
				}
			}
			for _, format := range formats {
				var b bytes.Buffer
				fatal.If(t, (Writer{Format: format}).Write(&b, File{"a\x1b[2Jb", r}))
				for _, c := range b.String() {
					if c < ' ' && c != '\n' || c == 0x7F || c == 0x202E {
						t.Fatalf("%v has %q", format, c)
					}
				}
			}
			if len(text) < 1<<17>>less {
				r.Fix()
			}
		})
	}
}

// TestLimit counts the diagnostics beyond the limit.
func TestLimit(t *testing.T) {
	text := "User-agent: *\n" + strings.Repeat("Disallow: x\n", 1000)
	r := Run(robots.Parse([]byte(text)), Options{Limit: 10})
	if len(r.Diagnostics) != 10 || len(r.Omitted) != 1 || r.Omitted[0].Count != 990 ||
		r.Omitted[0].Check != patternStart {
		t.Errorf("%d diagnostics, omitted %v", len(r.Diagnostics), r.Omitted)
	}
	if got := r.Count(Error); got != 1000 {
		t.Errorf("Count(Error) = %d, want 1000", got)
	}
}

// TestLinear compares the memory allocated for texts of different lengths: a text of ten times
// the length takes at most about twenty times the memory.
func TestLinear(t *testing.T) {
	cost := func(n int) float64 {
		text := []byte("User-agent: *\n" + strings.Repeat("Disalow: /x\nDisallow: a b\nDisallow: /c\nSitemap: /d\n", n))
		return testing.AllocsPerRun(1, func() { Run(robots.Parse(text), everything()) })
	}
	small, large := cost(300), cost(3000)
	if large > 20*small {
		t.Errorf("%.0f allocations for 1,200 lines, %.0f for 12,000", small, large)
	}
}

func FuzzRun(f *testing.F) {
	for _, text := range hostile(0) {
		if len(text) < 1<<10 {
			f.Add(text)
		}
	}
	for _, text := range []string{
		"User-agent: * Disallow: /\n", "Disallow /x\r\nUser-agent：*\r",
		"User-agent: a, b\nDisallow: /a /b\nAllow: \"x\"",
		"User-agent: *\nDisallow: / a /\nSitemap: x\nSitemap: x\n", "# block all\nUser-agent: *\nDisallow:\n",
		"\u200dUser-agent: *\n\u00ef\u00bb\u00bfDisallow: /caf\u00e9\n", "\xff\xfeU\x00s\x00",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		policy := robots.Parse([]byte(text))
		r := Run(policy, everything())
		lines := make(map[int]robots.Line)
		for number, l := range policy.Lines() {
			lines[number] = l
		}
		for _, d := range r.Diagnostics {
			l, ok := lines[d.Line]
			if !ok && text != "" || d.Column < 1 || d.EndColumn < d.Column || d.EndColumn > len(l.Text)+1 {
				t.Errorf("no such place: %s, to column %d", d, d.EndColumn)
			}
			if d.Fix != nil {
				end := 0
				for _, e := range d.Fix.Edits {
					if e.Start < end || e.End < e.Start || e.End > len(text) {
						t.Fatalf("%s: edits out of order: %v", d, d.Fix.Edits)
					}
					end = e.End
				}
				if len(text) < 1<<10 {
					if err := proven(text, d.Fix); err != nil && !strings.Contains(err.Error(), "undecided") {
						t.Errorf("%q\n%s: %q: %v", text, d, d.Fix.Apply(text), err)
					}
				}
			}
		}
		fixed := r.Fix()
		for _, d := range Run(robots.Parse([]byte(fixed)), everything()).Diagnostics {
			if d.Fix != nil && d.Fix.Safe && len(text) < 1<<10 &&
				Run(robots.Parse([]byte(fixed)), everything()).Fix() != fixed {
				t.Errorf("%q\nfixed %q\nagain %q", text, fixed, Run(robots.Parse([]byte(fixed)), everything()).Fix())
				break
			}
		}
		for _, format := range formats {
			if err := (Writer{Format: format}).Write(io.Discard, File{"robots.txt", r}); err != nil {
				t.Error(err)
			}
		}
	})
}
