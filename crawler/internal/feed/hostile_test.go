package feed_test

import (
	"io/fs"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestHostile skips lines and archives that differ from those of a crawler.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		line   string                  // replaces the right line, or
		change result                  // changes it, or
		spoil  func(file string) error // damages the archive, or
		header string                  // of the answer
		body   string                  // "<p>word bad" if empty
		passed int64                   // skipped lines
		found  bool                    // the page is found nevertheless
		twice  bool                    // the page after it is lost too
	}{
		"no JSON":           {line: "garbage", passed: 1},
		"half a line":       {line: `{"url":"https://example.com/bad","ind`, passed: 1},
		"an empty line":     {line: "\r", passed: 1},
		"null":              {line: "null", passed: 1},
		"a list":            {line: "[]", passed: 1},
		"no URL":            {line: `{"status":200,"index":true}`, passed: 1},
		"deep":              {line: strings.Repeat("[", 1<<19), passed: 1},
		"binary":            {line: strings.Repeat("\x00\xff\x1b", 1000), passed: 1},
		"long":              {line: strings.Repeat("x", 3<<20), passed: 1},
		"a number":          {change: result{"url": 7}, passed: 1},
		"a relative URL":    {change: result{"url": "/bad"}, passed: 1},
		"a script":          {change: result{"url": "javascript:alert(1)"}, passed: 1},
		"a long URL":        {change: result{"url": u(strings.Repeat("x", 20_000))}, passed: 1},
		"a folder up":       {change: result{"archive": "../results.jsonl"}, passed: 1},
		"the folder":        {change: result{"archive": "."}, passed: 1},
		"the folder above":  {change: result{"archive": ".."}, passed: 1},
		"a whole path":      {change: result{"archive": "/etc/passwd"}, passed: 1},
		"a byte of zero":    {change: result{"archive": "x\x00y"}, passed: 1},
		"no archive":        {change: result{"archive": "missing.warc.gz"}, passed: 1},
		"before the file":   {change: result{"offset": -1}, passed: 1},
		"behind the file":   {change: result{"offset": int64(1 << 40)}, passed: 1},
		"far behind":        {change: result{"offset": int64(math.MaxInt64)}, passed: 1},
		"warcinfo":          {change: result{"offset": 0}, passed: 1},
		"within the record": {change: result{"offset": 400}, passed: 1},
		"of another page":   {change: result{"url": u("other")}, passed: 1},
		"removed":           {spoil: os.Remove, passed: 2, twice: true},
		"emptied": {spoil: func(file string) error { return os.Truncate(file, 0) }, passed: 2,
			twice: true},
		"cut": {spoil: func(file string) error { return os.Truncate(file, size(file)-1400) },
			passed: 2, twice: true},
		"a folder instead": {spoil: func(file string) error { os.Remove(file); return os.Mkdir(file, 0o777) },
			passed: 2, twice: true},
		"garbage": {spoil: func(file string) error {
			return os.WriteFile(file, make([]byte, size(file)), 0o666)
		}, passed: 2, twice: true},
		"an unknown encoding":    {header: "Content-Encoding: compress\r\n", passed: 1},
		"a broken encoding":      {header: "Content-Encoding: gzip\r\n", passed: 1},
		"a wrong length":         {header: "Content-Length: 1000000\r\n", found: true},
		"a length of nothing":    {header: "Content-Length: 0\r\n", found: true},
		"chunks that are none":   {header: "Transfer-Encoding: chunked\r\n", found: true},
		"a line without a colon": {header: "an odd line\r\n", found: true},
		"two lengths":            {header: "Content-Length: 1\r\nContent-Length: 2\r\n", passed: 1},
		"large":                  {body: "<p>word bad" + strings.Repeat("<b>x</b> ", 3<<20), found: true},
		"nothing":                {body: " "},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			if test.body == "" {
				test.body = "<p>word bad"
			}
			bad := f.visited(u("bad"), test.header, test.body)
			good := f.visited(u("good"), "", "<p>word good")
			if test.line != "" {
				f.write(test.line + "\n")
			} else {
				f.tell(bad.with(test.change))
			}
			f.tell(good)
			fatal.If(t, f.archive.Close())
			if test.spoil != nil {
				fatal.If(t, test.spoil(filepath.Join(f.dir, "archive", bad["archive"].(string))))
			}
			var log strings.Builder
			status := f.update(feed.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
			if status.Passed != test.passed || status.Lines != 2 ||
				strings.Count(log.String(), "not indexed") != int(test.passed) {
				t.Errorf("got %+v, want %d passed over\n%s", status, test.passed, log.String())
			}
			if strings.Contains(log.String(), "panic") || len(log.String()) > 2000 {
				t.Errorf("got %s", log.String())
			}
			var want []string
			if test.found {
				want = append(want, u("bad"))
			}
			if !test.twice {
				want = append(want, u("good"))
			}
			f.finds("word", want...)
		})
	}
}

func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		panic(err)
	}
	return info.Size()
}

// TestTold logs some of the skipped lines, and counts the rest.
func TestTold(t *testing.T) {
	f := newFake(t)
	f.write(strings.Repeat("garbage\n", 1000))
	var log strings.Builder
	if status := f.update(feed.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}); status.Passed != 1000 {
		t.Errorf("got %+v", status)
	}
	if n := strings.Count(log.String(), "\n"); n != 21 {
		t.Errorf("%d lines are told:\n%s", n, log.String())
	}
}

// TestNoEnd has a growing line without an end for a long time.
func TestNoEnd(t *testing.T) {
	for name, end := range map[string]func(f *fake) error{
		"ended": func(f *fake) error { f.write("\n"); return nil },
		"cut":   func(f *fake) error { return os.Truncate(f.results(), 0) },
		"another line in its place": func(f *fake) error {
			if err := os.Truncate(f.results(), 0); err != nil {
				return err
			}
			for i := range 20 {
				f.tell(f.visited(u(i), "", "<p>wort").with(result{"title": strings.Repeat("y", 300<<10)}))
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t)
			x := f.feeder(feed.Options{})
			defer x.Close()
			for range 5 {
				f.write(strings.Repeat("x", 700<<10))
				fatal.If(t, x.Update(t.Context()))
				if status := x.Status(); status != (feed.Status{}) {
					t.Errorf("got %+v", status)
				}
			}
			fatal.If(t, end(f))
			f.tell(f.visited(u("good"), "", "<p>word good"))
			f.write(`{"url":"https://exam`) // by a killed process
			fatal.If(t, x.Update(t.Context()))
			f.finds("word", u("good"))
			if n, err := x.Behind(); n != 0 || err != nil {
				t.Errorf("%d lines are left, %v", n, err)
			}
			if name == "another line in its place" {
				f.finds("wort", u(0)) // the others are the same
			}
		})
	}
}

// TestTorn lets the crawl cut off a line that a kill left unfinished.
func TestTorn(t *testing.T) {
	f := newFake(t)
	x := f.feeder(feed.Options{})
	defer x.Close()
	f.tell(f.visited(u(1), "", "<p>word 1"))
	at := size(f.results())
	f.write(`{"url":"https://example.com/2","status":4`)
	fatal.If(t, x.Update(t.Context()))
	fatal.If(t, os.Truncate(f.results(), at))
	f.tell(f.visited(u(2), "", "<p>word 2"))
	fatal.If(t, x.Update(t.Context()))
	f.finds("word", u(1), u(2))
	if status := x.Status(); status.Passed != 0 || status.Lines != 2 {
		t.Errorf("got %+v", status)
	}
}

// TestNoCrawl opens folders without a crawl, or without one yet.
func TestNoCrawl(t *testing.T) {
	dir := t.TempDir()
	x, err := feed.Open(filepath.Join(dir, "new"), feed.Options{})
	fatal.If(t, err)
	if err := x.Update(t.Context()); err != nil {
		t.Error(err)
	}
	if n, err := x.Behind(); n != 0 || err != nil {
		t.Errorf("%d lines are left, %v", n, err)
	}
	if _, err := feed.Open(filepath.Join(dir, "new"), feed.Options{}); err == nil ||
		!strings.Contains(err.Error(), "another process writes to it") {
		t.Errorf("opened twice: %v", err)
	}
	x.Close()
	if err := x.Update(t.Context()); err != nil {
		t.Error(err) // there was nothing to do
	}

	f := newFake(t)
	fatal.If(t, os.Mkdir(f.results(), fs.ModePerm))
	x = f.feeder(feed.Options{})
	defer x.Close()
	if err := x.Update(t.Context()); err == nil || !strings.Contains(err.Error(), "results.jsonl is not a file") {
		t.Errorf("got %v", err)
	}
}

// TestIndexGone removes the index while it is fed.
func TestIndexGone(t *testing.T) {
	f := newFake(t)
	x := f.feeder(feed.Options{})
	defer x.Close()
	if err := os.RemoveAll(filepath.Join(f.dir, "index")); err != nil {
		t.Skip(err) // the system keeps open files
	}
	f.tell(f.visited(u(1), "", "<p>word"))
	if err := x.Update(t.Context()); err == nil || !strings.Contains(err.Error(), "removed") {
		t.Errorf("got %v", err)
	}
	if err := x.Update(t.Context()); err == nil {
		t.Error("it goes on")
	}
	x.Close()
	f.update(feed.Options{})
	f.finds("word", u(1))
}
