package main

import (
	"testing"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/result"
)

// The error of a crawl without a visit says what happened to its URLs.
func TestNothing(t *testing.T) {
	type reasons = map[result.Reason]int64
	for _, test := range []struct {
		pages   int64
		reasons reasons
		want    string
	}{
		{0, reasons{result.Disallowed: 2}, "nothing was fetched: robots.txt disallows every URL for this robot"},
		{0, reasons{result.LongPause: 1},
			"nothing was fetched: robots.txt asks for longer pauses than --max-pause allows"},
		{0, reasons{result.LongPause: 1, result.Disallowed: 1},
			"nothing was fetched: every URL was refused, for the reasons above"},
		{3, reasons{result.Broken: 1},
			"no page could be read, for the reasons above: the results have the status or the error of each URL"},
	} {
		s := crawl.Summary{Finished: true, Pages: test.pages, Reasons: test.reasons}
		if err := new(crawlStart).nothing(&s); err == nil || err.Error() != test.want {
			t.Errorf("%d pages, %v: got %v, want %q", test.pages, test.reasons, err, test.want)
		}
	}
}
