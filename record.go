package robots

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/sfv"
)

// A Record is a line other than a rule: a field with its value, as written. A record neither
// changes a verdict nor ends a group.
type Record struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Line  int    `json:"line"` // the number of the line, from 1 on
}

// String returns the record as written. Bytes that are unsafe for a terminal are escaped.
func (r Record) String() string { return printable.Text(r.Field) + ": " + printable.Text(r.Value) }

// OfFile reports whether the record applies to the whole file, wherever its line is: Sitemap,
// Clean-param and Host. Other records belong to their group.
func (r Record) OfFile() bool {
	f := fieldNamed(r.Field)
	return f != nil && f.OfFile
}

// is reports whether the record's field has one of these names, in letters of any case.
func (r Record) is(names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return equalFold(r.Field, name) })
}

// Records returns the records of the whole file whose field has one of these
// names, in letters of any case, or all records if no name is given.
func (p *Policy) Records(fields ...string) (records []Record) {
	for _, line := range p.Lines() {
		if line.Kind != Other {
			continue
		}
		if r := (Record{line.Field, line.Value, line.Number}); len(fields) == 0 || r.is(fields) {
			records = append(records, r)
		}
	}
	return records
}

// Records is like [Policy.Records] for the records of the group.
//
// A record does not separate the agents of a group, but it is meant for the agents just before it.
// So in a group that [Policy.For] found, a record counts if the closest user-agent lines before the
// record, with no rule or other record of a group between them, name the agent.
func (g *Group) Records(fields ...string) (records []Record) {
	for _, block := range g.blocks {
		meant, naming := g.written, false
		for number, text := range g.policy.lines(block) {
			switch kind, name, value := g.policy.dialect.spec().lex(text); kind {
			case UserAgent:
				meant = meant && naming || g.written || g.isNamed(value)
				naming = true
			case Allow, Disallow:
				naming = false
			case Other:
				r := Record{name, value, number}
				if meant && (len(fields) == 0 || r.is(fields)) {
					records = append(records, r)
				}
				if f := fieldNamed(name); f != nil && f.OfGroup {
					naming = false
				}
			}
		}
	}
	return records
}

// isNamed reports whether the value of a user-agent line names the agent of g.
func (g *Group) isNamed(value string) bool {
	r := g.policy.dialect.spec()
	names := []string{value}
	if r.lists {
		names = slices.Collect(list(value))
	}
	return slices.ContainsFunc(names, func(name string) bool {
		token, ok := r.token(name)
		return ok && equalFold(token, g.Token())
	})
}

// A BadRecord is a record whose value is invalid for its field. The methods for the field do not
// return it.
type BadRecord struct {
	Record
	Err error // the fault in the value
}

// BadRecords returns the records of the file whose values are invalid for their fields.
func (p *Policy) BadRecords() (bad []BadRecord) {
	for _, r := range p.Records() {
		if f, ok := FieldNamed(r.Field); ok && f.Check != nil {
			if err := f.Check(r.Value); err != nil {
				bad = append(bad, BadRecord{r, err})
			}
		}
	}
	return bad
}

// parsed returns the values of the records that parse without an error.
func parsed[T any](records []Record, parse func(Record) (T, error)) (values []T) {
	for _, r := range records {
		if v, err := parse(r); err == nil {
			values = append(values, v)
		}
	}
	return values
}

// A Sitemap record has the address of a sitemap (sitemaps.org).
type Sitemap struct {
	Record
	URL *url.URL // absolute
}

// Sitemaps returns the sitemaps of the file, wherever their lines are.
func (p *Policy) Sitemaps() []Sitemap { return parsed(p.Records("sitemap"), parseSitemap) }

func parseSitemap(r Record) (Sitemap, error) {
	u, err := absolute(r.Value)
	if err == nil && u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "ftp" {
		err = fmt.Errorf("scheme %q is not http or https", u.Scheme)
	}
	return Sitemap{r, u}, err
}

// absolute parses a URL with a scheme and a host.
func absolute(value string) (*url.URL, error) {
	u, err := url.Parse(value)
	switch {
	case err != nil:
		if e := (*url.Error)(nil); errors.As(err, &e) {
			err = e.Err
		}
		return nil, err
	case u.Scheme == "" || u.Host == "":
		return nil, errors.New("not an absolute URL such as https://example.com/sitemap.xml")
	}
	return u, nil
}

// A CrawlDelay record asks for a pause between two requests.
type CrawlDelay struct {
	Record
	Delay time.Duration
}

// CrawlDelay returns the pause that the group asks for between two requests. If the group asks for
// several, the longest counts. A pause of more than a hundred years counts as a hundred years. A
// value that is not a number of seconds does not count: [Policy.BadRecords] returns it.
func (g *Group) CrawlDelay() (delay CrawlDelay, ok bool) {
	for _, d := range parsed(g.Records("crawl-delay"), parseCrawlDelay) {
		if !ok || d.Delay > delay.Delay {
			delay, ok = d, true
		}
	}
	return delay, ok
}

func parseCrawlDelay(r Record) (CrawlDelay, error) {
	d, err := seconds(r.Value)
	return CrawlDelay{r, d}, err
}

// longestPause is the longest pause of a record, and the longest period of a rate: a robot that
// asks once in a hundred years keeps any longer one. Callers may add several such times.
const longestPause = 100 * 365 * 24 * time.Hour

// seconds parses a decimal number of seconds, up to longestPause. It may have an exponent, because
// robots that read the value with the number parser of their language obey such values.
func seconds(s string) (time.Duration, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 1) || // a number out of range
		strings.Trim(s, "0123456789.eE+-") != "" || s[0] == '+' || s[0] == '-' {
		return 0, errors.New("not a decimal number of seconds such as 10 or 0.5")
	}
	return time.Duration(min(f*float64(time.Second), float64(longestPause))), nil
}

// A Window is a part of each day, in UTC. It may go past midnight. A window that ends when it
// begins, such as 0000-0000, is the whole day.
type Window struct {
	From, To time.Duration // since midnight; the window ends before To
}

// Contains reports whether t is in the window.
func (w Window) Contains(t time.Time) bool {
	t = t.UTC()
	now := t.Sub(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC))
	from := w.From % (24 * time.Hour) // 2400 is 0000
	if from < w.To {
		return from <= now && now < w.To
	}
	return from <= now || now < w.To
}

// String returns the window as it is written in robots.txt: "HHMM-HHMM".
func (w Window) String() string {
	return fmt.Sprintf("%02d%02d-%02d%02d", int(w.From.Hours()), int(w.From.Minutes())%60, int(w.To.Hours()),
		int(w.To.Minutes())%60)
}

func parseWindow(s string) (w Window, err error) {
	from, to, ok := strings.Cut(s, "-")
	if !ok {
		// Some files have a blank instead of the hyphen.
		from, to, ok = strings.Cut(s, " ")
	}
	if ok {
		if w.From, err = parseClock(trim(from)); err == nil {
			w.To, err = parseClock(trim(to))
		}
	}
	if !ok || err != nil {
		return w, errors.New("not a time of the day such as 0600-0845, in UTC")
	}
	return w, nil
}

// parseClock parses HHMM, from 0000 to 2400, and HH:MM too.
func parseClock(s string) (time.Duration, error) {
	if h, m, ok := strings.Cut(s, ":"); ok && len(m) == 2 {
		s = h + m
		if len(h) == 1 {
			s = "0" + s
		}
	}
	n, err := strconv.ParseUint(s, 10, 16)
	if err != nil || len(s) != 4 || n > 2400 || n%100 > 59 {
		return 0, errors.New("not HHMM")
	}
	return time.Duration(n/100)*time.Hour + time.Duration(n%100)*time.Minute, nil
}

// A VisitTime record asks robots to visit only in a part of the day.
type VisitTime struct {
	Record
	Window Window
}

// VisitTimes returns the times of day when the group asks robots to visit. If there are none,
// robots may visit at any time.
func (g *Group) VisitTimes() []VisitTime { return parsed(g.Records("visit-time"), parseVisitTime) }

func parseVisitTime(r Record) (VisitTime, error) {
	w, err := parseWindow(r.Value)
	return VisitTime{r, w}, err
}

// A RequestRate record asks for at most a number of documents per period.
type RequestRate struct {
	Record
	Documents int
	Period    time.Duration
	Window    *Window // the time of day when the rate applies, or nil for the whole day
}

// Delay returns the pause between two requests that keeps the rate.
func (r RequestRate) Delay() time.Duration { return r.Period / time.Duration(r.Documents) }

// RequestRates returns the rates that the group asks for. A period of more than a hundred years
// counts as a hundred years.
func (g *Group) RequestRates() []RequestRate {
	return parsed(g.Records("request-rate"), parseRequestRate)
}

func parseRequestRate(r Record) (RequestRate, error) {
	rate := RequestRate{Record: r}
	text, window, timed := strings.Cut(strings.ReplaceAll(r.Value, "\t", " "), " ")
	documents, period, ok := strings.Cut(text, "/")
	bad := errors.New("not documents/time[s|m|h] such as 10/1m, and a time of the day such as 1300-1659")
	if !ok {
		return rate, bad
	}
	n, ok := count(documents)
	if !ok {
		return rate, bad
	}
	rate.Documents = int(min(n, math.MaxInt32))
	unit := time.Second
	if k := len(period) - 1; k > 0 {
		switch lower(period[k]) {
		case 's':
			period = period[:k]
		case 'm':
			period, unit = period[:k], time.Minute
		case 'h':
			period, unit = period[:k], time.Hour
		}
	}
	if n, ok = count(period); !ok {
		return rate, bad
	}
	rate.Period = min(time.Duration(n), longestPause/unit) * unit
	if window = trim(window); timed && window != "" {
		w, err := parseWindow(window)
		if err != nil {
			return rate, bad
		}
		rate.Window = &w
	}
	return rate, nil
}

// count parses a whole number of 1 or more. A greater number than any is the greatest.
func count(s string) (n int64, ok bool) {
	v, _ := strconv.ParseUint(s, 10, 63) // 0 if s is not a number, and the greatest if it is out of range
	return int64(v), v > 0
}

// A CleanParam record names parameters of the query that do not change the
// page (Yandex).
type CleanParam struct {
	Record
	Params []string
	Path   string // the pattern of the paths that have these parameters; "" for all paths
}

// CleanParams returns the clean-param records of the file.
func (p *Policy) CleanParams() []CleanParam {
	return parsed(p.Records("clean-param"), parseCleanParam)
}

func parseCleanParam(r Record) (CleanParam, error) {
	words := strings.Fields(r.Value)
	c := CleanParam{Record: r}
	if len(words) < 1 || len(words) > 2 {
		return c, errors.New("not parameters joined by & and one path, such as ref&sid /shop/")
	}
	c.Params = strings.Split(words[0], "&")
	if slices.Contains(c.Params, "") {
		return c, errors.New("a parameter without a name")
	}
	if len(words) == 2 {
		c.Path = words[1]
	}
	return c, nil
}

// A Host record names the main mirror of a site (Yandex, until 2018).
type Host struct {
	Record
	Host string // host or host:port
}

// Hosts returns the host records of the file.
func (p *Policy) Hosts() []Host { return parsed(p.Records("host"), parseHost) }

func parseHost(r Record) (Host, error) {
	host := r.Value
	for _, scheme := range []string{"http://", "https://"} {
		if startsFold(host, scheme) {
			host = strings.TrimSuffix(host[len(scheme):], "/")
			break
		}
	}
	u, err := url.Parse("//" + host)
	if err != nil || host == "" || u.Host != host || strings.ContainsAny(host, " \t") {
		return Host{Record: r}, errors.New("not a host such as example.com or example.com:8080")
	}
	return Host{r, host}, nil
}

// A License record has the address of the terms of use (RSL 1.0, section 4.4).
type License struct {
	Record
	URI *url.URL // absolute
}

// Licenses returns the licenses of the file that are in no group. They apply to groups without
// licenses of their own.
func (p *Policy) Licenses() []License {
	var records []Record
	for _, line := range p.Lines() {
		if line.Group < 0 && line.Kind == Other && equalFold(line.Field, "license") {
			records = append(records, Record{line.Field, line.Value, line.Number})
		}
	}
	return parsed(records, parseLicense)
}

// Licenses returns the licenses that apply to the group: its own, or if it has none those of the
// file.
func (g *Group) Licenses() []License {
	if own := parsed(g.Records("license"), parseLicense); len(own) > 0 || g.policy == nil {
		return own
	}
	return g.policy.Licenses()
}

func parseLicense(r Record) (License, error) {
	u, err := url.Parse(r.Value)
	if err != nil || !u.IsAbs() || strings.ContainsAny(r.Value, " \t") {
		return License{Record: r}, errors.New("not an absolute URI such as https://example.com/license.xml")
	}
	return License{r, u}, nil
}

// A Preference says whether a site permits a use of its content.
type Preference uint8

// The preferences.
const (
	Unknown   Preference = iota // the site does not say
	Permitted                   // y, or yes
	Refused                     // n, or no
)

// String returns "y", "n" or "unknown".
func (p Preference) String() string {
	switch p {
	case Permitted:
		return "y"
	case Refused:
		return "n"
	}
	return "unknown"
}

// MarshalText implements [encoding.TextMarshaler] with the preference's name.
func (p Preference) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// A ContentUsage record says which uses of the content under a path are
// welcome (draft-ietf-aipref-attach, section 4).
type ContentUsage struct {
	Record
	Path        string                // a pattern, as of a rule; "/" where none is written
	Preferences map[string]Preference // by category, such as train-ai and search
}

// ContentUsages returns the content-usage records of the group.
func (g *Group) ContentUsages() []ContentUsage {
	return parsed(g.Records("content-usage"), parseContentUsage)
}

// Usage returns the preference of the group for using the content of a URL for a category, such as
// "train-ai" or "search". As among rules, the record with the longest path decides; records with
// equal paths are combined, and Refused wins. The result is meaningful only for a URL that the
// robot may fetch.
func (g *Group) Usage(url, category string) Preference {
	if g.policy == nil {
		return Unknown
	}
	r := g.policy.dialect.spec()
	path := r.pathOf(url)
	best, longest := Unknown, -1
	for _, u := range g.ContentUsages() {
		pat := r.compile(u.Path)
		if pat.Bytes < longest || !pat.Matches(path) {
			continue
		}
		if pat.Bytes > longest {
			best, longest = Unknown, pat.Bytes
		}
		best = max(best, u.Preferences[category]) // Refused is the greatest
	}
	return best
}

func parseContentUsage(r Record) (ContentUsage, error) {
	u := ContentUsage{Record: r, Path: "/"}
	value := r.Value
	if strings.HasPrefix(value, "/") {
		i := strings.IndexAny(value, " \t")
		if i < 0 {
			return u, errors.New("a path without preferences such as train-ai=n after it")
		}
		u.Path, value = value[:i], trim(value[i:])
	}
	d, err := sfv.ParseDictionary(value)
	if err != nil {
		return u, err
	}
	u.Preferences = make(map[string]Preference, len(d.Members))
	for _, m := range d.Members {
		u.Preferences[m.Key] = Unknown
		switch m.Value {
		case sfv.Token("y"):
			u.Preferences[m.Key] = Permitted
		case sfv.Token("n"):
			u.Preferences[m.Key] = Refused
		}
	}
	return u, nil
}

// A ContentSignal record says which uses of the content are welcome
// (contentsignals.org).
type ContentSignal struct {
	Record
	Search, AIInput, AITrain Preference
	Use                      string // immediate, reference or full; "" if not said
}

// ContentSignals returns the content-signal records of the group.
func (g *Group) ContentSignals() []ContentSignal {
	return parsed(g.Records("content-signal"), parseContentSignal)
}

func parseContentSignal(r Record) (ContentSignal, error) {
	s := ContentSignal{Record: r}
	for member := range strings.SplitSeq(r.Value, ",") {
		name, value, ok := strings.Cut(member, "=")
		name, value = lowered(trim(name)), lowered(trim(value))
		if !ok {
			return s, fmt.Errorf("%q is not of the form name=value, such as ai-train=no", trim(member))
		}
		var signal *Preference
		switch name {
		case "search":
			signal = &s.Search
		case "ai-input":
			signal = &s.AIInput
		case "ai-train":
			signal = &s.AITrain
		case "use":
			if value != "immediate" && value != "reference" && value != "full" {
				return s, fmt.Errorf("use=%q is not immediate, reference or full", value)
			}
			s.Use = value
			continue
		default:
			continue // an unknown signal, perhaps of another version
		}
		switch value {
		case "yes":
			*signal = max(*signal, Permitted)
		case "no":
			*signal = Refused
		default:
			return s, fmt.Errorf("%s=%q is not yes or no", name, value)
		}
	}
	return s, nil
}
