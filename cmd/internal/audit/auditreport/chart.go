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
	mostCharts  = 8   // robots with a chart, those with the most requests
	mostBars    = 336 // of a chart, two weeks of hours; the bars of longer logs are several hours
	chartHeight = 100
)

// A chart shows the requests of a robot by time, and how many of them were answered 5xx. All charts
// of a page have the same scales.
type chart struct {
	Name   string `json:"name"`
	Label  string `json:"label"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bars   []bar  `json:"bars"`
	Ticks  []tick `json:"ticks"`
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
const mostTicks = 4

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
	height := max(1, float64(n)*chartHeight/float64(most))
	return bar{X: x, Y: chartHeight - height, Width: 0.9, Height: height, Title: title, Class: class}
}

// charts returns the charts of the robots with the most requests.
func charts(l language.Language, r *audit.Report) (all []chart) {
	var robots []*audit.Robot
	for i := range r.Robots {
		if len(r.Robots[i].Hours)+len(r.Robots[i].Days) > 0 {
			robots = append(robots, &r.Robots[i])
		}
	}
	slices.SortStableFunc(robots, func(a, b *audit.Robot) int { return cmp.Compare(b.Requests, a.Requests) })
	robots = robots[:min(mostCharts, len(robots))]
	unit := 1 // the hours that each load sums up
	if slices.ContainsFunc(robots, func(r *audit.Robot) bool { return len(r.Days) > 0 }) {
		unit = 24
	}
	first := r.First.Truncate(time.Duration(unit) * time.Hour)
	hours := int(r.Last.Sub(first)/time.Hour) + 1
	each := max(1, (hours+unit*mostBars-1)/(unit*mostBars)) * unit
	width := (hours + each - 1) / each
	loads := make([][]audit.Hour, len(robots))
	certain := make([][]int64, len(robots))
	most := int64(1)
	for i, robot := range robots {
		loads[i], certain[i] = make([]audit.Hour, width), make([]int64, width)
		for _, h := range slices.Concat(robot.Hours, robot.Days) {
			if n := int(h.Begin.Sub(first)/time.Hour) / each; n >= 0 && n < width {
				sum := &loads[i][n]
				sum.Requests += h.Requests
				sum.Bytes += h.Bytes
				sum.Errors += h.Errors
				most = max(most, sum.Requests)
				if h.Violations != nil {
					certain[i][n] += h.Violations.Certain
				}
			}
		}
	}
	for i, robot := range robots {
		c := chart{Name: robotName(l, robot, 100), Width: width, Height: chartHeight, Ticks: ticks(first, width*each)}
		c.Label = fmt.Sprintf("%s: %s, %s", c.Name, textByHour.In(l), period(r.First, r.Last))
		for n, h := range loads[i] {
			if h.Requests == 0 {
				continue
			}
			begin := first.Add(time.Duration(n*each) * time.Hour)
			title := begin.UTC().Format("2006-01-02 15:04") + ": " + textLoad.In(l, number(l, h.Requests),
				number(l, h.Bytes), number(l, h.Errors))
			bad := certain[i][n]
			if bad > 0 {
				title += ", " + textCertain.In(l) + ": " + number(l, bad)
			}
			requests := newBar(n, h.Requests, most, title, "")
			c.Bars = append(c.Bars, requests)
			if h.Errors > 0 { // from the top of the bar of all requests
				errors := newBar(n, h.Errors, most, title, "errors")
				errors.Y = requests.Y
				c.Bars = append(c.Bars, errors)
			}
			if bad > 0 { // from its bottom
				c.Bars = append(c.Bars, newBar(n, bad, most, title, "bad"))
			}
		}
		all = append(all, c)
	}
	return all
}

var (
	textLoad       = language.New("requests: %[1]s, bytes: %[2]s, 5xx: %[3]s")
	textChartParts = language.New(
		"The red part of a bar is requests that are certain violations, and the yellow part answers 5xx. A request may be in both.")
)
