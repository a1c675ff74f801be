package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/usage"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// allVerbs returns the root and all verbs of this program, also those of verbs.
func allVerbs(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, verb := range cmd.Commands() {
		if !verb.DisableFlagParsing { // else it is a verb of another program
			all = append(all, allVerbs(verb)...)
		}
	}
	return all
}

// TestHelp checks the help of each verb: it says what the exit statuses mean, has an example, names values by
// words for people and not by types of Go, and fits a terminal.
func TestHelp(t *testing.T) {
	types := []string{"int", "uint", "string", "strings", "stringArray", "stringSlice", "duration", "float", "float64", "bool"}
	statuses := regexp.MustCompile(`exit status is .*\b0\b.*\b2\b`)
	value := regexp.MustCompile(`^ +(-\w, )?--[\w-]+ (\S+)   `)
	for _, cmd := range allVerbs(newRoot()) {
		name := cmd.CommandPath()
		var b bytes.Buffer
		if err := (usage.Printer{W: &b, Width: 60}).Help(cmd); err != nil {
			t.Fatal(err)
		}
		if text := strings.Join(strings.Fields(cmd.Long), " "); !statuses.MatchString(text) {
			t.Errorf("help of %s does not say what the exit statuses 0 and 2 mean", name)
		}
		if !cmd.HasExample() {
			t.Errorf("help of %s has no example", name)
		}
		for line := range strings.SplitSeq(b.String(), "\n") {
			if found := value.FindStringSubmatch(line); found != nil && slices.Contains(types, found[2]) {
				t.Errorf("help of %s names a type of Go: %s", name, line)
			}
			if strings.Contains(line, "`") {
				t.Errorf("help of %s has a backquote: %s", name, line)
			}
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if strings.Contains(f.Usage, "`") {
				t.Errorf("%s: the description of --%s, which shells show, has a backquote", name, f.Name)
			}
		})
	}
}

// TestManuals checks the manual pages with the programs that show them, where they are installed.
func TestManuals(t *testing.T) {
	dir := t.TempDir()
	if out, err := robotsProcess(t, "help", "--man", dir).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) != len(allVerbs(newRoot())) {
		t.Fatalf("%d pages for %d verbs, %v", len(pages), len(allVerbs(newRoot())), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "robots-match.1"))
	if err != nil || !bytes.Contains(text, []byte("\n.SH SYNOPSIS\n.nf\n.B robots match [flags]")) {
		t.Errorf("the page of match has no synopsis, %v", err)
	}
	checked := false
	if mandoc, err := exec.LookPath("mandoc"); err == nil {
		checked = true
		if out, err := exec.CommandContext(t.Context(), mandoc, append([]string{"-Tlint", "-W", "warning"}, pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("mandoc: %v\n%s", err, out)
		}
	}
	if groff, err := exec.LookPath("groff"); err == nil {
		checked = true
		if out, err := exec.CommandContext(t.Context(), groff, append([]string{"-man", "-ww", "-z", "-Kutf8", "-Tutf8"}, pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("groff: %v\n%s", err, out)
		}
	}
	if !checked {
		t.Skip("neither mandoc nor groff is installed")
	}
}
