package survey

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// resultOf returns the result of fetching an origin, with the text or without a text.
func resultOf(origin, text string) *fetch.Result {
	r := &fetch.Result{Policy: robots.Parse([]byte(text))}
	r.Origin, r.State = origin, fetch.OK
	if text == "" {
		r.Policy, r.State = robots.DisallowAll(), fetch.Unreachable
	}
	return r
}

// All systems accept the name of a saved text.
func TestSaveText(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct{ origin, want string }{
		{"https://example.com", "example.com.robots.txt"},
		{"http://example.com", "http_example.com.robots.txt"},
		{"https://example.com:8443", "example.com_8443.robots.txt"},
		{"http://127.0.0.1:8080", "http_127.0.0.1_8080.robots.txt"},
		{"https://[2001:db8::1]", "2001_db8__1.robots.txt"},
		{"http://[::1]:80", "http___1_80.robots.txt"},
		{"https://xn--bcher-kva.example", "xn--bcher-kva.example.robots.txt"},
	} {
		text := "# \xff" + test.origin
		if err := Folder(folder).SaveResult(resultOf(test.origin, text)); err != nil {
			t.Errorf("%s: %v", test.origin, err)
		}
		if got, err := os.ReadFile(filepath.Join(folder, test.want)); string(got) != text || err != nil {
			t.Errorf("%s: %s has %q, %v, want %q", test.origin, test.want, got, err, text)
		}
	}
	before, err := os.ReadDir(folder)
	fatal.If(t, err)
	// A result without a text is not saved, and a failure leaves no file behind.
	if err := Folder(folder).SaveResult(resultOf("https://dead.example", "")); err != nil {
		t.Error(err)
	}
	fatal.If(t, os.Mkdir(filepath.Join(folder, "folder.robots.txt"), 0o777))
	if err := Folder(folder).SaveResult(resultOf("https://folder", "#")); err == nil ||
		!strings.HasPrefix(err.Error(), "cannot save "+filepath.Join(folder, "folder.robots.txt")+": ") {
		t.Errorf("in the place of a folder: %v", err)
	}
	if after, err := os.ReadDir(folder); len(after) != len(before)+1 || err != nil {
		t.Errorf("%d files are there, %v, want %d", len(after), err, len(before)+1)
	}
}
