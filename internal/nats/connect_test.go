package nats

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	client "github.com/nats-io/nats.go"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func TestConnect(t *testing.T) {
	// Nothing listens there: the connection is made later.
	conn, err := Connect("nats://user:secret@127.0.0.1:1,nats://127.0.0.1:2", "robots test")
	fatal.If(t, err)
	defer conn.Close()
	if conn.Opts.Name != "robots test" || conn.IsConnected() {
		t.Errorf("%s, connected: %t", conn.Opts.Name, conn.IsConnected())
	}
	if err := conn.Publish("a", nil); err == nil {
		t.Error("a message is kept for later")
	}
	// No part of a password is in an error, wherever the parser stops.
	for _, wrong := range []string{
		"nats://user:secret@%zz", "nats://user:secret@[::1", "nats://user:se cret@host\x7f",
		"nats://user:secret/1@127.0.0.1:4222", "nats://user:secret?1@127.0.0.1:4222",
		"nats://user:secret#1@127.0.0.1:4222",
		"nats://user:%secret@127.0.0.1:4222", "nats://user:sec%zzret@127.0.0.1:4222", "user:secret/@127.0.0.1:4222",
		"nats://127.0.0.1:4222,nats://user:secret/1@127.0.0.1:4222", "nats://user:secr,et/@127.0.0.1:4222",
		"nats://user:1234/secret@127.0.0.1:4222", "nats://user:12#secret@127.0.0.1:4222", "secret://127.0.0.1:x",
	} {
		conn, err := Connect(wrong, "robots test")
		if err == nil {
			conn.Close()
			t.Errorf("%q: no error", wrong)
		} else if containsPart(strings.ReplaceAll(err.Error(), "creds", ""), "secret") {
			t.Errorf("%q: the error has the password: %v", wrong, err)
		}
	}
}

// containsPart reports whether a text has three letters of a password.
func containsPart(text, password string) bool {
	for i := range len(password) - 2 {
		if strings.Contains(text, password[i:i+3]) {
			return true
		}
	}
	return false
}

// TestUnreachable checks the errors of a client that does not wait for its server: none has a
// password, a token or the text of a file with a key.
func TestUnreachable(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		name = filepath.Join(dir, name)
		fatal.If(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	garbage := put("garbage.creds",
		"-----BEGIN NATS USER JWT-----\nhush-hush\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\nSUhush-hush\n------END USER NKEY SEED------\n")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer listener.Close()
	go func() { // a server that asks for a signature, and one that is none
		for i := 0; ; i++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			fmt.Fprint(conn, "INFO {\"nonce\":\"bm9uY2U\",\"max_payload\":1048576}\r\n")
			bufio.NewReader(conn).ReadString('\n')
			fmt.Fprint(conn, "-ERR 'Authorization Violation'\r\n")
			conn.Close()
		}
	}()
	for _, test := range []struct {
		url     string
		options []client.Option
	}{
		{"nats://user:hush-hush@127.0.0.1:1", nil},
		{"nats://hush-hush@127.0.0.1:1,nats://user:hush-hush@127.0.0.1:2", nil},
		{"tls://user:hush-hush@127.0.0.1:1", nil},
		{"nats://user:hush-hush@" + listener.Addr().String(), nil},
		{"nats://" + listener.Addr().String(),
			[]client.Option{client.UserCredentials(filepath.Join(dir, "none.creds"))}},
		{"nats://" + listener.Addr().String(), []client.Option{client.UserCredentials(garbage)}},
		{"nats://" + listener.Addr().String(),
			[]client.Option{client.UserCredentials(put("empty.creds", "hush-hush"))}},
		{"nats://" + listener.Addr().String(), []client.Option{client.UserJWTAndSeed("hush-hush", "SUhush-hush")}},
	} {
		conn, err := Connect(test.url, "robots test", append(test.options, client.RetryOnFailedConnect(false),
			client.Timeout(5*time.Second))...)
		if err == nil {
			conn.Close()
			t.Errorf("%s: no error", test.url)
		} else if containsPart(strings.ReplaceAll(err.Error(), dir, ""), "hush-hush") {
			t.Errorf("%s: the error has a secret: %v", test.url, err)
		}
	}
}
