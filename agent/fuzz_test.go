package agent_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// holdLookup compares Lookup with its slow twin.
func holdLookup(t *testing.T, header string) {
	t.Helper()
	got := agent.Lookup(header)
	want := slowLookup(header)
	if got.Token != want.Token || got.Kind != want.Kind || got.Reason != want.Reason || got.Word != want.Word {
		t.Errorf("Lookup(%q) = token %q, kind %v, reason %v, word %q; the slow twin says %q, %v, %v, %q",
			header, got.Token, got.Kind, got.Reason, got.Word, want.Token, want.Kind, want.Reason, want.Word)
	}
}

// FuzzLookup compares Lookup with its slow twin on any header.
func FuzzLookup(f *testing.F) {
	for _, test := range lookups {
		f.Add(test.header)
	}
	f.Add("foo@example.com. (bar) www.x.y:80, http://z")
	f.Add("\x00\xff\xfe-._!%/;()[]\"|")
	f.Fuzz(func(t *testing.T, header string) {
		if len(header) > 1000 {
			agent.Lookup(header) // too long for the twin
			return
		}
		holdLookup(t, header)
	})
}

// fragments are the parts of FuzzFragments' headers: words of each class, and separators.
var fragments = []string{
	" ", "+", "/", ";", "; ", ", ", "(", ")", "[", "\"", ":", "@", "-", ".", "1", "/1.0", "/1.0 ", " (", ") ", "\t",
	"\xff", "!",
	"Googlebot", "Googlebot-Image", "bingbot", "Slurp", "Yahoo!", "Yahoo", "Pipes", "Wget", "libwww-perl", "Screaming",
	"Frog", "SEO",
	"bot", "Bot", "spider", "crawler", "synthetic", "Agent", "Example", "Example2", "ab", "a", "en-US", "é",
	"http", "://", "https://example.com/", "www.", "example.com", "foo@example.com", "Node.js", "com",
	"Mozilla/5.0 ", "compatible", "(compatible; ", "KHTML", ", like Gecko", "Gecko", "MSIE 6.0", "like", "with ",
	"Chrome", "Safari",
	"Windows", "Linux", "Android", "; Android 9; ", "iPhone", "Mobile", "wv", "Build", "Dalvik", "Browser", "OPR",
	"Embedded Web Browser",
	"Google", " Page", " Speed", " Insights", "Neustar WPM", "curl", "User-Agent", "Media Center PC", "PTST",
	"Mail", "KMail", "Email", "Player", "The", " Bat!", "VLC", "Microsoft", " Office", "Nokia", "HTC_", "Mozilla", "ai",
	"Catchpoint", "/2", "AppleWebKit/5",
}

func fromFragments(data []byte) string {
	var header strings.Builder
	for _, b := range data {
		header.WriteString(fragments[int(b)%len(fragments)])
	}
	return header.String()
}

// FuzzFragments compares Lookup with its slow twin on headers made of fragments.
func FuzzFragments(f *testing.F) {
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 100 {
			holdLookup(t, fromFragments(data))
		}
	})
}

// TestFragments is FuzzFragments with the same headers in each run.
func TestFragments(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		data := make([]byte, 1+r.IntN(20))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		holdLookup(t, fromFragments(data))
	}
}

// TestTwin compares Lookup with its slow twin on the headers of the corpus and of browsers.
func TestTwin(t *testing.T) {
	for _, header := range browsers(t) {
		holdLookup(t, header)
	}
	for _, header := range allHeaders(t) {
		holdLookup(t, header)
	}
}
