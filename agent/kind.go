package agent

// Kind is the sort of program that a User-Agent header shows. It repeats the header's claim: a
// robot may call itself a browser.
type Kind uint8

// The kinds of programs. They may be stored: never renumber them.
const (
	Unknown Kind = iota // the header does not say
	Browser             // a browser that shows pages to a person
	// a person's program that is not a browser: on a phone, for mail, for feeds, for music and
	// films
	App
	Robot   // a robot, or a tool that plays one
	Program // a library, a command, or another program that names itself neither browser nor robot
)

var kinds = [...]string{"unknown", "browser", "app", "robot", "program"}

// String returns the kind's name in lower case, such as "robot".
func (k Kind) String() string {
	if int(k) < len(kinds) {
		return kinds[k]
	}
	return "unknown"
}

// Reason is the rule of [Lookup] that decided the kind of program.
type Reason uint8

// The reasons, in the order in which Lookup tries them, except the last. They may be stored: never
// renumber them.
const (
	byNothing     Reason = iota // no word of the header says anything
	byName                      // the table has this name
	byAddress                   // it gives a contact address, as robots do and browsers do not
	byRobotWord                 // a word in robots' names, such as "crawler"
	byPlaying                   // it poses as a browser, with a name where browsers have none
	byToolWord                  // the name of a library or of a command
	byBrowserWord               // a browser by its words, and nothing else
	byDeviceWord                // a person's device, and no browser
	byOtherWord                 // a name that shows no kind
	byAppWord                   // the name of a person's program; tried after RobotWord
)

var reasons = [...]string{
	"nothing", "listed", "address", "robot-word", "playing", "tool-word", "browser-word", "device-word", "other-word",
	"app-word",
}

// String returns the reason's name in lower case, such as "robot-word".
func (r Reason) String() string {
	if int(r) < len(reasons) {
		return reasons[r]
	}
	return "unknown"
}
