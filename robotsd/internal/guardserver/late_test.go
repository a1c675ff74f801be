package guardserver

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// FuzzLateDeadline changes a deadline, and has calls wait, as the bytes say, and checks the promise
// of a lateDeadline after each step.
func FuzzLateDeadline(f *testing.F) {
	f.Add([]byte{10, 0, 0x81, 0, 0x82, 11, 0x81, 200, 0x80})
	f.Fuzz(func(t *testing.T, steps []byte) {
		start := time.Unix(1e9, 0)
		var moved time.Time
		d := lateDeadline{move: func(t time.Time) error { moved = t; return nil }}
		for i, step := range steps {
			switch {
			case step == 0:
				d.want(time.Time{})
			case step < 0x80:
				d.want(start.Add(time.Duration(step) * time.Second / 4))
			case step%2 == 1:
				d.begin()
			case d.waiting > 0:
				d.end()
			}
			if !moved.Equal(d.set) {
				t.Fatalf("step %d: the connection has the deadline %v, and set is %v", i, moved, d.set)
			}
			if late := d.set.Sub(d.wanted); d.waiting > 0 &&
				(late < 0 || late > lateness || d.wanted.IsZero() != d.set.IsZero()) {
				t.Fatalf("step %d: a call waits until %v, and should until %v", i, d.set, d.wanted)
			}
		}
	})
}

// TestLateDeadlineMoves counts how often requests of a connection move its deadlines: net/http
// removes a deadline after each request.
func TestLateDeadlineMoves(t *testing.T) {
	moves := 0
	d := lateDeadline{move: func(time.Time) error { moves++; return nil }}
	start := time.Unix(1e9, 0)
	for i := range 1000 { // ten seconds
		d.want(start.Add(time.Minute + time.Duration(i)*10*time.Millisecond))
		d.begin()
		d.end()
		d.want(time.Time{})
	}
	if moves != 10 {
		t.Errorf("the deadline was moved %d times, want once a second", moves)
	}
}

// TestLateTwin does the same with a lateConn and with a plain connection, whose deadlines are hours
// away or hours ago, so that lateness plays no part.
func TestLateTwin(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		plain, plainPeer := latePair(t)
		late, latePeer := latePair(t)
		go io.Copy(io.Discard, plainPeer)
		go io.Copy(io.Discard, latePeer)
		pairs := []struct {
			net.Conn
			peer net.Conn
		}{{plain.TCPConn, plainPeer}, {late, latePeer}}
		for range 60 {
			deadline := []time.Time{{}, time.Now().Add(time.Hour), time.Now().Add(2 * time.Hour),
				time.Unix(1, 0)}[r.IntN(4)]
			op := r.IntN(7)
			var outcomes [2]string
			for i, c := range pairs {
				outcomes[i] = doStep(t, c.Conn, c.peer, op, deadline)
			}
			if outcomes[0] != outcomes[1] {
				t.Fatalf("seed %d, step %d with %v: %s, and a plain connection: %s", seed, op, deadline, outcomes[1],
					outcomes[0])
			}
		}
	}
}

// doStep does one thing with a connection, and says what came of it.
func doStep(t *testing.T, c, peer net.Conn, op int, deadline time.Time) string {
	t.Helper()
	b := make([]byte, 8)
	switch op {
	case 0:
		return fmt.Sprint(c.SetReadDeadline(deadline))
	case 1:
		return fmt.Sprint(c.SetWriteDeadline(deadline))
	case 2:
		return fmt.Sprint(c.SetDeadline(deadline))
	case 3:
		return read(t, c, peer, b)
	case 4:
		n, err := c.Write([]byte("answer"))
		return fmt.Sprint(n, reason(err))
	case 5: // net/http ends a read that waits so
		got := make(chan string)
		c.SetReadDeadline(time.Time{})
		go func() { n, err := c.Read(b); got <- fmt.Sprint(n, reason(err)) }()
		c.SetReadDeadline(time.Now().Add(time.Hour))
		c.SetReadDeadline(time.Unix(1, 0))
		return <-got
	default: // the deadline is removed while a read waits
		got := make(chan string)
		c.SetReadDeadline(time.Now().Add(time.Hour))
		go func() { n, err := c.Read(b); got <- fmt.Sprint(n, reason(err)) }()
		c.SetReadDeadline(time.Time{})
		peer.Write([]byte("x"))
		return <-got
	}
}

// read reads what the peer has just sent, and what is left of it after a deadline.
func read(t *testing.T, c, peer net.Conn, b []byte) string {
	t.Helper()
	peer.Write([]byte("question"))
	n, err := io.ReadFull(c, b)
	outcome := fmt.Sprint(n, reason(err))
	if err != nil {
		c.SetReadDeadline(time.Time{})
		if _, err := io.ReadFull(c, b); err != nil {
			t.Fatal(err)
		}
	}
	return outcome
}

func reason(err error) string {
	switch {
	case err == nil:
		return " bytes"
	case errors.Is(err, os.ErrDeadlineExceeded):
		return " bytes, too late"
	}
	return err.Error()
}

// latePair returns a connection that a server without Stall has accepted, and its client.
func latePair(t *testing.T) (*lateConn, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer l.Close()
	peer, err := net.Dial("tcp", l.Addr().String())
	fatal.If(t, err)
	accepted, err := steadyListener{Listener: l}.Accept()
	fatal.If(t, err)
	t.Cleanup(func() { peer.Close(); accepted.Close() })
	c, ok := accepted.(*lateConn)
	if !ok {
		t.Fatalf("the connection is a %T", accepted)
	}
	return c, peer
}

// TestLateWrite writes to a client that reads nothing: the write fails after its deadline, and the
// next one, which has none, does not fail.
func TestLateWrite(t *testing.T) {
	t.Parallel()
	c, peer := latePair(t)
	began, limit := time.Now(), 50*time.Millisecond
	c.SetWriteDeadline(began.Add(limit))
	if _, err := c.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) < limit {
		t.Errorf("the write ended after %v with %v", time.Since(began), err)
	}
	c.SetWriteDeadline(time.Time{})
	go io.Copy(io.Discard, peer)
	if _, err := c.ReadFrom(io.LimitReader(zeros{}, 1<<20)); err != nil {
		t.Errorf("after the deadline was removed: %v", err)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }
