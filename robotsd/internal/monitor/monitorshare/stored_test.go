package monitorshare

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestStored checks that values stay the same: instances of several versions may share them.
func TestStored(t *testing.T) {
	if got := string(formatHeartbeat(7, 15*time.Second)); got != "1 7 15000" {
		t.Errorf("a heartbeat is %q", got)
	}
	if n, lease, err := parseHeartbeat([]byte("1 7 15000")); n != 7 || lease != 15*time.Second || err != nil {
		t.Errorf("got %d, %v, %v", n, lease, err)
	}
	if got := string(formatOwner("ABC", 15*time.Second)); got != "1 ABC 15000" {
		t.Errorf("an owner is %q", got)
	}
	if owner, lease, err := parseOwner([]byte("1 ABC 15000")); owner != "ABC" || lease != 15*time.Second || err != nil {
		t.Errorf("got %s, %v, %v", owner, lease, err)
	}
	s := &Share{group: "watch"}
	if got := s.partKey(7) + " " + s.siteKey(7, "ab"); got != "watch.part.7 watch.site.7.ab" {
		t.Errorf("the keys are %q", got)
	}
	for _, value := range []string{"", "2 7 15000", "1 7", "1", "x"} {
		if _, _, err := parseHeartbeat([]byte(value)); err == nil {
			t.Errorf("%q is a heartbeat", value)
		}
		if _, _, err := parseOwner([]byte(value)); err == nil {
			t.Errorf("%q is an owner", value)
		}
	}
	if _, lease, err := parseHeartbeat([]byte("1 7 999999999999")); lease != maxLease || err != nil {
		t.Errorf("a long lease is %v, %v", lease, err)
	}
}

// TestWrong checks that wrong names and URLs are errors, which show no password, and that an
// instance without a server watches nothing and says so.
func TestWrong(t *testing.T) {
	for _, group := range []string{"", "a.b", "a>*", "é"} {
		if _, err := New("nats://127.0.0.1:1", group, time.Second, nil); err == nil {
			t.Errorf("the group %q is not an error", group)
		}
	}
	if _, err := New("nats://user:secret@%zz:1", "a", time.Second, nil); err == nil ||
		strings.Contains(err.Error(), "secret") {
		t.Errorf("a wrong URL: %v", err)
	}
	notices := make(chan error, 1)
	s, err := New("nats://127.0.0.1:1", "a", time.Second, func(err error) { notices <- err })
	fatal.If(t, err)
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() {
		defer close(done)
		s.Run(ctx, func(context.Context, int) error { t.Error("a part without a server"); return nil }, func(int) {})
	}()
	if err := <-notices; !strings.Contains(err.Error(), "watches no site until the NATS server answers") {
		t.Error(err)
	}
	if s.Holds(0) {
		t.Error("a part is held")
	}
	cancel()
	<-done
}
