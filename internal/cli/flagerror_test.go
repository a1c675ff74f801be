package cli

import (
	"errors"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/spf13/cobra"
)

// A colour is a value with a type of its own.
type colour string

func (c *colour) String() string   { return string(*c) }
func (c *colour) Type() string     { return "colour" }
func (c *colour) Set(string) error { return errors.New("the colours are red and green") }

// TestFlagError checks that errors of flags say what to write, and name no package and no type of
// Go.
func TestFlagError(t *testing.T) {
	for _, test := range []struct{ arg, want string }{
		{"--agnet=x", "unknown flag --agnet: did you mean --agent?"},
		{"--nothing=x", "unknown flag --nothing"},
		{"--hiden", "unknown flag --hiden"},
		{"-x", "unknown flag -x"},
		{"--=x", "--=x is not a flag: flags have a name after the two hyphens"},
		{"--agent", "--agent has no value: write --agent token"},
		{"--wait=5", "--wait 5 has no unit: write 5s for seconds, 5m for minutes or 5h for hours"},
		{"--wait=soon", "--wait soon is not a length of time: write a number and a unit, such as 20s, 5m or 1h30m"},
		{"--wait=", `--wait "" is not a length of time: write a number and a unit, such as 20s, 5m or 1h30m`},
		{"--why=maybe", "--why=maybe is neither true nor false: write --why, or --why=false"},
		{"--limit=x", "--limit x is not a whole number"},
		{"--limit=99999999999999999999", "--limit 99999999999999999999 is out of range: name a smaller number"},
		{"--share=x", "--share x is not a number"},
		{`--names=a"b`, `--names a"b is not a list: separate names by commas, without quotation marks`},
		{"--colour=gren", "--colour gren: the colours are red and green; did you mean green?"},
		{"--colour=\x1b[31m", `--colour \x1b[31m: the colours are red and green`},
	} {
		cmd := &cobra.Command{Use: "verb"}
		flags := cmd.Flags()
		flags.String("agent", "", "a `token`")
		flags.Bool("hidden", false, "not shown")
		flags.Lookup("hidden").Hidden = true
		flags.Duration("wait", time.Second, "")
		flags.Bool("why", false, "")
		flags.Int("limit", 0, "")
		flags.Float64("share", 0, "")
		flags.StringSlice("names", nil, "")
		flags.Var(new(colour), "colour", "")
		fatal.If(t, cmd.RegisterFlagCompletionFunc("colour", cobra.FixedCompletions([]string{"red", "green"},
			cobra.ShellCompDirectiveDefault)))
		err := cmd.ParseFlags([]string{test.arg})
		if err == nil {
			t.Errorf("%s: no error", test.arg)
			continue
		}
		if got := flagError(cmd, err).Error(); got != test.want {
			t.Errorf("%s: %s\nwant %s", test.arg, got, test.want)
		}
		for _, l := range []language.Language{language.Spanish, language.Korean, language.Russian} {
			if got := language.Explain(l, flagError(cmd, err)); got == test.want && test.arg != "--colour=\x1b[31m" {
				t.Errorf("%s is not translated to %s", test.arg, l)
			}
		}
	}
}

// TestUnknown checks that an unknown name leads to the nearest known one, or to all of them.
func TestUnknown(t *testing.T) {
	known := []string{"search", "ai-train"}
	for name, want := range map[string]string{
		"ai-trian": `unknown purpose "ai-trian": did you mean ai-train?`,
		"tea":      `unknown purpose "tea": the purposes are search, ai-train`,
	} {
		if got := Unknown("purpose", name, known).Error(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
