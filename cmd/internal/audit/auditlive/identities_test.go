package auditlive

import (
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/agent"
)

// slowDNS says that clients are forged, after answer was called.
type slowDNS struct {
	once     sync.Once
	answered chan struct{}
}

func (s *slowDNS) answer() { s.once.Do(func() { close(s.answered) }) }

// Each question is asked once. Beyond the limit of open questions clients are unverifiable.
func TestIdentitiesAreLimited(t *testing.T) {
	dns := &slowDNS{answered: make(chan struct{})}
	i := NewIdentities(func(agent.Agent, netip.Addr) agent.Result { <-dns.answered; return agent.Verified })
	ask := func(n int) *identity {
		return i.start(agent.Agent{Token: fmt.Sprint(n)}, netip.MustParseAddr("192.0.2.1"))
	}
	for n := range maxOpen {
		if a := ask(n); a == nil || a.isDone() || a != ask(n) {
			t.Fatalf("question %d is not asked once", n)
		}
	}
	if ask(maxOpen) != nil {
		t.Error("more questions are open than are allowed")
	}
	dns.answer()
	for n := range maxOpen {
		if a := ask(n); !a.wait(time.Now().Add(time.Hour), nil) ||
			i.Identify(agent.Agent{Token: a.token}, a.client) != agent.Verified {
			t.Fatalf("question %d has no answer", n)
		}
	}
	i.Forget()
	if len(i.asked) != 0 {
		t.Errorf("%d answers are still known", len(i.asked))
	}
}
