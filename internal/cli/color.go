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

// Colored reports whether a verb writes colours to w. The first of these decides: the flag --color;
// the variable NO_COLOR, which forbids colours unless it is empty; CLICOLOR_FORCE, which demands
// them unless it is empty or 0; CLICOLOR, which forbids them if it is 0. Else w must be a
// [Terminal].
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
	force := os.Getenv("CLICOLOR_FORCE")
	switch {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		Terminal(w)
		return true
	}
	return os.Getenv("CLICOLOR") != "0" && Terminal(w)
}
