package download_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMain lets the benchmarks run this program again as the server, which separates
// the costs of the client from those of the server.
func TestMain(m *testing.M) {
	child.Main(child.Tasks{"serve": benchServer})
	os.Exit(m.Run())
}

const (
	benchHosts = 16    // each with one worker
	benchPage  = 10000 // bytes
	benchBurst = 5     // pages a connection
)

// benchServer serves a page until it is killed. All ports but the last serve
// HTTP/1.1 with and without TLS, and the last serves HTTP/2. It prints the addresses
// and its certificate.
func benchServer(string) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"*.example"},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	config := &tls.Config{NextProtos: []string{"http/1.1"},
		Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}}
	body := strings.Repeat("<p>Short and stout.</p>\n", benchPage)[:benchPage]
	head := fmt.Sprintf("HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\nContent-Type: text/html; charset=utf-8\r\n"+
		"Last-Modified: Sat, 21 Nov 2026 09:00:00 GMT\r\nETag: \"5f3a-9c\"\r\nVary: Accept-Encoding\r\nCache-Control: max-age=600\r\nContent-Length: %d\r\n", benchPage)
	kept, last := []byte(head+"\r\n"+body), []byte(head+"Connection: close\r\n\r\n"+body)
	for range benchHosts {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			panic(err)
		}
		fmt.Println(l.Addr())
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close()
					r := bufio.NewReader(conn)
					if first, err := r.Peek(1); err == nil && first[0] == 22 { // a handshake
						conn = tls.Server(peeked{conn, r}, config)
						r = bufio.NewReader(conn)
					}
					for n := 1; ; n++ {
						for line := []byte("x"); len(bytes.TrimSpace(line)) > 0; {
							if line, err = r.ReadSlice('\n'); err != nil {
								return
							}
						}
						if n == benchBurst {
							conn.Write(last)
							return
						}
						conn.Write(kept)
					}
				}()
			}
		}()
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	config2 := config.Clone()
	config2.NextProtos = []string{"h2"}
	go (&http.Server{
		TLSConfig: config2,
		Handler:   http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, body) }),
	}).ServeTLS(l, "", "")
	fmt.Println(base64.StdEncoding.EncodeToString(certificate))
	select {}
}

// A peeked is a connection with some bytes already in its reader.
type peeked struct {
	net.Conn
	r *bufio.Reader
}

// Read implements [io.Reader].
func (p peeked) Read(b []byte) (int, error) { return p.r.Read(b) }

// startBench starts the server.
func startBench(b *testing.B) (hosts []string, roots *x509.CertPool) {
	b.Helper()
	c := child.Start(b, "serve", "")
	for range benchHosts + 1 {
		hosts = append(hosts, c.Line())
	}
	der, err := base64.StdEncoding.DecodeString(c.Line())
	fatal.If(b, err)
	certificate, err := x509.ParseCertificate(der)
	fatal.If(b, err)
	roots = x509.NewCertPool()
	roots.AddCert(certificate)
	return hosts, roots
}

// BenchmarkDo fetches pages of 10 KB, five a connection, from 16 hosts at once: with
// this package, and with net/http, the same reading and the same limits as far as
// net/http has them. The server is another process. An operation is 1,000 pages; pages
// for each second of processor time count the client only.
func BenchmarkDo(b *testing.B) {
	hosts, roots := startBench(b)
	c := &download.Client{UserAgent: robot, DialFilter: fetch.DialFilter{AllowPrivate: true},
		TLS: &tls.Config{RootCAs: roots}}
	defer c.Close()
	transport := fetch.DialFilter{AllowPrivate: true}.Transport()
	transport.TLSClientConfig = &tls.Config{RootCAs: roots, ClientSessionCache: tls.NewLRUClientSessionCache(512)}
	transport.DisableCompression = true
	transport.ReadBufferSize = 16 << 10
	defer transport.CloseIdleConnections()
	plain := func(url string) error {
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		r.Header.Set("User-Agent", robot)
		r.Header.Set("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5")
		r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		answer, err := transport.RoundTrip(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		body := bytes.NewBuffer(make([]byte, 0, answer.ContentLength+bytes.MinRead))
		if _, err := body.ReadFrom(io.LimitReader(answer.Body, 8<<20)); err != nil || body.Len() != benchPage {
			return fmt.Errorf("%d bytes, %v", body.Len(), err)
		}
		sha256.Sum256(body.Bytes())
		return nil
	}
	ours := func(url string) error {
		x, err := c.Do(b.Context(), download.Request{URL: url})
		if err != nil {
			return err
		}
		if x.Body.Size() != benchPage {
			return fmt.Errorf("%d bytes", x.Body.Size())
		}
		return x.Close()
	}
	for _, bench := range []struct {
		name, scheme string
		get          func(url string) error
	}{
		{"http/download", "http://", ours},
		{"http/net-http", "http://", plain},
		{"https/download", "https://", ours},
		{"https/net-http", "https://", plain},
	} {
		b.Run(bench.name, func(b *testing.B) {
			const pages = 1000
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begun, used, n := time.Now(), child.CPU(), 0
			for b.Loop() {
				var running sync.WaitGroup
				for _, host := range hosts[:benchHosts] {
					running.Go(func() {
						for range pages / benchHosts {
							if err := bench.get(bench.scheme + host + "/page"); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				running.Wait()
				n += pages / benchHosts * benchHosts
			}
			b.ReportMetric(float64(n)/time.Since(begun).Seconds(), "pages/s")
			if used = child.CPU() - used; used > 0 {
				b.ReportMetric(float64(n)/used.Seconds(), "pages/s/core")
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(n), "allocs/page")
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(n), "B/page")
		})
	}
}

// BenchmarkIdle pools connections to 1,000 hosts, and reports the client's memory for
// each: on the heap, and for stacks. The server is another process.
func BenchmarkIdle(b *testing.B) {
	hosts, roots := startBench(b)
	memory := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc + m.StackInuse
	}
	for _, bench := range []struct{ name, scheme, host string }{
		{"http", "http://", hosts[0]}, {"https", "https://", hosts[0]}, {"h2", "https://", hosts[benchHosts]},
	} {
		b.Run(bench.name, func(b *testing.B) {
			const n = 1000
			for b.Loop() {
				c := &download.Client{
					UserAgent: robot, DialFilter: fetch.DialFilter{AllowPrivate: true},
					TLS: &tls.Config{RootCAs: roots}, MaxIdle: n, IdleTimeout: time.Hour,
					Lookup: func(context.Context, string) ([]netip.Addr, error) {
						return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
					},
				}
				before := memory()
				for i := range n {
					x, err := c.Do(b.Context(), download.Request{URL: fmt.Sprintf("%shost%d.example%s/", bench.scheme,
						i, port(bench.host))})
					fatal.If(b, err)
					x.Close()
				}
				b.ReportMetric(float64(memory()-before)/n, "B/conn")
				c.Close()
			}
		})
	}
}

// BenchmarkDecode decodes a page of 10 KB, with a server in the same process.
func BenchmarkDecode(b *testing.B) {
	body := strings.Repeat("<p>Short and stout.</p>\n", benchPage)[:benchPage]
	for _, coding := range []string{"identity", "gzip", "deflate", "br", "zstd"} {
		b.Run(coding, func(b *testing.B) {
			s := serve(b, packed(coding, pack(coding, body)))
			c := local(b)
			b.ReportAllocs()
			for b.Loop() {
				x, err := c.Do(b.Context(), download.Request{URL: s.URL})
				if err != nil || x.Body.Size() != benchPage {
					b.Fatal(x, err)
				}
			}
		})
	}
}
