// Package lintsite gathers the facts about a site that lint checks in addition to its robots.txt:
// how the server answers for the file, and the sitemaps that the file names.
package lintsite

import (
	"time"

	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/http1"
)

// A Site asks sites.
type Site struct {
	// Client returns a new client for robots.txt, and its transport.
	Client func() (*fetch.Client, *http1.Transport)

	UserAgent string
	Timeout   time.Duration     // for a whole sitemap; 0 is a minute
	MaxSize   int               // of a robots.txt to check, in bytes
	Explain   func(error) error // puts an error of fetching in the words of the caller

	// At is the moment for which [Site.Ask] reads the history in the folder Cache, if it is given.
	// Ask calls Found with the version of that moment.
	At    inforce.Moment
	Cache string
	Found func(*inforce.Version)
}
