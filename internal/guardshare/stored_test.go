package guardshare

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/guard"
)

// TestNoServer checks that a guard without a server, and one with a wrong name, say so.
func TestNoServer(t *testing.T) {
	notices := make(chan error, 1)
	s, err := Start("nats://127.0.0.1:1", "x", new(guard.Paces), func(err error) { notices <- err })
	if err != nil {
		t.Fatal(err)
	}
	if err := <-notices; !strings.Contains(err.Error(), "pace is not shared with other guards now") {
		t.Error(err)
	}
	s.Close()
	if _, err := Start("nats://127.0.0.1:1", "a>*", new(guard.Paces), nil); err == nil {
		t.Error("a name with wildcards: got no error")
	}
}

// TestStored checks that values stay the same: guards of several versions share them.
func TestStored(t *testing.T) {
	p := guard.Pace{Delay: time.UnixMicro(1_790_000_000_000_001), Documents: 10, Period: time.Minute}
	const want = "1 1790000000000001 0 10 60000000000"
	if got := string(format(p)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, err := parse([]byte(want)); err != nil || got != p {
		t.Errorf("got %v, %v, want %v", got, err, p)
	}
	for _, text := range []string{"", "2 1 2 3 4", "1 2 3", "x"} {
		if p, err := parse([]byte(text)); err == nil {
			t.Errorf("%q: got %v", text, p)
		}
	}
}
