// Package natstest runs NATS servers for tests: in this process, as a cluster whose cables can be
// cut, and in a process that is killed.
package natstest

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/robotsexclusion/robots/internal/test/cable"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/ports"
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
func Start(t testing.TB, configure ...func(*server.Options)) (url string) {
	t.Helper()
	return Cluster(t, 1, configure...)[0].Direct()
}

// Task is the name of the task [Serve], for the TestMain of a package:
//
//	child.Main(child.Tasks{natstest.Task: natstest.Serve})
const Task = "nats"

const addressVariable = "ROBOTS_TEST_NATS_ADDRESS"

// Serve serves a folder in a child process, until the process is killed.
func Serve(dir string) {
	o := options("shared", dir, os.Getenv(addressVariable))
	o.SyncAlways = true
	s, err := server.NewServer(o)
	child.Check(err)
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		child.Check(errors.New("the server does not start"))
	}
	fmt.Println(s.ClientURL())
	s.WaitForShutdown()
}

// Process runs a server with a folder, at an address, in a child process, until the test ends or
// kill is called. The TestMain of the package knows [Task].
func Process(t testing.TB, dir, address string) (url string, kill func()) {
	t.Helper()
	c := child.Start(t, Task, dir, addressVariable+"="+address)
	if url = c.Line(); !strings.HasPrefix(url, "nats://") {
		t.Fatalf("the server says %q", url)
	}
	return url, c.Kill
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

// Cluster runs servers that form a cluster until the test ends. The functions change the options of
// each server.
func Cluster(t testing.TB, n int, configure ...func(*server.Options)) (nodes Nodes) {
	t.Helper()
	addresses := make([]string, n)
	for i := range addresses {
		addresses[i] = ports.Address(t)
	}
	for i, address := range addresses {
		node := &Node{routes: make(map[int]*cable.Cable)}
		node.options = *options(fmt.Sprintf("n%d", i), folder(t), address)
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
		for _, change := range configure {
			change(o)
		}
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
	// The leader places streams on servers only that have told it of their disks.
	leads := func(node *Node) bool {
		return !node.options.JetStream || node.server.JetStreamIsLeader() &&
			(n == 1 || len(node.server.JetStreamClusterPeers()) == n)
	}
	for end := time.Now().Add(time.Minute); !slices.ContainsFunc(nodes, leads); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the NATS servers have no leader that knows all of them")
		}
	}
	return nodes
}

// folder returns a folder for a server, and removes it when the test ends. A server may still write
// files after its shutdown, so that t.TempDir can fail to remove the folder.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nats")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		var err error
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if err = os.RemoveAll(dir); err == nil {
				return
			}
		}
		t.Error(err)
	})
	return dir
}

// URL returns the URL of a server, through its cable.
func (n *Node) URL() string { return "nats://" + n.Clients.Addr() }

// Direct returns the URL of a server without a cable.
func (n *Node) Direct() string { return n.server.ClientURL() }

// Streams returns the number of messages in each stream of a server, by name.
func (n *Node) Streams(t testing.TB) map[string]uint64 {
	t.Helper()
	info, err := n.server.Jsz(&server.JSzOptions{Accounts: true, Streams: true})
	if err != nil {
		t.Fatal(err)
	}
	messages := make(map[string]uint64)
	for _, account := range info.AccountDetails {
		for _, stream := range account.Streams {
			messages[stream.Name] = stream.State.Msgs
		}
	}
	return messages
}

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

// Configure changes the options of a server that is stopped.
func (n *Node) Configure(change func(*server.Options)) { change(&n.options) }

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

// Wires are connections of one client to each server of a cluster, without the cables that all
// clients share.
type Wires []*cable.Cable

// Wires returns new connections. They last until the test ends, also while servers are stopped.
func (nodes Nodes) Wires(t testing.TB) (all Wires) {
	for _, node := range nodes {
		all = append(all, cable.New(t, node.server.Addr().String()))
	}
	return all
}

// URL returns the URLs of all servers, through the wires.
func (w Wires) URL() string {
	urls := make([]string, len(w))
	for i, wire := range w {
		urls[i] = "nats://" + wire.Addr()
	}
	return strings.Join(urls, ",")
}

// Cut cuts the client off from all servers, or connects it again.
func (w Wires) Cut(cut bool) {
	for _, wire := range w {
		wire.Cut(cut)
	}
}
