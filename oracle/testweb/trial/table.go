//go:build linux

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A report is what the table needs of the report of robots testweb --json.
type report struct {
	Level    string    `json:"level"`
	Clean    string    `json:"no_violation"`
	Requests int       `json:"requests"`
	Ended    time.Time `json:"ended"`
	Duties   []duty    `json:"duties"`

	busy bool // the robot was stopped, and may have had more to do
}

type duty struct {
	ID       string    `json:"id"`
	Level    string    `json:"level"`
	Section  string    `json:"section"`
	Sentence string    `json:"sentence"`
	Outcome  string    `json:"outcome"`
	Reason   string    `json:"reason"`
	Requests []request `json:"requests"`
}

type request struct {
	Host   string `json:"host"`
	Method string `json:"method"`
	Target string `json:"target"`
	Status int    `json:"status"`
}

// A visit is one robot with one of its settings, in one or more runs.
type visit struct {
	robot    int // in robots
	settings string
	runs     []runResult
	reports  []report
}

// table reads the results of some runs, in folders separated by commas, and writes the document.
func (t *trial) table(w io.Writer) error {
	var visits []visit
	for i, r := range robots {
		for _, settings := range []string{"defaults", "polite"} {
			v := visit{robot: i, settings: settings}
			for folder := range strings.SplitSeq(t.results, ",") {
				err := v.read(filepath.Join(folder, slug(r.name)+"-"+settings))
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
			if len(v.runs) > 0 {
				visits = append(visits, v)
			}
		}
	}
	if len(visits) == 0 {
		return fmt.Errorf("there are no results in %s", t.results)
	}
	d := document{w: w, visits: visits, duties: visits[0].reports[0].Duties}
	return d.write()
}

// read adds the run in a folder.
func (v *visit) read(folder string) error {
	var run runResult
	var report report
	if err := errors.Join(readJSON(filepath.Join(folder, "run.json"), &run),
		readJSON(filepath.Join(folder, "report.out"), &report)); err != nil {
		return err
	}
	log, err := os.ReadFile(filepath.Join(folder, "access.log"))
	if err != nil {
		return err
	}
	idle := report.duty("slow-page").Outcome != "not shown" &&
		report.Ended.Sub(lastRequest(string(log))) >= longestPause
	report.busy = strings.HasPrefix(run.End, "stopped") && !idle
	v.runs = append(v.runs, run)
	v.reports = append(v.reports, report)
	return nil
}

// lastRequest returns the time of the last line of a log.
func lastRequest(log string) time.Time {
	_, line, _ := strings.Cut(log[strings.LastIndexByte(strings.TrimRight(log, "\n"), '\n')+1:], "[")
	at, _, _ := strings.Cut(line, "]")
	t, _ := time.Parse("02/Jan/2006:15:04:05 -0700", at) // no time is long ago
	return t
}

// longestPause is the longest pause that a robot here makes by itself: that of LWP::RobotUA is a
// minute.
const longestPause = 61 * time.Second

// laterDuties are kept by a robot that has not come to the links of a page yet, or to its next try.
var laterDuties = []string{
	"link-nofollow", "page-nofollow", "header-nofollow", "side-effects", "calendar", "session-ids", "deeper-paths",
	"redirect-loop", "dead-pages", "cut-pages", "gone-page", "once",
}

// followDuties are never kept by a program that follows every link, but at most not shown.
var followDuties = []string{"link-nofollow", "page-nofollow", "header-nofollow", "side-effects"}

// outcome returns the outcome of a duty in one run. It does not praise a robot for links that it
// had no time for.
func (v *visit) outcome(r report, id string) string {
	outcome := r.duty(id).Outcome
	if outcome == "kept" && (r.busy && slices.Contains(laterDuties, id) || robots[v.robot].follows &&
		slices.Contains(followDuties, id)) {
		return "not shown"
	}
	return outcome
}

func readJSON(name string, to any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, to); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// verdict returns the verdict on a duty: kept, broken, not shown, or "differs" if the runs do not
// agree whether it is kept or broken. A run that does not show a duty says nothing against one that
// does.
func (v *visit) verdict(id string) string {
	found := "not shown"
	for _, r := range v.reports {
		switch verdict := v.outcome(r, id); {
		case verdict != "kept" && verdict != "broken" || verdict == found:
		case found == "not shown":
			found = verdict
		default:
			found = "differs"
		}
	}
	return found
}

// duty returns a duty of a report; the zero one is not shown.
func (r report) duty(id string) duty {
	for _, d := range r.Duties {
		if d.ID == id {
			return d
		}
	}
	return duty{}
}

// level returns the level that all runs reach.
func (v *visit) level() string {
	levels := []string{"none", "basic", "polite", "exemplary"}
	least := len(levels) - 1
	for _, r := range v.reports {
		for i, level := range levels {
			if level == r.Level || i == 0 && r.Level == "" {
				least = min(least, i)
			}
		}
	}
	return levels[least]
}

// reason returns why a duty is broken, as the first run that broke it says.
func (v *visit) reason(id string) string {
	for _, r := range v.reports {
		if d := r.duty(id); d.Outcome == "broken" {
			return d.Reason
		}
	}
	return ""
}

// first returns a request that broke a duty, as a line of text.
func (v *visit) first(id string) string {
	for _, r := range v.reports {
		if d := r.duty(id); d.Outcome == "broken" && len(d.Requests) > 0 {
			q := d.Requests[0]
			return fmt.Sprintf("%s http://%s%s", q.Method, q.Host, q.Target)
		}
	}
	return ""
}
