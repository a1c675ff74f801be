// Package robottest tests whole robots: it serves a web of small exercises, logs the requests of
// a robot, and reports, duty by duty, what the log shows.
//
//	web, err := robottest.Start(ctx, robottest.Options{Listen: "127.0.0.1:8080"})
//	...
//	fmt.Println("point the robot at", web.StartPage())
//	...
//	report := web.Report()
//
// # Exercises
//
// An exercise is one host with a few pages, made to show one duty. A robot reaches a host by
// its port, or by its name NAME.test: the main port is an HTTP proxy, and it knows the hosts by
// the Host field of a request too. The start page links to all exercises.
//
// # Verdicts
//
// A duty is kept, broken, or not shown. It is kept only if the robot visited the pages that stand
// before and after the temptation, so that it could have broken the duty. It is broken only if a
// request shows that. A request that the standard allows breaks nothing.
//
// Package audit decides which requests robots.txt disallows: it reads the log of the web, in which
// each request has the name of the robot under test.
//
// # Time
//
// A request starts here when its head has arrived, and ends just before the last bytes
// of the answer are written. So a pause is never shorter here than at the robot, if it runs from an
// end to a start; the rules for pauses between two starts have a tolerance.
package robottest

import (
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Options configure a web. The zero value listens on loopback, and learns the name of the robot
// from its requests.
type Options struct {
	// Listen is the address of the start page and of the proxy; "" means 127.0.0.1:0. The exercises
	// have the ports after it, or any free ports if the port is 0.
	Listen string

	// Agent is the product token of the robot under test. If it is "", the web learns it from
	// the User-Agent fields.
	Agent string

	// Duties are the names of the duties to test, or patterns of names, as in the function Duties.
	// The web has only the exercises for these. Without names, all duties are tested.
	Duties []string

	// Log receives a line for each request in the format vhost-combined of package accesslog.
	// It may be nil.
	Log io.Writer

	clock clock // the zero value is the real one
}

// A clock gives the time, and makes pauses of the server. Tests replace it.
type clock struct {
	now  func() time.Time
	hold time.Duration // how long a slow page waits for another request

	request time.Duration // for a client to send a head, and as long for a body

	endless int64         // bytes of a page without an end
	drop    time.Duration // between the bytes of a slow page
	drops   int           // its bytes
}

// A Web is a running web of exercises. Its methods are safe for concurrent use.
type Web struct {
	options Options
	began   time.Time
	duties  []Duty
	sites   []*site // the first has the start page
	byName  map[string]*site

	listeners []net.Listener
	server    *http.Server
	serving   sync.WaitGroup

	mu     sync.Mutex
	tokens []string // product tokens of the robot, as seen
	agents []string // User-Agent fields
	step   int      // counts starts and ends of requests
	last   time.Time
	total  int      // requests to exercises
	newest *Request // the last of them
	faults [faultKinds]tally
	notes  counts

	closed atomic.Int64 // connections above the limit
}

// counts are requests that belong to no exercise.
type counts struct {
	Tunnels int // CONNECT
	Strange int // requests through the proxy to other hosts
}
