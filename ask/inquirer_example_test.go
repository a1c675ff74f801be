package ask_test

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
)

// A server answers for a URL and some robots. This one has the policies of its origins
// itself; without Config.Policy they are fetched.
func ExampleInquirer_Ask() {
	inquirer := ask.New(ask.Config{
		Policy: func(_ context.Context, origin string) (ask.Source, error) {
			policy := robots.Parse([]byte("User-agent: Googlebot\nDisallow: /drafts/\n"))
			return ask.Source{Policy: policy, Origin: origin, Version: "2026-11-23"}, nil
		},
	})
	var known *agent.Table
	for _, result := range inquirer.Ask(context.Background(), ask.Question{
		URL:    "https://example.com/drafts/1",
		Robots: []agent.Subject{known.Subject("Googlebot-Image/1.0"), known.Subject("ExampleBot")},
	}) {
		answer, err := result.MarshalJSON()
		fmt.Println(string(answer), err)
	}
	// Output:
	// {"agent":"Googlebot-Image/1.0","url":"https://example.com/drafts/1","robots_txt":"2026-11-23","allowed":false,"reason":"rule","line":2,"rule":"Disallow: /drafts/","group":"Googlebot"} <nil>
	// {"agent":"ExampleBot","url":"https://example.com/drafts/1","robots_txt":"2026-11-23","allowed":true,"reason":"no-group"} <nil>
}
