package rdap_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/rdap"
)

// The registry of the tests has the blocks 198.0.0.0/8 and 2001:db8::/32. The paths below /wide/
// belong to another registry, which has a shorter prefix and must not be asked.
const bootstrap = `{"version":"1.0","services":[[["198.0.0.0/7"],["http://plain.example/","%[1]s/wide/"]],[["198.0.0.0/8","no prefix"],["http://plain.example/","%[1]s/r/"]],[["2a00::/12","2001:db8::/32"],["%[1]s/r"]]]}`

// network is the answer for a network, with the abuse contact inside its holder.
const network = `{"objectClassName":"ip network","handle":"NET-1","name":"EXAMPLE","startAddress":%q,"endAddress":%q,
 "entities":[{"roles":["registrant"],"vcardArray":["vcard",[["email",{},"text","owner@example.net"]]],
  "entities":[{"roles":["technical","abuse"],"vcardArray":["vcard",[["version",{},"text","4.0"],["fn",{},"text","Abuse"],["email",{"type":"work"},"text","abuse@example.net"],
    ["email",{},"text","evil@example.net\r\nBcc: all@example.com"],["email",{},"text","abuse@example.net"],["email"],7]]}]},
  {"roles":["abuse"],"vcardArray":["vcard",[["email",{},"text","abuse@example.net"],["email",{},"text","noc@example.net"],["tel",{},"uri","tel:1"]]]},{"roles":["abuse"],"vcardArray":"x"}]}`

// serve starts a registry, and returns a client for it.
func serve(t *testing.T, handle func(w http.ResponseWriter, r *http.Request) bool) (*rdap.Client, *atomic.Int64) {
	t.Helper()
	requests := new(atomic.Int64)
	var server *httptest.Server
	server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.UserAgent() != "ExampleBot/1.0" || !strings.Contains(r.Header.Get("Accept"), "application/rdap+json") {
			t.Errorf("the request has the header %q", r.Header)
		}
		if handle != nil && handle(w, r) {
			return
		}
		switch {
		case r.URL.Path == "/boot/ipv4.json" || r.URL.Path == "/boot/ipv6.json":
			fmt.Fprintf(w, bootstrap, server.URL)
		case strings.HasPrefix(r.URL.Path, "/r/ip/198.51."):
			http.Redirect(w, r, "/other"+strings.TrimPrefix(r.URL.Path, "/r"), http.StatusFound)
		case strings.HasPrefix(r.URL.Path, "/other/ip/198.51."):
			fmt.Fprintf(w, network, "198.51.100.0", "198.51.100.255")
		case strings.HasPrefix(r.URL.Path, "/r/ip/2001:db8:"):
			fmt.Fprintf(w, network, "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	transport := fetch.DialFilter{AllowPrivate: true}.Transport()
	t.Cleanup(transport.CloseIdleConnections)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	return &rdap.Client{Transport: transport, UserAgent: "ExampleBot/1.0", Bootstrap: server.URL + "/boot/"}, requests
}

func addresses(texts ...string) (list []netip.Addr) {
	for _, text := range texts {
		list = append(list, netip.MustParseAddr(text))
	}
	return list
}

// TestNetworks looks up addresses of two networks. One question is enough for all addresses of a
// network.
func TestNetworks(t *testing.T) {
	client, requests := serve(t, nil)
	found, err := client.Networks(context.Background(), addresses("198.51.100.7", "2001:db8::1", "198.51.100.8",
		"2001:db8:7::2"))
	if err != nil || len(found) != 2 {
		t.Fatalf("got %v, %v", found, err)
	}
	for i, first := range []string{"198.51.100.0", "2001:db8::"} {
		n := found[i]
		if n.First.String() != first || n.Name != "EXAMPLE" ||
			!slices.Equal(n.Abuse, []string{"abuse@example.net", "noc@example.net"}) {
			t.Errorf("got %+v", n)
		}
	}
	if n := requests.Load(); n != 5 { // two bootstrap files, a redirect, two networks
		t.Errorf("%d requests, want 5", n)
	}
}

// TestErrors tells why there is no answer, and goes on with the other addresses.
func TestErrors(t *testing.T) {
	for name, test := range map[string]struct {
		address string
		handle  func(w http.ResponseWriter, r *http.Request) bool
		want    string
	}{
		"unknown":   {"203.0.113.1", nil, "no registry has an RDAP server"},
		"private":   {"192.168.0.1", nil, "not a public address"},
		"loopback":  {"127.0.0.1", nil, "not a public address"},
		"not found": {"198.18.0.1", nil, "status is 404"},
		"large": {"198.18.0.1", func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.URL.Path, "/r/ip/198.18.") {
				return false
			}
			io.WriteString(w, `{"name":"`+strings.Repeat("x", 1<<20)+`"}`)
			return true
		}, "larger than 1048576 bytes"},
		"no JSON": {"198.18.0.1", func(w http.ResponseWriter, r *http.Request) bool {
			io.WriteString(w, "<html>\x1b[31m")
			return true
		}, "not the JSON of RDAP"},
		"another network": {"198.18.0.1", func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.URL.Path, "/r/") {
				return false
			}
			fmt.Fprintf(w, network, "198.19.0.0", "198.19.0.255")
			return true
		}, "is not of its network"},
		"plain": {"198.18.0.1", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://"+r.Host+"/", http.StatusFound)
			return true
		}, "without https"},
		"circle": {"198.18.0.1", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, "more than 5 redirects"},
	} {
		t.Run(name, func(t *testing.T) {
			client, _ := serve(t, func(w http.ResponseWriter, r *http.Request) bool {
				return test.handle != nil && !strings.Contains(r.URL.Path, "ipv6") &&
					!strings.Contains(r.URL.Path, "2001:") && test.handle(w, r)
			})
			found, err := client.Networks(context.Background(), addresses(test.address, "2001:db8::1"))
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\x1b") {
				t.Errorf("got the error %v, want %q", err, test.want)
			}
			if len(found) != 1 {
				t.Errorf("got %v, want the network of the other address", found)
			}
		})
	}
}

// TestBounds asks for ten networks at most, for none after the context is done, and never at an
// address that is not public without leave.
func TestBounds(t *testing.T) {
	client, requests := serve(t, nil)
	var many []netip.Addr
	for i := range 30 {
		many = append(many, netip.AddrFrom4([4]byte{198, 18, byte(i), 1}))
	}
	_, err := client.Networks(context.Background(), many)
	if err == nil || !strings.Contains(err.Error(), "20 addresses were not looked up") || requests.Load() != 11 {
		t.Errorf("%d requests, error %v", requests.Load(), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if found, err := client.Networks(ctx, many); found != nil || err == nil || requests.Load() != 11 {
		t.Errorf("%d requests, found %v, error %v", requests.Load(), found, err)
	}
	client.Transport = nil
	if _, err := client.Networks(context.Background(), addresses("198.51.100.7")); err == nil || requests.Load() != 11 {
		t.Errorf("%d requests, error %v", requests.Load(), err)
	}
}
