package demoweb

import (
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
)

// maxTrapped is the number of calendar months that a robot may request before it has to
// recognise that the calendar is endless.
const maxTrapped = 200

// A Violation is a request that a polite robot would not have made.
type Violation struct {
	Request Request
	Why     string
}

// String returns the violation as a line.
func (v Violation) String() string { return v.Request.String() + ": " + v.Why }

// Violations returns the requests that robots.txt and manners forbid, in the order of
// arrival. minDelay is the robot's pause on every host.
//
// A pause runs from the end of a request to the arrival of the next one to the same
// host. Both are times of the server, so a robot that keeps the pause by its own clock
// keeps it here.
func (w *Web) Violations(minDelay time.Duration) (found []Violation) {
	judges := make(map[string]*judge)
	for _, h := range w.hosts {
		judges[h.origin] = &judge{web: w, host: h, pause: minDelay, last: -time.Hour, visited: make(map[string]bool)}
	}
	for r := range w.Requests() {
		if why := judges[r.Host].judge(r); why != "" {
			found = append(found, Violation{r, why})
		}
	}
	return found
}

// A judge checks the requests to one host.
type judge struct {
	web     *Web
	host    *host
	group   *robots.Group // nil until robots.txt was fetched
	pause   time.Duration // between requests
	last    time.Duration // end of the last request
	retry   time.Duration // when the next request to the host is allowed
	trapped int
	visited map[string]bool
}

// judge returns the reason why a polite robot would not have made a request, or "".
func (j *judge) judge(r Request) string {
	pause := r.Start - j.last
	early := pause < j.pause
	retry := j.retry
	j.last, j.retry = max(j.last, r.End), max(j.retry, r.RetryAfter)
	switch {
	case early:
		return fmt.Sprintf("the pause before it is %v, and not %v", max(0, pause).Round(time.Millisecond), j.pause)
	case r.Start < retry:
		return fmt.Sprintf("Retry-After asked for %v more", (retry - r.Start).Round(time.Millisecond))
	case r.Path == "/robots.txt":
		j.read(r)
	case j.group == nil:
		return "robots.txt was not fetched before"
	case !j.group.Allowed(r.Path):
		return "robots.txt disallows it"
	case strings.HasPrefix(r.Path, "/calendar/"):
		if j.trapped++; j.trapped > maxTrapped {
			return fmt.Sprintf("it is one of more than %d into a calendar without end", maxTrapped)
		}
	case j.visited[r.Path]:
		return "the page was fetched before"
	}
	j.visited[r.Path] = r.Status < 400
	return ""
}

// read reads the robots.txt of the host, which has one group, for all robots.
func (j *judge) read(r Request) {
	if r.Status != 200 {
		return
	}
	j.group = robots.Parse([]byte(j.web.robots(j.host))).For("ExampleBot")
	if d, ok := j.group.CrawlDelay(); ok {
		j.pause = max(j.pause, d.Delay)
	}
}
