package cable

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestCable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer l.Close()
	go func() { // a server that says everything twice
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for b := make([]byte, 1); ; {
					if _, err := conn.Read(b); err != nil {
						return
					}
					conn.Write([]byte{b[0], b[0]})
				}
			}()
		}
	}()
	c := New(t, l.Addr().String())
	conn, err := net.Dial("tcp", c.Addr())
	fatal.If(t, err)
	defer conn.Close()
	answer := make([]byte, 2)
	ask := func(text string) error {
		io.WriteString(conn, text)
		_, err := io.ReadFull(conn, answer)
		return err
	}
	if err := ask("a"); err != nil || string(answer) != "aa" {
		t.Fatalf("%s, %v", answer, err)
	}
	c.Cut(true)
	conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if err := ask("b"); err == nil {
		t.Errorf("a cut cable passes %s", answer)
	}
	conn.SetReadDeadline(time.Time{})
	c.Cut(false)
	if _, err := io.ReadFull(conn, answer); err != nil || string(answer) != "bb" {
		t.Errorf("a mended cable passes %s, %v", answer, err)
	}
}
