package crawl

import (
	"net/http"

	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/page"
)

// A Page is a page that a crawl has visited: see [Config.OnPage]. Do not modify what its fields
// point to.
type Page struct {
	// Line is the result, as the file of results will have it, but without the place in the
	// archive. Its Reason is set if the page repeats others, or is as it was at the last visit.
	Line result.Line

	Header  http.Header // of the answer
	Body    []byte      // with its content encoding undone, in the encoding of the page
	Doc     *page.Doc   // what the page says to robots, and its links as written
	Verdict page.Verdict
}
