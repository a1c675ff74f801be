package agent_test

import (
	"cmp"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/robotsexclusion/robots/agent"
)

// slowLookup is the slow twin of Lookup, written from the rules of Lookup. It compares every name
// of the lists in the folder data with every word of a header. It returns the result of Lookup
// without the facts of the table.
func slowLookup(text string) agent.Agent {
	lists := slowTable()
	header := wide(text)
	words := slowWords(header)

	type claim struct {
		robot  *slowRobot
		word   string
		device bool
	}
	var robot, tool *claim
	var robotWord, robotName, addressWord, addressName, playing, toolWord, appWord, roleWord, runtimeWord, browserWord,
		engineWord, deviceWord, desktopWord string
	var lead, first, last string
	seen := make(map[string]bool)
	set := func(s *string, value string) {
		if *s == "" {
			*s = value
		}
	}
	named, others, khtml, plays := false, false, false, false
	device := "no" // then "system", "past", "yes"
	after := 0     // the last name of several words
	engines := 0
	for i, w := range words {
		if i < after {
			continue
		}
		if slowComment.MatchString(w.before) {
			device, khtml, plays = "no", false, false
		}
		if strings.Contains(w.before, ",") && khtml && deviceWord != "" {
			plays = false
		}
		if i == 0 || slowPart.MatchString(w.before) {
			named = false
			device = map[string]string{"no": "no", "system": "past", "past": "past", "yes": "no"}[device]
		}
		afterLike := others
		others = false
		nearby := func() string { return cmp.Or(lead, last, appWord) }
		if w.address {
			if addressWord == "" {
				addressWord, addressName = w.text, nearby()
			}
			continue
		}
		if device == "yes" {
			continue
		}

		// The classes of the word in the lists, and of names that start with the word.
		text := w.text
		if !lists.starts(text) {
			text = slowUnversioned(text)
		}
		shown, shownBy := lists.shown(text), w.text
		classes, name := lists.classesOf(text), w.text
		if isName := slowIsName(header, w); device == "past" && isName && !slices.Contains(classes, "plain") &&
			!slices.Contains(classes, "compatible") && !slices.Contains(classes, "robot") {
			device = "yes"
			continue
		}
		for j := i + 1; j < len(words) && !words[j].address; j++ {
			if blank := header[words[j-1].end:words[j].start]; blank != " " && blank != "+" {
				break
			}
			phrase := header[w.start:words[j].end]
			if r := lists.shown(phrase); r != nil {
				shown, shownBy, after = r, phrase, j+1
			}
			if c := lists.classesOf(phrase); len(c) > 0 {
				classes, name, after = c, phrase, j+1
			}
		}
		if len(classes) == 0 && shown == nil {
			stem := slowUnversioned(w.text)
			part, _ := lists.robotPart(w.text)
			switch {
			case strings.HasSuffix(slowFold(stem), "browser"):
				classes = []string{"browser"}
			case slowApp.MatchString(stem) && slowFold(stem) != "email":
				classes = []string{"app"}
			case i == 0 && part == "" && lists.isDevice(w.text):
				classes = []string{"device"}
				lead = w.text
			}
		}
		if shown != nil && !afterLike {
			found := &robot
			if slices.Equal(shown.Purposes, []string{"tool"}) && shown.Operator == "" {
				found = &tool
			}
			device := shown.isDevice(shownBy)
			if *found == nil || device && !(*found).device ||
				device == (*found).device && len(shown.Fallback) > len((*found).robot.Fallback) {
				*found = &claim{shown, shownBy, device}
			}
		}
		is := func(class ...string) bool {
			return slices.ContainsFunc(class, func(c string) bool { return slices.Contains(classes, c) })
		}
		if len(classes) > 0 {
			for _, c := range classes {
				seen[c] = true
			}
			if is("robot") && robotWord == "" {
				robotWord, robotName = name, name
				if slowUnnamed.MatchString(name) {
					robotName = cmp.Or(nearby(), slowFirst.FindString(name))
				}
			}
			if is("tool") || is("library") && i == 0 {
				set(&toolWord, name)
			}
			if is("app") || is("client") && i == 0 {
				set(&appWord, name)
			}
			if is("role") {
				set(&roleWord, name)
			}
			if is("runtime") {
				set(&runtimeWord, name)
			}
			if is("desktop") {
				set(&desktopWord, name)
			}
			if is("browser") {
				set(&browserWord, name)
			}
			if is("engine") && strings.HasPrefix(header[w.end:], "/") {
				engines++
			}
			if is("mozilla", "engine") {
				set(&engineWord, name)
			}
			if is("device") {
				set(&deviceWord, name)
			}
			if is("android") {
				device = "system"
			}
			switch {
			case is("compatible"), is("gecko") && khtml:
				plays, device = true, "no"
			case is("mozilla", "browser", "engine", "system", "device"):
				plays = false
			}
			khtml = khtml || is("khtml")
			others = is("others")
			continue
		}
		if shown != nil || afterLike {
			continue
		}

		// This may be a name.
		if part, at := lists.robotPart(w.text); robotWord == "" && part != "" {
			robotWord, robotName = w.text, w.text
			if at == 0 && slowSmall.MatchString(w.text[len(part):]) {
				robotName = cmp.Or(nearby(), w.text)
				continue
			}
		}
		host := slowHost.MatchString(w.text)
		if host && addressWord == "" {
			addressWord, addressName = w.text, nearby()
		}
		if !slowIsName(header, w) {
			continue
		}
		if i == 0 {
			lead = w.text
		}
		set(&first, w.text)
		if !named && !host {
			last, named = w.text, true
		}
		if plays {
			set(&playing, w.text)
		}
	}

	any := func(classes ...string) bool {
		return slices.ContainsFunc(classes, func(c string) bool { return seen[c] })
	}
	answer := func(token string, kind agent.Kind, reason agent.Reason, word string) agent.Agent {
		return agent.Agent{Token: narrow(token), Kind: kind, Reason: reason, Word: narrow(word)}
	}
	system, posing := cmp.Or(deviceWord, desktopWord), engineWord != ""
	switch {
	case robot != nil:
		return answer(robot.robot.Token, agent.Robot, agent.Listed, robot.word)
	case runtimeWord != "":
		return answer(cmp.Or(lead, appWord), agent.App, agent.DeviceWord, runtimeWord)
	case robotWord != "":
		return answer(robotName, agent.Robot, agent.RobotWord, robotWord)
	case appWord != "" && appWord == browserWord:
		return answer(appWord, agent.Browser, agent.BrowserWord, appWord)
	case appWord != "":
		return answer(appWord, agent.App, agent.AppWord, appWord)
	case roleWord != "":
		return answer(cmp.Or(lead, last, appWord, first), agent.App, agent.AppWord, roleWord)
	case addressWord != "" && !posing && system != "":
		return answer(cmp.Or(addressName, first), agent.App, agent.DeviceWord, system)
	case addressWord != "" && addressName == "" && first == "" && tool != nil:
		return answer(tool.robot.Token, agent.Program, agent.Listed, tool.word)
	case addressWord != "":
		return answer(cmp.Or(addressName, first, toolWord), agent.Robot, agent.Address, addressWord)
	case playing != "" && any("mozilla", "engine") && !any("browser", "msie"):
		return answer(playing, agent.Robot, agent.Playing, playing)
	case any("browser"):
		return answer(browserWord, agent.Browser, agent.BrowserWord, browserWord)
	case !posing && system != "" && lead != "":
		return answer(lead, agent.App, agent.DeviceWord, system)
	case tool != nil:
		return answer(tool.robot.Token, agent.Program, agent.Listed, tool.word)
	case toolWord != "":
		return answer(toolWord, agent.Program, agent.ToolWord, toolWord)
	case any("mozilla", "engine") && any("system", "device"), any("mozilla") && engines > 1:
		return answer(engineWord, agent.Browser, agent.BrowserWord, engineWord)
	case system != "":
		return answer(lead, agent.App, agent.DeviceWord, system)
	case first != "":
		return answer(first, agent.Program, agent.OtherWord, first)
	}
	return agent.Agent{}
}

type slowLists struct {
	names   []slowListed
	tokens  []string
	classes map[string][]string // to their words
}

// A slowListed is a name of a robot, in the form of slowFold.
type slowListed struct {
	name  string
	robot *slowRobot
}

type slowRobot struct {
	Token    string
	Operator string
	Match    *[]string
	Fallback []string
	Purposes []string
	Devices  *struct {
		Always bool
		Words  []string
	}
}

// isDevice reports whether a name in a header shows a program on the device of a person.
func (r *slowRobot) isDevice(name string) bool {
	if r.Devices == nil {
		return false
	}
	is := func(word string) bool { return slowFold(wide(word)) == slowFold(name) }
	return r.Devices.Always || slices.ContainsFunc(r.Devices.Words, is)
}

var slowTable = sync.OnceValue(func() *slowLists {
	data, err := os.ReadFile("data/robots.json")
	if err != nil {
		panic(err)
	}
	var table struct{ Robots []slowRobot }
	if err := json.Unmarshal(data, &table); err != nil {
		panic(err)
	}
	words, err := os.ReadFile("data/words.txt")
	if err != nil {
		panic(err)
	}
	l := &slowLists{classes: make(map[string][]string)}
	for _, r := range table.Robots {
		l.tokens = append(l.tokens, slowFold(wide(r.Token)))
		names := []string{r.Token}
		if r.Match != nil {
			names = *r.Match
		}
		if r.Devices != nil {
			names = slices.Concat(names, r.Devices.Words)
		}
		for _, name := range names {
			l.names = append(l.names, slowListed{slowFold(wide(name)), &r})
		}
	}
	for line := range strings.Lines(string(words)) {
		line, _, _ = strings.Cut(line, "#")
		class, list, _ := strings.Cut(line, ":")
		for word := range strings.SplitSeq(list, ",") {
			if word = slowFold(strings.TrimSpace(word)); word != "" {
				l.classes[class] = append(l.classes[class], word)
			}
		}
	}
	return l
})

// shown returns the robot whose header shows this name, or nil.
func (l *slowLists) shown(name string) *slowRobot {
	name = slowFold(name)
	for _, other := range l.names {
		if other.name == name {
			return other.robot
		}
	}
	return nil
}

// starts reports whether a name of the lists is this name, or starts with it.
func (l *slowLists) starts(name string) bool {
	name = slowFold(name)
	is := func(other string) bool { return other == name || strings.HasPrefix(other, name+" ") }
	for _, other := range l.names {
		if is(other.name) {
			return true
		}
	}
	for class, words := range l.classes {
		if !slowForms[class] && slices.ContainsFunc(words, is) {
			return true
		}
	}
	return slices.Contains(l.tokens, name)
}

// classesOf returns the classes of a name.
func (l *slowLists) classesOf(name string) (classes []string) {
	name = slowFold(name)
	for class, words := range l.classes {
		if !slowForms[class] && slices.Contains(words, name) {
			classes = append(classes, class)
		}
	}
	return classes
}

// robotPart returns the first part of a word that is typical of robots.
func (l *slowLists) robotPart(word string) (part string, at int) {
	lower := slowFold(word)
	for i := range len(word) {
		for _, class := range []string{"part", "ending"} {
			for _, p := range l.classes[class] {
				if strings.HasPrefix(lower[i:], p) && (class == "part" || slowEnds(word, i+len(p))) {
					return p, i
				}
			}
		}
	}
	return "", 0
}

// slowForms are the classes whose words are parts of words.
var slowForms = map[string]bool{"part": true, "ending": true, "maker": true, "inside": true}

// isDevice reports whether a word is the name of a maker of devices, followed by text with a digit
// or "_", or contains a part of the names of devices.
func (l *slowLists) isDevice(word string) bool {
	is := func(part string) bool { return strings.Contains(slowFold(word), part) }
	if slices.ContainsFunc(l.classes["inside"], is) {
		return true
	}
	return slices.ContainsFunc(l.classes["maker"], func(maker string) bool {
		rest, ok := strings.CutPrefix(slowFold(word), maker)
		return ok && slowNumbered.MatchString(rest)
	})
}

// slowEnds reports whether a part of a word ends before i.
func slowEnds(word string, i int) bool {
	camel := i < len(word) && unicode.IsUpper(rune(word[i])) && unicode.IsLower(rune(word[i-1]))
	return camel || slowEnd.MatchString(word[i:])
}

// slowFold returns the form of a name for comparisons.
func slowFold(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case 'A' <= c && c <= 'Z':
			b[i] += 'a' - 'A'
		case c == '+':
			b[i] = ' '
		}
	}
	return string(b)
}

// A slowWord is a word of a header.
type slowWord struct {
	text             string
	start, end, next int // next is where the version ends that follows
	before           string
	address          bool
}

// wordByte matches the bytes of words, except dots. Regular expressions see each
// byte of a header as the character with its number.
const wordByte = `[0-9A-Za-z_!%\x{80}-\x{ff}-]`

var (
	slowName      = regexp.MustCompile(wordByte + `+(\.` + wordByte + `+)*`)
	slowURL       = regexp.MustCompile(`^(?i:http|ftp)(` + wordByte + `|\.)*://`)
	slowServer    = regexp.MustCompile(`^(?i:www)\.`)
	slowMailbox   = regexp.MustCompile(`^@` + wordByte + `+\.[A-Za-z]`)
	slowAddress   = regexp.MustCompile(`^[^\x00-\x20()\[\]<>{}";,|]*`)
	slowVersion   = regexp.MustCompile(`^/@(` + wordByte + `|[.])+@|^/(` + wordByte + `|[./])*`)
	slowSystem    = regexp.MustCompile(`^/(?i:Android|iOS|iPhone|iPad|macOS)([^A-Za-z]|$)`)
	slowNumber    = regexp.MustCompile(`^/[0-9]`)
	slowSecond    = regexp.MustCompile(`/[A-Za-z]`)
	slowLetterA   = regexp.MustCompile(`[A-Za-z]`)
	slowNumbered  = regexp.MustCompile(`[0-9_]`)
	slowApp       = regexp.MustCompile(`(.Mail|.Email|.App|Player)$`)
	slowVersioned = regexp.MustCompile(`^(.*?)[-_]*[0-9.]*[0-9][0-9.]*$`)
	slowLanguage  = regexp.MustCompile(`^[A-Za-z]{2}([-_][A-Za-z]{2})?$`)
	slowHost      = regexp.MustCompile(`(?i)^..+\.(com|net|org|io|ai|info|eu|de|fr|ru)$`)
	slowLetter    = regexp.MustCompile(`[A-Za-z\x{80}-\x{ff}]`)
	slowPart      = regexp.MustCompile(`[()\[\];,"|]`)
	slowComment   = regexp.MustCompile(`[()\[\]]`)
	slowUnnamed   = regexp.MustCompile(`^[a-z]|[ +]`)
	slowFirst     = regexp.MustCompile(`^[^ +]*`)
	slowEnd       = regexp.MustCompile(`^($|[^A-Za-z])`)
	slowSmall     = regexp.MustCompile(`^[a-z]*$`)
)

// wide makes a character of each byte, and narrow reverses wide.
func wide(s string) string {
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

func narrow(s string) string {
	var b []byte
	for _, c := range s {
		b = append(b, byte(c))
	}
	return string(b)
}

// slowWords returns the words of a header.
func slowWords(header string) (words []slowWord) {
	next := 0
	for {
		loc := slowName.FindStringIndex(header[next:])
		if loc == nil {
			return words
		}
		w := slowWord{start: next + loc[0], end: next + loc[1], before: header[next : next+loc[0]]}
		w.text, w.next = header[w.start:w.end], w.end
		rest := header[w.end:]
		switch {
		case strings.HasPrefix(rest, "://") && slowURL.MatchString(header[w.start:]),
			slowMailbox.MatchString(rest), slowServer.MatchString(w.text):
			w.address = true
			w.end += len(slowAddress.FindString(rest))
			w.text, w.next = header[w.start:w.end], w.end
		default:
			w.next += len(slowVersionOf(w.text, rest))
		}
		words = append(words, w)
		next = w.next
	}
}

// slowVersionOf returns the version that follows a word: all text after a slash, but no name after
// a second slash if the version starts with a digit. After Mozilla, the version ends before a
// letter. The name of a system is not a version.
func slowVersionOf(word, rest string) string {
	if slowSystem.MatchString(rest) {
		return ""
	}
	version := slowVersion.FindString(rest)
	if !slowNumber.MatchString(version) {
		return version
	}
	if loc := slowSecond.FindStringIndex(version); loc != nil {
		version = version[:loc[0]]
	}
	if loc := slowLetterA.FindStringIndex(version); loc != nil && slowFold(word) == "mozilla" {
		version = version[:loc[0]]
	}
	return version
}

// slowUnversioned returns a word without the version at its end.
func slowUnversioned(word string) string {
	if m := slowVersioned.FindStringSubmatch(word); m != nil {
		return m[1]
	}
	return word
}

func slowIsName(header string, w slowWord) bool {
	letters := len(slowLetter.FindAllString(w.text, -1))
	if strings.HasPrefix(header[w.end:], "/") && letters > 0 {
		return true
	}
	return letters > 1 && len([]rune(w.text)) > 2 && !slowLanguage.MatchString(w.text)
}
