package feed_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// FuzzLines reads growing results, and compares the lines with those of the whole text.
func FuzzLines(f *testing.F) {
	long := strings.Repeat("x", 3*feed.ShortLine)
	f.Add([]byte("a\n\nb\nc"), uint16(3), uint16(5))
	f.Add([]byte(long+"\na\n"), uint16(feed.ShortLine), uint16(2*feed.ShortLine))
	f.Add([]byte(long[:feed.ShortLine-1]+"\n"+long[:feed.ShortLine]+"\n"), uint16(feed.ShortLine),
		uint16(feed.ShortLine+5))
	f.Add([]byte("a\n"+long), uint16(1), uint16(100))
	f.Fuzz(func(t *testing.T, text []byte, first, second uint16) {
		sizes := []int{min(int(first), len(text)), min(int(second), len(text)), len(text)}
		slices.Sort(sizes)
		got, err := feed.Lines(t.Context(), text, sizes)
		fatal.If(t, err)
		want := bytes.Split(text, []byte{'\n'})
		want = want[:len(want)-1] // the unfinished line
		for i, line := range want {
			if len(line) >= feed.ShortLine {
				want[i] = nil
			}
		}
		if !slices.EqualFunc(got, want, func(a, b []byte) bool {
			return bytes.Equal(a, b) && (a == nil) == (b == nil)
		}) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

// FuzzAnswer reads any archive.
func FuzzAnswer(f *testing.F) {
	const url = "https://example.com/"
	for _, block := range []string{
		"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>word",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08\x00",
		"HTTP/1.0 404\r\n\r\n",
		"HTTP/1.1 200 OK\r\nx",
	} {
		f.Add([]byte(fmt.Sprintf("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, len(block), block)))
	}
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		header, body, err := feed.Answer(bytes.NewReader(text), url)
		if err == nil && (header == nil || header.Get("Content-Encoding") == "" && !bytes.Contains(text, body) &&
			text[0] != 0x1f) {
			t.Errorf("got %v, %q", header, body)
		}
		if err != nil && (err.Error() == "" || body != nil) {
			t.Errorf("got %q, %v", body, err)
		}
	})
}
