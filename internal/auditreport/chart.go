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

// A chart shows the requests of a robot by time. All charts of a page have the same scales.
type chart struct {
	Name, Label   string
	Width, Height int
	Bars          []bar
	Ticks         []tick
}

// A tick is a time on the axis below a chart.
type tick struct {
	X      float64 // percent of the width
	Anchor string  // of the text, which stays within the width
	Text   string
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
	at := time.Unix(first.Unix()/int64(step/time.Second)*int64(step/time.Second), 0).UTC() // at midnight, or at parts of a day
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

// A bar is the requests of some hours.
type bar struct {
	X             int
	Y             float64
	Width, Height float64
	Title         string
}

// charts returns the charts of the robots with the most requests.
func charts(l language.Language, r *audit.Report) (all []chart) {
	var robots []*audit.Robot
	for i := range r.Robots {
		if len(r.Robots[i].Hours) > 0 {
			robots = append(robots, &r.Robots[i])
		}
	}
	slices.SortStableFunc(robots, func(a, b *audit.Robot) int { return cmp.Compare(b.Requests, a.Requests) })
	robots = robots[:min(mostCharts, len(robots))]
	first := r.First.Truncate(time.Hour)
	hours := int(r.Last.Sub(first)/time.Hour) + 1
	each := max(1, (hours+mostBars-1)/mostBars)
	width := (hours + each - 1) / each
	counts := make([][]int64, len(robots))
	most := int64(1)
	for i, robot := range robots {
		counts[i] = make([]int64, width)
		for _, h := range robot.Hours {
			if n := int(h.Begin.Sub(first)/time.Hour) / each; n >= 0 && n < width {
				counts[i][n] += h.Requests
				most = max(most, counts[i][n])
			}
		}
	}
	for i, robot := range robots {
		c := chart{Name: robotName(l, robot, 100), Width: width, Height: chartHeight, Ticks: ticks(first, width*each)}
		c.Label = fmt.Sprintf("%s: %s, %s", c.Name, textByHour.In(l), period(r.First, r.Last))
		for n, count := range counts[i] {
			if count == 0 {
				continue
			}
			height := max(1, float64(count)*chartHeight/float64(most))
			begin := first.Add(time.Duration(n*each) * time.Hour)
			c.Bars = append(c.Bars, bar{X: n, Y: chartHeight - height, Width: 0.9, Height: height,
				Title: begin.UTC().Format("2006-01-02 15:04") + ": " + number(l, count)})
		}
		all = append(all, c)
	}
	return all
}
