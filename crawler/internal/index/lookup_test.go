package index_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
)

// TestLookup looks pages up by other fields than words.
func TestLookup(t *testing.T) {
	x := open(t, filepath.Join(t.TempDir(), "index"), index.Options{})
	defer closed(t, x)
	check := func(name string, find func(*index.Index, string, int) ([]string, error), term string, most int,
		want ...string) {
		t.Helper()
		got, err := find(x, term, most)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s %q: got %q, want %q", name, term, got, want)
		}
	}
	has := func(url string, want bool) {
		t.Helper()
		if got, err := x.Has(url); got != want || err != nil {
			t.Errorf("has %q: %t, %v", url, got, err)
		}
	}
	has("https://example.com/0", false)
	check("digest", index.WithDigest, "sha256:0", 5)
	for i := range 4 {
		p := page(fmt.Sprintf("https://example.com/%d", i), "word")
		p.Digest, p.Canonical = fmt.Sprintf("sha256:%d", i/2), "https://example.com/"
		put(t, x, p)
	}
	put(t, x, page("https://example.com/", "word"))
	synced(t, x)
	has("https://example.com/0", true)
	has("https://example.com/", true)
	has("https://example.com/4", false)
	has("", false)
	check("digest", index.WithDigest, "sha256:0", 5, "https://example.com/0", "https://example.com/1")
	check("digest", index.WithDigest, "sha256:", 5)
	check("digest", index.WithDigest, "", 5)
	check("canonical", index.WithCanonical, "https://example.com/", 5, "https://example.com/0", "https://example.com/1",
		"https://example.com/2", "https://example.com/3")
	if got, err := index.WithCanonical(x, "https://example.com/", 2); len(got) != 2 || err != nil {
		t.Errorf("two at most: %q, %v", got, err)
	}

	// Earlier values do not count.
	put(t, x, page("https://example.com/0", "word"))
	if err := x.Remove("https://example.com/3"); err != nil {
		t.Fatal(err)
	}
	synced(t, x)
	has("https://example.com/0", true)
	has("https://example.com/3", false)
	check("digest", index.WithDigest, "sha256:0", 5, "https://example.com/1")
	check("canonical", index.WithCanonical, "https://example.com/", 5, "https://example.com/1", "https://example.com/2")
	closed(t, x)
	if _, err := x.Has("https://example.com/0"); err == nil {
		t.Error("a closed index is looked up")
	}
}
