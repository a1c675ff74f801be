// Package robotlist reads tables of robots in JSON, as agent/data/schema.json describes
// it: the table of package agent and tables of programs. It writes the former as lines, which the
// package embeds.
package robotlist

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// A List is a table of robots.
type List struct {
	Sources map[string]Source
	Replace bool // the table replaces that of package agent
	Robots  []Robot
}

// A Source is the origin of facts.
type Source struct {
	Title    string `json:"title"`
	URL      string `json:"url"`
	Revision string `json:"revision"`
	Date     string `json:"date"`
	Licence  string `json:"licence"`
}

// A Robot is an entry of a table; agent/data/schema.json describes the fields.
type Robot struct {
	Token      string            `json:"token"`
	Name       string            `json:"name"`
	Operator   string            `json:"operator"`
	Purposes   []string          `json:"purposes"`
	Match      *[]string         `json:"match"`
	PolicyOnly bool              `json:"policy_only"`
	Fallback   []string          `json:"fallback"`
	Everyone   *bool             `json:"everyone"`
	RobotsTxt  string            `json:"robots_txt"`
	CrawlDelay string            `json:"crawl_delay"`
	Meta       []string          `json:"meta"`
	Verify     *Recipe           `json:"verify"`
	Devices    *Devices          `json:"devices"`
	Docs       string            `json:"docs"`
	Source     string            `json:"source"`
	Checked    string            `json:"checked"`
	From       map[string]string `json:"from"`

	// Undocumented has the fields of which a source says nothing, by its name. A field that is
	// neither here nor set was not looked up.
	Undocumented map[string]string `json:"undocumented"`

	Line int `json:"-"` // line of the text where the entry starts
}

// Devices says which requests in the name of a robot come from devices of people.
type Devices struct {
	Always bool     `json:"always"` // all
	Words  []string `json:"words"`  // those whose headers have these names; if there are none, nobody can tell which
}

// A Recipe is a method to verify addresses.
type Recipe struct {
	Ranges []string `json:"ranges"`
	DNS    []string `json:"dns"`
	Pages  []string `json:"pages"` // for people: no program reads them, and no line has them
}

// Names returns the names by which headers identify the robot.
func (r *Robot) Names() []string {
	if r.Match == nil {
		return []string{r.Token}
	}
	return *r.Match
}

// HeaderNames returns the Names, and those that show the robot's devices.
func (r *Robot) HeaderNames() []string {
	if r.Devices == nil {
		return r.Names()
	}
	return slices.Concat(r.Names(), r.Devices.Words)
}

// Limits of a table.
const (
	MaxSize   = 16 << 20 // bytes
	MaxRobots = 20_000
	maxErrors = 20 // reported for one table
)

// Parse reads a table. A complete one, such as that of package agent, has a source for
// each fact; in others, sources, names and dates may be missing. All errors name the
// line of the entry.
func Parse(data []byte, complete bool) (*List, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("the table has %d bytes, more than %d", len(data), MaxSize)
	}
	p := &parser{data: data, d: json.NewDecoder(bytes.NewReader(data)), line: 1}
	p.d.DisallowUnknownFields()
	l := new(List)
	if err := p.read(l); err != nil {
		return nil, fmt.Errorf("line %d: %w", cmp.Or(p.robot, p.at()), err)
	}
	if l.Replace && complete {
		return nil, errors.New("replace is for tables of programs, beside which this one would not count")
	}
	c := checker{list: l, complete: complete}
	c.check()
	return l, c.err()
}

// A parser reads the text of a table.
type parser struct {
	data []byte
	d    *json.Decoder
	line int // at off
	off  int

	robot int // line of the current robot, or 0
}

// at returns the current line of the decoder.
func (p *parser) at() int {
	off := min(int(p.d.InputOffset()), len(p.data))
	for off < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:"), p.data[off]) >= 0 {
		off++
	}
	if off > p.off {
		p.line += bytes.Count(p.data[p.off:off], []byte("\n"))
		p.off = off
	}
	return p.line
}

var errNoObject = errors.New(`a table is an object: {"robots": [{"token": "ExampleBot", "purposes": ["search"]}]}`)

func (p *parser) read(l *List) error {
	if err := p.delim('{', errNoObject); err != nil {
		return err
	}
	for p.d.More() {
		key, err := p.d.Token()
		if err != nil {
			return cause(err)
		}
		switch key {
		case "sources":
			err = p.d.Decode(&l.Sources)
		case "replace":
			err = p.d.Decode(&l.Replace)
		case "robots":
			err = p.robots(l)
		default:
			err = fmt.Errorf("unknown field %q: a table has robots, sources and replace", key)
		}
		if err != nil {
			return cause(err)
		}
	}
	if err := p.delim('}', errNoObject); err != nil {
		return err
	}
	if _, err := p.d.Token(); err != io.EOF {
		return errors.New("something follows the table")
	}
	return nil
}

var errNoList = errors.New("robots is not a list of objects")

func (p *parser) robots(l *List) error {
	if err := p.delim('[', errNoList); err != nil {
		return err
	}
	for p.d.More() {
		r := Robot{Line: p.at()}
		p.robot = r.Line
		if err := p.d.Decode(&r); err != nil {
			return err
		}
		if l.Robots = append(l.Robots, r); len(l.Robots) > MaxRobots {
			return fmt.Errorf("the table has more than %d robots", MaxRobots)
		}
	}
	p.robot = 0
	return p.delim(']', errNoList)
}

// delim reads a bracket, or returns none if the next token is another one.
func (p *parser) delim(want json.Delim, none error) error {
	switch got, err := p.d.Token(); {
	case err != nil:
		return cause(err)
	case got != want:
		return none
	}
	return nil
}

// cause returns an error of the decoder in words for an author of the file.
func cause(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errors.New("the table ends before its last bracket")
	}
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong):
		return fmt.Errorf("field %q is a %s, which it must not be", wrong.Field, wrong.Value)
	case errors.As(err, &syntax):
		return fmt.Errorf("this is not JSON (%w): a table begins with {\"robots\": [", syntax)
	}
	return err
}
