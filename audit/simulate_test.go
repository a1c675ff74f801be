package audit_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// The situations are those of a site that closes /x at noon of the fourth day, and opens it on the
// seventh day. A robot that obeys RFC 9309 keeps its copy of robots.txt for 24 hours, and requests
// /x each minute while its copy allows that.
const (
	begins = int64(1_760_000_400 / day * day)
	closes = begins + 3*day + 12*hour
	opens  = begins + 6*day
)

// The texts have the same length, so that logs do not show when a version began.
const (
	openText   = "User-agent: *\nDisallow: /z\n"
	closedText = "User-agent: *\nDisallow: /x\n"
	againText  = "User-agent: *\nDisallow: /w\n"
	longText   = "User-agent: *\nDisallow: /long\n"
)

func text(id string, from int64, text string) audit.Version {
	return audit.Version{ID: id, From: stamp(from), Text: []byte(text)}
}

// plainVersions are what is in force at the site.
func plainVersions() []audit.Version {
	return []audit.Version{text("open", begins-30*day, openText), text("closed", closes, closedText),
		text("again", opens, againText)}
}

// An answer is what a server says to GET /robots.txt.
type answer struct {
	status int
	text   string
}

// A scene is a situation: a site, its robots, and what the audit must find.
type scene struct {
	log     *logFile
	zone    *time.Location // of the clock of the log
	unzoned bool
	host    string
	late    int64 // seconds until the log has the time of a request for a page
	unseen  bool  // a cache answers GET /robots.txt, and the log does not have the requests
	serve   func(at int64, userAgent string) answer
}

// servePlain answers with what is in force.
func servePlain(at int64, _ string) answer {
	switch {
	case at < closes:
		return answer{200, openText}
	case at < opens:
		return answer{200, closedText}
	}
	return answer{200, againText}
}

// serveOther answers in another way during a time.
func serveOther(from, to int64, other answer) func(int64, string) answer {
	return func(at int64, userAgent string) answer {
		if from <= at && at < to {
			return other
		}
		return servePlain(at, userAgent)
	}
}

func (s *scene) request(v visit) {
	v.host, v.zoned = s.host, !s.unzoned
	s.log.add(v, s.zone)
}

// A fetcher is one process of a robot, with its copy of robots.txt.
type fetcher struct {
	agent  string
	client netip.Addr
	keeps  int64 // how long it keeps its copy; 0 is 24 hours
	copied *robots.Policy
	next   int64 // when it reads robots.txt again
}

const (
	simbot    = "simbot/1.0 (+https://simbot.example/)"
	googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
)

func newFetcher(firstRead int64) *fetcher {
	return &fetcher{agent: simbot, client: addr("192.0.2.1"), next: firstRead, keeps: day}
}

// read reads robots.txt. A robot keeps its copy while robots.txt is unreachable (RFC 9309, section
// 2.3.1.4), and tries again each hour. Without robots.txt it may request everything.
func (f *fetcher) read(s *scene, at int64) {
	a := s.serve(at, f.agent)
	if !s.unseen {
		s.request(visit{at: at, client: f.client, method: "GET", path: "/robots.txt", status: a.status,
			bytes: int64(len(a.text)), agent: f.agent})
	}
	switch {
	case a.status == 200:
		f.copied = robots.Parse([]byte(a.text))
	case a.status >= 500 || a.status == 429:
		f.next = at + hour
		return
	default:
		f.copied = robots.AllowAll()
	}
	f.next = at + f.keeps
}

func (f *fetcher) page(s *scene, at int64) {
	s.request(visit{at: at + s.late, client: f.client, method: "GET", path: "/x", status: 200, bytes: 1000,
		agent: f.agent})
}

// obey lets robots obey from the beginning of the site's time to its end. A robot that reads
// robots.txt for the first time later has read it before at the same time of the day.
func (s *scene) obey(fetchers ...*fetcher) {
	for at := begins; at < opens; at += minute {
		for _, f := range fetchers {
			if f.copied == nil && at < f.next {
				continue
			}
			if at >= f.next {
				f.read(s, at)
			}
			if f.copied != nil && agent.Group(f.copied, f.agent).Allowed("/x") {
				f.page(s, at)
			}
		}
	}
}

// disobey lets a robot request /x all the time, and read robots.txt at intervals, or never.
func (s *scene) disobey(f *fetcher, from, every int64) {
	for at := from; at < opens; at += minute {
		if every > 0 && (at-from)%every == 0 {
			f.read(s, at)
		}
		f.page(s, at)
	}
}

// dayBefore returns the first time of the site that is whole days before.
func dayBefore(at int64) int64 { return at - (at-begins)/day*day }

// TestSituations simulates robots whose obedience is known. In an obedient robot, no violation is
// certain. There are 5 fetchers in the cases with many, or 20 with ROBOTS_CORPUS_ALL.
func TestSituations(t *testing.T) {
	corpus.Unraced(t)
	lone := func(s *scene) { s.obey(newFetcher(dayBefore(closes - minute))) }
	many := corpus.Cases(3, 20)
	each := func(oneAddress bool) func(*scene) {
		return func(s *scene) {
			var fetchers []*fetcher
			for k := range many {
				f := newFetcher(dayBefore(closes - minute + int64(k)*day/int64(many)))
				if !oneAddress {
					f.client = netip.AddrFrom4([4]byte{192, 0, 2, byte(1 + k)})
				}
				fetchers = append(fetchers, f)
			}
			s.obey(fetchers...)
		}
	}
	readAt := func(at int64) func(*scene) { return func(s *scene) { s.obey(newFetcher(dayBefore(at))) } }
	opening := []audit.Version{text("closed", begins-30*day, closedText), text("open", closes, openText)}
	early := []audit.Version{text("open", begins-30*day, openText), text("closed", closes, closedText)}
	forgers := audit.Options{Identify: func(_ agent.Agent, client netip.Addr) agent.Result {
		if client == addr("192.0.2.1") {
			return agent.Verified
		}
		return agent.Forged
	}}
	lateServer := func(at int64, userAgent string) answer { return servePlain(at-6*hour, userAgent) }

	for _, c := range []struct {
		name     string
		options  audit.Options
		versions []audit.Version // if not plainVersions
		scene    scene
		run      func(*scene)
		want     audit.Count // certain, informed, grace
	}{
		{name: "one fetcher", run: lone, want: audit.Count{Grace: 1439}},
		{name: "many fetchers, each with its address", run: each(false),
			want: audit.Count{Grace: int64(corpus.Cases(2877, 15100))}},
		// The robots cannot be told apart: from 10 minutes after the first has read, all seem
		// informed.
		{name: "many fetchers behind one address", run: each(true),
			want: audit.Count{Informed: int64(corpus.Cases(1418, 13471)), Grace: int64(corpus.Cases(1459, 1629))}},
		{name: "transfers of 8 minutes logged at their end", scene: scene{late: 8 * minute}, run: lone,
			want: audit.Count{Grace: 1447}},
		{name: "clocks 5 minutes apart", scene: scene{late: 5 * minute}, run: lone, want: audit.Count{Grace: 1444}},
		// The log has the first requests of /x before the version that opened /x. A day before, the
		// robot read that /x is closed, and the next answer is not older than the slack.
		{name: "a clock 5 minutes late", versions: opening,
			scene: scene{late: -5 * minute, serve: func(at int64, _ string) answer {
				if at < closes {
					return answer{200, closedText}
				}
				return answer{200, openText}
			}}, run: readAt(closes), want: audit.Count{Informed: 5}},
		{name: "a request in the second of the answer 404", versions: opening[:1],
			scene: scene{serve: func(at int64, _ string) answer {
				if at < closes {
					return answer{200, closedText}
				}
				return answer{404, "not found"}
			}}, run: readAt(closes), want: audit.Count{Informed: 1, Grace: 3599}},
		{name: "404 for 2 hours", scene: scene{serve: serveOther(closes, closes+2*hour, answer{404, "not found"})},
			run: readAt(closes + 30*minute), want: audit.Count{Grace: 1470}},
		{name: "503 for 48 hours", scene: scene{serve: serveOther(closes, closes+2*day, answer{503, ""})}, run: lone,
			want: audit.Count{Grace: 2939}},
		{name: "429 for 48 hours", scene: scene{serve: serveOther(closes, closes+2*day, answer{429, ""})}, run: lone,
			want: audit.Count{Grace: 2939}},
		{name: "403 to this robot alone", run: lone, want: audit.Count{Grace: 3600},
			scene: scene{serve: func(at int64, userAgent string) answer {
				if userAgent == simbot {
					return answer{403, ""}
				}
				return servePlain(at, userAgent)
			}}},
		{name: "a cache of 4 hours before the server, without Edge",
			scene: scene{unseen: true, serve: serveOther(closes, closes+4*hour, answer{200, openText})},
			run:   readAt(closes + hour), want: audit.Count{Certain: 50, Grace: 1450}},
		{name: "a cache of 4 hours before the server, with Edge", options: audit.Options{Edge: 4 * time.Hour},
			scene: scene{unseen: true, serve: serveOther(closes, closes+4*hour, answer{200, openText})},
			run:   readAt(closes + hour), want: audit.Count{Grace: 1500}},
		// Nothing in the log shows that the commit was not served yet.
		{name: "a commit 6 hours before it is deployed", versions: early, scene: scene{serve: lateServer},
			run:  readAt(closes + 5*hour),
			want: audit.Count{Certain: 290, Informed: 1139, Grace: 311}},
		{name: "a commit 6 hours before it is deployed, given", versions: []audit.Version{early[0],
			text("closed", closes+6*hour, closedText)}, scene: scene{serve: lateServer},
			run: readAt(closes + 5*hour), want: audit.Count{Grace: 1380}},
		{name: "a commit 6 hours before it is deployed, shown by its length",
			versions: []audit.Version{text("open", begins-30*day, longText), early[1]}, run: readAt(closes + 5*hour),
			scene: scene{serve: func(at int64, userAgent string) answer {
				if at < closes+6*hour {
					return answer{200, longText}
				}
				return answer{200, closedText}
			}}},
		{name: "a forger", options: forgers, want: audit.Count{Grace: 1439},
			run: func(s *scene) {
				obedient, forger := newFetcher(dayBefore(closes-minute)), newFetcher(closes+minute)
				obedient.agent, forger.agent, forger.client = googlebot, googlebot, addr("198.51.100.1")
				s.obey(obedient)
				s.disobey(forger, closes+minute, 6*hour)
			}},
		{name: "HEAD, and a redirect", want: audit.Count{Grace: 1439}, run: func(s *scene) {
			lone(s)
			for at := closes; at < opens; at += hour {
				s.request(visit{at: at, client: addr("192.0.2.1"), method: "HEAD", path: "/robots.txt", status: 200,
					agent: simbot})
				s.request(visit{at: at, client: addr("192.0.2.1"), method: "GET", path: "/robots.txt", status: 301,
					bytes: 5, agent: simbot})
			}
		}},
		{name: "another host with another policy", want: audit.Count{Grace: 1439},
			options: audit.Options{Sites: map[string][]audit.Version{"other.example": {text("other", begins,
				closedText)}}},
			scene: scene{host: "site.example"},
			run: func(s *scene) {
				lone(s)
				other := &scene{log: s.log, zone: s.zone, host: "other.example",
					serve: func(int64, string) answer { return answer{200, closedText} }}
				other.obey(newFetcher(begins))
			}},
		// Without the zone, a read just before the change seems to be one of the new version: it
		// informs of nothing, and nothing near the change is certain.
		{name: "local time without a zone", scene: scene{unzoned: true, zone: time.FixedZone("", hour)}, run: lone,
			want: audit.Count{Grace: 1499}},
		{name: "local time with its zone given", options: audit.Options{Zone: time.FixedZone("", hour)},
			scene: scene{unzoned: true, zone: time.FixedZone("", hour)}, run: lone, want: audit.Count{Grace: 1439}},
		{name: "before the first commit", versions: []audit.Version{{ID: "none", State: audit.Nothing},
			text("closed", closes, closedText)},
			scene: scene{serve: serveOther(0, closes, answer{404, ""})}, run: lone, want: audit.Count{Grace: 1439}},
		{name: "disobeys: never reads", run: func(s *scene) { s.disobey(newFetcher(0), begins, 0) },
			want: audit.Count{Certain: 2140, Grace: 1460}},
		{name: "disobeys: reads every 6 hours", run: func(s *scene) { s.disobey(newFetcher(0), begins, 6*hour) },
			want: audit.Count{Certain: 2140, Informed: 1449, Grace: 11}},
		{name: "disobeys: keeps its copy for 10 days", want: audit.Count{Certain: 2140, Grace: 1460},
			run: func(s *scene) {
				f := newFetcher(begins)
				f.keeps = 10 * day
				s.obey(f)
			}},
		{name: "disobeys: robots.txt is missing for 4 hours each day", want: audit.Count{Informed: 2509, Grace: 1091},
			run: func(s *scene) { s.disobey(newFetcher(0), begins, 6*hour) },
			scene: scene{serve: func(at int64, userAgent string) answer {
				if h := (at - begins) % day / hour; h >= 10 && h < 14 {
					return answer{404, ""}
				}
				return servePlain(at, userAgent)
			}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.scene
			s.log = &logFile{name: "access.log", readIn: c.options.Zone}
			if s.zone == nil {
				s.zone = time.UTC
			}
			if s.serve == nil {
				s.serve = servePlain
			}
			c.run(&s)
			o, versions := c.options, c.versions
			sites := map[string][]audit.Version{}
			for host, list := range o.Sites {
				sites[host] = list
			}
			if versions == nil {
				versions = plainVersions()
			}
			sites[s.host] = versions
			o.Sites = sites
			got := fastReportOf(t, o, 2, s.log)
			if n := allViolations(got); n != c.want {
				t.Errorf("got %+v, want %+v", n, c.want)
			}
			for _, robot := range got.Robots {
				for _, rule := range robot.Violations.Rules {
					if rule.Example.Text == "" {
						t.Errorf("line %d of %s has no example", rule.Line, rule.Version)
					}
				}
			}
			want, evidence := slowReportOf(o, s.log)
			compareReports(t, got, want, evidence)
		})
	}
}

func allViolations(r *audit.Report) (n audit.Count) {
	for _, robot := range r.Robots {
		n.Certain += robot.Violations.Certain
		n.Informed += robot.Violations.Informed
		n.Grace += robot.Violations.Grace
	}
	return n
}
