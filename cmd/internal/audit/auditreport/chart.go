package auditreport

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/language"
)

const (
	mostRows    = 10 // robots with a row of their own: the first of the table, and those with the most requests
	mostBars    = 96 // of a row: each has some pixels on a telephone. The bars of longer logs are several hours
	fewestBars  = 12 // or the bar of a short log fills the row, as if the robot came all the time
	chartHeight = 100
	leastHeight = 4 // of a bar: one request among a thousand is seen
)

// A picture shows who came, when, how much, and who obeyed: a row for each robot, with its numbers
// in words and its requests by time. All rows have the same scales.
type picture struct {
	Rows   []pictureRow `json:"rows"`
	Width  int          `json:"width"`
	Height int          `json:"height"`
	Ticks  []tick       `json:"ticks"` // of the axis below the rows
	Scale  string       `json:"scale"` // what the tallest bar stands for
}

// A pictureRow is a robot, or all robots without a row of their own.
type pictureRow struct {
	Name  string `json:"name"`
	Said  []said `json:"said"`
	Label string `json:"label"` // of the bars
	Bars  []bar  `json:"bars"`
}

// A said is a number in words. Its class is that of the bars that show it: "", "bad" or "errors",
// or "doubt" for violations that are not certain, or "soft" for what was not judged.
type said struct {
	Text  string `json:"text"`
	Class string `json:"class"`
}

// A tick is a time on the axis below a chart.
type tick struct {
	X      float64 `json:"x"`      // percent of the width
	Anchor string  `json:"anchor"` // of the text, which stays within the width
	Text   string  `json:"text"`
}

// steps are the times between two ticks, in hours: whole parts of a day, or days.
var steps = []int{1, 2, 3, 6, 12, 24, 48, 96, 192, 384, 768, 1536, 3072}

// mostTicks of an axis have room on a telephone.
const mostTicks = 3

// ticks returns the ticks for hours from a time on.
func ticks(first time.Time, hours int) (all []tick) {
	i := 0
	for i < len(steps)-1 && hours > mostTicks*steps[i] {
		i++
	}
	step := time.Duration(steps[i]) * time.Hour
	layout := "2006-01-02"
	if step < 24*time.Hour {
		layout = "2006-01-02 15:04"
	}
	first = first.UTC()
	// at midnight, or at parts of a day
	at := time.Unix(first.Unix()/int64(step/time.Second)*int64(step/time.Second), 0).UTC()
	for ; len(all) < mostTicks; at = at.Add(step) {
		x := 100 * float64(at.Sub(first)) / float64(time.Duration(hours)*time.Hour)
		switch {
		case x < 0:
			continue
		case x >= 100:
			return all
		}
		t := tick{X: math.Round(x*100) / 100, Anchor: "middle", Text: at.Format(layout)}
		switch {
		case x < 10:
			t.Anchor = "start"
		case x > 90:
			t.Anchor = "end"
		}
		all = append(all, t)
	}
	return all
}

// A bar is the requests of some hours, or those of them that are certain violations, with the class
// "bad", or that were answered 5xx, with the class "errors".
type bar struct {
	X      int     `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	Title  string  `json:"title"`
	Class  string  `json:"class"`
}

// newBar returns the bar of a number, where most is the largest one.
func newBar(x int, n, most int64, title, class string) bar {
	height := max(leastHeight, float64(n)*chartHeight/float64(most))
	return bar{X: x, Y: chartHeight - height, Width: 0.9, Height: height, Title: title, Class: class}
}

// rowsOf returns the robots with a row of their own, in their order, and the others.
func rowsOf(r *audit.Report) (own []int, others []int) {
	var byRequests []int
	for i := range r.Robots {
		byRequests = append(byRequests, i)
	}
	if len(byRequests) <= mostRows {
		return byRequests, nil
	}
	slices.SortStableFunc(byRequests, func(a, b int) int {
		return cmp.Compare(r.Robots[b].Requests, r.Robots[a].Requests)
	})
	for i := range r.Robots[:mostRows/2] {
		if r.Robots[i].Violations.Certain > 0 {
			own = append(own, i)
		}
	}
	for _, i := range byRequests {
		switch {
		case slices.Contains(own, i):
		case len(own) < mostRows:
			own = append(own, i)
		default:
			others = append(others, i)
		}
	}
	slices.Sort(own)
	return own, others
}

// A load is the sum of some robots, in all and by time.
type load struct {
	requests, judged, errors int64
	violations               audit.Count
	bars                     []audit.Hour
	certain                  []int64 // of each bar
}

// A clock divides the time of a report into bars.
type clock struct {
	first time.Time
	each  int // hours of a bar
	width int // bars
}

// clockOf returns the bars of a report: those of an hour, of a day if a robot has only days, or of
// more if there would be too many.
func clockOf(r *audit.Report) clock {
	unit := 1
	if slices.ContainsFunc(r.Robots, func(r audit.Robot) bool { return len(r.Days) > 0 }) {
		unit = 24
	}
	first := r.First.Truncate(time.Duration(unit) * time.Hour)
	hours := int(r.Last.Sub(first)/time.Hour) + 1
	each := max(1, (hours+unit*mostBars-1)/(unit*mostBars)) * unit
	return clock{first, each, max(fewestBars, (hours+each-1)/each)}
}

func (c clock) newLoad() *load {
	return &load{bars: make([]audit.Hour, c.width), certain: make([]int64, c.width)}
}

// add adds a robot to a load.
func (l *load) add(robot *audit.Robot, c clock) {
	l.requests += robot.Requests
	l.judged += robot.Judged
	l.errors += robot.Statuses.ServerError
	l.violations.Certain += robot.Violations.Certain
	l.violations.Informed += robot.Violations.Informed
	l.violations.Grace += robot.Violations.Grace
	for _, h := range slices.Concat(robot.Hours, robot.Days) {
		n := int(h.Begin.Sub(c.first)/time.Hour) / c.each
		if n < 0 || n >= c.width {
			continue
		}
		sum := &l.bars[n]
		sum.Requests += h.Requests
		sum.Bytes += h.Bytes
		sum.Errors += h.Errors
		if h.Violations != nil {
			l.certain[n] += h.Violations.Certain
		}
	}
}

// pictureOf returns the picture of a report, without rows if no robot came.
func pictureOf(l language.Language, r *audit.Report) (p picture) {
	if len(r.Robots) == 0 {
		return picture{}
	}
	c := clockOf(r)
	own, others := rowsOf(r)
	var loads []*load
	for _, i := range own {
		robot := &r.Robots[i]
		sum := c.newLoad()
		sum.add(robot, c)
		loads = append(loads, sum)
		p.Rows = append(p.Rows, pictureRow{Name: robotName(l, robot, 100)})
	}
	if len(others) > 0 {
		sum := c.newLoad()
		for _, i := range others {
			sum.add(&r.Robots[i], c)
		}
		if r.Others != nil {
			sum.requests += r.Others.Requests
		}
		loads = append(loads, sum)
		p.Rows = append(p.Rows, pictureRow{Name: textAllOthers.In(l, language.Grouped(len(others)))})
	}
	most := int64(0)
	for _, sum := range loads {
		for _, h := range sum.bars {
			most = max(most, h.Requests)
		}
	}
	for i, sum := range loads {
		row := &p.Rows[i]
		row.Said = sum.words(l)
		row.Label = fmt.Sprintf("%s: %s, %s", row.Name, textByHour.In(l), period(r.First, r.Last))
		row.Bars = sum.draw(l, c, most)
	}
	if most > 0 {
		p.Width, p.Height, p.Ticks = c.width, chartHeight, ticks(c.first, c.width*c.each)
		p.Scale = textTallest.In(l, language.Grouped(most), barTime(l, c.each))
	}
	return p
}

// barTime returns the time of a bar in words.
func barTime(l language.Language, hours int) string {
	if hours%24 == 0 {
		return textBarDays.In(l, hours/24)
	}
	return textBarHours.In(l, hours)
}

// words says how much a robot requested, and whether it obeyed.
func (s *load) words(l language.Language) []said {
	all := []said{{Text: textRowRequests.In(l, language.Grouped(s.requests))}}
	v := s.violations
	doubtful := v.Informed + v.Grace
	switch {
	case s.judged == 0:
		all = append(all, said{textRowUnjudged.In(l), "soft"})
	case v.Certain > 0 && v.Certain == s.requests:
		all = append(all, said{textRowAll.In(l), "bad"})
	case v.Certain > 0:
		all = append(all, said{textRowSome.In(l, number(l, v.Certain)), "bad"})
	case doubtful > 0:
		all = append(all, said{textRowDoubt.In(l, number(l, doubtful)), "doubt"})
	default:
		all = append(all, said{textRowNone.In(l), "good"})
	}
	if s.errors > 0 {
		all = append(all, said{textRowErrors.In(l, number(l, s.errors)), "errors"})
	}
	return all
}

// draw returns the bars of a load, where most is the largest number of requests of a bar.
func (s *load) draw(l language.Language, c clock, most int64) (bars []bar) {
	for n, h := range s.bars {
		if h.Requests == 0 {
			continue
		}
		begin := c.first.Add(time.Duration(n*c.each) * time.Hour)
		title := begin.UTC().Format("2006-01-02 15:04") + ": " + textLoad.In(l, number(l, h.Requests),
			number(l, h.Bytes), number(l, h.Errors))
		bad := s.certain[n]
		if bad > 0 {
			title += ", " + textCertain.In(l) + ": " + number(l, bad)
		}
		requests := newBar(n, h.Requests, most, title, "")
		bars = append(bars, requests)
		if h.Errors > 0 { // from the top of the bar of all requests
			errors := newBar(n, h.Errors, most, title, "errors")
			errors.Y = requests.Y
			bars = append(bars, errors)
		}
		if bad > 0 { // from its bottom
			bars = append(bars, newBar(n, bad, most, title, "bad"))
		}
	}
	return bars
}

var (
	textLoad        = language.New("requests: %[1]s, bytes: %[2]s, 5xx: %[3]s")
	textWho         = language.New("Who came, and who obeyed")
	textAllOthers   = language.New("%[1]d other ⟨robot or program/robots and programs⟩")
	textTallest     = language.New("The tallest bar is %[1]d ⟨request/requests⟩ in %[2]s. Times are UTC.")
	textBarHours    = language.New("%[1]d ⟨hour/hours⟩")
	textBarDays     = language.New("%[1]d ⟨day/days⟩")
	textRowRequests = language.New("%[1]d ⟨request/requests⟩")
	textRowUnjudged = language.InContext("requests of a robot", "not judged")
	textRowAll      = language.InContext("requests of a robot", "all against robots.txt")
	textRowSome     = language.InContext("requests of a robot", "%[1]s against robots.txt")
	textRowDoubt    = language.InContext("requests of a robot", "%[1]s perhaps against robots.txt")
	textRowNone     = language.InContext("requests of a robot", "none against robots.txt")
	textRowErrors   = language.InContext("requests of a robot", "%[1]s answered with an error of the server (5xx)")
)
