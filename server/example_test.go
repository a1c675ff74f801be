package server_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/server"
)

// The service fetches the robots.txt of the URL, and answers with the deciding line.
func Example() {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "User-agent: *\nDisallow: /search\n")
	}))
	defer site.Close()
	service := httptest.NewServer(server.New(server.Config{Client: &fetch.Client{
		UserAgent:  "ExampleService/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true}, // the site is on this machine
	}}))
	defer service.Close()

	question := url.Values{"url": {site.URL + "/search?q=shoes"}, "agent": {"ExampleBot"}}
	answer, err := http.Get(service.URL + "/v1/match?" + question.Encode())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, err)
	fmt.Println(strings.Contains(string(body), `"rule":"Disallow: /search"`))
	// Output:
	// 200 <nil>
	// true
}
