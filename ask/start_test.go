package ask

import (
	"math/rand/v2"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
)

// TestStart checks that a URL whose start is an origin has that origin, so that Origin need not be
// asked.
func TestStart(t *testing.T) {
	urls := []string{
		"https://a.example", "https://a.example/", "https://a.example:8443/x", "https://a.example:443/",
		"https://A.example/", "https://a.example?q", "https://a.example#f",
		"https://a.example\\b/", "https://a.example/\\b", "https://u@a.example/", "https://a.example@b.example/",
		"http://[::1]/", "http://[::1]:80/", "http://[0::1]:81/",
		"http://127.0.0.1:8080//x", "https://a.example:/", "https://a.example./", "/x", "", "https://", "x://y://z/",
		"HTTPS://a.example/",
	}
	pieces := []string{"http", "https", "://", "a.example", "B", "[::1]", "127.0.0.1", ":", "80", "8080", "/", "?", "#",
		"@", "\\", "%41", "é", ".", " "}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		url := []string{"http://", "https://", ""}[random.IntN(3)]
		for range random.IntN(6) {
			url += pieces[random.IntN(len(pieces))]
		}
		urls = append(urls, url)
	}
	origins := 0
	for _, url := range urls {
		written := start(url)
		origin, err := fetch.Origin(written)
		if err != nil || origin != written {
			continue // no key of Inquirer.sites
		}
		origins++
		if got, err := fetch.Origin(url); err != nil || got != written {
			t.Errorf("%q: the start is the origin %s, and the origin is %q, %v", url, written, got, err)
		}
	}
	if origins < 5000 {
		t.Errorf("%d of %d URLs start with an origin: the test compares nothing", origins, len(urls))
	}
}
