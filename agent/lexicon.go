package agent

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent/internal/robotlist"
)

// lexiconText is data/words.txt. TestLexicon checks its form.
//
//go:embed data/words.txt
var lexiconText string

// A lexicon has what Lookup knows of words by their form.
type lexicon struct {
	parts  [26][]part // of words that robots go by, by their first letter
	makers []string   // of devices, whose names start with these
	inside []string   // parts of the names of devices, and of programs for them
}

// words adds the words of data/words.txt.
func (b *tableBuilder) words() {
	for line := range strings.Lines(lexiconText) {
		line, _, _ = strings.Cut(line, "#")
		name, words, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		for word := range strings.SplitSeq(words, ",") {
			word = robotlist.Fold(strings.TrimSpace(word))
			switch name {
			case "part", "ending":
				at := &b.parts[word[0]-'a']
				*at = append(*at, part{word, name == "ending"})
			case "maker":
				b.makers = append(b.makers, word)
			case "inside":
				b.inside = append(b.inside, word)
			default:
				b.name(word).class |= 1 << slices.Index(classNames[:], name)
			}
		}
	}
	for _, parts := range b.parts {
		slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.text, b.text) })
	}
}

// robotPart returns the part of a word that robots go by, and where it stands; or "".
func (l *lexicon) robotPart(word string) (part string, at int) {
	for i := 0; i < len(word); i++ {
		c := wordBytes[word[i]]
		if c < 'a' || c > 'z' {
			continue
		}
		for _, p := range l.parts[c-'a'] {
			if startsFold(word[i:], p.text) && (!p.ends || endsPart(word, i+len(p.text))) {
				return p.text, i
			}
		}
	}
	return "", 0
}

// endsPart reports whether a part of a word ends before i: no letter follows, or one that starts
// another part, as in "BotRadar".
func endsPart(word string, i int) bool {
	return i == len(word) || !isLetter(word[i]) || isUpper(word[i]) && !isUpper(word[i-1])
}

// isDevice reports whether a word is the name of a device, or of a program for one, by how it
// starts or by what it contains, as in "Nokia303", "HTC_One_S" and "ExampleAndroid", and has no
// part that robots go by.
func (l *lexicon) isDevice(word string) bool {
	is := func(maker string) bool {
		return len(word) > len(maker) && startsFold(word, maker) &&
			strings.ContainsAny(word[len(maker):], "0123456789_")
	}
	if !slices.ContainsFunc(l.makers, is) && !l.isInside(word) {
		return false
	}
	part, _ := l.robotPart(word)
	return part == ""
}

// isInside reports whether a word contains a part of the names of devices.
func (l *lexicon) isInside(word string) bool {
	for i := range word {
		for _, part := range l.inside {
			if startsFold(word[i:], part) {
				return true
			}
		}
	}
	return false
}
