package logtail

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestFolderIsNoLog(t *testing.T) {
	f := Follower{Names: []string{t.TempDir()}}
	if err := f.Follow(context.Background()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got error %v for a folder", err)
	}
}

// A file is read the same whatever the sizes in which it grows.
func FuzzGrowth(f *testing.F) {
	f.Add([]byte("a\n\nhalf"), 3)
	f.Fuzz(func(t *testing.T, text []byte, step int) {
		step = max(1, step%1000)
		log := &File{}
		var got []byte
		for rest := text; len(rest) > 0; {
			n := min(step, len(rest))
			log.offset += int64(n)
			log.take(rest[:n])
			got, log.ready = append(got, log.ready...), nil
			if len(got) > 0 && got[len(got)-1] != '\n' {
				t.Fatalf("half a line was handed out: %q", got)
			}
			rest = rest[n:]
		}
		if got = append(got, log.half...); !bytes.Equal(got, text) {
			t.Fatalf("got %q, want %q", got, text)
		}
	})
}
