package main

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/oracle/internal/ask"
)

func TestPath(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"/x?y=1", "/x?y=1"},
		{"/x#y", "/x"},
		{"//x", "//x"},
		{"/go?to=http://example.com/", "/go?to=http://example.com/"},
		{"https://example.com/a%2fb?c", "/a%2fb?c"},
		{"https://example.com", "/"},
		{"https://example.com#x", "/"},
		{"https://example.com?x=/y", "/?x=/y"},
	} {
		if got := path(tt.url); got != tt.want {
			t.Errorf("path(%q) = %q, want %q", tt.url, got, tt.want)
		}
	}
}

// The library refuses a whole file for one bad line.
func TestRefusal(t *testing.T) {
	c := new(client)
	bad := ask.Question{Robots: "Disallow: /x\nUser-agent: *\nDisallow: /y\n", Agent: "*", URL: "/z"}
	good := ask.Question{Robots: "User-agent: *\nDisallow: /y\n", Agent: "*", URL: "/z"}
	for _, q := range []ask.Question{bad, bad, good} {
		a, err := c.answer(q)
		if q == good {
			if err != nil || !a.Allowed {
				t.Errorf("after a refusal: got %v, %v, want allowed", a, err)
			}
		} else if err == nil || !strings.HasPrefix(err.Error(), "the file is refused: ") {
			t.Errorf("got %v, %v, want a refusal", a, err)
		}
	}
}
