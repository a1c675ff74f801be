package guard_test

import (
	"context"
	"crypto/ed25519"
	"net/http"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestSignaturesElsewhere checks that a signature proves nothing at another host, for another
// client, or for other paths for long, and that this accuses nobody but who sends it to a host that
// the site does not have.
func TestSignaturesElsewhere(t *testing.T) {
	private := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	public, err := botauth.NewKey(private.Public())
	fatal.If(t, err)
	const mine, other = "192.0.2.1:80", "192.0.2.2:80"
	for _, test := range []struct {
		name     string
		hosts    []string // of the site
		more     bool
		cover    []string
		validity time.Duration
		change   func(*http.Request) // after the robot's request arrived
		want     agent.Result
		wantSent agent.Result // of the changed request
	}{
		{name: "again", want: agent.Verified, wantSent: agent.Verified},
		{name: "again, by another client", want: agent.Verified, wantSent: agent.Unverifiable,
			change: func(r *http.Request) { r.RemoteAddr = other }},
		{name: "for another path", cover: []string{}, want: agent.Verified, wantSent: agent.Unverifiable,
			change: func(r *http.Request) { r.RequestURI = "/y" }},
		{name: "with another method", cover: []string{}, want: agent.Verified, wantSent: agent.Unverifiable,
			change: func(r *http.Request) { r.Method = "POST" }},
		{name: "for another query", want: agent.Verified, wantSent: agent.Unverifiable,
			change: func(r *http.Request) { r.RequestURI += "?x" }},
		{name: "for every path, five minutes", cover: []string{}, validity: 5 * time.Minute, want: agent.Verified,
			wantSent: agent.Verified},
		{name: "for every path, longer", cover: []string{}, validity: 5*time.Minute + time.Second,
			want: agent.Unverifiable, wantSent: agent.Unverifiable},
		{name: "for a path, an hour", cover: []string{"@path"}, validity: time.Hour, want: agent.Verified,
			wantSent: agent.Verified},
		{name: "for a path, longer", cover: []string{"@path"}, validity: time.Hour + time.Second,
			want: agent.Unverifiable, wantSent: agent.Unverifiable},
		{name: "at an unknown site", hosts: []string{}, want: agent.Unverifiable, wantSent: agent.Unverifiable},
		{name: "at another site", hosts: []string{"shop.example"}, want: agent.Forged, wantSent: agent.Forged},
		{name: "at another site, which may have more hosts", hosts: []string{"shop.example"}, more: true,
			want: agent.Unverifiable, wantSent: agent.Unverifiable},
		{name: "with two hosts", cover: []string{"@path"}, want: agent.Verified, wantSent: agent.Forged,
			change: func(r *http.Request) { r.RequestURI = "https://shop.example/x" }},
	} {
		ids := &guard.Identities{
			Keys:    func(context.Context, botauth.Agent, string) (botauth.Key, error) { return public, nil },
			Signers: map[string][]string{"GPTBot": {"https://bot.example"}},
			Hosts:   []string{"evil.example"}, MoreHosts: test.more,
		}
		if test.hosts != nil {
			ids.Hosts = test.hosts
		}
		g := &guard.Guard{Policy: guard.Fixed(robots.AllowAll()), Identities: ids}
		r := request(t, "/x", gptBot)
		r.Host, r.RemoteAddr = "evil.example", mine
		signer := &botauth.Signer{Key: private, Agent: "https://bot.example", Cover: test.cover,
			Validity: test.validity}
		fatal.If(t, signer.Sign(r, time.Now()))
		decide := func() (d guard.Decision) {
			d = g.Decide(r)
			for end := time.Now().Add(time.Minute); d.Pending && time.Now().Before(end); time.Sleep(time.Millisecond) {
				d = g.Decide(r)
			}
			return d
		}
		if d := decide(); d.Identity != test.want || d.Signed != (test.want != agent.Unverifiable) {
			t.Errorf("%s: first got %v, signed %v", test.name, d.Identity, d.Signed)
		}
		if test.change != nil {
			test.change(r)
		}
		if d := decide(); d.Identity != test.wantSent {
			t.Errorf("%s: then got %v, want %v", test.name, d.Identity, test.wantSent)
		}
		ids.Close()
	}
}
