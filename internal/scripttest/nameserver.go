package scripttest

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/net/dns/dnsmessage"
)

// A nameServer is a DNS server on loopback, over UDP. Names outside its zone do not exist.
type nameServer struct {
	records map[string][]dnsmessage.ResourceBody // by type and name, such as "A bot.example."
	broken  map[string]bool                      // names for which it reports a failure
}

// StartZone starts a name server if a script has a file "zone", and sets DNS to the server's
// address.
func StartZone(env *testscript.Env) error {
	zone, err := os.ReadFile(filepath.Join(env.WorkDir, "zone"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	address, stop, err := StartNameServer(string(zone))
	if err != nil {
		return err
	}
	env.Defer(stop)
	env.Setenv("DNS", address)
	return nil
}

// StartNameServer starts a name server. The lines of its zone are
//
//	bot.example. A 192.0.2.7
//	192.0.2.7 PTR bot.example.
//	192.0.2.9 FAILS
func StartNameServer(zone string) (address string, stop func(), err error) {
	s := &nameServer{records: make(map[string][]dnsmessage.ResourceBody), broken: make(map[string]bool)}
	for line := range strings.Lines(zone) {
		if err := s.add(strings.Fields(line)); err != nil {
			return "", nil, fmt.Errorf("zone: %q: %w", line, err)
		}
	}
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.serve(conn)
	}()
	stop = func() {
		conn.Close()
		<-done
	}
	return conn.LocalAddr().String(), stop, nil
}

// add adds a line of the zone.
func (s *nameServer) add(words []string) error {
	if len(words) == 2 && words[1] == "FAILS" {
		s.broken[ownerName(words[0])] = true
		return nil
	}
	if len(words) != 3 {
		return errors.New("not a line of a zone")
	}
	var body dnsmessage.ResourceBody
	switch words[1] {
	case "A", "AAAA":
		addr, err := netip.ParseAddr(words[2])
		if err != nil {
			return err
		}
		if body = (&dnsmessage.AAAAResource{AAAA: addr.As16()}); words[1] == "A" {
			body = &dnsmessage.AResource{A: addr.As4()}
		}
	case "PTR":
		text, err := strconv.Unquote(`"` + words[2] + `"`) // with escapes as in Go
		if err != nil {
			return err
		}
		name, err := dnsmessage.NewName(text)
		if err != nil {
			return err
		}
		body = &dnsmessage.PTRResource{PTR: name}
	default:
		return errors.New("no known type")
	}
	key := words[1] + " " + ownerName(words[0])
	s.records[key] = append(s.records[key], body)
	return nil
}

// ownerName returns the DNS name for the reverse lookup of an address, and other names
// unchanged.
func ownerName(name string) string {
	addr, err := netip.ParseAddr(name)
	if err != nil {
		return name
	}
	var labels []string
	for _, octet := range addr.AsSlice() {
		if addr.Is4() {
			labels = append(labels, fmt.Sprint(octet))
		} else {
			labels = append(labels, fmt.Sprintf("%x", octet>>4), fmt.Sprintf("%x", octet&15))
		}
	}
	slices.Reverse(labels)
	if addr.Is4() {
		return strings.Join(labels, ".") + ".in-addr.arpa."
	}
	return strings.Join(labels, ".") + ".ip6.arpa."
}

// serve answers until conn is closed.
func (s *nameServer) serve(conn net.PacketConn) {
	packet := make([]byte, 4096)
	for {
		n, from, err := conn.ReadFrom(packet)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(packet[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		s.answer(&m)
		if reply, err := m.Pack(); err == nil {
			conn.WriteTo(reply, from)
		}
	}
}

// answer turns a question into its answer.
func (s *nameServer) answer(m *dnsmessage.Message) {
	q := m.Questions[0]
	name := strings.ToLower(q.Name.String())
	m.Response, m.Authoritative, m.RecursionAvailable, m.Additionals = true, true, true, nil
	for _, body := range s.records[strings.TrimPrefix(q.Type.String(), "Type")+" "+name] {
		header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: dnsmessage.ClassINET, TTL: 60}
		m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: body})
	}
	switch {
	case s.broken[name]:
		m.RCode = dnsmessage.RCodeServerFailure
	case m.Answers == nil:
		m.RCode = dnsmessage.RCodeNameError
	}
}
