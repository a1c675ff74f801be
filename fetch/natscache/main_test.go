package natscache

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"net"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/reexec"
)

// TestMain lets the tests run this program again as a NATS server that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("NATSCACHE_TEST_SERVER"); dir != "" {
		serve(dir)
		return
	}
	os.Exit(m.Run())
}

// serve serves a folder at a port until standard input ends.
func serve(dir string) {
	port, _ := strconv.Atoi(os.Getenv("NATSCACHE_TEST_PORT"))
	s, err := server.NewServer(&server.Options{
		ServerName: "shared", Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: dir,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	s.Start()
	if s.ReadyForConnections(30 * time.Second) {
		fmt.Println(s.ClientURL())
	}
	io.Copy(io.Discard, os.Stdin)
}

// startServer starts a server with a folder, at a port or "-1" for any, until the test ends or kill is
// called.
func startServer(t testing.TB, dir, port string) (url string, kill func()) {
	t.Helper()
	cmd := reexec.Command(t, "NATSCACHE_TEST_SERVER="+dir, "NATSCACHE_TEST_PORT="+port)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	t.Cleanup(kill)
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "nats://") {
		t.Fatalf("the server says %q", lines.Text())
	}
	return lines.Text(), kill
}

// until waits until do reports true.
func until(t testing.TB, why string, do func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !do(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in a minute: %s", why)
		}
	}
}

// A link passes bytes between clients and a server. While it is stopped, it accepts connections, and
// keeps all bytes without passing them on.
type link struct {
	net.Listener
	mu      sync.Mutex
	moved   *sync.Cond
	stopped bool
	conns   []net.Conn
}

func newLink(t testing.TB, server string) *link {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &link{Listener: listener}
	l.moved = sync.NewCond(&l.mu)
	var passing sync.WaitGroup
	passing.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				continue
			}
			l.mu.Lock()
			l.conns = append(l.conns, near, far)
			l.mu.Unlock()
			passing.Go(func() { l.pass(near, far) })
			passing.Go(func() { l.pass(far, near) })
		}
	})
	t.Cleanup(func() {
		l.Close()
		l.stop(false)
		l.mu.Lock()
		for _, c := range l.conns {
			c.Close()
		}
		l.mu.Unlock()
		passing.Wait()
	})
	return l
}

// pass copies bytes, and waits before each write while the link is stopped.
func (l *link) pass(from, to net.Conn) {
	defer to.Close()
	b := make([]byte, 4096)
	for {
		n, err := from.Read(b)
		l.mu.Lock()
		for l.stopped {
			l.moved.Wait()
		}
		l.mu.Unlock()
		if _, e := to.Write(b[:n]); e != nil || err != nil {
			return
		}
	}
}

// stop stops the link, or lets it pass bytes again.
func (l *link) stop(stopped bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = stopped
	l.moved.Broadcast()
}
