package cli

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"
)

// colors are the values of --color.
var colors = []string{"auto", "always", "never"}

// A colorFlag is the flag --color: when answers have colours.
type colorFlag string

func (f *colorFlag) String() string { return string(*f) }
func (f *colorFlag) Type() string   { return "when" }

func (f *colorFlag) Set(when string) error {
	if !slices.Contains(colors, when) {
		return errors.New("name auto, always or never")
	}
	*f = colorFlag(when)
	return nil
}

// addColor adds the flag to all verbs of a program.
func addColor(root *cobra.Command) {
	when := colorFlag("auto")
	root.PersistentFlags().Var(&when, "color", "use colours: auto (on a terminal), always or never")
	Complete(root, "color", colors)
}

// Colored reports whether a verb writes colours to w. The flag --color decides, and else w must be
// a [Terminal], and the variable NO_COLOR unset or empty.
func Colored(cmd *cobra.Command, w io.Writer) bool {
	if flag := cmd.Flag("color"); flag != nil {
		switch flag.Value.String() {
		case "always":
			Terminal(w) // a console of Windows has to be asked
			return true
		case "never":
			return false
		}
	}
	return os.Getenv("NO_COLOR") == "" && Terminal(w)
}
