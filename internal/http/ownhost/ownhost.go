// Package ownhost keeps the pages of strangers away from a server that answers everybody who can
// connect. A browser on the same machine or network may have such pages open, and two ways to the
// server:
//
//   - A page can give its own name the address of the server (DNS rebinding), and then reads all
//     answers. So a server must refuse requests for hosts to which a stranger can give an address.
//   - A page of another site can make requests, though it cannot read the answers. A browser says
//     so in these requests.
//
// Programs other than browsers can send any header: this is not access control.
package ownhost

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Names are the hosts of a server.
type Names struct {
	machine string
	further map[string]bool // in lower case
}

// New returns the names of a server on this machine, with further ones, without ports, such as that
// of a proxy's site.
func New(further ...string) *Names {
	n := &Names{further: make(map[string]bool)}
	if name, err := os.Hostname(); err == nil {
		n.machine = strings.ToLower(name)
	}
	for _, name := range further {
		n.further[hostOf(name)] = true
	}
	return n
}

// Check refuses a text that is no further name.
func Check(name string) error {
	if name == "" || strings.ContainsAny(name, "/:@* \t") || !printable.IsText(name) {
		return fmt.Errorf("%q is not a name of a host: write it without a scheme and a port, such as watch.example.com",
			name)
	}
	return nil
}

// hostOf returns the host in a Host field or an origin, in lower case.
func hostOf(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// Known reports whether the server goes by the host of a request: an IP address, since nobody gives
// it another address, such as that of a container, which probes ask for; localhost; the name of
// the machine; or a further name. A request without a host is not a browser's.
func (n *Names) Known(hostport string) bool {
	host := hostOf(hostport)
	if _, err := netip.ParseAddr(host); err == nil || hostport == "" {
		return true
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || // RFC 6761: never asked in DNS
		host != "" && host == n.machine || n.further[host]
}

// Foreign reports whether a browser sent a request for a page of another site. Browsers of 2023 and
// later say so by Sec-Fetch-Site where an address is trustworthy, as with TLS or on the same
// machine; curl and an address that is typed have none, or "none". Others name the page's origin
// when the page wants to read the answer, or to send something.
func (n *Names) Foreign(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "same-origin", "none":
		return false
	case "":
	default:
		return true
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return false
	}
	// A proxy may have changed the host, but not to one that is named here.
	u, err := url.Parse(origin)
	return err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) && !n.further[hostOf(u.Host)]
}

// Handler returns a handler that refuses what pages of strangers send, and passes the rest. The
// option is what names further hosts.
func (n *Names) Handler(option string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !n.Known(r.Host):
			http.Error(w, WrongHost(r.Host, option), http.StatusMisdirectedRequest)
		case n.Foreign(r):
			http.Error(w, "the request is of a page of another site", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// WrongHost says that a server does not go by a host. The option is what names further hosts.
func WrongHost(host, option string) string {
	return fmt.Sprintf("the request is for %s: use the address of the server, or name the host with %s",
		printable.Quoted(host, 200), option)
}
