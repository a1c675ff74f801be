package agent

import "cmp"

// Lookup returns the agent that a User-Agent header names. It always returns one: [Agent.Known]
// reports whether the table has the robot, and [Agent.Kind] is the kind of program if the table
// does not.
//
// The first of these rules that holds decides:
//
//  1. The table has one of the names in the header, as a whole word or whole words, in letters of
//     any case. Of several robots, the most specific one wins, which is the one with the most
//     fallbacks (Googlebot-Image before Googlebot), and among equals the first. A name that shows a
//     program on the device of a person wins over all others: see [Agent.Device]. A service that
//     reads feeds, shows previews or is a social network has apps with its name: the header is that
//     of an app, on such a device, if it names a phone or the like or says that it is an app, gives
//     no address, and has no word of rule 3.
//  2. The header has a word that only programs on people's phones, computers, televisions and
//     loudspeakers send, such as "CFNetwork": an app.
//  3. A word contains a word typical of robots, such as "bot", "crawler" and "monitor": a robot.
//  4. The header names a person's program for mail, feeds, music, films or the like ("KMail",
//     "MPlayer"), or a kind of such programs ("iOS podcast app", "RSS Reader"): an app, or a
//     browser if the name is a browser's.
//  5. The header gives a contact address, as a robot should and a browser does not: a robot; but an
//     app if it also has a phone, a desktop or the like, and does not pose as a browser: no Mozilla
//     and no engine.
//  6. The header poses as a browser, with a name where browsers have none: after "compatible",
//     where MSIE once was, or after "KHTML, like Gecko" within the parentheses: a robot.
//  7. The header has the name of a browser other than Mozilla: a browser.
//  8. The header starts with a name, has a phone, a desktop or the like, and does not pose as a
//     browser: an app.
//  9. The header has a library or a tool of the table or of the list of words: a program.
//  10. The header has Mozilla or an engine, and a system that it runs on; or Mozilla and the
//     versions of two engines: a browser.
//  11. The header has a phone, a desktop or the like: an app.
//  12. The header has any other name: a program.
//
// Versions, paths, the parts of addresses and the name of a device after Android are not names, and
// neither is the text after "like", "with" or "following", which is the name of another program.
// The token of a program that is not in the table is one word of its header, as written there. A
// robot that is not in the table has the purpose tool or feed if its header says so.
// Lookup takes time linear in the length of the header, and allocates nothing.
func Lookup(userAgent string) Agent { return builtin().Lookup(userAgent) }

// Lookup is like the function [Lookup], with the robots of t.
func (t *Table) Lookup(userAgent string) Agent {
	s := survey{words: words{text: userAgent}, table: t.orBuiltin()}
	for s.step() {
		s.take()
	}
	a := s.agent()
	if a.robot == nil && a.Kind == Robot {
		switch {
		case isErrand(userAgent):
			a.Purposes = forTool
		case readsFeeds(userAgent):
			a.Purposes = forFeed
		}
	}
	return a
}

// agent draws the conclusions, by the rules of [Lookup].
func (s *survey) agent() Agent {
	device := cmp.Or(s.deviceWord, s.desktopWord)
	posing := s.engineWord != "" // as a browser
	switch {
	case s.robot.robot != nil:
		s.robot.device = s.robot.device || s.isAppOfService()
		return s.robot.agent()
	case s.runtimeWord != "":
		return Agent{Token: cmp.Or(s.lead, s.appWord), Kind: App, Reason: byDeviceWord, Word: s.runtimeWord}
	case s.robotWord != "":
		return Agent{Token: s.robotName, Kind: Robot, Reason: byRobotWord, Word: s.robotWord}
	case s.appWord != "" && s.appWord == s.browserWord:
		return Agent{Token: s.appWord, Kind: Browser, Reason: byBrowserWord, Word: s.appWord}
	case s.appWord != "":
		return Agent{Token: s.appWord, Kind: App, Reason: byAppWord, Word: s.appWord}
	case s.roleWord != "":
		return Agent{Token: cmp.Or(s.nearby(), s.first), Kind: App, Reason: byAppWord, Word: s.roleWord}
	case s.addressWord != "" && !posing && device != "":
		return Agent{Token: cmp.Or(s.addressName, s.first), Kind: App, Reason: byDeviceWord, Word: device}
	case s.addressWord != "":
		name := cmp.Or(s.addressName, s.first)
		if name == "" && s.tool.robot != nil {
			return s.tool.agent()
		}
		return Agent{Token: cmp.Or(name, s.toolWord), Kind: Robot, Reason: byAddress, Word: s.addressWord}
	case s.playing != "" && s.engineWord != "" && s.browserWord == "" && s.seen&msieClass == 0:
		return Agent{Token: s.playing, Kind: Robot, Reason: byPlaying, Word: s.playing}
	case s.browserWord != "":
		return Agent{Token: s.browserWord, Kind: Browser, Reason: byBrowserWord, Word: s.browserWord}
	case !posing && device != "" && s.lead != "":
		return Agent{Token: s.lead, Kind: App, Reason: byDeviceWord, Word: device}
	case s.tool.robot != nil:
		return s.tool.agent()
	case s.toolWord != "":
		return Agent{Token: s.toolWord, Kind: Program, Reason: byToolWord, Word: s.toolWord}
	case s.engineWord != "" && (s.seen&(systemClass|deviceClass) != 0 || s.seen&mozillaClass != 0 && s.engines > 1):
		return Agent{Token: s.engineWord, Kind: Browser, Reason: byBrowserWord, Word: s.engineWord}
	case device != "":
		return Agent{Token: s.lead, Kind: App, Reason: byDeviceWord, Word: device}
	case s.first != "":
		return Agent{Token: s.first, Kind: Program, Reason: byOtherWord, Word: s.first}
	}
	return Agent{}
}
