package natscache

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"serve": serve})
	os.Exit(m.Run())
}

// serve serves a folder at an address until standard input ends.
func serve(dir string) {
	host, text, _ := net.SplitHostPort(os.Getenv("NATSCACHE_TEST_ADDRESS"))
	port, _ := strconv.Atoi(text)
	s, err := server.NewServer(&server.Options{
		ServerName: "shared", Host: host, Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: dir,
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

// startServer starts a server with a folder, at an address, until the test ends or kill is called.
func startServer(t testing.TB, dir, address string) (url string, kill func()) {
	t.Helper()
	c := child.Start(t, "serve", dir, "NATSCACHE_TEST_ADDRESS="+address)
	if url = c.Line(); !strings.HasPrefix(url, "nats://") {
		t.Fatalf("the server says %q", url)
	}
	return url, c.Kill
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
