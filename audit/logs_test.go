package audit_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A logFile is an access log with what a reader finds in it.
type logFile struct {
	name       string
	readIn     *time.Location // the zone in which a reader reads times that do not state one
	both       bool           // its lines are JSON, with the time of the end of a request, and how long it took
	text       strings.Builder
	lines      int64
	unreadable int64
	visits     []visit
}

// add writes a visit in combined form, or if the visit has a host in that of virtual hosts, or as
// JSON. The time is that of clocks in the zone.
func (l *logFile) add(v visit, zone *time.Location) {
	l.lines++
	v.log, v.line = l.name, int(l.lines)
	clock := time.Unix(v.at, 0).In(zone)
	form := "02/Jan/2006:15:04:05 -0700"
	if !v.zoned {
		form = "02/Jan/2006:15:04:05"
		// Clocks show some times twice, and a reader cannot tell which of them was meant.
		read := l.readIn
		if read == nil {
			read = time.UTC
		}
		v.at = time.Date(clock.Year(), clock.Month(), clock.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0,
			read).Unix()
	}
	target, size, client := v.path, strconv.FormatInt(v.bytes, 10), "-"
	if target == "" {
		target = "*"
	}
	if v.bytes < 0 {
		size = "-"
	}
	if v.client.IsValid() {
		client = v.client.String()
	}
	userAgent := v.agent
	if userAgent == "" {
		userAgent = "-"
	}
	referrer := cmp.Or(v.referrer, "-")
	switch {
	case l.both:
		end := time.Unix(v.at+v.took, 0).In(zone).Format(time.RFC3339)
		host := ""
		if v.host != "" {
			host = fmt.Sprintf(`,"host":%q`, v.host)
		}
		v.text = fmt.Sprintf(`{"time":%q%s,"remote_addr":%q,"request":"%s %s HTTP/1.1","status":%d,"bytes_sent":%q,"request_time":"%d.000","http_referer":%q,"http_user_agent":%q}`,
			end, host, client, v.method, target, v.status, size, v.took, referrer, userAgent)
	default:
		v.text = fmt.Sprintf(`%s - - [%s] "%s %s HTTP/1.1" %d %s "%s" "%s"`, client, clock.Format(form), v.method,
			target, v.status, size, referrer, userAgent)
		if v.host != "" {
			v.text = v.host + ":443 " + v.text
		}
	}
	l.text.WriteString(v.text + "\n")
	l.visits = append(l.visits, v)
}

// slowReportOf returns what the twin says of some logs.
func slowReportOf(o audit.Options, logs ...*logFile) (*audit.Report, map[evidenceKey]bool) {
	var visits []visit
	var lines, unreadable int64
	for _, l := range logs {
		visits = append(visits, l.visits...)
		lines += l.lines
		unreadable += l.unreadable
	}
	return slowReport(o, visits, lines, unreadable)
}

// readLogs returns the part of each log.
func readLogs(t testing.TB, o audit.Options, workers int, logs ...*logFile) (parts []*audit.Part) {
	t.Helper()
	auditor, err := audit.New(o)
	fatal.If(t, err)
	for _, l := range logs {
		reader := accesslog.Reader{Zone: o.Zone}
		part, err := auditor.Read(reader.From(l.name, strings.NewReader(l.text.String())), workers)
		fatal.If(t, err)
		parts = append(parts, part)
	}
	return parts
}

// fastReportOf returns what the package says of some logs.
func fastReportOf(t testing.TB, o audit.Options, workers int, logs ...*logFile) *audit.Report {
	t.Helper()
	parts := readLogs(t, o, workers, logs...)
	for _, part := range parts[1:] {
		fatal.If(t, parts[0].Join(part))
	}
	return parts[0].Report()
}

// compareReports compares the JSON of a report with that of the twin. The examples of rules are any
// lines that the twin found; a rule with violations that are not certain may have none, and so may
// all rules where versions began late.
func compareReports(t testing.TB, got, want *audit.Report, evidence map[evidenceKey]bool) bool {
	t.Helper()
	late := slices.ContainsFunc(got.Versions, func(v audit.InForce) bool { return v.Late })
	for _, robot := range got.Robots {
		for i := range robot.Violations.Rules {
			rule := &robot.Violations.Rules[i]
			if rule.Example == (audit.Example{}) && (late || rule.Certain > 0 && rule.Informed+rule.Grace > 0) {
				// the package keeps few lines for each version as given, and none of these was of
				// this rule and class
				continue
			}
			if !evidence[evidenceKey{robot.Token, rule.Host, rule.Version, rule.Line, rule.Example}] {
				t.Errorf("%s: %+v is not an example of line %d of %s at %q", robot.Token, rule.Example, rule.Line,
					rule.Version, rule.Host)
				return false
			}
		}
	}
	g, w := indented(t, got), indented(t, want)
	if g == w {
		return true
	}
	a, b := strings.Split(g, "\n"), strings.Split(w, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			from, token := max(0, i-4), ""
			for _, line := range a[:i] {
				if strings.Contains(line, `"token"`) {
					token = line
				}
			}
			t.Errorf("line %d of the JSON differs, after %s:\ngot\n%s\nwant\n%s", i+1, token,
				strings.Join(a[from:min(i+6, len(a))], "\n"), strings.Join(b[min(from, len(b)):min(i+6, len(b))], "\n"))
			return false
		}
	}
	t.Errorf("got %d lines of JSON, want %d", len(a), len(b))
	return false
}

// indented returns the JSON of a report, without examples.
func indented(t testing.TB, r *audit.Report) string {
	t.Helper()
	data, err := json.MarshalIndent(withoutExamples(r), "", " ")
	fatal.If(t, err)
	return string(data)
}

// withoutExamples returns a report without the lines that are examples of rules.
func withoutExamples(r *audit.Report) *audit.Report {
	without := *r
	without.Robots = slices.Clone(r.Robots)
	for i := range without.Robots {
		rules := slices.Clone(r.Robots[i].Violations.Rules)
		for j := range rules {
			rules[j].Example = audit.Example{}
		}
		without.Robots[i].Violations.Rules = rules
	}
	return &without
}

func addr(text string) netip.Addr { return netip.MustParseAddr(text) }
