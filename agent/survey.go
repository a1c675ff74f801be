package agent

import (
	"cmp"
	"strings"
)

// A survey is the evidence in the words of a header. Of several words with the same meaning, it has
// the first.
type survey struct {
	words
	table *Table

	robot, tool tableMatch // in the table
	seen        class      // of all words

	robotWord, robotName     string // a word that robots go by, and the name it belongs to
	addressWord, addressName string // an address, and the name it belongs to
	playing                  string // a name in a place where browsers have none
	toolWord                 string // a library or a tool
	browserWord              string // the name of a browser
	appWord                  string // a program by which a person reads or plays
	roleWord                 string // what such a program says that it is
	runtimeWord              string // what only programs on devices are made with
	engineWord               string // Mozilla or an engine
	deviceWord               string // a phone or the like
	desktopWord              string // a desktop

	// Names are words that are in no list.
	lead  string // the first word of the header, if it is a name
	first string // the first name of the header
	last  string // the first name of its part of the header, in the last part with a name

	count   int    // of words
	engines int    // of words that are engines, with their version
	named   bool   // the part of the header has a name
	others  bool   // the next word is the name of another
	khtml   bool   // after KHTML, in its comment
	plays   bool   // after "compatible" or "KHTML, like Gecko", and no browser since
	device  device // whether the words are the name of a device
}

// A tableMatch is a robot of the table that a header shows.
type tableMatch struct {
	robot  *robot
	word   string // the word that matched
	length int    // of the robot's name, with which the word starts; a version may follow
	device bool   // the word shows a device of a person
}

// device is the place of a word in a comment like "Linux; U; Android 4.2.2; es-es; CUBOT GT72E
// Build/JDQ39", which has the name of a device.
type device uint8

const (
	noDevice   device = iota
	inSystem          // where Android is
	pastSystem        // after that, where a language and the like may come first
	inDevice
)

// take records the evidence of the word.
func (s *survey) take() {
	s.count++
	s.enter()
	others := s.others
	s.others = false
	word := s.word()
	switch {
	case s.address:
		s.noteAddress(word)
		return
	case s.device == inDevice:
		return
	}
	stem := word
	k := s.table.find(word, s.hash)
	if k == nil {
		if stem = unversioned(word); len(stem) < len(word) {
			k = s.table.find(stem, hashOf(stem))
		}
	}
	if s.device == pastSystem && isName(word, s.version) &&
		(k == nil || k.class&(plainClass|compatibleClass|robotClass) == 0) {
		s.device = inDevice
		return
	}
	listed := false
	var c class
	if k != nil {
		word, c, listed = s.look(k, others)
	}
	if c == 0 && !listed {
		c = s.byForm(stem)
	}
	switch {
	case c != 0:
		s.classify(word, c)
	case !listed && !others:
		s.name(word)
	}
}

// byForm returns the class of a word by its form: its end, or, for the first word of the header,
// its start.
func (s *survey) byForm(stem string) class {
	switch {
	case endsFold(stem, "browser"):
		return browserClass
	case isAppName(stem):
		return appClass
	case s.count == 1 && s.table.isDevice(s.word()):
		s.lead = s.word()
		return deviceClass
	}
	return 0
}

// enter records the place of the word, if the word is in another part of the header than the word
// before.
func (s *survey) enter() {
	if s.comment {
		s.device, s.khtml, s.plays = noDevice, false, false
	}
	// "PlayStation … KHTML, like Gecko, HEVC" says what it can do.
	if s.comma && s.khtml && s.deviceWord != "" {
		s.plays = false
	}
	if s.opens {
		s.named = false
		switch s.device {
		case inSystem:
			s.device = pastSystem
		case inDevice:
			s.device = noDevice
		}
	}
}

// look looks up the longest name of the lists that starts with the word, whose key is k, and
// advances to its last word. It returns the name, its class, and whether a robot has this name, or
// a part of it. look records such a robot, unless the name is another's.
func (s *survey) look(k *key, others bool) (name string, c class, listed bool) {
	name, c = s.word(), k.class
	shown, device, word, length := k.shown, k.device, name, len(k.text)
	last := s.words
	for ahead := s.words; k.longer && ahead.step() && ahead.joined && !ahead.address; {
		phrase := s.text[s.start:ahead.end]
		if k = s.table.find(phrase, hashOf(phrase)); k == nil {
			break
		}
		if k.shown != 0 {
			shown, device, word, length, last = k.shown, k.device, phrase, len(phrase), ahead
		}
		if k.class != 0 {
			name, c, last = phrase, k.class, ahead
		}
	}
	s.words = last
	if shown != 0 && !others {
		r := &s.table.robots[shown-1]
		f := &s.robot
		if r.kind() == Program {
			f = &s.tool
		}
		if f.robot == nil || device && !f.device ||
			device == f.device && len(r.tokens) > len(f.robot.tokens) {
			*f = tableMatch{r, word, length, device}
		}
	}
	return name, c, shown != 0
}

// classify records a word of these classes.
func (s *survey) classify(word string, c class) {
	s.seen |= c
	if c&robotClass != 0 && s.robotWord == "" {
		s.robotWord, s.robotName = word, s.nameBy(word)
	}
	if s.toolWord == "" && (c&toolClass != 0 || c&libraryClass != 0 && s.count == 1) {
		s.toolWord = word
	}
	if s.appWord == "" && (c&appClass != 0 || c&clientClass != 0 && s.count == 1) {
		s.appWord = word
	}
	if c&roleClass != 0 && s.roleWord == "" {
		s.roleWord = word
	}
	if c&runtimeClass != 0 && s.runtimeWord == "" {
		s.runtimeWord = word
	}
	if c&desktopClass != 0 && s.desktopWord == "" {
		s.desktopWord = word
	}
	if c&browserClass != 0 && s.browserWord == "" {
		s.browserWord = word
	}
	if c&(mozillaClass|engineClass) != 0 && s.engineWord == "" {
		s.engineWord = word
	}
	if c&engineClass != 0 && s.version {
		s.engines++
	}
	if c&deviceClass != 0 && s.deviceWord == "" {
		s.deviceWord = word
	}
	if c&androidClass != 0 {
		s.device = inSystem
	}
	switch {
	case c&compatibleClass != 0 || c&geckoClass != 0 && s.khtml:
		s.plays, s.device = true, noDevice
	case c&(mozillaClass|browserClass|engineClass|systemClass|deviceClass) != 0:
		s.plays = false
	}
	s.khtml = s.khtml || c&khtmlClass != 0
	s.others = c&othersClass != 0
}

// name records a word that is in no list: a possible name, or a word with a part typical of robots.
func (s *survey) name(word string) {
	if s.robotWord == "" {
		if part, at := s.table.robotPart(word); part != "" {
			s.robotWord, s.robotName = word, word
			if at == 0 && isSmall(word[len(part):]) { // just "crawler"
				s.robotName = cmp.Or(s.nearby(), word)
				return
			}
		}
	}
	host := isHostName(word)
	if host {
		s.noteAddress(word)
	}
	if !isName(word, s.version) {
		return
	}
	if s.count == 1 {
		s.lead = word
	}
	if s.first == "" {
		s.first = word
	}
	if !s.named && !host {
		s.last, s.named = word, true
	}
	if s.plays && s.playing == "" {
		s.playing = word
	}
}

// nameBy returns the name of the robot that goes by a word of the lists: the word, but the name
// nearby, if there is any, where the word is several words or starts with a small letter, as in "12
// subscribers".
func (s *survey) nameBy(word string) string {
	blank := strings.IndexAny(word, " +")
	if blank < 0 && !('a' <= word[0] && word[0] <= 'z') {
		return word
	}
	if blank < 0 {
		blank = len(word)
	}
	return cmp.Or(s.nearby(), word[:blank])
}

// noteAddress records an address.
func (s *survey) noteAddress(word string) {
	if s.addressWord == "" {
		s.addressWord, s.addressName = word, s.nearby()
	}
}

// nearby returns the name to which a word belongs that is not a name itself: the first word of the
// header, or else the last name before it, or the name of a person's program, if there is any.
func (s *survey) nearby() string { return cmp.Or(s.lead, s.last, s.appWord) }

// isAppOfService reports whether the header is that of an app with the name of a service, such as
// "Feedly/81.0 CFNetwork/1494 Darwin/23", and not that of the robot of the service.
func (s *survey) isAppOfService() bool {
	r := s.robot.robot
	service := r.purposes&^(forFeed|forPreview|forSocial) == 0 && r.devices == noDevices
	if !service || s.addressWord != "" || s.robotWord != "" || s.seen&compatibleClass != 0 {
		return false
	}
	if part, _ := s.table.robotPart(s.robot.word); part != "" && part != "feed" {
		return false // Twitterbot has no app
	}
	return s.runtimeWord != "" || s.deviceWord != "" || endsFold(s.roleWord, "app") ||
		s.engineWord == "" && s.desktopWord != ""
}
