package audit_test

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A span is seconds, from inclusive, to exclusive.
type span struct{ from, to int64 }

func anyHas(spans []span, at int64) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.from <= at && at < s.to })
}

// A town is a site that opens and closes /x, with people, robots that obey and robots that do not.
// Its server fails now and then: for all, or for one token alone. Its clocks may state no zone, and
// go back in the third night.
type town struct {
	random   *rand.Rand
	from, to int64
	versions []audit.Version
	closed   []span
	missing  []span            // there is no robots.txt
	outages  []span            // robots.txt fails for all
	limited  map[string][]span // robots.txt fails for a token alone, or is forbidden
	log      *logFile
	zoned    bool
	berlin   *time.Location

	innocent map[int]bool   // by line, of robots that obey
	guilty   map[int]string // by line, what nothing excuses
}

func newTown(seed uint64) *town {
	berlin, _ := time.LoadLocation("Europe/Berlin")
	from := time.Date(2026, 10, 22, 22, 0, 0, 0, time.UTC).Unix() // clocks go back on 25 October at 01:00 UTC
	w := &town{random: rand.New(rand.NewPCG(seed, 29)), from: from, to: from + 5*day, limited: map[string][]span{},
		zoned: seed%3 == 0, berlin: berlin, innocent: map[int]bool{}, guilty: map[int]string{}}
	w.log = &logFile{name: "access.log"}
	if !w.zoned {
		w.log.readIn = berlin
	}
	at, open := w.from-2*day, w.random.IntN(2) == 0
	for i := 0; at < w.to; i++ {
		end := at + []int64{2 * day, 3 * day, 20 * hour, 5 * hour}[w.random.IntN(4)] + w.random.Int64N(3*hour)
		name := openText
		if !open {
			name = closedText
			w.closed = append(w.closed, span{at, end})
		}
		w.versions = append(w.versions, text(string(rune('a'+i)), at, name))
		at, open = end, !open
	}
	w.versions[0].From = time.Time{}
	spans := func(n int, longest int64) (list []span) {
		for range w.random.IntN(n + 1) {
			from := w.from + w.random.Int64N(w.to-w.from)
			list = append(list, span{from, from + 1 + w.random.Int64N(longest)})
		}
		return list
	}
	w.missing, w.outages = spans(1, 3*hour), spans(1, 20*hour)
	for _, name := range townRobots {
		w.limited[name] = spans(2, 30*hour)
	}
	return w
}

var townRobots = []string{"goodbot/1.0", "fleetbot/1.0", "blindbot/1.0", "boldbot/1.0"}

// serve answers GET /robots.txt.
func (w *town) serve(name string, at int64) answer {
	switch {
	case anyHas(w.limited[name], at):
		return answer{[]int{429, 403, 503, 404}[len(name)%2*2+int(at/day)%2], ""}
	case anyHas(w.outages, at):
		return answer{503, ""}
	case anyHas(w.missing, at):
		return answer{404, ""}
	case anyHas(w.closed, at):
		return answer{200, closedText}
	}
	return answer{200, openText}
}

func (w *town) add(name, path string, at int64, client netip.Addr, status int, size int) int {
	w.log.add(visit{at: at, zoned: w.zoned, client: client, method: "GET", path: path, status: status,
		bytes: int64(size), agent: name}, w.berlin)
	return int(w.log.lines)
}

// walk lets a robot with its own copy of robots.txt request /x. An obedient one does only what its
// copy allows; another one always.
func (w *town) walk(name string, client netip.Addr, obeys, reads bool) {
	var copied string
	next := w.from + w.random.Int64N(day)
	for at := next; at < w.to; at += 1 + w.random.Int64N(20*minute) {
		if reads && at >= next {
			a := w.serve(name, at)
			w.add(name, "/robots.txt", at, client, a.status, len(a.text))
			switch {
			case a.status == 200:
				copied, next = a.text, at+day
			case a.status == 429 || a.status >= 500:
				next = at + hour
			default:
				copied, next = openText, at+day
			}
			at += 1 + w.random.Int64N(30)
		}
		if obeys && copied != openText {
			continue
		}
		// The log has the end of a slow transfer.
		line := w.add(name, "/x", at+w.random.Int64N(8*minute), client, 200, 9)
		w.innocent[line] = obeys
		if !obeys {
			w.guilty[line] = w.excuse(name, at)
		}
	}
}

// excuse returns why a robot may not be certainly guilty at a time, or "".
func (w *town) excuse(name string, at int64) string {
	from, to := at-27*hour, at+2*hour
	near := func(spans []span) bool {
		return slices.ContainsFunc(spans, func(s span) bool { return s.from < to && from-2*hour < s.to })
	}
	switch {
	case !slices.ContainsFunc(w.closed, func(s span) bool { return s.from <= from && to <= s.to }):
		return "not closed for long"
	case near(w.missing), near(w.outages):
		return "failures for all"
	case near(w.limited[name]):
		return "failures for it"
	}
	return ""
}

// No line of a robot that obeys is accused, and each line of one that does not, and has no excuse,
// is certain: whatever other clients are answered, and whatever clocks show.
func TestInnocentAndGuilty(t *testing.T) {
	corpus.Unraced(t)
	certain := 0
	for seed := range uint64(corpus.Cases(12, 400)) {
		w := newTown(seed)
		for at := w.from; at < w.to; at += 1 + w.random.Int64N(40*minute) { // people, who have limits too
			status := []int{413, 400, 417, 429, 404, 401, 410, 503}[w.random.IntN(8)]
			if seed%2 == 0 || w.random.IntN(4) > 0 {
				status = w.serve("", at).status
			}
			w.add(firefox, "/robots.txt", at, addr("198.51.100.1"), status, 26)
			if status != 200 && !anyHas(w.missing, at) && !anyHas(w.outages, at) {
				w.add(firefox, "/robots.txt", at+1, addr("198.51.100.2"), 200, 26)
			}
		}
		w.walk("goodbot/1.0", addr("192.0.2.1"), true, true)
		for i := range byte(3) {
			w.walk("fleetbot/1.0", netip.AddrFrom4([4]byte{192, 0, 2, 10 + i}), true, true)
		}
		w.walk("blindbot/1.0", addr("192.0.2.20"), false, false)
		w.walk("boldbot/1.0", addr("192.0.2.30"), false, true)
		o := audit.Options{Sites: map[string][]audit.Version{"": w.versions}}
		if !w.zoned {
			o.Zone = w.berlin
		}
		a, err := audit.New(o)
		fatal.If(t, err)
		log := accesslog.Reader{Zone: o.Zone}
		scan := func() *accesslog.Scan { return log.From("log", strings.NewReader(w.log.text.String())) }
		part, err := a.Read(scan(), 1)
		fatal.If(t, err)
		judge := part.Judge()
		for r, err := range scan().Requests() {
			fatal.If(t, err)
			is := judge.Judge(r).Class == audit.Certain
			excuse, guilty := w.guilty[r.Line]
			switch {
			case is && w.innocent[r.Line]:
				t.Errorf("seed %d: innocent: %s", seed, r.Text)
			case !is && guilty && excuse == "":
				t.Errorf("seed %d: not certain: %s", seed, r.Text)
			case is:
				certain++
			}
		}
		if t.Failed() {
			t.Fatalf("closed %v, missing %v, outages %v, limited %v", w.closed, w.missing, w.outages, w.limited)
		}
	}
	if certain < 1000 {
		t.Errorf("only %d certain lines", certain)
	}
}

// What another client is answered frees nobody, if the file is read meanwhile.
func TestAnswersToOthers(t *testing.T) {
	const robot = "simbot/1.0"
	for _, test := range []struct {
		name   string
		status int
		agent  string
		alone  bool // nobody else reads robots.txt
		freed  bool
	}{
		{name: "a request that is too large", status: 413, agent: firefox, alone: true},
		{name: "a request that is too large, by the robot", status: 413, agent: robot, alone: true},
		{name: "not acceptable", status: 406, agent: robot, alone: true},
		{name: "a strange client", status: 404, agent: firefox},
		{name: "a strange client, and nobody reads", status: 404, agent: firefox, alone: true, freed: true},
		{name: "gone for the robot", status: 410, agent: robot, freed: true},
		{name: "payment for the robot", status: 402, agent: robot, freed: true},
		{name: "payment for another", status: 402, agent: firefox, alone: true},
		{name: "a limit for another", status: 429, agent: firefox},
		{name: "a limit for the robot", status: 429, agent: robot, freed: true},
		{name: "an outage", status: 503, agent: firefox, alone: true, freed: true},
	} {
		at := begins + 2*hour
		log := &logFile{name: "log"}
		add := func(at int64, header, path string, status int) {
			log.add(visit{at: at, zoned: true, client: addr("192.0.2.1"), method: "GET", path: path, status: status,
				bytes: 26, agent: header}, time.UTC)
		}
		add(at, test.agent, "/robots.txt", test.status)
		if !test.alone {
			add(at+hour, firefox, "/robots.txt", 200)
		}
		add(at+2*hour, robot, "/x", 200)
		o := audit.Options{Sites: map[string][]audit.Version{"": {text("open", begins-day, openText),
			text("closed", begins-21*hour, closedText)}}}
		got := fastReportOf(t, o, 1, log)
		want, evidence := slowReportOf(o, log)
		compareReports(t, got, want, evidence)
		if n := allViolations(got); (n.Certain == 0) != test.freed {
			t.Errorf("%s: %+v", test.name, n)
		}
	}
}

// In the hour that the clock shows twice, an answer counts at both times.
func TestAnswersOfRepeatedHour(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	fatal.If(t, err)
	end := time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC).Unix()
	for _, test := range []struct {
		name     string
		versions []audit.Version
		visits   []visit // at: seconds after the first 02:00
		want     audit.Count
	}{
		{"a 404 in the first run may be of the second", []audit.Version{text("closed", end-9*day, closedText)},
			[]visit{{at: 50 * minute, path: "/robots.txt", status: 404, agent: firefox},
				{at: hour + 20*minute, path: "/x", status: 200, agent: simbot}}, audit.Count{Grace: 1}},
		{"a 404 in the second run may be of the first", []audit.Version{text("closed", end-9*day, closedText)},
			[]visit{{at: hour + 20*minute, path: "/robots.txt", status: 404, agent: firefox},
				{at: 26 * hour, path: "/x", status: 200, agent: simbot}}, audit.Count{Certain: 1}},
		{"an outage lasts from the first run to the second", []audit.Version{text("open", end-9*day, openText),
			text("closed", end-24*hour, closedText)},
			[]visit{{at: 30 * minute, path: "/robots.txt", status: 503, agent: simbot},
				{at: 40 * minute, path: "/robots.txt", status: 200, agent: simbot},
				{at: 2*hour - 10*minute, path: "/x", status: 200, agent: simbot}}, audit.Count{Grace: 1}},
		{"a read of the second run informs of nothing before", []audit.Version{text("open", end-9*day, openText),
			text("closed", end-2*hour, closedText)},
			[]visit{{at: 10 * minute, path: "/robots.txt", status: 200, agent: simbot},
				{at: 30 * minute, path: "/x", status: 200, agent: simbot},
				{at: 5 * hour, path: "/x", status: 200, agent: simbot}}, audit.Count{Informed: 1, Grace: 1}},
	} {
		log := &logFile{name: "log", readIn: berlin}
		for _, v := range test.visits {
			v.at, v.client, v.method, v.bytes = v.at+end-hour, addr("192.0.2.1"), "GET", 26
			log.add(v, berlin)
		}
		o := audit.Options{Sites: map[string][]audit.Version{"": test.versions}, Zone: berlin}
		got := fastReportOf(t, o, 1, log)
		want, evidence := slowReportOf(o, log)
		compareReports(t, got, want, evidence)
		if n := allViolations(got); n != test.want {
			t.Errorf("%s: got %+v, want %+v", test.name, n, test.want)
		}
	}
}
