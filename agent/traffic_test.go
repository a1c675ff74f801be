package agent_test

import (
	"os"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/agent/internal/robotlist"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// completeRobots is how many robots of testdata/traffic.txt have all of citedFields, each with a
// source. Raise it with each robot whose fields were looked up.
const completeRobots = 150

// citedFields are the fields of a robot that people cite. Whether the robot obeys the group for
// everyone follows from robots_txt, unless the robot has the field "everyone".
var citedFields = []string{"operator", "purposes", "robots_txt", "crawl_delay", "fallback", "verify"}

// TestTraffic checks that the robots that make up nearly all requests of robots are in the table,
// and how many of them say everything: each field is there, or a source says nothing of it, or it
// cannot be there. With -v it prints what was not looked up.
func TestTraffic(t *testing.T) {
	data, err := os.ReadFile("data/robots.json")
	fatal.If(t, err)
	list, err := robotlist.Parse(data, true)
	fatal.If(t, err)
	f, err := os.Open("testdata/traffic.txt")
	fatal.If(t, err)
	defer f.Close()
	tokens := slices.DeleteFunc(lines(t, f), func(line string) bool { return line[0] == '#' })
	if len(tokens) != 150 {
		t.Errorf("%d robots, want 150", len(tokens))
	}
	complete := 0
	for _, token := range tokens {
		i := slices.IndexFunc(list.Robots, func(r robotlist.Robot) bool { return r.Token == token })
		if i < 0 {
			t.Errorf("%s is not in the table", token)
			continue
		}
		missing := slices.DeleteFunc(slices.Clone(citedFields), func(field string) bool {
			return says(&list.Robots[i], field)
		})
		if len(missing) == 0 {
			complete++
		} else {
			t.Logf("%s: not looked up: %v", token, missing)
		}
	}
	t.Logf("%d of %d robots say everything", complete, len(tokens))
	if complete != completeRobots {
		t.Errorf("%d robots say everything, want %d", complete, completeRobots)
	}
}

// says reports whether an entry says something of a field.
func says(r *robotlist.Robot, field string) bool {
	if r.Undocumented[field] != "" {
		return true
	}
	anybodys := slices.Equal(r.Purposes, []string{"tool"}) && r.Operator == "" // a program that anybody runs
	switch field {
	case "operator":
		return r.Operator != "" || anybodys
	case "purposes":
		return !slices.Equal(r.Purposes, []string{"other"})
	case "robots_txt":
		return r.RobotsTxt != "" && r.RobotsTxt != "unknown"
	case "crawl_delay":
		return r.CrawlDelay != "" && r.CrawlDelay != "unknown" || r.RobotsTxt == "no" || r.PolicyOnly
	case "fallback":
		return len(r.Fallback) > 0 || r.RobotsTxt == "no"
	}
	return r.Verify != nil || anybodys || r.PolicyOnly
}
