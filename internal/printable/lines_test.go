package printable

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

// TestLines: text from strangers is in a log, and is escaped there.
func TestLines(t *testing.T) {
	var b bytes.Buffer
	hostile := "\x1b[2J\u202e\u0085\x7f\x00\u2028<\">\\ \xff"
	slog.New(slog.NewJSONHandler(Lines{&b}, nil)).Warn(hostile, "url", hostile, "error", errors.New(hostile), hostile,
		1)
	for _, c := range b.String() {
		if c != '\n' && (c < ' ' || c > '~') {
			t.Errorf("it has %U: %s", c, b.String())
		}
	}
	var line map[string]any
	if err := json.Unmarshal(b.Bytes(), &line); err != nil {
		t.Fatalf("%v: %s", err, b.String())
	}
	if want := strings.ToValidUTF8(hostile, "\ufffd"); line["msg"] != want || line["url"] != want {
		t.Errorf("got %q, want %q", line["url"], want)
	}
	if strings.Count(b.String(), "\n") != 1 {
		t.Errorf("%q", b.String())
	}
}
