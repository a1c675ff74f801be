package http1_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/robotsexclusion/robots/internal/http/http1"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/heads"
	"github.com/robotsexclusion/robots/internal/test/ports"
)

// plain returns a transport of net/http like those that programs make.
func plain() *http.Transport {
	return &http.Transport{DialContext: new(net.Dialer).DialContext, MaxResponseHeaderBytes: 64 << 10,
		ForceAttemptHTTP2: true}
}

// get requests a URL, and returns its whole text.
func get(t *testing.T, transport http.RoundTripper, url string) (*http.Response, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	fatal.If(t, err)
	answer, err := transport.RoundTrip(r)
	if err != nil {
		return nil, "", err
	}
	defer answer.Body.Close()
	if answer.Request != r {
		t.Error("the answer is to another request")
	}
	text, err := io.ReadAll(answer.Body)
	return answer, string(text), err
}

func TestHeads(t *testing.T) {
	transport := http1.New(plain())
	defer transport.CloseIdleConnections()
	for _, h := range heads.All() {
		t.Run(h.Name, func(t *testing.T) {
			answer, text, err := get(t, transport, heads.Serve(t, h)+"/robots.txt")
			read := err == nil && (text == heads.Text || h.Location != "" && answer.Header.Get("Location") != "")
			if read != h.Read {
				t.Errorf("got %q, %v, want to read it: %v", text, err, h.Read)
			}
			if !read && err == nil && !strings.HasPrefix(heads.Text, text) {
				t.Errorf("got %q, which is not part of the text", text)
			}
		})
	}
}

// A length that may mean another number is refused: a text that is cut there would lose its rules.
func TestDoubtfulLengths(t *testing.T) {
	for _, length := range []string{"1 KB", "1.000", "3; 4", "5.5", "0x22", "3a", "3 4", "3/4", "3e1", "33B"} {
		head := "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n"
		answer, err := http1.ReadResponse(bufio.NewReader(strings.NewReader(head)))
		if err == nil {
			t.Errorf("%q: got %d", length, answer.ContentLength)
		}
	}
}

// What net/http reads means the same after Strict, and what Strict changes is read by net/http
// unless the end of the body is unclear.
func FuzzStrict(f *testing.F) {
	for _, h := range heads.All() {
		f.Add([]byte(h.Answer[:min(len(h.Answer), 500)]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		head, err := http1.ReadHead(nil, bufio.NewReaderSize(bytes.NewReader(data), 16), 1<<16)
		if err != nil {
			return
		}
		want, wantErr := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
		strict := http1.Strict(head)
		if again := http1.Strict(strict); !bytes.Equal(again, strict) && !bytes.Contains(again, []byte("Connection")) {
			t.Errorf("Strict(%q) is %q, and then %q", head, strict, again)
		}
		got, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(strict)), nil)
		switch {
		case wantErr != nil && err != nil:
			text := err.Error()
			for _, known := range []string{"Content-Length", "transfer encoding", "malformed HTTP", "EOF"} {
				if strings.Contains(text, known) {
					return
				}
			}
			letters := bytes.Map(func(r rune) rune {
				if r = unicode.ToLower(r); r < 'a' || r > 'z' {
					return -1
				}
				return r
			}, strict)
			if !bytes.Contains(letters, []byte("contentlength")) &&
				!bytes.Contains(letters, []byte("transferencoding")) {
				t.Errorf("%q is %q, which net/http refuses: %v", head, strict, err)
			}
		case wantErr == nil && err != nil && want.Header["Transfer-Encoding "] == nil:
			t.Errorf("net/http reads %q, and not %q: %v", head, strict, err)
		case wantErr == nil && err == nil:
			if want.ProtoMinor == 0 && got.ProtoMinor == 1 && len(got.TransferEncoding) > 0 {
				return // net/http does not read the chunks
			}
			for _, h := range []http.Header{want.Header, got.Header} {
				h.Del("Content-Length")
				h.Del("Connection")
			}
			for name := range want.Header {
				if strings.HasSuffix(name, " ") { // the blank is dropped
					return
				}
			}
			if got.StatusCode != want.StatusCode || got.ContentLength != want.ContentLength ||
				!slices.Equal(got.TransferEncoding, want.TransferEncoding) ||
				!maps.EqualFunc(got.Header, want.Header, slices.Equal) {
				t.Errorf("%q: got %v, want %v", head, got, want)
			}
		}
	})
}

// secured returns the configurations of a server of TLS and of a client that trusts it.
func secured(t *testing.T) (server, client *tls.Config) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, &tls.Config{RootCAs: roots}
}

// Over TLS too, and the answer says with whom the connection was.
func TestHeadsOverTLS(t *testing.T) {
	server, client := secured(t)
	odd := heads.Head{Answer: "http/1.1 200OK\r\nX(Y): a\r\nContent-Length: 34, 34\r\n\r\n" + heads.Text}
	address := ports.Serve(t, func(c net.Conn) {
		secure := tls.Server(c, server)
		heads.Answer(secure, odd)
		secure.Close()
	})
	p := plain()
	p.TLSClientConfig = client
	answer, text, err := get(t, http1.New(p), "https://"+address+"/robots.txt")
	fatal.If(t, err)
	if text != heads.Text || answer.TLS == nil || len(answer.TLS.PeerCertificates) != 1 {
		t.Errorf("got %q, TLS %+v", text, answer.TLS)
	}
	_, _, err = get(t, http1.New(plain()), "https://"+address+"/robots.txt")
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); !ok {
		t.Errorf("an unknown certificate: got %v", err)
	}
}

// HTTP/2 is left to net/http, and answers on one connection keep apart.
func TestTransport(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		addresses := map[string]bool{}
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			addresses[r.RemoteAddr] = true
			w.WriteHeader(http.StatusEarlyHints)
			io.WriteString(w, r.Proto+r.URL.Path+strings.Repeat(" HTTP/1.1 200 OK\r\n\r\n", 10_000))
		}))
		s.EnableHTTP2 = http2
		s.StartTLS()
		p := plain()
		p.TLSClientConfig = s.Client().Transport.(*http.Transport).TLSClientConfig
		transport := http1.New(p)
		for _, path := range []string{"/a", "/b", "/c"} {
			answer, text, err := get(t, transport, s.URL+path)
			fatal.If(t, err)
			if want := answer.Proto + path + " HTTP"; !strings.HasPrefix(text, want) || len(text) < 200_000 {
				t.Errorf("got %.100q, want %q", text, want)
			}
			if (answer.ProtoMajor == 2) != http2 || answer.TLS == nil {
				t.Errorf("HTTP/2 %v: got %s, TLS %v", http2, answer.Proto, answer.TLS)
			}
		}
		if len(addresses) != 1 {
			t.Errorf("%d connections for three requests", len(addresses))
		}
		transport.CloseIdleConnections()
		s.Close()
	}
}

// A server that does not complete the handshake of TLS costs the time of the transport's limit.
func TestHandshakeTimeout(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	fatal.If(t, err)
	defer l.Close()
	p := plain()
	p.TLSHandshakeTimeout = 1
	_, _, err = get(t, http1.New(p), "https://"+l.Addr().String())
	timeout, ok := errors.AsType[net.Error](err)
	if !ok || !timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// ReadHead reads no byte of the body, and bounds what it reads.
func TestReadHead(t *testing.T) {
	for _, test := range []struct {
		text, head, rest string
		err              error
	}{
		{"\r\n\nHTTP/1.1 200 OK\r\na\n\nbody", "HTTP/1.1 200 OK\r\na\n\n", "body", nil},
		{"SSH-2.0\r\nmore", "SSH-2.0\r\n", "more", nil},
		{"HTTP/1.1 200 OK\r\na", "HTTP/1.1 200 OK\r\na", "", io.ErrUnexpectedEOF},
		{strings.Repeat("\n", 200), "", "", http1.ErrTooLarge},
		{"HTTP/1.1 200 OK\r\n" + strings.Repeat("a", 200), "", "", http1.ErrTooLarge},
		{"HTTP/1.1 200 OK\r\n" + strings.Repeat("a\n", 100), "", "", http1.ErrTooLarge},
	} {
		r := bufio.NewReaderSize(strings.NewReader(test.text), 16)
		head, err := http1.ReadHead(nil, r, 100)
		if err != test.err {
			t.Errorf("%.50q: got %v, want %v", test.text, err, test.err)
		}
		rest, _ := io.ReadAll(r)
		if err != http1.ErrTooLarge && (string(head) != test.head || string(rest) != test.rest) {
			t.Errorf("%.50q: got %q and %q", test.text, head, rest)
		}
	}
}

// BenchmarkFolded measures a head whose length has as many lines as fit.
func BenchmarkFolded(b *testing.B) {
	head := []byte("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n" + strings.Repeat(" 1\n", 20_000) + "\r\n")
	for b.Loop() {
		http1.Strict(head)
	}
}
