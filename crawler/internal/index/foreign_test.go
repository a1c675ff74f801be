package index_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/index"
)

// TestForeign reads pages with drawings and formulas. Words after one are words of the
// page.
func TestForeign(t *testing.T) {
	for _, test := range []struct{ text, title, want string }{
		{"<svg><title/></svg><p>after", "", "after"},
		{"<svg><style/></svg><p>after", "", "after"},
		{"<svg><script href=x /></svg><p>after", "", "after"},
		{"<svg/><p>after", "", "after"},
		{"<svg><svg/><svg></svg><g>in</g></svg>after", "", "after"},
		{"<svg><g>in<p>after", "", "after"},
		{"<svg><title>of the drawing</title></svg><title>of the page</title>after", "of the page", "after"},
		{"<svg><![CDATA[ > in ]]></svg>after", "", "after"},
		{"<svg><foreignObject><p>in</p></foreignObject>in</svg>after", "", "after"},
		{"<math><style/><mi>x</mi></math>after", "", "x after"},
		{"<math><title/><mi>x</mi></math>after", "", "x after"},
		{"<script><!-- 1 < 2 --></script>after", "", "after"},
	} {
		c := extract(t, test.text, index.Source{Charset: "utf-8"})
		var words []string
		for _, p := range c.Passages {
			words = append(words, strings.Fields(p.Text)...)
		}
		got := strings.ReplaceAll(strings.Join(words, " "), "xafter", "x after")
		if got != test.want || c.Title != test.title {
			t.Errorf("%s: %q, title %q; want %q, %q", test.text, got, c.Title, test.want, test.title)
		}
	}
}
