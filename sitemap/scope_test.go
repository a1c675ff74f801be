package sitemap_test

import (
	"testing"

	"github.com/robotsexclusion/robots/sitemap"
)

func TestMayList(t *testing.T) {
	const other = "https://sitemaps.example.net/example.xml"
	for _, test := range []struct {
		sitemap, page string
		named         []string
		want          bool
	}{
		// The examples of the section "Sitemap file location".
		{"http://example.com/catalog/sitemap.xml", "http://example.com/catalog/show?item=23", nil, true},
		{"http://example.com/catalog/sitemap.xml", "http://example.com/catalog/show?item=233&user=3453", nil, true},
		{"http://example.com/catalog/sitemap.xml", "http://example.com/image/show?item=23", nil, false},
		{"http://example.com/catalog/sitemap.xml", "https://example.com/catalog/page1.php", nil, false},
		{"http://www.example.com:100/sitemap.xml", "http://www.example.com:100/a", nil, true},
		{"http://www.example.com:100/sitemap.xml", "http://www.example.com/a", nil, false},

		{"https://example.com/sitemap.xml", "https://example.com/", nil, true},
		{"https://example.com/sitemap.xml", "https://example.com", nil, true},
		{"https://example.com", "https://example.com/a", nil, true},
		{"HTTPS://Example.COM:443/sitemap.xml", "https://example.com/a/b?c#d", nil, true},
		{"https://example.com/sitemap.xml", "https://www.example.com/", nil, false},
		{"https://example.com/sitemap.xml", "https://example.com.evil.example/", nil, false},
		{"https://example.com/sitemap.xml", "https://example.com@evil.example/", nil, false},
		{"https://evil.example/a.xml", "https://evil.example@example.com/", nil, false},
		{"https://example.com/catalog/sitemap.xml", "https://example.com/catalog", nil, false},
		{"https://example.com/catalog/sitemap.xml", "https://example.com/catalogue/", nil, false},
		{"https://example.com/catalog/sitemap.xml", "https://example.com/catalog/../x", nil, false},
		{"https://example.com/catalog/sitemap.xml", "https://example.com/catalog/%2e%2E/x", nil, false},
		{"https://example.com/catalog/sitemap.xml", "https://example.com/catalog/x/../y", nil, true},
		{"https://example.com/a%2Fb/sitemap.xml", "https://example.com/a/b/x", nil, false},
		{"https://example.com/sitemap.php?f=/x/", "https://example.com/y", nil, true},

		// Those of "Sitemaps & Cross Submits".
		{other, "https://example.com/x", []string{"https://example.com/sitemap.xml", other}, true},
		{"https://SITEMAPS.example.net:443/example.xml#x", "https://example.com/x", []string{other}, true},
		{"https://sitemaps.example.net/other.xml", "https://example.com/x", []string{other}, false},
		{"https://sitemaps.example.net/example.xml?x", "https://example.com/x", []string{other}, false},
		{"https://example.com/maps/sitemap.xml", "https://example.com/x",
			[]string{"https://example.com/maps/sitemap.xml"}, true},

		{"", "", []string{""}, false},
		{"sitemap.xml", "sitemap.xml", nil, false},
		{"https://example.com/%zz", "https://example.com/%zz", nil, false},
		{"ftp://example.com/", "ftp://example.com/", nil, false},
	} {
		if got := sitemap.MayList(test.sitemap, test.page, test.named); got != test.want {
			t.Errorf("MayList(%q, %q, %q) is %t, want %t", test.sitemap, test.page, test.named, got, test.want)
		}
	}
}

func TestMayIndex(t *testing.T) {
	for _, test := range []struct {
		index, sitemap string
		named          []string
		want           bool
	}{
		{"https://example.com/maps/index.xml", "https://example.com/sitemap.xml", nil, true},
		{"https://example.com/index.xml", "https://www.example.com/sitemap.xml", nil, false},
		{"https://example.com/index.xml", "https://www.example.com/sitemap.xml",
			[]string{"https://example.com/index.xml"}, true},
		{"https://example.com/index.xml", "sitemap.xml", nil, false},
	} {
		if got := sitemap.MayIndex(test.index, test.sitemap, test.named); got != test.want {
			t.Errorf("MayIndex(%q, %q, %q) is %t, want %t", test.index, test.sitemap, test.named, got, test.want)
		}
	}
}
