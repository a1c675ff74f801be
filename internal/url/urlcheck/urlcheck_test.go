package urlcheck

import (
	"math/rand/v2"
	"testing"
)

// TestShortCut compares check, which accepts common hosts at once, with the reading of the whole
// authority.
func TestShortCut(t *testing.T) {
	urls := []string{
		"http://a:", "http://a:/", "http://a:80", "http://a:80/", "http://a:65535?q", "http://a:65535#f",
		"http://a:65535",
		"http://a:655350", "http://a:655350/", "http://a:65535;/", "http://a:8x/", "http://a:80:80/", "http://a:80@b/",
		"http://a:80@b:x/",
		"http://:80/", "http://:", "https://a.b-c:1\\", "https://a:٣/", "https://127.0.0.1:8080/x", "https://-.:1",
	}
	pieces := []string{"a", "Z", "0", "9", "-", ".", ":", ":80", ":65535", ":123456", "/", "?", "#", "@", ";", "[", "]",
		"\\", "é", " ", "%", "\x00"}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		url := "http://"
		for range random.IntN(8) {
			url += pieces[random.IntN(len(pieces))]
		}
		urls = append(urls, url)
	}
	accepted := 0
	for _, url := range urls {
		if startsWithName(url[len("http://"):]) {
			accepted++
		}
		f, detail := check(url)
		if want, wantDetail := checkWhole(url); f != want || detail != wantDetail {
			t.Errorf("check(%q) = %d, %q, want %d, %q", url, f, detail, want, wantDetail)
		}
	}
	if accepted < 5000 {
		t.Errorf("the short cut accepted %d of %d URLs: the test compares nothing", accepted, len(urls))
	}
}

// The URL of a target has the target as its path.
func TestOfHost(t *testing.T) {
	for target, want := range map[string]string{"//x/y": "http://host//x/y", "//": "http://host//", "/x": "/x",
		"/": "/", "": ""} {
		if got := OfHost(target); got != want {
			t.Errorf("%q is %q, want %q", target, got, want)
		}
	}
}
