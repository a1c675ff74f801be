package cli

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/http/fault"
	"github.com/robotsexclusion/robots/internal/http/ownhost"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A MetricsServer has the flags for the address of the metrics of a long-running verb.
type MetricsServer struct {
	address string
	hosts   []string
}

// AddFlags adds the flag --metrics, with its help, and --metrics-host.
func (m *MetricsServer) AddFlags(flags *pflag.FlagSet, help string) {
	flags.StringVar(&m.address, "metrics", "", help)
	flags.StringSliceVar(&m.hosts, "metrics-host", nil,
		"answer requests to --metrics for these host `names` too, such as that of a container")
}

// Hosts returns the names of --metrics-host.
func (m *MetricsServer) Hosts() []string { return m.hosts }

// Check refuses an address that does not say which hosts may connect, and invalid host names.
func (m *MetricsServer) Check() error {
	if m.address == "" && len(m.hosts) > 0 {
		return errors.New("--metrics-host goes with --metrics")
	}
	for _, name := range m.hosts {
		if err := ownhost.Check(name); err != nil {
			return fmt.Errorf("--metrics-host %w", err)
		}
	}
	if _, ok := listenAddress(m.address); m.address != "" && !ok {
		return fmt.Errorf("--metrics %q is not an address: name one of this machine, such as 127.0.0.1:9090", m.address)
	}
	return nil
}

// listenAddress returns the address to listen on from a flag. A port alone means the loopback
// address.
func listenAddress(text string) (at netip.AddrPort, ok bool) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		host, port = "", text
	}
	if host == "" || strings.EqualFold(host, "localhost") {
		host = "127.0.0.1"
	}
	at, err = netip.ParseAddrPort(net.JoinHostPort(host, port))
	return at, err == nil
}

// ListenOn returns the address to listen on from the flag --listen of a verb that may serve all
// hosts. A port alone means the loopback address; the port after a colon, such as ":80", stays that
// of all addresses.
func ListenOn(text string) (address string, err error) {
	if _, err := strconv.ParseUint(text, 10, 16); err == nil {
		return net.JoinHostPort("127.0.0.1", text), nil
	}
	if _, _, err := net.SplitHostPort(text); err != nil {
		return "", Misusef("--listen %q is not an address: name one of this machine with a port, such as 127.0.0.1:8000, "+
			"or only a port", text)
	}
	return text, nil
}

// Listening returns what a verb prints when it listens, with a URL that a terminal opens. Of the
// addresses of all interfaces it names this machine.
func Listening(scheme string, address net.Addr) string {
	at := address.String()
	if host, port, err := net.SplitHostPort(at); err == nil && net.ParseIP(host).IsUnspecified() {
		return "listening at " + scheme + "://localhost:" + port + "/ and all other addresses of this machine"
	}
	return "listening at " + scheme + "://" + at + "/"
}

// Serve serves requests with the handler until closeServer is called. Pages of strangers are kept
// out. The handler may depend on whether only this machine can connect.
func (m *MetricsServer) Serve(cmd *cobra.Command, handler func(alone bool) http.Handler) (closeServer func(),
	err error) {
	if m.address == "" {
		return func() {}, nil
	}
	if err := m.Check(); err != nil {
		return nil, misuse{err}
	}
	at, _ := listenAddress(m.address)
	l, err := net.Listen("tcp", at.String())
	if err != nil {
		return nil, fmt.Errorf("cannot serve figures: %w", fault.Listening(err))
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "robots: figures at http://%s/metrics\n", l.Addr())
	s := &http.Server{
		Handler:           ownhost.New(m.hosts...).Handler("--metrics-host", handler(at.Addr().IsLoopback())),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0),
	}
	go s.Serve(l)
	return func() { s.Close() }, nil
}
