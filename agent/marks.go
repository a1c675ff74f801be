package agent

import (
	"iter"
	"slices"
	"strings"
)

// HeaderNames returns the names by which [Lookup] finds the robots of the table in headers: whole
// words, in lower case, with one blank between two words. The second value is the robot.
func (t *Table) HeaderNames() iter.Seq2[string, Agent] {
	t = t.orBuiltin()
	return func(yield func(string, Agent) bool) {
		for _, k := range t.sorted() {
			if k.shown != 0 && !yield(k.text, tableMatch{&t.robots[k.shown-1], k.text, len(k.text), k.device}.agent()) {
				return
			}
		}
	}
}

// sorted returns the keys in the order of their texts.
func (t *Table) sorted() []key {
	return slices.SortedFunc(slices.Values(t.keys), func(a, b key) int { return strings.Compare(a.text, b.text) })
}

// Marks are the words by which [Lookup] recognizes robots that are not in the table, in lower case.
// They suffice for most headers: Lookup also considers the places of words.
type Marks struct {
	Words   []string // robots have these words in their headers
	Parts   []string // robots have words with these parts
	Endings []string // the same, but a part of the word ends with them: "spbot", "BotRadar"
	Others  []string // words with such parts that are not marks
	Apps    []string // programs of people that may give an address, as robots do

	// Errands are parts of the headers of robots that do not crawl, unless one of Crawls is a part
	// too: see [Agent.Crawler]. They may stand anywhere in a header.
	Errands, Crawls []string
}

// RobotMarks returns the marks of robots.
func RobotMarks() (m Marks) {
	t := builtin()
	m.Errands, m.Crawls = slices.Clone(errands[:]), slices.Clone(crawls[:])
	for _, p := range slices.Concat(t.parts[:]...) {
		if p.ends {
			m.Endings = append(m.Endings, p.text)
		} else {
			m.Parts = append(m.Parts, p.text)
		}
	}
	for _, k := range t.sorted() {
		part, _ := t.robotPart(k.text)
		switch {
		case k.class&robotClass != 0:
			m.Words = append(m.Words, k.text)
		case k.class&(appClass|roleClass) != 0:
			m.Apps = append(m.Apps, k.text)
		case k.shown == 0 && k.class != 0 && part != "":
			m.Others = append(m.Others, k.text)
		}
	}
	return m
}

// HeaderWords returns the words by which [Lookup] reads headers, besides the names of
// [Table.HeaderNames], for a program that writes Lookup in another language. The words are in lower case,
// each with the names of its classes: those of data/words.txt, such as "browser" and "ending". A
// token that no header shows has no class.
func HeaderWords() iter.Seq2[string, []string] {
	return func(yield func(string, []string) bool) {
		t := builtin()
		for _, k := range t.sorted() {
			var classes []string
			for bit, name := range classNames {
				if k.class>>bit&1 != 0 {
					classes = append(classes, name)
				}
			}
			if (k.class != 0 || k.token != 0 && k.shown == 0) && !yield(k.text, classes) {
				return
			}
		}
		for _, p := range slices.Concat(t.parts[:]...) {
			class := "part"
			if p.ends {
				class = "ending"
			}
			if !yield(p.text, []string{class}) {
				return
			}
		}
		for class, list := range map[string][]string{"maker": t.makers, "inside": t.inside} {
			for _, text := range list {
				if !yield(text, []string{class}) {
					return
				}
			}
		}
	}
}
