package say

import "github.com/robotsexclusion/robots/internal/language"

// The texts in all languages; package language documents the placeholders. Values are made safe
// to show before they are inserted.
var (
	textNoGroupFor     = language.New("no group is for %[1]s")
	textRecordsFor     = language.New("records for %[1]s in group %[2]s of line %[3]d")
	textNone           = language.New("none")
	textFileRecords    = language.New("records of the file")
	textBadRecords     = language.New("records with a value that says nothing")
	textAnyPath        = language.New("any path")
	textChangesNothing = language.New("%[1]s changes nothing under %[2]s")
	textMainMirror     = language.New("the main mirror")
	textWithoutOwn     = language.New("for groups without their own")
	textWait           = language.New("wait %[1]s between requests")
	textNoLess         = language.New("line %[1]d asks for no less")
	textRequestEvery   = language.New("a request every %[1]s")
	textVisit          = language.New("visit %[1]s")
	textFromTo         = language.New("from %[1]s to %[2]s UTC")
	textUnder          = language.New("%[1]s under %[2]s")
	textUse            = language.New("%[1]s use")
	textPermitted      = language.New("permitted")
	textRefused        = language.New("refused")
	textUnknown        = language.New("unknown")
)
