package agent_test

import (
	"fmt"

	"github.com/robotsexclusion/robots/agent"
)

func ExampleLookup() {
	a := agent.Lookup("Mozilla/5.0 (compatible; Googlebot-Image/1.0; +http://www.google.com/bot.html)")
	fmt.Println(a.Operator, a.Purposes, a.Tokens())

	a = agent.Lookup("Mozilla/5.0 (compatible; ExampleCrawler/1.0)")
	fmt.Println(a.Known(), a.Kind, a.Tokens())
	fmt.Println(a.Why())
	// Output:
	// Google search [Googlebot-Image Googlebot]
	// false robot [ExampleCrawler]
	// the word "ExampleCrawler"
}

func ExampleNamed() {
	a := agent.Named("adsbot-google")
	fmt.Println(a.Token, a.Everyone())
	// Output: AdsBot-Google false
}

// A program can bring its own robots with it.
func ExampleParseTable() {
	table, err := agent.ParseTable([]byte(`{
		"robots": [
			{"token": "ExampleBot", "operator": "Example Inc.", "purposes": ["search"]},
			{"token": "ExampleBot-Image", "fallback": ["ExampleBot"]}
		]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(table.Lookup("Mozilla/5.0 (compatible; ExampleBot-Image/1.0)").Tokens())
	fmt.Println(table.Lookup("Mozilla/5.0 (compatible; Googlebot/2.1)").Operator)
	// Output:
	// [ExampleBot-Image ExampleBot]
	// Google
}
