package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/server"
	"github.com/robotsexclusion/robots/server/api"
)

// service starts a decision service, as "robots serve" does, and a site that it may ask.
func service() (serviceURL, siteURL string, stop func()) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /search\n")
	}))
	s := httptest.NewServer(server.New(server.Config{Client: &fetch.Client{
		UserAgent:  "ExampleService/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true}, // the site is on this machine
	}}))
	return s.URL, site.URL, func() { s.Close(); site.Close() }
}

func ExampleClient_Match() {
	serviceURL, siteURL, stop := service()
	defer stop()

	client := &api.Client{URL: serviceURL}
	answer, err := client.Match(context.Background(), siteURL+"/shoes", "ExampleBot", "GPTBot")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range answer.Results {
		fmt.Printf("%s: %t, %s\n", r.Agent, r.Allowed, r.Reason)
	}
	// Output:
	// ExampleBot: true, no-rule
	// GPTBot: false, rule
}

// Questions about one text need it once.
func ExampleClient_Ask() {
	serviceURL, _, stop := service()
	defer stop()

	text := "User-agent: *\nDisallow: /private/\n"
	answers, err := (&api.Client{URL: serviceURL}).Ask(context.Background(), []api.Question{
		{Robots: &text, Agent: "ExampleBot", URL: "/"},
		{Agent: "ExampleBot", URL: "/private/x"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range answers {
		fmt.Printf("%t %q\n", *a.Allowed, a.Rule)
	}
	// Output:
	// true ""
	// false "Disallow: /private/"
}

// An error of the service is a problem with a status and an explanation.
func ExampleProblem() {
	serviceURL, _, stop := service()
	defer stop()

	client := &api.Client{URL: serviceURL}
	_, err := client.Match(context.Background(), "private/x", "ExampleBot")
	if problem, ok := errors.AsType[*api.Problem](err); ok {
		fmt.Println(problem.Status)
	}
	// Output:
	// 400
}

func ExampleClient_Lint() {
	serviceURL, _, stop := service()
	defer stop()

	text := "User-agent: *\nDisalow: /private/\n"
	report, err := (&api.Client{URL: serviceURL}).Lint(context.Background(), &api.LintQuestion{Robots: &text})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range report.Diagnostics {
		fmt.Printf("%d:%d: %s: %s\n", d.Line, d.Column, d.Severity, d.Check)
	}
	// Output:
	// 2:1: error: misspelt-field
}
