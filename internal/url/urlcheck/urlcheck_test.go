package urlcheck

import (
	"math/rand/v2"
	"strings"
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
		"http://a:0", "http://a:00/", "http://a:00080/", "http://a:65536", "http://a:65536/", "http://a:99999/x",
		"http://0x7f.1/", "http://a.0X7F/", "http://127.1", "http://a.1b/", "http://a./", "http://a..b/", "http://.a/",
		"http://" + strings.Repeat("a", 63) + ".b/", "http://" + strings.Repeat("a", 64) + ".b/",
		"http://b." + strings.Repeat("a", 64), "http://" + strings.Repeat("a.", 126) + "b",
		"http://" + strings.Repeat("a.", 127) + "b", "http://" + strings.Repeat("a.", 127),
	}
	pieces := []string{"a", "Z", "0", "9", "-", ".", ":", ":80", ":65535", ":65536", ":0", "0x",
		"127.1", ":123456", "/", "?", "#", "@", ";", "[", "]",
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
	if accepted < 3000 {
		t.Errorf("the short cut accepted %d of %d URLs: the test compares nothing", accepted, len(urls))
	}
}

func TestIsNumber(t *testing.T) {
	for label, want := range map[string]bool{"": false, "0": true, "12": true, "0x": true, "0x1f": true,
		"0xg": false, "0XfF": true,
		"1a": false, "x1": false, "-1": false} {
		if got := IsNumber(label); got != want {
			t.Errorf("%q: got %t, want %t", label, got, want)
		}
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
