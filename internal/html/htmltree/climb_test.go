package htmltree

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// mostPerByte is the maximum number of steps per byte of tags in the long run, whatever the
// page: the budget, and at least the elements that one tag opens and closes.
const mostPerByte = 2

// A badPage is the short form of a page that may be expensive: a list of tags repeated, then
// another, and so on from the start.
type badPage struct {
	first, second         string
	firstTimes, thenTimes int
}

// allFormatting has the start tags of all formatting elements, as often as the list of active
// formatting elements allows.
var allFormatting = func() string {
	var b strings.Builder
	for _, e := range elementTraits {
		if e.traits&isFormatting != 0 {
			b.WriteString(strings.Repeat("<"+e.name+">", maxAlike))
		}
	}
	return b.String()
}()

// climbed has the worst pages that TestClimb and other searches found before there was a
// budget: they took 7 to 103 steps per byte, and up to two seconds per MiB.
var climbed = []badPage{
	{"<p>" + allFormatting, "<p>x", 1, 100000},
	{"<p>" + allFormatting, "</p><p>x", 1, 100000},
	{"<p>" + allFormatting, "<p><q>", 1, 100000},
	{"<p><b><big><b><p><u><p><strike><s><p><code><em><a><font><i><p><small><strong><b><tt>", "<p><em><a></a></p>", 1000,
		3},
	{allFormatting + strings.Repeat("<div>", 460), strings.Repeat("</b>", 64) + strings.Repeat("</i>", 64), 1, 1},
	{"<b><b><b>" + strings.Repeat("<div>", 500), "</b>", 1, 200},
	{"<form>" + strings.Repeat("<div>", 500), "</form><form>", 1, 100},
	{"<a>" + strings.Repeat("<div>", 500), "<a>", 1, 200},
	{strings.Repeat("<q>", 512), "</q>", 1, 1},
	{strings.Repeat("<x-a>", 512), "</x-b></x-c></x-d></x-e></x-f>", 1, 1000},
}

// apply applies a tag, or "x" for a text, to a tree, and returns its length in the page.
func apply(t *Tree, tag string) int {
	switch {
	case tag == "x":
		t.Text()
	case strings.HasPrefix(tag, "</"):
		t.End([]byte(tag[2 : len(tag)-1]))
	default:
		name, closed := strings.CutSuffix(tag[1:len(tag)-1], "/")
		t.Start([]byte(tag), []byte(name), closed)
	}
	return len(tag)
}

// cutTags splits a text after each tag.
func cutTags(text string) (tags []string) {
	for text != "" {
		n := 1
		if text[0] == '<' {
			n = strings.IndexByte(text, '>') + 1
		}
		tags = append(tags, text[:n])
		text = text[n:]
	}
	return tags
}

// steps returns the steps per page of this size, without the constant part of the budget.
func (b badPage) steps(size int) (steps, length int) {
	var t Tree
	repeat := func(tags []string, times int) {
		for i := 0; i < times && length < size; i++ {
			for _, tag := range tags {
				length += apply(&t, tag)
			}
		}
	}
	for first, second := cutTags(b.first), cutTags(b.second); length < size; {
		before := length
		repeat(first, b.firstTimes)
		repeat(second, b.thenTimes)
		if length == before {
			return 0, 1
		}
	}
	return max(t.steps-freeSteps, 0), length
}

// mutate returns b with changed tags or counts.
func (b badPage) mutate(r *rand.Rand) badPage {
	tag := func() string {
		e := elementTraits[1+r.IntN(int(elementCount)-1)].name
		return []string{"<" + e + ">", "</" + e + ">", "<" + e + "/>", "x", "<p>", "</p>", "<b>", "</b>", "<div>",
			"</div>"}[r.IntN(10)]
	}
	change := func(text string) string {
		tags := cutTags(text)
		i := r.IntN(len(tags) + 1)
		switch {
		case i == len(tags) || r.IntN(3) == 0:
			tags = slices.Insert(tags, i, tag(), tag())
		case r.IntN(2) == 0:
			tags[i] = tag()
		default:
			tags = slices.Delete(tags, i, min(i+1+r.IntN(4), len(tags)))
		}
		return strings.Join(tags[:min(len(tags), 600)], "")
	}
	times := []int{0, 1, 2, 3, 8, 20, 64, 170, 512, 1000}[r.IntN(10)]
	switch r.IntN(6) {
	case 0:
		b.firstTimes = times
	case 1:
		b.thenTimes = max(times, 1)
	case 2, 3:
		b.first = change(b.first)
	default:
		b.second = change(b.second)
	}
	return b
}

// TestClimb searches for pages whose elements are expensive to track. It starts with pages that
// once were, and keeps changes that take more steps per byte. It counts steps, so it finds the
// same pages on each machine. ROBOTS_CLIMB_ALL multiplies the duration of the search.
func TestClimb(t *testing.T) {
	corpus.Unraced(t)
	tries := 20
	if all := os.Getenv("ROBOTS_CLIMB_ALL"); all != "" {
		n, err := strconv.Atoi(all)
		if err != nil {
			t.Fatalf("ROBOTS_CLIMB_ALL is a number, not %q", all)
		}
		tries *= n
	}
	const size = 256 << 10
	r := rand.New(rand.NewPCG(13, 2026))
	for _, start := range climbed {
		worst := start
		steps, length := worst.steps(size)
		most := float64(steps) / float64(length)
		for range tries {
			next := worst
			for range 1 + r.IntN(3) {
				next = next.mutate(r)
			}
			if steps, length := next.steps(size); float64(steps)/float64(length) > most {
				worst, most = next, float64(steps)/float64(length)
			}
		}
		if most > mostPerByte {
			t.Errorf("%.2f steps a byte, want at most %d: %+v", most, mostPerByte, worst)
		}
		t.Logf("%.2f steps a byte: %+v", most, worst)
	}
}
