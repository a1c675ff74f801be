package audit_test

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

// Which robots came, and which requests did robots.txt disallow?
func Example() {
	auditor, err := audit.New(audit.Options{
		Sites: map[string][]audit.Version{"": {{ID: "robots.txt", State: audit.Served,
			Text: []byte("User-agent: *\nDisallow: /private/\n")}}},
	})
	if err != nil {
		panic(err)
	}
	const log = `192.0.2.1 - - [10/Nov/2026:10:00:00 +0000] "GET /private/x HTTP/1.1" 200 9 "-" "GPTBot/1.2"
192.0.2.1 - - [10/Nov/2026:10:00:09 +0000] "GET /open HTTP/1.1" 200 9 "-" "GPTBot/1.2"
`
	reader := new(accesslog.Reader)
	part, err := auditor.Read(reader.From("access.log", strings.NewReader(log)), 1)
	if err != nil {
		panic(err)
	}
	for _, robot := range part.Report().Robots {
		fmt.Println(robot.Token, robot.Requests, robot.Violations.Certain)
	}
	// Output:
	// GPTBot 2 1
}
