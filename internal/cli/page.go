package cli

import (
	"fmt"
	"io"
	"net/netip"

	"github.com/robotsexclusion/robots/internal/http/ownhost"
	"github.com/spf13/pflag"
)

// A PageAddress has the flags for the address of a page that shows a running program.
type PageAddress struct {
	address string
	always  bool // a page is served without a flag
	hosts   []string
}

// AddFlags adds the flags --listen and --host. Without a default address, a page is served only
// where --listen is given.
func (p *PageAddress) AddFlags(flags *pflag.FlagSet, address, help string) {
	p.always = address != ""
	flags.StringVar(&p.address, "listen", address, help)
	flags.StringArrayVar(&p.hosts, "host", nil,
		"the page of --listen also goes by this `name`, such as that of a proxy; repeat it for more")
}

// IsSet reports whether to serve a page.
func (p *PageAddress) IsSet() bool { return p.address != "" }

// Hosts returns the names of --host.
func (p *PageAddress) Hosts() []string { return p.hosts }

// Check refuses an address that does not say which hosts may connect, and invalid host names.
func (p *PageAddress) Check() error {
	switch {
	case p.address == "" && p.always:
		return Misusef("--listen is empty: name an address of this machine, such as 127.0.0.1:8020")
	case p.address == "" && len(p.hosts) > 0:
		return Misusef("--host is about the page: serve it with --listen")
	case p.address == "":
		return nil
	}
	if _, ok := listenAddress(p.address); !ok {
		return Misusef("--listen %q is not an address: name one of this machine, such as 127.0.0.1:8020", p.address)
	}
	for _, name := range p.hosts {
		if err := ownhost.Check(name); err != nil {
			return Misusef("--host %w", err)
		}
	}
	return nil
}

// Where returns the address to listen on. Check must have accepted it.
func (p *PageAddress) Where() netip.AddrPort {
	at, _ := listenAddress(p.address)
	return at
}

// Notice reports the address of the page, and who can see it.
func (p *PageAddress) Notice(w io.Writer, url string) {
	fmt.Fprintf(w, "robots: the page is at %s\n", url)
	if !p.Where().Addr().IsLoopback() {
		fmt.Fprintf(w, "robots: the page has no password: each machine that can connect to %s sees everything on it\n",
			p.Where())
	}
}
