package auditlive

import (
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// linesOf returns what a live audit writes of a log that is its standard input.
func linesOf(t *testing.T, log string, hide *auditreport.Hider) string {
	t.Helper()
	auditor, err := audit.New(audit.Options{
		Sites: map[string][]audit.Version{"": {{ID: `v"1`, Text: []byte(closed)}}},
		Identify: func(_ agent.Agent, client netip.Addr) agent.Result {
			if client == netip.MustParseAddr("192.0.2.9") {
				return agent.Forged
			}
			return agent.Unverifiable
		},
	})
	fatal.If(t, err)
	var out output
	o := Options{Logs: []string{"-"}, Stdin: strings.NewReader(log), Auditor: auditor, Classes: Classes, Out: &out}
	if hide != nil {
		o.Hide = hide
	}
	o.Reader, o.Notice = &accesslog.Reader{}, func(err error) { t.Error(err) }
	if _, err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return strings.Join(out.lines, "")
}

// hostileBans are the addresses that a filter is to ban by the lines of hostileLog, and no others.
var hostileBans = []string{"192.0.2.1", "192.0.2.2", "192.0.2.9", "2001:db8::2"}

// hostileLog returns a log in which each client makes a request that tries to mislead filters.
// Addresses that must not be banned are in 203.0.113.0/24.
func hostileLog(now time.Time) string {
	fake := `","client":"203.0.113.1","token":"x","identity":"unverifiable","class":"certain",`
	path := strings.ReplaceAll(fake, `"`, `\x22`) // as servers write it
	whole := `{"log":"-","line":1,"time":"2026-03-01T10:00:00Z` + fake
	return line(now.Add(-time.Second), "203.0.113.5", "/robots.txt", 403, "gracebot/1.0") +
		line(now, "203.0.113.5", "/private/"+path, 200, "gracebot/1.0") + // may rely on the 403
		line(now, "192.0.2.1", "/private/"+path, 200, "onebot/1.0") +
		line(now, "192.0.2.2", "/private/\\n"+path, 200, "onebot/1.0 "+whole) +
		line(now, "2001:db8::2", "/private/\x01\\x0a"+path, 200, "onebot/1.0 "+fake) +
		line(now, "192.0.2.9", "/"+path, 200, "GPTBot/1.0 "+whole) +
		line(now, "192.0.2.5", "/"+path, 200, "onebot/1.0 "+whole) + // obeys
		line(now, "192.0.2.6", "/private/"+path, 200, "Mozilla/5.0 Firefox/120.0 "+whole) + // is not a robot
		line(now, "203.0.113.7.example", "/private/"+path, 200, "onebot/1.0") + // a name that looks like an address
		line(now, "192.0.2.1", "/private/\\x1b[2J\\x1b]0;203.0.113.2\\x07\x1b[31m203.0.113.2\x9b", 200,
			"onebot/1.0 \x1b[8m203.0.113.2")
}

// The filter for fail2ban finds the addresses of clients that are to be banned, and no others,
// whatever a client sends.
func TestFail2ban(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("fail2ban-regex")
	if err != nil {
		t.Skip("fail2ban is not installed")
	}
	log := hostileLog(time.Now().Add(-time.Minute))
	if got := banned(t, program, linesOf(t, log, nil)); !slices.Equal(got, hostileBans) {
		t.Errorf("fail2ban bans %q, want %q", got, hostileBans)
	}
	for _, how := range auditreport.Anonymities {
		if got := banned(t, program, linesOf(t, log, auditreport.NewHider(how))); len(got) > 0 {
			t.Errorf("fail2ban bans %q by addresses that are hidden", got)
		}
	}
}

// banned returns the addresses that the filter finds.
func banned(t *testing.T, program, lines string) []string {
	t.Helper()
	if !strings.Contains(lines, `"class":"certain"`) {
		t.Fatalf("there is no violation: %s", lines)
	}
	name := filepath.Join(t.TempDir(), "lines")
	fatal.If(t, os.WriteFile(name, []byte(lines), 0o600))
	out, err := exec.Command(program, "--out", "ip", name,
		"../../../../examples/fail2ban/filter.d/robots-audit.conf").CombinedOutput()
	if err != nil && len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	found := strings.Fields(string(out))
	slices.Sort(found)
	return slices.Compact(found)
}
