package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// jsonMembers is the file with the members of the JSON output of the commands in TestJSON. Programs
// rely on the names and types: a change there breaks programs.
const jsonMembers = "testdata/json/members.txt"

// The output for programs is one JSON value. Its objects name no member twice, and have the
// members of earlier versions.
func TestJSON(t *testing.T) {
	site := http.NewServeMux()
	for path, text := range map[string]string{
		"/robots.txt": "User-agent: GPTBot\nDisallow: /\nUser-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2\nRequest-rate: 1/5s 1000-1200\nVisit-time: 0600-0845\n" +
			"Content-Usage: train-ai=n\nContent-Signal: search=yes\nSitemap: https://example.com/map.xml\nHost: example.com\nClean-param: a&b /x\nCrawl-delay: soon\n",
		"/": "<title>T</title><meta name=description content=D><meta name=keywords content='a, b'><link rel=canonical href=/c><meta name=URL content=https://o.example/>" +
			"<meta name=robots content='noindex, max-snippet:5, max-image-preview:large, unavailable_after: 2020-01-01, max-snippet:x'><a rel=nofollow href=/x>x</a>",
	} {
		site.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("ETag", `"1"`)
			w.Header().Set("Last-Modified", "Fri, 20 Nov 2026 10:00:00 GMT")
			w.Header().Set("X-Robots-Tag", "otherbot: nofollow")
			io.WriteString(w, text)
		})
	}
	site.Handle("/moved", http.RedirectHandler("/", http.StatusFound))
	site.Handle("/ftp", http.RedirectHandler("ftp://example.com/", http.StatusFound))
	ok := httptest.NewServer(site)
	defer ok.Close()
	moved := httptest.NewServer(http.RedirectHandler(ok.URL+"/robots.txt", http.StatusMovedPermanently))
	defer moved.Close()
	dead := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503) }))
	defer dead.Close()

	folder := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(folder, name)
		fatal.If(t, os.WriteFile(name, []byte(text), 0o666))
		return name
	}
	hosts := file("hosts.txt", strings.Join([]string{ok.URL, moved.URL, dead.URL, "no host"}, "\n"))
	results, cache := filepath.Join(folder, "results"), filepath.Join(folder, "cache")
	ranges := file("ranges.json",
		`{"creationTime": "2026-01-01T00:00:00Z", "prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv4Prefix": "x"}]}`)
	bot := file("bot.json", `{"token": "ExampleBot", "operator": "Example Inc.", "purposes": ["search"],
		"about": "It reads pages.", "user_agent": "ExampleBot/1.0", "page": "https://bot.example.com/",
		"contact": ["mailto:bot@example.com"], "robots_txt": "yes"}`)
	var visits strings.Builder
	for hour := range 40 {
		fmt.Fprintf(&visits, "198.51.100.7 - - [%02d/Mar/2026:%02d:00:00 +0000] \"GET %s HTTP/1.1\" 200 5 \"-\" %q\n",
			2+hour/24, hour%24, []string{"/robots.txt", "/", "/a", "/private"}[hour%4],
			"NovelBot/1.0 (+https://novel.example/bot)")
	}
	visits.WriteString(`203.0.113.7 - - [02/Mar/2026:01:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "RareBot/1.0"` + "\n")
	paths := file("urls.txt", "/\n/private/x\n/private/open\n/moved\n/ftp\nnowhere\n")

	got := make(map[string][]string) // the members by verb
	for _, test := range []struct {
		name   string
		status error // of the verb
		args   []string
	}{
		{"fetch", cli.ErrFailed, []string{"fetch", "--allow-private", "--json", "--cache", cache, "--results", results,
			"--agent", "*", "--agent", "GPTBot", "--from", hosts}},
		{"fetch", nil, []string{"fetch", "--allow-private", "--json", "--cache", cache, ok.URL}},
		{"fetch", cli.ErrFailed, []string{"fetch", "--allow-private", "--json", "--cache", cache, "--results", results,
			ok.URL}},
		{"fetch --history", nil, []string{"fetch", "--history", "--json", "--cache", cache, ok.URL, dead.URL}},
		{"report card", nil, []string{"--allow-private", "--json", moved.URL}},
		{"report card", cli.ErrNo, []string{"--allow-private", "--json", dead.URL}},
		{"report card", nil, []string{"--json", file("large.txt", "User-agent: *\nDisallow: /x/%2a\nAllow: /x/%2A\n"+
			strings.Repeat("#", 512000)+"\nDisallow: /lost\n")}},
		{"match", cli.ErrFailed, []string{"match", "--allow-private", "--json", "--records", "--urls", paths, ok.URL}},
		{"match --why", cli.ErrNo, []string{"match", "--allow-private", "--json", "--why", ok.URL, "/private/open",
			"/private/x"}},
		{"match --page", cli.ErrFailed, []string{"match", "--allow-private", "--json", "--page", "--urls", paths,
			ok.URL}},
		{"match --page", cli.ErrNo, []string{"match", "--allow-private", "--json", "--page", "--read-closed", "--agent",
			"otherbot", "--unknown", ok.URL, "/", "/private/x"}},
		{"match --all-dialects", cli.ErrNo, []string{"match", "--allow-private", "--json", "--all-dialects", ok.URL,
			"/private/open"}},
		{"page", cli.ErrNo, []string{"page", "--allow-private", "--json", "--links", ok.URL + "/moved"}},
		{"block", nil, []string{"block", "--json", "--yes", "--file", filepath.Join(folder, "block.txt"), "GPTBot",
			"Google", "--search-engines"}},
		{"agents", nil, []string{"agents", "--json"}},
		{"agents", cli.ErrNo, []string{"agents", "--json", "ExampleBot/1.0 (+https://bot.example)"}},
		{"agents describe", nil, []string{"agents", "describe", "--json", bot, "--key",
			filepath.Join(folder, "bot.pem"), "--new", "--out", filepath.Join(folder, "bot")}},
		{"audit --new", nil, []string{"audit", "--new", "--json", "--robots",
			file("new.robots.txt", "User-agent: *\nDisallow: /private\n"), file("new.log", visits.String())}},
		{"agents ranges", nil, []string{"agents", "ranges", "--json", "--cache", filepath.Dir(ranges)}},
		{"agents verify", cli.ErrFailed, []string{"agents", "verify", "--json", "--agent", "ExampleBot", "--ranges",
			ranges, "192.0.2.1", "198.51.100.1"}},
	} {
		out, _, err := execute(test.args...)
		if !errors.Is(err, test.status) {
			t.Errorf("%v: %v, want %v", test.args, err, test.status)
		}
		members, err := membersOf(out)
		if err != nil || !strings.HasSuffix(out, "\n") {
			t.Errorf("%v: not a line of JSON: %v\n%s", test.args, err, out)
		}
		got[test.name] = append(got[test.name], members...)
	}
	data, err := os.ReadFile(results)
	fatal.If(t, err)
	for line := range strings.Lines(string(data)) {
		members, err := membersOf(line)
		if err != nil {
			t.Errorf("--results: %v: %s", err, line)
		}
		got["fetch --results"] = append(got["fetch --results"], members...)
	}

	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(got)) {
		fmt.Fprintf(&text, "robots %s\n", name)
		slices.Sort(got[name])
		for _, member := range slices.Compact(got[name]) {
			fmt.Fprintf(&text, "    %s\n", member)
		}
	}
	if *update {
		fatal.If(t, os.WriteFile(jsonMembers, []byte(text.String()), 0o666))
	}
	want, err := os.ReadFile(jsonMembers)
	fatal.If(t, err)
	if text.String() != string(want) {
		t.Errorf("other members than in %s, which -update rewrites:\n%s", jsonMembers, &text)
	}
}

// execute runs the command in this process.
func execute(args ...string) (stdout, stderr string, err error) {
	var out, errs strings.Builder
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&errs)
	err = root.Execute()
	return out.String(), errs.String(), err
}

// membersOf returns the paths and types of the members of a JSON text, such as
// "results[].origin string". NAME stands for names that are values themselves, such as those
// of dialects.
func membersOf(text string) (members []string, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	if members, err = valueMembers(d, "", members); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after the value: %v", err)
	}
	return members, nil
}

func valueMembers(d *json.Decoder, path string, members []string) ([]string, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	kind := ""
	switch v := token.(type) {
	case json.Delim:
		seen := make(map[string]bool)
		for d.More() {
			at := path + "[]"
			if v == '{' {
				token, err := d.Token()
				if err != nil {
					return nil, err
				}
				name := token.(string)
				if seen[name] {
					return nil, fmt.Errorf("%s names %q twice", path, name)
				}
				seen[name] = true
				at = strings.TrimPrefix(path+"."+name, ".")
				if slices.Contains(openObjects, path[strings.LastIndexByte(path, '.')+1:]) {
					at = path + ".NAME"
				}
			}
			if members, err = valueMembers(d, at, members); err != nil {
				return nil, err
			}
		}
		_, err := d.Token()
		return members, err
	case string:
		kind = "string"
	case float64:
		kind = "number"
	case bool:
		kind = "bool"
	case nil:
		kind = "null"
	}
	return append(members, path+" "+kind), nil
}

// openObjects are members whose own members have names from data.
var openObjects = []string{"states", "statuses", "answers", "directives", "preferences"}
