package accesslog

import (
	"bytes"
	"net/netip"

	"github.com/robotsexclusion/robots/audit/internal/edge"
)

// A behindProxy reads lines in the combined format with X-Forwarded-For beside the address that
// connected, and perhaps a host before both:
//
//	203.0.113.7 10.0.0.9 - - [26/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" …
//	shop.example "203.0.113.7, 10.1.1.1" 10.0.0.9 - - […
//
// Where two addresses have no signs of a list, that of a proxy is the one that connected. If the
// line may as well have the address of a virtual host, it is left to the formats that have one.
type behindProxy struct {
	ident, user *template // of what follows the addresses
}

func (behindProxy) has(f field) bool {
	return f != host && combinedTail.has(f) || f == client || f == forwarded
}

var combinedTail = nginx(open, `$ident $remote_user [$begin_time]`+browser)

// beforeTail are the words before the user of a line.
type beforeTail struct {
	host, chain []byte
	peers       [2][]byte
	proxies     [2]bool // whether the peers are proxies
	count       int     // of the peers
	none        bool    // whether a hyphen stands where a list or a host may be
	quoted      bool    // whether the host is in quotes
}

const notBehind = "no X-Forwarded-For is beside the address of the client"

func (b behindProxy) read(line []byte, d *draft) (reason string) {
	var words beforeTail
	for rest, ended := line, false; !ended; {
		word, after := cutValue(rest)
		if word == nil || !words.add(word, rest[0] == '"') {
			return notBehind
		}
		ended = bytes.HasPrefix(after, noIdent[1:]) && (words.count > 0 || words.chain != nil)
		rest = after
		if ended {
			line = rest
		}
	}
	ident := !bytes.HasPrefix(line, []byte("- ["))
	if !words.store(ident, d) {
		return notBehind
	}
	if ident {
		return b.ident.read(line, d)
	}
	return b.user.read(line, d)
}

// cutValue cuts a word, a text in quotes or a list with ", " in it from the beginning of a line.
func cutValue(line []byte) (value, rest []byte) {
	if len(line) > 0 && line[0] == '"' {
		end := bytes.IndexByte(line[1:], '"') + 1
		if end < 2 || end+1 >= len(line) || line[end+1] != ' ' {
			return nil, nil
		}
		return line[1:end], line[end+2:]
	}
	for end := 0; ; end++ {
		i := bytes.IndexByte(line[end:], ' ')
		if i <= 0 {
			return nil, nil
		}
		if end += i; line[end-1] != ',' {
			return line[:end], line[end+1:]
		}
	}
}

// add adds a word, and reports whether it can be one of such a line.
func (b *beforeTail) add(word []byte, quoted bool) bool {
	a, isAddr := parseClient(word)
	inner := word
	if n := len(word); n > 2 && (word[0] == '(' && word[n-1] == ')' || word[0] == '[' && word[n-1] == ']') {
		inner = word[1 : n-1]
	}
	switch {
	case len(word) == 1 && word[0] == '-':
		b.none = true
	case (isAddr && !quoted && len(inner) == len(word)) || string(word) == unixSocket:
		if b.count == len(b.peers) {
			return false
		}
		b.peers[b.count], b.proxies[b.count] = word, !a.IsValid() || edge.Proxy(a)
		b.count++
	case isChain(inner) && b.chain == nil:
		b.chain = inner
	case b.host == nil && (isDomain(word) || quoted && isHostName(word)):
		b.host, b.quoted = word, quoted
	default:
		return false
	}
	return true
}

// store stores the host and the addresses, and reports whether the line is one of the format. Ident
// says whether the line has an ident before its user.
func (b *beforeTail) store(ident bool, d *draft) bool {
	peer := b.peers[0]
	switch {
	case b.chain != nil:
		if b.count > 1 || b.count == 0 && b.host == nil {
			return false
		}
	case b.count == 1:
		if !b.quoted && (!b.none || b.host != nil || !b.proxies[0] || !ident) {
			return false
		}
		d.lists = b.none
	case b.count == 2 && b.proxies[0] != b.proxies[1]:
		if b.proxies[0] && ident && b.host == nil {
			return false // the private address of a virtual host
		}
		b.chain = b.peers[1]
		if b.proxies[1] {
			peer, b.chain = b.peers[1], b.peers[0]
		}
	case b.count == 2 && b.host != nil:
		// Either may be the client's word.
		peer, d.lists = nil, true
		if b.proxies[1] {
			peer = b.peers[1]
		}
	default:
		return false
	}
	return d.set(host, b.host) && (b.chain == nil || d.set(chain, b.chain)) && d.set(client, peer)
}

// setTail looks for X-Forwarded-For among the fields after the User-Agent, in quotes or without.
// The format "main" of nginx's own configuration has it there at once; other fields may stand
// around it, and a name with "=" before it. An address that may be that of a server does not count,
// and none does if several of the Internet differ.
func (d *draft) setTail(tail []byte) {
	if bytes.HasPrefix(tail, noForwarded) { // "-" in place of the list
		d.lists = true
	}
	var best, other struct {
		list []byte
		addr netip.Addr
		rank int
	}
	for value, rest := cutTail(tail); rest != nil; value, rest = cutTail(rest) {
		this := other
		this.list = trimTail(value)
		d.lists = d.lists || bytes.HasPrefix(value, forElement) || bytes.HasSuffix(this.list, unknownLast) &&
			isChain(this.list)
		if this.rank, this.addr = rankTail(this.list); this.rank == 0 {
			continue
		}
		d.lists = true
		switch {
		case this.rank > best.rank:
			best, d.torn = this, false
		case this.rank == best.rank && this.rank > privateTail && this.addr != best.addr:
			d.torn = true
		}
	}
	if best.rank > 0 {
		d.set(chain, best.list)
	}
}

var (
	noForwarded = []byte(` "-"`)
	forElement  = []byte("for=")
	unknownLast = []byte(", unknown")
)

// Ranks of addresses after the User-Agent: those of proxies, those with a port that a client may
// have, and others of the Internet.
const (
	privateTail = 1 + iota
	portTail
	publicTail
)

// rankTail returns the rank of a list of addresses, or 0 if the text is none or may be the address
// of a server.
func rankTail(list []byte) (rank int, a netip.Addr) {
	if len(list) == 0 || !isChain(list) {
		return 0, a
	}
	a, ok := Peer.choose(list)
	if !ok {
		return 0, a
	}
	rank = publicTail
	if edge.Proxy(a) {
		rank = privateTail
	}
	first, _, isList := bytes.Cut(list, comma)
	if before := cutPort(first); len(before) < len(first) && bytes.IndexByte(list, '.') >= 0 && !isList {
		if port, _ := digits(first[len(before)+1:]); rank == privateTail || isServerPort(port) {
			return 0, a
		}
		rank = portTail
	}
	return rank, a
}

// isServerPort reports whether a port is one at which servers behind a proxy usually are: those
// that need rights, whole thousands, 8000 to 9999.
func isServerPort(port int) bool {
	return port < 1024 || port >= 8000 && port < 10_000 || port%1000 < 2
}

// cutTail cuts a text in quotes, a word, or a list with ", " in it. rest is nil at the end.
func cutTail(tail []byte) (value, rest []byte) {
	for len(tail) > 0 && isTailBlank(tail[0]) {
		tail = tail[1:]
	}
	if len(tail) == 0 {
		return nil, nil
	}
	if tail[0] == '"' {
		end := bytes.IndexByte(tail[1:], '"')
		if end < 0 {
			return nil, nil
		}
		return tail[1 : 1+end], tail[2+end:]
	}
	end := 0
	for end < len(tail) && tail[end] != '"' {
		if isTailBlank(tail[end]) && (tail[end] != ' ' || tail[end-1] != ',' || end+1 == len(tail) ||
			isTailBlank(tail[end+1]) || tail[end+1] == '"') {
			break
		}
		end++
	}
	return tail[:end], tail[end:]
}

func isTailBlank(c byte) bool { return c == ' ' || c == '\t' || c == '|' }

// trimTail returns the list in a value: without a name, brackets, and what RFC 7239 has around one
// address.
func trimTail(value []byte) []byte {
	if i := bytes.IndexByte(value, '='); i >= 0 {
		forwarded := bytes.HasPrefix(value, forElement)
		value = value[i+1:]
		if forwarded {
			value, _, _ = bytes.Cut(value, []byte(";"))
		}
	}
	if n := len(value); n > 2 && (value[0] == '[' && value[n-1] == ']' || value[0] == '(' && value[n-1] == ')') {
		return value[1 : n-1]
	}
	return value
}
