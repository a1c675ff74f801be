package robottest

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/language"
)

// The limits of the duties. Each is generous: a robot that breaks it is impolite by any standard.
const (
	leastGap    = 1500 * time.Millisecond // between the starts of two requests, for a Crawl-delay of two seconds
	burst       = 10                      // requests in a row
	leastBurst  = 4 * time.Second         // from the start of the first to the start of the last of them
	mostFiles   = 3                       // requests for one robots.txt
	mostFetches = 2                       // requests for a page: HEAD and GET, or a second try
	mostTries   = 6                       // requests for a page without an answer
	mostHops    = 60                      // requests in a loop; curl -L makes 50
	mostInside  = 200                     // requests into a tree without an end
	silence     = 10 * time.Second        // after which a robot has left a tree
	longQueue   = time.Hour               // a robot that is busy for so long after a page follows none of its links
	patience    = 30 * time.Second        // after which a robot has given up a page
	leastRate   = 2250 * time.Millisecond // between the starts of two requests, for a Request-rate of 1/3s
	overload    = 10 * time.Second        // after the first answer 503
	mostSoon    = 5                       // requests in that time
	early       = time.Second             // tolerance of Retry-After, whose unit is a second
	underWay    = 500 * time.Millisecond  // an answer may take so long to stop the requests of a busy robot
	arrival     = 50 * time.Millisecond   // and so long if a whole exchange lies between
)

// rounded returns a time as text, in milliseconds.
func rounded(d time.Duration) string { return d.Round(time.Millisecond).String() }

// namesItself judges the User-Agent fields.
func namesItself(t *trial, _ *site) verdict {
	switch wrong := t.faults[nameless]; {
	case len(t.all) == 0:
		return notShown(textNoRequest)
	case wrong.n > 0:
		return wrong.broken(textNameless.With())
	}
	return kept(t.all[0])
}

// givesContact judges the User-Agent and From fields of all requests.
func givesContact(t *trial, _ *site) verdict {
	switch wrong := t.faults[noContact]; {
	case len(t.all) == 0:
		return notShown(textNoRequest)
	case wrong.n > 0:
		return wrong.broken(textNoContact.With())
	}
	return kept(t.all[0])
}

// oneAtATime judges a host whose pages take a while.
func oneAtATime(t *trial, s *site) verdict {
	var slow []*Request
	for _, r := range t.pages(s) {
		if slices.Contains(s.exercise.links(), r.Target) {
			slow = append(slow, r)
		}
	}
	for i, r := range slow {
		for _, before := range slow[:i] {
			if before.end == 0 || before.end > r.begin {
				return broken(textTwoAtOnce.With(), before, r)
			}
		}
	}
	if len(slow) < 3 {
		return notShown(textFewSlow, len(slow), s.host())
	}
	return kept(slow...)
}

// keepsDelay judges a host with a Crawl-delay, which counts once it was read.
func keepsDelay(t *trial, s *site) verdict { return keepsGap(t, s, leastGap) }

// keepsRate judges a host with a Request-rate.
func keepsRate(t *trial, s *site) verdict { return keepsGap(t, s, leastRate) }

func keepsGap(t *trial, s *site, least time.Duration) verdict {
	pages := slices.DeleteFunc(t.pages(s), func(r *Request) bool { return !t.read(s, r) })
	for i := 1; i < len(pages); i++ {
		if gap := pages[i].Start.Sub(pages[i-1].Start); gap < least {
			return broken(textShortGap.With(rounded(gap)), pages[i-1], pages[i])
		}
	}
	if len(pages) < 3 {
		return notShown(textFewGaps, len(pages), s.host())
	}
	return kept(pages...)
}

// pauses judges a host that asks for no delay.
func pauses(t *trial, s *site) verdict {
	pages := t.pages(s)
	for i := burst - 1; i < len(pages); i++ {
		from := pages[i-burst+1]
		if took := pages[i].Start.Sub(from.Start); took < leastBurst {
			return broken(textRapid.With(burst, rounded(took)), pages[i-burst+1:i+1]...)
		}
	}
	if len(pages) < burst {
		return notShown(textFewInRow, len(pages), s.host(), burst)
	}
	return kept(pages[:burst]...)
}

// waits judges a host that asks for time with Retry-After.
func waits(t *trial, s *site) verdict {
	requests := t.bySite[s]
	i := slices.IndexFunc(requests, func(r *Request) bool { return r.until != 0 })
	if i < 0 {
		return notShown(textFewerThanTwo, s.host())
	}
	asking := requests[i]
	until := asking.End.Add(asking.until)
	var flying []*Request // may have left before the robot had the answer
	for _, r := range requests[i+1:] {
		switch {
		case r.begin < asking.end || !r.Start.Before(until.Add(-early)):
		case !informed(requests, asking, r):
			flying = append(flying, r)
		default:
			return broken(textTooSoon.With(rounded(r.Start.Sub(asking.End)), rounded(asking.until)), asking, r)
		}
	}
	if last := requests[len(requests)-1]; len(flying) > 0 && last.Start.Before(until.Add(-early)) {
		return notShown(textSentAtOnce, s.host())
	}
	if !t.activeAt(until) {
		return notShown(textSilentAfterRetry)
	}
	return kept(asking)
}

// informed returns whether a robot certainly had the answer to one request when it sent a later one
// to the same host. A robot with several connections, or one that sends several requests at once on
// a connection, sends its next requests before an answer arrives.
func informed(requests []*Request, first, later *Request) bool {
	gap := later.Start.Sub(first.End)
	between := slices.ContainsFunc(requests, func(r *Request) bool {
		return r.begin > first.end && r.end > 0 &&
			r.end < later.begin
	})
	return later.port == first.port && !later.ahead || gap >= underWay || gap >= arrival && between
}

// keepsFile judges all hosts with a robots.txt that can be read.
func keepsFile(t *trial, _ *site) verdict {
	shown := false
	for _, s := range t.web.sites {
		if s.exercise.unaudited || s.exercise.aside {
			continue
		}
		var files []*Request
		for _, r := range t.files(s) {
			if r.Method == http.MethodGet {
				files = append(files, r)
			}
		}
		if len(files) > mostFiles {
			return broken(textManyFiles.With(len(files)), files...)
		}
		shown = shown || len(files) > 0 && len(t.pages(s)) > 2*mostFiles
	}
	if !shown {
		return notShown(textFewWithFile, 2*mostFiles+1)
	}
	return kept()
}

// fetchesOnce judges all pages with good answers. A robot that was stopped while it was busy may
// have had pages of its last host in its queue once more: it needs a host that it left long ago.
func fetchesOnce(t *trial, _ *site) verdict {
	few, shown := true, false
	for _, s := range t.web.sites {
		var last *Request
		byTarget := make(map[string][]*Request)
		for _, r := range t.pages(s) {
			if r.Status != 200 || r.Method != http.MethodGet || r.early || len(r.Target) >= maxText {
				continue
			}
			last = r
			byTarget[r.Target] = append(byTarget[r.Target], r)
			if again := byTarget[r.Target]; len(again) > mostFetches {
				return broken(textAgain.With(), again...)
			}
		}
		if len(byTarget) >= 5 {
			few, shown = false, shown || !t.mayReturn(last)
		}
	}
	switch {
	case few:
		return notShown(textFewPages)
	case !shown:
		return notShown(textTryQueued)
	}
	return kept()
}

// leavesLoop judges redirects that lead nowhere.
func leavesLoop(t *trial, s *site) verdict {
	return bounded(t, s, mostHops, func(r *Request) bool { return strings.HasPrefix(r.path, "/loop/") }, textInLoop)
}

// bounded judges requests with a limit. To show that it gave up, the robot must have continued with
// the last page of the host, or elsewhere. It must not have been stopped while it was busy, because
// its queue may hold another try.
func bounded(t *trial, s *site, most int, counted func(*Request) bool, tooMany language.Text) verdict {
	var requests []*Request
	for _, r := range t.pages(s) {
		if counted(r) {
			requests = append(requests, r)
		}
	}
	switch {
	case len(requests) > most:
		return broken(tooMany.With(len(requests)), requests...)
	case len(requests) == 0:
		return notShown(textNotThatPage, s.host())
	case !t.activeAfter(requests[len(requests)-1]) && !t.silentAfter(requests):
		return notShown(textSilentAfterwards)
	case t.mayReturn(requests[len(requests)-1]):
		return notShown(textTryQueued)
	}
	return kept(requests...)
}

// silentAfter reports whether a robot has given up after some requests: the test continued for
// twice its longest pause between them.
func (t *trial) silentAfter(requests []*Request) bool {
	longest := patience
	for i := 1; i < len(requests); i++ {
		longest = max(longest, 2*requests[i].Start.Sub(requests[i-1].Start))
	}
	return t.now.Sub(requests[len(requests)-1].Start) >= longest
}

// givesUp judges pages that never have a good answer.
func givesUp(t *trial, s *site) verdict {
	for _, target := range s.exercise.more {
		v := bounded(t, s, mostTries, func(r *Request) bool { return r.Target == target }, textForDead)
		if v.outcome != Kept {
			return v
		}
	}
	return kept()
}

// asksOnce judges a page that does not exist, to which several pages link.
func asksOnce(t *trial, s *site) verdict {
	v := bounded(t, s, mostFetches, func(r *Request) bool { return r.Target == "/gone" }, textForGone)
	if v.outcome != Kept {
		return v
	}
	for _, path := range s.exercise.open {
		page := find(t.pages(s), path)
		switch {
		case page == nil:
			return notShown(textLinkToMissing, path)
		case t.mayReturn(page):
			return notShown(textMaybeQueued)
		}
	}
	return v
}
