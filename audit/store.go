package audit

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// A stored part is lines of JSON, each an object with one member. The first is "audit" with the
// options. Then come "notes" if the part has some, "counts", "logs" with what identifies each log,
// "loads", "senders", "place" for each place, "robot" for each robot, and "sample" for some
// requests of a sample. The last is "sha256", the hash of all lines before. The names and numbers
// are stored: they never change, and a part with a form that this program does not know is refused.
type storedLine struct {
	Audit   *storedAudit    `json:"audit,omitempty"`
	Notes   json.RawMessage `json:"notes,omitempty"` // see Part.Notes
	Counts  *counts         `json:"counts,omitempty"`
	Logs    []storedLog     `json:"logs,omitempty"`
	Loads   *storedLoads    `json:"loads,omitempty"`
	Senders *storedSenders  `json:"senders,omitempty"`
	Place   *storedPlace    `json:"place,omitempty"`
	Robot   *storedRobot    `json:"robot,omitempty"`
	Sample  *storedSample   `json:"sample,omitempty"`
	SHA256  string          `json:"sha256,omitempty"`
}

// partForm is the number of the form of stored parts. Form 1 does not say which seconds of requests
// come from times without a zone. Form 2 has other hashes of tokens, hosts and headers. Form 3 has
// the load by place and identity, but no notes, clients or first request of a host; its lines of
// logs are texts, which lose bytes that are not UTF-8. Form 4 has no senders, takes statuses about
// the request for answers about robots.txt, and does not say which answers come from times without
// a zone. Form 5 does not tell the requests by loop-back from others. Form 6 has no addresses of
// logs with more than 1,024. Form 7 has no hashes of Referers.
const partForm = 8

type storedAudit struct {
	Form   int          `json:"form"`
	Table  string       `json:"table"` // the version of the table of robots
	Grace  int64        `json:"grace"` // nanoseconds, like the next two
	Slack  int64        `json:"slack"`
	Edge   int64        `json:"edge"`
	Zone   string       `json:"zone,omitempty"`
	Host   string       `json:"host,omitempty"`
	Number int          `json:"places"`
	Sites  []storedSite `json:"sites"`
}

type storedSite struct {
	Host     string          `json:"host"`
	Versions []storedVersion `json:"versions"`
}

type storedVersion struct {
	ID    string    `json:"id"`
	From  time.Time `json:"from,omitzero"`
	State State     `json:"state"`
	Text  []byte    `json:"text,omitempty"`
}

type storedPlace struct {
	Number   int              `json:"number"`
	Requests int64            `json:"requests"`
	First    int64            `json:"first"` // the second of the first request
	Hosts    map[string]int64 `json:"hosts,omitempty"`
	More     int64            `json:"more,omitempty"`
	Answers  [][]byte         `json:"answers,omitempty"`
}

// A storedRobot without a Kind is the others.
type storedRobot struct {
	Token string     `json:"token"`
	Kind  agent.Kind `json:"kind"`
	// Errand says that a robot in no table does not crawl.
	Errand bool     `json:"errand,omitempty"`
	Load   [][]byte `json:"load,omitempty"`

	Clients *storedClients `json:"clients,omitempty"`
	Forgers *storedClients `json:"forgers,omitempty"`

	Rows []storedRow `json:"rows"`
}

type storedRow struct {
	Place      int                `json:"place"`
	Identity   string             `json:"identity"` // see identityName
	Counts     rowCounts          `json:"counts"`
	Seconds    [][]byte           `json:"seconds,omitempty"`
	Answers    [][]byte           `json:"answers,omitempty"`
	Disallowed []storedDisallowed `json:"disallowed,omitempty"`
	Normalized []storedNormalized `json:"normalized,omitempty"`
	Redirects  [][]byte           `json:"redirects,omitempty"`
	UserAgents [][]byte           `json:"user_agents,omitempty"`
}

type storedDisallowed struct {
	Finding  []byte            `json:"finding"`
	Requests [][]byte          `json:"requests"`
	Examples map[int]*examples `json:"examples"` // by the number of the version, from 0 on
}

type storedNormalized struct {
	Written  []byte   `json:"written"` // the finding of the path as it is written
	Served   []byte   `json:"served"`  // that of the path that servers take it for
	Requests [][]byte `json:"requests"`
}

// WriteTo writes the part in a form for [ReadPart], with the options and the versions of
// robots.txt. It has addresses of clients, and lines of the logs as examples.
func (p *Part) WriteTo(w io.Writer) (written int64, err error) {
	t := p.tally
	hash := sha256.New()
	buffer := bufio.NewWriter(io.MultiWriter(w, hash))
	write := func(line storedLine) {
		data, e := json.Marshal(line)
		n, f := buffer.Write(append(data, '\n'))
		written += int64(n)
		err = cmp.Or(err, e, f)
	}
	write(storedLine{Audit: t.auditor.stored()})
	if len(p.Notes) > 0 {
		write(storedLine{Notes: p.Notes})
	}
	write(storedLine{Counts: &t.counts})
	if logs := t.allLogs(); len(logs) > 0 {
		write(storedLine{Logs: logs})
	}
	write(storedLine{Loads: t.loads.stored()})
	write(storedLine{Senders: t.senders.stored()})
	for _, place := range t.places {
		write(storedLine{Place: place.stored()})
	}
	for _, key := range slices.SortedFunc(maps.Keys(t.robots), compareKeys) {
		write(storedLine{Robot: t.robots[key].stored()})
	}
	if t.capped.others != nil {
		write(storedLine{Robot: t.capped.others.stored()})
	}
	for _, line := range append(t.people.stored(false), t.callers.stored(true)...) {
		write(storedLine{Sample: &line})
	}
	err = cmp.Or(err, buffer.Flush())
	write(storedLine{SHA256: hex.EncodeToString(hash.Sum(nil))})
	return written, cmp.Or(err, buffer.Flush())
}

func compareKeys(j, k robotKey) int {
	if c := cmp.Or(strings.Compare(j.token, k.token), cmp.Compare(j.kind, k.kind)); c != 0 || j.errand == k.errand {
		return c
	}
	if k.errand {
		return -1
	}
	return 1
}

func compareFindings(f, g [2]string) int {
	return cmp.Or(strings.Compare(f[0], g[0]), strings.Compare(f[1], g[1]))
}

func (a *Auditor) stored() *storedAudit {
	s := &storedAudit{
		Form: partForm, Table: a.options.Robots.Version(), Number: len(a.sites) + 2,
		Grace: int64(a.options.Grace), Slack: int64(a.options.Slack), Edge: int64(a.options.Edge),
		Host: a.options.Host, Sites: []storedSite{},
	}
	if a.options.Zone != nil {
		s.Zone = a.options.Zone.String()
	}
	for _, host := range slices.Sorted(maps.Keys(a.options.Sites)) {
		site := storedSite{Host: host}
		for _, v := range a.options.Sites[host] {
			site.Versions = append(site.Versions, storedVersion(v))
		}
		s.Sites = append(s.Sites, site)
	}
	return s
}

func (p *place) stored() *storedPlace {
	s := &storedPlace{Number: p.number, Requests: p.requests, First: p.first, More: p.hosts.more,
		Answers: p.answers.chunks}
	if len(p.hosts.counts) > 0 {
		s.Hosts = map[string]int64{}
	}
	for host, n := range p.hosts.counts {
		s.Hosts[host] = *n
	}
	return s
}

func (robot *robotTally) stored() *storedRobot {
	s := &storedRobot{Token: robot.agent.Token, Kind: robot.key.kind, Errand: robot.key.errand, Load: robot.load.chunks,
		Clients: robot.clients.stored(), Forgers: robot.forgers.stored(), Rows: []storedRow{}}
	for place, rows := range robot.rows {
		for identity, w := range rows {
			if w == nil {
				continue
			}
			row := storedRow{Place: place, Identity: identityName(identity), Counts: w.rowCounts,
				Seconds: w.seconds.chunks, Answers: w.answers.chunks, Redirects: w.redirects.chunks,
				UserAgents: w.headers.stored()}
			for _, of := range slices.SortedFunc(maps.Keys(w.normalized), compareFindings) {
				row.Normalized = append(row.Normalized, storedNormalized{[]byte(of[0]), []byte(of[1]),
					w.normalized[of].chunks})
			}
			for _, finding := range slices.Sorted(maps.Keys(w.disallowed)) {
				d := w.disallowed[finding]
				row.Disallowed = append(row.Disallowed, storedDisallowed{[]byte(finding), d.chunks, d.examples})
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}

// ReadPart reads a part that [Part.WriteTo] wrote. The table is that of Options.Robots when the
// part was written. It is an error if the part is cut off or damaged.
func ReadPart(r io.Reader, table *agent.Table) (*Part, error) {
	p, err := readPart(r, table)
	if err != nil {
		return nil, fmt.Errorf("audit: cannot read the part: %w", err)
	}
	return p, nil
}

var errDamaged = errors.New("it is damaged")

func readPart(r io.Reader, table *agent.Table) (*Part, error) {
	in := bufio.NewReader(r)
	hash := sha256.New()
	var (
		t     *tally
		notes json.RawMessage
	)
	for {
		data, err := in.ReadBytes('\n')
		switch {
		case err == io.EOF && t == nil:
			return nil, errors.New("it is not a part of an audit")
		case err == io.EOF:
			return nil, errors.New("it is cut off: the line with its hash is missing")
		case err != nil:
			return nil, err
		}
		var line storedLine
		if err := decodeStrictly(data, &line); err != nil {
			if t == nil {
				return nil, errors.New("it is not a part of an audit, or of a later version of this program")
			}
			return nil, errDamaged
		}
		switch {
		case line.SHA256 != "":
			if line.SHA256 != hex.EncodeToString(hash.Sum(nil)) || t == nil {
				return nil, errDamaged
			}
			t.loads.limitAll()
			t.people.settle()
			t.callers.settle()
			return &Part{Notes: notes, tally: t}, nil
		case t == nil:
			t, err = newStoredTally(line.Audit, table)
		case len(line.Notes) > 0 && notes == nil:
			notes = line.Notes
		default:
			err = t.restore(line)
		}
		if err != nil {
			return nil, err
		}
		hash.Write(data)
	}
}

// decodeStrictly decodes JSON, and refuses members that it does not know.
func decodeStrictly(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// newStoredTally returns an empty tally for the options of a stored part.
func newStoredTally(s *storedAudit, table *agent.Table) (*tally, error) {
	switch {
	case s == nil:
		return nil, errors.New("it is not a part of an audit")
	case s.Form != partForm:
		return nil, fmt.Errorf("its form is %d, and this program knows form %d: join it with the program that wrote it",
			s.Form, partForm)
	case s.Table != table.Version():
		return nil,
			fmt.Errorf("it was written with the table of robots %q, and this program has %q: read its logs again",
				s.Table, table.Version())
	case s.Grace <= 0 || s.Slack == 0 || s.Edge < 0:
		return nil, errDamaged
	}
	o := Options{Robots: table, Grace: time.Duration(s.Grace), Slack: time.Duration(s.Slack),
		Edge: time.Duration(s.Edge), Host: s.Host, Sites: map[string][]Version{}}
	if s.Zone != "" {
		zone, err := time.LoadLocation(s.Zone)
		if err != nil {
			return nil, err
		}
		o.Zone = zone
	}
	for _, site := range s.Sites {
		for _, v := range site.Versions {
			o.Sites[site.Host] = append(o.Sites[site.Host], Version(v))
		}
	}
	a, err := New(o)
	if err != nil {
		return nil, errDamaged
	}
	t := newTally(a)
	if s.Number != len(t.places) {
		return nil, errDamaged
	}
	return t, nil
}

// restore adds what a line of a stored part has.
func (t *tally) restore(line storedLine) error {
	switch {
	case line.Counts != nil:
		t.counts = *line.Counts
		return nil
	case line.Logs != nil:
		t.joined = append(t.joined, line.Logs...)
		return nil
	case line.Loads != nil:
		return t.loads.restore(line.Loads)
	case line.Senders != nil:
		return t.senders.restore(line.Senders)
	case line.Place != nil:
		return t.restorePlace(line.Place)
	case line.Robot != nil:
		return t.restoreRobot(line.Robot)
	case line.Sample != nil && line.Sample.Callers:
		return t.callers.restore(line.Sample)
	case line.Sample != nil:
		return t.people.restore(line.Sample)
	}
	return errDamaged
}

func (t *tally) restorePlace(s *storedPlace) error {
	if s.Number < 0 || s.Number >= len(t.places) || len(s.Hosts) > maxHosts {
		return errDamaged
	}
	p := t.places[s.Number]
	p.requests, p.first = s.Requests, s.First
	for host, n := range s.Hosts {
		*p.hosts.counter(host) = n
	}
	p.hosts.more = s.More
	return p.answers.restore(s.Answers)
}

func (t *tally) restoreRobot(s *storedRobot) error {
	var robot *robotTally
	if s.Kind == 0 {
		t.capped.join(t, &robotTally{})
		robot = t.capped.others
	} else {
		a := t.auditor.named(s.Token)
		if !a.Known() || a.Kind != s.Kind {
			a = robotKey{strings.ToLower(s.Token), s.Kind, s.Errand}.agent(s.Token)
		}
		key := robotKey{strings.ToLower(s.Token), s.Kind, s.Errand}
		if t.robots[key] != nil || s.Errand && a.Known() {
			return errDamaged
		}
		if robot = t.addRobot(key, a); robot.dropped {
			return errDamaged
		}
	}
	if err := cmp.Or(robot.restoreLoad(s.Load), robot.clients.restore(s.Clients),
		robot.forgers.restore(s.Forgers)); err != nil {
		return err
	}
	for _, row := range s.Rows {
		if err := t.restoreRow(robot, row); err != nil {
			return err
		}
	}
	return nil
}

// restoreRow adds a row of a robot.
func (t *tally) restoreRow(robot *robotTally, s storedRow) error {
	identity := identityNamed(s.Identity)
	if s.Place < 0 || s.Place >= len(t.places) || identity < 0 || robot.rows[s.Place][identity] != nil {
		return errDamaged
	}
	w := robot.row(s.Place, agent.Result(identity))
	w.rowCounts = s.Counts
	if err := cmp.Or(w.seconds.restore(s.Seconds), w.answers.restore(s.Answers),
		w.redirects.restore(s.Redirects),
		w.headers.restore(s.UserAgents)); err != nil {
		return err
	}
	site := t.places[s.Place].site
	if len(s.Disallowed)+len(s.Normalized) == 0 {
		return nil
	}
	if site == nil || robot.dropped {
		return errDamaged
	}
	rules := t.rulesOf(robot, t.places[s.Place])
	for _, n := range s.Normalized {
		findings := [2]string{string(n.Written), string(n.Served)}
		if !rules.has(n.Served) || len(n.Written) > 0 && !rules.has(n.Written) || w.normalized[findings] != nil {
			return errDamaged
		}
		if err := w.normalizedBy(findings).restore(n.Requests); err != nil {
			return err
		}
	}
	w.disallowed = map[string]*disallowedRequests{}
	for _, d := range s.Disallowed {
		if !rules.has(d.Finding) || w.disallowed[string(d.Finding)] != nil {
			return errDamaged
		}
		for version, e := range d.Examples {
			if version < 0 || version >= len(site.versions) || e == nil || len(e.First) > maxFirst ||
				len(e.Last) > maxLast || len(e.Others) > maxOthers {
				return errDamaged
			}
		}
		kept := &disallowedRequests{examples: d.Examples}
		w.disallowed[string(d.Finding)] = kept
		if err := kept.restore(d.Requests); err != nil {
			return err
		}
	}
	return nil
}

// identityName returns the name of a row of a robot at a place.
func identityName(identity int) string {
	if agent.Result(identity) == ownSoftware {
		return "own"
	}
	return agent.Result(identity).String()
}

// identityNamed returns the number of an identity, or -1.
func identityNamed(name string) int {
	for i := range identities {
		if identityName(i) == name {
			return i
		}
	}
	return -1
}

// restore adds chunks of a stored part.
func (s *series) restore(chunks [][]byte) error {
	for _, chunk := range chunks {
		if err := checkChunk(chunk); err != nil {
			return err
		}
		s.append(chunk)
	}
	return nil
}
