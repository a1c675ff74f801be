package guardserver

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A frames is a client of HTTP/2 that writes frames itself, and so can ask for answers without ever
// taking them.
type frames struct{ net.Conn }

// Types and flags of frames (RFC 9113, section 6).
const (
	dataFrame     = 0
	headersFrame  = 1
	resetFrame    = 3
	settingsFrame = 4
	goAwayFrame   = 7
	endStream     = 1
	endHeaders    = 4
)

// newFrames begins a connection whose answers have a window of no bytes.
func newFrames(c net.Conn) frames {
	f := frames{c}
	io.WriteString(f, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	f.send(settingsFrame, 0, 0, []byte{0, 4, 0, 0, 0, 0}) // SETTINGS_INITIAL_WINDOW_SIZE: 0
	return f
}

func (f frames) send(kind, flags byte, stream uint32, payload []byte) error {
	head := []byte{byte(len(payload) >> 16), byte(len(payload) >> 8), byte(len(payload)), kind, flags}
	_, err := f.Write(append(binary.BigEndian.AppendUint32(head, stream), payload...))
	return err
}

// ask sends the header of a request, with one more field.
func (f frames) ask(stream uint32, flags byte, method, path, userAgent string) error {
	var block []byte
	for _, field := range [][2]string{{":method", method}, {":scheme", "http"}, {":authority", "shop.example"},
		{":path", path}, {"user-agent", userAgent}} {
		block = append(block, 0) // a literal, with a new name
		for _, text := range field {
			if len(text) > 126 {
				panic("too long for one byte")
			}
			block = append(append(block, byte(len(text))), text...)
		}
	}
	return f.send(headersFrame, endHeaders|flags, stream, block)
}

// ended reads until the server ends a stream, or the connection.
func (f frames) ended(stream uint32) error {
	head := make([]byte, 9)
	for {
		if _, err := io.ReadFull(f, head); err != nil {
			return err
		}
		payload := make([]byte, int(head[0])<<16|int(head[1])<<8|int(head[2]))
		if _, err := io.ReadFull(f, payload); err != nil {
			return err
		}
		this := binary.BigEndian.Uint32(head[5:])
		if head[3] == goAwayFrame || this == stream && (head[3] == resetFrame || head[4]&endStream != 0 &&
			head[3] <= headersFrame) {
			return nil
		}
	}
}

// TestStall has clients that send or take next to nothing, each in its own way. The guard must end
// each of them, and the request at the upstream.
func TestStall(t *testing.T) {
	t.Parallel()
	ends := make(chan string, 100)
	site := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		defer func() { ends <- r.URL.Path }()
		switch {
		case r.Header.Get("Upgrade") != "":
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			for err == nil {
				_, err = c.Write(make([]byte, 1<<20))
			}
		case strings.Contains(r.URL.Path, "big"):
			for err := error(nil); err == nil && r.Context().Err() == nil; {
				_, err = w.Write(make([]byte, 1<<20))
			}
		default:
			io.Copy(io.Discard, r.Body)
			io.WriteString(w, "small")
		}
	})
	address := start(t, Options{Upstream: site, Stall: 300 * time.Millisecond})
	dribble := func(c net.Conn, send func() error) error { // until the server ends the connection
		ended := make(chan error, 1)
		go func() {
			for send() == nil {
				time.Sleep(10 * time.Millisecond)
			}
			ended <- nil
		}()
		_, err := io.Copy(io.Discard, c)
		c.Close()
		<-ended
		return err
	}
	one := func(c net.Conn) func() error {
		return func() error { _, err := c.Write([]byte("x")); return err }
	}
	for _, test := range []struct {
		name string
		end  string // the path of the request that ends at the upstream, if it gets there
		run  func(c net.Conn) error
	}{
		{"a body", "/body", func(c net.Conn) error {
			fmt.Fprintf(c, "POST /body HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 1000000\r\n\r\n")
			return dribble(c, one(c))
		}},
		{"a body in chunks that never ends", "/chunks", func(c net.Conn) error {
			fmt.Fprintf(c, "POST /chunks HTTP/1.1\r\nHost: shop.example\r\nTransfer-Encoding: chunked\r\n\r\n")
			return dribble(c, func() error { _, err := io.WriteString(c, "1\r\nx\r\n"); return err })
		}},
		{"a body that never begins", "/silent", func(c net.Conn) error {
			fmt.Fprintf(c,
				"POST /silent HTTP/1.1\r\nHost: shop.example\r\nExpect: 100-continue\r\nContent-Length: 10\r\n\r\n")
			_, err := io.Copy(io.Discard, c)
			return err
		}},
		{"a body of a robot that is refused", "", func(c net.Conn) error {
			fmt.Fprintf(c,
				"GET /private/x HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: %s\r\nContent-Length: 1000\r\n\r\n",
				robot)
			return dribble(c, one(c))
		}},
		{"a big answer that is not read", "/big", func(c net.Conn) error {
			c.(*net.TCPConn).SetReadBuffer(4 << 10)
			fmt.Fprintf(c, "GET /big HTTP/1.1\r\nHost: shop.example\r\n\r\n")
			return nil
		}},
		{"an answer that is read bytewise", "/big/slow", func(c net.Conn) error {
			c.(*net.TCPConn).SetReadBuffer(4 << 10)
			fmt.Fprintf(c, "GET /big/slow HTTP/1.1\r\nHost: shop.example\r\n\r\n")
			for range 500 {
				if _, err := c.Read(make([]byte, 1)); err != nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			return nil
		}},
		{"a connection that was upgraded", "/upgraded", func(c net.Conn) error {
			fmt.Fprintf(c,
				"GET /upgraded HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			return nil
		}},
		{"HTTP/2: a big answer without a window", "/big/2", func(c net.Conn) error {
			f := newFrames(c)
			f.ask(1, endStream, "GET", "/big/2", firefox)
			return f.ended(1)
		}},
		{"HTTP/2: a small answer without a window", "/small/2", func(c net.Conn) error {
			f := newFrames(c)
			f.ask(1, endStream, "GET", "/small/2", firefox)
			return f.ended(1)
		}},
		{"HTTP/2: a refusal without a window", "", func(c net.Conn) error {
			f := newFrames(c)
			f.ask(1, endStream, "GET", "/private/x", robot)
			return f.ended(1)
		}},
		{"HTTP/2: a body", "/body/2", func(c net.Conn) error {
			f := newFrames(c)
			f.ask(1, 0, "POST", "/body/2", firefox)
			f.send(dataFrame, 0, 1, []byte("x"))
			return f.ended(1)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, err := net.Dial("tcp", address)
			fatal.If(t, err)
			defer c.Close()
			c.SetDeadline(time.Now().Add(time.Minute))
			err = test.run(c)
			if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
				t.Error("the guard does not end the request")
			}
			if test.end == "" {
				return
			}
			select {
			case got := <-ends:
				if got != test.end {
					t.Errorf("got the end of %s", got)
				}
			case <-time.After(time.Minute):
				t.Error("the upstream still serves the request")
			}
		})
	}
}

// TestWhole checks that a body that was read to its end can be read after net/http has closed it.
func TestWhole(t *testing.T) {
	text := strings.NewReader("x")
	b := &steadyBody{ReadCloser: struct {
		io.Reader
		io.Closer
	}{readerFunc(func(p []byte) (int, error) {
		if text == nil {
			return 0, http.ErrBodyReadAfterClose
		}
		n, _ := text.Read(p)
		text = nil
		return n, io.EOF
	}), nil}}
	for range 2 {
		if _, err := io.ReadAll(b); err != nil {
			t.Errorf("got %v", err)
		}
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestPatience has honest clients that wait for the upstream, or that the upstream waits for, for
// longer than a client may stall.
func TestPatience(t *testing.T) {
	t.Parallel()
	const stall, wait = 3 * time.Second, 4 * time.Second
	site := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "" {
			c, in, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
			line, _ := in.ReadString('\n')
			time.Sleep(wait)
			io.WriteString(c, line)
			return
		}
		if r.Method == "POST" {
			time.Sleep(wait) // with a body that the client wants to send
		}
		n, err := io.Copy(io.Discard, r.Body)
		fmt.Fprintf(w, "%d %v\n", n, err)
		http.NewResponseController(w).Flush()
		time.Sleep(wait) // a stream that is silent
		io.WriteString(w, "end")
	})
	address := start(t, Options{Upstream: site, Stall: stall})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	for name, transport := range map[string]*http.Transport{"HTTP/1.1": {}, "HTTP/2": {Protocols: protocols}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := &http.Client{Transport: transport}
			defer transport.CloseIdleConnections()
			const size = 16 << 20
			// with a length, and without
			for _, body := range []io.Reader{bytes.NewReader(make([]byte, size)),
				io.MultiReader(bytes.NewReader(make([]byte, size)))} {
				if status, text := send(t, client, address, "POST", "/x", firefox, body); status != 200 ||
					text != fmt.Sprintf("%d <nil>\nend", size) {
					t.Errorf("got %d %q", status, text)
				}
			}
			if status, text := send(t, client, address, "GET", "/x", firefox, nil); status != 200 ||
				text != "0 <nil>\nend" {
				t.Errorf("got %d %q", status, text)
			}
		})
	}
	t.Run("upgraded", func(t *testing.T) {
		t.Parallel()
		c, err := net.Dial("tcp", address)
		fatal.If(t, err)
		defer c.Close()
		c.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(c, "GET /socket HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		in := bufio.NewReader(c)
		if answer, err := http.ReadResponse(in, nil); err != nil || answer.StatusCode != 101 {
			t.Fatalf("got %v, %v", answer, err)
		}
		time.Sleep(wait)
		io.WriteString(c, "hello\n")
		if line, err := in.ReadString('\n'); line != "hello\n" {
			t.Errorf("got %q, %v", line, err)
		}
	})
	t.Run("steps", func(t *testing.T) {
		t.Parallel()
		// An upload, and a download, that take much longer than stall, but go on.
		const step, steps = 2 * leastProgress, 12
		site := upstream(t, echo)
		address := start(t, Options{Upstream: site, Stall: 4 * time.Second})
		body, in := io.Pipe()
		go func() {
			for range steps {
				in.Write(make([]byte, step))
				time.Sleep(time.Second)
			}
			in.Close()
		}()
		if status, text := send(t, http.DefaultClient, address, "POST", "/x", firefox, body); status != 200 ||
			!strings.HasSuffix(text, fmt.Sprintf("bytes=%d", step*steps)) {
			t.Errorf("got %d %q", status, text)
		}
	})
}

// TestSlowReader reads an answer slowly, but steadily. The server's system frees its buffer in
// larger parts than the client takes in this test: the guard must see the progress in the buffer.
// On loopback the client's system acknowledges 64 KB at a time, so the client takes twice that in
// the time of Stall, and a pause of the client's process does not make it slower.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	const size, stall = 16 << 20, 2 * time.Second
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(size))
		w.Write(make([]byte, size))
	}))
	defer site.Close()
	u, _ := url.Parse(site.URL)
	c, err := net.Dial("tcp", start(t, Options{Upstream: u, Stall: stall}))
	fatal.If(t, err)
	defer c.Close()
	c.(*net.TCPConn).SetReadBuffer(32 << 10) // or the client's system takes most of the answer
	io.WriteString(c, "GET /x HTTP/1.1\r\nHost: shop.example\r\n\r\n")
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	fatal.If(t, err)
	defer answer.Body.Close()
	total := 0
	rate := 8 * leastProgress / stall.Seconds() // bytes in a second
	for began := time.Now(); time.Since(began) < 4*stall; time.Sleep(100 * time.Millisecond) {
		n, _ := io.CopyN(io.Discard, answer.Body, int64(rate*time.Since(began).Seconds())-int64(total))
		total += int(n)
	}
	n, err := io.Copy(io.Discard, answer.Body)
	if total += int(n); total != size {
		t.Errorf("got %d bytes of %d: %v", total, size, err)
	}
}

// TestStalledAnswer stalls a client in the middle of a body. The client gets 408, and the guard
// reports no fault of the upstream.
func TestStalledAnswer(t *testing.T) {
	site := upstream(t, func(_ http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body) })
	address := start(t, Options{Upstream: site, Stall: 200 * time.Millisecond,
		Notice: func(err error) { t.Errorf("the operator hears %v", err) }})
	c, err := net.Dial("tcp", address)
	fatal.If(t, err)
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	io.WriteString(c, "POST /x HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 1000\r\n\r\nhalf")
	answer, err := http.ReadResponse(bufio.NewReader(c), nil)
	fatal.If(t, err)
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusRequestTimeout || !answer.Close {
		t.Errorf("got %s, and the connection ends: %t; want status 408, and the end", answer.Status, answer.Close)
	}
}
