package testweb

import (
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Request is a line of the log: a request as the server received it.
type Request struct {
	Method  string
	URL     string
	Start   time.Duration  // of its first byte, since the web began, in nanoseconds
	End     time.Duration  // before the last bytes of the answer were written
	Client  netip.AddrPort // the port is that of the client
	Server  netip.Addr     // the address that the client connected to
	Agent   string         // User-Agent
	Accept  string         // Accept-Encoding
	Asked   bool           // with If-None-Match or If-Modified-Since
	Status  int            // 0 if none was sent
	Bytes   int            // of the answer, with its header
	Aborted bool           // the client left before the end
	Open    bool           // it has not ended yet
	Useless bool           // no answer that the robot could read and keep
}

// String returns the request as a line.
func (r Request) String() string {
	end := fmt.Sprintf("%.4f s, %d, %d bytes", r.End.Seconds(), r.Status, r.Bytes)
	switch {
	case r.Open:
		end = "still open"
	case r.Aborted:
		end += ", the client went away"
	}
	return fmt.Sprintf("%.4f s to %s: %s %s from port %d at %s", r.Start.Seconds(), end, printable.Text(r.Method),
		printable.Text(r.URL), r.Client.Port(), r.Server)
}

// A record is a request in memory. For a page of a tree it has no text.
type record struct {
	start, end time.Duration
	retry      time.Duration // time from Retry-After when a retry is allowed; 0 if not given
	path       string        // empty for page
	host, page int32         // host is -1 for a host outside the web; then path is its URL
	bytes      uint32
	port       uint16
	status     uint16
	address    uint16 // of Web.addresses, or after those of Web.traps
	agent      uint16
	accept     uint16
	flags      flags
	version    uint8 // of robots.txt
}

type flags uint16

const (
	ended       flags = 1 << iota
	aborted           // the client left
	conditional       // it had If-None-Match or If-Modified-Since
	tagged            // the answer had a validator
	head              // the method was HEAD
	otherMethod       // neither GET nor HEAD
	later             // the answer asks for a retry
	enough            // 500 KiB of the answer were sent, or all
	faulty            // the client could not read the answer
	long              // the answer was longer than 64 KiB, or would have been
)

// is reports whether any of f is set.
func (r *record) is(f flags) bool { return r.flags&f != 0 }

func (r *record) set(f flags, on bool) {
	if r.flags &^= f; on {
		r.flags |= f
	}
}

// A connection is a TCP connection of a client to an address.
type connection struct {
	at    time.Duration
	addr  netip.Addr
	port  uint16 // of the client
	wrong bool   // robots must not connect to the address
}

// A log keeps all requests, and the connections that matter for the check.
type log struct {
	mu       sync.Mutex
	chunks   [][]record
	accepted int
	wrong    []connection // to forbidden addresses

	texts   []string // of headers
	numbers map[string]uint16
}

const chunkSize = 4096

// begin adds a record. The returned record does not move, for [log.change].
func (l *log) begin(r record, agent, accept []byte) *record {
	l.mu.Lock()
	defer l.mu.Unlock()
	r.agent, r.accept = l.intern(agent), l.intern(accept)
	n := len(l.chunks)
	if n == 0 || len(l.chunks[n-1]) == chunkSize {
		l.chunks = append(l.chunks, make([]record, 0, chunkSize))
		n++
	}
	chunk := append(l.chunks[n-1], r)
	l.chunks[n-1] = chunk
	return &chunk[len(chunk)-1]
}

// intern returns the number of a header's text. The number of texts is limited; later
// texts count as empty.
func (l *log) intern(text []byte) uint16 {
	if n, ok := l.numbers[string(text)]; ok {
		return n
	}
	if l.numbers == nil {
		l.numbers = map[string]uint16{"": 0}
		l.texts = []string{""}
	}
	if len(text) == 0 || len(text) > 1024 || len(l.texts) == 4096 {
		return 0
	}
	n := uint16(len(l.texts))
	l.texts = append(l.texts, string(text))
	l.numbers[l.texts[n]] = n
	return n
}

// change changes a record.
func (l *log) change(r *record, f func(r *record)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(r)
}

// connect records a connection.
func (l *log) connect(c connection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accepted++
	if c.wrong && len(l.wrong) < 10_000 {
		l.wrong = append(l.wrong, c)
	}
}

// all returns a copy of the records, in the order of their starts.
func (l *log) all() []record {
	l.mu.Lock()
	defer l.mu.Unlock()
	list := make([]record, 0, len(l.chunks)*chunkSize)
	for _, chunk := range l.chunks {
		list = append(list, chunk...)
	}
	return list
}

// request converts a record to a line of the log.
func (w *Web) request(r *record) Request {
	w.log.mu.Lock()
	defer w.log.mu.Unlock()
	q := Request{
		Method: "GET", URL: r.path, Start: r.start, End: r.end,
		Agent: w.log.texts[r.agent], Accept: w.log.texts[r.accept], Asked: r.is(conditional),
		Status: int(r.status), Bytes: int(r.bytes), Aborted: r.is(aborted), Open: !r.is(ended),
		Useless: r.isUseless(),
	}
	if r.is(head) {
		q.Method = "HEAD"
	} else if r.is(otherMethod) {
		q.Method = "other"
	}
	if r.host >= 0 {
		q.URL = w.hosts[r.host].origin + w.pathOf(r)
	}
	if n := int(r.address); n < len(w.addresses) {
		q.Server = w.addresses[n]
	} else {
		q.Server = w.traps[n-len(w.addresses)]
	}
	q.Client = netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), r.port)
	return q
}

// pathOf returns the path of a record for one of the hosts.
func (w *world) pathOf(r *record) string {
	if r.path != "" {
		return r.path
	}
	return string(w.hosts[r.host].appendPath(nil, r.page))
}
