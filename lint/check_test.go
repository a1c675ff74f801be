package lint

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/nearest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestChecks compares every check with its documentation, and the files in testdata with the
// checks.
func TestChecks(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := make(map[string]bool)
	for _, c := range Checks() {
		if !name.MatchString(c.Name) || seen[c.Name] {
			t.Errorf("%q is not a name for a check, or is that of two", c.Name)
		}
		seen[c.Name] = true
		if len(c.Profiles) == 0 {
			t.Errorf("%s: no profile has it", c.Name)
		}
		if c.in(Recommended) && !c.in(Strict) {
			t.Errorf("%s: recommended, but not strict", c.Name)
		}
		doc := c.Doc("")
		if strings.TrimSpace(doc) == "" {
			t.Errorf("%s: explained/en.md has no section of this name", c.Name)
			continue
		}
		at := 0
		for _, part := range []string{"Avoid:", "Prefer:", "Why: ", "Exceptions: "} {
			i := strings.Index(doc[at:], "\n"+part)
			if i < 0 {
				t.Errorf("%s: its documentation has no part %q, or not in its place", c.Name, part)
				break
			}
			at += i
		}
		if s := c.Summary(""); !strings.HasSuffix(s, ".") {
			t.Errorf("%s: its documentation does not start with a sentence: %q", c.Name, s)
		}
		if Find(c.Name) != c {
			t.Errorf("Find(%q) finds another check", c.Name)
		}
	}
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	fatal.If(t, err)
	for _, file := range files {
		if !seen[strings.TrimSuffix(filepath.Base(file), ".txtar")] {
			t.Errorf("%s: no check has this name", file)
		}
	}
}

// TestFiles requires a source file of its own for each check.
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("*.go")
	fatal.If(t, err)
	declared := regexp.MustCompile(`(?m)^var \w+ = &Check\{`)
	all := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		fatal.If(t, err)
		n := len(declared.FindAll(data, -1))
		if n > 1 {
			t.Errorf("%s: %d checks in one file", file, n)
		}
		all += n
	}
	if want := len(Checks()); all != want {
		t.Errorf("%d checks are declared, %d are in the list", all, want)
	}
}

func TestNearest(t *testing.T) {
	if got := Nearest("not-robot"); got != "not-robots" {
		t.Errorf("Nearest(%q) = %q", "not-robot", got)
	}
	if got := Nearest("nothing of that kind"); got != "" {
		t.Errorf("Nearest of nothing = %q", got)
	}
	for _, tt := range []struct{ name, want string }{
		{"dissallow", "Disallow"}, {"Dsiallow", "Disallow"}, {"alow", "Allow"}, {"user-agnet", "User-agent"},
		{"sitmap", "Sitemap"}, {"width", ""}, {"http", ""}, {"", ""}, {"allows", "Allow"}, {"disallowed", "Disallow"},
	} {
		if got, _ := nearest.Of(tt.name, readFields); got != tt.want {
			t.Errorf("nearest(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
