package cli

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// newTool returns a command with verbs in two groups, and flags of several types.
func newTool() *cobra.Command {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "tool", Short: "do things", Run: run}
	root.AddGroup(&cobra.Group{ID: "a", Title: "Every day"})
	verb := &cobra.Command{
		Use: "verb [flags] FILE", Short: "do one thing, and say in a long line what it was, so that it does not fit",
		GroupID: "a", Run: run,
		Long:    "Verb does one thing.\nIt \\ takes a file, as in\n\n  tool verb 'x' ~/.y^\n\nThe end.",
		Example: "  tool verb x",
	}
	verb.Flags().DurationP("wait", "w", time.Minute, "wait for `time`")
	verb.Flags().Int("limit", 3, "at most so many")
	verb.Flags().String("name", "", "its name")
	verb.Flags().Bool("json", false, "print JSON")
	verb.Flags().StringSlice("of", []string{"a", "b"}, "these `kinds`")
	root.PersistentFlags().String("color", "auto", "use colours `when`")
	root.AddCommand(verb, &cobra.Command{Use: "other", Short: "do another", Run: run})
	nameValues(root)
	return root
}

// TestHelp checks the help of a verb, and that lines fit the terminal where words allow it.
func TestHelp(t *testing.T) {
	verb := newTool().Commands()[1]
	var b bytes.Buffer
	help := func(p *helpPrinter, cmd *cobra.Command) {
		b.Reset()
		p.help(cmd)
		p.Flush()
	}
	help(newHelpPrinter(verb, &b), verb)
	const want = `Verb does one thing. It \ takes a file, as in

  tool verb 'x' ~/.y^

The end.

Usage:
  tool verb [flags] FILE

Examples:
  tool verb x

Flags:
  -h, --help           print this help
      --json           print JSON
      --limit number   at most so many (default 3)
      --name text      its name
      --of kinds       these kinds (default a,b)
  -w, --wait time      wait for time (default 1m)

Flags of all verbs:
      --color when   use colours when (default auto)
`
	if b.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", b.String(), want)
	}
	help(&helpPrinter{bufio.NewWriter(&b), 44, true}, verb.Root())
	if !strings.Contains(b.String(), "\n\x1b[1mEvery day\x1b[0m:\n  verb        do one thing, and say in a\n") ||
		!strings.Contains(b.String(), "\n\x1b[1mVerbs\x1b[0m:\n  other ") {
		t.Errorf("no groups in %q", b.String())
	}
	for line := range strings.SplitSeq(b.String(), "\n") {
		if utf8.RuneCountInString(line) > 44 && !strings.HasPrefix(line, `"tool help`) {
			t.Errorf("more than 44 columns: %q", line)
		}
	}
}
