// Package nameserver is a DNS server on loopback for tests.
package nameserver

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// A Server is a DNS server, over UDP and TCP. It answers unknown questions with "no such name".
type Server struct {
	answers map[string]answer // by question: type and name, such as "A www.example."
	failing map[string]bool   // names for which it reports a failure, for every type
	silent  bool              // it answers nothing

	mu    sync.Mutex
	asked map[string]int // number of times, by question; nil counts none

	packets net.PacketConn
	streams net.Listener
	serving sync.WaitGroup
}

// An answer is the answer to a question.
type answer struct {
	records []dnsmessage.Resource
	rcode   dnsmessage.RCode
	silent  bool // it sends nothing
}

// Start starts a server until the test ends. See New for the zone.
func Start(tb testing.TB, zone string) *Server {
	tb.Helper()
	s, err := New(zone)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// New starts a server. The lines of its zone are records, where a PTR has its address as name, and
// what the server does instead of an answer:
//
//	www.example. A 192.0.2.1
//	192.0.2.1 PTR www.example.
//	broken.example. FAILS
//	A www.example. SERVFAIL (or REFUSED, NODATA, SILENCE)
//	SILENCE
//
// The last line is about all questions.
func New(zone string) (*Server, error) {
	s := &Server{answers: make(map[string]answer), failing: make(map[string]bool), asked: make(map[string]int)}
	for line := range strings.Lines(zone) {
		if err := s.add(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("zone: %q: %w", line, err)
		}
	}
	var err error
	if s.packets, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	if s.streams, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		s.packets.Close()
		return nil, err
	}
	s.serving.Go(s.servePackets)
	s.serving.Go(s.serveStreams)
	return s, nil
}

// Close stops the server.
func (s *Server) Close() {
	s.packets.Close()
	s.streams.Close()
	s.serving.Wait()
}

// Address returns the address of the server for UDP.
func (s *Server) Address() string { return s.packets.LocalAddr().String() }

// add adds a line of the zone.
func (s *Server) add(words []string) error {
	switch {
	case len(words) == 0:
	case len(words) == 1 && words[0] == "SILENCE":
		s.silent = true
	case len(words) == 2 && words[1] == "FAILS":
		s.failing[ownerName(words[0])] = true
	case len(words) != 3:
		return errors.New("not a line of a zone")
	case words[2] == "SERVFAIL" || words[2] == "REFUSED" || words[2] == "SILENCE" || words[2] == "NODATA":
		rcode := map[string]dnsmessage.RCode{"SERVFAIL": dnsmessage.RCodeServerFailure,
			"REFUSED": dnsmessage.RCodeRefused}[words[2]]
		s.answers[words[0]+" "+ownerName(words[1])] = answer{rcode: rcode, silent: words[2] == "SILENCE"}
	default:
		record, err := zoneRecord(ownerName(words[0]), words[1], words[2])
		if err != nil {
			return err
		}
		question := words[1] + " " + ownerName(words[0])
		a := s.answers[question]
		a.records = append(a.records, record)
		s.answers[question] = a
	}
	return nil
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

// zoneRecord returns a record. Names may have escapes as in Go.
func zoneRecord(owner, kind, value string) (r dnsmessage.Resource, err error) {
	r.Header = dnsmessage.ResourceHeader{Class: dnsmessage.ClassINET, TTL: 60}
	if r.Header.Name, err = dnsmessage.NewName(owner); err != nil {
		return r, err
	}
	if kind == "A" || kind == "AAAA" {
		addr, err := netip.ParseAddr(value)
		if err != nil {
			return r, err
		}
		r.Header.Type, r.Body = dnsmessage.TypeAAAA, &dnsmessage.AAAAResource{AAAA: addr.As16()}
		if kind == "A" {
			r.Header.Type, r.Body = dnsmessage.TypeA, &dnsmessage.AResource{A: addr.As4()}
		}
		return r, nil
	}
	text, err := strconv.Unquote(`"` + value + `"`)
	if err != nil {
		return r, err
	}
	name, err := dnsmessage.NewName(text)
	switch kind {
	case "PTR":
		r.Header.Type, r.Body = dnsmessage.TypePTR, &dnsmessage.PTRResource{PTR: name}
	case "CNAME":
		r.Header.Type, r.Body = dnsmessage.TypeCNAME, &dnsmessage.CNAMEResource{CNAME: name}
	default:
		err = fmt.Errorf("no record of type %s", kind)
	}
	return r, err
}

// Resolver returns a resolver that asks only this server.
func (s *Server) Resolver() *net.Resolver {
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

// Count returns the number of times a question was asked, such as "A www.example.".
func (s *Server) Count(question string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[question]
}

// Asked returns all questions that were asked, with the number of times.
func (s *Server) Asked() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.asked)
}

// Forget stops the count of questions, which takes memory.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = nil
}

func (s *Server) servePackets() {
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

func (s *Server) serveStreams() {
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

func (s *Server) reply(query []byte) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return nil
	}
	q := m.Questions[0]
	typ := strings.TrimPrefix(q.Type.String(), "Type")
	question := typ + " " + strings.ToLower(q.Name.String())
	s.mu.Lock()
	if s.asked != nil {
		s.asked[question]++
	}
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
	if s.failing[strings.ToLower(q.Name.String())] {
		m.RCode = dnsmessage.RCodeServerFailure
	}
	if a.silent || s.silent {
		return nil
	}
	packed, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return packed
}
