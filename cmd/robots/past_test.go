package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// kept returns the cache entry of a client: with a text, or without one if the text is empty.
func kept(origin, text string, at time.Time) *fetch.Entry {
	e := &fetch.Entry{
		Origin: origin, State: fetch.Unavailable, CheckedAt: at, FreshUntil: at.Add(time.Hour),
		URL: origin + "/robots.txt", Status: 404, Cause: "404 Not Found",
	}
	if text != "" {
		sum := sha256.Sum256([]byte(text))
		e.State, e.Status, e.Cause = fetch.OK, 200, ""
		e.File = &fetch.File{
			FetchedAt: at, ConfirmedAt: at, URL: e.URL, SHA256: hex.EncodeToString(sum[:]), Size: len(text),
			Policy: robots.Parse([]byte(text)),
		}
	}
	return e
}

// failing returns the entry after e if the server then fails.
func failing(e *fetch.Entry, at time.Time) *fetch.Entry {
	next := *e
	next.State, next.CheckedAt, next.Status, next.Cause, next.Failures = fetch.Unreachable, at, 503,
		"503 Service Unavailable", 1
	next.UnreachableSince = at
	return &next
}

// TestAt asks about months with requests on some days only.
func TestAt(t *testing.T) {
	const site = "https://a.example"
	day := func(n, hour int) time.Time { return time.Date(2025, 1, n, hour, 0, 0, 0, time.UTC) }
	dir := t.TempDir()
	open, closed := "User-agent: *\nDisallow: /b\n", "User-agent: *\nDisallow: /a\n"
	failed := failing(kept(site, closed, day(12, 9)), day(16, 9))
	for _, e := range []*fetch.Entry{
		kept(site, open, day(1, 9)), kept(site, open, day(2, 9)), kept(site, open, day(3, 9)),
		kept(site, closed, day(12, 9)), // no request for nine days
		kept(site, closed, day(13, 9)),
		kept(site, closed+"# two\n", day(14, 9)), kept(site, closed, day(14, 12)), // twice on one day
		kept(site, closed, day(15, 9)),
		failed, // no request for the next 100 days
		kept(site, open, day(116, 9)), kept(site, "", day(117, 9)),
	} {
		fatal.If(t, fetch.Dir(dir).Put(t.Context(), e))
	}
	for _, test := range []struct {
		at       string
		status   int
		out, err string // parts of the output; err is "" if there is no warning
	}{
		{"2025-01-01T08:59:59Z", 2, "is not known: its history begins at 2025-01-01T09:00:00Z", ""},
		{"2025-01-01T09:00:00Z", 0, "allowed", ""},
		{"2025-01-01T10:00:00+01:00", 0, "allowed", ""},
		{"2025-01-01", 2,
			"on all of 2025-01-01 is not known: its history begins at 2025-01-01T09:00:00Z: name a time from then on",
			""},
		{"2024-12-31", 2, "is not known", ""},
		{"2025-01-02", 0, "allowed", ""},
		{"2025-01-04T09:00:00Z", 0, "allowed", ""}, // a copy is valid for 24 hours
		{"2025-01-04T09:00:01Z", 0, "allowed", "last asked at 2025-01-03T09:00:00Z, and may have changed"},
		{"2025-01-11", 0, "allowed", "last asked at 2025-01-03T09:00:00Z, and may have changed"},
		{"2025-01-12", 2, "changed on 2025-01-12, at 2025-01-12T09:00:00Z: name a time", ""},
		{"2025-01-12T08:59:59.999Z", 0, "allowed", "last asked at 2025-01-03T09:00:00Z"},
		{"2025-01-12T09:00:00Z", 1, "disallowed", ""},
		{"2025-01-13", 1, "disallowed", ""},
		{"2025-01-14", 2, "changed on 2025-01-14, at 2025-01-14T09:00:00Z, 2025-01-14T12:00:00Z: name a time", ""},
		{"2025-01-16", 1, "disallowed", ""}, // the request failed, but a copy was in force
		{"2025-02-14", 1, "disallowed",
			"a copy of before, 27 bytes, is in force; in force from 2025-01-16T09:00:00Z until 2025-02-15T09:00:00Z; last asked at 2025-01-16T09:00:00Z"},
		{"2025-02-16", 0, "allowed", "last asked at 2025-01-16T09:00:00Z"}, // for 30 days
		{"2025-04-27", 2, "changed on 2025-04-27, at 2025-04-27T09:00:00Z", ""},
		{"2025-04-29", 0, "allowed", "last asked at 2025-04-27T09:00:00Z"},
		{time.Now().UTC().Format(time.DateOnly), 0, "allowed", "last asked at 2025-04-27T09:00:00Z"},
	} {
		cmd := robotsProcess(t, "match", "--cache", dir, "--at", test.at, site, "/a")
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		status := 0
		if err := cmd.Run(); err != nil {
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok {
				t.Fatal(err)
			}
			status = exit.ExitCode()
		}
		doubt := strings.Contains(errs.String(), "may have changed since")
		if status != test.status || !strings.Contains(out.String(), test.out) ||
			!strings.Contains(errs.String(), test.err) || doubt != (test.err != "") {
			t.Errorf("%s: status %d, want %d with %q and %q; got\n%s%s", test.at, status, test.status, test.out,
				test.err, &out, &errs)
		}
	}
}
