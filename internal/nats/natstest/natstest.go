// Package natstest runs NATS servers for tests: in this process, as a cluster whose cables can be
// cut, and in a process that is killed.
package natstest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/cable"
	"github.com/robotsexclusion/robots/internal/freeport"
	"github.com/robotsexclusion/robots/internal/reexec"
)

// options returns the options of a server with a folder, at an address.
func options(name, dir, address string) *server.Options {
	host, text, _ := net.SplitHostPort(address)
	port, _ := strconv.Atoi(text)
	return &server.Options{
		ServerName: name, Host: host, Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: dir,
	}
}

// Start runs a server in this process until the test ends, and returns its URL.
func Start(t testing.TB) (url string) {
	t.Helper()
	return Cluster(t, 1)[0].Direct()
}

const dirVariable, addressVariable = "ROBOTS_TEST_NATS_DIR", "ROBOTS_TEST_NATS_ADDRESS"

// Main runs a server if this process was started by [Process], until standard input ends. It
// reports whether it did so: TestMain calls it first.
func Main() bool {
	dir := os.Getenv(dirVariable)
	if dir == "" {
		return false
	}
	o := options("shared", dir, os.Getenv(addressVariable))
	o.SyncAlways = true
	s, err := server.NewServer(o)
	if err != nil {
		fmt.Println(err)
		return true
	}
	s.Start()
	if s.ReadyForConnections(30 * time.Second) {
		fmt.Println(s.ClientURL())
	}
	io.Copy(io.Discard, os.Stdin)
	return true
}

// Process runs a server with a folder, at an address, in a process of its own, until the test ends
// or kill is called. The TestMain of the package calls [Main].
func Process(t testing.TB, dir, address string) (url string, kill func()) {
	t.Helper()
	cmd := reexec.Command(t, dirVariable+"="+dir, addressVariable+"="+address)
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

// A Node is a server of a cluster in this process. All of its connections go through cables: those
// of clients, and those to other servers of the cluster.
type Node struct {
	Clients *cable.Cable
	options server.Options
	server  *server.Server
	routes  map[int]*cable.Cable // to the other servers
}

// Nodes are the servers of a cluster.
type Nodes []*Node

// Cluster runs servers that form a cluster until the test ends.
func Cluster(t testing.TB, n int) (nodes Nodes) {
	t.Helper()
	addresses := make([]string, n)
	for i := range addresses {
		addresses[i] = freeport.Address(t)
	}
	for i, address := range addresses {
		node := &Node{routes: make(map[int]*cable.Cable)}
		node.options = *options(fmt.Sprintf("n%d", i), t.TempDir(), address)
		o := &node.options
		if n > 1 {
			// No server and no client may find a way around the cables.
			o.Cluster = server.ClusterOpts{
				Name: "test", Host: o.Host, Port: o.Port, NoAdvertise: true, Advertise: "127.0.0.1:1",
			}
			for j := range n {
				if j != i {
					l := cable.New(t, addresses[j])
					node.routes[j] = l
					o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: l.Addr()})
				}
			}
		}
		o.Port = server.RANDOM_PORT
		node.start(t)
		t.Cleanup(node.Stop)
		nodes = append(nodes, node)
	}
	for _, node := range nodes {
		node.ready(t)
		address := node.server.Addr().(*net.TCPAddr)
		node.Clients = cable.New(t, address.String())
		node.options.Port = address.Port // the same after a restart
	}
	leads := func(n *Node) bool { return n.server.JetStreamIsLeader() }
	for end := time.Now().Add(time.Minute); !slices.ContainsFunc(nodes, leads); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the NATS servers have no leader")
		}
	}
	return nodes
}

// URL returns the URL of a server, through its cable.
func (n *Node) URL() string { return "nats://" + n.Clients.Addr() }

// Direct returns the URL of a server without a cable.
func (n *Node) Direct() string { return n.server.ClientURL() }

// Start starts a server that was stopped, and waits for it.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	n.start(t)
	n.ready(t)
}

func (n *Node) start(t testing.TB) {
	t.Helper()
	o := n.options
	var err error
	if n.server, err = server.NewServer(&o); err != nil {
		t.Fatal(err)
	}
	n.server.Start()
}

func (n *Node) ready(t testing.TB) {
	t.Helper()
	if !n.server.ReadyForConnections(time.Minute) {
		t.Fatal("a NATS server does not start")
	}
}

// Stop stops a server.
func (n *Node) Stop() {
	n.server.Shutdown()
	n.server.WaitForShutdown()
}

// Cut cuts a server from the others, in both directions, or connects it again.
func (nodes Nodes) Cut(one int, cut bool) {
	for i, node := range nodes {
		for to, route := range node.routes {
			if i == one || to == one {
				route.Cut(cut)
			}
		}
	}
}
