package main

import (
	"errors"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/test/nameserver"
)

// The URLs for arguments of which the first names an origin.
func TestSiteURLs(t *testing.T) {
	for _, test := range []struct {
		args string
		more bool // a file has more
		want string
		base string
	}{
		{"example.com", false, "https://example.com/", "https://example.com"},
		{"https://example.com/", false, "https://example.com/", "https://example.com"},
		{"HTTP://EXAMPLE.com:80", false, "http://example.com/", "http://example.com"},
		{"http://[2001:DB8::1]:8080", false, "http://[2001:db8::1]:8080/", "http://[2001:db8::1]:8080"},
		{"bücher.example", false, "https://xn--bcher-kva.example/", "https://xn--bcher-kva.example"},
		{"example.com", true, "", "https://example.com"},
		{"example.com /a /b?c", false, "https://example.com/a https://example.com/b?c", "https://example.com"},
		{"example.com /a", true, "https://example.com/a", "https://example.com"},
		{"example.com /", false, "https://example.com/", "https://example.com"},
		{"https://example.com/x /a", false, "https://example.com/x https://example.com/a", "https://example.com"},
		{"https://example.com?x /a", false, "https://example.com?x https://example.com/a", "https://example.com"},
		{"a.example b.example", false, "https://a.example/ https://b.example/", "https://b.example"},
		{"a.example b.example", true, "https://a.example/", "https://b.example"},
		{"a.example /x http://b.example /y c.example", false,
			"https://a.example/x http://b.example/y https://c.example/", "https://c.example"},
		{"a.example a.example /x", false, "https://a.example/ https://a.example/x", "https://a.example"},
		{"https://user:secret@example.com /x", false, "https://example.com/x", "https://example.com"},
	} {
		got, base, err := siteURLs(strings.Fields(test.args), test.more)
		if err != nil || !slices.Equal(got, strings.Fields(test.want)) || base != test.base {
			t.Errorf("%s: got %q of %s, %v, want %q of %s", test.args, got, base, err, test.want, test.base)
		}
	}
	for _, args := range []string{"ftp://example.com", "https://", "https://a_b c%d.example", "example.com //x",
		"example.com ftp://example.com/x", "http://exa\\mple.com", "https://example.com:0"} {
		if got, _, err := siteURLs(strings.Fields(args), false); err == nil {
			t.Errorf("%s: got %q, want an error", args, got)
		}
	}
}

// TestNoSuchHost asks about hosts that are not in DNS, or whose lookup fails. The resolver
// asks the name server of the test only.
func TestNoSuchHost(t *testing.T) {
	server := nameserver.Start(t, "broken.invalid. FAILS\n")
	before := net.DefaultResolver
	net.DefaultResolver = server.Resolver()
	defer func() { net.DefaultResolver = before }()

	const none = "DNS has no host exmaple.invalid: check its spelling"
	for _, test := range []struct {
		args   []string
		status error
		stdout string // a part of it
	}{
		{[]string{"match", "http://exmaple.invalid/x"}, cli.ErrFailed, "error  http://exmaple.invalid/x  " + none +
			"\n"},
		{[]string{"match", "exmaple.invalid", "/a", "/b"}, cli.ErrFailed, "error  https://exmaple.invalid/b  " + none +
			"\n"},
		{[]string{"match", "--page", "http://exmaple.invalid/x"}, cli.ErrFailed, none},
		{[]string{"match", "--all-dialects", "http://exmaple.invalid/x"}, cli.ErrFailed, none},
		{[]string{"match", "--json", "http://exmaple.invalid/x"}, cli.ErrFailed,
			`{"agent":"*","url":"http://exmaple.invalid/x","error":"` + none + `"}`},
		// A failed lookup says nothing about the host: its robots.txt is unreachable.
		{[]string{"match", "http://broken.invalid/x"}, cli.ErrNo,
			"disallowed  http://broken.invalid/x  robots.txt is unreachable\n"},
	} {
		stdout, _, err := execute(test.args...)
		if !errors.Is(err, test.status) || !strings.Contains(stdout, test.stdout) {
			t.Errorf("%q: %v\n%s\nwant %v\n%s", test.args, err, stdout, test.status, test.stdout)
		}
	}
}
