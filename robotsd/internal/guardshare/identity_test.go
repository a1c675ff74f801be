package guardshare

import (
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestPermissions shares as a user with the permissions that doc/nats.md lists.
func TestPermissions(t *testing.T) {
	t.Parallel()
	address := natstest.Limited(t, "$JS.API.>", "$JS.FC.>", "$KV.robots-guard.>", "$KV.robots-guard-identities.>")
	g := newGuard()
	s, err := Start(address, "shop.example", g.Paces, func(err error) { t.Error(err) })
	fatal.If(t, err)
	until(t, "the bucket is open", func() bool { return s.identities.Load() != nil })
	s.Identity(t.Context(), "a", func() (agent.Result, time.Duration) { return agent.Verified, time.Hour })
	ask(g, names(t)[0])
	until(t, "the pace is written", func() bool { return len(g.Paces.Unshared()) == 0 })
	s.Close()
	if err := s.conn.Denied(); err != nil {
		t.Error(err)
	}
}

// TestIdentity checks that a guard takes over what another one found, and finds out itself when the
// server is gone.
func TestIdentity(t *testing.T) {
	t.Parallel()
	url, kill := natstest.Process(t, t.TempDir(), ports.Address(t))
	var shares []*Share
	for range 2 {
		s, err := Start(url, "shop.example", new(guard.Paces), func(err error) { t.Log(err) })
		fatal.If(t, err)
		defer s.Close()
		until(t, "the bucket is open", func() bool { return s.identities.Load() != nil })
		shares = append(shares, s)
	}
	asked := 0
	ask := func(s *Share, key string, result agent.Result) (agent.Result, time.Duration) {
		return s.Identity(t.Context(), key, func() (agent.Result, time.Duration) {
			asked++
			return result, time.Hour
		})
	}
	for _, test := range []struct {
		share  int
		key    string
		result agent.Result // of the DNS
		want   agent.Result
		asked  int
	}{
		{0, "a", agent.Verified, agent.Verified, 1},
		{1, "a", agent.Forged, agent.Verified, 1},
		{1, "b", agent.Forged, agent.Forged, 2},
		{0, "b", agent.Verified, agent.Forged, 2},
		{0, "c", agent.Unverifiable, agent.Unverifiable, 3},
		{1, "c", agent.Verified, agent.Verified, 4},
	} {
		if got, good := ask(shares[test.share], test.key, test.result); got != test.want || asked != test.asked ||
			good > time.Hour {
			t.Errorf("guard %d, %s: got %v for %v after %d questions, want %v, %d", test.share, test.key, got, good,
				asked, test.want, test.asked)
		}
	}
	kill()
	if got, _ := ask(shares[1], "a", agent.Forged); got != agent.Forged {
		t.Errorf("without the server: got %v", got)
	}
}
