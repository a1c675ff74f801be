package auditreport

import (
	"cmp"
	"fmt"
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
		c := chart{Name: robotName(l, robot, 100), Width: width, Height: chartHeight}
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
