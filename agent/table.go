package agent

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots/agent/internal/robotlist"
)

// A Table has the robots that Lookup, Named and All know. It is immutable, and safe for concurrent
// use. A nil *Table and the zero Table stand for the table of the package, which the functions of
// the package use.
type Table struct {
	robots []robot
	keys   []key
	slots  []uint16 // 1 + the number of the key whose hash starts with the number of the slot, or 0
	shift  uint8
	lexicon
	version string

	once      sync.Once
	directory // of the names that people use; see names
}

// robotLines has the robots of data/robots.json. TestGenerated writes the file.
//
//go:embed table.txt
var robotLines string

var (
	packageTable *Table
	makeTable    sync.Once
)

// builtin returns the table of the package, which the first call makes as ParseTable makes others:
// most programs that import the package need it late or never.
func builtin() *Table {
	makeTable.Do(func() {
		t, err := newTable(new(robotlist.List))
		if err != nil {
			panic(err) // the tests would have found it
		}
		t.version = Version
		packageTable = t
	})
	return packageTable
}

func (t *Table) orBuiltin() *Table {
	if t == nil || t.slots == nil {
		return builtin()
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
// fallback, everyone, robots_txt, crawl_delay, meta, verify, devices, docs, source, checked.
//
// ParseTable reports all errors that it finds, each with the line of the robot. Looking up a header
// takes as long as with the table of the package.
func ParseTable(data []byte) (*Table, error) {
	list, err := robotlist.Parse(bytes.TrimPrefix(data, []byte("\ufeff")), false)
	if err != nil {
		return nil, fmt.Errorf("table of robots: %w", err)
	}
	t, err := newTable(list)
	if err != nil {
		return nil, fmt.Errorf("table of robots: %w", err)
	}
	t.version = fmt.Sprintf("%d robots of its own", len(list.Robots))
	if !list.Replace {
		t.version = fmt.Sprintf("%s, and %s", Version, t.version)
	}
	return t, nil
}

// newTable returns the table of the package's robots and those of a list.
func newTable(list *robotlist.List) (*Table, error) {
	b := tableBuilder{Table: new(Table)}
	b.resize(12) // the words alone need as much
	b.words()
	if !list.Replace {
		replaced := make(map[string]bool)
		for i := range list.Robots {
			replaced[robotlist.Fold(list.Robots[i].Token)] = true
		}
		b.robots = make([]robot, 0, strings.Count(robotLines, "\n")+len(list.Robots))
		for r := range robotlist.Lines(robotLines) {
			if !replaced[robotlist.Fold(r.Token)] {
				b.add(r)
			}
		}
	}
	for i := range list.Robots {
		b.add(&list.Robots[i])
	}
	b.fallbacks(list)
	return b.Table, b.err
}

// A tableBuilder adds robots and words to a table. The first error stays.
type tableBuilder struct {
	*Table
	err error
}

func (b *tableBuilder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
}

// The maximum number of keys of a table, which 16 bits number from 1 on, and the maximum number of
// slots tried for one key.
const (
	maxKeys   = 1<<16 - 2
	maxProbes = 64
)

// key returns the key of a name in lower case, which it adds if there is none. The next call may
// move the keys.
func (b *tableBuilder) key(text string) *key {
	if k := b.find(text, hashOf(text)); k != nil {
		return k
	}
	if len(b.keys) == maxKeys {
		b.fail("there are more than %d names and words in it", maxKeys)
	}
	if b.err != nil {
		return new(key)
	}
	b.keys = append(b.keys, key{text: text})
	if bits := 32 - int(b.shift); 4*len(b.keys) > 1<<bits {
		b.resize(bits + 1)
	} else {
		b.place(len(b.keys))
	}
	return &b.keys[len(b.keys)-1]
}

// resize rebuilds the slots for hashes of some bits.
func (b *tableBuilder) resize(bits int) {
	b.shift = uint8(32 - bits)
	b.slots = make([]uint16, 1<<bits+maxProbes)
	for i := range b.keys {
		b.place(i + 1)
	}
}

// place gives a key a slot. An empty one is behind it, where find ends.
func (b *tableBuilder) place(number int) {
	text := b.keys[number-1].text
	at := hashOf(text) >> b.shift
	for range maxProbes - 1 {
		if b.slots[at] == 0 {
			b.slots[at] = uint16(number)
			return
		}
		at++
	}
	b.fail("too many names have the hash of %q: leave some of them out", text)
}

// name returns the key of a name that headers show. The keys of its first words say so.
func (b *tableBuilder) name(text string) *key {
	for i := range text {
		if text[i] == ' ' && b.err == nil {
			b.key(text[:i]).longer = true
		}
	}
	return b.key(text)
}

// add adds a robot.
func (b *tableBuilder) add(r *robotlist.Robot) {
	n := robot{
		name: r.Name, operator: r.Operator, docs: r.Docs, source: r.Source, checked: r.Checked,
		tokens: append([]string{r.Token}, r.Fallback...), meta: r.Meta, policyOnly: r.PolicyOnly,
		alone: r.Everyone != nil && !*r.Everyone,
	}
	for _, name := range r.Purposes {
		n.purposes |= 1 << slices.Index(robotlist.Purposes[:], name)
	}
	n.obedience = Obedience(max(0, slices.Index(robotlist.Obediences[:], r.RobotsTxt)))
	n.delay = Delay(max(0, slices.Index(robotlist.Delays[:], r.CrawlDelay)))
	if r.Verify != nil {
		n.ranges, n.dns = r.Verify.Ranges, r.Verify.DNS
	}
	if d := r.Devices; d != nil {
		n.devices, n.deviceWords = someDevices, d.Words
		if d.Always {
			n.devices = onlyDevices
		}
	}
	if len(b.robots) == robotlist.MaxRobots {
		b.fail("line %d: there are more than %d robots, with those of this program", r.Line, robotlist.MaxRobots)
		return
	}
	b.robots = append(b.robots, n)
	number := uint16(len(b.robots))
	b.key(robotlist.Fold(r.Token)).token = number
	for i, name := range r.HeaderNames() {
		k := b.name(robotlist.Fold(name))
		if k.shown != 0 {
			b.fail("line %d: robot %s: match %q is a name of %s of this program: give its entry the same token, or the table \"replace\": true",
				r.Line, r.Token, name, b.robots[k.shown-1].tokens[0])
		}
		k.shown, k.device = number, n.devices == onlyDevices || i >= len(r.Names())
	}
}

// fallbacks finds robots that fall back to one that is missing, or spelled differently.
func (b *tableBuilder) fallbacks(list *robotlist.List) {
	for _, r := range list.Robots {
		for _, token := range r.Fallback {
			k := b.find(token, hashOf(token))
			if k == nil || k.token == 0 {
				b.fail("line %d: robot %s: fallback %q is not a robot of the table", r.Line, r.Token, token)
			} else if other := b.robots[k.token-1].tokens[0]; other != token {
				b.fail("line %d: robot %s: fallback %q is written %q there", r.Line, r.Token, token, other)
			}
		}
	}
}
