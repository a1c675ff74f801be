package download_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/download"
)

// A page is asked for, and the next time only whether it has changed.
func ExampleClient_Do() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		if r.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<title>Teapots</title>")
	}))
	defer server.Close()

	client := &download.Client{
		UserAgent:  "ExampleBot/1.0 (+https://example.com/bot)",
		DialFilter: fetch.DialFilter{AllowPrivate: true}, // the server is on this machine
	}
	defer client.Close()
	tag := ""
	for range 2 {
		x, err := client.Do(context.Background(), download.Request{URL: server.URL + "/teapots", ETag: tag})
		if err != nil {
			fmt.Println(err)
			return
		}
		body, _ := x.Body.Bytes()
		fmt.Printf("%d %q, not modified: %v\n", x.Status, body, x.NotModified)
		tag = x.ETag
		x.Close()
	}
	// Output:
	// 200 "<title>Teapots</title>", not modified: false
	// 304 "", not modified: true
}

// Where a robot must not go is one of the failures.
func ExampleError() {
	client := &download.Client{UserAgent: "ExampleBot/1.0 (+https://example.com/bot)"}
	_, err := client.Do(context.Background(), download.Request{URL: "http://169.254.169.254/latest/meta-data/"})
	if e, ok := errors.AsType[*download.Error](err); ok {
		fmt.Println(e.Failure)
	}
	// Output: refused
}
