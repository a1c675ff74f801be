package natsclient

import (
	"strings"
	"testing"
)

func TestConnect(t *testing.T) {
	// Nothing listens there: the connection is made later.
	conn, err := Connect("nats://user:secret@127.0.0.1:1,nats://127.0.0.1:2", "robots test")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if conn.Opts.Name != "robots test" || conn.IsConnected() {
		t.Errorf("%s, connected: %t", conn.Opts.Name, conn.IsConnected())
	}
	if err := conn.Publish("a", nil); err == nil {
		t.Error("a message is kept for later")
	}
	for _, wrong := range []string{"nats://user:secret@%zz", "nats://user:secret@[::1", "nats://user:se cret@host\x7f"} {
		conn, err := Connect(wrong, "robots test")
		if err == nil {
			conn.Close()
			t.Errorf("%q: no error", wrong)
		} else if strings.Contains(err.Error(), "cret") {
			t.Errorf("%q: the error has the password: %v", wrong, err)
		}
	}
}
