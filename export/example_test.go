package export_test

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
)

// The configuration that makes nginx refuse what a policy disallows.
func ExampleWrite() {
	policy := robots.ParseString("User-agent: GPTBot\nDisallow: /private/\n")
	config, err := export.Write("nginx", policy, export.Options{Site: "example"})
	if err != nil {
		panic(err)
	}
	for _, f := range config.Files {
		fmt.Println(f.Name, len(f.Data) > 0)
	}
	// Output:
	// robots-example.http.conf true
	// robots-example.server.conf true
}
