package agent

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent/internal/robotlist"
)

// A Table has the robots that Lookup, Named and All know. It is immutable, and safe for concurrent
// use. A nil *Table and the zero Table stand for the table of the package, which the functions of
// the package use.
type Table struct {
	robots  []robot
	keys    []key
	slots   []uint16
	shift   uint8
	version string
}

// builtin is the table of the package.
var builtin = Table{robots: known, keys: keys, slots: slots, shift: hashShift, version: Version}

func (t *Table) orBuiltin() *Table {
	if t == nil || t.slots == nil {
		return &builtin
	}
	return t
}

// Version returns the version of the table, as [Version] is that of the package's table.
func (t *Table) Version() string { return t.orBuiltin().version }

// MaxTable is the maximum number of bytes that [ParseTable] reads.
const MaxTable = robotlist.MaxSize

// ParseTable reads a program's own table of robots. The table is JSON:
//
//	{
//	  "replace": false,
//	  "robots": [
//	    {"token": "ExampleBot", "operator": "Example Inc.", "purposes": ["search"]},
//	    {"token": "ExampleBot-Image", "match": ["ExampleBot-Image", "Example Images"],
//	     "fallback": ["ExampleBot"], "robots_txt": "yes"}
//	  ]
//	}
//
// Its robots are added to those of the package, and a robot with the same token replaces the
// package's; with "replace": true the table has no other robots. A robot needs only a token. The
// other fields are those of the package's own data, which agent/data/schema.json describes: name,
// operator, purposes, match (the names in the robot's headers; by default its token), policy_only,
// fallback, everyone, robots_txt, crawl_delay, meta, verify, docs, source, checked.
//
// ParseTable reports all errors that it finds, each with the line of the robot. Looking up a header
// takes as long as with the table of the package.
func ParseTable(data []byte) (*Table, error) {
	list, err := robotlist.Parse(bytes.TrimPrefix(data, []byte("\ufeff")), false)
	if err != nil {
		return nil, fmt.Errorf("table of robots: %w", err)
	}
	b := tableBuilder{keys: make(map[string]*key)}
	b.words()
	if !list.Replace {
		b.builtins(list)
	}
	for i := range list.Robots {
		if err := b.add(&list.Robots[i]); err != nil {
			return nil, fmt.Errorf("table of robots: %w", err)
		}
	}
	if err := b.fallbacks(list); err != nil {
		return nil, fmt.Errorf("table of robots: %w", err)
	}
	t, err := b.table()
	if err != nil {
		return nil, fmt.Errorf("table of robots: %w", err)
	}
	t.version = fmt.Sprintf("%d robots of its own", len(list.Robots))
	if !list.Replace {
		t.version = fmt.Sprintf("%s, and %s", Version, t.version)
	}
	return t, nil
}

// A tableBuilder makes a table.
type tableBuilder struct {
	robots []robot
	keys   map[string]*key // by their text
}

func (b *tableBuilder) key(text string) *key {
	k := b.keys[text]
	if k == nil {
		k = &key{text: text}
		b.keys[text] = k
	}
	return k
}

// words copies the package's words that classify a header.
func (b *tableBuilder) words() {
	for i := range builtin.keys {
		if k := &builtin.keys[i]; k.class != 0 {
			b.key(k.text).class = k.class
		}
	}
}

// builtins copies the robots of the package that the list does not replace.
func (b *tableBuilder) builtins(list *robotlist.List) {
	others := make(map[string]bool)
	for i := range list.Robots {
		others[foldName(list.Robots[i].Token)] = true
	}
	numbers := make([]uint16, len(builtin.robots)) // index in the new table, from 1 on; 0: not there
	for i := range builtin.robots {
		if !others[foldName(builtin.robots[i].tokens[0])] {
			b.robots = append(b.robots, builtin.robots[i])
			numbers[i] = uint16(len(b.robots))
		}
	}
	for i := range builtin.keys {
		k := &builtin.keys[i]
		if k.token != 0 && numbers[k.token-1] != 0 {
			b.key(k.text).token = numbers[k.token-1]
		}
		if k.shown != 0 && numbers[k.shown-1] != 0 {
			b.key(k.text).shown = numbers[k.shown-1]
		}
	}
}

// add adds a robot.
func (b *tableBuilder) add(r *robotlist.Robot) error {
	n := robot{
		name: r.Name, operator: r.Operator, docs: r.Docs, source: r.Source, checked: r.Checked,
		tokens: append([]string{r.Token}, r.Fallback...), meta: r.Meta, policyOnly: r.PolicyOnly,
		alone: r.Everyone != nil && !*r.Everyone,
	}
	for _, name := range r.Purposes {
		p, _ := ParsePurpose(name)
		n.purposes |= p
	}
	n.obedience = Obedience(max(0, slices.Index(obediences[:], r.RobotsTxt)))
	n.delay = Delay(max(0, slices.Index(delays[:], r.CrawlDelay)))
	if r.Verify != nil {
		n.ranges, n.dns = r.Verify.Ranges, r.Verify.DNS
	}
	if len(b.robots) == robotlist.MaxRobots {
		return fmt.Errorf("line %d: there are more than %d robots, with those of this program", r.Line,
			robotlist.MaxRobots)
	}
	b.robots = append(b.robots, n)
	number := uint16(len(b.robots))
	b.key(foldName(r.Token)).token = number
	for _, name := range r.Names() {
		k := b.key(foldName(name))
		if k.shown != 0 {
			return fmt.Errorf("line %d: robot %s: match %q is a name of %s of this program: give its entry the same token, or the table \"replace\": true",
				r.Line, r.Token, name, b.robots[k.shown-1].tokens[0])
		}
		k.shown = number
	}
	return nil
}

// fallbacks returns an error if a robot falls back to one that is missing, or spelled differently.
func (b *tableBuilder) fallbacks(list *robotlist.List) error {
	for _, r := range list.Robots {
		for _, token := range r.Fallback {
			k := b.keys[foldName(token)]
			if k == nil || k.token == 0 {
				return fmt.Errorf("line %d: robot %s: fallback %q is not a robot of the table", r.Line, r.Token, token)
			}
			if other := b.robots[k.token-1].tokens[0]; other != token {
				return fmt.Errorf("line %d: robot %s: fallback %q is written %q there", r.Line, r.Token, token, other)
			}
		}
	}
	return nil
}

// The maximum number of keys of a table, which 16 bits number from 1 on, and the maximum number of
// slots tried for one key.
const (
	maxKeys   = 1<<16 - 2
	maxProbes = 64
)

// table returns the finished table.
func (b *tableBuilder) table() (*Table, error) {
	for _, text := range slices.Collect(maps.Keys(b.keys)) {
		if k := b.keys[text]; k.shown != 0 || k.class != 0 {
			for i := range text {
				if text[i] == ' ' {
					b.key(text[:i]).longer = true
				}
			}
		}
	}
	if len(b.keys) > maxKeys {
		return nil, fmt.Errorf("there are %d names in it, and words; %d is the most", len(b.keys), maxKeys)
	}
	t := &Table{robots: b.robots, shift: 30}
	for 1<<(32-t.shift) < 4*len(b.keys) {
		t.shift--
	}
	t.slots = make([]uint16, 1<<(32-t.shift), 1<<(32-t.shift)+maxProbes+1)
	for _, text := range slices.Sorted(maps.Keys(b.keys)) {
		t.keys = append(t.keys, *b.keys[text])
		at := int(hashOf(text) >> t.shift)
		for probes := 0; at < len(t.slots) && t.slots[at] != 0; at++ {
			if probes++; probes == maxProbes {
				return nil, fmt.Errorf("too many names have the hash of %q: leave some of them out", text)
			}
		}
		if at == len(t.slots) {
			t.slots = append(t.slots, 0)
		}
		t.slots[at] = uint16(len(t.keys))
	}
	t.slots = append(t.slots, 0)
	return t, nil
}

// foldName returns a name as it is compared.
func foldName(name string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			return c + 'a' - 'A'
		}
		return c
	}, name)
}
