package audit_test

import (
	"math"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A pacing is when a robot requests, in seconds since its first request.
type pacing func(request func(at float64))

// each requests so often that a time passes, from one second before another.
func each(seconds float64, from, to int64) pacing {
	return func(request func(float64)) {
		for i := range int64(float64(to-from) / seconds) {
			request(float64(from) + float64(i)*seconds)
		}
	}
}

// bursts requests some documents at once, so often that a time passes.
func bursts(documents int, seconds float64, from, to int64) pacing {
	return func(request func(float64)) {
		each(seconds, from, to)(func(at float64) {
			for range documents {
				request(at)
			}
		})
	}
}

func together(list ...pacing) pacing {
	return func(request func(float64)) {
		for _, p := range list {
			p(request)
		}
	}
}

// TestPaceSituations simulates robots who keep or break what is asked of their pace. A robot that
// keeps it has no figure.
func TestPaceSituations(t *testing.T) {
	corpus.Unraced(t)
	berlin, err := time.LoadLocation("Europe/Berlin") // clocks go back at 01:00 UTC on 26 October
	fatal.If(t, err)
	night := time.Date(2025, 10, 25, 22, 0, 0, 0, time.UTC).Unix()
	const start = 3 * day // of a version that changes what is asked
	type figures struct{ faster, exceeded, outside int64 }
	for _, c := range []struct {
		name    string
		options audit.Options
		texts   []string // the second one from start on, and the third one from an hour later on
		begin   int64    // of the log, if not begins
		agent   string
		zone    *time.Location // of the clock of a log that does not state it
		robot   pacing
		want    figures
		judged  int64 // if not all
	}{
		{name: "keeps Crawl-delay", texts: []string{"Crawl-delay: 10"}, robot: each(10.05, 0, 6*hour)},
		{name: "breaks Crawl-delay", texts: []string{"Crawl-delay: 10"}, robot: each(5, 0, 1000),
			want: figures{faster: 199}},
		{name: "breaks a Crawl-delay of centuries", texts: []string{"Crawl-delay: 99999999999"},
			robot: each(5, 0, 1000), want: figures{faster: 199}},
		{name: "breaks a rate of centuries", texts: []string{"Request-rate: 1/99999999999"}, robot: each(5, 0, 1000),
			want: figures{exceeded: 199}},
		// The log shows a gap of 9 s once in 20 requests.
		{name: "breaks Crawl-delay by a twentieth of a second", texts: []string{"Crawl-delay: 10"},
			robot: each(9.95, 0, 1000), want: figures{faster: 5}},
		{name: "Crawl-delay as a rate", texts: []string{"Crawl-delay: 10"}, agent: smallAgents[5],
			robot: each(5, 0, 1000)},
		{name: "documents that it ignores Crawl-delay",
			texts: []string{"Crawl-delay: 10\nRequest-rate: 1/10\nVisit-time: 0100-0200"}, agent: googlebot,
			robot: each(5, 0, 1000), judged: -1},

		{name: "keeps a rate of one", texts: []string{"Request-rate: 1/10"}, robot: each(10.05, 0, 6*hour)},
		{name: "breaks a rate of one", texts: []string{"Request-rate: 1/10"}, robot: each(5, 0, 1000),
			want: figures{exceeded: 199}},
		{name: "keeps a rate evenly", texts: []string{"Request-rate: 3/10"}, robot: each(3.34, 0, 3*hour)},
		{name: "keeps a rate in bursts", texts: []string{"Request-rate: 10/1m"}, robot: bursts(10, 60, 0, hour)},
		{name: "breaks a rate in bursts", texts: []string{"Request-rate: 10/1m"}, robot: bursts(11, 60, 0, hour),
			want: figures{exceeded: 60}},
		{name: "a burst each 59 seconds", texts: []string{"Request-rate: 10/1m"}, robot: bursts(10, 59, 0, 10*59),
			want: figures{exceeded: 90}},
		{name: "a document in the second after the period", texts: []string{"Request-rate: 2/1m"},
			robot: together(bursts(2, 1, 0, 1), bursts(2, 1, 60, 61), bursts(1, 1, 119, 120)),
			want:  figures{exceeded: 1}},
		{name: "breaks a rate of many", texts: []string{"Request-rate: 2000/1h"}, robot: each(1, 0, 2*hour),
			want: figures{exceeded: 2*hour - 2000}},
		{name: "two addresses keep a rate each", texts: []string{"Request-rate: 1/10"},
			robot: together(each(10, 0, 1000), each(10, 5, 1005)), want: figures{exceeded: 199}},
		{name: "keeps the slowest of two rates at once", texts: []string{"Request-rate: 10/1m\nRequest-rate: 100/1h"},
			robot: bursts(100, 3600, 0, 4*hour)},
		{name: "breaks the slowest of two rates", texts: []string{"Request-rate: 10/1m\nRequest-rate: 100/1h"},
			robot: bursts(101, 3600, 0, 4*hour), want: figures{exceeded: 4}},
		{name: "keeps a faster rate at night", texts: []string{"Request-rate: 1/1m\nRequest-rate: 1/1 0000-0100"},
			robot: together(each(1, 0, hour), each(60, hour, day))},
		{name: "breaks a slower rate by day", texts: []string{"Request-rate: 1/1\nRequest-rate: 1/1m 0600-1800"},
			robot: each(30, 0, day),
			// but for 10 minutes at both ends, and the first one in the period
			want: figures{exceeded: (12*hour-20*minute)/30 - 1}},
		{name: "the first and last seconds of a rate", texts: []string{"Request-rate: 1/1m 1200-1300"},
			want: figures{exceeded: 2},
			robot: together(bursts(2, 1, 12*hour+10*minute-1, 12*hour+10*minute+1), bursts(2, 1, 12*hour+50*minute-1,
				12*hour+50*minute))},
		{name: "a second after the last one of a rate", texts: []string{"Request-rate: 1/1m 1200-1300"},
			robot: bursts(2, 1, 12*hour+50*minute, 13*hour)},
		{name: "a rate whose time ends when it begins", texts: []string{"Request-rate: 1/1m 0600-0600"},
			robot: each(10, 0, day), want: figures{exceeded: day/10 - 1}},

		{name: "keeps Visit-time by a clock that is 9 minutes fast", texts: []string{"Visit-time: 0600-0845"},
			robot: each(60, 6*hour-9*minute, 8*hour+36*minute)},
		{name: "keeps Visit-time by a clock that is 9 minutes slow", texts: []string{"Visit-time: 0600-0845"},
			robot: each(60, 6*hour+9*minute, 8*hour+54*minute)},
		{name: "breaks Visit-time", texts: []string{"Visit-time: 0600-0845"}, robot: each(60, 0, day),
			want: figures{outside: 24*60 - 165 - 20}},
		{name: "breaks Visit-time around midnight", texts: []string{"Visit-time: 2200-0400"}, robot: each(60, 0, 2*day),
			want: figures{outside: 2 * (18*60 - 20)}},
		{name: "keeps one of two Visit-times", texts: []string{"Visit-time: 0600-0845\nVisit-time: 1200-1300"},
			robot: each(60, 12*hour, 13*hour)},
		{name: "the whole day", texts: []string{"Visit-time: 0000-2400"}, robot: each(60, 0, 2*day)},
		{name: "the whole day, as some write it", texts: []string{"Visit-time: 0000-0000"}, robot: each(60, 0, 2*day)},

		// A robot that read robots.txt just before the change goes by the copy for 24 hours.
		{name: "keeps what its copy asks", texts: []string{"Disallow:",
			"Crawl-delay: 60\nRequest-rate: 60/1h\nVisit-time: 0000-1200"},
			robot: together(each(20, start, start+day), each(60, start+day, start+day+12*hour))},
		{name: "learns of a long period", texts: []string{"Disallow:", "Request-rate: 100/1h"},
			robot: together(each(30, start, start+day), bursts(100, 3600, start+day, start+day+4*hour))},
		{name: "never learns", texts: []string{"Disallow:", "Request-rate: 1/1m"}, robot: each(30, start, start+2*day),
			want: figures{exceeded: (day - 11*minute) / 30}},
		{name: "never learns, from the first second on", texts: []string{"Disallow:", "Request-rate: 1/1m"},
			robot: each(30, start+29, start+29+2*day), want: figures{exceeded: (day-11*minute)/30 + 1}},
		{name: "never learns of a long period, which a short one follows",
			texts: []string{"Disallow:", "Request-rate: 1/1h", "Request-rate: 1/1m"}, robot: each(30, start, start+
				2*day),
			want: figures{exceeded: (day - hour - 10*minute) / 30}},
		{name: "goes by the slower version", texts: []string{"Request-rate: 1/10", "Request-rate: 1/1m"},
			robot: each(10, start, start+day)},
		{name: "goes by neither version", texts: []string{"Request-rate: 1/10", "Request-rate: 1/1m"},
			robot: each(5, start, start+1000), want: figures{exceeded: 199}},

		{name: "without a zone", texts: []string{"Crawl-delay: 60\nRequest-rate: 1/60\nVisit-time: 0600-0845"},
			zone: time.FixedZone("", 7*hour), robot: each(5, 0, 1000), judged: -1},
		{name: "with the zone given", options: audit.Options{Zone: berlin},
			texts: []string{"Crawl-delay: 60\nRequest-rate: 1/60\nVisit-time: 0600-0845"}, zone: berlin,
			robot: each(5, 0, 1000), want: figures{199, 199, 200}},
		// From 00:00 to 02:00 UTC clocks show each time twice.
		{name: "in the hour that the end of daylight saving repeats", options: audit.Options{Zone: berlin},
			begin: night, texts: []string{"Crawl-delay: 1800\nRequest-rate: 1/30m"}, zone: berlin,
			robot: each(1800, 0, 8*hour), judged: 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			begin := c.begin
			if begin == 0 {
				begin = begins
			}
			versions := []audit.Version{{ID: "first", Text: []byte("User-agent: *\n" + c.texts[0] + "\n")}}
			if len(c.texts) > 1 {
				versions = append(versions, text("second", begin+start, "User-agent: *\n"+c.texts[1]+"\n"))
			}
			if len(c.texts) > 2 {
				versions = append(versions, text("third", begin+start+hour, "User-agent: *\n"+c.texts[2]+"\n"))
			}
			o := c.options
			o.Sites = map[string][]audit.Version{"": versions}
			log, zone := &logFile{name: "access.log", readIn: o.Zone}, c.zone
			if zone == nil {
				zone = time.UTC
			}
			userAgent, requests := c.agent, int64(0)
			if userAgent == "" {
				userAgent = simbot
			}
			c.robot(func(at float64) {
				requests++
				log.add(visit{at: begin + int64(math.Floor(at)), zoned: c.zone == nil, client: addr("192.0.2.1"),
					agent: userAgent, method: "GET", path: "/x", status: 200}, zone)
			})
			got := fastReportOf(t, o, 2, log)
			p := got.Robots[0].Pace
			f := figures{faster: p.Faster}
			if p.RequestRate != nil {
				f.exceeded = p.RequestRate.Exceeded
			}
			if p.VisitTime != nil {
				f.outside = p.VisitTime.Outside
			}
			if f != c.want {
				t.Errorf("got %+v, want %+v", f, c.want)
			}
			switch {
			case c.judged == 0 && p.Judged != requests, c.judged > 0 && p.Judged != c.judged, c.judged < 0 &&
				p.Judged != 0:
				t.Errorf("the pace of %d of %d requests is judged", p.Judged, requests)
			}
			want, evidence := slowReportOf(o, log)
			compareReports(t, got, want, evidence)
		})
	}
}

// TestPaceLateVersion holds a robot to what was in force: the log shows that the second version,
// which asks for nothing, never was.
func TestPaceLateVersion(t *testing.T) {
	first, start := "User-agent: *\nCrawl-delay: 10\n", begins+3*day
	o := audit.Options{Sites: map[string][]audit.Version{"": {
		{ID: "first", Text: []byte(first)}, text("second", start, "User-agent: *\nDisallow: /z\n"), text("third", start+
			hour, first+"Disallow: /w\n"),
	}}}
	log := &logFile{name: "access.log"}
	log.add(visit{at: start + hour - 1, zoned: true, client: addr("192.0.2.1"), agent: simbot, method: "GET",
		path: "/robots.txt", status: 200, bytes: int64(len(first))}, time.UTC)
	each(5, 0, 1000)(func(at float64) {
		log.add(visit{at: start + hour + int64(at), zoned: true, client: addr("192.0.2.1"), agent: simbot,
			method: "GET", path: "/x", status: 200}, time.UTC)
	})
	got := fastReportOf(t, o, 1, log)
	if p := got.Robots[0].Pace; p.Faster != 199 || len(p.Versions) != 1 || p.Versions[0].Version != "third" {
		t.Errorf("got %+v", p)
	}
	want, evidence := slowReportOf(o, log)
	compareReports(t, got, want, evidence)
}
