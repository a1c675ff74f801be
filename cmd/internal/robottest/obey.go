package robottest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/language"
)

// nameInAudit is the name of the robot under test in the log that is audited. All clients of the
// web are this robot, under any name that they send.
const nameInAudit = "robot-under-test"

// disallowed returns the requests that robots.txt disallows, with the rules, as an audit of the log
// says. Hosts without a robots.txt that is in force are left out: nothing is disallowed there, or
// everything.
func disallowed(t *trial) (map[*Request]language.Message, error) {
	table, err := agent.ParseTable(fmt.Appendf(nil, `{"replace": true, "robots": [{"token": %q}]}`, nameInAudit))
	if err != nil {
		return nil, err
	}
	o := audit.Options{Sites: make(map[string][]audit.Version), Robots: table}
	for _, s := range t.web.sites {
		if !s.exercise.unaudited && !s.exercise.aside {
			o.Sites[s.host()] = []audit.Version{{ID: "robots.txt",
				Text: []byte(s.exercise.text([]string{nameInAudit}))}}
		}
	}
	auditor, err := audit.New(o)
	if err != nil {
		return nil, err
	}
	var log bytes.Buffer
	for _, r := range t.all {
		log.WriteString(r.line(nameInAudit + "/1.0"))
	}
	format, err := accesslog.ParseFormat("vhost-combined")
	if err != nil {
		return nil, err
	}
	reader := accesslog.Reader{Formats: []*accesslog.Format{format}}
	scan := func() *accesslog.Scan { return reader.From("the log of the test", bytes.NewReader(log.Bytes())) }
	part, err := auditor.Read(scan(), 1)
	if err != nil {
		return nil, err
	}
	judge := part.Judge()
	rules := make(map[*Request]language.Message)
	for request, err := range scan().Requests() {
		if err != nil {
			continue // a line that no reader of logs can read, such as that of a broken method
		}
		if j := judge.Judge(request); j.Class != audit.Allowed {
			rules[t.all[request.Line-1]] = textDisallowed.With(j.Rule.Line, strings.TrimSpace(j.Rule.String()))
		}
	}
	return rules, nil
}
