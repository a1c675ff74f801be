package notify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/notify"
)

// A pipeNet is a network in memory, because a connection of the system stops the clock of a bubble.
type pipeNet chan net.Conn

func (p pipeNet) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (pipeNet) Close() error   { return nil }
func (pipeNet) Addr() net.Addr { return &net.TCPAddr{} }

// transport returns a transport whose connections all lead to the network.
func (p pipeNet) transport() *http.Transport {
	return &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn,
		error) {
		client, server := net.Pipe()
		p <- server
		return client, nil
	}}
}

// serve serves until the end of the test.
func (p pipeNet) serve(handler http.HandlerFunc) (stop func()) {
	server := &http.Server{Handler: handler}
	done := make(chan struct{})
	go func() { server.Serve(p); close(done) }()
	return func() { close(p); <-done; server.Close() }
}

const (
	day     = 24 * time.Hour
	live    = "User-agent: *\nDisallow: /admin/\n"
	shop    = live + "Disallow: /shop/\n"
	staging = "User-agent: *\nDisallow: /\n"
)

// month says what each site serves at a time of the month, and want which updates its receivers
// get.
var month = map[string]struct {
	serve func(at time.Duration) (status int, text string)
	want  string
}{
	"comments": {func(at time.Duration) (int, string) {
		return 200, fmt.Sprintf("# day %d\n%s", at/day, live)
	}, ""},
	"deploys": {func(at time.Duration) (int, string) {
		if 5*day <= at && at < 6*day {
			return 200, staging
		}
		return 200, live
	}, "begun closed-site, ended closed-site"},
	"closes": {func(at time.Duration) (int, string) {
		if at >= 3*day {
			return 200, shop
		}
		return 200, live
	}, "begun closed-search, accepted closed-search"},
	"fails": {func(at time.Duration) (int, string) {
		if 8*day <= at && at < 10*day || 13*day <= at && at < 13*day+time.Minute {
			return 503, ""
		}
		return 200, live
	}, "begun unreachable, changed unreachable, ended unreachable"},
	"falls": {func(at time.Duration) (int, string) {
		if 12*day <= at && at < 12*day+8*time.Hour {
			return 200, "<!doctype html><html><body>App</body></html>"
		}
		return 200, live
	}, "begun html, ended html"},
	"flaps": {func(at time.Duration) (int, string) {
		if 15*day <= at && at < 16*day && at/(2*time.Hour)%2 == 0 {
			return 200, shop
		}
		return 200, live
	},
		"begun closed-search, ended closed-search, begun closed-search, ended closed-search, begun closed-search, ended closed-search, flapping closed-search, ended closed-search"},
	"loses": {func(at time.Duration) (int, string) {
		if at >= 20*day {
			return 404, ""
		}
		return 200, live
	}, "begun status, accepted status"},
}

// TestMonth watches sites for a month in which they change, the receiver fails in every way, and
// the watch is started again and again. Each update arrives, in order, and once if the receiver
// drops what it has by its id.
func TestMonth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		sites, hook := make(pipeNet), make(pipeNet)
		stopSites := sites.serve(func(w http.ResponseWriter, r *http.Request) {
			name, _, _ := strings.Cut(r.Host, ".")
			status, text := month[name].serve(time.Since(start))
			w.WriteHeader(status)
			io.WriteString(w, text)
		})
		defer stopSites()

		var mu sync.Mutex
		got, seen, tries, doubles := make(map[string][]string), make(map[string]bool), 0, 0
		stopHook := hook.serve(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			mu.Lock()
			defer mu.Unlock()
			tries++
			at := time.Since(start)
			switch {
			case 5*day <= at && at < 6*day+12*time.Hour:
				w.WriteHeader(http.StatusInternalServerError)
				return
			case 8*day <= at && at < 9*day:
				mu.Unlock()
				<-r.Context().Done() // no answer until the client hangs up
				mu.Lock()
				return
			case 12*day <= at && at < 12*day+3*time.Hour:
				w.Header().Set("Retry-After", "3600")
				w.WriteHeader(http.StatusTooManyRequests)
				return
			}
			var message struct {
				Data struct {
					monitor.Event
					Events []monitor.Event
				}
			}
			if err != nil || json.Unmarshal(body, &message) != nil {
				t.Errorf("%v: %s", err, body)
			}
			if id := r.Header.Get("Webhook-Id"); seen[id] {
				doubles++
			} else {
				seen[id] = true
				events := message.Data.Events
				if events == nil {
					events = append(events, message.Data.Event)
				}
				for _, e := range events {
					for _, u := range e.Updates {
						got[e.Origin] = append(got[e.Origin], fmt.Sprint(u.Step, " ", u.Finding.Kind))
					}
				}
			}
			if 10*day <= at && at < 10*day+12*time.Hour {
				panic(http.ErrAbortHandler) // it has the event, and its answer is lost
			}
		})
		defer stopHook()

		history := new(fetch.Memory)
		c := monitor.Config{Dir: t.TempDir(),
			Subscriptions: []monitor.Subscription{{Name: "hook", Receiver: &notify.Webhook{URL: "http://hook.example/",
				Client: &http.Client{Transport: hook.transport()}}}}}
		for name := range month {
			c.Sites = append(c.Sites, monitor.Site{URL: "http://" + name + ".example", Every: 2 * time.Hour})
		}
		slices.SortFunc(c.Sites, func(a, b monitor.Site) int { return strings.Compare(a.URL, b.URL) })
		failures := 0
		c.Failed = func(error) { failures++ }
		for _, until := range []time.Duration{2*day + time.Hour, 5*day + 3*time.Hour, 8*day + 5*time.Hour, 8*day +
			6*time.Hour, 12*day + time.Hour, 15*day + 7*time.Hour, 22 * day, 30 * day} {
			c.Looker = &monitor.Looker{Lookup: noAddress, History: history, Transport: sites.transport()}
			m, err := monitor.New(c)
			fatal.If(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), until-time.Since(start))
			m.Run(ctx)
			cancel()
			synctest.Wait()
			fatal.If(t, m.Close())
		}
		mu.Lock()
		defer mu.Unlock()
		for name, site := range month {
			if got := strings.Join(got["http://"+name+".example"], ", "); got != site.want {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, site.want)
			}
		}
		if doubles == 0 || failures == 0 {
			t.Errorf("%d events came twice and %d tries failed: the receiver did not fail in every way", doubles,
				failures)
		}
		if tries > 300 {
			t.Errorf("a receiver that is down for a day was tried %d times", tries)
		}
	})
}

// noAddress is the DNS of sites that have no addresses.
func noAddress(context.Context, string) ([]netip.Addr, error) { return nil, errors.New("no such host") }
