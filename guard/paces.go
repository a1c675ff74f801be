package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// Paces are the times at which robots may send their next requests to a site. Guards of one site with the same Paces share the pace
// of its robots, and a change of robots.txt leaves the pace of robots that it asks for the same as before. The zero Paces is ready
// for use, and safe for concurrent use. It remembers a bounded number of robots.
type Paces struct {
	mu     sync.Mutex
	robots map[string]*pacing // of the table, and of groups that robots.txt names
	others map[string]*pacing // of all other names, by which clients can call themselves
}

// of returns the pacing of a robot that obeys a group, and that the group asks for a pace.
func (p *Paces) of(a agent.Agent, g *robots.Group, asked *ask) *pacing {
	key := paceKey(a, asked)
	p.mu.Lock()
	defer p.mu.Unlock()
	if a.Known() || g.Token() != "*" {
		return place(&p.robots, key)
	}
	return place(&p.others, key)
}

// place returns the pacing with a key. Of a map it keeps maxPacings; an arbitrary one of them makes place for another.
func place(pacings *map[string]*pacing, key string) *pacing {
	found := (*pacings)[key]
	if found != nil {
		return found
	}
	if *pacings == nil {
		*pacings = make(map[string]*pacing)
	}
	for other := range *pacings {
		if len(*pacings) < maxPacings {
			break
		}
		delete(*pacings, other)
	}
	found = new(pacing)
	(*pacings)[key] = found
	return found
}

// paceKey returns a key for a robot and what robots.txt asks of its pace: a hash, which no text of a stranger can choose.
//
// Stored: other guards find a pace by its key, so the text below must never change.
func paceKey(a agent.Agent, asked *ask) string {
	var b strings.Builder
	fmt.Fprintf(&b, "1 %s\ndelay %d\n", strings.ToLower(a.Token), asked.delay.Delay)
	for _, r := range asked.rates {
		fmt.Fprintf(&b, "rate %d %d", r.Documents, r.Period)
		if r.Window != nil {
			fmt.Fprintf(&b, " %d %d", r.Window.From, r.Window.To)
		}
		b.WriteByte('\n')
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:16])
}
