package agent_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// A nameServer is a DNS server on loopback, over UDP and TCP. It answers unknown questions with
// "no such name".
type nameServer struct {
	tb      testing.TB
	answers map[string]answer // by question: type and name, such as "A www.example."

	mu    sync.Mutex
	asked map[string]int // number of times, by question

	packets net.PacketConn
	streams net.Listener
}

// An answer is the answer of a nameServer to a question.
type answer struct {
	records []dnsmessage.Resource
	rcode   dnsmessage.RCode
	silent  bool // it sends nothing
}

// newNameServer starts a server. The lines of the zone are records, such as "www.example. A
// 192.0.2.1", where a PTR may have its address as name: "192.0.2.1 PTR www.example."; or
// questions without an answer, such as "A www.example. SERVFAIL" or "PTR 192.0.2.1 SILENCE".
func newNameServer(tb testing.TB, zone string) *nameServer {
	tb.Helper()
	s := &nameServer{tb: tb, answers: make(map[string]answer), asked: make(map[string]int)}
	for line := range strings.Lines(zone) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case len(words) == 3 && (words[2] == "SERVFAIL" || words[2] == "REFUSED" || words[2] == "SILENCE" || words[2] == "NODATA"):
			rcode := map[string]dnsmessage.RCode{"SERVFAIL": dnsmessage.RCodeServerFailure, "REFUSED": dnsmessage.RCodeRefused}[words[2]]
			s.answers[words[0]+" "+ownerName(words[1])] = answer{rcode: rcode, silent: words[2] == "SILENCE"}
		case len(words) == 3:
			question := words[1] + " " + ownerName(words[0])
			a := s.answers[question]
			a.records = append(a.records, zoneRecord(tb, ownerName(words[0]), words[1], words[2]))
			s.answers[question] = a
		default:
			tb.Fatalf("not a line of a zone: %q", line)
		}
	}
	var err error
	if s.packets, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		tb.Fatal(err)
	}
	if s.streams, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		tb.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(s.servePackets)
	wg.Go(s.serveStreams)
	tb.Cleanup(func() {
		s.packets.Close()
		s.streams.Close()
		wg.Wait()
	})
	return s
}

// ownerName returns the DNS name of an address, and other names unchanged.
func ownerName(name string) string {
	addr, err := netip.ParseAddr(name)
	if err != nil {
		return name
	}
	var labels []string
	if addr.Is4() {
		for _, b := range addr.As4() {
			labels = slices.Insert(labels, 0, fmt.Sprint(b))
		}
		return strings.Join(labels, ".") + ".in-addr.arpa."
	}
	for _, b := range addr.As16() {
		labels = slices.Insert(labels, 0, fmt.Sprintf("%x.%x", b&15, b>>4))
	}
	return strings.Join(labels, ".") + ".ip6.arpa."
}

func zoneRecord(tb testing.TB, owner, typ, value string) dnsmessage.Resource {
	tb.Helper()
	name := func(s string) dnsmessage.Name {
		n, err := dnsmessage.NewName(s)
		if err != nil {
			tb.Fatalf("%s: %v", s, err)
		}
		return n
	}
	r := dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: name(owner), Class: dnsmessage.ClassINET, TTL: 60}}
	switch typ {
	case "A":
		r.Header.Type, r.Body = dnsmessage.TypeA, &dnsmessage.AResource{A: netip.MustParseAddr(value).As4()}
	case "AAAA":
		r.Header.Type, r.Body = dnsmessage.TypeAAAA, &dnsmessage.AAAAResource{AAAA: netip.MustParseAddr(value).As16()}
	case "PTR":
		r.Header.Type, r.Body = dnsmessage.TypePTR, &dnsmessage.PTRResource{PTR: name(value)}
	case "CNAME":
		r.Header.Type, r.Body = dnsmessage.TypeCNAME, &dnsmessage.CNAMEResource{CNAME: name(value)}
	default:
		tb.Fatalf("no record of type %s", typ)
	}
	return r
}

// resolver returns a resolver that asks only this server.
func (s *nameServer) resolver() *net.Resolver {
	return &net.Resolver{
		PreferGo: true,
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			addr := s.packets.LocalAddr()
			if strings.HasPrefix(network, "tcp") {
				addr = s.streams.Addr()
			}
			return new(net.Dialer).DialContext(ctx, network, addr.String())
		},
	}
}

// count returns the number of times a question was asked, such as "A www.example.".
func (s *nameServer) count(question string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[question]
}

func (s *nameServer) servePackets() {
	buf := make([]byte, 4096)
	for {
		n, from, err := s.packets.ReadFrom(buf)
		if err != nil {
			return
		}
		reply := s.reply(buf[:n])
		if len(reply) > 1232 { // the size that net.Resolver announces
			reply = truncated(reply)
		}
		if reply != nil {
			s.packets.WriteTo(reply, from)
		}
	}
}

func (s *nameServer) serveStreams() {
	for {
		conn, err := s.streams.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			var size [2]byte
			for {
				if _, err := io.ReadFull(conn, size[:]); err != nil {
					return
				}
				buf := make([]byte, binary.BigEndian.Uint16(size[:]))
				if _, err := io.ReadFull(conn, buf); err != nil {
					return
				}
				reply := s.reply(buf)
				conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...))
			}
		}()
	}
}

// truncated returns the header of a message with the TC bit.
func truncated(msg []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(msg) != nil {
		return nil
	}
	m.Truncated, m.Answers = true, nil
	packed, _ := m.Pack()
	return packed
}

func (s *nameServer) reply(query []byte) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	typ := strings.TrimPrefix(q.Type.String(), "Type")
	question := typ + " " + strings.ToLower(q.Name.String())
	s.mu.Lock()
	s.asked[question]++
	s.mu.Unlock()

	a, known := s.answers[question]
	m.Response, m.Authoritative, m.RecursionAvailable, m.Additionals = true, true, true, nil
	m.RCode = a.rcode
	if !known {
		m.RCode = dnsmessage.RCodeNameError
	}
	m.Answers = slices.Clone(a.records) // packing modifies them
	// Aliases are resolved, as recursive servers do.
	for alias := strings.ToLower(q.Name.String()); !known; {
		link, ok := s.answers["CNAME "+alias]
		if !ok {
			break
		}
		m.RCode = dnsmessage.RCodeSuccess
		m.Answers = append(m.Answers, link.records...)
		alias = link.records[0].Body.(*dnsmessage.CNAMEResource).CNAME.String()
		if a, known = s.answers[typ+" "+alias]; known {
			m.RCode = a.rcode
			m.Answers = append(m.Answers, a.records...)
		}
	}
	if a.silent {
		return nil
	}
	packed, err := m.Pack()
	if err != nil {
		s.tb.Errorf("name server: %v", err)
		return nil
	}
	return packed
}
