package robotsguard

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caddyserver/caddy/v2"
)

// TestBareReload counts the requests that fail while Caddy loads configurations, bare and with the
// module. A server of net/http closes connections at its end before it has read their request
// (golang/go issues 36819 and 75591), and Caddy ends one at each reload:
//
//	CADDY_RELOADS=500 go test -run TestBareReload -v .
func TestBareReload(t *testing.T) {
	reloads, err := strconv.Atoi(os.Getenv("CADDY_RELOADS"))
	if err != nil {
		t.Skip("CADDY_RELOADS says how often to reload")
	}
	file := write(t, "robots.txt", rules)
	for _, test := range []struct{ name, directive string }{
		{"bare", ""},
		{"with robots_guard", "\trobots_guard {\n\t\trobots " + file + "\n\t}\n"},
	} {
		port := freePort(t)
		site := func(n int) string {
			return fmt.Sprintf("http://:%s {\n%s\trespond \"served %d\"\n}\n", port, test.directive, n)
		}
		load(t, site(0))
		var stop atomic.Bool
		var sent [2]atomic.Int64
		var failed [2]atomic.Int64
		var clients sync.WaitGroup
		for i := range 4 {
			kept := i % 2
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: kept == 0}}
			clients.Go(func() {
				defer client.CloseIdleConnections()
				for !stop.Load() {
					sent[kept].Add(1)
					answer, err := client.Get("http://" + loopback + ":" + port + "/x")
					if err != nil {
						failed[kept].Add(1)
						continue
					}
					if _, err := io.Copy(io.Discard, answer.Body); err != nil {
						failed[kept].Add(1)
					}
					answer.Body.Close()
				}
			})
		}
		for i := range reloads {
			load(t, site(i+1))
			time.Sleep(20 * time.Millisecond)
		}
		stop.Store(true)
		clients.Wait()
		caddy.Stop()
		t.Logf("%s: %d reloads, %d of %d requests on new connections failed, %d of %d on kept ones", test.name, reloads,
			failed[0].Load(), sent[0].Load(), failed[1].Load(), sent[1].Load())
	}
}
