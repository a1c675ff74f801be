package cli

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"
)

// A colorFlag is the flag --color: when answers have colours.
type colorFlag string

// The values of --color.
const (
	colorAuto   colorFlag = "auto"
	colorAlways colorFlag = "always"
	colorNever  colorFlag = "never"
)

func (f *colorFlag) String() string { return string(*f) }
func (f *colorFlag) Type() string   { return "when" }

func (f *colorFlag) Set(when string) error {
	switch c := colorFlag(when); c {
	case colorAuto, colorAlways, colorNever:
		*f = c
		return nil
	}
	return errors.New("name auto, always or never")
}

// addColor adds the flag to all verbs of a program.
func addColor(root *cobra.Command) {
	when := colorAuto
	root.PersistentFlags().Var(&when, "color", "use colours: auto (on a terminal), always or never")
	Complete(root, "color", []string{string(colorAuto), string(colorAlways), string(colorNever)})
}

// Colored reports whether a verb writes colours to w. The flag --color decides, and else w must be
// a [Terminal], and the variable NO_COLOR unset or empty.
func Colored(cmd *cobra.Command, w io.Writer) bool {
	if flag := cmd.Flag("color"); flag != nil {
		switch flag.Value.String() {
		case string(colorAlways):
			Terminal(w) // a console of Windows has to be asked
			return true
		case string(colorNever):
			return false
		}
	}
	return os.Getenv("NO_COLOR") == "" && Terminal(w)
}
