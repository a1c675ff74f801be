package guardshare

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

const rules = "User-agent: *\nCrawl-delay: 1000\n"

func TestMain(m *testing.M) {
	child.Main(child.Tasks{natstest.Task: natstest.Serve, "decide": decide})
	os.Exit(m.Run())
}

// decide answers each line of standard input, a User-Agent header, with a decision.
func decide(url string) {
	g := newGuard()
	s, err := Start(url, "shop.example", g.Paces, func(err error) { fmt.Fprintln(os.Stderr, err) })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(ask(g, lines.Text()))
	}
}

func newGuard() *guard.Guard {
	return &guard.Guard{Policy: guard.Fixed(robots.Parse([]byte(rules))), Paces: new(guard.Paces)}
}

// ask returns the decision about a request.
func ask(g *guard.Guard, header string) guard.Action {
	r := httptest.NewRequest(http.MethodGet, "/page", nil)
	r.Header.Set("User-Agent", header)
	return g.Decide(r).Action
}

// until waits until do reports true.
func until(t *testing.T, why string, do func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !do(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in a minute: %s", why)
		}
	}
}

// slowAt waits until a guard knows the pace of a robot that another guard let pass: its next
// request, if it is the first, is slow. Each robot can be asked about once, so names has names of
// robots of the table that no guard has seen.
func slowAt(t *testing.T, names []string, first, second func(header string) string) (used int) {
	t.Helper()
	until(t, "the guards share", func() bool {
		if used == len(names) {
			t.Fatal("all names are used")
		}
		name := names[used]
		used++
		if got := first(name); got != "pass" {
			t.Fatalf("the first request of %s: got %s", name, got)
		}
		time.Sleep(min(100*time.Millisecond<<used, 5*time.Second))
		return second(name) == "slow"
	})
	return used
}

// names are robots of the table that keep Crawl-delay.
func names(t *testing.T) (list []string) {
	t.Helper()
	for _, name := range []string{"GPTBot", "ClaudeBot", "CCBot", "bingbot", "Amazonbot", "Bytespider", "DuckDuckBot",
		"PetalBot", "SemrushBot", "AhrefsBot", "MJ12bot", "DotBot", "YandexBot", "Baiduspider", "SeznamBot", "Applebot",
		"Slurp", "OAI-SearchBot", "PerplexityBot", "meta-externalagent"} {
		g := newGuard()
		if ask(g, name+"/1.0"); ask(g, name+"/1.0") == guard.Slow {
			list = append(list, name+"/1.0")
		}
	}
	return list
}

// TestShare has guards in several processes share a pace. One is killed, then the server is killed
// and comes back: no guard waits for it, and in the end the guards share again. Nothing is left
// after Close.
func TestShare(t *testing.T) {
	t.Parallel()
	dir, before := t.TempDir(), runtime.NumGoroutine()
	url, kill := natstest.Process(t, dir, ports.Address(t))
	other := child.Start(t, "decide", url)
	g := newGuard()
	notices := make(chan error, 100)
	s, err := Start(url, "shop.example", g.Paces, func(err error) { notices <- err })
	fatal.If(t, err)
	here := func(header string) string { return ask(g, header).String() }
	there := func(header string) string {
		other.Say(header)
		return other.Line()
	}
	list := names(t)
	list = list[slowAt(t, list, here, there):]
	list = list[slowAt(t, list, there, here):]

	// A new guard knows what those before it let pass.
	known := list[0]
	list = list[1:]
	here(known)
	other.Kill()
	other = child.Start(t, "decide", url)
	list = list[slowAt(t, list, here, there):]
	if got := there(known); got != "slow" {
		t.Errorf("a guard that starts later: got %s", got)
	}

	// Without the server each guard goes on alone, and refuses nothing that it would let pass
	// alone.
	kill()
	until(t, "the guard notices", func() bool {
		select {
		case err := <-notices:
			return strings.Contains(err.Error(), "not shared")
		default:
			return false
		}
	})
	alone := list[0]
	list = list[1:]
	for _, decide := range []func(string) string{here, there} {
		if first, second := decide(alone), decide(alone); first != "pass" || second != "slow" {
			t.Errorf("without the server: got %s and %s", first, second)
		}
	}
	natstest.Process(t, dir, strings.TrimPrefix(url, "nats://"))
	list = list[slowAt(t, list, here, there):]
	slowAt(t, list, there, here)

	s.Close()
	until(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before+3 })
}
