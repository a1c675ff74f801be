package monitor

import (
	"cmp"
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
// While a site fails, robots use the copies that they have, so nothing changes but the pages.
func Compare(before, after *Observation) []Finding {
	var found []Finding
	if before != nil {
		if before.File.UnreachableSince.IsZero() && after.File.UnreachableSince.IsZero() {
			if !sameFile(&before.File, &after.File) {
				found = append(found, ruleChanges(before.Policy, after.Policy)...)
			}
			found = append(found, answerChanges(&before.File, &after.File)...)
		}
		found = append(found, pageChanges(before.Pages, after.Pages)...)
	}
	found = append(found, after.Findings...)
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
	var found []Finding
	for _, c := range d.Changes {
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
	if len(d.Undecided) > 0 {
		found = append(found, Finding{Kind: Undecided, Severity: Warning, Robots: listed(d.Undecided)})
	}
	if len(d.Records) > 0 {
		f := Finding{Kind: Records, Severity: Notice}
		for _, r := range d.Records {
			f.Patterns = append(f.Patterns, r.String())
		}
		f.Patterns = listed(f.Patterns)
		found = append(found, f)
	}
	return found
}

// join adds a finding of the same kind.
func (f *Finding) join(g *Finding) {
	f.Severity = max(f.Severity, g.Severity)
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
	switch {
	case !c.Opened && whole && everyone && search:
		f.Kind, f.Severity = ClosedSite, Critical
	case !c.Opened && search:
		f.Kind, f.Severity = ClosedSearch, Warning
		if whole || home {
			f.Severity = Critical
		}
	case !c.Opened:
		f.Kind, f.Severity = Closed, Notice
		if whole && everyone {
			f.Severity = Warning
		}
	case whole && everyone:
		f.Kind, f.Severity = OpenedSite, Critical
	default:
		f.Kind, f.Severity = Opened, Notice
		if whole {
			f.Severity = Warning
		}
	}
	return f
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
