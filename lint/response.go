package lint

import "time"

// A Response is the answer of a server for a robots.txt.
type Response struct {
	URL       string   // the URL that answered, after redirects
	Redirects []string // the URLs requested before, in order
	Status    int      // of the answer; 304 counts as 200
	Cause     string   // why the status is not that of a text, such as "too many redirects", or ""

	ContentType string // the Content-Type header
	MaxAge      Age    // the time for which caches may use the answer
}

// An Age is the time for which caches may use an answer, from Cache-Control: max-age or
// otherwise from Expires. Known is false if the answer has neither.
type Age struct {
	Known bool
	Age   time.Duration // 0 also for no-store and no-cache
}

// A Sitemap is a sitemap with the URLs of pages that it lists, itself or, for a sitemap index,
// through other sitemaps.
type Sitemap struct {
	URL     string   // as in robots.txt, or the name of a file
	URLs    []string // as written
	Problem string   // why URLs is incomplete, or ""
}

// head is the place of a diagnostic about the answer: before the text.
func (f *file) head() span { return span{line: 1} }
