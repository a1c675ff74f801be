package robotlist

import (
	"iter"
	"strings"
)

// A row is a robot as a line of text: its fields in a fixed order, with tabs between them, and ", "
// between the texts of a list. No valid robot has a tab in a field, or ", " in a text of a list.
// Package agent embeds such lines: reading them takes less time and code than reading JSON.
type row struct {
	robot  Robot
	match  []string
	flags  []string // words that are true of the robot
	verify Recipe
}

const (
	unshown  = "policy_only"
	alone    = "not_everyone"
	always   = "devices"
	onDevice = "device " // before a name that shows a device, or before nothing if none does
)

// A cell is a field of a row: a text, or a list.
type cell struct {
	text *string
	list *[]string
}

func (c cell) set(text string) {
	switch {
	case c.text != nil:
		*c.text = text
	case strings.IndexByte(text, ',') < 0:
		*c.list = []string{text}
	default:
		*c.list = strings.Split(text, ", ")
	}
}

// cells returns the fields in their order. The last one is never empty, so no line ends in a tab.
func (r *row) cells() [15]cell {
	return [...]cell{
		{text: &r.robot.Token}, {text: &r.robot.Name}, {text: &r.robot.Operator}, {list: &r.robot.Purposes},
		{list: &r.match}, {list: &r.flags}, {list: &r.robot.Fallback}, {text: &r.robot.RobotsTxt},
		{text: &r.robot.CrawlDelay}, {list: &r.robot.Meta}, {list: &r.verify.Ranges}, {list: &r.verify.DNS},
		{text: &r.robot.Docs}, {text: &r.robot.Source}, {text: &r.robot.Checked},
	}
}

// FormatLine returns a robot of a complete table as a line, without the sources of its fields.
func FormatLine(robot Robot) string {
	r := row{robot: robot}
	if robot.Match != nil {
		r.match = *robot.Match
	}
	if robot.PolicyOnly {
		r.flags = append(r.flags, unshown)
	}
	if robot.Everyone != nil && !*robot.Everyone {
		r.flags = append(r.flags, alone)
	}
	if robot.Verify != nil {
		r.verify = *robot.Verify
	}
	if d := robot.Devices; d != nil {
		if d.Always {
			r.flags = append(r.flags, always)
		} else if len(d.Words) == 0 {
			r.flags = append(r.flags, onDevice)
		}
		for _, word := range d.Words {
			r.flags = append(r.flags, onDevice+word)
		}
	}
	var texts []string
	for _, c := range r.cells() {
		if c.text != nil {
			texts = append(texts, *c.text)
		} else {
			texts = append(texts, strings.Join(*c.list, ", "))
		}
	}
	return strings.Join(texts, "\t") + "\n"
}

// Lines returns the robots of lines that FormatLine returned. It reuses the Robot, whose texts and
// lists stay valid: a program reads the lines while somebody waits.
func Lines(lines string) iter.Seq[*Robot] {
	return func(yield func(*Robot) bool) {
		var r row
		cells := r.cells()
		for line := range strings.Lines(lines) {
			r = row{}
			line = strings.TrimSuffix(line, "\n")
			for at := 0; line != ""; at++ {
				if line[0] == '\t' { // most cells are empty, and need no call
					line = line[1:]
					continue
				}
				var text string
				text, line, _ = strings.Cut(line, "\t")
				cells[at].set(text)
			}
			r.complete()
			if !yield(&r.robot) {
				return
			}
		}
	}
}

// complete sets the fields of the robot that no cell has.
func (r *row) complete() {
	for _, flag := range r.flags {
		switch flag {
		case unshown:
			r.robot.PolicyOnly, r.match = true, []string{}
		case alone:
			r.robot.Everyone = new(bool)
		case always:
			r.robot.Devices = &Devices{Always: true}
		default:
			if r.robot.Devices == nil {
				r.robot.Devices = new(Devices)
			}
			if word, _ := strings.CutPrefix(flag, onDevice); word != "" {
				r.robot.Devices.Words = append(r.robot.Devices.Words, word)
			}
		}
	}
	if r.match != nil {
		r.robot.Match = &r.match
	}
	if r.verify.Ranges != nil || r.verify.DNS != nil {
		r.robot.Verify = &r.verify
	}
}
