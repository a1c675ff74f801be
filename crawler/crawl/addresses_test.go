package crawl_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/testweb"
)

// manyAtOne is a web of many hosts at few addresses.
func manyAtOne(t *testing.T, hosts int) *testweb.Web {
	return startWild(t, testweb.Options{Hosts: hosts, Pages: 3 * hosts, Addresses: 1, Token: "TestBot",
		Kinds: []string{"ordinary"}, Texts: []string{"empty", "hops", "none"}})
}

// TestAddressPace crawls many hosts at few addresses. The hosts at an address share one pace,
// whatever their number, and no worker waits for that pace.
func TestAddressPace(t *testing.T) {
	t.Parallel()
	const gap = 10 * time.Millisecond
	web := manyAtOne(t, 60)
	ch := newTask(web, t.TempDir())
	ch.Gap, ch.Delay, ch.Workers, ch.NoArchive = gap, time.Millisecond, 4, true
	summary, err := crawl.New(*ch.crawler()).Run(t.Context(), web.Seeds()...)
	if err != nil || !summary.Finished {
		t.Fatalf("%+v, %v", summary, err)
	}
	options := wildCheck
	options.MinDelay, options.AddressGap = time.Millisecond, gap
	wantPolite(t, web, options)
}

// TestAddressPaceKilled does the same with a process that is killed several times, and with a
// budget that must hold across the kills.
func TestAddressPaceKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some time")
	}
	t.Parallel()
	const gap, quota = 5 * time.Millisecond, 40
	web := manyAtOne(t, 60)
	ch := newTask(web, t.TempDir())
	ch.Gap, ch.Quota, ch.Delay, ch.Pause = gap, quota, time.Millisecond, 10*time.Millisecond
	var kills []time.Time
	most := func() (n int) {
		asked := make(map[string]int)
		for r := range web.Requests() {
			asked[r.Server.String()]++
			n = max(n, asked[r.Server.String()])
		}
		return n
	}
	// Kill the process after some further requests, and often when the budget is spent.
	for spent := 0; spent < 3; {
		p := ch.start(t)
		before := web.Served()
		for end := time.Now().Add(10 * time.Second); web.Served() < before+40 && most() < quota &&
			time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		p.Process.Kill()
		p.Wait()
		if text := p.out.String(); strings.HasPrefix(text, "error") {
			t.Fatalf("after %d kills: %s", len(kills), text)
		}
		time.Sleep(served)
		if kills = append(kills, time.Now()); most() >= quota {
			spent++
		}
		if len(kills) > 20 {
			t.Fatalf("after %d kills an address had %d requests, want the budget of %d to be reached", len(kills),
				most(), quota)
		}
	}
	t.Logf("%d requests at most to an address, in spite of %d kills", most(), len(kills))
	options := wildCheck
	options.Whole, options.Kills, options.Grace = false, kills, 10*time.Second
	options.MinDelay, options.AddressGap, options.AddressBudget = time.Millisecond, gap, quota
	wantPolite(t, web, options)
}

// TestAddressWait: the status says that a host waits for its address, and why.
func TestAddressWait(t *testing.T) {
	t.Parallel()
	web := manyAtOne(t, 30)
	ch := newTask(web, t.TempDir())
	ch.Gap, ch.Delay, ch.NoArchive = 200*time.Millisecond, time.Millisecond, true
	c := ch.crawler()
	r := start(t, c, web.Seeds()...)
	defer r.end()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if s := r.Status(100); s != nil {
			for _, h := range s.Hosts {
				if h.Wait == "address" && strings.Contains(h.Why, "pause between requests to its address: 200ms") {
					return
				}
			}
		}
		if time.Now().After(end) {
			t.Fatal("no host waits for its address")
		}
	}
}
