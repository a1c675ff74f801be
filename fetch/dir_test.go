package fetch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// scratch returns a new folder, in memory if the system has a file system there, so that a slow
// disk does not slow down the tests.
func scratch(tb testing.TB) fetch.Dir {
	tb.Helper()
	path, err := os.MkdirTemp("/dev/shm", "fetch")
	if err != nil {
		return fetch.Dir(tb.TempDir())
	}
	tb.Cleanup(func() { os.RemoveAll(path) })
	return fetch.Dir(path)
}

// put puts an entry into a folder, or fails the test.
func put(t *testing.T, c fetch.Cache, e *fetch.Entry) {
	t.Helper()
	fatal.If(t, c.Put(t.Context(), e))
}

// Get returns the entry that was put, with every field.
func TestDirRoundTrip(t *testing.T) {
	dir := scratch(t)
	now := time.Now().UTC().Truncate(time.Millisecond)
	full := entry(site, closed, now)
	full.Redirects = []fetch.Redirect{{URL: site + "/robots.txt", Status: 301}}
	full.State, full.Cause, full.Failures, full.UnreachableSince = fetch.Unreachable, `a "cause" \x1b`, 3,
		now.Add(-time.Hour)
	full.File.Cut, full.File.HTML, full.File.ContentType = true, true, "text/plain; charset=utf-8"
	full.File.CacheControl, full.File.Expires = "no-store, max-age=5", "0"
	full.File.ETag, full.File.LastModified = `"<1>"`, "Fri, 31 Dec 1999 23:59:59 GMT"
	for _, e := range []*fetch.Entry{full, entry(site, "", now), entry(site, "\xff\x00\r\n", now)} {
		put(t, dir, e)
		got, err := dir.Get(t.Context(), site)
		fatal.If(t, err)
		if e.File != nil {
			check(t, "text", got.File.Policy.String(), e.File.Policy.String())
			got.File.Policy = e.File.Policy
		}
		if !reflect.DeepEqual(got, e) {
			t.Errorf("got %+v, want %+v", got, e)
		}
	}
	v := reflect.ValueOf(*full)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test leaves Entry.%s out", v.Type().Field(i).Name)
		}
	}
}

// A client finds the entries of another client, and knows how they may be used.
func TestDirRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, first := newNetwork(t)
		dir := scratch(t)
		n.set("a.example", text(closed, "ETag", `"1"`))
		client := func(d robots.Dialect) *fetch.Client {
			return &fetch.Client{Transport: first.Transport, Cache: dir, Dialect: d}
		}
		policy(t, client(0), site)
		r := policy(t, client(robots.Koster1994), site)
		check(t, "source", r.Source, fetch.Cached)
		check(t, "dialect", r.Policy.Dialect(), robots.Koster1994)
		check(t, "allowed", allowed(r.Policy, "/private/x"), false)
		remembers := client(robots.Koster1994)
		remembers.Cache = &fetch.Memory{Behind: dir}
		check(t, "read again once", policy(t, remembers, site).Policy, policy(t, remembers, site).Policy)
		n.set("a.example", status(500))
		step(25 * time.Hour)
		check(t, "source", policy(t, client(0), site).Source, fetch.Stale)
		step(time.Second)
		r = policy(t, client(0), site)
		check(t, "source", r.Source, fetch.Stale)
		check(t, "cause", r.Err.Error(), "500 Internal Server Error")
		n.set("a.example", status(304))
		step(time.Minute)
		check(t, "source", policy(t, client(0), site).Source, fetch.Revalidated)
		check(t, "requests", n.count("a.example"), 3)
	})
}

// TestDirNames checks that every file system accepts the names of files.
func TestDirNames(t *testing.T) {
	dir := fetch.Dir("x")
	seen := make(map[string]string)
	for _, origin := range []string{
		"https://example.com", "http://example.com", "https://example.com:8443", "https://example.com.",
		"https://xn--bcher-kva.example",
		"http://[2001:db8::1]", "http://[2001:db8::1]:80", "https://" + strings.Repeat("a.", 100) + "com", "http://con",
		"../../etc/passwd",
		"http://\x00/\\", "",
	} {
		name := filepath.Base(dir.EntryFile(origin))
		if len(name) > 128 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" ||
			strings.HasPrefix(name, ".") && origin != "../../etc/passwd" {
			t.Errorf("%q: file %q", origin, name)
		}
		if filepath.Dir(filepath.Dir(dir.EntryFile(origin))) != filepath.Join("x", "origins") {
			t.Errorf("%q: file %q", origin, dir.EntryFile(origin))
		}
		if other, ok := seen[name]; ok {
			t.Errorf("%q and %q have the file %q", origin, other, name)
		}
		seen[name] = origin
	}
}

// damage has functions that damage a file, by their names.
var damage = map[string]func(t *testing.T, name string){
	"empty":  func(t *testing.T, name string) { write(t, name, nil) },
	"cut":    func(t *testing.T, name string) { data := read(t, name); write(t, name, data[:len(data)/2]) },
	"bit":    func(t *testing.T, name string) { write(t, name, []byte(flipped(string(read(t, name)), 20))) },
	"zeros":  func(t *testing.T, name string) { write(t, name, make([]byte, len(read(t, name)))) },
	"more":   func(t *testing.T, name string) { write(t, name, append(read(t, name), "{}"...)) },
	"large":  func(t *testing.T, name string) { os.Truncate(name, 65<<20) },
	"folder": func(t *testing.T, name string) { os.Remove(name); os.Mkdir(name, 0o777) },
	"link":   func(t *testing.T, name string) { os.Remove(name); os.Symlink(os.DevNull, name) },
	"someone's": func(t *testing.T, name string) {
		write(t, name, []byte(`{"origin":"http://a.example","state":"ok"}`+"\n"))
	},
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	fatal.If(t, os.WriteFile(name, data, 0o666))
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	fatal.If(t, err)
	return data
}

// The test damages each file of a folder in each way. The damage must be detected, robots.txt must
// be fetched again, and then the folder must work again if the damage allows that.
func TestDirDamage(t *testing.T) {
	for name, do := range damage {
		for _, what := range []string{"entry", "text"} {
			t.Run(name+" "+what, bubble(func(t *testing.T) {
				n, c := newNetwork(t)
				n.set("a.example", text(closed))
				dir := scratch(t)
				c.Cache = dir
				r := policy(t, c, site)
				file := dir.EntryFile(site)
				if what == "text" {
					file = dir.TextFile(r.File.SHA256)
				}
				do(t, file)
				_, err := dir.Get(t.Context(), site)
				if !errors.Is(err, fetch.ErrCorrupt) {
					t.Errorf("got %v, want one that wraps ErrCorrupt", err)
				}
				r = policy(t, c, site)
				check(t, "source", r.Source, fetch.Fetched)
				check(t, "allowed", allowed(r.Policy, "/private/x"), false)
				if !errors.Is(r.CacheErr, fetch.ErrCorrupt) {
					t.Errorf("got %v, want one that wraps ErrCorrupt", r.CacheErr)
				}
				if name == "folder" {
					return // not an accident
				}
				r = policy(t, c, site)
				check(t, "source", r.Source, fetch.Cached)
				check(t, "error", r.CacheErr, nil)
			}))
		}
	}
}

// An entry with a valid checksum may still be inconsistent.
func TestDirNonsense(t *testing.T) {
	dir := scratch(t)
	put(t, dir, entry(site, closed, time.Now()))
	var good map[string]any
	fatal.If(t, json.Unmarshal(read(t, dir.EntryFile(site)), &good))
	delete(good, "sum")
	for field, value := range map[string]any{
		"origin":            "http://b.example",
		"state":             "forbidden",
		"failures":          -1,
		"url":               "\x1b[2J",
		"cause":             "\u009b2J",
		"redirects":         make([]fetch.Redirect, 7),
		"checked_at":        "0000-01-01T00:00:00Z",
		"fresh_until":       "99999-01-01T00:00:00Z",
		"unreachable_since": 7,
		"file":              nil,
	} {
		bad := make(map[string]any)
		for k, v := range good {
			bad[k] = v
		}
		bad[field] = value
		line, err := fetch.Seal(bad)
		fatal.If(t, err)
		write(t, dir.EntryFile(site), line)
		if e, err := dir.Get(t.Context(), site); !errors.Is(err, fetch.ErrCorrupt) {
			t.Errorf("%s %v: got %v, %v, want one that wraps ErrCorrupt", field, value, e, err)
		}
	}
	// The name of a text must not lead out of the folder.
	for _, hash := range []string{"", "x", "../../../../etc/passwd", strings.Repeat("A", 64), strings.Repeat("/", 64)} {
		file := map[string]any{"sha256": hash}
		bad := map[string]any{"origin": site, "state": "ok", "file": file}
		line, _ := fetch.Seal(bad)
		write(t, dir.EntryFile(site), line)
		if e, err := dir.Get(t.Context(), site); !errors.Is(err, fetch.ErrCorrupt) {
			t.Errorf("%q: got %v, %v, want one that wraps ErrCorrupt", hash, e, err)
		}
	}
}

// A text is stored once, however many origins have it.
func TestDirDeduplicates(t *testing.T) {
	dir := scratch(t)
	for _, origin := range origins {
		put(t, dir, entry(origin, closed, time.Now()))
		put(t, dir, entry(origin, closed, time.Now().Add(time.Hour)))
	}
	files, err := filepath.Glob(filepath.Join(string(dir), "texts", "*", "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("got %q, %v, want one file", files, err)
	}
	if !bytes.Equal(read(t, files[0]), []byte(closed)) {
		t.Error("the file does not have the text as it is")
	}
}

// Temporary files of killed processes are removed after an hour, and not before.
func TestDirSweeps(t *testing.T) {
	dir := scratch(t)
	put(t, dir, entry(site, closed, time.Now()))
	old, young := filepath.Join(string(dir), "tmp", "OLD"), filepath.Join(string(dir), "tmp", "YOUNG")
	write(t, old, nil)
	write(t, young, nil)
	hours := time.Now().Add(-2 * time.Hour)
	fatal.If(t, os.Chtimes(old, hours, hours))
	put(t, dir, entry(site, closed, time.Now()))
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old file is there: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the young file is gone: %v", err)
	}
}

// The folder has a file that describes its content.
func TestDirReadme(t *testing.T) {
	dir := scratch(t)
	put(t, dir, entry(site, closed, time.Now()))
	said := string(read(t, filepath.Join(string(dir), "README")))
	folders, err := os.ReadDir(string(dir))
	fatal.If(t, err)
	for _, f := range folders {
		if f.IsDir() && !strings.Contains(said, f.Name()+"/") {
			t.Errorf("README does not speak of %s", f.Name())
		}
	}
}

// The description includes the members of the lines of a history.
func TestDirReadmeHistory(t *testing.T) {
	dir := scratch(t)
	first := entry(site, closed, received)
	first.File.Cut = true
	put(t, dir, first)
	put(t, dir, unreachable(first, received.Add(time.Hour)))
	said := string(read(t, filepath.Join(string(dir), "README")))
	members := make(map[string]any)
	for line := range bytes.Lines(read(t, dir.HistoryFile(site))) {
		fatal.If(t, json.Unmarshal(line, &members))
	}
	check(t, "members", len(members), 12)
	for name := range members {
		if name != "sum" && !strings.Contains(said, name) {
			t.Errorf("README does not speak of %s", name)
		}
	}
}

// FuzzDir reads an entry and a history with any content, as it is and with a valid checksum.
func FuzzDir(f *testing.F) {
	dir := scratch(f)
	good := entry(site, closed, received)
	for _, e := range []*fetch.Entry{good, unreachable(good, received.Add(time.Hour)), entry(site, "", received)} {
		fatal.If(f, dir.Put(f.Context(), e))
		data, err := os.ReadFile(dir.EntryFile(site))
		fatal.If(f, err)
		history, err := os.ReadFile(dir.HistoryFile(site))
		fatal.If(f, err)
		f.Add(data, history, false)
		f.Add(data[:len(data)-28], history[:len(history)-28], true)
	}
	f.Add([]byte(`{"origin":"http://a.example","state":"ok","file":{}`), []byte("{}\n\n\x00"), true)
	f.Fuzz(func(t *testing.T, data, history []byte, sealed bool) {
		if sealed {
			data, history = resealed(data), resealed(history)
		}
		write(t, dir.EntryFile(site), data)
		write(t, dir.HistoryFile(site), history)
		if e, err := dir.Get(t.Context(), site); err == nil {
			// An entry that was read can be used, put, and read again.
			c := &fetch.Client{Cache: dir, Transport: nowhere{}}
			if _, err := c.Policy(t.Context(), site); err != nil {
				t.Error(err)
			}
			put(t, dir, e)
			if again, err := dir.Get(t.Context(), site); err != nil || again.State != e.State {
				t.Errorf("put %+v, got %+v, %v", e, again, err)
			}
		}
		versions, err := dir.History(t.Context(), site)
		fatal.If(t, err)
		for _, v := range versions {
			_ = v.String()
			v.Policy()
		}
		put(t, dir, entry(site, closed, time.Now()))
		if after, err := dir.History(t.Context(), site); err != nil || len(after) == 0 {
			t.Errorf("got %v, %v after a Put", after, err)
		}
	})
}

// resealed gives each line that is an object a valid checksum.
func resealed(data []byte) (out []byte) {
	for line := range bytes.Lines(data) {
		line = bytes.TrimRight(line, "\r\n,")
		if !bytes.HasSuffix(line, []byte("}")) {
			line = append(bytes.Clone(line), '}')
		}
		if sealed, err := fetch.Seal(json.RawMessage(line)); err == nil && json.Valid(line) && len(line) > 2 {
			out = append(out, sealed...)
		} else {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}
