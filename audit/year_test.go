package audit_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/accesslog"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/corpus"
)

// A year is a site with several hosts and a hundred robots, on some days or a year of them.
type year struct {
	random *rand.Rand
	from   int64
	to     int64
	zone   *time.Location
	sites  map[string][]audit.Version
	robots []*yearRobot
	logs   []*logFile
}

// A yearRobot is a robot of a year.
type yearRobot struct {
	agent   string
	clients []netip.Addr
	obeys   bool
	keeps   int64 // how long it keeps its copies; 0 if it never reads robots.txt
	pause   int64 // about how long it pauses between two requests
	copies  map[string]*yearCopy
}

type yearCopy struct {
	policy *robots.Policy
	next   int64
}

var yearHosts = []string{"", "a.example", "a.example", "a.example", "b.example", "b.example", "C.example", "d.example"}

func newYear(random *rand.Rand, days int64) *year {
	y := &year{random: random, sites: map[string][]audit.Version{}}
	y.zone, _ = time.LoadLocation("Europe/Berlin") // clocks go back on 26 October
	y.from = time.Date(2025, 10, 17, 0, 0, 0, 0, time.UTC).Unix()
	y.to = y.from + days*day
	for _, host := range []string{"", "a.example", "b.example"} {
		y.sites[host] = y.history(host)
	}
	for n := range 100 {
		y.robots = append(y.robots, y.robot(n))
	}
	for n := range 7 {
		y.logs = append(y.logs, &logFile{name: fmt.Sprintf("front%d.log", n), readIn: y.zone})
	}
	return y
}

// history makes up the versions of a host: a new one each few days, most of them texts.
func (y *year) history(host string) (list []audit.Version) {
	if host == "a.example" {
		list = append(list, audit.Version{ID: "none", State: audit.Nothing})
	}
	for at := y.from + y.random.Int64N(2*day); at < y.to; at += hour + y.random.Int64N(6*day) {
		v := audit.Version{ID: fmt.Sprintf("%s-%d", host, len(list)), From: stamp(at), Text: []byte(y.text())}
		switch y.random.IntN(12) {
		case 0:
			v.State, v.Text = audit.Nothing, nil
		case 1:
			v.State, v.Text = audit.Unknown, nil
		}
		list = append(list, v)
	}
	return list
}

func (y *year) text() string {
	var b strings.Builder
	for range y.random.IntN(4) {
		fmt.Fprintf(&b, "User-agent: %s\n", one(y, "Googlebot", "bingbot", "AhrefsBot", "AdsBot-Google", fmt.Sprintf("simbot%d", y.random.IntN(100))))
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
		fmt.Fprintf(b, "%s: %s\n", one(y, "Disallow", "Disallow", "Allow"), one(y, "/", "/a", "/a/*.html", "/b$", "/c/", "/*?"))
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

func (y *year) robot(n int) *yearRobot {
	r := &yearRobot{
		agent: fmt.Sprintf("Mozilla/5.0 (compatible; simbot%d/1.0; +https://simbot.example/)", n),
		obeys: n%3 > 0,
		keeps: one(y, int64(day), day, 6*hour, hour, 10*day, 0),
		pause: one(y, int64(hour), 2*hour, 3*hour, 6*hour, day),
	}
	if n < 2*len(smallAgents) {
		r.agent = smallAgents[n%len(smallAgents)]
	}
	r.copies = map[string]*yearCopy{}
	if n < 10 {
		r.clients = append(r.clients, addr("192.0.2.9")) // a forger's
	}
	for range 1 + n%3 {
		if n%4 == 0 {
			r.clients = append(r.clients, addr(fmt.Sprintf("2001:db8::%x", 1+y.roll(20))))
		} else {
			r.clients = append(r.clients, addr(fmt.Sprintf("192.0.2.%d", 1+y.roll(20))))
		}
	}
	return r
}

// serve says what the server answers to GET /robots.txt: mostly the version in force, sometimes the
// one before, and at times there is none, or the server fails.
func (y *year) serve(host string, at int64, r *yearRobot) (status int, text []byte) {
	version := audit.Version{State: audit.Nothing}
	for _, v := range y.sites[strings.ToLower(host)] {
		if v.From.IsZero() || v.From.Unix()+int64(len(v.ID)+len(v.Text))%4*hour <= at { // deployed some hours later
			version = v
		}
	}
	switch h := (at - y.from) / hour % 201; {
	case h >= 20 && h < 23, h >= 100 && h < 150:
		return one(y, 503, 500, 429), nil
	case h >= 60 && h < 62:
		return 404, nil
	case h >= 180 && strings.Contains(r.agent, "simbot2"):
		return 403, nil
	case y.roll(20) == 0:
		return one(y, 301, 206, 499, 304), nil
	case version.State != audit.Served:
		return 404, nil
	}
	return 200, version.Text
}

// visit lets a robot visit a host.
func (y *year) visit(r *yearRobot, host string, at int64) {
	client := r.clients[y.roll(len(r.clients))]
	c := r.copies[host]
	if c == nil {
		c = &yearCopy{policy: robots.AllowAll()}
		r.copies[host] = c
	}
	if r.keeps > 0 && at >= c.next {
		status, text := y.serve(host, at, r)
		method := one(y, "GET", "GET", "GET", "GET", "GET", "GET", "HEAD")
		y.log(visit{host: host, at: at, client: client, method: method, path: "/robots.txt", status: status, bytes: int64(len(text)), agent: r.agent})
		c.next = at + r.keeps
		switch {
		case method == "HEAD", status < 400 && status != 200:
		case status == 200:
			c.policy = robots.Parse(text)
		case status >= 500 || status == 429:
			c.next = at + hour
		default:
			c.policy = robots.AllowAll()
		}
		at += one(y, int64(0), 1, 2, minute)
	}
	if r.obeys {
		at = visitFrom(agent.Group(c.policy, r.agent), at)
	}
	for range 1 + y.roll(3) {
		v := visit{
			host: host, at: at, client: client, agent: r.agent,
			method: one(y, "GET", "GET", "HEAD", "POST"),
			path:   one(y, "/", "/a", "/a/1.html", "/b", "/b2", "/c/x", "/d?q=1", "/d", "/a", ""),
			status: one(y, 200, 200, 200, 301, 404, 403, 500, 429),
			bytes:  one(y, int64(1000), 0, -1, 123456),
		}
		if v.path == "" || !r.obeys || agent.Group(c.policy, r.agent).Allowed(v.path) {
			y.log(v)
		}
		if pause := pauseOf(agent.Group(c.policy, r.agent)); r.obeys {
			at += pause
		}
		at += one(y, int64(0), 1, 3, 29, 30)
	}
}

// visitFrom returns the first hour from a second on at which a group lets a robot visit, or the second.
func visitFrom(g *robots.Group, at int64) int64 {
	times := g.VisitTimes()
	for wait := range int64(24) {
		for _, v := range times {
			if v.Window.Contains(stamp(at + wait*hour)) {
				return at + wait*hour
			}
		}
	}
	return at
}

// pauseOf returns how many seconds a group asks robots to pause at any time of the day.
func pauseOf(g *robots.Group) (pause int64) {
	delay, _ := g.CrawlDelay()
	pause = int64(math.Ceil(delay.Delay.Seconds()))
	for _, r := range g.RequestRates() {
		pause = max(pause, int64(math.Ceil(r.Delay().Seconds())))
	}
	return pause
}

// log writes a request to the log of one of the servers. The clock of the last one has no zone. One
// line of a hundred is damaged.
func (y *year) log(v visit) {
	n := y.roll(len(y.logs))
	v.zoned = n != len(y.logs)-1
	y.logs[n].add(v, y.zone)
	if y.roll(100) == 0 {
		y.logs[n].damage(one(y, "\x00\x01\xff", "192.0.2.1 - - [10/Oct/2025:1", `{"time":`, "GET /a HTTP/1.1"))
	}
}

func (y *year) run() {
	for _, r := range y.robots {
		for at := y.from + y.random.Int64N(2*r.pause); at < y.to; at += 1 + y.random.Int64N(2*r.pause) {
			y.visit(r, one(y, yearHosts...), at)
		}
	}
}

// damage writes a line that cannot be read.
func (l *logFile) damage(line string) {
	l.lines++
	l.unreadable++
	l.text.WriteString(line + "\n")
}

// TestYear compares the package with its slow twin on the logs of a site with a hundred robots: of
// two months if ROBOTS_CORPUS_ALL is set, and of a year if ROBOTS_AUDIT_ALL is set. The order of the logs, the number of workers and the division into
// parts change nothing.
func TestYear(t *testing.T) {
	random := rand.New(rand.NewPCG(2025, 10))
	days := int64(10)
	switch {
	case os.Getenv("ROBOTS_AUDIT_ALL") != "":
		days = 365
	case corpus.All():
		days = 60
	}
	y := newYear(random, days)
	y.run()
	o := audit.Options{Sites: y.sites, Zone: y.zone, Identify: identifySmall}

	want, evidence := slowReportOf(o, y.logs...)
	got := fastReportOf(t, o, 1, y.logs...)
	p := allPaces(got)
	t.Logf("pace of %d requests: %d gaps too short, %d requests too many, %d at another time", p.Judged, p.Faster, p.RequestRate.Exceeded, p.VisitTime.Outside)
	t.Logf("%d requests, violations %+v, unjudged %+v, %d versions", got.Requests, allViolations(got), got.Unjudged, len(got.Versions))
	if !compareReports(t, got, want, evidence) {
		return
	}
	if p.Judged < 1000 || p.Faster < 50 || p.RequestRate.Exceeded < 50 || p.VisitTime.Outside < 50 {
		t.Errorf("pace %+v %+v %+v is too little to compare", p, p.RequestRate, p.VisitTime)
	}
	if n := allViolations(got); n.Certain < 50 || n.Informed < 50 || n.Grace < 50 {
		t.Errorf("violations %+v are too few to compare", n)
	}

	var unread audit.Unread
	var everyone int64
	for _, robot := range got.Robots {
		unread.Before += robot.Unread.Before
		unread.Never += robot.Unread.Never
		unread.Late += robot.Unread.Late
		everyone += robot.Violations.Everyone.Certain
	}
	if unread.Before < 50 || unread.Never < 50 || unread.Late < 50 || everyone < 20 {
		t.Errorf("requests before reading %+v, and %d certain violations of rules for everyone, are too few to compare", unread, everyone)
	}

	counts := []int{1, 2, 7}
	if testing.Short() {
		counts = counts[2:]
	}
	for _, workers := range counts {
		random.Shuffle(len(y.logs), func(i, j int) { y.logs[i], y.logs[j] = y.logs[j], y.logs[i] })
		if again := fastReportOf(t, o, workers, y.logs...); !reflect.DeepEqual(again, got) {
			t.Errorf("%d workers and another order of logs give another report", workers)
		}
		if again := reportOfStored(t, readLogs(t, o, workers, y.logs...)); !reflect.DeepEqual(again, got) {
			t.Errorf("parts that %d workers read and that were stored give another report", workers)
		}
		if again := reportOfFiles(t, o, workers, y.logs); indented(t, again) != indented(t, got) {
			t.Errorf("%d workers on files give another report", workers)
		}
		if again := reportOfPieces(t, o, workers, random, y.logs); indented(t, again) != indented(t, got) {
			t.Errorf("pieces of logs in any order give another report with %d workers", workers)
		}
	}
}

// allPaces returns the sums of the figures of pace.
func allPaces(r *audit.Report) audit.Pace {
	sum := audit.Pace{RequestRate: &audit.RequestRate{}, VisitTime: &audit.VisitTime{}}
	for _, robot := range r.Robots {
		p := robot.Pace
		sum.Judged += p.Judged
		sum.Faster += p.Faster
		if p.RequestRate != nil {
			sum.RequestRate.Exceeded += p.RequestRate.Exceeded
		}
		if p.VisitTime != nil {
			sum.VisitTime.Outside += p.VisitTime.Outside
		}
	}
	return sum
}

// reportOfStored writes parts, reads them, and joins them.
func reportOfStored(t *testing.T, parts []*audit.Part) *audit.Report {
	t.Helper()
	var all *audit.Part
	for _, part := range parts {
		var b bytes.Buffer
		if _, err := part.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		read, err := audit.ReadPart(&b, nil)
		if err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = read
		} else if err := all.Join(read); err != nil {
			t.Fatal(err)
		}
	}
	return all.Report()
}

// reportOfFiles reads all logs at once, from files.
func reportOfFiles(t *testing.T, o audit.Options, workers int, logs []*logFile) *audit.Report {
	t.Helper()
	dir := t.TempDir()
	var names []string
	for _, l := range logs {
		name := filepath.Join(dir, l.name)
		if err := os.WriteFile(name, []byte(l.text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	auditor, err := audit.New(o)
	if err != nil {
		t.Fatal(err)
	}
	reader := accesslog.Reader{Zone: o.Zone}
	part, err := auditor.Read(reader.Open(names...), workers)
	if err != nil {
		t.Fatal(err)
	}
	return part.Report()
}

// reportOfPieces cuts logs at ends of lines, and reads the pieces in any order.
func reportOfPieces(t *testing.T, o audit.Options, workers int, random *rand.Rand, logs []*logFile) *audit.Report {
	t.Helper()
	var pieces []*logFile
	for _, l := range logs {
		lines := strings.SplitAfter(l.text.String(), "\n")
		for len(lines) > 0 {
			n := 1 + random.IntN(len(lines))
			piece := &logFile{name: l.name}
			piece.text.WriteString(strings.Join(lines[:n], ""))
			pieces, lines = append(pieces, piece), lines[n:]
		}
	}
	random.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	return fastReportOf(t, o, workers, pieces...)
}
