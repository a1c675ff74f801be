package crawl_test

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestMain lets this program be the server too, so that what a crawler costs can be told from what
// the server costs.
func TestMain(m *testing.M) {
	child.Main(child.Tasks{"serve": serve})
	os.Exit(m.Run())
}

// What the server has: hosts without end of pages, each of the size and with the links
// that stand here.
const (
	hosts     = 200   // addresses from 127.0.1.0 on
	pageSize  = 10000 // bytes
	pageLinks = 60
	known     = 20 // pages of a host that all pages of it link to
	fresh     = 3  // links of a page that no other has
	abroad    = 10 // links of a page to known pages of other hosts
	burst     = 5  // pages of a TLS connection, after which it is closed
)

// host returns the address of a host.
func host(i int) string { return "127.0.1." + strconv.Itoa(1+i%hosts) }

// serve listens on a port for HTTP and on another for HTTPS, on all addresses. It
// prints both, and the certificate, and ends with its standard input.
func serve(string) {
	certificate, config := certify()
	for _, config := range []*tls.Config{nil, config} {
		l, err := net.Listen("tcp4", "0.0.0.0:0")
		if err != nil {
			panic(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		fmt.Println(port)
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				local := conn.LocalAddr().(*net.TCPAddr).IP
				if config != nil {
					go answer(tls.Server(conn, config), local, "https", port, burst)
				} else {
					go answer(conn, local, "http", port, 1<<30)
				}
			}
		}()
	}
	fmt.Println(base64.StdEncoding.EncodeToString(certificate))
	io.Copy(io.Discard, os.Stdin)
}

// certify makes a certificate for all hosts.
func certify() ([]byte, *tls.Config) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(24 * time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	for i := range hosts {
		template.IPAddresses = append(template.IPAddresses, net.ParseIP(host(i)))
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		panic(err)
	}
	return certificate, &tls.Config{NextProtos: []string{"http/1.1"},
		Certificates: []tls.Certificate{{Certificate: [][]byte{certificate}, PrivateKey: key}}}
}

// answer answers so many requests of a connection.
func answer(conn net.Conn, local net.IP, scheme string, port, most int) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	var page []byte
	for n := 1; n <= most; n++ {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return
		}
		fields := bytes.Fields(line)
		if len(fields) < 2 {
			return
		}
		path := string(fields[1])
		for len(bytes.TrimSpace(line)) > 0 {
			if line, err = r.ReadSlice('\n'); err != nil {
				return
			}
		}
		number, err := strconv.Atoi(strings.TrimPrefix(path, "/page/"))
		page = page[:0]
		status := "404 Not Found"
		if err == nil {
			status = "200 OK"
			page = appendPage(page, int(local.To4()[3])-1, number, scheme, port)
		}
		head := fmt.Sprintf("HTTP/1.1 %s\r\nServer: oracle\r\nDate: Sat, 21 Nov 2026 10:00:00 GMT\r\nContent-Type: text/html; charset=utf-8\r\n"+
			"Last-Modified: Sat, 21 Nov 2026 09:00:00 GMT\r\nETag: \"5f3a-%d\"\r\nVary: Accept-Encoding\r\nCache-Control: max-age=600\r\nContent-Length: %d\r\n", status, number, len(page))
		if n == most {
			head += "Connection: close\r\n"
		}
		if _, err := conn.Write(append([]byte(head+"\r\n"), page...)); err != nil {
			return
		}
	}
}

// appendPage appends a page of a host: as many bytes, with as many links, as each has.
func appendPage(b []byte, of, number int, scheme string, port int) []byte {
	state := uint64(of)<<40 ^ uint64(number)*0x9e3779b97f4a7c15
	random := func(n int) int {
		state += 0x9e3779b97f4a7c15
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return int((z ^ z>>31) % uint64(n))
	}
	b = fmt.Appendf(b,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>Page %d of host %d</title></head>\n<body>\n", number, of)
	text := (pageSize - len(b) - 60*pageLinks) / pageLinks
	for i := range pageLinks {
		b = append(b, "<p>"...)
		for end := len(b) + text; len(b) < end; {
			b = append(b, words[random(len(words))]...)
			b = append(b, ' ')
		}
		b = append(b, `<a class="link" href="`...)
		switch {
		case i < known:
			b = fmt.Appendf(b, "/page/%d", i)
		case i < known+fresh:
			b = fmt.Appendf(b, "/page/%d", known+fresh*number+i-known)
		case i < known+fresh+abroad:
			b = fmt.Appendf(b, "%s://%s:%d/page/%d", scheme, host(random(hosts)), port, random(known))
		default:
			b = fmt.Appendf(b, "/page/%d", random(number+1))
		}
		b = fmt.Appendf(b, "\">to number %d</a></p>\n", i)
	}
	return append(b, "</body>\n</html>\n"...)
}

// words are some that pages are made of.
var words = strings.Fields(`a robot visits pages of web sites and reads what each of them says to robots
	before it asks for more so nobody has to mind polite slow careful machines that follow links from here
	to there index search archive mirror maintain statistics measure growth find dead references resource
	discovery server load bandwidth rapid fire request queue host delay standard exclusion protocol field
	value record agent disallow allow path octet match longest rule group star dollar comment blank line`)

// A web is the server, as crawlers see it.
type web struct {
	http, https string // ports
	roots       *x509.CertPool
}

// seeds returns a page of each host.
func (w *web) seeds(scheme string) (urls []string) {
	port := w.http
	if scheme == "https" {
		port = w.https
	}
	for i := range hosts {
		urls = append(urls, scheme+"://"+host(i)+":"+port+"/page/0")
	}
	return urls
}

// startServer starts the server in a process of its own.
func startServer(b *testing.B) *web {
	b.Helper()
	c := child.Start(b, "serve", "")
	w := &web{http: c.Line(), https: c.Line(), roots: x509.NewCertPool()}
	der, err := base64.StdEncoding.DecodeString(c.Line())
	fatal.If(b, err)
	certificate, err := x509.ParseCertificate(der)
	fatal.If(b, err)
	w.roots.AddCert(certificate)
	return w
}
