package scripttest

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// allVerbs returns the root and all verbs of a program, also those of verbs.
func allVerbs(cmd *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{cmd}
	for _, verb := range cmd.Commands() {
		if !verb.DisableFlagParsing { // else it is a verb of another program
			all = append(all, allVerbs(verb)...)
		}
	}
	return all
}

// Help checks the help of each verb of a program: it says what the exit statuses mean, has an
// example, names values by words for people and not by types of Go, and fits a terminal.
func Help(t *testing.T, root *cobra.Command) {
	types := []string{"int", "uint", "string", "strings", "stringArray", "stringSlice", "duration", "float", "float64",
		"bool"}
	statuses := regexp.MustCompile(`exit status is .*\b0\b.*\b2\b`)
	value := regexp.MustCompile(`^ +(-\w, )?--[\w-]+ (\S+)   `)
	for _, cmd := range allVerbs(root) {
		name := cmd.CommandPath()
		var b bytes.Buffer
		cmd.SetOut(&b)
		if err := cmd.Help(); err != nil {
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

// Manuals writes the manual pages of the program of Main, one for each verb below root, and checks
// them with the programs that show them, where they are installed. It returns the folder of the
// pages.
func Manuals(t *testing.T, program string, root *cobra.Command) (dir string) {
	dir = t.TempDir()
	if out, err := Process(t, program, "help", "--man", dir).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(pages) != len(allVerbs(root)) {
		t.Fatalf("%d pages for %d verbs, %v", len(pages), len(allVerbs(root)), err)
	}
	for _, tool := range [][]string{
		{"mandoc", "-Tlint", "-W", "warning"},
		{"groff", "-man", "-ww", "-z", "-Kutf8", "-Tutf8"},
	} {
		path, err := exec.LookPath(tool[0])
		if err != nil {
			t.Logf("%s is not installed", tool[0])
			continue
		}
		if out, err := exec.CommandContext(t.Context(), path,
			append(tool[1:], pages...)...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", tool[0], err, out)
		}
	}
	return dir
}
