package main

import (
	"io"
	"net/http"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSite checks that the site behind the proxies serves bodies of the size that the query says.
func TestSite(t *testing.T) {
	origin := site()
	for query, want := range map[string]int{"100": 100, "65536": 64 << 10} {
		answer, err := http.Get(origin + "/page?" + query)
		fatal.If(t, err)
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if err != nil || len(body) != want {
			t.Errorf("%s: got %d bytes, %v", query, len(body), err)
		}
	}
}
