package testweb

import (
	"net"
	"net/netip"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// A nameServer is a DNS server on loopback, over UDP, with computed answers. It knows
// IPv4 addresses only.
type nameServer struct {
	conn net.PacketConn

	// lookup returns the addresses of a name in lower case without a dot at the end.
	lookup func(name string) ([]netip.Addr, dnsmessage.RCode)
}

func newNameServer(lookup func(string) ([]netip.Addr, dnsmessage.RCode)) (*nameServer, error) {
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &nameServer{conn, lookup}, nil
}

// serve answers until the connection is closed.
func (s *nameServer) serve() {
	packet := make([]byte, 4096)
	for {
		n, from, err := s.conn.ReadFrom(packet)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(packet[:n]) != nil || m.Response || len(m.Questions) != 1 {
			continue
		}
		s.answer(&m)
		if reply, err := m.Pack(); err == nil {
			s.conn.WriteTo(reply, from)
		}
	}
}

// answer turns a question into its answer.
func (s *nameServer) answer(m *dnsmessage.Message) {
	q := m.Questions[0]
	m.Response, m.Authoritative, m.RecursionAvailable, m.Additionals = true, true, true, nil
	addrs, code := s.lookup(strings.ToLower(strings.TrimSuffix(q.Name.String(), ".")))
	m.RCode = code
	if q.Type != dnsmessage.TypeA {
		return
	}
	for _, addr := range addrs {
		m.Answers = append(m.Answers, dnsmessage.Resource{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: dnsmessage.ClassINET, TTL: 60},
			Body:   &dnsmessage.AResource{A: addr.As4()},
		})
	}
}

// lookup answers for the hosts of the web. All other names do not exist, so no test
// queries foreign servers.
func (w *world) lookup(name string) ([]netip.Addr, dnsmessage.RCode) {
	h := w.find(name)
	switch {
	case h == nil || h.kind.nameless == dnsmessage.RCodeNameError:
		return nil, dnsmessage.RCodeNameError
	case h.kind.nameless != 0:
		return nil, h.kind.nameless
	case h.kind.rebinds && h.asked.next()%2 == 1:
		return []netip.Addr{refusedAddrs[0]}, 0
	}
	return []netip.Addr{h.addr}, 0
}
