// Package auditnew finds the robots of access logs that no table has, and writes entries about them
// for lists of robots, with what the logs show of each.
//
// An entry is public. So it has networks in place of addresses, and what could be of a person or of
// the owner of the site is left out: see [Reason]. It has nothing that the logs do not show.
package auditnew

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditrows"
	"github.com/robotsexclusion/robots/cmd/internal/describe"
	"github.com/robotsexclusion/robots/internal/address"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The fewest requests, days of UTC and hours that count as more than sporadic visits.
const (
	minRequests = 10
	minDays     = 2
	minHours    = 3
)

const (
	// minTargets is the number of different targets, without /robots.txt, from which on a robot
	// does not look like a monitor or a reader of one feed.
	minTargets = 3
	// A name that comes from manyNetworks, with fewer than fewRequests requests from each, may be a
	// program on devices of people.
	manyNetworks, fewRequests = 10, 3
	// A network of fewer requests, and of less than this share, is counted and not named: somebody
	// else may have sent the header.
	ownNetwork, ownShare = 5, 10

	maxHeaders  = 5
	maxNetworks = 10
	maxRules    = 5
	maxLines    = 5
	minName     = 4   // bytes of a token whose pattern finds nothing else
	maxKept     = 256 // headers, networks and rules that are counted for a robot
	maxHeader   = 256 // bytes
	maxPath     = 200 // bytes of a path in a line
)

// A Reason is why a name is left out.
type Reason string

// The reasons. The first five are of single requests.
const (
	Own      Reason = "own"      // it asks from the network of the site itself
	Device   Reason = "device"   // it comes from devices of people
	Browser  Reason = "browser"  // it poses as a browser, or loads pages as browsers do
	Tool     Reason = "tool"     // its header is that of a monitor, a validator, a webhook or the like
	Site     Reason = "site"     // its header gives an address of the site itself
	Single   Reason = "single"   // it asks for one or two targets, as monitors and readers of a feed do
	Spread   Reason = "spread"   // a few requests at each of many networks, as programs on devices make
	Nameless Reason = "nameless" // no name by which others could find it
	Sporadic Reason = "sporadic" // few visits
)

// Reasons are all reasons, in the order of reports.
var Reasons = []Reason{Sporadic, Own, Device, Browser, Tool, Site, Single, Spread, Nameless}

// A Report lists the robots that no table has. It is stable JSON.
type Report struct {
	Robots  []Robot        `json:"robots"`   // the most requests first
	LeftOut map[Reason]int `json:"left_out"` // names that call themselves robots and are left out
}

// A Robot is a robot in no table.
type Robot struct {
	Token string                 `json:"token"`
	Table describe.TableDocument `json:"table"`               // for the table of robots
	List  describe.ListEntry     `json:"crawler_user_agents"` // for the list of that name
	Seen  Seen                   `json:"seen"`
	Lines []Line                 `json:"lines"`
}

// Seen is what the logs show of a robot.
type Seen struct {
	Requests     int64     `json:"requests"`
	First        time.Time `json:"first"`
	Last         time.Time `json:"last"`
	Days         int       `json:"days"`  // of UTC, with requests
	Hours        int       `json:"hours"` // with requests
	Headers      []Header  `json:"headers"`
	MoreHeaders  int       `json:"more_headers"`
	Networks     []Network `json:"networks"` // empty if the logs show proxies only
	MoreNetworks int       `json:"more_networks"`
	Pace         *Pace     `json:"pace"`       // nil if it is not known
	RobotsTxt    int64     `json:"robots_txt"` // requests for /robots.txt
	Judged       int64     `json:"judged"`     // requests that were held against robots.txt
	Certain      int64     `json:"certain"`
	Informed     int64     `json:"informed"`
	Grace        int64     `json:"grace"`
	Rules        []Rule    `json:"rules"` // that the requests did not obey, the most certain violations first
}

// A Header is a User-Agent header, cut to 256 bytes, with addresses cut to networks.
type Header struct {
	UserAgent string `json:"user_agent"`
	Requests  int64  `json:"requests"`
}

// A Network is a /24 of IPv4 or a /48 of IPv6.
type Network struct {
	Network  netip.Prefix `json:"network"`
	Requests int64        `json:"requests"`
}

// Pace is the median of the pauses, in seconds, and the most requests in a minute.
type Pace struct {
	Median float64 `json:"median"`
	Peak   int64   `json:"peak"`
}

// A Rule is a rule with the number of certain violations of it, or of all disallowed requests if
// there are none.
type Rule struct {
	Line     int    `json:"line"`
	Rule     string `json:"rule"`
	Requests int64  `json:"requests"`
}

// A Line is a line of a log, written in the format combined: with the network in place of the
// address, without query, referrer and user.
type Line struct {
	Log  string `json:"log"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Find reads logs again, whose first reading is in a part, and returns the robots in no table:
// neither in that of the options, nor in that of package agent. The options are those of the audit.
func Find(ctx context.Context, reader *accesslog.Reader, logs []accesslog.Log, part *audit.Part,
	o audit.Options) (*Report, error) {
	report := part.Report()
	f := &finder{
		table: o.Robots, site: append(slices.Sorted(maps.Keys(o.Sites)), o.Host), proxied: report.Proxied > 0,
		found: map[string]*finding{}, headers: map[string]headerKind{}, hide: auditreport.NewHider("cut"),
		report: &Report{Robots: []Robot{}, LeftOut: map[Reason]int{}},
	}
	for i := range report.Robots {
		r := &report.Robots[i]
		switch {
		case r.Kind != agent.Robot.String() || f.knows(r):
		case r.Requests < minRequests:
			f.report.LeftOut[Sporadic]++
		default:
			f.found[r.Token] = newFinding(r)
		}
	}
	if len(f.found) > 0 {
		if err := auditrows.Each(ctx, reader, logs, part.Judge(), f.take); err != nil {
			return nil, err
		}
	}
	for _, token := range slices.Sorted(maps.Keys(f.found)) {
		robot, why := f.conclude(f.found[token])
		if robot == nil {
			f.report.LeftOut[why]++
			continue
		}
		f.report.Robots = append(f.report.Robots, *robot)
	}
	slices.SortStableFunc(f.report.Robots, func(a, b Robot) int {
		return -cmp.Compare(a.Seen.Requests, b.Seen.Requests)
	})
	return f.report, nil
}

// A finder collects what logs show of robots.
type finder struct {
	table   *agent.Table
	site    []string              // its hosts, as far as the options name them
	proxied bool                  // whether addresses of the network of the site are those of proxies
	found   map[string]*finding   // by token
	headers map[string]headerKind // of headers that were seen; see maxKept
	hide    *auditreport.Hider
	report  *Report
}

// knows reports whether a table has a robot of the report, by its token or by one of its headers.
func (f *finder) knows(r *audit.Robot) bool {
	known := func(t *agent.Table) bool {
		return t.Named(r.Token).Known() ||
			slices.ContainsFunc(r.UserAgents, func(header string) bool { return t.Lookup(header).Known() })
	}
	return known(f.table) || known(nil)
}

// A headerKind is what a header says of its requests.
type headerKind struct {
	drop Reason // "" for those of a robot
	host string // of the first URL or mail address in it, or ""
	url  string // the first URL in it, or ""
}

// kind returns what a header says. It keeps as many as there are lines in most logs; of more, each
// is read again.
func (f *finder) kind(header string) headerKind {
	if k, ok := f.headers[header]; ok {
		return k
	}
	a := f.table.Lookup(header)
	var k headerKind
	k.url, k.host = contactOf(header)
	switch reason := a.Reason.String(); {
	case a.Device:
		k.drop = Device
	case a.Kind != agent.Robot || reason != "robot-word" && reason != "address":
		k.drop = Browser // a name where browsers have none may be that of a browser that nobody knows
	case !a.Crawler():
		k.drop = Tool
	}
	if len(f.headers) < 100*maxKept {
		f.headers[header] = k
	}
	return k
}

var (
	urlPattern  = regexp.MustCompile(`https?://[!-~]+`)
	mailPattern = regexp.MustCompile(`[A-Za-z0-9._%+-]{1,64}@([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)`)
)

// contactOf returns the first URL in a header, and its host or that of the first mail address.
func contactOf(header string) (contact, host string) {
	found := urlPattern.FindString(header)
	if end := strings.IndexAny(found, "\"'<>()[]{},;\\`"); end >= 0 {
		found = found[:end]
	}
	found = strings.TrimRight(found, ".:!")
	if u, err := url.Parse(found); found != "" && err == nil && u.Hostname() != "" && u.User == nil {
		return found, strings.ToLower(u.Hostname())
	}
	if m := mailPattern.FindStringSubmatch(header); m != nil {
		return "", strings.ToLower(m[1])
	}
	return "", ""
}

// isOfSite reports whether a contact is of the site that was asked: the same host, or the one below
// the other.
func isOfSite(contact, host string) bool {
	contact, host = strings.TrimPrefix(contact, "www."), strings.TrimPrefix(strings.ToLower(host), "www.")
	return contact != "" && host != "" &&
		(contact == host || strings.HasSuffix(contact, "."+host) || strings.HasSuffix(host, "."+contact))
}

// take takes a request.
func (f *finder) take(r *accesslog.Request, j audit.Judgement) error {
	if j.Kind != agent.Robot {
		return nil
	}
	robot := f.found[j.Token]
	if robot == nil {
		return nil
	}
	header := string(r.UserAgent)
	k := f.kind(header)
	switch {
	case !f.proxied && r.Client.IsValid() && address.Inside(r.Client):
		robot.dropped[Own]++
	case j.Identity == agent.Device:
		robot.dropped[Device]++
	case k.drop != "":
		robot.dropped[k.drop]++
	case isOfSite(k.host, string(r.Host)) ||
		slices.ContainsFunc(f.site, func(host string) bool { return isOfSite(k.host, host) }):
		robot.dropped[Site]++
	default:
		robot.take(f, r, j, header, k)
	}
	return nil
}

// A finding is what the logs show of one robot.
type finding struct {
	in      *audit.Robot
	dropped map[Reason]int64

	seen     Seen
	days     map[int64]bool
	hours    map[int64]bool
	targets  map[string]bool // up to minTargets
	headers  map[string]int64
	networks map[netip.Prefix]int64
	rules    map[Rule]*[2]int64 // certain violations, and all
	spared   [2]int             // headers and networks beyond maxKept, each time
	refer    int64              // requests with a Referer
	parts    int64              // requests for styles, scripts and fonts
	url      string             // the first URL in its headers
	lines    []evidence
}

// evidence is a line with what decides whether its network is named.
type evidence struct {
	log     string
	line    int
	time    time.Time
	why     string // day, robots.txt, rule
	network netip.Prefix
	text    string // behind the address
}

func newFinding(r *audit.Robot) *finding {
	return &finding{in: r, dropped: map[Reason]int64{}, days: map[int64]bool{}, hours: map[int64]bool{},
		targets: map[string]bool{}, headers: map[string]int64{}, networks: map[netip.Prefix]int64{},
		rules: map[Rule]*[2]int64{}}
}

// networkOf returns the network of an address. It is the zero prefix if the log has no address, or
// that of a proxy.
func networkOf(r *accesslog.Request, j audit.Judgement) netip.Prefix {
	if !r.Client.IsValid() || j.Proxy {
		return netip.Prefix{}
	}
	client, bits := address.Plain(r.Client), 24
	if client.Is6() {
		bits = 48
	}
	p, _ := client.Prefix(bits)
	return p
}

// take takes a request of the robot.
func (o *finding) take(f *finder, r *accesslog.Request, j audit.Judgement, header string, k headerKind) {
	s := &o.seen
	s.Requests++
	if s.First.IsZero() || r.Time.Before(s.First) {
		s.First = r.Time
	}
	if r.Time.After(s.Last) {
		s.Last = r.Time
	}
	day := r.Time.Unix() / (24 * 60 * 60)
	newDay := !o.days[day]
	o.days[day], o.hours[r.Time.Unix()/(60*60)] = true, true
	if o.url == "" {
		o.url = k.url
	}
	network := networkOf(r, j)
	if network.IsValid() {
		o.spared[1] += count(o.networks, network)
	}
	o.spared[0] += count(o.headers, header)
	if len(r.Referrer) > 1 {
		o.refer++
	}
	if isPartOfPage(r.Path) {
		o.parts++
	}
	reads := j.Unjudged == "robots.txt"
	switch {
	case reads:
		s.RobotsTxt++
	case len(o.targets) < minTargets:
		o.targets[string(r.Path)] = true
	}
	if !reads && j.Unjudged == "" {
		o.judge(j)
	}
	why := ""
	switch {
	case reads && !o.has("robots.txt"):
		why = "robots.txt"
	case j.Class == audit.Certain && !o.has("rule"):
		why = "rule"
	case newDay && len(o.days) <= maxLines-2:
		why = "day"
	}
	if why != "" {
		o.lines = append(o.lines, evidence{log: r.Log, line: r.Line, time: r.Time, why: why, network: network,
			text: f.lineText(r, header, o.in.Token)})
	}
}

func (o *finding) has(why string) bool {
	return slices.ContainsFunc(o.lines, func(e evidence) bool { return e.why == why })
}

// count adds one to a count, and returns 1 if there are too many counts for a new one.
func count[K comparable](counts map[K]int64, key K) (spared int) {
	if _, ok := counts[key]; !ok && len(counts) >= maxKept {
		return 1
	}
	counts[key]++
	return 0
}

// judge counts a request that was held against robots.txt.
func (o *finding) judge(j audit.Judgement) {
	o.seen.Judged++
	switch j.Class {
	case audit.Certain:
		o.seen.Certain++
	case audit.Informed:
		o.seen.Informed++
	case audit.InGrace:
		o.seen.Grace++
	default:
		return
	}
	rule := Rule{Line: j.Rule.Line, Rule: j.Rule.String()}
	if o.rules[rule] == nil {
		if len(o.rules) >= maxKept {
			return
		}
		o.rules[rule] = new([2]int64)
	}
	if o.rules[rule][1]++; j.Class == audit.Certain {
		o.rules[rule][0]++
	}
}

// isPartOfPage reports whether a path is that of a style, a script or a font, which browsers load
// with pages.
func isPartOfPage(path []byte) bool {
	path, _, _ = bytes.Cut(path, []byte("?"))
	switch strings.ToLower(filepath.Ext(string(path))) {
	case ".css", ".js", ".mjs", ".woff", ".woff2", ".ttf":
		return true
	}
	return false
}

// lineText returns a line in the format combined, without the address before it.
func (f *finder) lineText(r *accesslog.Request, header, token string) string {
	path, _, query := bytes.Cut(r.Path, []byte("?"))
	target := printable.Clipped(f.hide.Text(string(path)), maxPath)
	if query {
		target += "?…"
	}
	quote := strings.NewReplacer(`"`, `\"`)
	var b strings.Builder
	b.WriteString(` - - [` + r.Time.UTC().Format("02/Jan/2006:15:04:05 -0700") + `] "`)
	b.WriteString(quote.Replace(printable.Clipped(string(r.Method), 20) + " " + target + " " +
		printable.Clipped(string(r.Proto), 20)))
	b.WriteString(`" ` + number(int64(r.Status)) + " " + number(r.Bytes) + ` "-" "`)
	b.WriteString(quote.Replace(f.header(header, token)) + `"`)
	return b.String()
}

// header returns a header as entries have it: printable, cut, and with networks in place of
// addresses.
// The version of the robot is not an address, also if it has four numbers.
func (f *finder) header(header, token string) string {
	kept := 0 // bytes that have nothing but the token and its version
	begin := strings.Index(header, token+"/")
	if begin >= 0 && (begin == 0 || strings.IndexByte(" (;", header[begin-1]) >= 0) {
		after := header[begin+len(token)+1:]
		kept = len(token) + 1 + len(after) - len(strings.TrimLeft(after, "0123456789."))
	} else {
		begin = 0
	}
	return printable.Clipped(f.hide.Text(header[:begin])+header[begin:begin+kept]+f.hide.Text(header[begin+kept:]),
		maxHeader)
}

// number returns a number of a line, or "-" if the log has none.
func number(n int64) string {
	if n <= 0 {
		return "-"
	}
	data, _ := json.Marshal(n) // a number cannot fail
	return string(data)
}

// conclude returns the robot, or why it is left out.
func (f *finder) conclude(o *finding) (*Robot, Reason) {
	s := &o.seen
	s.Days, s.Hours = len(o.days), len(o.hours)
	switch {
	case s.Requests == 0:
		for _, reason := range Reasons { // in their order, so that equal counts give one answer
			if n := o.dropped[reason]; n > 0 && n == slices.Max(slices.Collect(maps.Values(o.dropped))) {
				return nil, reason
			}
		}
		return nil, Sporadic
	case s.Requests-s.RobotsTxt < minRequests || s.Days < minDays || s.Hours < minHours:
		return nil, Sporadic
	case 4*o.parts >= s.Requests || 2*o.refer >= s.Requests:
		return nil, Browser
	case len(o.targets) < minTargets:
		return nil, Single
	case len(o.networks) >= manyNetworks && s.Requests < fewRequests*int64(len(o.networks)+o.spared[1]):
		return nil, Spread
	}
	r := &Robot{Token: o.in.Token, Lines: []Line{}}
	s.Headers, s.MoreHeaders = f.topHeaders(o)
	if !f.addEntries(r, o) {
		return nil, Nameless
	}
	s.Networks, s.MoreNetworks = o.topNetworks()
	s.Rules = o.topRules()
	if p := o.in.Pace; p.Median != nil && len(o.dropped) == 0 {
		s.Pace = &Pace{Median: *p.Median, Peak: p.Peak}
	}
	r.Seen = *s
	r.Lines = o.evidenceLines()
	return r, ""
}

// topHeaders returns the most frequent headers.
func (f *finder) topHeaders(o *finding) (list []Header, more int) {
	byText := make(map[string]int64)
	for header, n := range o.headers {
		byText[f.header(header, o.in.Token)] += n
	}
	for header, n := range byText {
		list = append(list, Header{header, n})
	}
	slices.SortFunc(list, func(a, b Header) int {
		return cmp.Or(-cmp.Compare(a.Requests, b.Requests), strings.Compare(a.UserAgent, b.UserAgent))
	})
	more = max(0, len(list)-maxHeaders) + o.spared[0]
	return slices.Clip(list[:min(len(list), maxHeaders)]), more
}

// topNetworks returns the networks with the most requests that are surely the robot's.
func (o *finding) topNetworks() (list []Network, more int) {
	list = []Network{}
	for p, n := range o.networks {
		if n >= ownNetwork || n*ownShare >= o.seen.Requests {
			list = append(list, Network{p, n})
		}
	}
	slices.SortFunc(list, func(a, b Network) int {
		return cmp.Or(-cmp.Compare(a.Requests, b.Requests), a.Network.Compare(b.Network))
	})
	list = slices.Clip(list[:min(len(list), maxNetworks)])
	return list, len(o.networks) - len(list) + min(o.spared[1], 1)
}

// topRules returns the rules that the most requests did not obey.
func (o *finding) topRules() (list []Rule) {
	list = []Rule{}
	for rule, n := range o.rules {
		if rule.Requests = n[0]; o.seen.Certain == 0 {
			rule.Requests = n[1]
		}
		if rule.Requests > 0 {
			list = append(list, rule)
		}
	}
	slices.SortFunc(list, func(a, b Rule) int {
		return cmp.Or(-cmp.Compare(a.Requests, b.Requests), cmp.Compare(a.Line, b.Line),
			strings.Compare(a.Rule, b.Rule))
	})
	return slices.Clip(list[:min(len(list), maxRules)])
}

// evidenceLines returns the lines by time. Those from networks that are not named have no network.
func (o *finding) evidenceLines() []Line {
	slices.SortStableFunc(o.lines, func(a, b evidence) int {
		return cmp.Or(a.time.Compare(b.time), strings.Compare(a.log, b.log), cmp.Compare(a.line, b.line))
	})
	lines := []Line{}
	for _, e := range o.lines {
		network := "-"
		if slices.ContainsFunc(o.seen.Networks, func(n Network) bool { return n.Network == e.network }) {
			network = e.network.Addr().String()
		}
		lines = append(lines, Line{printable.Text(filepath.Base(e.log)), e.line, network + e.text})
	}
	return lines
}

// generic are names that many robots have, so that a pattern of one finds others.
var generic = []string{"agent", "bots", "client", "crawler", "crawlers", "fetcher", "feed", "feeds", "http", "https",
	"robot", "robots", "scraper", "search", "spider", "subscribers", "users", "readers"}

// addEntries adds the entries for lists, and reports whether our own readers find the robot by
// them.
func (f *finder) addEntries(r *Robot, o *finding) bool {
	token := r.Token
	if len(token) < minName || slices.Contains(generic, strings.ToLower(token)) || f.hide.Text(token) != token {
		return false
	}
	entry := describe.TableRobot{Token: token}
	var instances []string
	for _, header := range slices.Sorted(maps.Keys(o.headers)) {
		if shown := f.header(header, token); shown == header && len(instances) < maxHeaders { // as it was sent
			instances = append(instances, shown)
		}
	}
	if f.hide.Text(o.url) != o.url {
		o.url = ""
	}
	if strings.HasPrefix(o.url, "https://") {
		entry.Docs = o.url
	}
	r.Table = describe.TableDocument{Robots: []describe.TableRobot{entry}}
	r.List = describe.NewListEntry(token, o.url, instances, o.seen.First, "")
	data, err := json.Marshal(r.Table)
	if err != nil {
		return false
	}
	table, err := agent.ParseTable(data)
	pattern, e := regexp.Compile(r.List.Pattern)
	if err != nil || e != nil || len(instances) == 0 {
		return false
	}
	return !slices.ContainsFunc(instances, func(header string) bool {
		return !strings.EqualFold(table.Lookup(header).Token, token) || !pattern.MatchString(header)
	})
}
