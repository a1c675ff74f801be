//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/cable"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
	"github.com/robotsexclusion/robots/server/api"
)

// A sharing service is a process that shares, with its figures.
type sharingService struct {
	*guardProcess
	cmd     *exec.Cmd
	args    []string
	figures string
}

func startSharing(t *testing.T, nats string) *sharingService {
	t.Helper()
	s := &sharingService{figures: ports.Address(t)}
	s.args = []string{"--allow-private", "--nats", nats, "--metrics", s.figures}
	s.again(t)
	return s
}

// again starts the process.
func (s *sharingService) again(t *testing.T) {
	t.Helper()
	p := &guardProcess{address: ports.Address(t)}
	s.cmd = robotsProcess(t, append([]string{"serve", "--listen", p.address}, s.args...)...)
	s.cmd.Stderr = p
	fatal.If(t, s.cmd.Start())
	s.guardProcess = p
	t.Cleanup(s.kill)
	p.says(t, "robots: listening at http://"+p.address)
}

func (s *sharingService) kill() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
}

// figure returns the value of a figure, or "".
func (s *sharingService) figure(name string) string {
	answer, err := http.Get("http://" + s.figures + "/metrics")
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), name+" "); ok {
			return value
		}
	}
	return ""
}

// ask returns the rule that decides about a question.
func (s *sharingService) ask(u string) (rule string, err error) {
	answer, err := http.Get(s.question(u))
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	var m api.Match
	if err := json.NewDecoder(answer.Body).Decode(&m); err != nil || len(m.Results) != 1 {
		return "", fmt.Errorf("%s: %+v, %v", answer.Status, m, err)
	}
	return m.Results[0].Rule, nil
}

// A countingSite has many origins. The rule of each answer has the number of the request to its
// origin.
type countingSite struct {
	mu      sync.Mutex
	count   map[string]int
	gate    chan struct{} // requests wait for it, if it is not nil
	open    atomic.Int64
	servers []*httptest.Server
	handler http.Handler
}

func newCountingSite(t *testing.T) *countingSite {
	s := &countingSite{count: make(map[string]int)}
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.count[r.Host]++
		n, gate := s.count[r.Host], s.gate
		s.mu.Unlock()
		s.open.Add(1)
		defer s.open.Add(-1)
		if gate != nil {
			select {
			case <-gate:
			case <-r.Context().Done(): // the service was killed
				return
			}
		}
		fmt.Fprintf(w, "User-agent: *\nDisallow: /%d\nDisallow: /\n", n)
	})
	t.Cleanup(func() {
		s.hold(nil)
		for _, server := range s.servers {
			server.Close()
		}
	})
	return s
}

// origin returns another origin.
func (s *countingSite) origin() string {
	server := httptest.NewServer(s.handler)
	s.servers = append(s.servers, server)
	return server.URL
}

func (s *countingSite) hold(gate chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gate = gate
}

// requests returns how often an origin was asked.
func (s *countingSite) requests(origin string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count[strings.TrimPrefix(origin, "http://")]
}

// version returns the number in the robots.txt that a service has of an origin.
func (s *sharingService) version(origin string) (string, error) {
	answer, err := http.Get("http://" + s.address + "/v1/robots?" + url.Values{"origin": {origin}}.Encode())
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	_, rest, _ := strings.Cut(string(text), "Disallow: /")
	number, _, _ := strings.Cut(rest, `\n`)
	if number == "" && err == nil {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	return number, err
}

// until waits until do reports true.
func until(t *testing.T, why string, do func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !do(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in two minutes: %s", why)
		}
	}
}

// A sharingTest has the cluster and the services of a test.
type sharingTest struct {
	*testing.T
	nodes    natstest.Nodes
	services []*sharingService
	site     *countingSite
	origins  []string // that were asked for
}

// together waits until services share.
func (t *sharingTest) together(services ...*sharingService) {
	t.Helper()
	for _, s := range services {
		end := time.Now().Add(2 * time.Minute)
		for s.figure("robots_serve_shared") != "1" {
			if time.Now().After(end) {
				t.Fatalf("a service does not share:\n%s", s.says(t.T, ""))
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// oneFlight asks services at once for origins that nobody knows, until none of them was cut off
// meanwhile: on a busy machine any exchange can take too long. Then each origin has got one
// request.
func (t *sharingTest) oneFlight(services ...*sharingService) {
	t.Helper()
	until(t.T, "one flight", func() bool {
		t.together(services...)
		lost := func() (all string) {
			for _, s := range services {
				all += s.figure("robots_serve_shared_lost_total") + " "
			}
			return all
		}
		fetches := func() (n int) {
			for _, s := range services {
				one, _ := strconv.Atoi(s.figure("robots_serve_fetches_total"))
				n += one
			}
			return n
		}
		before, fetched := lost(), fetches()
		gate, origin := make(chan struct{}), t.site.origin()
		t.origins = append(t.origins, origin)
		t.site.hold(gate)
		var all sync.WaitGroup
		for i := range 5 * len(services) {
			all.Go(func() {
				if version, err := services[i%len(services)].version(origin); err != nil || version != "1" &&
					lost() == before {
					t.Errorf("version %q, %v", version, err)
				}
			})
		}
		until(t.T, "a request", func() bool { return t.site.requests(origin) > 0 })
		time.Sleep(100 * time.Millisecond) // for a second request, if there is one
		close(gate)
		all.Wait()
		t.site.hold(nil)
		n := t.site.requests(origin)
		if lost() != before {
			t.Logf("a service was cut off: %d requests", n)
			return false
		}
		if n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
		until(t.T, "the figures count one fetch", func() bool { return fetches() == fetched+1 })
		return true
	})
}

// alike waits until all services answer alike about all origins, without asking a site again.
func (t *sharingTest) alike() {
	t.Helper()
	t.together(t.services...)
	count := func() (n int) {
		for _, origin := range t.origins {
			n += t.site.requests(origin)
		}
		return n
	}
	before := count()
	until(t.T, "all answer alike", func() bool {
		for _, origin := range t.origins {
			first := ""
			for _, s := range t.services {
				version, err := s.version(origin)
				if err != nil || first != "" && version != first {
					return false
				}
				first = version
			}
		}
		return true
	})
	if after := count(); after != before {
		t.Logf("%d more requests", after-before) // of a service that was cut off for a moment
	}
}

// killWhileItLeads kills a service while it fetches. The others wait for its lease, and one of them
// fetches.
func (t *sharingTest) killWhileItLeads(victim *sharingService, others ...*sharingService) {
	t.Helper()
	t.together(append(others, victim)...)
	origin, gate := t.site.origin(), make(chan struct{})
	t.origins = append(t.origins, origin)
	t.site.hold(gate)
	var all sync.WaitGroup
	all.Go(func() { victim.version(origin) })
	until(t.T, "it fetches", func() bool { return t.site.open.Load() == 1 })
	for _, s := range others {
		all.Go(func() {
			if version, err := s.version(origin); err != nil || version == "1" {
				t.Errorf("version %q, %v", version, err)
			}
		})
	}
	time.Sleep(100 * time.Millisecond) // the others find the lease
	victim.kill()
	until(t.T, "another one fetches", func() bool { return t.site.requests(origin) >= 2 })
	close(gate)
	all.Wait()
	t.site.hold(nil)
	victim.again(t.T)
	t.together(victim)
}

// cutOff cuts a service off. It answers alone, says so once, and comes back.
func (t *sharingTest) cutOff(s *sharingService, cut func(bool), others ...*sharingService) {
	t.Helper()
	t.together(append(others, s)...)
	known := t.origins[0]
	before, err := s.version(known)
	if err != nil {
		t.Error(err)
	}
	cut(true)
	if version, err := s.version(known); err != nil || version != before {
		t.Errorf("a service that is cut off answers %q, %v, and answered %q", version, err, before)
	}
	origin := t.site.origin()
	t.origins = append(t.origins, origin)
	if version, err := s.version(origin); err != nil || version != "1" {
		t.Errorf("a service that is cut off answers %q, %v", version, err)
	}
	until(t.T, "it says that it is cut off", func() bool { return s.figure("robots_serve_shared") == "0" })
	s.says(t.T, "robots: robots.txt is not shared through NATS now: ")
	for _, other := range others {
		if version, err := other.version(origin); err != nil || version != "2" && version != "3" {
			t.Errorf("another service answers %q, %v", version, err)
		}
	}
	for range 20 {
		if version, err := s.version(origin); err != nil || version != "1" {
			t.Errorf("a service that is cut off answers %q, %v", version, err)
		}
	}
	cut(false)
	t.together(s)
	if said := s.says(t.T, "not shared"); strings.Count(said, "not shared") > 3 {
		t.Errorf("it says so for each request:\n%s", said)
	}
}

// TestServeShares has three services share through one server. One is killed while it leads, and
// one is cut off.
func TestServeShares(t *testing.T) {
	t.Parallel()
	x := &sharingTest{T: t, nodes: natstest.Cluster(t, 1), site: newCountingSite(t)}
	x.shortLeases()
	for range 3 {
		x.services = append(x.services, startSharing(t, x.nodes[0].Direct()))
	}
	cut := startSharing(t, x.nodes[0].URL())
	x.oneFlight(x.services...)
	x.killWhileItLeads(x.services[0], x.services[1], x.services[2])
	x.cutOff(cut, x.nodes[0].Clients.Cut, x.services...)
	x.services = append(x.services, cut)
	x.alike()
}

// TestServeSharesInCluster has three services share through a cluster of three servers. Services
// are killed, servers are stopped, the leader of the stream too, and both are cut off.
func TestServeSharesInCluster(t *testing.T) {
	if os.Getenv("ROBOTS_SHARE_ALL") == "" {
		t.Skip("takes minutes: set ROBOTS_SHARE_ALL=1")
	}
	x := &sharingTest{T: t, nodes: natstest.Cluster(t, 3), site: newCountingSite(t)}
	var urls []string
	for _, node := range x.nodes {
		urls = append(urls, node.URL())
	}
	all := strings.Join(urls, ",")
	for range 3 {
		x.services = append(x.services, startSharing(t, all))
	}
	begin := time.Now()
	step := func(what string, do func()) {
		t.Helper()
		do()
		x.oneFlight(x.services...)
		x.alike()
		t.Logf("%5.1f s: %s", time.Since(begin).Seconds(), what)
	}
	step("begin", func() {})
	config := x.streamInfo()
	if config.Config.Replicas != 3 || config.Config.AllowDirect {
		t.Errorf("the bucket has %d replicas, direct reads %v", config.Config.Replicas, config.Config.AllowDirect)
	}
	step("kill each service while it leads", func() {
		for i := range 3 {
			x.killWhileItLeads(x.services[i], x.services[(i+1)%3], x.services[(i+2)%3])
		}
	})
	step("stop each server, and ask meanwhile", func() {
		for i := range 3 {
			x.nodes[i].Stop()
			x.answersMeanwhile()
			x.oneFlight(x.services...) // two of three are enough
			x.nodes[i].Start(t)
		}
	})
	for range 2 {
		leader := x.streamInfo().Cluster.Leader
		step("stop the leader of the stream, "+leader, func() {
			node := x.nodes[leader[1]-'0']
			node.Stop()
			x.answersMeanwhile()
			x.oneFlight(x.services...)
			node.Start(t)
		})
	}
	step("cut a service from the cluster", func() {
		links := make([]*cable.Cable, 3)
		urls := make([]string, 3)
		for i, node := range x.nodes {
			links[i] = cable.New(t, strings.TrimPrefix(node.Direct(), "nats://"))
			urls[i] = "nats://" + links[i].Addr()
		}
		apart := startSharing(t, strings.Join(urls, ","))
		x.cutOff(apart, func(cut bool) {
			for _, l := range links {
				l.Cut(cut)
			}
		}, x.services...)
		x.services[0].kill()
		x.services[0] = apart
	})
	for i := range 2 {
		one := i
		if i == 1 {
			one = int(x.streamInfo().Cluster.Leader[1] - '0')
		}
		step(fmt.Sprintf("cut server %d from the others, with a service", one), func() {
			alone := startSharing(t, x.nodes[one].Direct())
			x.cutOff(alone, func(cut bool) { x.nodes.Cut(one, cut) })
			x.services[1].kill()
			x.services[1] = alone
		})
	}
	step("stop two of three servers", func() {
		x.nodes[0].Stop()
		x.nodes[1].Stop()
		x.answersMeanwhile()
		until(t, "all are cut off", func() bool {
			for _, s := range x.services {
				if s.figure("robots_serve_shared") != "0" {
					return false
				}
			}
			return true
		})
		x.answersMeanwhile()
		for _, node := range x.nodes[:2] {
			node.Start(t)
		}
	})
	x.services[2].signal = func(s os.Signal) { x.services[2].cmd.Process.Signal(s) }
	x.services[2].signal(syscall.SIGTERM)
	if err := x.services[2].cmd.Wait(); err != nil {
		t.Errorf("a service ends with %v", err)
	}
}

// answersMeanwhile asks all services for an origin, and each answers.
func (t *sharingTest) answersMeanwhile() {
	t.Helper()
	origin := t.site.origin()
	t.origins = append(t.origins, origin)
	var all sync.WaitGroup
	for _, s := range t.services {
		all.Go(func() {
			if rule, err := s.ask(origin + "/x"); err != nil || rule != "Disallow: /" {
				t.Errorf("%q, %v", rule, err)
			}
		})
	}
	all.Wait()
	if n := t.site.requests(origin); n < 1 || n > len(t.services) {
		t.Errorf("%d requests of %d services", n, len(t.services))
	}
}

// jetStream returns a connection to the first server, until the test ends.
func (t *sharingTest) jetStream() jetstream.JetStream {
	t.Helper()
	conn, err := nats.Connect(t.nodes[0].Direct())
	fatal.If(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	fatal.If(t, err)
	return js
}

// shortLeases makes the bucket of leases, as an operator can, with leases of five seconds.
func (t *sharingTest) shortLeases() {
	t.Helper()
	if _, err := t.jetStream().CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "robots-fetch-leases",
		TTL: 5 * time.Second, Storage: jetstream.MemoryStorage}); err != nil {
		t.Fatal(err)
	}
}

// streamInfo describes the stream of the entries.
func (t *sharingTest) streamInfo() (info *jetstream.StreamInfo) {
	t.Helper()
	js := t.jetStream()
	until(t.T, "the stream has a leader", func() bool {
		stream, err := js.Stream(t.Context(), "KV_robots-fetch")
		if err != nil {
			return false
		}
		info = stream.CachedInfo()
		return info.Cluster == nil || info.Cluster.Leader != ""
	})
	return info
}
