package download_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/heads"
)

// TestAnswers has one row for each kind of wrong answer, and some rows for unusual
// valid answers.
func TestAnswers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, test := range []struct {
		name, answer string
		failure      download.Failure // if there is no answer
		body         string           // otherwise
		truncated    download.Truncation
		cut          download.Failure // of the exchange
	}{
		{"length too large", ok + "Content-Length: 1000\r\n\r\n" + page, 0, page, download.Disconnect,
			download.Disconnected},
		{"length too small", ok + "Content-Length: 5\r\n\r\n" + page, 0, page[:5], 0, 0},
		{"length far too large", ok + "Content-Length: 9223372036854775807\r\n\r\n" + page, 0, page,
			download.Disconnect, download.Disconnected},
		{"length that is not a number", ok + "Content-Length: many\r\n\r\n" + page, download.Protocol, "", 0, 0},
		{"two lengths", ok + "Content-Length: 68\r\nContent-Length: 3\r\n\r\n" + page, download.Protocol, "", 0, 0},
		{"length twice", ok + "Content-Length: 68\r\nContent-Length: 68\r\n\r\n" + page, 0, page, 0, 0},
		{"no length", ok + "\r\n" + page, 0, page, 0, 0},
		{"HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n" + page, 0, page, 0, 0},
		{"lines end with LF", "HTTP/1.1 200 OK\nContent-Length: 68\n\n" + page, 0, page, 0, 0},
		{"no reason", "HTTP/1.1 200\r\nContent-Length: 68\r\n\r\n" + page, 0, page, 0, 0},
		{"folded field", ok + "X: a\r\n b\r\nContent-Length: 68\r\n\r\n" + page, 0, page, 0, 0},
		{"chunks", ok + "Transfer-Encoding: chunked\r\nTrailer: X\r\n\r\n44\r\n" + page + "\r\n0\r\nX: y\r\n\r\n", 0,
			page, 0, 0},
		{"chunks and a length", ok + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n44\r\n" + page +
			"\r\n0\r\n\r\n", 0, page, 0, 0},
		{"chunks that break off", ok + "Transfer-Encoding: chunked\r\n\r\n44\r\n" + page + "\r\n", 0, page,
			download.Disconnect, download.Disconnected},
		{"chunk that breaks off", ok + "Transfer-Encoding: chunked\r\n\r\n44\r\n" + page[:9], 0, page[:9],
			download.Disconnect, download.Disconnected},
		{"chunk of no size", ok + "Transfer-Encoding: chunked\r\n\r\nxyz\r\n" + page, 0, "", download.Broken,
			download.Protocol},
		{"chunk of a huge size", ok + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n" + page, 0, "",
			download.Broken, download.Protocol},
		{"chunk that is longer", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\n" + page + "\r\n0\r\n\r\n", 0, page[:5],
			download.Broken, download.Protocol},
		{"chunk with endless extension", ok + "Transfer-Encoding: chunked\r\n\r\n5;" + strings.Repeat("x", 1<<20) +
			"\r\nabcde\r\n0\r\n\r\n", 0, "", download.Broken, download.Protocol},
		{"endless trailer", ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n" +
			strings.Repeat("X: y\r\n", 1<<16), 0, "abcde", download.Broken, download.Protocol},
		{"other transfer encoding", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", download.Protocol, "", 0,
			0},
		{"no answer", "", download.Disconnected, "", 0, 0},
		{"no HTTP", "SSH-2.0-OpenSSH_9.6\r\n", download.Protocol, "", 0, 0},
		{"an endless line", strings.Repeat("x", 1<<20), download.HeaderSize, "", 0, 0},
		{"control characters", "\x1b[2J\x1b]0;owned\x07\r\n\r\n", download.Protocol, "", 0, 0},
		{"status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", download.Protocol, "", 0, 0},
		{"status 42", "HTTP/1.1 042 OK\r\n\r\n", download.Protocol, "", 0, 0},
		{"half a head", "HTTP/1.1 200 OK\r\nContent-Ty", download.Disconnected, "", 0, 0},
		{"head without an end", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n", download.Disconnected, "", 0, 0},
		{"endless fields", ok + strings.Repeat("X-Fill: 0123456789\r\n", 1<<16), download.HeaderSize, "", 0, 0},
		{"endless field", ok + "X: " + strings.Repeat("x", 1<<20), download.HeaderSize, "", 0, 0},
		{"field just too long", ok + "X: " + strings.Repeat("x", 64<<10) + "\r\n\r\n" + page, download.HeaderSize, "",
			0, 0},
		{"long field", ok + "X: " + strings.Repeat("x", 63<<10) + "\r\n\r\n" + page, 0, page, 0, 0},
		{"some 1xx", strings.Repeat("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 8) + ok +
			"Content-Length: 68\r\n\r\n" + page, 0, page, 0, 0},
		{"endless 1xx", strings.Repeat("HTTP/1.1 100 Continue\r\n\r\n", 1<<16), download.HeaderSize, "", 0, 0},
		{"101", "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n" + page,
			download.Protocol, "", 0, 0},
		{"status 999", "HTTP/1.1 999 What\r\nContent-Length: 68\r\n\r\n" + page, 0, page, 0, 0},
		{"204 with a body", "HTTP/1.1 204 No Content\r\n\r\n" + page, 0, "", 0, 0},
		{"304 with a body", "HTTP/1.1 304 Not Modified\r\n\r\n" + page, 0, "", 0, 0},
		{"empty", ok + "Content-Length: 0\r\n\r\n", 0, "", 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			origin := serveRaw(t, says(test.answer))
			c := local(t)
			if test.failure != 0 {
				if e := fails(t, c, origin, test.failure); !e.Addr.IsValid() || e.Times.Total <= 0 {
					t.Errorf("address %v, times %+v", e.Addr, e.Times)
				}
				return
			}
			x := visit(t, c, download.Request{URL: origin, KeepSent: true})
			check(t, "body", bodyText(t, x.Body), test.body)
			check(t, "truncated", x.Truncated, test.truncated)
			check(t, "sent truncated", x.SentTruncated, test.truncated)
			check(t, "failure", x.Failure, test.cut)
			check(t, "error", x.Err == nil, test.cut == 0)
			check(t, "chunked", strings.Contains(string(x.ResponseHead), "Transfer-Encoding"), false)
			if head := string(x.ResponseHead); strings.Count(head, "HTTP/1") != 1 ||
				!strings.HasSuffix(head, "\n\r\n") && !strings.HasSuffix(head, "\n\n") {
				t.Errorf("head %.200q", head)
			}
		})
	}
}

// TestHeads covers heads that curl, wget and Python read, and malformed ones that they do not.
func TestHeads(t *testing.T) {
	for _, h := range heads.All() {
		t.Run(h.Name, func(t *testing.T) {
			origin := heads.Serve(t, h)
			x, err := local(t).Do(t.Context(), download.Request{URL: origin + "/robots.txt"})
			if err != nil {
				if h.Read {
					t.Error(err)
				}
				return
			}
			defer x.Close()
			location := strings.TrimPrefix(x.Location, origin)
			whole := x.Failure == 0 && (bodyText(t, x.Body) == heads.Text || location != "")
			if read := whole && location == h.Location; read != h.Read {
				t.Errorf("got %v, failure %v, want to read it: %v", x, x.Failure, h.Read)
			}
			// An archive has the head as it came, apart from the coding of the transfer.
			head := string(x.ResponseHead)
			for line := range strings.Lines(h.Answer[strings.LastIndex(h.Answer, head[:12]):]) {
				if strings.Trim(line, "\r\n") == "" {
					break
				}
				if !strings.Contains(head, line) && !strings.HasPrefix(line, "Transfer-Encoding") {
					t.Errorf("the head in the archive lacks %.100q", line)
				}
			}
		})
	}
}

// TestResets covers connections that break instead of ending.
func TestResets(t *testing.T) {
	reset := func(answer string) func(net.Conn, int) bool {
		return func(conn net.Conn, _ int) bool {
			io.WriteString(conn, answer)
			conn.(*net.TCPConn).SetLinger(0)
			return false
		}
	}
	fails(t, local(t), serveRaw(t, reset("")), download.Disconnected)
	origin := serveRaw(t, reset("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"+page))
	// The system may drop what came before the reset.
	x, err := local(t).Do(t.Context(), download.Request{URL: origin})
	if err == nil && x.Failure != download.Disconnected {
		t.Errorf("got %v", x)
	}
}

// A server that sends nothing, too little, or endless nothing does not hold a worker,
// in any part of the answer and over each protocol.
func TestSlowServers(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n"
	drip := func(conn net.Conn, text string) {
		for i := range text {
			if _, err := io.WriteString(conn, text[i:i+1]); err != nil {
				return
			}
			time.Sleep(time.Millisecond) // the server is slow
		}
		io.Copy(io.Discard, conn) // until the client closes
	}
	long := strings.Repeat("x", 100000)
	for _, test := range []struct {
		name    string
		answer  func(net.Conn)
		failure download.Failure
		cut     download.Failure
	}{
		{"silence", func(conn net.Conn) { drip(conn, "") }, download.Timeout, 0},
		{"head stops", func(conn net.Conn) { io.WriteString(conn, ok[:30]); drip(conn, "") }, download.Timeout, 0},
		{"head drips", func(conn net.Conn) { drip(conn, "HTTP/1.1 200 OK\r\nX: "+long) }, download.Timeout, 0},
		{"1xx drips", func(conn net.Conn) {
			drip(conn, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nX: "+
				long)
		}, download.Timeout, 0},
		{"body stops", func(conn net.Conn) { io.WriteString(conn, ok+"abc"); drip(conn, "") }, 0, download.TooSlow},
		{"body drips", func(conn net.Conn) { io.WriteString(conn, ok+"abc"); drip(conn, long) }, 0, download.TooSlow},
		{"chunks drip", func(conn net.Conn) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
			drip(conn, strings.Repeat("1\r\nx\r\n", 100000))
		}, 0, download.TooSlow},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			origin := serveRaw(t, func(conn net.Conn, _ int) bool { test.answer(conn); return false })
			c := local(t)
			c.HeaderTimeout, c.RateWindow, c.MinRate = 100*time.Millisecond, 100*time.Millisecond, 1<<20
			if test.failure != 0 {
				fails(t, c, origin, test.failure)
				return
			}
			c.HeaderTimeout, c.RateWindow = 0, 500*time.Millisecond // a busy machine needs time for the first bytes
			x := visit(t, c, download.Request{URL: origin})
			check(t, "failure", x.Failure, test.cut)
			check(t, "truncated", x.Truncated, download.Time)
			if !strings.HasPrefix(bodyText(t, x.Body), "a") {
				t.Errorf("%d bytes were lost", x.Body.Size())
			}
		})
	}
}

// The whole exchange is limited too, even at a good rate.
func TestTimeout(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		s, c := serveTLS(t, http2, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, page)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		c.Timeout = 500 * time.Millisecond
		x, err := c.Do(t.Context(), download.Request{URL: s.URL})
		if err != nil {
			// A slow enough machine does not get as far as the head.
			check(t, "failure", err.(*download.Error).Failure, download.Timeout)
			continue
		}
		check(t, "body", bodyText(t, x.Body), page)
		check(t, "truncated", x.Truncated, download.Time)
		check(t, "failure", x.Failure, download.Timeout)
	}
}

// A rate just above the limit is accepted, over several windows.
func TestSteadyRate(t *testing.T) {
	const n = 20
	origin := serveRaw(t, func(conn net.Conn, _ int) bool {
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
		for range n {
			io.WriteString(conn, strings.Repeat("x", 1000))
			time.Sleep(10 * time.Millisecond) // the server is slow
		}
		return false
	})
	c := local(t)
	c.MinRate, c.RateWindow = -1, 30*time.Millisecond
	x := visit(t, c, download.Request{URL: origin})
	check(t, "truncated", x.Truncated, download.Whole)
	check(t, "size", x.Body.Size(), n*1000)
}

// An endless body is cut at the limit, in bounded memory, and the server is not read
// any further.
func TestEndlessBody(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		var handlers sync.WaitGroup
		s, c := serveTLS(t, http2, func(w http.ResponseWriter, r *http.Request) {
			handlers.Add(1)
			defer handlers.Done()
			w.Header().Set("Content-Type", "text/html")
			io.Copy(w, endless("abc"))
		})
		for _, most := range []int64{1, 1000, 1 << 20, 3 << 20} {
			x := visit(t, c, download.Request{URL: s.URL, MaxBody: most})
			check(t, "size", x.Body.Size(), most)
			check(t, "truncated", x.Truncated, download.Length)
			check(t, "sent truncated", x.SentTruncated, download.Length)
			check(t, "failure", x.Failure, download.None)
			x = visit(t, c, download.Request{URL: s.URL, MaxSent: most})
			check(t, "sent size", x.Body.Size(), most)
		}
		handlers.Wait()
	}
}

// A body exactly as long as the limit is whole.
func TestLimit(t *testing.T) {
	for _, chunked := range []bool{false, true} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			if chunked {
				w.(http.Flusher).Flush()
			}
			io.WriteString(w, page)
		})
		c := local(t)
		for i, most := range []int64{int64(len(page)), int64(len(page)) + 1, int64(len(page)) - 1} {
			x := visit(t, c, download.Request{URL: s.URL, MaxBody: most})
			check(t, "size", x.Body.Size(), min(most, int64(len(page))))
			check(t, "whole", x.Truncated == download.Whole, i < 2)
			check(t, "reused", x.Times.Reused, i > 0)
		}
	}
}

// TestHTTP2Answers covers the failures of HTTP/2.
func TestHTTP2Answers(t *testing.T) {
	s, c := serveTLS(t, true, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/head":
			panic(http.ErrAbortHandler)
		case "/body":
			io.WriteString(w, page)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		case "/fields":
			for i := range 70 {
				w.Header().Set("X-"+strings.Repeat("x", i), strings.Repeat("x", 1000))
			}
		case "/many-fields":
			for i := range 500 {
				w.Header().Set("X-"+strings.Repeat("x", i), strings.Repeat("x", 1000))
			}
		case "/length":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, page)
		case "/hints":
			for range 1 << 16 {
				w.WriteHeader(103)
			}
		case "/drip":
			for r.Context().Err() == nil {
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
			}
		case "/silence":
			<-r.Context().Done()
		default:
			io.WriteString(w, page)
		}
	})
	for _, test := range []struct {
		path      string
		failure   download.Failure
		truncated download.Truncation
		cut       download.Failure
	}{
		{"/", 0, 0, 0},
		{"/head", download.Disconnected, 0, 0},
		{"/body", 0, download.Disconnect, download.Disconnected},
		{"/fields", download.HeaderSize, 0, 0},
		{"/many-fields", download.Protocol, 0, 0}, // so many that net/http drops the connection
		{"/length", 0, download.Disconnect, download.Disconnected},
		{"/hints", download.Protocol, 0, 0},
		{"/drip", 0, download.Time, download.TooSlow},
		{"/silence", download.Timeout, 0, 0},
		{"/", 0, 0, 0},
	} {
		t.Run(test.path, func(t *testing.T) {
			c := &download.Client{UserAgent: robot, DialFilter: c.DialFilter, TLS: c.TLS}
			defer c.Close()
			switch test.path {
			case "/drip":
				c.MinRate, c.RateWindow = 1<<30, 100*time.Millisecond
			case "/silence":
				c.HeaderTimeout = 100 * time.Millisecond
			}
			if test.failure != 0 {
				fails(t, c, s.URL+test.path, test.failure)
				return
			}
			x := visit(t, c, download.Request{URL: s.URL + test.path})
			check(t, "truncated", x.Truncated, test.truncated)
			check(t, "failure", x.Failure, test.cut)
			if test.path != "/drip" {
				check(t, "body", bodyText(t, x.Body), page)
			}
			check(t, "head", strings.HasPrefix(string(x.ResponseHead), "HTTP/1.1 200 OK\r\nContent-"), true)
		})
	}
}

// No host answers: nothing listens, or the connection is never accepted.
func TestDeadHosts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	dead := "http://" + l.Addr().String()
	l.Close()
	c := local(t)
	e := fails(t, c, dead, download.Connect)
	if e.Times.Connect <= 0 {
		t.Errorf("times %+v", e.Times)
	}
	c = local(t)
	c.Lookup = lookup(map[string][]string{"two.example": {"127.0.0.1", "::1"}, "slow.example": nil,
		"empty.example": {}})
	c.ConnectTimeout = 200 * time.Millisecond
	fails(t, c, "http://two.example"+port(dead), download.Connect)
	fails(t, c, "http://other.example/", download.NoHost)
	fails(t, c, "http://empty.example/", download.NoHost)
	fails(t, c, "http://slow.example/", download.Timeout)
	black, err := net.Listen("tcp", "127.0.0.1:0") // the system accepts the connection, and nothing answers
	fatal.If(t, err)
	defer black.Close()
	fails(t, c, "https://"+black.Addr().String(), download.Timeout)
	// The server does not speak TLS, or its certificate is not trusted.
	c = local(t)
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	fails(t, c, "https"+plain.URL[4:], download.TLS)
	s, _ := serveTLS(t, true, func(http.ResponseWriter, *http.Request) {})
	fails(t, c, s.URL, download.TLS)
}
