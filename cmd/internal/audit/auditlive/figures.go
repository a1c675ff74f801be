package auditlive

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// figures count the lines of a live audit. The tokens of robots that are in no table count as
// other: strangers write them.
type figures struct {
	requests     map[string]int64 // by token; also "other" and "people"
	violations   map[tokenClass]int64
	forged       map[string]int64 // by token
	unjudged     map[string]int64 // by reason
	unreadable   int64
	dropped      int64
	unidentified int64     // requests of clients that were not identified in time
	named        int64     // requests whose lines have a User-Agent
	last         time.Time // the latest time of a request
	read         time.Time // when the last request was read
}

type tokenClass struct{ token, class string }

func newFigures() figures {
	return figures{requests: map[string]int64{}, violations: map[tokenClass]int64{}, forged: map[string]int64{},
		unjudged: map[string]int64{}}
}

// request counts a request.
func (f *figures) request(r *accesslog.Request, j audit.Judgement, known *agent.Table) {
	f.requests[labelOf(j, known)]++
	if r.UserAgent != nil {
		f.named++
	}
	if r.Time.After(f.last) {
		f.last = r.Time
	}
	f.read = time.Now()
	if j.Unjudged != "" && j.Unjudged != "person" && j.Unjudged != "robots.txt" && j.Identity != agent.Forged {
		f.unjudged[j.Unjudged]++
	}
}

// judged counts the judgement of a request that waited, and returns its class.
func (f *figures) judged(j audit.Judgement, known *agent.Table) (class string) {
	switch {
	case j.Identity == agent.Forged:
		f.forged[labelOf(j, known)]++
		if j.Unjudged != "robots.txt" {
			f.unjudged[j.Unjudged]++
		}
		return agent.Forged.String()
	case j.Unjudged == "robots.txt":
		return ""
	case j.Unjudged != "":
		f.unjudged[j.Unjudged]++
		return ""
	case j.Class != audit.Allowed:
		f.violations[tokenClass{labelOf(j, known), j.Class.String()}]++
	}
	return j.Class.String()
}

// labelOf returns the token of a known robot, or "other", or "people".
func labelOf(j audit.Judgement, known *agent.Table) string {
	switch {
	case j.Token == "":
		return "people"
	case known.Named(j.Token).Known():
		return j.Token
	}
	return "other"
}

// A Summary summarizes the requests of a live audit.
type Summary struct {
	Requests, Unreadable     int64
	Certain, Informed, Grace int64
	Forged                   int64
	Late, Dropped            int64 // not judged: an hour late, or for want of memory
	Nameless                 bool  // no line had a User-Agent
}

func (f *figures) summary() Summary {
	s := Summary{Unreadable: f.unreadable, Late: f.unjudged["late"], Dropped: f.dropped}
	for _, n := range f.requests {
		s.Requests += n
	}
	for key, n := range f.violations {
		switch key.class {
		case audit.Certain.String():
			s.Certain += n
		case audit.Informed.String():
			s.Informed += n
		case audit.InGrace.String():
			s.Grace += n
		}
	}
	for _, n := range f.forged {
		s.Forged += n
	}
	s.Nameless = s.Requests > 0 && f.named == 0
	return s
}

// String returns the summary as a sentence.
func (s Summary) String() string {
	text := fmt.Sprintf("requests followed: %d; certain violations: %d; informed: %d; in grace: %d; "+
		"forged requests: %d; unreadable lines: %d",
		s.Requests, s.Certain, s.Informed, s.Grace, s.Forged, s.Unreadable)
	if s.Late+s.Dropped > 0 {
		text += fmt.Sprintf("; requests not judged because they came too late: %d, and for want of memory: %d",
			s.Late, s.Dropped)
	}
	return text
}
