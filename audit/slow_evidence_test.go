package audit_test

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit"
)

// This file is the slow twin of evidence. The sentences are those of the comment on Evidence, and
// the numbers those of the thresholds in evidence.go, which doc/audit-suspicion.md measures.

var (
	assetPath = regexp.MustCompile(`\.(css|js|png|gif|jpg|svg|ico|woff2?)$`)
	otherPath = regexp.MustCompile(`\.(xml|rss|json|txt|pdf|zip)$`)
)

// A page is "answers with content to GET for a page, to clients with a browser's name".
func (e slowEntry) isPage() bool {
	return e.isDocument() && !otherPath.MatchString(e.path) && e.method == "GET" &&
		(e.status/100 == 2 || e.status == 304)
}

// A document is what a person looks at or a robot reads, "with GET or HEAD for pages, feeds and the
// like".
func (e slowEntry) isDocument() bool {
	return e.path != "" && !e.isAsset() && !isRobotsTxt(e.visit) && (e.method == "GET" || e.method == "HEAD")
}

func (e slowEntry) isAsset() bool { return assetPath.MatchString(strings.Split(e.path, "?")[0]) }

func having(entries []slowEntry, is func(slowEntry) bool) (list []slowEntry) {
	for _, e := range entries {
		if is(e) {
			list = append(list, e)
		}
	}
	return list
}

func total(entries []slowEntry) (n int64) {
	for _, e := range entries {
		n += e.count
	}
	return n
}

func distinct[T comparable](entries []slowEntry, of func(slowEntry) T) int {
	seen := map[T]bool{}
	for _, e := range entries {
		seen[of(e)] = true
	}
	return len(seen)
}

// share reports whether of the clients that do one thing at least ten, and one in five, do the
// other: or one in two of those whose headers differ in numbers only. Decided: a client with
// headers that differ in more counts for no such kind.
func share(clients []slowClient, one, other func([]slowEntry) bool) bool {
	enough := func(clients []slowClient, most int) bool {
		ones, both := 0, 0
		for _, c := range clients {
			if one(c.entries) {
				ones++
				if other(c.entries) {
					both++
				}
			}
		}
		return both >= 10 && both*most >= ones
	}
	kinds := map[string][]slowClient{}
	for _, c := range clients {
		kind := func(e slowEntry) string { return withoutNumbers(cutTo256(e.agent)) }
		if distinct(c.entries, kind) == 1 {
			kinds[kind(c.entries[0])] = append(kinds[kind(c.entries[0])], c)
		}
	}
	for _, list := range kinds {
		if enough(list, 2) {
			return true
		}
	}
	return enough(clients, 5)
}

// views and loads say of the entries of a client whether it got pages, and at least as many parts.
func views(of []slowEntry) bool { return len(having(of, slowEntry.isPage)) > 0 }

func loads(of []slowEntry) bool {
	return total(having(of, slowEntry.isAsset)) >= total(having(of, slowEntry.isPage))
}

// isClosed reports whether robots.txt closes a document to everyone, and "next to none of the
// clients that load styles" asked for what the rule closes: one in a hundred of ten or more.
func (c *slowCrowd) isClosed(e slowEntry) bool {
	if e.closed == "" || !e.isDocument() {
		return false
	}
	if c.passed == nil {
		c.passed = map[string]int{}
		for _, client := range c.clients {
			if views(client.entries) && loads(client.entries) {
				c.people++
				rules := map[string]bool{}
				for _, f := range client.entries {
					rules[f.closed] = true
				}
				for rule := range rules {
					c.passed[rule]++
				}
			}
		}
	}
	return c.people >= 10 && c.passed[e.closed]*100 <= c.people
}

// "only-closed: it asked for documents that robots.txt closes to everyone, and next to nothing
// else": twenty, and one in twenty may be open, or a part of a page; or as many may be open as
// there are addresses and closed ones.
func (c *slowCrowd) onlyClosed(entries []slowEntry, addresses int) []audit.Evidence {
	documents, closed := having(entries, slowEntry.isDocument), having(entries, c.isClosed)
	n, open := total(documents), total(documents)-total(closed)
	if n < 20 || open*20 > n && (open > int64(addresses) || open > total(closed)) ||
		total(having(entries, slowEntry.isAsset))*20 > n {
		return nil
	}
	if _, ok := c.spreads(closed); !ok {
		return nil
	}
	return []audit.Evidence{figure("only-closed", false, closed,
		map[string]float64{"requests": float64(total(closed))})}
}

// "no-styles: it got pages, and next to none of the styles, scripts, images and fonts that other
// clients load with them."
func noStyles(entries []slowEntry, others []slowClient) []audit.Evidence {
	pages, assets := having(entries, slowEntry.isPage), having(entries, slowEntry.isAsset)
	paths := distinct(pages, func(e slowEntry) string { return e.path })
	if total(pages) < 10 || paths < 5 || total(assets)*20 > total(pages) || !share(others, views, loads) {
		return nil
	}
	return []audit.Evidence{{
		Kind: "no-styles", Strong: paths >= 100 && len(assets) == 0, Lines: linesOf(pages),
		Figures: map[string]float64{"pages": float64(total(pages)), "paths": float64(paths),
			"assets": float64(total(assets))},
	}}
}

// "no-referrer: it sent no Referer with any request for a document, and other clients do."
func noReferrer(entries []slowEntry, others []slowClient) []audit.Evidence {
	documents := having(entries, slowEntry.isDocument)
	refers := func(of []slowEntry) bool {
		return slices.ContainsFunc(having(of, slowEntry.isDocument), func(e slowEntry) bool { return e.referrer != "" })
	}
	reads := func(of []slowEntry) bool { return total(having(of, slowEntry.isDocument)) > 1 }
	if total(documents) < 20 || refers(entries) || !share(others, reads, refers) {
		return nil
	}
	return []audit.Evidence{figure("no-referrer", false, documents,
		map[string]float64{"requests": float64(total(documents))})}
}

func figure(kind string, strong bool, entries []slowEntry, figures map[string]float64) audit.Evidence {
	return audit.Evidence{Kind: kind, Strong: strong, Figures: figures, Lines: linesOf(entries)}
}

// evidence returns the evidence against a client, kind by kind.
func (c *slowCrowd) evidence(entries []slowEntry, others []slowClient) (found []audit.Evidence) {
	if !mostlyForbidden(entries) || !c.likeApp(entries) {
		found = noStyles(entries, others)
	}
	found = append(found, noReferrer(entries, others)...)
	documents := having(entries, slowEntry.isDocument)
	if rules := having(entries, func(e slowEntry) bool { return isRobotsTxt(e.visit) }); len(rules) > 0 {
		found = append(found, figure("robots-txt", false, rules, map[string]float64{"requests": float64(total(rules))}))
	}
	if !c.sampled {
		found = append(found, regular(documents)...)
	}
	found = append(found, sequential(documents)...)
	if minute, n := slowMinute(documents); n >= 30 {
		found = append(found, figure("rapid", n >= 300, minute, map[string]float64{"peak": float64(n)}))
	}
	if distinct(entries, func(e slowEntry) string { return cutTo256(e.agent) }) <= 3 {
		found = append(found, allHours(documents)...)
	}
	return found
}

// "many-addresses: the header is used so at many addresses": ten or more, with twenty documents,
// and without styles. It counts with pages without styles, twenty or more, or with closed
// documents.
func (c *slowCrowd) headerEvidence(entries []slowEntry, others []slowClient, people bool) []audit.Evidence {
	addresses := distinct(entries, func(e slowEntry) string { return networkOf(e.client) })
	documents := total(having(entries, slowEntry.isDocument))
	if addresses < 10 || documents < 20 || total(having(entries, slowEntry.isAsset))*20 > documents {
		return nil
	}
	var found []audit.Evidence
	_, spread := c.spreads(having(entries, slowEntry.isForbidden))
	if total(having(entries, slowEntry.isPage)) >= 20 && (!mostlyForbidden(entries) || !people && spread) {
		found = noStyles(entries, others)
	}
	if !people {
		found = append(found, c.onlyClosed(entries, addresses)...)
	}
	if len(found) == 0 {
		return nil
	}
	found = append(found, noReferrer(entries, others)...)
	return append(found, figure("many-addresses", false, entries, map[string]float64{"addresses": float64(addresses)}))
}

// better reports whether a series of evidence counts more than the best before: it is longer, or
// the first of two as long.
func better(n float64, first slowEntry, best audit.Evidence, name string, bestFirst slowEntry) bool {
	if best.Figures == nil || n != best.Figures[name] {
		return best.Figures == nil || n > best.Figures[name]
	}
	return cmp.Or(cmp.Compare(first.at, bestFirst.at), cmp.Compare(first.hash, bestFirst.hash)) < 0
}

// "regular: the gaps between its requests, or between those for one path, are nearly equal": twenty
// gaps, and three in four within a tenth, or a second, of the median of two seconds or more. A
// hundred gaps and nine in ten are strong.
func regular(documents []slowEntry) []audit.Evidence {
	series := map[string][]slowEntry{"all": documents}
	for _, e := range documents {
		series[e.path] = append(series[e.path], e)
	}
	var best audit.Evidence
	var first slowEntry
	for _, list := range series {
		var gaps []int64
		for i := 1; i < len(list); i++ {
			if list[i].at > list[i-1].at {
				gaps = append(gaps, list[i].at-list[i-1].at)
			}
		}
		if len(gaps) < 20 {
			continue
		}
		slices.Sort(gaps)
		median, near := gaps[len(gaps)/2], 0.0
		for _, gap := range gaps {
			if off := max(gap-median, median-gap); off <= max(1, median/10) {
				near++
			}
		}
		n, part := float64(len(gaps)), near/float64(len(gaps))
		if part >= 0.75 && median >= 2 && better(n, list[0], best, "gaps", first) {
			first = list[0]
			best = figure("regular", n >= 100 && part >= 0.9, list,
				map[string]float64{"gaps": n, "share": threeDigits(part), "median": float64(median)})
		}
	}
	if best.Figures == nil {
		return nil
	}
	return []audit.Evidence{best}
}

func threeDigits(x float64) float64 { return math.Round(x*1000) / 1000 }

var lastNumber = regexp.MustCompile(`^(.*?)([0-9]{1,18})([^0-9]*)$`)

// "sequential: it requested paths that differ by a number, in the order of the numbers": twenty
// numbers, with a rank correlation of 0.9 with time. A hundred numbers and 0.98 are strong.
func sequential(documents []slowEntry) []audit.Evidence {
	series := map[[2]string][]slowEntry{}
	for _, e := range documents {
		if m := lastNumber.FindStringSubmatch(e.path); m != nil {
			series[[2]string{m[1], m[3]}] = append(series[[2]string{m[1], m[3]}], e)
		}
	}
	var best audit.Evidence
	var first slowEntry
	for _, list := range series {
		numbers := map[float64]bool{}
		var times, values []float64
		for _, e := range list {
			times, values = append(times, float64(e.at)), append(values, numberIn(e.path))
			numbers[numberIn(e.path)] = true
		}
		c := correlation(ranksOf(times), ranksOf(values))
		if n := float64(len(numbers)); n >= 20 && math.Abs(c) >= 0.9 && better(n, list[0], best, "numbers", first) {
			first = list[0]
			best = figure("sequential", n >= 100 && math.Abs(c) >= 0.98, list, map[string]float64{"numbers": n,
				"correlation": threeDigits(c)})
		}
	}
	if best.Figures == nil {
		return nil
	}
	return []audit.Evidence{best}
}

func numberIn(path string) (n float64) {
	for _, digit := range lastNumber.FindStringSubmatch(path)[2] {
		n = 10*n + float64(digit-'0')
	}
	return n
}

// ranksOf returns for each value how many are smaller, and half of the others that are equal.
func ranksOf(values []float64) (ranks []float64) {
	for _, v := range values {
		rank := -0.5
		for _, w := range values {
			switch {
			case w < v:
				rank++
			case w == v:
				rank += 0.5
			}
		}
		ranks = append(ranks, rank)
	}
	return ranks
}

func correlation(a, b []float64) float64 {
	mean := float64(len(a)-1) / 2
	var both, one, other float64
	for i := range a {
		both += (a[i] - mean) * (b[i] - mean)
		one += (a[i] - mean) * (a[i] - mean)
		other += (b[i] - mean) * (b[i] - mean)
	}
	if one == 0 || other == 0 {
		return 0
	}
	return both / math.Sqrt(one*other)
}

// "all-hours: it made requests in nearly every hour of a day": in 20 of 24 hours that follow each
// other.
func allHours(documents []slowEntry) []audit.Evidence {
	begins := map[int64]slowEntry{}
	var hours []int64
	for _, e := range documents {
		if h := e.at / 3600; begins[h].agent == "" && begins[h].count == 0 {
			begins[h] = e
			hours = append(hours, h)
		}
	}
	var best []slowEntry
	most := 0
	for i, from := range hours {
		n := 0
		for _, h := range hours[i:] {
			if h-from < 24 {
				n++
			}
		}
		if n > most {
			most, best = n, nil
			for _, h := range hours[i:] {
				best = append(best, begins[h])
			}
		}
	}
	if most < 20 {
		return nil
	}
	return []audit.Evidence{figure("all-hours", false, best, map[string]float64{"hours": float64(most)})}
}
