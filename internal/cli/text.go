package cli

import "github.com/robotsexclusion/robots/internal/language"

// Mistakes in the flags of a command line.
var (
	textUnknownFlag = language.New("unknown flag %[1]s")
	textNearFlag    = language.New("unknown flag %[1]s: did you mean %[2]s?")
	textElsewhere   = language.New("unknown flag %[1]s: it is a flag of %[2]s")
	textNoFlag      = language.New("%[1]s is not a flag: flags have a name after the two hyphens")
	textNoValue     = language.New("%[1]s has no value: write %[1]s %[2]s")
	textNoUnit      = language.New(
		"%[1]s %[2]s has no unit: write %[2]ss for seconds, %[2]sm for minutes or %[2]sh for hours")
	textNoTime = language.New(
		"%[1]s %[2]s is not a length of time: write a number and a unit, such as 20s, 5m or 1h30m")
	textNoBool    = language.New("%[1]s=%[2]s is neither true nor false: write %[1]s, or %[1]s=false")
	textNoNumber  = language.New("%[1]s %[2]s is not a whole number")
	textRange     = language.New("%[1]s %[2]s is out of range: name a smaller number")
	textNoDecimal = language.New("%[1]s %[2]s is not a number")
	textNoList    = language.New("%[1]s %[2]s is not a list: separate names by commas, without quotation marks")
	textBadValue  = language.New("%[1]s %[2]s: %[3]s")
	textNearValue = language.New("%[1]s %[2]s: %[3]s; did you mean %[4]s?")
)
