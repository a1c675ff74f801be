package robots_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
)

// A fact is an answer, other than a verdict, that the tests of another implementation expect. Kind
// names the question, and decides which of the other fields are set.
type fact struct {
	verdict
	Kind     string
	Expected json.RawMessage

	Field         string // of a record, or a part of the answer
	Index         int    // of several answers, from 0 on
	Token         string
	Pattern, Path string
}

// factKinds has the kinds of facts that concern this package: the dialect of the question, and a
// function for our answer. The answer has the type that JSON decodes it to: nil, float64 for a
// number, and so on.
var factKinds = map[string]struct {
	dialect robots.Dialect
	answer  func(f *fact, p *robots.Policy, g *robots.Group) any
}{
	"crawl_delay": {robots.RFC9309, func(f *fact, _ *robots.Policy, g *robots.Group) any {
		if d, ok := g.CrawlDelay(); ok {
			return d.Delay.Seconds()
		}
		if string(f.Expected) == "0.0" {
			return 0.0 // has no other value for "none"
		}
		return nil
	}},
	"request_rate":  {robots.RFC9309, requestRate},
	"visit_time":    {robots.RFC9309, visitTime},
	"sitemaps":      {robots.RFC9309, func(f *fact, p *robots.Policy, _ *robots.Group) any { return sitemaps(f, p) }},
	"sitemap_count": {robots.RFC9309, func(_ *fact, p *robots.Policy, _ *robots.Group) any { return float64(len(p.Sitemaps())) }},
	"sitemap_at": {robots.RFC9309, func(f *fact, p *robots.Policy, _ *robots.Group) any {
		if all := p.Sitemaps(); f.Index < len(all) {
			return all[f.Index].URL.String()
		}
		return nil
	}},
	"extension_value": {robots.RFC9309, func(f *fact, _ *robots.Policy, g *robots.Group) any {
		if all := g.Records(extensionNames(f)...); f.Index < len(all) {
			return all[f.Index].Value
		}
		return nil
	}},
	"extension_count": {robots.RFC9309, func(f *fact, _ *robots.Policy, g *robots.Group) any {
		return float64(len(g.Records(extensionNames(f)...)))
	}},
	"content_signal": {robots.RFC9309, contentSignal},
	"preferred_host": {robots.RFC9309, func(_ *fact, p *robots.Policy, _ *robots.Group) any {
		if all := p.Hosts(); len(all) > 0 {
			return all[len(all)-1].Host // the last one counts in these tests
		}
		return nil
	}},
	"pattern_match": {robots.RFC9309, func(f *fact, _ *robots.Policy, _ *robots.Group) any {
		return !robots.Parse([]byte("User-agent: *\nDisallow: " + f.Pattern)).For("*").Allowed(f.Path)
	}},
	// Internal values of Google's parser.
	"path_of_url": {robots.Google, func(f *fact, _ *robots.Policy, g *robots.Group) any { return g.Explain(f.URL).Path }},
	"escape_pattern": {robots.Google, func(f *fact, _ *robots.Policy, _ *robots.Group) any {
		// A pattern in another form matches another path.
		text := "User-agent: *\nDisallow: /" + f.Pattern + "$"
		var want string
		if json.Unmarshal(f.Expected, &want) == nil && robots.Google.Parse([]byte(text)).For("*").Allowed("http://example.com/"+want) {
			return nil
		}
		return want
	}},
	"valid_agent_token": {robots.Google, func(f *fact, _ *robots.Policy, _ *robots.Group) any {
		g := robots.Google.Parse([]byte("User-agent: " + f.Token + "\nDisallow: /")).For(f.Token)
		return f.Token != "" && g.Token() == f.Token
	}},
}

// factsOfOthers are the kinds that concern other packages.
var factsOfOthers = map[string]bool{
	"feature_probe":     true, // TestKoster1996Features
	"status_allows_all": true, // of a response, before there is a text
	"robots_url_of":     true,
	"url_not_covered":   true, // a policy does not know where it was found
	"lint_error_count":  true,
	"status_lint":       true,
}

// TestFacts compares the answers of the methods for records, and of some others, with the facts that
// the tests of other implementations expect. oracle/disagreements.txt lists the different answers,
// each with its reason.
func TestFacts(t *testing.T) {
	const file = "other/facts.jsonl"
	listed := readDisagreements(t)
	facts := jsonLines[fact](t, "verdicts", "other", "facts.jsonl")
	count := counts{cases: len(facts)}
	for i := range facts {
		f := &facts[i]
		kind, ok := factKinds[f.Kind]
		if !ok {
			if !factsOfOthers[f.Kind] {
				t.Errorf("%s:%d: kind %q is not among factKinds nor factsOfOthers", file, i+1, f.Kind)
			}
			count.left++
			continue
		}
		p := kind.dialect.Parse(f.text())
		got := kind.answer(f, p, p.For(f.Agent))
		var want any
		if err := json.Unmarshal(f.Expected, &want); err != nil {
			t.Fatal(err)
		}
		// As JSON, both have the same types.
		gotText, _ := json.Marshal(got)
		wantText, _ := json.Marshal(want)
		at := place{file, i + 1, kind.dialect.String()}
		count.add(listed.compare(t, at, implementationOf(f), f.Source, string(gotText) == string(wantText),
			fmt.Sprintf("%s %s for %q: got %s, want %s\n%.400q", f.Kind, f.Field, f.Agent, gotText, wantText, f.text())))
	}
	listed.rest(t, file)
	t.Log(count)
}

// implementationOf returns the name of a fact's implementation in oracle/disagreements.txt: its
// repository, with the owner only if the name needs one.
func implementationOf(f *fact) string {
	repository, _, _ := strings.Cut(f.Source, " ")
	if repository == "python/cpython" {
		return "python"
	}
	owner, name, ok := strings.Cut(repository, "/")
	if !ok || name == "robotstxt" && owner != "temoto" {
		return repository
	}
	if owner == "temoto" {
		return owner
	}
	return name
}

// requestRate returns the first rate in the expected form: a part, an object or a pair.
func requestRate(f *fact, _ *robots.Policy, g *robots.Group) any {
	rates := g.RequestRates()
	if len(rates) == 0 {
		return nil
	}
	rate := rates[0]
	requests, seconds := float64(rate.Documents), rate.Period.Seconds()
	switch {
	case f.Field == "requests":
		return requests
	case f.Field == "seconds":
		return seconds
	case f.Field != "" && rate.Window != nil:
		return clockPart(f.Field, *rate.Window)
	case f.Field != "":
		return nil
	case strings.HasPrefix(string(f.Expected), "["):
		return []float64{requests, seconds}
	}
	return map[string]float64{"requests": requests, "seconds": seconds}
}

func visitTime(f *fact, _ *robots.Policy, g *robots.Group) any {
	times := g.VisitTimes()
	switch {
	case len(times) == 0:
		return nil
	case f.Field == "":
		return times[0].Value
	}
	return clockPart(f.Field, times[0].Window)
}

// clockPart returns start_time or end_time of a window as "HH:MM", or its hour
// or minute.
func clockPart(field string, w robots.Window) any {
	clock := w.From
	if strings.HasPrefix(field, "end_time") {
		clock = w.To
	}
	hour, minute := int(clock/time.Hour), int(clock/time.Minute)%60
	switch {
	case strings.HasSuffix(field, ".hour"):
		return hour
	case strings.HasSuffix(field, ".minute"):
		return minute
	}
	return fmt.Sprintf("%02d:%02d", hour, minute)
}

// sitemaps returns the addresses as written, or the expected value for none.
func sitemaps(f *fact, p *robots.Policy) any {
	var values []string
	for _, s := range p.Sitemaps() {
		values = append(values, s.Value)
	}
	if values == nil && string(f.Expected) == "false" {
		return false
	}
	return values
}

// extensionNames returns the names of a field: crawler-commons has another name for Noindex.
func extensionNames(f *fact) []string {
	if f.Field == "no-index" {
		return []string{"no-index", "noindex"}
	}
	return []string{f.Field}
}

// contentSignal returns what the group says about the expected uses.
func contentSignal(f *fact, _ *robots.Policy, g *robots.Group) any {
	says := make(map[string]bool)
	for _, s := range g.ContentSignals() {
		for name, preference := range map[string]robots.Preference{"search": s.Search, "ai-input": s.AIInput, "ai-train": s.AITrain} {
			if preference != robots.Unknown {
				says[name] = preference == robots.Permitted
			}
		}
	}
	return says
}
