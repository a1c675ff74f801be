package audit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/audit"
)

// A year is a site with several hosts and a hundred robots, on some days or a year of them. It
// knows what each robot did, and whether the robot obeyed, before any line is read.
type year struct {
	random *rand.Rand
	from   int64
	to     int64
	zone   *time.Location // of the clock whose lines state no zone
	given  bool           // Options have the zone
	hosts  []*yearHost
	robots []*yearRobot
	fronts []*front
	truth  *truth
}

// A front is a front end with its log.
type front struct {
	*logFile
	clock int64 // seconds by which its clock is ahead
	times lineTime
}

// A lineTime is what the time of a line says.
type lineTime int

const (
	ofBegin lineTime = iota // the beginning of the request
	ofEnd                   // its end
	ofBoth                  // its end, and how long it took
)

// A yearHost is a host of the site.
type yearHost struct {
	name     string
	versions []audit.Version // those in the options of the audit, or nil
	late     int64           // seconds after that until the servers have them
	fronts   []int           // the front ends that serve it
	slow     bool            // transfers of pages take up to 8 minutes
	edge     bool            // a cache answers GET /robots.txt for 4 hours, and the logs lack these requests
	flaps    bool            // robots.txt is missing for 4 hours of each day
	rollout  bool            // robots.txt is missing for 2 hours after each change
	fails    bool            // robots.txt cannot be read at times, or only by some robots
}

// The hosts have the situations of the table in AUDIT.md, section 3, each under a name of its own,
// so that the slack of 10 minutes has to cover one of them only: slow transfers or clocks that
// differ.
func newYear(random *rand.Rand, days int64, given bool) *year {
	y := &year{random: random, given: given, truth: &truth{robots: map[string]*robotTruth{},
		disguised: map[string]bool{}}}
	y.zone, _ = time.LoadLocation("Europe/Berlin") // clocks go back on 26 October
	y.from = time.Date(2025, 10, 17, 0, 0, 0, 0, time.UTC).Unix()
	y.to = y.from + days*day

	for _, f := range []front{{times: ofEnd}, {times: ofBoth}, {times: ofBegin}, {times: ofEnd}, {clock: 5 * minute},
		{clock: -5 * minute}, {}} {
		f.logFile = &logFile{name: fmt.Sprintf("front%d.log", len(y.fronts)), both: f.times == ofBoth}
		if given {
			f.readIn = y.zone
		}
		y.fronts = append(y.fronts, &f)
	}
	most := []int{0, 1, 2, 3}
	if given {
		most = append(most, unzonedFront)
	}
	for _, h := range []yearHost{
		{name: "", fronts: most, slow: true, rollout: true, fails: true},
		{name: "a.example", fronts: most, slow: true, fails: true},
		{name: "b.example", fronts: most, slow: true, fails: true, late: 6 * hour},
		{name: "clocks.example", fronts: []int{4, 5, 2}, fails: true},
		{name: "edge.example", fronts: []int{0, 1, 2, 3}, edge: true},
		{name: "flaps.example", fronts: []int{2, 3}, flaps: true},
		{name: "unzoned.example", fronts: []int{unzonedFront}, fails: true},
		{name: "C.example", fronts: most},
		{name: "d.example", fronts: most},
	} {
		if h.name != "C.example" && h.name != "d.example" {
			h.versions = y.history(&h)
		}
		y.hosts = append(y.hosts, &h)
	}
	y.addRobots()
	return y
}

const unzonedFront = 6

// options are what the owner of the site tells the audit.
func (y *year) options() audit.Options {
	o := audit.Options{Sites: map[string][]audit.Version{}, Identify: identifySmall, Edge: 4 * time.Hour}
	for _, h := range y.hosts {
		if h.versions != nil {
			o.Sites[h.name] = h.versions
		}
	}
	if y.given {
		o.Zone = y.zone
	}
	return o
}

func (y *year) logs() (logs []*logFile) {
	for _, f := range y.fronts {
		logs = append(logs, f.logFile)
	}
	return logs
}

// history makes up the versions of a host: a new one each few days, most of them texts. If servers
// get a version later than the options say, its length shows that: each version of such a host has
// a length of its own, and comes after the servers have the one before.
func (y *year) history(h *yearHost) (list []audit.Version) {
	if h.name == "a.example" {
		list = append(list, audit.Version{ID: "none", State: audit.Nothing})
	}
	for at := y.from + y.random.Int64N(2*day); at < y.to; at += hour + h.late + y.random.Int64N(4*day) {
		v := audit.Version{ID: fmt.Sprintf("%s-%d", h.name, len(list)), From: stamp(at), Text: []byte(y.text())}
		switch roll := y.random.IntN(12); {
		case roll == 0:
			v.State, v.Text = audit.Nothing, nil
		case roll == 1 && h.late == 0:
			v.State, v.Text = audit.Unknown, nil
		case h.late > 0:
			v.Text = fmt.Appendf(v.Text, "# %s\n", strings.Repeat("-", 2000-len(v.Text)+len(list)))
		}
		list = append(list, v)
	}
	return list
}

func (y *year) text() string {
	var b strings.Builder
	for range y.random.IntN(4) {
		fmt.Fprintf(&b, "User-agent: %s\n", one(y, "Googlebot", "bingbot", "AhrefsBot", "AdsBot-Google",
			fmt.Sprintf("simbot%d", y.random.IntN(100))))
		y.rules(&b)
	}
	if y.random.IntN(8) > 0 {
		b.WriteString("User-agent: *\n")
		y.rules(&b)
	}
	return b.String()
}

func (y *year) rules(b *strings.Builder) {
	for range y.random.IntN(4) {
		fmt.Fprintf(b, "%s: %s\n", one(y, "Disallow", "Disallow", "Allow"), one(y, "/", "/a", "/a/*.html", "/b$", "/c/",
			"/*?"))
	}
	if y.random.IntN(2) == 0 {
		fmt.Fprintf(b, "Crawl-delay: %s\n", one(y, "1", "2.5", "30", "600"))
	}
	for range y.random.IntN(3) {
		fmt.Fprintf(b, "Request-rate: %s\n", one(y, "1/5", "2/1m", "1/1h", "2/10m 0800-1700", "1/1m 1700-0800"))
	}
	if y.random.IntN(4) == 0 {
		fmt.Fprintf(b, "Visit-time: %s\n", one(y, "0600-1800", "2200-0400", "0000-2400"))
	}
	b.WriteString("\n")
}

// roll returns a number, so that one can choose.
func (y *year) roll(n int) int { return y.random.IntN(n) }

// A served is an answer to GET /robots.txt. The version is that of the text, or of what a status
// 304 confirms.
type served struct {
	status  int
	text    []byte
	version int
}

// serve says what the servers of a host answer to GET /robots.txt: mostly the version in force, and
// at times there is none, or the servers fail. The robot has a copy of a version, or -1.
func (y *year) serve(h *yearHost, at int64, r *yearRobot, has int) served {
	if h.edge {
		at -= at % (4 * hour) // when the cache asked the servers
	}
	version, began := -1, always
	for i, v := range h.versions {
		if v.From.IsZero() || v.From.Unix()+h.late <= at {
			version, began = i, at
			if !v.From.IsZero() {
				began = v.From.Unix() + h.late
			}
		}
	}
	now := served{status: 404, version: version}
	switch {
	case h.versions == nil:
	case version < 0 || h.versions[version].State == audit.Unknown: // a text that the audit is not told
		now.status, now.text = 200, []byte("User-agent: *\nAllow: /\nDisallow: /never\n")
	case h.versions[version].State == audit.Served:
		now.status, now.text = 200, h.versions[version].Text
	}
	if h.edge {
		return now
	}
	switch cycle := (at - y.from) / hour % 201; {
	case h.flaps && (at-y.from)%day/hour >= 10 && (at-y.from)%day/hour < 14,
		h.rollout && version > 0 && at < began+2*hour,
		h.fails && cycle >= 20 && cycle < 22:
		return served{404, nil, version}
	case h.fails && (cycle >= 30 && cycle < 33 || cycle >= 70 && cycle < 120):
		return served{one(y, 503, 500, 429), nil, version}
	case h.fails && cycle >= 36 && cycle < 56 && r.banned:
		return served{one(y, 403, 401), nil, version}
	case y.roll(20) == 0:
		return served{one(y, 301, 206, 499), nil, -1}
	case y.roll(10) == 0 && has >= 0 && has == version && now.status == 200:
		return served{304, nil, version}
	}
	return now
}

// outage returns the number of the outage of robots.txt at a time: two times have the same number
// if robots.txt could not be read from one to the other.
func (y *year) outage(at int64) int64 {
	hours := (at - y.from) / hour
	second := int64(0)
	if hours%201 >= 70 {
		second = 1
	}
	return hours/201*2 + second
}

// log writes a request to the log of one of the front ends. One line of a hundred is damaged.
func (y *year) log(h *yearHost, v visit, took int64) {
	v.host = h.name
	n := one(y, h.fronts...)
	f := y.fronts[n]
	v.zoned = n != unzonedFront
	v.at += f.clock
	switch f.times {
	case ofEnd:
		v.at += took
	case ofBoth:
		v.took = took
	}
	f.add(v, y.zone)
	y.truth.add(f.visits[len(f.visits)-1])
	if y.roll(100) == 0 {
		f.damage(one(y, "\x00\x01\xff", "192.0.2.1 - - [10/Oct/2025:1", `{"time":`, "GET /a HTTP/1.1"))
		y.truth.unreadable++
	}
}

// damage writes a line that cannot be read.
func (l *logFile) damage(line string) {
	l.lines++
	l.unreadable++
	l.text.WriteString(line + "\n")
}
