package index_test

import (
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestDistinct finds a page with three addresses once, in any order of addition, synced
// or not.
func TestDistinct(t *testing.T) {
	const own, print, old = "https://example.com/page", "https://example.com/print?page", "https://example.com/old"
	orders := [][]string{{own, print, old}, {print, old, own}, {print, own, old}, {old, own, print, own, old}}
	for _, sync := range []bool{false, true} {
		for _, order := range orders {
			x := newIndex(t)
			d := index.NewDistinct(x)
			for _, url := range order {
				p := page(url, "zebra "+url)
				if url != own {
					p.Canonical = own
				}
				instead, removed, err := d.Put(p)
				fatal.If(t, err)
				if (instead != "") && (url == own || instead != own) {
					t.Errorf("%q: %s is said to be %q", order, url, instead)
				}
				if len(removed) > 0 && url != own {
					t.Errorf("%q: %s removes %q", order, url, removed)
				}
				if sync {
					fatal.If(t, d.Sync())
				}
			}
			fatal.If(t, d.Sync())
			if got := urls(search(t, x, "zebra")); len(got) != 1 || got[0] != own {
				t.Errorf("%q: found %q", order, got)
			}
		}
	}
	// Pages without a digest are not copies of each other; pages with the same digest
	// are.
	x := newIndex(t)
	d := index.NewDistinct(x)
	for i, digest := range []string{"", "", "sha256:1", "sha256:1"} {
		p := page(own+string(rune('a'+i)), "words")
		p.Digest = digest
		instead, _, err := d.Put(p)
		if want := map[int]string{3: own + "c"}[i]; instead != want || err != nil {
			t.Errorf("page %d: %q stands for it, want %q (%v)", i, instead, want, err)
		}
	}
	for _, want := range []bool{true, false} {
		if there, err := d.Remove(own + "c"); there != want || err != nil {
			t.Errorf("removed: %t, %v, want %t", there, err, want)
		}
	}
}
