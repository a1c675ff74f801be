package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// The limits of stored values.
const (
	MaxURL   = 4096    // bytes of a URL, also of Item.Via
	MaxHints = 1 << 10 // bytes of Item.Hints
	MaxState = 1 << 16 // bytes of the state of a host
)

// An Item is a URL to visit. Partition, Crawl and URL identify it; a method that looks an
// item up ignores the other fields.
type Item struct {
	Partition uint8  // the partition of its site, chosen by the crawler
	Crawl     uint16 // the number of the crawl: the same URL in two crawls is two items
	URL       string // in canonical form, of http or https, 4096 bytes at most

	Priority uint8     // the lowest is visited first
	Due      time.Time // earliest time of the visit; zero means at once
	Depth    uint32    // number of links from a seed
	Via      string    // the URL of the page with the link, or empty
	Hints    []byte    // more data of the crawler for the visit, 1024 bytes at most
	Tries    uint32    // how often it was deferred since it was last done
}

// Host returns the host of the item: the origin of its URL, such as
// "https://example.com". It is empty if the URL is not in canonical form.
func (it Item) Host() string { return originOf(it.URL) }

func originOf(url string) string {
	i := strings.Index(url, "://")
	if i != len("http") && i != len("https") || url[:len("http")] != "http" {
		return ""
	}
	i += len("://")
	n := strings.IndexByte(url[i:], '/')
	if n <= 0 {
		return ""
	}
	return url[:i+n]
}

// Check returns an error if the item is invalid.
func (it *Item) Check() error { return it.check() }

// check returns an error if the item is invalid.
func (it *Item) check() error {
	switch {
	case len(it.URL) > MaxURL:
		return fmt.Errorf("%s: a URL of %d bytes: %d are the most", printable.Clipped(it.URL, 100), len(it.URL), MaxURL)
	case originOf(it.URL) == "":
		return fmt.Errorf("%s: not a URL of http or https in canonical form", printable.Clipped(it.URL, 100))
	case len(it.Via) > MaxURL:
		return fmt.Errorf("%s: Via has %d bytes: %d are the most", printable.Clipped(it.URL, 100), len(it.Via), MaxURL)
	case len(it.Hints) > MaxHints:
		return fmt.Errorf("%s: Hints have %d bytes: %d are the most", printable.Clipped(it.URL, 100), len(it.Hints),
			MaxHints)
	}
	return nil
}

// checkHost returns an error if the origin is invalid.
func checkHost(origin string) error {
	if len(origin) >= MaxURL || originOf(origin+"/") != origin {
		return fmt.Errorf("%s: not an origin such as https://example.com", printable.Clipped(origin, 100))
	}
	return nil
}

// The limits of values from a server. A longer value is treated as missing.
const (
	maxETag         = 1 << 10
	maxLastModified = 128
	maxDigest       = 64
)

// A State is the result of the last fetch of a URL. Times are kept to the millisecond.
type State struct {
	Fetched      time.Time     // time of the last fetch
	Status       uint16        // HTTP status of the last fetch
	ETag         string        // for the next request; an ETag of more than 1024 bytes is not kept
	LastModified string        // for the next request, as the server wrote it; 128 bytes at most
	Digest       []byte        // of the content, 64 bytes at most
	Simhash      uint64        // of the content
	Interval     time.Duration // between visits, as the crawler adapts it
	Due          time.Time     // time of the next visit; zero means that the URL is not queued
}

func (st *State) check() error {
	if len(st.Digest) > maxDigest {
		return fmt.Errorf("a digest of %d bytes: %d are the most", len(st.Digest), maxDigest)
	}
	if st.Interval < 0 {
		return errors.New("an interval of less than zero")
	}
	return nil
}

// millis returns the stored form of a time: 0 is the zero time, and 1 any time before
// 1970.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return max(1, t.UnixMilli())
}

// instant is the inverse of millis.
func instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
