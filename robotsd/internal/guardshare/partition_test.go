package guardshare

import (
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/cable"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// TestPartition has a guard share pace through a cable that is cut, which does not close the
// connection. Meanwhile requests are decided by the guard's own share, and afterwards the other
// guard learns of them. The second time the connection is lost too, by pings without an answer.
func TestPartition(t *testing.T) {
	t.Parallel()
	url, _ := natstest.Process(t, t.TempDir(), ports.Address(t))
	l := cable.New(t, strings.TrimPrefix(url, "nats://"))
	list := names(t)
	for _, ping := range []time.Duration{time.Hour, 50 * time.Millisecond} {
		short := times{interval: 10 * time.Millisecond, retry: 20 * time.Millisecond, exchange: 300 * time.Millisecond,
			ping: ping}
		cut, whole := newGuard(), newGuard()
		notices := make(chan error, 1000)
		shares := make([]*Share, 2)
		var err error
		if shares[0], err = start("nats://"+l.Addr(), "shop.example", cut.Paces, func(err error) { notices <- err },
			short); err != nil {
			t.Fatal(err)
		}
		if shares[1], err = start(url, "shop.example", whole.Paces, func(error) {}, short); err != nil {
			t.Fatal(err)
		}
		here := func(header string) string { return ask(cut, header).String() }
		there := func(header string) string { return ask(whole, header).String() }
		list = list[slowAt(t, list, here, there):]

		l.Cut(true)
		during := list[:3]
		list = list[3:]
		for _, name := range during[:2] {
			// The first request is on its way to the server, which does not answer, while the
			// others are decided.
			if first, second := here(name), here(name); first != "pass" || second != "slow" {
				t.Errorf("%s while the cable is cut: got %s and %s", name, first, second)
			}
		}
		notice := func(text string) {
			until(t, text, func() bool {
				select {
				case err := <-notices:
					return strings.Contains(err.Error(), text)
				default:
					return false
				}
			})
		}
		notice("not shared")
		// The guard has only its own share now, and a request that it lets pass is not known
		// elsewhere.
		if mine, other := here(during[2]), there(during[2]); mine != "pass" || other != "pass" {
			t.Errorf("a robot at two guards apart: got %s and %s", mine, other)
		}
		if ping < time.Second {
			until(t, "the connection is lost", func() bool { return !shares[0].conn.IsConnected() })
		}
		l.Cut(false)
		notice("shared with other guards again")
		until(t, "the guards know the same", func() bool {
			return len(cut.Paces.Unshared())+len(whole.Paces.Unshared()) == 0
		})
		list = list[slowAt(t, list, here, there):]
		list = list[slowAt(t, list, there, here):]
		for _, s := range shares {
			s.Close()
		}
	}
}
