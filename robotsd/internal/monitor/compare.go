package monitor

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/proof"
)

// Compare returns what matters of an observation: what changed since an earlier one, and what is
// wrong whatever was before. Both observations need their Policy, unless their files have the same
// hash. If before is nil, nothing changed. The most severe findings are first, and no two findings
// have the same Kind and Subject.
//
// While a site fails, robots use the copies that they have, so nothing changes but the pages. A
// text that is lost is one finding, which is as severe as what it opens.
func Compare(before, after *Observation) []Finding {
	var found []Finding
	if before != nil {
		if before.File.UnreachableSince.IsZero() && after.File.UnreachableSince.IsZero() && !isRepair(before, after) {
			found = append(found, fileChanges(before, after)...)
		}
		found = append(found, pageChanges(before.Pages, after.Pages)...)
	}
	found = append(found, after.Findings...)
	if isLost(before, after) {
		found = withoutLost(found, after)
	}
	switch i := slices.IndexFunc(found, func(f Finding) bool { return f.Kind == Empty }); {
	case i >= 0 && before == nil:
		found[i].Severity = Notice // perhaps it always was
	case i >= 0 && isNothing(&before.File):
		found = slices.Delete(found, i, i+1)
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return found
}

// isNothing reports whether a site serves no text at all: there is none, or an empty one. Robots
// may visit everything.
func isNothing(f *File) bool {
	return f.State == fetch.Unavailable && f.Unusable == "" || f.Unusable == Empty
}

// isLost reports whether the text that a site served before, which may be unknown, is gone or
// unusable.
func isLost(before, after *Observation) bool {
	switch {
	case before == nil:
		return after.File.Unusable != ""
	case isNothing(&after.File):
		return !isNothing(&before.File)
	}
	return after.File.Unusable != "" && after.File.Unusable != before.File.Unusable
}

// lostWithText reports whether a look at a site that lost its text says nothing about a kind.
func lostWithText(k Kind, after *Observation) bool {
	switch k {
	case Opened, OpenedSite, Records, Redirected, Mistake, BadSitemap:
		return true
	case Unexpected:
		return after.File.Unusable != Cut
	}
	return false
}

// withoutLost leaves out what only repeats that a text is lost. The finding that says so gets the
// severity of what the loss opens.
func withoutLost(found []Finding, after *Observation) []Finding {
	worst := Notice
	found = slices.DeleteFunc(found, func(f Finding) bool {
		if f.Kind == Opened || f.Kind == OpenedSite {
			worst = max(worst, f.Severity)
		}
		return lostWithText(f.Kind, after) || f.Kind == Status && after.File.Unusable != ""
	})
	for i := range found {
		if f := &found[i]; f.Kind == Status || f.Kind == after.File.Unusable {
			f.Severity = max(f.Severity, worst)
		}
	}
	return found
}

// isRepair reports whether an observation has a robots.txt, and the one before an unusable text,
// which nobody wanted: then there is nothing to compare.
func isRepair(before, after *Observation) bool {
	return before.File.Unusable != "" && before.File.Unusable != Empty && after.File.State == fetch.OK &&
		after.File.Unusable == ""
}

// fileChanges returns what changed in the rules and in the answer.
func fileChanges(before, after *Observation) (found []Finding) {
	if !sameFile(&before.File, &after.File) {
		found = ruleChanges(before.Policy, after.Policy)
		for i := range found {
			if f := &found[i]; f.Kind == Opened && len(after.Policy.Groups()) == 0 { // as if the file were gone
				f.Severity = max(f.Severity, Warning)
			}
		}
		if !isLost(before, after) {
			found = append(found, lastMistakes.of(before, after)...)
		}
	}
	found = append(found, answerChanges(&before.File, &after.File)...)
	if isNothing(&before.File) { // a site that gets a robots.txt usually wants what it says
		found = slices.DeleteFunc(found, func(f Finding) bool { return f.Kind == Redirected })
		for i := range found {
			f := &found[i]
			f.fragile = false
			if f.Kind == ClosedSearch && f.Severity < Critical || f.Kind == Status {
				f.Severity = Notice
			}
		}
	}
	return found
}

// closures returns the findings that the whole site, or its home page, is closed to search engines.
func closures(o *Observation) []Finding {
	if o.File.State != fetch.OK || !mayClose(o.Policy) {
		return nil
	}
	nothing := robots.AllowAll()
	d, _ := proof.Diff(nothing, o.Policy, proof.Options{Agents: named(o.Policy)})
	return joined(slices.DeleteFunc(d.Changes, func(c proof.Change) bool { return ruleChange(&c).Severity < Critical }),
		nothing, o.Policy)
}

// mayClose reports whether a policy has a rule for all paths, or closes the home page to a search
// engine. Most have none, and need no proof at the first look.
func mayClose(p *robots.Policy) bool {
	for _, line := range p.Lines() {
		if line.Kind == robots.Disallow && isCatchAll(line.Value) {
			return true
		}
	}
	return closesHome(p)
}

// closesHome reports whether a policy closes the home page to a search engine.
func closesHome(p *robots.Policy) bool {
	return slices.ContainsFunc(append([]string{"*"}, engines...),
		func(token string) bool { return !p.For(token).Allowed("/") })
}

// withStanding adds what may be normal for a site, and is a fault nevertheless: it is closed to
// search engines; or, at the first look, lines have errors, redirects lead to no text, and pages
// are missing or not to be indexed.
func withStanding(found []Finding, o *Observation, first bool) []Finding {
	standing := closures(o)
	if first {
		standing = append(standing, badPages(o.Pages)...)
	}
	if first && o.File.Status/100 == 3 { // a text that is not modified has status 200
		standing = append(standing, Finding{Kind: Status, Severity: Warning, After: answerOf(&o.File)})
	}
	if first && o.File.State == fetch.OK && (o.File.Unusable == "" || o.File.Unusable == Cut) {
		for _, f := range mistakes(robots.AllowAll(), o) {
			if f.Severity > Notice {
				standing = append(standing, f)
			}
		}
	}
	for _, f := range standing {
		if !slices.ContainsFunc(found, func(g Finding) bool { return g.Kind == f.Kind && g.Severity >= f.Severity }) ||
			f.Subject != "" {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	return found
}

// sameFile reports whether two answers have the same rules for certain.
func sameFile(a, b *File) bool {
	return a.State == b.State && a.SHA256 == b.SHA256 && (a.State != fetch.OK || a.SHA256 != "")
}

// ruleChanges returns what the rules open and close that was not so before, and changed records.
func ruleChanges(before, after *robots.Policy) []Finding {
	d, _ := proof.Diff(before, after, proof.Options{Agents: named(before, after)}) // it says itself what is undecided
	found := joined(d.Changes, before, after)
	if len(d.Undecided) > 0 {
		found = append(found, Finding{Kind: Undecided, Severity: Warning, Robots: listed(d.Undecided)})
	}
	f := Finding{Kind: Records, Severity: Notice}
	for _, r := range d.Records {
		if _, known := robots.FieldNamed(r.Record.Field); known { // lint names the others
			f.Patterns = append(f.Patterns, r.String())
		}
	}
	if f.Patterns = listed(f.Patterns); len(f.Patterns) > 0 {
		found = append(found, f)
	}
	return found
}

// joined returns the findings for changes, one of each kind.
func joined(changes []proof.Change, before, after *robots.Policy) (found []Finding) {
	for _, c := range changes {
		f := ruleChange(&c)
		if i := slices.IndexFunc(found, func(g Finding) bool { return g.Kind == f.Kind }); i < 0 {
			found = append(found, f)
		} else {
			found[i].join(&f)
		}
	}
	for i := range found {
		found[i].Robots = brieflyNamed(found[i].Robots, before, after)
		found[i].Patterns = listed(found[i].Patterns)
	}
	return found
}

// join adds a finding of the same kind.
func (f *Finding) join(g *Finding) {
	f.Severity = max(f.Severity, g.Severity)
	f.fragile = f.fragile || g.fragile
	f.Robots = append(f.Robots, g.Robots...)
	f.Patterns = append(f.Patterns, g.Patterns...)
}

// ruleChange returns the finding for a change.
func ruleChange(c *proof.Change) Finding {
	f := Finding{Robots: slices.Clone(c.Agents)}
	whole, home := false, false
	for _, region := range c.Main() {
		f.Patterns = append(f.Patterns, region.Rule.String())
		whole = whole || isWhole(&region, c.Opened)
		home = home || region.Witness == "/"
		f.Witness = cmp.Or(f.Witness, region.Witness)
	}
	everyone := slices.Contains(c.Agents, "*")
	search := slices.ContainsFunc(c.Agents, isEngine)
	f.Kind, f.Severity = ruleKind(c.Opened, whole, home, everyone, search)
	_, back := ruleKind(!c.Opened, whole, home, everyone, search)
	f.fragile = f.Severity == Notice && back > Notice
	return f
}

// ruleKind returns the kind of a change and its severity: whether it opens or closes, all of a site
// or its home page, and for whom.
func ruleKind(opened, whole, home, everyone, search bool) (Kind, Severity) {
	switch {
	case !opened && whole && everyone && search:
		return ClosedSite, Critical
	case !opened && search && (whole || home):
		return ClosedSearch, Critical
	case !opened && search:
		return ClosedSearch, Warning
	case !opened && whole && everyone:
		return Closed, Warning
	case !opened:
		return Closed, Notice
	case whole && everyone:
		return OpenedSite, Critical
	case whole:
		return Opened, Warning
	}
	return Opened, Notice
}

// isWhole reports whether a region is all of a site that was closed as a whole, or is now. An
// exception, such as a folder that a closed site opens, is decided by another rule.
func isWhole(r *proof.Region, opened bool) bool {
	closing := r.After.Rule
	if opened {
		closing = r.Before.Rule
	}
	return isCatchAll(r.Rule.Pattern) && isCatchAll(closing.Pattern)
}

// isCatchAll reports whether a pattern matches every path.
func isCatchAll(pattern string) bool {
	return pattern != "" && strings.Trim(strings.TrimPrefix(strings.TrimLeft(pattern, "*"), "/"), "*") == ""
}

// brieflyNamed leaves search engines out that no policy names, if "*" stands for them.
func brieflyNamed(tokens []string, policies ...*robots.Policy) []string {
	if slices.Contains(tokens, "*") {
		written := make(map[string]bool)
		for _, p := range policies {
			for _, g := range p.Groups() {
				for _, token := range g.Agents() {
					written[token] = true
				}
			}
		}
		tokens = slices.DeleteFunc(tokens, func(token string) bool { return isEngine(token) && !written[token] })
	}
	return listed(tokens)
}

// answerChanges returns how the server answers otherwise than before.
func answerChanges(before, after *File) (found []Finding) {
	if was, is := before.Status, after.Status; was != is {
		severity := Notice
		if was == 200 {
			severity = Warning // there was a robots.txt
		}
		found = append(found, Finding{Kind: Status, Severity: severity, Before: answerOf(before),
			After: answerOf(after)})
	}
	if before.Final != after.Final {
		found = append(found, Finding{Kind: Redirected, Severity: Warning, Before: before.Final, After: after.Final})
	}
	return found
}

// pageChanges returns how pages differ from the same pages before, if they could be read then.
func pageChanges(before, after []Page) (found []Finding) {
	for _, p := range after {
		i := slices.IndexFunc(before, func(old Page) bool { return old.URL == p.URL })
		if i < 0 || before[i].Status == 0 {
			continue
		}
		old := &before[i]
		f := Finding{Kind: PageChanged, Severity: Warning, Subject: p.URL, Before: pageState(old), After: pageState(&p)}
		if f.Before == f.After {
			continue
		}
		if lost := without(p.NoIndex, old.NoIndex); len(lost) > 0 {
			f.Severity, f.Robots = Critical, lost
		}
		found = append(found, f)
	}
	return found
}

// badPages returns what is wrong with pages whatever was before.
func badPages(pages []Page) (found []Finding) {
	for _, p := range pages {
		f := Finding{Kind: PageChanged, Severity: Critical, Subject: p.URL, Robots: p.NoIndex, After: pageState(&p)}
		if len(p.NoIndex) == 0 {
			f.Severity = Warning
		}
		if len(p.NoIndex) > 0 || p.Status == 0 || p.Status >= http.StatusBadRequest {
			found = append(found, f)
		}
	}
	return found
}

// pageState describes what a page says to search engines, for machines: its status, then "noindex",
// "nofollow" and the URL to which it redirects, if there are any.
func pageState(p *Page) string {
	words := []string{answerOf(&File{Status: p.Status, Cause: p.Cause})}
	for _, directive := range []struct {
		name    string
		engines []string
	}{{"noindex", p.NoIndex}, {"nofollow", p.NoFollow}} {
		switch len(directive.engines) {
		case 0:
		case len(engines):
			words = append(words, directive.name)
		default:
			words = append(words, directive.name+" ("+strings.Join(directive.engines, ", ")+")")
		}
	}
	if p.Final != "" {
		words = append(words, "→ "+p.Final)
	}
	return strings.Join(words, ", ")
}

// without returns the strings that only the first list has.
func without(list, other []string) (rest []string) {
	for _, s := range list {
		if !slices.Contains(other, s) {
			rest = append(rest, s)
		}
	}
	return rest
}
