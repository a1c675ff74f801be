package robottest

import (
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// month returns a page of a calendar that has no end in either direction.
func month(s *site, v *visit, _ int) *answer {
	rest, ok := strings.CutPrefix(v.path, "/calendar/")
	y, m, _ := strings.Cut(rest, "/")
	year, err := strconv.Atoi(y)
	month, err2 := strconv.Atoi(m)
	if !ok || err != nil || err2 != nil || year < 1 || year > 9999 {
		return nil
	}
	to := func(n int) string { return fmt.Sprintf("/calendar/%d/%02d", n/12, n%12+1) }
	n := year*12 + month - 1
	return s.page(v.alike(), []string{to(n - 1), to(n + 1)}, "")
}

// alike returns the visit of a page whose words are those of all such pages of the site.
func (v *visit) alike() *visit { return &visit{Request: v.Request, target: "#", path: v.path} }

// session returns pages whose links have another session number each time.
func session(s *site, v *visit, _ int) *answer {
	if v.path != "/item/1" && v.path != "/item/2" {
		return nil
	}
	id := rand.Uint64()
	return s.page(&visit{Request: v.Request, target: v.path, path: v.path}, nil,
		fmt.Sprintf("<p><a href=\"/item/1?sid=%016x\">one</a> <a href=\"/item/2?sid=%016x\">two</a>\n", id, id))
}

// deeper returns pages with a relative link that makes the path longer each time.
func deeper(s *site, v *visit, _ int) *answer {
	if !strings.HasPrefix(v.path, "/deep/") || len(v.path) > maxText {
		return nil
	}
	return s.page(v.alike(), nil, "<p><a href=\"m/\">more</a>\n")
}

// leavesTree judges an endless site: the robot gives up after some requests. It must have been
// silent there for a while, so that it was not just stopped.
func leavesTree(t *trial, s *site) verdict {
	var inside []*Request
	longest := time.Duration(0)
	for _, r := range t.pages(s) {
		if slices.ContainsFunc([]string{"/calendar/", "/item/", "/deep/"},
			func(tree string) bool { return strings.HasPrefix(r.path, tree) }) {
			if len(inside) > 0 {
				longest = max(longest, r.Start.Sub(inside[len(inside)-1].Start))
			}
			inside = append(inside, r)
		}
	}
	switch {
	case len(inside) > mostInside:
		return broken(textInTree.With(len(inside)), inside...)
	case len(inside) == 0:
		return notShown(textNoTree, s.host())
	case t.now.Sub(inside[len(inside)-1].Start) < max(silence, 2*longest) || t.waiting():
		return notShown(textStillWalking, len(inside))
	case t.mayReturn(inside[len(inside)-1]):
		return notShown(textTryQueued)
	}
	return kept(inside...)
}

// tagged returns pages with links that robots must not follow: the directive is in the page, or in
// its header.
func tagged(s *site, v *visit, _ int) *answer {
	if v.path != "/page" {
		return nil
	}
	a := s.page(v, []string{"/followed/a", "/followed/b"}, "")
	if s.exercise.name == "header-nofollow" {
		a.header = http.Header{"X-Robots-Tag": {"nofollow"}}
	} else {
		a.body = strings.Replace(a.body, "<head>", "<head><meta name=\"robots\" content=\"nofollow\">", 1)
	}
	return a
}

// avoids judges pages that robots should not request, though robots.txt allows them.
func avoids(t *trial, s *site) verdict {
	pages := t.pages(s)
	var wrong []*Request
	for _, r := range pages {
		if slices.Contains(s.exercise.baits, r.Target) {
			wrong = append(wrong, r)
		}
	}
	if len(wrong) > 0 {
		return broken(textBait.With(), wrong...)
	}
	if page := find(pages, "/page"); page != nil && t.mayReturn(page) {
		return notShown(textMaybeQueued)
	}
	return visited(pages, s)
}

// busy returns whether the robot made requests until the end of the test, or waited for an answer.
func (t *trial) busy() bool {
	return t.waiting() || t.now.Sub(t.newest().Start) < silence
}

// waiting returns whether a request was open when the test ended: a robot that makes one request at
// a time does nothing else until then.
func (t *trial) waiting() bool {
	return slices.ContainsFunc(t.all, func(r *Request) bool { return r.end == 0 })
}

// visited says whether the robot requested the usual pages of an exercise.
func visited(pages []*Request, s *site) verdict {
	shown := pages[:0:0]
	for _, path := range slices.Concat([]string{"/", "/first"}, s.exercise.open, []string{"/last"}) {
		r := find(pages, path)
		if r == nil {
			return notShown(textNotRequestedOf, path, s.host())
		}
		shown = append(shown, r)
	}
	return kept(shown...)
}

// visitLater answers robots.txt with a Visit-time that begins in three hours.
func visitLater(s *site, v *visit, _ string, _ int) *answer {
	now := s.web.options.clock.now().UTC()
	text := fmt.Sprintf("User-agent: *\nVisit-time: %s-%s\n", now.Add(3*time.Hour).Format("1504"),
		now.Add(4*time.Hour).Format("1504"))
	return &answer{status: 200, media: "text/plain; charset=utf-8", body: text}
}

// endlessPage sends a page without an end, until the robot leaves.
func endlessPage(s *site, v *visit, _ int) *answer {
	if v.path != "/endless" {
		return nil
	}
	return &answer{status: 200, write: func(out http.ResponseWriter) (written int64, whole bool) {
		text := []byte(strings.Repeat("<p>"+words("endless")+"</p>\n", 32))
		for written < s.web.options.clock.endless {
			n, err := out.Write(text)
			if written += int64(n); err != nil {
				return written, false
			}
		}
		return written, true
	}}
}

// slowPage sends a byte now and then, until the robot leaves.
func slowPage(s *site, v *visit, _ int) *answer {
	if v.path != "/slow" {
		return nil
	}
	return &answer{status: 200, write: func(out http.ResponseWriter) (written int64, whole bool) {
		c := http.NewResponseController(out)
		for range s.web.options.clock.drops {
			n, err := out.Write([]byte("."))
			if written += int64(n); err != nil || c.Flush() != nil {
				return written, false
			}
			select {
			case <-v.in.Context().Done():
				return written, false
			case <-time.After(s.web.options.clock.drop):
			}
		}
		return written, true
	}}
}

// cuts judges an answer that a robot should not take in whole.
func cuts(t *trial, s *site) verdict {
	var left []*Request
	for _, r := range t.pages(s) {
		if r.path != "/endless" && r.path != "/slow" || r.Method != http.MethodGet {
			continue
		}
		switch {
		case r.end > 0 && !r.early:
			return broken(textWaited.With(), r)
		case r.early:
			left = append(left, r)
		}
	}
	if len(left) == 0 {
		return notShown(textNotLeft, s.host())
	}
	return kept(left...)
}

// overloaded answers 503 from the third page on.
func overloaded(_ *site, _ *visit, n int) *answer {
	if n < 2 {
		return nil
	}
	return &answer{status: http.StatusServiceUnavailable, body: "Service Unavailable\n"}
}

// slowsDown judges a host that begins to answer 503.
func slowsDown(t *trial, s *site) verdict {
	requests := t.bySite[s]
	i := slices.IndexFunc(requests, func(r *Request) bool { return r.Status == http.StatusServiceUnavailable })
	if i < 0 {
		return notShown(textFewerThanThree, s.host())
	}
	first := requests[i]
	var soon []*Request
	all := 0 // also those that may have left before the robot had the answer
	for _, r := range requests[i+1:] {
		if !r.Start.Before(first.End.Add(overload)) {
			break
		}
		all++
		if r.begin > first.end && informed(requests, first, r) {
			soon = append(soon, r)
		}
	}
	switch {
	case len(soon) > mostSoon:
		return broken(textSoonAfter503.With(len(soon), overload.String()), append([]*Request{first}, soon...)...)
	case all > mostSoon:
		return notShown(textSentBefore503, s.host())
	case !t.activeAt(first.End.Add(overload)):
		return notShown(textSilentAfter503, overload.String())
	}
	return kept(append([]*Request{first}, soon...)...)
}

// mapFile answers robots.txt with a sitemap, and mapPage answers the sitemap and the page that only
// the sitemap has.
func mapFile(s *site, v *visit, _ string, _ int) *answer {
	return &answer{status: 200, media: "text/plain; charset=utf-8",
		body: "User-agent: *\nDisallow: /private/\nSitemap: " + v.base(s) + "/sitemap.xml\n"}
}

func mapPage(s *site, v *visit, _ int) *answer {
	switch v.path {
	case "/sitemap.xml":
		return &answer{status: 200, media: "application/xml", body: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
			"<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>" +
			html.EscapeString(v.base(s)+"/only-in-the-sitemap") + "</loc></url></urlset>\n"}
	case "/only-in-the-sitemap":
		return s.page(v, nil, "")
	}
	return nil
}

// readsSitemap judges the page that only the sitemap has. No robot needs to read it.
func readsSitemap(t *trial, s *site) verdict {
	if r := find(t.pages(s), "/only-in-the-sitemap"); r != nil {
		return kept(r)
	}
	return notShown(textNoSitemap, s.host())
}

// asksConditionally judges second requests for robots.txt. Other requests are allowed too.
func asksConditionally(t *trial, _ *site) verdict {
	for _, s := range t.web.sites {
		for i, r := range t.files(s) {
			if i > 0 && r.conditional {
				return kept(r)
			}
		}
	}
	return notShown(textNotConditional)
}

// safeMethods judges the methods of all requests.
func safeMethods(t *trial, _ *site) verdict {
	switch wrong := t.faults[unsafeMethod]; {
	case wrong.n > 0:
		return wrong.broken(textUnsafe.With())
	case len(t.all) == 0 || find(t.pages(t.web.byName["side-effects.test"]), "/") == nil:
		return notShown(textNoForm, "side-effects.test")
	}
	return kept()
}
