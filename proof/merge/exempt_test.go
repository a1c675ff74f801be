package merge_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof/merge"
)

// TestExemptTwin checks all short paths for robots that the owner of a path names, or that a
// wish exempts. For the owned path the owner's rules hold, and from other fragments only rules
// that name the robot. For other paths the rules of all fragments hold.
func TestExemptTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1996, 5))
	n := 300
	switch {
	case corpus.All():
		n = 4000
	case testing.Short():
		n = 200
	}
	built, differed := 0, 0
	for range n {
		prefix := []string{"/a", "/a/", "/b/a", "/ab"}[r.IntN(4)]
		fragments := []merge.Fragment{{Name: "site", Text: []byte(randomText(r, []string{"*", "*", "*", "BarBot"}))}}
		if r.IntN(2) == 0 {
			fragments = append(fragments, merge.Fragment{Name: "more",
				Text: []byte(randomText(r, []string{"*", "*", "FooBot"}))})
		}
		owner := -1
		var o merge.Options
		if r.IntN(2) == 0 {
			o.Wishes = []merge.Wish{{Robots: "FooBot", Allow: true, Path: prefix}}
		} else {
			owner = len(fragments)
			text := "# owner: " + prefix + "\n" + randomText(r, []string{"FooBot"})
			if r.IntN(2) == 0 {
				text = "# about it\n# OWNER: /else/, " + prefix + "\nUser-agent: FooBot\nDisallow:\n"
			}
			fragments = append(fragments, merge.Fragment{Name: "owner", Text: []byte(text)})
		}
		file, err := merge.Join(fragments, o)
		if wrong := (*merge.Error)(nil); errors.As(err, &wrong) {
			for _, p := range wrong.Problems {
				if lines := strings.Count(text(fragments, p.Fragment), "\n"); p.Line > lines {
					t.Errorf("%v: %s has %d lines", p, p.Fragment, lines)
				}
			}
			continue
		}
		built++
		for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			whole := d.Parse([]byte(file.Text))
			for _, name := range []string{"FooBot", "BarBot", "OtherBot"} {
				g := groupOf(whole, name)
				var parts []*robots.Group
				for _, f := range fragments {
					parts = append(parts, groupOf(d.Parse(f.Text), name))
				}
				for _, path := range paths {
					closed, without := false, false
					for i, part := range parts {
						closes := !part.Allowed(site + path)
						without = without || closes
						exempt := name == "FooBot" && i != owner && strings.HasPrefix(path, prefix) &&
							!strings.EqualFold(part.Token(), name)
						closed = closed || closes && !exempt
					}
					if closed != without {
						differed++
					}
					if m := g.Match(site + path); m.Allowed == closed {
						t.Fatalf("%v, %s: %s is %v, prefix %s\n%v\n%s\n%s", d, name, path, m, prefix, o.Wishes,
							all(fragments), file.Text)
					}
				}
			}
		}
	}
	t.Logf("%d of %d built, %d answers differ", built, n, differed)
	if built < n/8 || differed == 0 {
		t.Errorf("only %d of %d could be built, and %d answers differ", built, n, differed)
	}
}

func text(fragments []merge.Fragment, name string) string {
	for _, f := range fragments {
		if f.Name == name {
			return string(f.Text) + "\n"
		}
	}
	return ""
}

func all(fragments []merge.Fragment) string {
	var b strings.Builder
	for _, f := range fragments {
		fmt.Fprintf(&b, "-- %s --\n%s\n", f.Name, f.Text)
	}
	return b.String()
}
