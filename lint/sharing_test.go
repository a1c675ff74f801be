package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
)

// TestSharing checks that the groups that checks look at have a bounded number of lines, also if
// each of many robots shares a large group, and that usual files keep all of them.
func TestSharing(t *testing.T) {
	for _, robotsOfGroup := range []int{10, 900} {
		var text strings.Builder
		for i := range robotsOfGroup {
			fmt.Fprintf(&text, "User-agent: bot%d\n", i)
		}
		text.WriteString(strings.Repeat("Disallow: /a\nAllow: /a/b\n", robotsOfGroup))
		for i := range robotsOfGroup {
			fmt.Fprintf(&text, "User-agent: bot%d\nDisallow: /%d\n", i, i)
		}
		f := newFile(robots.ParseString(text.String()), Options{})
		lines, all := 0, f.named()
		for _, g := range all {
			for range g.Rules() {
				lines++
			}
		}
		if most := maxSharing * strings.Count(text.String(), "\n"); lines > most {
			t.Errorf("%d robots: %d lines of %d", robotsOfGroup, lines, most)
		}
		if robotsOfGroup == 10 && len(all) != 10 {
			t.Errorf("%d of %d groups", len(all), robotsOfGroup)
		}
	}
}
