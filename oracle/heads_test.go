package oracle_test

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/heads"
)

// readers are programs that print the text at a URL. They follow redirects.
var readers = []struct {
	name    string
	command []string
}{
	{"curl", []string{"curl", "--silent", "--location", "--max-time", "20"}},
	{"wget", []string{"wget", "--quiet", "--tries=1", "--timeout=20", "--output-document=-"}},
	{"python", []string{"python3", "-c", `
import sys, urllib.request
sys.stdout.buffer.write(urllib.request.urlopen(sys.argv[1], timeout=20).read())`}},
}

// differing are the answers about which this library and most of the readers differ.
var differing = map[string]string{
	"empty lines before":            "wget shows the head as a part of the text, and the others fail",
	"length behind a control octet": "there are two lengths",
	"two lengths in a line":         "the others take the first one, or wait for the end",
	"two lengths with signs":        "the others ignore one of them",
	"length without end":            "no server has 100 exabytes",
}

// TestHeads compares which answers with unusual heads the library and other programs read. The
// tests of package fetch and of the crawler hold that the library does what the list says.
func TestHeads(t *testing.T) {
	for _, reader := range readers {
		if _, err := exec.LookPath(reader.command[0]); err != nil {
			t.Skip(err)
		}
	}
	for _, h := range heads.All() {
		t.Run(h.Name, func(t *testing.T) {
			t.Parallel()
			url := heads.Serve(t, h) + "/robots.txt"
			var read []string
			for _, reader := range readers {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				out, err := exec.CommandContext(ctx, reader.command[0], append(reader.command[1:], url)...).Output()
				cancel()
				if err == nil && string(out) == heads.Text {
					read = append(read, reader.name)
				}
			}
			differs := h.Read && len(read) == 0 || !h.Read && len(read) >= 2
			if _, known := differing[h.Name]; differs != known {
				t.Errorf("the list says %v, and %d programs read it: %q", h.Read, len(read), read)
			}
			t.Logf("%v, %q", h.Read, read)
		})
	}
}
