package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
)

// Paces are the times at which robots may send their next requests to a site. Guards of one site
// with the same Paces share the pace of its robots. After a change of robots.txt, a robot whose
// pace has not changed keeps its times. The zero Paces is ready for use, and safe for concurrent
// use. It remembers a bounded number of robots.
type Paces struct {
	mu     sync.Mutex
	robots map[string]*pacing // of the table, and of groups that robots.txt names
	others map[string]*pacing // of all other names, which any client can send
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

// place returns the pacing with a key. Of a map it keeps maxPacings; an arbitrary one of them makes
// place for another.
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

// paceKey returns a key for a robot and the pace that robots.txt asks of it: a hash, which a
// stranger cannot choose.
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
	return storedKey(b.String())
}

// storedKey returns a key for a text that has no byte of the text.
//
// Stored: other guards find values by it, so it must never change.
func storedKey(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// A Pace is when the next requests of a robot are due. Guards of one site share it. Zero times are
// long past.
type Pace struct {
	Delay time.Time // by Crawl-delay
	Rate  time.Time // by Request-rate, which is Documents in a Period

	Documents int
	Period    time.Duration
}

// Unshared returns the keys of the robots whose requests other guards do not know about. Only
// robots in the table and those that robots.txt names are shared, so clients cannot invent keys.
func (p *Paces) Unshared() (keys []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, robot := range p.robots {
		robot.mu.Lock()
		if robot.delay.unshared > 0 || robot.rate.unshared > 0 {
			keys = append(keys, key)
		}
		robot.mu.Unlock()
	}
	return keys
}

// Share calls write with the pace of the robot with a key: the pace that all guards know, and the
// requests that they do not know about. If write returns no error, they know now. Requests do not
// wait for write.
func (p *Paces) Share(key string, known Pace, write func(Pace) error) error {
	p.mu.Lock()
	robot := place(&p.robots, key)
	p.mu.Unlock()
	robot.mu.Lock()
	joined := robot.join(known)
	delay, rate := robot.delay.unshared, robot.rate.unshared
	robot.mu.Unlock()
	if err := write(joined); err != nil {
		return err
	}
	robot.mu.Lock()
	defer robot.mu.Unlock()
	robot.learn(joined)
	robot.delay.shared(delay)
	if joined.Documents == robot.documents && joined.Period == robot.period {
		robot.rate.shared(rate)
	}
	return nil
}

// Learn takes over a pace that another guard has written.
func (p *Paces) Learn(key string, known Pace) {
	p.mu.Lock()
	robot := place(&p.robots, key)
	p.mu.Unlock()
	robot.mu.Lock()
	defer robot.mu.Unlock()
	robot.learn(known)
}

// join returns a pace with the unshared requests.
func (p *pacing) join(known Pace) Pace {
	if known.Documents != p.documents || known.Period != p.period {
		known.Rate = time.Time{} // another rate holds now
	}
	return Pace{p.delay.join(known.Delay), p.rate.join(known.Rate), p.documents, p.period}
}

// learn takes a pace over.
func (p *pacing) learn(known Pace) {
	p.delay.due = later(p.delay.due, known.Delay)
	if p.documents == 0 {
		p.documents, p.period = known.Documents, known.Period
	}
	if known.Documents == p.documents && known.Period == p.period {
		p.rate.due = later(p.rate.due, known.Rate)
	}
}

// shared notes that other guards know about requests.
func (b *bucket) shared(d time.Duration) {
	if b.unshared -= d; b.unshared <= 0 {
		b.unshared = 0
	} else {
		b.first = b.last // the requests while write ran
	}
}
