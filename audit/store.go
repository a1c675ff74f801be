package audit

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// A stored part is lines of JSON, each an object with one member: first "audit" with the options, then
// "counts", "place" for each place, "robot" for each robot, and at last "sha256", which is the hash of
// all lines before. The names and numbers are stored: they never change, and a part with a form that
// this program does not know is refused.
type storedLine struct {
	Audit  *storedAudit `json:"audit,omitempty"`
	Counts *counts      `json:"counts,omitempty"`
	Place  *storedPlace `json:"place,omitempty"`
	Robot  *storedRobot `json:"robot,omitempty"`
	SHA256 string       `json:"sha256,omitempty"`
}

// partForm is the number of the form of stored parts.
const partForm = 1

type storedAudit struct {
	Form   int          `json:"form"`
	Table  string       `json:"table"` // the version of the table of robots
	Grace  int64        `json:"grace"` // nanoseconds, like the next two
	Slack  int64        `json:"slack"`
	Edge   int64        `json:"edge"`
	Zone   string       `json:"zone,omitempty"`
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
	Hosts    map[string]int64 `json:"hosts,omitempty"`
	More     int64            `json:"more,omitempty"`
	Answers  [][]byte         `json:"answers,omitempty"`
}

// A storedRobot without a Kind is the others.
type storedRobot struct {
	Token string      `json:"token"`
	Kind  agent.Kind  `json:"kind"`
	Rows  []storedRow `json:"rows"`
}

type storedRow struct {
	Place      int                `json:"place"`
	Identity   string             `json:"identity"` // by agent.Result.String
	Counts     rowCounts          `json:"counts"`
	Seconds    [][]byte           `json:"seconds,omitempty"`
	Answers    [][]byte           `json:"answers,omitempty"`
	Disallowed []storedDisallowed `json:"disallowed,omitempty"`
}

type storedDisallowed struct {
	Finding  []byte   `json:"finding"`
	Requests [][]byte `json:"requests"`
	Examples examples `json:"examples"`
}

// WriteTo writes the part, with the options and the versions of robots.txt.
// It has addresses of robots, and lines of the logs as examples.
func (p *Part) WriteTo(w io.Writer) (written int64, err error) {
	t := p.tally
	t.hits.flush()
	hash := sha256.New()
	buffer := bufio.NewWriter(io.MultiWriter(w, hash))
	write := func(line storedLine) {
		data, e := json.Marshal(line)
		n, f := buffer.Write(append(data, '\n'))
		written += int64(n)
		err = cmp.Or(err, e, f)
	}
	write(storedLine{Audit: t.auditor.stored()})
	write(storedLine{Counts: &t.counts})
	for _, place := range t.places {
		write(storedLine{Place: place.stored()})
	}
	for _, key := range slices.SortedFunc(maps.Keys(t.robots), compareKeys) {
		write(storedLine{Robot: t.robots[key].stored()})
	}
	if t.capped.others != nil {
		write(storedLine{Robot: t.capped.others.stored()})
	}
	err = cmp.Or(err, buffer.Flush())
	write(storedLine{SHA256: hex.EncodeToString(hash.Sum(nil))})
	return written, cmp.Or(err, buffer.Flush())
}

func compareKeys(j, k robotKey) int {
	return cmp.Or(strings.Compare(j.token, k.token), cmp.Compare(j.kind, k.kind))
}

func (a *Auditor) stored() *storedAudit {
	s := &storedAudit{
		Form: partForm, Table: a.options.Robots.Version(), Number: len(a.sites) + 2,
		Grace: int64(a.options.Grace), Slack: int64(a.options.Slack), Edge: int64(a.options.Edge),
		Sites: []storedSite{},
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
	s := &storedPlace{Number: p.number, Requests: p.requests, More: p.hosts.more, Answers: p.answers.chunks}
	if len(p.hosts.counts) > 0 {
		s.Hosts = map[string]int64{}
	}
	for host, n := range p.hosts.counts {
		s.Hosts[host] = *n
	}
	return s
}

func (robot *robotTally) stored() *storedRobot {
	s := &storedRobot{Token: robot.agent.Token, Kind: robot.key.kind, Rows: []storedRow{}}
	for place, rows := range robot.rows {
		for identity, w := range rows {
			if w == nil {
				continue
			}
			row := storedRow{Place: place, Identity: agent.Result(identity).String(), Counts: w.rowCounts, Seconds: w.seconds.chunks, Answers: w.answers.chunks}
			for _, finding := range slices.Sorted(maps.Keys(w.disallowed)) {
				d := w.disallowed[finding]
				row.Disallowed = append(row.Disallowed, storedDisallowed{[]byte(finding), d.chunks, d.examples})
			}
			s.Rows = append(s.Rows, row)
		}
	}
	return s
}
