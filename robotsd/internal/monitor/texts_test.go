package monitor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// hashed returns an observation of a text with a hash.
func hashed(text string, hash byte) *monitor.Observation {
	o := observation(text)
	o.File.SHA256 = strings.Repeat(fmt.Sprintf("%02x", hash), 32)
	return o
}

func TestTexts(t *testing.T) {
	dir := monitor.TextFolder(t.TempDir())
	one, two := hashed(texts["live"], 1), hashed(texts["shop"], 2)
	for _, o := range []*monitor.Observation{one, two, one} {
		fatal.If(t, dir.Keep(o))
	}
	bare := *one
	bare.Policy = nil
	for _, test := range []struct {
		name string
		look *monitor.Observation
		want bool
	}{{"a look at the same text needs no policy", one, false}, {"a look at another text does", two, true},
		{"a look that finds none does", observation("404"), true}} {
		s := &monitor.Watched{Baseline: &bare}
		if err := dir.Complete(s, test.look); err != nil || (s.Baseline.Policy != nil) != test.want || test.want &&
			s.Baseline.Policy.String() != texts["live"] {
			t.Errorf("%s: got %+v, %v", test.name, s.Baseline, err)
		}
		if bare.Policy != nil {
			t.Fatal("the stored baseline was changed")
		}
	}

	dir.Prune(map[string]*monitor.Watched{"https://a.example": {Baseline: two}})
	if files, _ := filepath.Glob(filepath.Join(string(dir), "*", "*")); len(files) != 1 ||
		!strings.Contains(files[0], "0202") {
		t.Errorf("the texts %q are left", files)
	}
	s := &monitor.Watched{Baseline: &bare}
	if err := dir.Complete(s, two); err != nil || s.Baseline != nil {
		t.Errorf("a baseline without its text is %+v, %v", s.Baseline, err)
	}
	fatal.If(t, os.WriteFile(filepath.Join(string(dir), "03"), nil, 0o666))
	if err := dir.Keep(hashed("", 3)); err == nil {
		t.Error("a text that cannot be written is not an error")
	}
}

// TestSeal checks that no change of a byte goes unnoticed.
func TestSeal(t *testing.T) {
	text, err := monitor.Seal(map[string]int{"a": 1, "b": 2})
	fatal.If(t, err)
	var got map[string]any
	if err := monitor.Unseal(text, &got); err != nil || got["b"] != 2.0 {
		t.Errorf("got %v, %v", got, err)
	}
	for i := range text {
		changed := append([]byte(nil), text...)
		changed[i] ^= 1
		if monitor.Unseal(changed, &got) == nil {
			t.Errorf("%s is read like %s", changed, text)
		}
		if monitor.Unseal(text[:i], &got) == nil {
			t.Errorf("%s is read", text[:i])
		}
	}
}
