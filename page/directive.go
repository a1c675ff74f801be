package page

import (
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Directive is one instruction of a page to robots, such as "noindex" or "max-snippet:50". A
// Directive is immutable.
type Directive struct {
	Robot  string // the robot that the directive is for, in lower case; empty for all robots
	Name   string // in lower case
	Value  string // as written; empty without a value
	Source Source

	// Err is the reason why a directive with a known name has no effect: its value is
	// malformed, or its place does not allow directives.
	Err error

	term   *term     // nil if the name is unknown
	number int       // the value of max-snippet and max-video-preview, see Number, or tdm-reservation
	time   time.Time // the value of unavailable_after
	colon  bool      // a colon follows the name
	widens bool      // the directive is unknown and may be the name of a robot: see Note
}

// Known reports whether this package knows the directive. Unknown directives have no effect.
func (d Directive) Known() bool { return d.term != nil }

var (
	textUnknown = language.New("unknown, asks nothing")
	textOthers  = language.New("if it names a robot, what follows counts for others too")
)

// Note returns the reason why the directive has no effect, or "" if it has one. For the
// language see [Decision.Sentence]. An unknown directive may be the name of a robot, followed
// by a directive that is unknown too: otherbot in "otherbot: futuredirective, noindex". The
// known directives after the name apply to all robots, although they may be meant for that
// robot only. Note says so then.
func (d Directive) Note(languageCode string) string {
	l := language.Parse(languageCode)
	switch {
	case d.Err != nil:
		return printable.Text(language.Explain(l, d.Err))
	case d.Known():
		return ""
	case d.widens:
		return textUnknown.In(l) + "; " + textOthers.In(l)
	}
	return textUnknown.In(l)
}

// Number returns the value of max-snippet, in characters, or of max-video-preview, in seconds;
// -1 means no limit. ok is false for other and invalid directives.
func (d Directive) Number() (n int, ok bool) {
	return d.number, d.term != nil && d.term.form == count && d.Err == nil
}

// Time returns the value of unavailable_after. ok is false for other and invalid directives.
func (d Directive) Time() (t time.Time, ok bool) { return d.time, !d.time.IsZero() }

// String returns the directive as in a well-written header, such as "googlebot:
// max-snippet:50", or rel=nofollow for a link. Text that is unsafe for a terminal is escaped.
func (d Directive) String() string {
	s := printable.Text(d.Name)
	if d.Source.Place == atRel {
		return "rel=" + s
	}
	if d.Value != "" {
		s += ":"
		if d.term != nil && d.term.form == date {
			s += " "
		}
		s += printable.Text(d.Value)
	}
	if d.Robot != "" {
		s = printable.Text(d.Robot) + ": " + s
	}
	return s
}

// A Source is the place of a directive, an address or a link.
type Source struct {
	// Place is "meta" for <meta name=…> in the page, "http-equiv" for <meta http-equiv=…>, where
	// directives have no effect, "rel" for the rel attribute of a link in the page, "given meta"
	// for a META tag of Options.Meta, and otherwise the name of a header: "X-Robots-Tag", "Link",
	// "Refresh", or "TDM header" for tdm-reservation.
	Place string `json:"place"`
	Name  string `json:"name,omitempty"` // name of the META tag, as written
	// number of the header among those of its name, or of the tag in Options.Meta, starting at 1
	Number int `json:"number,omitempty"`

	// Line and Offset are the position of the tag in the page: the number of its line, starting
	// at 1, and the number of bytes before it. For a page in UTF-16 or ISO-2022-JP, Offset
	// counts the bytes of the page in UTF-8. For a tag longer than 64 KiB, they are the
	// position of its last part.
	Line   int   `json:"line,omitempty"`
	Offset int64 `json:"offset,omitempty"`

	column int // column of the tag in bytes, starting at 1
}

// The values of Source.Place.
const (
	atRobotsTag = "X-Robots-Tag"
	atMeta      = "meta"
	atHTTPEquiv = "http-equiv"
	atGivenMeta = "given meta"
	atRel       = "rel"
	atLinkField = "Link"
	atRefresh   = "Refresh"
	atTDM       = "TDM header"
)

// places has the places in the order in which directives are sorted.
var places = [...]string{atRobotsTag, atMeta, atHTTPEquiv, atGivenMeta, atRel, atLinkField, atRefresh, atTDM}

// String returns the source in a few words: "line 4" for a place in the page, and otherwise
// "X-Robots-Tag 1", "Link 1" or "given meta 1".
func (s Source) String() string {
	if s.Line > 0 {
		return "line " + strconv.Itoa(s.Line)
	}
	return s.Place + " " + strconv.Itoa(s.Number)
}

// read parses the value of d, or sets its error.
func (d *Directive) read() {
	if d.Value == "" && d.term.form != reservation {
		d.Err = errNoValue
		return
	}
	switch d.term.form {
	case reservation:
		if d.Value != "0" && d.Value != "1" {
			d.Err = textNotReservation.Err(strconv.Quote(d.Value))
			return
		}
		d.number = int(d.Value[0] - '0')
	case count:
		d.number, d.Err = parseCount(d.Value)
	case size:
		if _, ok := previewNamed(d.Value); !ok {
			d.Err = textNotSize.Err(strconv.Quote(d.Value))
		}
	}
}

// parseCount parses a number of characters or seconds. A larger number than mostCount becomes
// mostCount.
func parseCount(value string) (int, error) {
	if value == "-1" {
		return -1, nil
	}
	n := 0
	for _, c := range []byte(value) {
		if c < '0' || c > '9' {
			return 0, textNotCount.Err(strconv.Quote(value))
		}
		n = min(n*10+int(c-'0'), mostCount)
	}
	return n, nil
}

const mostCount = 1<<31 - 1

// The reasons why directives have no effect.
var (
	textNotReservation = language.New("value %[1]s is not 1, for rights that are reserved, or 0")
	textNotSize        = language.New("value %[1]s is not none, standard or large")
	textNotCount       = language.New("value %[1]s is not a number such as 0 or 50, or -1 for no limit")

	errNoValue = language.New("no value follows, such as max-snippet:50").Err()
	errNoDate  = language.New(
		"not a date such as 25 Jun 2010 15:00:00 GMT, Friday, 25-Jun-10 15:00:00 GMT, or 2010-06-25T15:00:00Z").Err()
	errHTTPEquiv = language.New("directives do not belong in http-equiv: write name=robots").Err()
)
