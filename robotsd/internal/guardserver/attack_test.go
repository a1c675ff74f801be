package guardserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"attack": runAttackers})
	os.Exit(m.Run())
}

// TestAttack attacks a guard from thousands of addresses of this machine: floods with forged names
// and made up ones, clients that send headers and bodies slowly, or take answers slowly or never,
// huge headers, and requests that hide other requests; then the upstream dies and comes back.
// People must be answered meanwhile, nothing hidden may arrive, and nothing may be left. It takes
// two seconds; GUARD_ATTACK=2m attacks for longer, and a bare ReverseProxy as long before:
//
//	GUARD_ATTACK=2m go test -run TestAttack -v ./robotsd/internal/guardserver
//
// It logs how long people waited without and with the attack, and what the requests are over an
// hour. Attackers are another process, with the lowest priority, since they would be other
// machines: on this one they take processor time from people, upstream and guard.
func TestAttack(t *testing.T) {
	length := 2 * time.Second
	if text := os.Getenv("GUARD_ATTACK"); text != "" {
		var err error
		if length, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		a := newAttack(t, true, 0)
		calm := a.people(length / 4)
		report := a.begin(t)
		t.Logf("bare ReverseProxy: people: %v without the attack, %v with it", calm, a.people(length/2))
		t.Logf("bare ReverseProxy: attack: %s", report())
		a.close(t)
	} else if testing.Short() {
		t.Skip("it is long")
	}
	goroutines, files, memory := runtime.NumGoroutine(), openFiles(t), heap()
	a := newAttack(t, false, max(length/12, 500*time.Millisecond))
	calm := a.people(length / 4)
	began, report := time.Now(), a.begin(t)
	attacked := a.people(length / 2)
	a.site.Close()
	a.failing.Store(true) // people get 502 while the upstream is gone
	a.people(length / 8)
	a.serveSite(t)
	a.failing.Store(false)
	after := a.people(length / 8)
	attackedFor := time.Since(began)
	counts := report()

	t.Logf("people: %v without the attack, %v with it, %v after the upstream came back", calm, attacked, after)
	t.Logf("attack: %s", counts)
	t.Logf("attack: as many requests as an hour with %.1f a second has; an hour at the speed of this test has %.0f",
		float64(counts.Sent)/3600, float64(counts.Sent)/attackedFor.Hours())
	if calm.count == 0 || attacked.count == 0 || after.count == 0 || counts.Refused == 0 {
		t.Error("there was nothing to compare")
	}
	if counts.Ended == 0 || counts.Kept > 0 {
		t.Errorf("%d slow clients were ended, and %d were not", counts.Ended, counts.Kept)
	}
	if n := a.hidden.Load(); n > 0 {
		t.Errorf("%d hidden requests arrived", n)
	}
	a.close(t)
	for range 1000 {
		if runtime.NumGoroutine() <= goroutines && openFiles(t) <= files {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if g, f := runtime.NumGoroutine(), openFiles(t); g > goroutines || f > files {
		stacks := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after; %d open files before, %d after\n%s", goroutines, g, files, f,
			stacks[:runtime.Stack(stacks, true)])
	}
	t.Logf("heap: %d KB before, %d KB after", memory>>10, heap()>>10)
}

// openFiles returns the number of open files, or 0 where it cannot be known.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// An attack is a guard, or a bare proxy, with its site.
type attack struct {
	t       *testing.T
	server  *Server
	listen  net.Listener
	site    *http.Server
	origin  *url.URL
	address string
	failing atomic.Bool // the upstream is gone
	hidden  atomic.Int64
}

func newAttack(t *testing.T, bare bool, stall time.Duration) *attack {
	a := &attack{t: t}
	a.serveSite(t)
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nCrawl-delay: 10\n"))
	folder := t.TempDir()
	for _, token := range []string{"Googlebot", "GPTBot", "bingbot", "AhrefsBot"} {
		for _, name := range agent.Named(token).Recipe().Ranges {
			file := filepath.Join(folder, strings.NewReplacer(":", "%3A", "/", "%2F").Replace(name))
			// half of all clients are forged
			fatal.If(t, os.WriteFile(file, []byte(`{"prefixes": [{"ipv4Prefix": "0.0.0.0/1"}]}`), 0o600))
		}
	}
	trusted := guard.Proxies{netip.MustParsePrefix("127.0.0.0/9")}
	a.server = New(Options{
		Upstream: a.origin, Proxies: trusted, Timeout: 10 * time.Second, Stall: stall, Notice: func(error) {},
		Record: Log(io.Discard, func(err error) { t.Error(err) }),
		Guard: &guard.Guard{Policy: guard.Fixed(policy), Client: trusted.Client,
			Identities: &guard.Identities{Verifier: &agent.Verifier{Folder: folder}}},
	})
	if bare {
		a.server.Handler = &httputil.ReverseProxy{
			Rewrite:  func(r *httputil.ProxyRequest) { r.SetURL(a.origin) },
			ErrorLog: log.New(io.Discard, "", 0),
		}
	}
	var err error
	if a.listen, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	a.address = a.listen.Addr().String()
	go a.server.Serve(a.listen)
	return a
}

// serveSite serves the upstream, at the same address as before.
func (a *attack) serveSite(t *testing.T) {
	t.Helper()
	address := "127.0.0.1:0"
	if a.origin != nil {
		address = a.origin.Host
	}
	l, err := net.Listen("tcp", address)
	fatal.If(t, err)
	a.origin = &url.URL{Scheme: "http", Host: l.Addr().String()}
	a.site = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.RequestURI, "hidden") {
			a.hidden.Add(1)
		}
		if strings.HasPrefix(r.URL.Path, "/big") {
			for err := error(nil); err == nil && r.Context().Err() == nil; {
				_, err = w.Write(make([]byte, 1<<20))
			}
			return
		}
		io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "page %s", r.URL.Path)
	})}
	go a.site.Serve(l)
}

func (a *attack) close(t *testing.T) {
	t.Helper()
	a.listen.Close()
	ending, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	a.server.Drain(ending)
	a.site.Close()
}

// waits are how long people waited for answers.
type waits struct {
	count    int
	p50, p99 time.Duration
}

func (w waits) String() string {
	return fmt.Sprintf("%d answers, p50 %v, p99 %v", w.count, w.p50.Round(10*time.Microsecond),
		w.p99.Round(10*time.Microsecond))
}

// people has eight people read pages for some time. While the upstream is there each page must
// arrive.
func (a *attack) people(length time.Duration) (w waits) {
	var mu sync.Mutex
	var took []time.Duration
	end := time.Now().Add(length)
	var all sync.WaitGroup
	for person := range 8 {
		all.Go(func() {
			transport := &http.Transport{}
			defer transport.CloseIdleConnections()
			for page := 0; time.Now().Before(end); page++ {
				path := fmt.Sprintf("/private/%d/%d", person, page)
				r, _ := http.NewRequest("GET", "http://"+a.address+path, nil)
				r.Header.Set("User-Agent", firefox)
				began := time.Now()
				answer, err := transport.RoundTrip(r)
				if err != nil {
					a.t.Errorf("a person got no answer: %v", err)
					return
				}
				body, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				wait := time.Since(began)
				if !a.failing.Load() && (err != nil || answer.StatusCode != 200 || string(body) != "page "+path) {
					a.t.Errorf("a person got %d %q, %v", answer.StatusCode, body, err)
				}
				mu.Lock()
				took = append(took, wait)
				mu.Unlock()
				time.Sleep(5 * time.Millisecond)
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	if w.count = len(took); w.count > 0 {
		w.p50, w.p99 = took[len(took)/2], took[len(took)*99/100]
	}
	return w
}

// begin starts the attack, waits until it has been refused something, and returns a function that
// ends it and returns what happened.
func (a *attack) begin(t *testing.T) (report func() attackCounts) {
	t.Helper()
	cmd := child.Command("attack", a.address)
	if nice, err := exec.LookPath("nice"); err == nil {
		cmd.Path, cmd.Args = nice, append([]string{"nice", "-n", "19", cmd.Path}, cmd.Args[1:]...)
	}
	cmd.Stderr = t.Output()
	in, err := cmd.StdinPipe()
	fatal.If(t, err)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	answers := json.NewDecoder(out)
	if err == nil {
		err = answers.Decode(new(attackCounts)) // the attack has begun
	}
	fatal.If(t, err)
	return func() (counts attackCounts) {
		t.Helper()
		in.Close()
		err := answers.Decode(&counts)
		if err := errors.Join(err, cmd.Wait()); err != nil {
			t.Errorf("the attackers: %v", err)
		}
		return counts
	}
}

// attackCounts are the requests of attackers.
type attackCounts struct{ Sent, Addresses, Refused, Dropped, Ended, Kept int64 }

func (c attackCounts) String() string {
	return fmt.Sprintf("%d requests from %d addresses, %d answered with 4xx, %d without an answer; %d slow bodies and slow readers ended by the guard, %d not",
		c.Sent, c.Addresses, c.Refused, c.Dropped, c.Ended, c.Kept)
}

// attackers attack an address, and count what happens.
type attackers struct {
	address string

	sent, refused, dropped atomic.Int64
	ended, kept            atomic.Int64 // clients that stall

	mu   sync.Mutex
	from map[netip.Addr]bool
}

// runAttackers attacks until standard input ends, and prints the counts.
func runAttackers(address string) {
	a := &attackers{address: address, from: make(map[netip.Addr]bool)}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { a.flood(ctx, rand.New(rand.NewPCG(1, uint64(i)))) })
	}
	for range 50 {
		all.Go(func() { a.slow(ctx) })
	}
	for i := range 30 {
		all.Go(func() { a.stall(ctx, i) })
	}
	all.Go(func() { a.hide(ctx) })
	all.Go(func() { a.huge(ctx) })
	for a.refused.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	counts := json.NewEncoder(os.Stdout)
	counts.Encode(attackCounts{}) // the attack has begun
	io.Copy(io.Discard, os.Stdin)
	stop()
	all.Wait()
	counts.Encode(attackCounts{a.sent.Load(), int64(len(a.from)), a.refused.Load(), a.dropped.Load(), a.ended.Load(),
		a.kept.Load()})
}

// dial connects from an address that nobody has used, if the system has such addresses.
func (a *attackers) dial(ctx context.Context, random *rand.Rand) (net.Conn, error) {
	from := netip.AddrFrom4([4]byte{127, byte(128 + random.IntN(128)), byte(random.IntN(256)),
		byte(1 + random.IntN(250))})
	if runtime.GOOS != "linux" {
		from = netip.MustParseAddr("127.0.0.1")
	}
	a.mu.Lock()
	a.from[from] = true
	a.mu.Unlock()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from.AsSlice()}, Timeout: 5 * time.Second}
	return d.DialContext(ctx, "tcp", a.address)
}

// exchange sends bytes by a connection, and counts the answer.
func (a *attackers) exchange(ctx context.Context, random *rand.Rand, requests string) {
	c, err := a.dial(ctx, random)
	if err != nil {
		a.dropped.Add(1)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(2 * time.Second))
	a.sent.Add(1)
	go io.WriteString(c, requests)
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	switch {
	case err != nil:
		a.dropped.Add(1)
	case answer.StatusCode >= 400 && answer.StatusCode < 500:
		a.refused.Add(1)
	}
}

// flood sends requests of robots: forged names, made up ones, odd targets, each from another
// address, or from a trusted proxy that names another client.
func (a *attackers) flood(ctx context.Context, random *rand.Rand) {
	names := []string{"Googlebot/2.1", "GPTBot/1.0", "bingbot/2.0", "Mozilla/5.0 (compatible; AhrefsBot/7.0)"}
	targets := []string{"/private/x", "//private/x", "/a/../private/%2e%2e/x", "/x", "/%zz", "/robots.txt", "/" +
		strings.Repeat("a/", 1000), "/%70rivate%2Fx?" + strings.Repeat("&", 500)}
	for ctx.Err() == nil {
		name := names[random.IntN(len(names))]
		if random.IntN(2) == 0 {
			name = fmt.Sprintf("Made%dUpBot/%d", random.Uint32(), random.IntN(10))
		}
		a.exchange(ctx, random,
			fmt.Sprintf("GET %s HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: %s\r\nX-Forwarded-For: %d.%d.%d.%d, 10.0.0.1\r\nConnection: close\r\n\r\n",
				targets[random.IntN(len(targets))], name, random.IntN(256), random.IntN(256), random.IntN(256),
				random.IntN(256)))
		time.Sleep(5 * time.Millisecond)
	}
}

// slow opens a connection and sends a byte of a header now and then.
func (a *attackers) slow(ctx context.Context) {
	random := rand.New(rand.NewPCG(2, 2))
	for ctx.Err() == nil {
		c, err := a.dial(ctx, random)
		if err != nil {
			return
		}
		io.WriteString(c, "GET / HTTP/1.1\r\nHost: shop.example\r\nX-Slow: ")
		for ctx.Err() == nil {
			if _, err := c.Write([]byte("x")); err != nil {
				break
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
		c.Close()
	}
}

// stall sends a byte of a body now and then, or takes an answer slowly or never, until the server
// ends the request. It waits for that after the end of the attack too: a server that waits for its
// clients would never be rid of them.
func (a *attackers) stall(ctx context.Context, i int) {
	random := rand.New(rand.NewPCG(5, uint64(i)))
	const post = "POST /x HTTP/1.1\r\nHost: shop.example\r\n"
	for ctx.Err() == nil {
		c, err := a.dial(ctx, random)
		if err != nil {
			return
		}
		c.SetDeadline(time.Now().Add(time.Minute))
		a.sent.Add(1)
		dribble := ""
		switch i % 5 {
		case 0:
			io.WriteString(c, post+"Content-Length: 1000000\r\n\r\n")
			dribble = "x"
		case 1:
			io.WriteString(c, post+"Transfer-Encoding: chunked\r\n\r\n")
			dribble = "1\r\nx\r\n"
		case 2:
			c.(*net.TCPConn).SetReadBuffer(4 << 10)
			io.WriteString(c, "GET /big HTTP/1.1\r\nHost: shop.example\r\n\r\n")
		case 3, 4: // one asks for a big answer, and one for a small one
			newFrames(c).ask(1, endStream, "GET", []string{"/big", "/x"}[i%2], firefox)
		}
		var got error
		switch {
		case dribble != "":
			done := make(chan bool)
			go func() {
				defer close(done)
				for err := error(nil); err == nil; time.Sleep(100 * time.Millisecond) {
					_, err = io.WriteString(c, dribble)
				}
			}()
			_, got = io.Copy(io.Discard, c)
			c.Close()
			<-done
		case i%5 == 2:
			for got == nil {
				time.Sleep(20 * time.Millisecond)
				if _, got = c.Read(make([]byte, 1)); got == nil {
					_, got = c.Write([]byte("x")) // fails if only the system still holds the answer, and not the server
				}
			}
		default:
			got = frames{c}.ended(1)
		}
		c.Close()
		if timeout := net.Error(nil); errors.As(got, &timeout) && timeout.Timeout() {
			a.kept.Add(1)
		} else {
			a.ended.Add(1)
		}
	}
}

// huge sends headers that no server should keep.
func (a *attackers) huge(ctx context.Context) {
	random := rand.New(rand.NewPCG(3, 3))
	for ctx.Err() == nil {
		a.exchange(ctx, random, "GET / HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: "+strings.Repeat("x", 1<<20)+
			"\r\n\r\n")
		a.exchange(ctx, random, "GET / HTTP/1.1\r\nHost: shop.example\r\n"+strings.Repeat("X-Many: y\r\n", 20_000)+
			"\r\n")
		time.Sleep(20 * time.Millisecond)
	}
}

// hide sends requests that some servers and proxies take for two, and others for one.
func (a *attackers) hide(ctx context.Context) {
	// The guard refuses this request where it sees it, so it arrives only if the guard takes it for
	// a part of another one.
	const hidden = "GET /private/hidden HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: " + robot + "\r\n\r\n"
	length := fmt.Sprint(len(hidden))
	random := rand.New(rand.NewPCG(4, 4))
	for ctx.Err() == nil {
		for _, fields := range []string{
			"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden,
			"Content-Length: 0\r\nContent-Length: " + length + "\r\n\r\n" + hidden,
			"Content-Length: +" + length + "\r\n\r\n" + hidden,
			"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" + hidden,
			"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + hidden,
			"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + hidden,
			"Transfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n" + hidden,
			"Content-Length: " + length + "\r\n\r\n" + hidden,
			"X: y\r\n Content-Length: 0\r\nContent-Length: " + length + "\r\n\r\n" + hidden,
			"Connection: Content-Length\r\nContent-Length: " + length + "\r\n\r\n" + hidden,
			"Transfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x;a\n", len(hidden)) + "\r\n" + hidden +
				"\r\n0\r\n\r\n",
		} {
			a.exchange(ctx, random, "POST /x HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: "+robot+"\r\n"+fields)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
