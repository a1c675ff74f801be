package audit_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// FuzzAudit compares the package with its slow twin on small logs, whose times are near the edges
// of what the definition compares them with.
func FuzzAudit(f *testing.F) {
	for _, seed := range []string{
		"", "\x00", strings.Repeat("\x01\x13\x37\x42", 40),
		"the quick brown fox jumps over the lazy dog, and reads robots.txt",
		strings.Repeat("0123456789", 30), strings.Repeat("\xff\x80\x7f\x00", 50),
		"\x03" + strings.Repeat("\x00\x03\x07", 60), "\x03\x00\x00\x02" + strings.Repeat("\x03\x05\x02\x01\x01\x00",
			40),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareSmall(t, data) })
}

// TestSmall compares the package with its slow twin on random small logs: more of them if
// ROBOTS_CORPUS_ALL is set.
func TestSmall(t *testing.T) {
	for seed := range uint64(corpus.Cases(150, 5000)) {
		random := rand.New(rand.NewPCG(seed, 14))
		data := make([]byte, 20+random.IntN(400))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		if compareSmall(t, data); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func compareSmall(t *testing.T, data []byte) {
	o, logs := smallLogs(&dice{data})
	want, evidence := slowReportOf(o, logs...)
	got := fastReportOf(t, o, 1, logs...)
	if !compareReports(t, got, want, evidence) {
		for host, versions := range o.Sites {
			for _, v := range versions {
				t.Logf("%q: %s from %v %v %q", host, v.ID, v.From.UTC(), v.State, v.Text)
			}
		}
		t.Logf("grace %v, slack %v, edge %v, zone %v", o.Grace, o.Slack, o.Edge, o.Zone)
		for _, l := range logs {
			t.Logf("%s:\n%s", l.name, l.text.String())
		}
		return
	}
	if again := fastReportOf(t, o, 2, logs[1], logs[0]); !reflect.DeepEqual(again, got) {
		t.Errorf("in another order: got %+v, want %+v", again, got)
	}
}

// dice gives choices from bytes, and 0 after the last byte.
type dice struct{ data []byte }

func (d *dice) roll(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := int(d.data[0])
	d.data = d.data[1:]
	return b % n
}

// one returns one of a list.
func one[T any](d interface{ roll(int) int }, list ...T) T { return list[d.roll(len(list))] }

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
)

// The robots of the small logs, of each sort that the definition knows.
var smallAgents = []string{
	"simbot1/1.0 (+https://simbot.example/)",
	"simbot2/1.0 (+https://simbot.example/)",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"AdsBot-Google (+http://www.google.com/adsbot.html)",
	"FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)",
	"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
	"Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
	"curl/8.0",
	"Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0",
	"",
}

var smallTexts = []string{
	"User-agent: *\nDisallow:\n",
	"User-agent: *\nDisallow: /x\n",
	"User-agent: simbot1\nDisallow: /\nCrawl-delay: 5\n",
	"User-agent: *\nDisallow: /x\nCrawl-delay: 30\n",
	"User-agent: simbot1\nUser-agent: Googlebot\nUser-agent: AdsBot-Google\nDisallow: /x$\nAllow: /x/y\nDisallow: /x/\n",
	"User-agent: *\nDisallow: /a\n",
	"User-agent: AhrefsBot\nCrawl-delay: 1.5\nDisallow: /y\n\nUser-agent: *\nCrawl-delay: 3\nDisallow: /x\nDisallow: /y\n",
	"User-agent: *\nRequest-rate: 1/5\nVisit-time: 1200-1300\nDisallow: /x\n",
}

// identifySmall says that some addresses are of forgers.
func identifySmall(robot agent.Agent, client netip.Addr) agent.Result {
	switch {
	case !robot.Known(): // nobody can know
		return agent.Unverifiable
	case client == addr("192.0.2.9"):
		return agent.Forged
	case client == addr("192.0.2.1"), client == addr("2001:db8::1"):
		return agent.Verified
	}
	return agent.Unverifiable
}

func smallLogs(d *dice) (audit.Options, []*logFile) {
	switch d.roll(4) {
	case 1:
		return edgeLogs(d)
	case 3:
		return paceLogs(d)
	}
	base := time.Date(2025, 10, 25, 12, 0, 0, 0, time.UTC).Unix()
	o := audit.Options{
		Sites:    map[string][]audit.Version{},
		Identify: identifySmall,
		Edge:     one(d, 0, 0, 4*time.Hour),
		Grace:    one(d, 0, 0, 0, time.Hour),
		Slack:    one(d, 0, 0, -1, time.Minute),
	}
	zoned, zone := true, time.UTC
	switch d.roll(8) {
	case 1:
		zoned = false
	case 2:
		zoned = false
		zone, _ = time.LoadLocation("Europe/Berlin") // clocks go back at 01:00 UTC on 26 October
		o.Zone = zone
	}
	var moments []int64 // times that matter
	moments = append(moments, base, base+13*hour, base+12*hour)
	for _, host := range [][]string{{""}, {"a.example"}, {"a.example", ""}}[d.roll(3)] {
		o.Sites[host] = smallVersions(d, base, &moments)
	}
	hosts := []string{"", "a.example"}
	if d.roll(4) == 1 {
		hosts = append(hosts, "b.example")
	}
	if d.roll(8) == 1 {
		hosts = append(hosts, "b.example", "c.example")
	}
	logs := []*logFile{{name: "one.log", readIn: o.Zone}, {name: "two.log", readIn: o.Zone}}
	for len(d.data) > 0 {
		v := smallVisit(d, one(d, hosts...), moments)
		v.zoned = zoned
		moments = append(moments, v.at)
		logs[d.roll(2)].add(v, zone)
	}
	return o, logs
}

// edgeLogs returns logs of one host that closes /x, and whose requests are at the edges of the
// periods after the change and after other requests.
func edgeLogs(d *dice) (audit.Options, []*logFile) {
	change := time.Date(2025, 10, 25, 12, 0, 0, 0, time.UTC).Unix()
	lengths := [][]string{{smallTexts[1], smallTexts[5]}, {smallTexts[1], smallTexts[0]}}[d.roll(2)]
	o := audit.Options{
		Sites: map[string][]audit.Version{"": {
			{ID: "open", From: stamp(change - 50*day), Text: []byte(lengths[1])},
			{ID: "closed", From: stamp(change), Text: []byte(lengths[0])},
			{ID: "closed-again", From: stamp(change + one(d, int64(40*day), 2*hour)), Text: []byte(smallTexts[3])},
		}},
		Identify: identifySmall,
	}
	log := &logFile{name: "edges.log"}
	unzoned := d.roll(4) == 1
	moments := []int64{change}
	for len(d.data) > 0 {
		v := visit{
			at:     moments[len(moments)-1-min(one(d, 0, 1, 2, 100), len(moments)-1)],
			client: one(d, addr("192.0.2.1"), addr("192.0.2.1"), addr("192.0.2.9")),
			agent:  one(d, smallAgents[2], smallAgents[2], smallAgents[0], smallAgents[8]),
			zoned:  !unzoned, method: "GET", path: "/x", status: 200, bytes: 100,
		}
		v.at += one(d, int64(0), 1, minute, 10*minute, 10*minute+1, day, day+10*minute, 26*hour, 30*day, 30*day+day+
			10*minute, 5*hour, 19*hour+10*minute, hour, hour+1, 2*hour)
		v.at += one(d, int64(0), 0, 1, -1)
		if d.roll(2) == 1 {
			v.path = "/robots.txt"
			v.status = one(d, 200, 200, 304, 404, 403, 503, 429)
			v.bytes = int64(len(one(d, lengths...)))
		}
		moments = append(moments, v.at)
		log.add(v, time.UTC)
	}
	return o, []*logFile{log, {name: "empty.log"}}
}

// The robots.txt files of logs about pace, which ask for nothing else.
var paceTexts = []string{
	"User-agent: *\nRequest-rate: 1/5\n",
	"User-agent: *\nRequest-rate: 2/10\nRequest-rate: 2/10 1200-1300\nVisit-time: 1200-1300\n",
	"User-agent: *\nRequest-rate: 3/1m 1130-1215\nRequest-rate: 1/1m\nVisit-time: 2200-0400\nVisit-time: 1159-1201\nVisit-time: 1201-1210\n",
	"User-agent: *\nRequest-rate: 1/20m 1150-1240\nRequest-rate: 2/1h 2300-0100\nRequest-rate: 3/1h 2330-0030\n",
	"User-agent: *\nRequest-rate: 1/10\nRequest-rate: 3/30\nCrawl-delay: 5\nVisit-time: 1800-0600\n",
	"User-agent: *\nRequest-rate: 1/10\nRequest-rate: 3/30\nCrawl-delay: 5\nVisit-time: 0000-0000\n",
	"User-agent: *\nRequest-rate: 2/1h\nVisit-time: 0600-2400\nVisit-time: 0300-0400\n",
	"User-agent: *\nRequest-rate: 4/12h 0000-2400\nRequest-rate: 1/24h\n",
	"User-agent: *\nCrawl-delay: 2.5\nRequest-rate: 0/5\nVisit-time: noon\n",
	"User-agent: *\nDisallow:\n",
}

// paceLogs returns logs of a host that asks for a pace, and of robots whose requests are at the
// edges of its periods and times.
func paceLogs(d *dice) (audit.Options, []*logFile) {
	noon := time.Date(2025, 10, 24, 12, 0, 0, 0, time.UTC).Unix()
	o := audit.Options{Identify: identifySmall, Slack: one(d, 0, -1, time.Second, time.Minute),
		Edge: one(d, 0, 0, time.Hour)}
	slack := int64(10 * minute)
	if o.Slack != 0 {
		slack = int64(o.Slack / time.Second)
	}
	versions := []audit.Version{{ID: "first", Text: []byte(one(d, paceTexts...))}}
	moments := []int64{noon}
	apart := one(d, int64(day), hour, 7*minute)
	for i := range d.roll(3) {
		from := noon + int64(i+1)*apart
		versions = append(versions, audit.Version{ID: fmt.Sprint("later", i), From: stamp(from),
			Text: []byte(one(d, paceTexts...))})
		moments = append(moments, from, from+day+slack)
	}
	o.Sites = map[string][]audit.Version{"": versions}
	zone := time.UTC
	if d.roll(4) == 1 {
		o.Zone, _ = time.LoadLocation("Europe/Berlin") // clocks go back at 01:00 UTC on 26 October
		zone = o.Zone
		moments = append(moments, noon+37*hour)
	}
	unzoned := one(d, 0, 0, 1, 2)
	logs := []*logFile{{name: "one.log", readIn: o.Zone}, {name: "two.log", readIn: o.Zone}}
	at := one(d, moments...)
	for len(d.data) > 0 {
		switch d.roll(24) {
		case 0:
			at = one(d, moments...) + one(d, int64(0), 1, 59, -1)
		case 1, 2:
			edge := one(d, int64(0), 1*minute, 10*minute, 15*minute, 40*minute, hour, 6*hour, 11*hour, 11*hour+
				30*minute, 18*hour)
			at = at - at%(12*hour) + edge + one(d, 0, slack, -slack) + one(d, int64(0), 1, -1)
		default:
			at += one(d, int64(0), 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 8, 9, 10, 19, 29, 30, 59, 20*minute-1, 20*minute,
				hour-1, hour, slack)
		}
		v := visit{
			at: at, client: one(d, addr("192.0.2.1"), addr("192.0.2.2")), zoned: unzoned == 0 || unzoned == 1 &&
				d.roll(2) == 0,
			agent: smallAgents[one(d, 0, 0, 0, 0, 0, 0, 2, 5)], method: "GET", path: "/x", status: 200, bytes: 100,
		}
		if d.roll(40) == 39 {
			v.path, v.status, v.bytes = "/robots.txt", one(d, 200, 404, 403, 503), 1
		}
		logs[d.roll(2)].add(v, zone)
	}
	return o, logs
}

func smallVersions(d *dice, base int64, moments *[]int64) (list []audit.Version) {
	at := base
	for i := range 1 + d.roll(4) {
		v := audit.Version{ID: fmt.Sprintf("v%d", i+1), State: one(d, audit.Served, audit.Served, audit.Served,
			audit.Nothing, audit.Unknown)}
		if v.State == audit.Served {
			v.Text = []byte(one(d, smallTexts...))
		}
		if i > 0 || d.roll(2) == 1 {
			at += one(d, int64(hour), 1, 5*minute, 24*hour, 3*day, 40*day)
			v.From = stamp(at)
			*moments = append(*moments, at)
		}
		list = append(list, v)
	}
	return list
}

// smallVisit returns a request near one of the moments, or at an edge after the moment.
func smallVisit(d *dice, host string, moments []int64) visit {
	v := visit{
		host:   host,
		at:     moments[len(moments)-1-min(d.roll(256), len(moments)-1)],
		client: one(d, addr("192.0.2.1"), addr("192.0.2.2"), addr("192.0.2.9"), addr("2001:db8::1")),
		agent:  one(d, smallAgents...),
		method: "GET",
		path:   "/x",
		status: 200,
		bytes:  100,
	}
	v.at += one(d, int64(0), 1, -1, 3*minute, 10*minute, 10*minute+1, day, day+1, day+10*minute, day+10*minute+1,
		26*hour, 26*hour+1, 30*day, 4*hour, hour, 30*minute, 29)
	v.at += one(d, int64(0), 0, 0, 1, -1)
	if d.roll(2) == 1 {
		v.path = "/robots.txt"
		v.method = one(d, "GET", "GET", "GET", "GET", "GET", "HEAD", "POST")
		v.status = one(d, 200, 200, 200, 304, 404, 403, 401, 500, 503, 429, 301, 206, 499, 413, 410, 402, 444)
		v.bytes = int64(len(one(d, smallTexts...)))
		return v
	}
	v.path = one(d, "/x", "/x", "/x", "/x/y", "/", "/y", "", "/robots.txt?a", "//y/x", "//x", "/robots%2Etxt", "/./x",
		"/a/..//x?b", "/%2fx", "/;a/x/.")
	v.method = one(d, "GET", "GET", "HEAD", "POST")
	v.status = one(d, 200, 200, 403, 404, 503, 301, 308, 444)
	v.bytes = one(d, int64(7), -1, 0)
	return v
}
