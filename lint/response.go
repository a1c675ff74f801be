package lint

import "time"

// A Response is how a server answered for a robots.txt.
type Response struct {
	URL       string   // that answered, after redirects
	Redirects []string // the URLs that were asked for before, in order
	Status    int      // of the answer; 304 counts as 200
	Cause     string   // why the status is not that of the text, such as "too many redirects", or ""

	ContentType string // as the server wrote it
	MaxAge      Age    // how long caches may use the answer
}

// An Age is how long caches may use an answer: by Cache-Control: max-age, else by
// Expires. Where the answer says nothing of the kind, Known is false.
type Age struct {
	Known bool
	Age   time.Duration // 0 also for no-store and no-cache
}

// A Sitemap is a sitemap with the URLs of pages that it lists, itself or by the
// sitemaps that it is an index of.
type Sitemap struct {
	URL     string   // as in robots.txt, or the name of a file
	URLs    []string // as written
	Problem string   // why URLs are not all, or ""
}

// head is where a diagnostic about the answer stands: before the text.
func (f *file) head() span { return span{line: 1} }
