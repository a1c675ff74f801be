package feed_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A plain is the index described in the package comment, as a map: the result that a
// Feeder computes by look-ups.
type plain map[string]plainPage

type plainPage struct{ text, canonical string }

func (p plain) put(url string, page plainPage) {
	delete(p, url)
	if _, ok := p[page.canonical]; ok {
		return
	}
	for _, other := range p {
		if other.text == page.text && other.canonical != url {
			return
		}
	}
	for name, other := range p {
		if other.canonical == url {
			delete(p, name)
		}
	}
	p[url] = page
}

// TestTwin feeds random results of few pages, which are often alike or name each other.
func TestTwin(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 15 {
		f := newFake(t)
		want := make(plain)
		var story []string
		x := f.feeder(feed.Options{})
		for range 60 {
			url := u(random.IntN(6))
			switch random.IntN(6) {
			case 0:
				f.tell(result{"url": url, "status": 404, "reason": "not-found"})
				delete(want, url)
				story = append(story, url+" is gone")
			case 1:
				fatal.If(t, x.Update(t.Context()))
				story = append(story, "update")
			case 2:
				fatal.If(t, x.Close())
				x = f.feeder(feed.Options{})
				story = append(story, "close")
			default:
				canonical, text := "", fmt.Sprintf("<p>word %d", random.IntN(4))
				if random.IntN(2) == 0 {
					canonical = u(random.IntN(6))
					text = "<link rel=canonical href=" + canonical + ">" + text
				}
				if canonical == url {
					canonical = ""
				}
				f.tell(f.visited(url, "", text))
				want.put(url, plainPage{text, canonical})
				story = append(story, url+": "+text)
			}
		}
		fatal.If(t, x.Update(t.Context()))
		x.Close()
		if got := f.find("word"); !slices.Equal(got, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("found %q, want %q, after %q", got, want, story)
		}
		f.archive.Close()
	}
}
