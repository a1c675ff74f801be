package robotlist

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The words of the fields, in the order of the constants of package agent.
var (
	Purposes = [...]string{
		"search", "ai-train", "ai-search", "ai-user", "preview", "ads", "seo", "monitor",
		"archive", "research", "feed", "security", "shopping", "social", "tool", "other",
	}
	Obediences = [...]string{"unknown", "yes", "partly", "no"}
	Delays     = [...]string{"unknown", "no", "pause", "rate"}
)

// A checker reports the errors of a table.
type checker struct {
	list     *List
	complete bool
	errs     []error
	more     int
}

func (c *checker) report(format string, args ...any) {
	if len(c.errs) == maxErrors {
		c.more++
		return
	}
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *checker) err() error {
	if c.more > 0 {
		c.errs = append(c.errs, fmt.Errorf("and %d more errors", c.more))
	}
	return errors.Join(c.errs...)
}

// check reports all errors of the table.
func (c *checker) check() {
	if len(c.list.Robots) == 0 {
		c.report("there are no robots in it")
	}
	c.checkSources()
	c.checkFallbacks(c.checkRobots())
}

// checkSources reports the errors of the sources.
func (c *checker) checkSources() {
	for _, id := range slices.Sorted(maps.Keys(c.list.Sources)) {
		s := c.list.Sources[id]
		_, day := time.Parse("2006-01-02", s.Date)
		_, month := time.Parse("2006-01", s.Date)
		if s.Date != "" && day != nil && month != nil {
			c.report("source %q: date %q is not of the form 2006-01-02 or 2006-01", id, s.Date)
		}
		if s.Title == "" {
			c.report("source %q: title is missing", id)
		}
		checkURL(s.URL, func(why string) { c.report("source %q: url %q %s", id, s.URL, why) })
	}
}

// checkRobots reports the errors of each robot, except those of fallbacks, and returns the tokens
// of the table as they are written, by their lower case.
func (c *checker) checkRobots() (tokens map[string]string) {
	tokens = make(map[string]string)
	names := make(map[string]string) // in lower case, to the token of the robot
	for i := range c.list.Robots {
		r := &c.list.Robots[i]
		report := func(format string, args ...any) {
			c.report("line %d: robot %s: "+format, append([]any{r.Line, named(r.Token)}, args...)...)
		}
		if !c.complete {
			r.Name = cmp.Or(r.Name, r.Token)
			if r.Purposes == nil {
				r.Purposes = []string{"other"}
			}
		}
		if other, ok := tokens[Fold(r.Token)]; ok {
			report("the token is listed twice, also as %s", other)
		}
		tokens[Fold(r.Token)] = r.Token
		for _, name := range r.HeaderNames() {
			if other, ok := names[Fold(name)]; ok {
				report("match %q is a name of %s already", name, other)
			}
			names[Fold(name)] = r.Token
		}
		r.check(c.complete, report)
		for list, sources := range map[string]map[string]string{"from": r.From, "undocumented": r.Undocumented} {
			for _, field := range slices.Sorted(maps.Keys(sources)) {
				if id := sources[field]; !c.has(id) {
					report("%s: source %q of %q is not among the sources", list, id, field)
				}
			}
		}
	}
	return tokens
}

func (c *checker) has(source string) bool {
	_, ok := c.list.Sources[source]
	return ok
}

// checkFallbacks reports fallbacks that are not other robots of the table.
func (c *checker) checkFallbacks(tokens map[string]string) {
	for _, r := range c.list.Robots {
		for i, token := range r.Fallback {
			other, ok := tokens[Fold(token)]
			switch {
			case !ok && !c.complete && !c.list.Replace:
				// The other robot may be in the table that this one extends.
			case !ok:
				c.report("line %d: robot %s: fallback %q is not a robot of the table", r.Line, r.Token, token)
			case other != token:
				c.report("line %d: robot %s: fallback %q is written %q there", r.Line, r.Token, token, other)
			}
			if token == r.Token || slices.Contains(r.Fallback[:i], token) {
				c.report("line %d: robot %s: fallback %q is the robot itself, or is listed twice", r.Line, r.Token,
					token)
			}
		}
	}
}

// check reports the errors of a single robot.
func (r *Robot) check(complete bool, report func(format string, args ...any)) {
	if !isToken(r.Token) {
		report("token %q is not a product token: letters, digits, and any of - _ . ! ', without blanks", r.Token)
	}
	if r.Name == "" {
		report("name is missing")
	}
	if len(r.Purposes) == 0 {
		report("purposes are missing; there is \"other\"")
	}
	r.checkChoices(report)
	if r.PolicyOnly != (len(r.Names()) == 0) {
		report("policy_only is for those with an empty match, which no header shows, and for all of them")
	}
	for _, name := range r.Names() {
		if !IsName(name) {
			report("match %q is not a list of whole words separated by single spaces: a word has letters, digits, \"-\", \"_\", \"!\", \"%%\", and dots inside", name)
		}
	}
	r.checkDevices(report)
	for _, name := range r.Meta {
		if !isMeta(name) || name == "robots" {
			report("meta %q is not a name in lower case besides \"robots\"", name)
		}
	}
	r.checkLinks(report)
	if _, err := time.Parse("2006-01", r.Checked); err != nil && (complete || r.Checked != "") {
		report("checked %q is not of the form 2006-01", r.Checked)
	}
	for _, text := range []string{r.Name, r.Operator} {
		if !isPlain(text) {
			report("%q has bytes that a terminal does not show as they are", text)
		}
	}
	if complete {
		r.checkSources(report)
	}
}

// checkDevices reports the errors of the member "devices".
func (r *Robot) checkDevices(report func(format string, args ...any)) {
	if r.Devices == nil {
		return
	}
	if r.Devices.Always && len(r.Devices.Words) > 0 {
		report("devices: words say nothing where always is true: leave one of both out")
	}
	for _, word := range r.Devices.Words {
		if !IsName(word) {
			report("devices: %q is not a list of whole words separated by single spaces", word)
		}
	}
}

// checkChoices reports values that are not in their lists.
func (r *Robot) checkChoices(report func(format string, args ...any)) {
	check := func(field, word string, words []string) {
		if !slices.Contains(words, word) {
			report("%s %q is none of %s", field, word, strings.Join(slices.Sorted(slices.Values(words)), ", "))
		}
	}
	for i, p := range r.Purposes {
		check("purpose", p, Purposes[:])
		if slices.Contains(r.Purposes[:i], p) {
			report("purpose %q is listed twice", p)
		}
	}
	if r.RobotsTxt != "" {
		check("robots_txt", r.RobotsTxt, Obediences[:])
	}
	if r.CrawlDelay != "" {
		check("crawl_delay", r.CrawlDelay, Delays[:])
	}
}

// checkLinks reports wrong URLs, and the errors of the member "verify".
func (r *Robot) checkLinks(report func(format string, args ...any)) {
	if r.Verify != nil {
		for _, u := range r.Verify.Ranges {
			checkURL(u, func(why string) { report("verify: ranges %q %s", u, why) })
		}
		for _, u := range r.Verify.Pages {
			checkURL(u, func(why string) { report("verify: pages %q %s", u, why) })
		}
		for _, host := range r.Verify.DNS {
			if !isDomain(host) {
				report("verify: dns %q is not a domain in lower case, such as googlebot.com", host)
			}
		}
		if len(r.Verify.Ranges)+len(r.Verify.DNS)+len(r.Verify.Pages) == 0 {
			report("verify is empty: leave it out")
		}
	}
	if r.Docs != "" {
		checkURL(r.Docs, func(why string) { report("docs %q %s", r.Docs, why) })
	}
	if r.Source != "" {
		checkURL(r.Source, func(why string) { report("source %q %s", r.Source, why) })
	}
}

// checkSources reports fields without a source, and sources of unknown fields.
func (r *Robot) checkSources(report func(format string, args ...any)) {
	fields := map[string]bool{ // the value is true if the robot has the field
		"token": true, "name": true, "operator": r.Operator != "", "purposes": true, "match": r.Match != nil,
		"policy_only": r.PolicyOnly, "fallback": len(r.Fallback) > 0, "everyone": r.Everyone != nil,
		"robots_txt":  r.RobotsTxt != "",
		"crawl_delay": r.CrawlDelay != "", "meta": len(r.Meta) > 0, "verify": r.Verify != nil, "docs": r.Docs != "",
		"devices": r.Devices != nil,
	}
	for _, field := range slices.Sorted(maps.Keys(r.From)) {
		if has, known := fields[field]; !known && field != "*" {
			report("from: %q is not a field with sources", field)
		} else if known && !has {
			report("from: there is a source of %s, but no %s", field, field)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(r.Undocumented)) {
		if has, known := fields[field]; !known {
			report("undocumented: %q is not a field with sources", field)
		} else if has && field != "token" {
			report("undocumented: there is a %s", field)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if fields[field] && r.From[field] == "" && r.From["*"] == "" {
			report("from: no source is given for %s", field)
		}
	}
}

func checkURL(s string, report func(why string)) {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" || u.Host == "" || !isPlain(s) || strings.ContainsAny(s, " <>\"") {
		report("is not an https URL")
	}
}

// named returns a token in the form of error messages.
func named(token string) string {
	if token == "" {
		return "without a token"
	}
	if !isPlain(token) {
		return strconv.QuoteToASCII(token)
	}
	return token
}

// isPlain reports whether a terminal shows a text unchanged.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) })
}

// Fold returns a name in the form for comparisons: with small letters in place of capital ones of
// ASCII.
func Fold(name string) string {
	for i := range len(name) {
		if 'A' <= name[i] && name[i] <= 'Z' {
			folded := []byte(name)
			for j, c := range folded {
				if 'A' <= c && c <= 'Z' {
					folded[j] = c | 0x20
				}
			}
			return string(folded)
		}
	}
	return name
}

// isToken reports whether a name is a product token. RFC 9309 allows letters, "-" and
// "_". Operators nevertheless use tokens with digits and other bytes, such as MJ12bot
// and Y!J. A robot reads a token from a user-agent line up to white space, "/" or "#".
func isToken(s string) bool {
	return made(s, "!'._-") && strings.Trim(s, "!'._-") != ""
}

// IsName reports whether a text consists of whole words separated by single blanks, the
// form in which headers name robots.
func IsName(s string) bool {
	for word := range strings.SplitSeq(s, " ") {
		for piece := range strings.SplitSeq(word, ".") {
			if !made(strings.Map(func(c rune) rune {
				if c >= 0x80 {
					return 'a'
				}
				return c
			}, piece), "_!%-") {
				return false
			}
		}
	}
	return true
}

// isMeta reports whether a text is the name of a META tag, in lower case.
func isMeta(s string) bool { return made(s, "_-") && s == Fold(s) }

// isDomain reports whether a text is a domain of two labels at least, in lower
// case.
func isDomain(s string) bool {
	labels := strings.Split(s, ".")
	for _, label := range labels {
		if !made(label, "-") || label != Fold(label) || strings.Trim(label, "-") != label {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(labels) > 1 && strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") == ""
}

// made reports whether a text is not empty, and consists of letters, digits and the
// bytes of others.
func made(s, others string) bool {
	for i := range len(s) {
		c := s[i]
		if c|0x20 < 'a' || c|0x20 > 'z' {
			if (c < '0' || c > '9') && strings.IndexByte(others, c) < 0 {
				return false
			}
		}
	}
	return s != ""
}
