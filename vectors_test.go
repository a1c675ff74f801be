package robots_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/conformance"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestConformance runs all vectors against the engine, each in the dialect of its profile.
func TestConformance(t *testing.T) {
	sections, err := conformance.Sections()
	fatal.If(t, err)
	for i := range sections {
		section := &sections[i]
		dialect, err := robots.ParseDialect(section.Profile)
		fatal.If(t, err)
		for j := range section.Cases {
			c := &section.Cases[j]
			t.Run(path.Join(section.Profile, section.Section, c.Name), func(t *testing.T) {
				policy := dialect.Parse(c.Text())
				for _, ask := range c.Asks {
					got := policy.For(ask.Agent).Match(ask.URL)
					if got.Allowed != ask.Allowed || got.Rule.Line != ask.Line {
						t.Errorf("%q asks for %q: got allowed %t by line %d, want %t by line %d (%s)",
							ask.Agent, ask.URL, got.Allowed, got.Rule.Line, ask.Allowed, ask.Line, c.Why)
					}
				}
			})
		}
	}
}

// A verdict is a question of the corpus, with the answer that the tests of another implementation
// expect.
type verdict struct {
	Source    string   // repository, file and test
	Robots    string   // the text, or
	RobotsB64 []byte   `json:"robots_b64"` // if it is not UTF-8
	Agent     string   // the robot of the question
	Agents    []string // its names, if the test gives several
	URL       string
	Allowed   bool
	Dialect   string
	Note      string
	Requires  []string // features that a parser must have or, with a "-", lack
}

func (v *verdict) text() []byte {
	if v.RobotsB64 != nil {
		return v.RobotsB64
	}
	return []byte(v.Robots)
}

// A verdictSource is a file of verdicts, and how its questions are asked here.
type verdictSource struct {
	file           string
	implementation string // the implementation with these tests
	dialects       func(*verdict) []robots.Dialect
	names          func(*verdict) []string // nil for namesGiven
}

// verdictSources has all files of verdicts. If a parser follows none of our dialects, its questions
// are asked in the most similar dialect.
var verdictSources = []verdictSource{
	// The tests of Google's parser and of its specification. Tests marked rfc9309 cite the RFC or
	// its draft, and must pass in both dialects.
	{"google-robots_test.jsonl", "google/robotstxt", dialectGoogle, nil},
	{"google-spec-test.jsonl", "google/robotstxt-spec-test", dialectGoogle, nil},
	// A fork of Google's parser that decodes percent-encoded bytes. So only the tests that it marks
	// as Google's own are asked in dialect Google.
	{"nzrsky-robotstxt.jsonl", "nzrsky/robotstxt", func(v *verdict) []robots.Dialect {
		if v.Dialect == "google" {
			return []robots.Dialect{robots.Google}
		}
		return []robots.Dialect{robots.RFC9309}
	}, nil},

	// The library of Perl, which follows the first document of all: no Allow.
	{"libwww-perl.jsonl", "libwww-perl", in(robots.Koster1994), nil},
	// Tests of the draft of 1996, each with the features that it tests.
	{"ranvis.jsonl", "ranvis/robots-txt-processor-test", koster1996As(), nil},
	// urllib.robotparser: the first rule that matches decides, there are no wildcards, a blank line
	// ends a record, and a name is a part of the robot's name.
	{"python.jsonl", "python", in(robots.Koster1996), nil},

	// In all others wildcards count, and the longest rule decides.
	{"crawler-commons.jsonl", "crawler-commons", in(robots.RFC9309), nil},
	{"lighthouse.jsonl", "lighthouse", in(robots.RFC9309), nil},
	{"protego.jsonl", "protego", in(robots.RFC9309), nameInHeader},
	{"rep-cpp.jsonl", "rep-cpp", in(robots.RFC9309), nil},
	{"reppy.jsonl", "reppy", in(robots.RFC9309), nil},
	{"robots-parser.jsonl", "robots-parser", in(robots.RFC9309), nil},
	{"spatie.jsonl", "spatie", in(robots.RFC9309), nil},
	{"t1gor.jsonl", "t1gor", in(robots.RFC9309), nil},
	{"temoto.jsonl", "temoto", in(robots.RFC9309), nil},
	{"texting_robots.jsonl", "texting_robots", in(robots.RFC9309), nil},
	{"vipnytt.jsonl", "vipnytt", in(robots.RFC9309), nil},
}

func in(d robots.Dialect) func(*verdict) []robots.Dialect {
	return func(*verdict) []robots.Dialect { return []robots.Dialect{d} }
}

func dialectGoogle(v *verdict) []robots.Dialect {
	switch {
	case strings.Contains(v.Note, "disputed"):
		return nil // a port of the same parser gives another answer
	case v.Dialect == "rfc9309":
		return []robots.Dialect{robots.Google, robots.RFC9309}
	}
	return []robots.Dialect{robots.Google}
}

// koster1996As selects the tests whose features our reading of the draft has.
func koster1996As() func(*verdict) []robots.Dialect {
	return func(v *verdict) []robots.Dialect {
		for _, feature := range v.Requires {
			feature, lacks := strings.CutPrefix(feature, "-")
			if koster1996Features[feature] == lacks {
				return nil
			}
		}
		return []robots.Dialect{robots.Koster1996}
	}
}

// koster1996Features has the features of dialect Koster1996, by the names of ranvis.
// TestKoster1996Features compares them with the answers of the engine.
var koster1996Features = map[string]bool{
	"_Allow":                        true,
	"_PercentEncoding":              true,
	"_RespectRecordSeparator":       true,
	"AcceptSpaceBeforeColon":        true,
	"IgnoreDirectiveCase":           true,
	"IgnorePathTrailingSpaces":      true,
	"IgnoreRecordSeparatorIfNoRule": true,
	"IgnoreURIReserved":             true, // all reserved bytes but "/" equal their encoded form
	"IgnoreUserAgentTrailingSpaces": true,
	"LineCr":                        true,
	"LineLf":                        true,

	// A space at the end of a path stays if it is encoded.
	"_KeepPathTrailingSpacedOnlyIfEscaped": true,
}

// A featureProbe is a question whose answer shows whether a parser has a feature.
type featureProbe struct {
	verdict
	Kind     string
	Expected json.RawMessage // in probes an object with featureMeanings
}

type featureMeanings struct {
	Allowed    string `json:"allowed_means"`
	Disallowed string `json:"disallowed_means"`
}

// TestKoster1996Features compares koster1996Features with the probes of the corpus, and with probes
// of our own for the features without one.
func TestKoster1996Features(t *testing.T) {
	has := make(map[string]bool)
	probe := func(text []byte, agent, url string, means featureMeanings) {
		feature := means.Disallowed
		if robots.Koster1996.Parse(text).For(agent).Allowed(url) {
			feature = means.Allowed
		}
		if feature != "" {
			has[feature] = true
		}
	}
	for _, own := range []struct {
		text, agent, url    string
		allowed, disallowed string // the feature that the answer shows
	}{
		{"User-agent: *\nAllow: /a\nDisallow: /\n", "a", "/a", "_Allow", ""},
		{"User-agent: *\nDisallow: /%7Ea\n", "a", "/~a", "", "_PercentEncoding"},
		{"User-agent: *\nDisallow: /%3B\n", "a", "/;", "", "IgnoreURIReserved"},
		{"User-agent: *\nDisallow: /A\n", "a", "/a", "", "IgnorePathCase"},
		{"User-agent: *\nDisallow: /a$\n", "a", "/a", "", "WildcardDollar"},
		{"User-agent: ler\nDisallow: /\n", "crawler", "/", "UserAgentLeftMatch", ""},
		{"User-agent: *\nDisallow: /a%20 \n", "a", "/a", "_KeepPathTrailingSpacedOnlyIfEscaped", ""},
	} {
		probe([]byte(own.text), own.agent, own.url, featureMeanings{own.allowed, own.disallowed})
	}
	// The order matters: a probe may require a feature that an earlier probe has shown.
	for _, p := range jsonLines[featureProbe](t, "verdicts", "other", "facts.jsonl") {
		missing := func(feature string) bool { return !has[feature] }
		if p.Kind != "feature_probe" || slices.ContainsFunc(p.Requires, missing) {
			continue
		}
		var means featureMeanings
		fatal.If(t, json.Unmarshal(p.Expected, &means))
		probe(p.text(), p.Agent, p.URL, means)
	}
	for feature := range has {
		if !koster1996Features[feature] {
			t.Errorf("Koster1996 has the feature %s, which is not in koster1996Features", feature)
		}
	}
	for feature := range koster1996Features {
		if !has[feature] {
			t.Errorf("Koster1996 does not have the feature %s of koster1996Features", feature)
		}
	}
}

// namesGiven returns the names of the robot as the test gives them, in the same order.
func namesGiven(v *verdict) []string {
	if len(v.Agents) > 0 {
		return v.Agents
	}
	return []string{v.Agent}
}

// nameInHeader finds the name in a whole User-Agent text: protego looks for the names of the file
// anywhere in that text.
func nameInHeader(v *verdict) []string {
	if _, name, ok := strings.Cut(v.Agent, "(compatible; "); ok {
		return []string{strings.TrimSuffix(name, ")")}
	}
	return []string{v.Agent}
}

// TestVerdicts asks the engine the questions of other implementations' tests, each in the dialect
// that fits. oracle/disagreements.txt lists the different answers, each with its reason, and
// nothing else.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob(corpus.Path(t, "verdicts", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal("no verdicts in the corpus")
	}
	listed := readDisagreements(t)
	for _, path := range files {
		file := filepath.Base(path)
		i := slices.IndexFunc(verdictSources, func(s verdictSource) bool { return s.file == file })
		if i < 0 {
			t.Errorf("%s is not among verdictSources: choose a dialect for it", file)
			continue
		}
		t.Run(strings.TrimSuffix(file, ".jsonl"), func(t *testing.T) {
			verdictSources[i].run(t, listed)
		})
	}
}

func (s *verdictSource) run(t *testing.T, listed disagreements) {
	names := s.names
	if names == nil {
		names = namesGiven
	}
	cases := jsonLines[verdict](t, "verdicts", s.file)
	count := counts{cases: len(cases)}
	for i := range cases {
		v := &cases[i]
		dialects := s.dialects(v)
		if len(dialects) == 0 {
			count.left++
		}
		for _, d := range dialects {
			match := d.Parse(v.text()).For(names(v)...).Match(v.URL)
			at := place{s.file, i + 1, d.String()}
			count.add(listed.compare(t, at, s.implementation, v.Source+" "+v.Note, match.Allowed == v.Allowed,
				fmt.Sprintf("%q asks for %q: got %v, want allowed %t\n%.400q", names(v), v.URL, match, v.Allowed,
					v.text())))
		}
	}
	listed.rest(t, s.file)
	t.Log(count)
}

// counts has the number of cases of a file by their outcome.
type counts struct {
	cases, asks, met, listed, left int
}

func (c *counts) add(met, listed bool) {
	c.asks++
	if met {
		c.met++
	} else if listed {
		c.listed++
	}
}

func (c counts) String() string {
	return fmt.Sprintf("%d cases, %d not for us, %d questions: %d met, %d listed", c.cases, c.left, c.asks, c.met,
		c.listed)
}

// disagreements are the known disagreements of oracle/disagreements.txt.
type disagreements map[place]*disagreement

// A place is a case of the corpus in a dialect.
type place struct {
	file    string // below the folder verdicts
	line    int    // from 1 on
	dialect string
}

func (p place) String() string { return fmt.Sprintf("%s:%d %s", p.file, p.line, p.dialect) }

// A disagreement is one line of oracle/disagreements.txt. It may be about several cases.
type disagreement struct {
	implementation string
	test           string // a part of the source of the case, or of its note
	reason         string
	line           int // in oracle/disagreements.txt
}

// readDisagreements reads oracle/disagreements.txt. The head of the file explains its form.
func readDisagreements(tb testing.TB) disagreements {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("oracle", "disagreements.txt"))
	fatal.If(tb, err)
	all := make(disagreements)
	for i, text := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if strings.HasPrefix(text, "#") || text == "" {
			continue
		}
		bad := func(why string) { tb.Fatalf("oracle/disagreements.txt:%d: %s: %s", i+1, why, text) }
		columns := strings.Split(text, "\t")
		if len(columns) != 3 || slices.Contains(columns, "") {
			bad("not implementation, case and reason with one tab between them")
		}
		words := strings.SplitN(columns[1], " ", 3)
		if len(words) != 3 {
			bad("a case is file:lines, dialect and test with one blank between them")
		}
		if _, err := robots.ParseDialect(words[1]); err != nil {
			bad(err.Error())
		}
		file, ranges, ok := strings.Cut(words[0], ":")
		numbers, err := parseRanges(ranges)
		if !ok || err != nil {
			bad("the lines of a file are written as in protego.jsonl:12,15-18")
		}
		d := &disagreement{columns[0], words[2], columns[2], i + 1}
		for _, n := range numbers {
			at := place{file, n, words[1]}
			if all[at] != nil {
				bad(at.String() + " stands here twice")
			}
			all[at] = d
		}
	}
	return all
}

// parseRanges reads numbers and ranges of them, such as "12,15-18".
func parseRanges(s string) (numbers []int, err error) {
	for part := range strings.SplitSeq(s, ",") {
		from, to, ok := strings.Cut(part, "-")
		if !ok {
			to = from
		}
		first, err := strconv.Atoi(from)
		if err != nil {
			return nil, err
		}
		last, err := strconv.Atoi(to)
		if err != nil || last < first {
			return nil, fmt.Errorf("%q is not a range", part)
		}
		for n := first; n <= last; n++ {
			numbers = append(numbers, n)
		}
	}
	return numbers, nil
}

// compare fails the test if the case at a place agrees although it is listed, or disagrees and is
// not listed. It removes the case from the list. test is the source of the case; got is reported if
// it helps.
func (d disagreements) compare(t *testing.T, at place, implementation, test string, agrees bool, got string) (met,
	listed bool) {
	t.Helper()
	known := d[at]
	delete(d, at)
	switch {
	case known == nil && !agrees:
		t.Errorf("%v (%s): not met, and not in oracle/disagreements.txt: %s", at, test, got)
	case known != nil && agrees:
		t.Errorf("%v is met, but stands at oracle/disagreements.txt:%d", at, known.line)
	case known != nil && (known.implementation != implementation || !strings.Contains(test, known.test)):
		t.Errorf("%v is of %s, %s, but oracle/disagreements.txt:%d says %s, %s",
			at, implementation, test, known.line, known.implementation, known.test)
	}
	return agrees, known != nil
}

// rest fails the test for each case of a file that is still in the list.
func (d disagreements) rest(t *testing.T, file string) {
	t.Helper()
	for at, known := range d {
		if at.file == file {
			t.Errorf("%v stands at oracle/disagreements.txt:%d, but is not asked", at, known.line)
		}
	}
}

// jsonLines reads a file of the corpus with one JSON value a line.
func jsonLines[T any](tb testing.TB, elem ...string) (values []T) {
	tb.Helper()
	data, err := os.ReadFile(corpus.Path(tb, elem...))
	fatal.If(tb, err)
	for i, line := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			tb.Fatalf("%s:%d: %v", filepath.Join(elem...), i+1, err)
		}
		values = append(values, v)
	}
	return values
}

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
	"request_rate": {robots.RFC9309, requestRate},
	"visit_time":   {robots.RFC9309, visitTime},
	"sitemaps":     {robots.RFC9309, func(f *fact, p *robots.Policy, _ *robots.Group) any { return sitemaps(f, p) }},
	"sitemap_count": {robots.RFC9309, func(_ *fact, p *robots.Policy,
		_ *robots.Group) any {
		return float64(len(p.Sitemaps()))
	}},
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
	"path_of_url": {robots.Google, func(f *fact, _ *robots.Policy,
		g *robots.Group) any {
		return g.Explain(f.URL).Path
	}},
	"escape_pattern": {robots.Google, func(f *fact, _ *robots.Policy, _ *robots.Group) any {
		// A pattern in another form matches another path.
		text := "User-agent: *\nDisallow: /" + f.Pattern + "$"
		var want string
		if json.Unmarshal(f.Expected, &want) == nil &&
			robots.Google.Parse([]byte(text)).For("*").Allowed("http://example.com/"+want) {
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

// TestFacts compares the answers of the methods for records, and of some others, with the facts
// that the tests of other implementations expect. oracle/disagreements.txt lists the different
// answers, each with its reason.
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
		fatal.If(t, json.Unmarshal(f.Expected, &want))
		// As JSON, both have the same types.
		gotText, _ := json.Marshal(got)
		wantText, _ := json.Marshal(want)
		at := place{file, i + 1, kind.dialect.String()}
		count.add(listed.compare(t, at, implementationOf(f), f.Source, string(gotText) == string(wantText),
			fmt.Sprintf("%s %s for %q: got %s, want %s\n%.400q", f.Kind, f.Field, f.Agent, gotText, wantText,
				f.text())))
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
		for name, preference := range map[string]robots.Preference{"search": s.Search, "ai-input": s.AIInput,
			"ai-train": s.AITrain} {
			if preference != robots.Unknown {
				says[name] = preference == robots.Permitted
			}
		}
	}
	return says
}
