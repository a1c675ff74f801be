package auditreport_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/auditreport"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"golang.org/x/net/html"
)

// pageOf returns a report as HTML.
func pageOf(t *testing.T, r *audit.Report, l language.Language) string {
	t.Helper()
	var b bytes.Buffer
	if err := auditreport.WriteHTML(&b, r, l); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHTMLIsSafe parses pages with hostile texts: each element and each attribute is the template's.
func TestHTMLIsSafe(t *testing.T) {
	elements := strings.Fields("html head meta title style body header h1 p main section h2 h3 div table thead tbody tr th td details summary dl dt dd article pre b ul li")
	attributes := strings.Fields("lang charset http-equiv content name class scope colspan")
	for _, l := range languages() {
		page := pageOf(t, report(hostile), l)
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		for n := range root.Descendants() {
			switch n.Type {
			case html.ElementNode:
				if !slices.Contains(elements, n.Data) {
					t.Errorf("%v: element %s is not the template's", l, n.Data)
				}
				for _, a := range n.Attr {
					if !slices.Contains(attributes, a.Key) {
						t.Errorf("%v: attribute %s=%q of %s is not the template's", l, a.Key, a.Val, n.Data)
					}
					if !printable.IsText(a.Val) {
						t.Errorf("%v: attribute %s is not printable: %q", l, a.Key, a.Val)
					}
				}
			case html.TextNode:
				if text := strings.NewReplacer("\n", "", "\t", "").Replace(n.Data); !printable.IsText(text) {
					t.Errorf("%v: text of %s is not printable: %q", l, n.Parent.Data, text)
				}
			case html.CommentNode:
				t.Errorf("%v: a comment: %q", l, n.Data)
			}
		}
		if strings.Contains(page, "⟨") || strings.Contains(page, "%!") || strings.Contains(page, "<no value>") {
			t.Errorf("%v: a text is not filled in", l)
		}
	}
}

// TestHTMLStandsAlone checks that the page names no other file, and forbids all requests.
func TestHTMLStandsAlone(t *testing.T) {
	page := pageOf(t, report("ExampleBot"), language.English)
	for _, sign := range []string{"src=", "href=", "url(", "@import", "fetch(", "http://", "https://", "style=\"", "onclick"} {
		if strings.Contains(page, sign) {
			t.Errorf("the page has %q", sign)
		}
	}
	for _, sign := range []string{"default-src &#39;none&#39;", "base-uri &#39;none&#39;", "form-action &#39;none&#39;", "prefers-color-scheme: dark", "@media print", "192.0.2.1 ExampleBot"} {
		if !strings.Contains(page, sign) {
			t.Errorf("the page lacks %q", sign)
		}
	}
}
