package guardserver

import (
	"io"
	"net"
	"sync"
	"time"
)

// lateness is how much later than its deadline a read or a write of a lateConn may fail.
const lateness = time.Second

// A lateConn moves the deadlines of its connection about once a second. net/http and the handler
// set and remove deadlines five to seven times for each request: each time the runtime moves a
// timer, and these took 8 % of the time of a short answer (decision 179). Mostly nothing waits for
// the client then, or a later request wants almost the same deadline.
type lateConn struct {
	*net.TCPConn
	read, write lateDeadline
}

func newLateConn(c *net.TCPConn) *lateConn {
	return &lateConn{TCPConn: c, read: lateDeadline{move: c.SetReadDeadline},
		write: lateDeadline{move: c.SetWriteDeadline}}
}

// A lateDeadline is the deadline for reading or for writing of a connection. Its two times are
//
//	wanted   what the user of the connection set last
//	set      what the connection has: while a call waits, it is wanted, or up to lateness after it
//
// and both are zero if there is none. While no call waits, set may be any time.
type lateDeadline struct {
	move func(time.Time) error // sets the deadline of the connection

	mu          sync.Mutex
	wanted, set time.Time
	waiting     int // calls that read, or write, and have not returned
}

// want sets the deadline.
func (d *lateDeadline) want(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wanted = t
	if d.waiting == 0 {
		return nil // begin sees it
	}
	return d.settle()
}

// begin is called before a call that may wait, and end after it, if begin returned no error.
func (d *lateDeadline) begin() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.settle(); err != nil {
		return err
	}
	d.waiting++
	return nil
}

func (d *lateDeadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting--
}

// settle moves the deadline of the connection if it must. The caller holds mu.
func (d *lateDeadline) settle() error {
	if late := d.set.Sub(d.wanted); late >= 0 && late <= lateness {
		return nil
	}
	d.set = d.wanted
	if !d.set.IsZero() {
		d.set = d.set.Add(lateness)
	}
	return d.move(d.set)
}

func (c *lateConn) SetReadDeadline(t time.Time) error { return c.read.want(t) }

func (c *lateConn) SetWriteDeadline(t time.Time) error { return c.write.want(t) }

func (c *lateConn) SetDeadline(t time.Time) error {
	if err := c.read.want(t); err != nil {
		return err
	}
	return c.write.want(t)
}

func (c *lateConn) Read(b []byte) (int, error) {
	if err := c.read.begin(); err != nil {
		return 0, err
	}
	defer c.read.end()
	return c.TCPConn.Read(b)
}

// WriteTo is for [io.Copy].
func (c *lateConn) WriteTo(w io.Writer) (int64, error) {
	if err := c.read.begin(); err != nil {
		return 0, err
	}
	defer c.read.end()
	return c.TCPConn.WriteTo(w)
}

func (c *lateConn) Write(b []byte) (int, error) {
	if err := c.write.begin(); err != nil {
		return 0, err
	}
	defer c.write.end()
	return c.TCPConn.Write(b)
}

// ReadFrom is for [io.Copy]: net/http sends files with it.
func (c *lateConn) ReadFrom(r io.Reader) (int64, error) {
	if err := c.write.begin(); err != nil {
		return 0, err
	}
	defer c.write.end()
	return c.TCPConn.ReadFrom(r)
}
