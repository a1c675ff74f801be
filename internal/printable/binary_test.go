package printable

import (
	"strings"
	"testing"
)

func TestIsBinary(t *testing.T) {
	// The header of a PNG has few control bytes for its size once a text follows it.
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\xb5\xc3\xff"
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"nothing", "", false},
		{"robots.txt", "User-agent: *\nDisallow: /\n", false},
		{"Korean", "# 로봇 배제 표준\nSitemap: https://a.example/\n", false},
		{"Latin-1", "# caf\xe9 cr\xe8me\nSitemap: https://a.example/\n", false},
		{"a letter that is cut", strings.Repeat("é", 4095/2) + "\x00éé", false},
		{"one NUL in a text", "Sitemap: https://a.example/\x00\n# café\n" + strings.Repeat("# x\n", 20), false},
		{"control bytes", "\x00\x01\x02\x03\x04\x05", true},
		{"an image", png, true},
		{"an image with a long text", png + strings.Repeat("a comment of the camera, ", 200), true},
		{"a zip archive", "PK\x03\x04\x14\x00\x00\x00\x08\x00\xf1\xfe" + strings.Repeat("word/document.xml", 9), true},
		{"a PDF", "%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\n", true},
		{"an image that a program decoded", strings.Repeat("IHDR\uFFFD\uFFFD", 4), true},
	} {
		if got := IsBinary(test.text); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
}
