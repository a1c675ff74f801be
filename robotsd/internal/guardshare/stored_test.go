package guardshare

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestNoServer checks that a guard without a server, and one with a wrong name, say so.
func TestNoServer(t *testing.T) {
	notices := make(chan error, 1)
	s, err := Start("nats://127.0.0.1:1", "x", new(guard.Paces), func(err error) { notices <- err })
	fatal.If(t, err)
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

// TestIdentityIsStored checks that values stay the same.
func TestIdentityIsStored(t *testing.T) {
	now := time.UnixMicro(1_790_000_000_000_000)
	for result, want := range map[agent.Result]string{
		agent.Verified: "1 1 1790003600000000", agent.Forged: "1 2 1790003600000000", agent.Unverifiable: "",
	} {
		if got := string(formatIdentity(result, now.Add(time.Hour))); got != want {
			t.Errorf("%v: got %q, want %q", result, got, want)
		}
		if got, good := parseIdentity([]byte(want), now); want != "" && (got != result || good != time.Hour) {
			t.Errorf("%q: got %v for %v", want, got, good)
		}
	}
	for _, text := range []string{"", "2 1 1790003600000000", "1 3 1790003600000000", "1 1 1789990000000000", "1 1"} {
		if result, good := parseIdentity([]byte(text), now); good != 0 {
			t.Errorf("%q: got %v for %v", text, result, good)
		}
	}
	if _, good := parseIdentity([]byte("1 1 9790003600000000"), now); good != identityAge {
		t.Errorf("a wrong clock: good for %v", good)
	}
}
