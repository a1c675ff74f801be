package audit

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/url/urlcheck"
)

// A tally has the counts of one worker. It is used by one goroutine.
type tally struct {
	auditor *Auditor
	counts
	places []*place // by place of the auditor's sites; the last two are for no host and other hosts
	robots map[robotKey]*robotTally
	capped tokenCap
	loads  loads
	// numbered has the robots by robotTally.number, and the others for those that were dropped. The
	// first is nil, for people.
	numbered []*robotTally

	ownTokens map[string]string // what tokenOf returned, by names in lower case that the table has

	senders senders
	proxies proxyView // for judgements of single requests

	people  sample // of the requests of clients that do not call themselves robots or programs
	callers sample // of the requests of robots and programs

	logs   logSums     // of the logs that this tally counted
	joined []storedLog // those of parts that were joined to this one

	byHeader headerCache
	byShape  headerCache // with the shapes of headers in their place; hashes are 0
	hits     hitBuffer

	lastHost  []byte
	lastPlace *place
	lastCount *int64 // the requests to lastHost
	finding   []byte
	shape     []byte
}

// counts are the numbers of a part that need no judging. Their names are stored in parts.
type counts struct {
	Lines, Requests, Unreadable int64
	Unnamed                     int64 // requests whose lines have no User-Agent
	First, Last                 int64 // seconds; meaningful if Requests > 0
}

// A place is the requests to one host, or to all hosts that the options do not name.
type place struct {
	number int   // index in tally.places
	site   *site // nil if its requests are not judged
	recent int   // the version of the site that was in force at the last call of version
	// hosts counts the requests by host, if the place is of all other hosts.
	hosts    hostCap
	requests int64
	first    int64 // the second of the first request, or never
	// answers are all answers to GET /robots.txt, without clients; value: see kindMask.
	answers series
}

// A robotKey identifies a robot.
type robotKey struct {
	token  string // in lower case
	kind   agent.Kind
	errand bool // a robot in no table that does not crawl, or reads feeds: see onlyNamed
}

// A robotTally is the requests of a robot.
type robotTally struct {
	key     robotKey
	agent   agent.Agent
	subject agent.Subject
	number  int32              // index in tally.numbered
	dropped bool               // there are too many tokens; the robot counts as one of the others
	hash    uint64             // of the key of a robot in no table
	rows    [][identities]*row // by place, then by agent.Result, or ownSoftware
	rules   []*ruleSets        // by place

	clients, forgers clientSet // their addresses

	keeper *loadKeeper // of the load; nil if the robot is the others
	now    load
	load   series // requests, bytes and errors by period, without those of forgers

	// identify says of clients with an address whether they are the robot. It is nil until it is
	// first needed.
	identify func(client netip.Addr) agent.Result
}

// ownSoftware is the row of requests by loop-back, except those of devices: they are of the site's
// own software, unless a proxy sent them. Only all requests of a log tell.
const ownSoftware = agent.Device + 1

const identities = int(ownSoftware) + 1

// A row is the requests of a robot at a place that have the same identity.
type row struct {
	rowCounts

	seconds secondSeries // of the judgeable requests, without clients; value: see zonedTime
	answers series       // to GET /robots.txt; value: see kindMask
	// disallowed has the requests that a version disallows, by finding; value: see zonedTime.
	disallowed map[string]*disallowedRequests
	// normalized has those that rules disallow as served has them, with an answer 2xx: by the
	// findings as they are written and as served has them, without clients.
	normalized map[[2]string]*series
	redirects  series // of the judgeable requests, those that were sent to another URL
	headers    headers
}

// rowCounts are the numbers of a row. Their names are stored in parts.
type rowCounts struct {
	Requests, Bytes    int64
	RobotsTxt, Refused int64
	Targets            int64    // requests without a path
	Judgeable          int64    // requests that are neither for /robots.txt nor without a path
	Statuses           [6]int64 // by the first digit of the status; 0 are others
	First, Last        int64    // seconds; meaningful if Requests > 0
}

// disallowedRequests are requests with the same finding.
type disallowedRequests struct {
	series
	examples map[int]*examples // by the given version at the time of the request
}

// The value of a request in a series.
const (
	zonedTime   = 0
	unzonedTime = 1 // the line does not state the zone
	redirected  = 2 // of a disallowed request: the answer is a redirect
)

func newTally(a *Auditor) *tally {
	t := &tally{
		auditor: a,
		robots:  map[robotKey]*robotTally{},
		people:  newSample(maxPeople),
		callers: newSample(maxCallers),

		numbered: make([]*robotTally, 1),
	}
	t.loads = newLoads(t.robots, &t.hits)
	for _, site := range append(slices.Clone(a.sites), a.unnamed, a.unnamed) {
		t.places = append(t.places, &place{number: len(t.places), site: site, first: never})
	}
	return t
}

// add counts a request.
func (t *tally) add(r *accesslog.Request) {
	second := r.Time.Unix()
	if t.Requests == 0 {
		t.First, t.Last = second, second
	}
	t.Requests++
	t.First, t.Last = min(t.First, second), max(t.Last, second)
	if r.UserAgent == nil {
		t.Unnamed++
	}
	p := t.place(r.Host)
	p.first = min(p.first, second)
	header, number := t.header(r.UserAgent)
	robot, device := t.robotOf(number)
	t.senders.add(r, robot, header.stored)
	robotsTxt := isRobotsTxt(r.Path)
	if robotsTxt {
		t.addAnswer(&p.answers, r, netip.Addr{}, second)
	}
	if robot == nil {
		t.logs.add(r.Log, t.people.add(r, second, header, p))
		return
	}
	t.logs.add(r.Log, t.callers.add(r, second, header, nil))
	identity := t.identity(robot, device, r.Client)
	if r.Client.IsLoopback() && !device {
		identity = ownSoftware
	}
	w := robot.row(p.number, identity)
	w.count(r, second)
	if identity == agent.Forged {
		robot.forgers.add(r.Client)
	} else {
		robot.clients.add(r.Client)
	}
	if !robot.dropped {
		if identity != agent.Forged {
			t.loads.add(robot, second, r.Bytes, r.Status >= 500 && r.Status < 600)
		}
		w.headers.add(header.stored, r.UserAgent)
	}
	switch {
	case robotsTxt:
		if string(r.Method) == "GET" || string(r.Method) == "HEAD" {
			w.RobotsTxt++
		}
		if !robot.dropped {
			t.addAnswer(&w.answers, r, r.Client, second)
		}
	case r.Path == nil:
		w.Targets++
	default:
		w.Judgeable++
		if identity != agent.Device {
			t.judge(robot, p, w, r, second)
		}
	}
}

const robotsPath = "/robots.txt"

// isRobotsTxt reports whether a path is that of robots.txt, in any of the spellings that RFC 3986
// holds for equal.
func isRobotsTxt(path []byte) bool {
	if len(path) <= len(robotsPath) {
		return string(path) == robotsPath
	}
	if len(path) > 3*len(robotsPath) || path[1] != 'r' && path[1] != '%' {
		return false
	}
	for i := range len(robotsPath) {
		switch {
		case len(path) == 0:
			return false
		case path[0] == robotsPath[i]:
			path = path[1:]
		case i > 0 && len(path) > 2 && path[0] == '%' && unhex(path[1])<<4|unhex(path[2]) == robotsPath[i]:
			path = path[3:]
		default:
			return false
		}
	}
	return len(path) == 0
}

// unhex returns the value of a hexadecimal digit, or 0.
func unhex(c byte) byte {
	switch {
	case isDigit(c):
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0
}

// judge keeps a request, which is neither for /robots.txt nor without a path.
func (t *tally) judge(robot *robotTally, p *place, w *row, r *accesslog.Request, second int64) {
	if robot.dropped || robot.key.kind != agent.Robot {
		return
	}
	var value uint64 = zonedTime
	switch {
	case !r.Zoned:
		value = unzonedTime
		t.hits.add(&w.seconds.series, hit{second: second, value: unzonedTime, count: 1})
	case !w.seconds.add(second):
		t.hits.addSecond(&w.seconds.series, second)
	}
	if p.site == nil {
		return
	}
	if isRedirect(r.Status) {
		t.hits.add(&w.redirects, hit{client: r.Client, second: second, count: 1})
	}
	t.finding = t.rulesOf(robot, p).appendFinding(t.finding[:0], text(r.Path), second)
	if r.Status/100 == 2 && isOdd(r.Path) {
		t.normalize(robot, p, w, r, second)
	}
	if len(t.finding) == 0 {
		return
	}
	d := w.disallowed[string(t.finding)]
	if d == nil {
		d = &disallowedRequests{}
		if w.disallowed == nil {
			w.disallowed = map[string]*disallowedRequests{}
		}
		w.disallowed[string(t.finding)] = d
	}
	d.examplesOf(p.version(second)).add(r, second, value)
	if isRedirect(r.Status) {
		value |= redirected
	}
	t.hits.add(&d.series, hit{client: r.Client, second: second, value: value, count: 1})
}

// normalize keeps a request, whose finding is known, if rules disallow the path that servers take
// its path for.
func (t *tally) normalize(robot *robotTally, p *place, w *row, r *accesslog.Request, second int64) {
	path := served(r.Path)
	if path == nil {
		return
	}
	if finding := t.rulesOf(robot, p).appendFinding(nil, text(path), second); len(finding) > 0 {
		t.hits.add(w.normalizedBy([2]string{string(t.finding), string(finding)}), hit{second: second, count: 1})
	}
}

// normalizedBy returns the series of two findings.
func (w *row) normalizedBy(findings [2]string) *series {
	s := w.normalized[findings]
	if s == nil {
		s = &series{}
		if w.normalized == nil {
			w.normalized = map[[2]string]*series{}
		}
		w.normalized[findings] = s
	}
	return s
}

// version returns the index of the version in force at a second, which is mostly that of the last
// call.
func (p *place) version(second int64) int {
	versions := p.site.versions
	if i := p.recent; second < versions[i].from || i+1 < len(versions) && second >= versions[i+1].from {
		p.recent = at(versions, second)
	}
	return p.recent
}

// closedBy returns the hash of the rule for "*" that disallows a path at a second, or 0.
func (p *place) closedBy(path string, second int64) uint32 {
	if p.site == nil {
		return 0
	}
	everyone := p.site.versions[p.version(second)].everyone
	if everyone == nil {
		return 0
	}
	match := everyone.Match(urlcheck.OfHost(path))
	if match.Allowed {
		return 0
	}
	return uint32(hashName(match.Rule.Pattern)) | 1
}

// rulesOf returns the rules of a robot at a place with versions.
func (t *tally) rulesOf(robot *robotTally, p *place) *ruleSets {
	rules := robot.rules[p.number]
	if rules == nil {
		rules = newRuleSets(p.site, robot.subject, seconds(t.auditor.options.Slack), t.auditor.horizon())
		robot.rules[p.number] = rules
	}
	return rules
}

// text returns bytes as a string that is valid as long as they are.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// count counts a request.
func (w *row) count(r *accesslog.Request, second int64) {
	if w.Requests == 0 {
		w.First, w.Last = second, second
	}
	w.Requests++
	w.First, w.Last = min(w.First, second), max(w.Last, second)
	w.Bytes += max(0, r.Bytes)
	switch r.Status {
	case 401, 403, 429, 444:
		w.Refused++
	}
	class := r.Status / 100
	if class < 0 || class >= len(w.Statuses) {
		class = 0
	}
	w.Statuses[class]++
}

// place returns the place of a host, as the log has it.
func (t *tally) place(host []byte) *place {
	if t.lastPlace != nil && bytes.Equal(host, t.lastHost) {
		*t.lastCount++
		return t.lastPlace
	}
	name := hostName(host)
	if name == "" {
		name = t.auditor.options.Host
	}
	t.lastPlace, t.lastCount = t.findPlace(name)
	t.lastHost = append(t.lastHost[:0], host...)
	*t.lastCount++
	return t.lastPlace
}

// findPlace returns the place of a host, and the counter of its requests.
func (t *tally) findPlace(name string) (*place, *int64) {
	p := t.places[t.auditor.placeOf(name)]
	if p.number == len(t.places)-1 {
		return p, p.hosts.counter(name)
	}
	return p, &p.requests
}

// placeOf returns the number of the place of a host: those of the sites, then no host, then others.
// A host that the log does not name is that of the options.
func (a *Auditor) placeOf(name string) int {
	if name == "" {
		name = a.options.Host
	}
	if name == "" {
		return len(a.sites)
	}
	if i, ok := slices.BinarySearchFunc(a.sites, name,
		func(s *site, name string) int { return strings.Compare(s.host, name) }); ok {
		return i
	}
	return len(a.sites) + 1
}

// hostName returns a host as the options have it: in lower case, without a dot at its end.
func hostName(host []byte) string {
	return strings.ToLower(strings.TrimSuffix(string(host), "."))
}

// header returns the hashes of a User-Agent header, and the number of its robot or program, or 0.
// The number is negative if the header is that of a program on the device of a person.
func (t *tally) header(header []byte) (hashes headerHashes, robot int32) {
	if len(header) == 0 {
		return hashesOf(nil), 0
	}
	secret := secretHash(header)
	facts, ok := t.byHeader.find(secret)
	if !ok {
		facts = headerFacts{hash: hashHeader(header), robot: t.robotNumber(header)}
		t.byHeader.put(secret, facts)
	}
	return headerHashes{facts.hash, secret}, facts.robot
}

// robotNumber returns the number of the robot, or the program, that a header names, or 0. It is for
// headers that are not in the cache.
func (t *tally) robotNumber(header []byte) (number int32) {
	t.shape = appendShape(t.shape[:0], header)
	secret := secretHash(t.shape)
	if facts, ok := t.byShape.find(secret); ok {
		return facts.robot
	}
	if robot, device := t.newRobot(text(header)); device {
		number = -robot.number
	} else if robot != nil {
		number = robot.number
	}
	t.byShape.put(secret, headerFacts{robot: number})
	return number
}

// robot returns the robot, or the program, that a User-Agent header names, or nil, and whether it
// runs on the device of a person.
func (t *tally) robot(header []byte) (robot *robotTally, device bool) {
	_, number := t.header(header)
	return t.robotOf(number)
}

// robotOf returns the robot, or the program, with a number of header.
func (t *tally) robotOf(number int32) (robot *robotTally, device bool) {
	if number < 0 {
		return t.numbered[-number], true
	}
	return t.numbered[number], false
}

// newRobot returns the robot, or the program, of a header that is not in the cache, or nil, and
// whether it runs on the device of a person. It keeps nothing of the header, which is a part of the
// log's block.
func (t *tally) newRobot(header string) (robot *robotTally, device bool) {
	a := t.auditor.options.Robots.Lookup(header)
	if a.Kind != agent.Robot && a.Kind != agent.Program || a.Token == "" {
		return nil, false // a person, or a header with an address and no name
	}
	if own := t.ownToken(a); own != "" {
		a.Token = own
	}
	key := robotKey{strings.ToLower(a.Token), a.Kind, !a.Known() && onlyNamed(a)}
	if robot := t.robots[key]; robot != nil {
		robot.spell(a.Token)
		return robot, a.Device
	}
	key.token = strings.Clone(key.token)
	if a.Known() {
		return t.addRobot(key, t.auditor.named(a.Token)), a.Device
	}
	return t.addRobot(key, key.agent(strings.Clone(a.Token))), false
}

// ownToken returns the name in the header of a robot of the table, as a version of robots.txt has
// it, if that is not the robot's token, or "". Such a robot has rules of its own, and so counts by
// that name.
func (t *tally) ownToken(robot agent.Agent) string {
	tokens := robot.Tokens()
	if len(tokens) == 0 || tokens[0] == robot.Token || !robot.Known() {
		return ""
	}
	name := strings.ToLower(tokens[0])
	token, ok := t.ownTokens[name]
	if !ok {
		token = t.auditor.tokenOf(name)
		if t.ownTokens == nil {
			t.ownTokens = map[string]string{}
		}
		t.ownTokens[name] = token
	}
	return token
}

// tokenOf returns the first token of a group for a name in a version of robots.txt, or "".
func (a *Auditor) tokenOf(name string) string {
	sites := a.sites
	if a.unnamed != nil {
		sites = append(slices.Clip(sites), a.unnamed)
	}
	for _, s := range sites {
		for _, v := range s.versions {
			if v.state != Served {
				continue
			}
			if token := v.policy.ForOnly(name).Token(); token != "" {
				return token
			}
		}
	}
	return ""
}

// named returns the robot of the table with a token, or with a name of ownToken, which is its token
// then; or an agent that is not known.
func (a *Auditor) named(token string) agent.Agent {
	robot := a.options.Robots.Named(token)
	robot.Token = token
	return robot
}

// agent returns a robot in no table, by its token as the robot writes it.
func (key robotKey) agent(token string) agent.Agent {
	a := agent.Agent{Token: token, Kind: key.kind}
	if key.errand {
		a.Purposes = tools
	}
	return a
}

// spell takes notice of how a robot in no table writes its token. Of several spellings the first in
// the order of bytes counts, which begins with a capital letter if one does.
func (robot *robotTally) spell(token string) {
	if !robot.agent.Known() && !robot.dropped && token < robot.agent.Token {
		robot.agent.Token = strings.Clone(token)
	}
}

// addRobot adds a robot. A robot in no table is the agent with the token and the kind of its key,
// and nothing else.
func (t *tally) addRobot(key robotKey, a agent.Agent) *robotTally {
	if !a.Known() && t.capped.full(key) {
		return t.capped.others
	}
	robot := &robotTally{
		key: key, agent: a, keeper: &t.loads.known,
		rows:  make([][identities]*row, len(t.places)),
		rules: make([]*ruleSets, len(t.places)),
	}
	robot.subject = t.auditor.options.Robots.SubjectNamed(robot.agent.Token)
	if key.errand || onlyNamed(a) {
		robot.subject.Alone = true
	}
	t.robots[key] = robot
	t.giveNumber(robot)
	robot.setPrecision(knownPrecision)
	if !a.Known() {
		robot.setPrecision(unknownPrecision)
		robot.hash, robot.keeper = hashKey(key), &t.loads.unknown
		t.capped.add(t, robot)
	}
	return t.numbered[robot.number]
}

// setPrecision sets the precision of the sets of clients, which are empty.
func (robot *robotTally) setPrecision(precision uint8) {
	robot.clients.precision, robot.forgers.precision = precision, precision
}

// giveNumber gives a robot its number.
func (t *tally) giveNumber(robot *robotTally) {
	robot.number = int32(len(t.numbered))
	t.numbered = append(t.numbered, robot)
}

// row returns the row of a robot for a place and an identity.
func (robot *robotTally) row(place int, identity agent.Result) *row {
	w := robot.rows[place][identity]
	if w == nil {
		w = &row{}
		robot.rows[place][identity] = w
	}
	return w
}

// identity returns whether a client is the robot it names.
func (t *tally) identity(robot *robotTally, device bool, client netip.Addr) agent.Result {
	if device {
		return agent.Device
	}
	if !client.IsValid() || client.IsLoopback() {
		return agent.Unverifiable
	}
	if robot.identify == nil {
		robot.identify = t.auditor.identifier(robot.agent)
	}
	result := robot.identify(client)
	if result == agent.Forged && isEdge(client) {
		return agent.Unverifiable // a proxy asked for somebody
	}
	return result
}
