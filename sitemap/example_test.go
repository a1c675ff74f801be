package sitemap_test

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/sitemap"
)

func ExampleRead() {
	body := strings.NewReader(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://example.com/news?id=7&amp;lang=en</loc><lastmod>2026-11-21</lastmod></url>
  <url><loc>/about.html</loc></url>
</urlset>`)
	for entry, err := range sitemap.Read(body, sitemap.Options{}) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(entry.URL, entry.LastMod.Format("2006-01-02"), entry.Precision)
	}
	// Output:
	// https://example.com/news?id=7&lang=en 2026-11-21 day
	// line 3: "/about.html" is not an absolute URL of http or https
}

func ExampleMayList() {
	named := []string{"https://maps.example.net/shop.xml"} // by the robots.txt of example.com
	fmt.Println(sitemap.MayList("https://example.com/shop/sitemap.xml", "https://example.com/shop/shoes", nil))
	fmt.Println(sitemap.MayList("https://example.com/shop/sitemap.xml", "https://example.com/about", nil))
	fmt.Println(sitemap.MayList("https://maps.example.net/shop.xml", "https://example.com/about", named))
	// Output:
	// true
	// false
	// true
}
