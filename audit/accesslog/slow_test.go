package accesslog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/audit/internal/edge"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// The parts of fields as regular expressions.
var (
	slowTailExpr     = regexp.MustCompile(`(?s)"([^"]*)"|"[^"]*$|(?:[^ \t|"]+, )*[^ \t|"]+`)
	slowLastPortExpr = regexp.MustCompile(`(?s)^(.*):([0-9]{1,5})$`)
	slowBracesExpr   = regexp.MustCompile(`(?s)\{([^}]*)\}`)
	slowProductExpr  = regexp.MustCompile("^[-!#$%&'*+.^_`|~0-9A-Za-z ]+/v?[0-9]")
	slowHostExpr     = regexp.MustCompile(`^(?s:[-._:\[\]0-9a-zA-Z]|[^\x00-\x7f])+$`)
	slowDurationExpr = regexp.MustCompile(`^(?s)([0-9]{1,19})(?:\.([0-9]*))?(?:[ ,][-0-9., :]*)?$`)
	slowTimesExpr    = regexp.MustCompile(`^[-0-9., :]*$`)
	slowExponentExpr = regexp.MustCompile(`^[0-9]{1,19}(\.[0-9]*)?[eE]?.*e`)
	slowDigitsExpr   = regexp.MustCompile(`^[0-9]+$`)
	slowHashExpr     = regexp.MustCompile(`#[0-9a-fA-F]{2}`)
	slowPortExpr     = regexp.MustCompile(`(?s)^(\[[^\]]*\]|[^\[:][^:]*):[0-9]*$`)
	slowMethodExpr   = regexp.MustCompile("^[-!#$%&'*+.^_`|~0-9A-Za-z]{1,32}$")
	slowLineExpr     = regexp.MustCompile(`(?s)^([^ ]*) (.*)$`)
	slowProtoExpr    = regexp.MustCompile(`(?s)^(.*) ([A-Z]+/[0-9.]+)$`)
	slowAbsoluteExpr = regexp.MustCompile(`(?is)^https?://([^/?#]*)(.*)$`)
	slowEscapeExpr   = regexp.MustCompile(`(?s)\\(?:x[0-9a-fA-F]{2}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|["\\/'ntrbfv])`)
)

// slowRead reads a line as [worker.try] does, without a zone: the groups of the regular expression of the format
// are the fields. A group whose name ends with a digit is one of several of its kind.
func slowRead(format, line string) (*Request, bool) {
	values, ok := slowMatch(slowFormats[format], line)
	if !ok {
		return nil, false
	}
	return slowRequest(values)
}

// A slowField is a group of a regular expression and its text.
type slowField struct{ name, text string }

// slowNeeded are the fields that servers never leave empty outside quotes: they write a hyphen.
var slowNeeded = map[string]bool{"client": true, "clientname": true, "clientport": true, "forwarded": true,
	"chain": true, "host": true, "firsthost": true}

// slowMatch returns the fields of a line. A field in quotes is without its escapes.
func slowMatch(re *slowFormat, line string) (values []slowField, ok bool) {
	m := re.FindStringSubmatchIndex(line)
	if m == nil {
		return nil, false
	}
	for i, name := range re.SubexpNames() {
		if name == "" || m[2*i] < 0 {
			continue
		}
		v := line[m[2*i]:m[2*i+1]]
		if end := re.ends[name]; end != "" && strings.Index(v+end, end) != len(v) {
			return nil, false // the expression went on after the first end of the field
		}
		if next := m[2*i+1]; v == "" && slowNeeded[name] && (next == len(line) || line[next] == ' ') {
			return nil, false // what is after it would be in its place, or the line was cut
		}
		if m[2*i] > 0 && line[m[2*i]-1] == '"' && m[2*i+1] < len(line) && line[m[2*i+1]] == '"' &&
			!strings.HasPrefix(name, "hashed") {
			v = slowUnescape(v)
		}
		values = append(values, slowField{strings.TrimRight(name, "0123456789"), v})
	}
	return values, true
}

// slowRequest makes the request of the fields of a line, in their order.
func slowRequest(values []slowField) (*Request, bool) {
	r := &Request{Bytes: -1, Duration: -1}
	var at, stem, query, forwarded, date, clock string
	utc := false
	for _, f := range values {
		v, ok := f.text, true
		if v == "-" || v == "" {
			if f.name == "time" || f.name == "endtime" || f.name == "date" || f.name == "clock" {
				return nil, false
			}
			continue
		}
		switch f.name {
		case "client", "clientname", "clientport":
			if r.Client.IsValid() || v == "unix:" {
				break
			}
			if f.name == "clientport" { // the last colon is that of the port
				if m := slowLastPortExpr.FindStringSubmatch(v); m != nil {
					_, err := netip.ParseAddr(m[1]) // which has no second port
					if a, isAddr := slowClient(m[1]); isAddr && (m[1][0] == '[' || err == nil) {
						r.Client = a
						break
					}
				}
			}
			if r.Client, ok = slowClient(v); !ok && strings.Contains(v, ",") && f.name != "clientport" {
				if ok = slowChain(v); ok && forwarded == "" {
					forwarded = v
				}
			} else if !ok {
				r.Client = netip.Addr{}
				_, _, isTime := slowTime(v)
				if ok = f.name == "clientname" && slowHostName(v) && !strings.Contains(v, ":") && !isTime; ok {
					r.ClientName = []byte(v)
				}
			}
		case "forwarded", "chain":
			if ok = f.name == "forwarded" || slowChain(v); ok && forwarded == "" {
				forwarded = v
			}
		case "tail":
			if list := slowTail(v); list != "" && forwarded == "" {
				forwarded = list
			}
		case "plainuser":
			_, isAddr := slowAddr(strings.SplitN(v, " ", 2)[0])
			ok = r.Client.IsValid() || !isAddr && !strings.Contains(v+" ", " - ")
		case "captures":
			ok = strings.Contains(v, "{") && slowCaptures(r, v, &forwarded)
		case "ident":
			ok = !strings.ContainsAny(v, ".:")
		case "host", "firsthost":
			if f.name == "firsthost" && slowPrefix(v) {
				return nil, false
			}
			if r.Host == nil && v != "_" {
				ok = slowHostName(v)
				r.Host = []byte(slowHost(v))
			}
		case "date":
			date = v
		case "clock":
			clock = v
		case "utc":
			utc = true
		case "decoded":
			r.Decoded = true
		case "time", "endtime":
			if at == "time" {
				break
			}
			at = f.name
			if strings.HasPrefix(v, "[") && strings.HasSuffix(v, "]") {
				v = v[1 : len(v)-1]
			}
			if r.Time, r.Zoned, ok = slowTime(v); !ok {
				// slowTime knows fewer forms.
				m, read := parseTime([]byte(v))
				r.Time, r.Zoned, ok = m.in(nil), m.zoned, read
			}
		case "request", "hashed":
			if f.name == "hashed" {
				v = slowUnhash(v)
			}
			if r.Target == nil {
				slowRequestLine(r, v)
			}
		case "method":
			ok = slowMethod(v)
			r.Method = []byte(v)
		case "target":
			slowTarget(r, v)
		case "proto":
			r.Proto = []byte(v)
		case "stem":
			stem = v
		case "query":
			query = v
		case "status":
			if v != "-1" { // HAProxy: the client left before there was an answer
				r.Status, ok = slowNumber(v, 3)
			}
		case "size":
			var n int
			n, ok = slowNumber(strings.TrimPrefix(v, "+"), 19) // HAProxy: more may have followed
			r.Bytes = int64(n)
		case "part", "seconds", "millis", "micros", "nanos":
			var took time.Duration
			if took, ok = slowDuration(f.name, v); ok && took >= 0 {
				if f.name == "part" {
					took += max(r.Duration, 0)
				}
				r.Duration = took
			}
		case "referrer":
			r.Referrer = []byte(v)
		case "agent":
			if r.UserAgent == nil {
				r.UserAgent = []byte(v)
			}
		}
		if !ok {
			return nil, false
		}
	}
	if at == "" {
		m, ok := parseTime([]byte(date + " " + clock))
		if t, _, known := slowTime(date + "T" + clock); known && !t.Equal(m.in(nil)) {
			panic(fmt.Sprintf("the time %s %s is read as %v", date, clock, m.in(nil)))
		}
		if date == "" || clock == "" || !ok {
			return nil, false
		}
		at, r.Time, r.Zoned = "endtime", m.in(nil), m.zoned || utc
	}
	if stem != "" {
		if query != "" {
			stem += "?" + strings.TrimPrefix(query, "?")
		}
		slowTarget(r, stem)
	}
	if at == "endtime" && r.Duration > 0 {
		r.Time = r.Time.Add(-r.Duration)
	}
	if forwarded != "" && (!r.Client.IsValid() || edge.Proxy(r.Client)) {
		if a := slowChoose(forwarded); a.IsValid() {
			r.Client, r.ClientName = a, nil
		}
	}
	return r, true
}

// slowChoose returns the last address of a list that is not a proxy's, or the first of those behind
// the last text that is not an address.
func slowChoose(forwarded string) (chosen netip.Addr) {
	list := strings.Split(forwarded, ",")
	for i := len(list) - 1; i >= 0; i-- {
		a, ok := slowClient(strings.Trim(list[i], " "))
		if !ok {
			break
		}
		chosen = a
		if !edge.Proxy(a) {
			break
		}
	}
	return chosen
}

// slowTail returns the list of X-Forwarded-For among the fields after a User-Agent: that of a
// client on the Internet, if only one is there, better one without a port, or else the first of a
// proxy.
func slowTail(tail string) string {
	lists, addrs := map[string][]string{}, map[string]map[netip.Addr]bool{}
	for _, m := range slowTailExpr.FindAllStringSubmatch(tail, -1) {
		v := m[0]
		if v[0] == '"' {
			v = m[1]
		}
		if v == "" {
			continue
		}
		name, value, named := strings.Cut(v, "=")
		if named {
			v = value
			if name == "for" {
				v = strings.Split(v, ";")[0]
			}
		}
		if m := slowEnclosedExpr.FindStringSubmatch(v); m != nil {
			v = m[1] + m[2]
		}
		if v == "" || !slowChain(v) || !slowChoose(v).IsValid() {
			continue
		}
		a, kind := slowChoose(v), "public"
		if edge.Proxy(a) {
			kind = "proxy"
		}
		p := slowLastPortExpr.FindStringSubmatch(v)
		if p != nil && strings.Contains(v, ".") && !strings.Contains(v, ",") {
			_, err := netip.ParseAddr(p[1])
			if err == nil || strings.HasPrefix(v, "[") && strings.HasSuffix(p[1], "]") || !strings.Contains(p[1], ":") {
				port, _ := strconv.Atoi(p[2])
				if port < 1024 || port >= 8000 && port < 10000 || port%1000 < 2 || kind == "proxy" {
					continue
				}
				kind = "port"
			}
		}
		if addrs[kind] == nil {
			addrs[kind] = map[netip.Addr]bool{}
		}
		addrs[kind][a] = true
		lists[kind] = append(lists[kind], v)
	}
	for _, kind := range []string{"public", "port"} {
		if len(lists[kind]) > 0 {
			if len(addrs[kind]) > 1 {
				return "" // it is not known which
			}
			return lists[kind][0]
		}
	}
	if len(lists["proxy"]) > 0 {
		return lists["proxy"][0]
	}
	return ""
}

// slowBehind reads X-Forwarded-For beside the address that connected, in the words before the user.
func slowBehind(line string) (*Request, bool) {
	var peers []string
	var host, chain string
	var hostQuoted, hyphen bool
	rest := line
	for {
		m := slowValueExpr.FindStringSubmatch(rest)
		if m == nil || rest[0] == '"' && m[1] == "" {
			return nil, false
		}
		v, quoted := m[2], m[1] != ""
		if quoted {
			v = m[1][1 : len(m[1])-1]
		}
		rest = rest[len(m[0]):]
		inner := v
		if e := slowEnclosedExpr.FindStringSubmatch(v); e != nil {
			inner = e[1] + e[2]
		}
		_, isAddr := slowClient(v)
		switch {
		case v == "-":
			hyphen = true
		case isAddr && !quoted && inner == v, v == "unix:":
			if peers = append(peers, v); len(peers) > 2 {
				return nil, false
			}
		case chain == "" && slowChain(inner):
			chain = inner
		case host == "" && (slowDomain(v) || quoted && slowHostName(v)):
			host, hostQuoted = v, quoted
		default:
			return nil, false
		}
		if strings.HasPrefix(rest, "- ") && (len(peers) > 0 || chain != "") {
			break
		}
	}
	proxy := func(s string) bool { a, _ := slowAddr(s); return !a.IsValid() || edge.Proxy(a) }
	bare := strings.HasPrefix(rest, "- [")
	peer := ""
	switch n := len(peers); {
	case chain != "" && n == 1, n == 1 && hostQuoted, n == 1 && hyphen && host == "" && proxy(peers[0]) && !bare:
		peer = peers[0]
	case chain != "" && n == 0 && host != "":
	case chain != "" || n < 2:
		return nil, false
	case proxy(peers[0]) && !proxy(peers[1]):
		if host == "" && !bare {
			return nil, false
		}
		peer, chain = peers[0], peers[1]
	case !proxy(peers[0]) && proxy(peers[1]):
		peer, chain = peers[1], peers[0]
	case host == "":
		return nil, false
	case proxy(peers[1]):
		peer = peers[1]
	}
	name := "ident"
	if bare {
		name = "user"
	}
	values, ok := slowMatch(slowAfterClient[name], rest)
	if !ok {
		return nil, false
	}
	return slowRequest(append([]slowField{{"host", host}, {"chain", chain}, {"client", peer}}, values...))
}

var (
	slowValueExpr    = regexp.MustCompile(`(?s)^(?:("[^"]+")|((?:[^ ]*, )*[^ ]*[^ ,])) `)
	slowEnclosedExpr = regexp.MustCompile(`(?s)^(?:\[(.+)\]|\((.+)\))$`)
	slowAfterClient  = map[string]*slowFormat{
		"ident": slowExpr(`<ident> <user… [><time…] >` + slowBrowser + tail),
		"user":  slowExpr(`<user… [><time…] >` + slowBrowser + tail),
	}
)

// slowDomain reports whether s is the name of a host with a port, or with a dot and a letter behind
// it.
func slowDomain(s string) bool {
	host := slowHost(s)
	last := host[strings.LastIndex(host, ".")+1:]
	return slowHostName(s) && !slowPrefix(s) && !strings.Contains(host, ":") &&
		(host != s || strings.Contains(host, ".") && strings.LastIndex(host, ".") > 0 && last != "" && last[0] > '9')
}

// slowPrefix reports whether s is none of the hosts of a site: it ends with a colon or an address,
// has a colon that is not that of a port, or is a time, a number, a level or a text in brackets.
func slowPrefix(s string) bool {
	host := slowHost(s)
	_, isAddr := slowClient(host)
	_, _, isTime := slowTime(s)
	i := strings.LastIndex(s, "-")
	if _, isContext := slowAddr(s[i+1:]); i > 0 && isContext {
		return true
	}
	if slowPrefixExpr.MatchString(s) || s[0] == '[' && !isAddr {
		return true
	}
	return strings.HasSuffix(s, ":") || strings.Contains(host, ":") && !isAddr && s[0] != '[' || isTime
}

// slowChain reports whether s is a list of addresses, in which proxies may have hidden some.
func slowChain(s string) bool {
	known := false
	for _, one := range strings.Split(strings.TrimSuffix(s, ","), ",") {
		one = strings.Trim(one, " ")
		_, ok := slowClient(one)
		if !ok && one != "unknown" {
			return false
		}
		known = known || ok
	}
	return known
}

// slowCaptures finds the headers of the first braces, as "Captured headers" of HAProxy's manual has
// them: in any order, with "|" between, and with "#" and two digits for what has a meaning there.
func slowCaptures(r *Request, v string, forwarded *string) bool {
	m := slowBracesExpr.FindStringSubmatch(v)
	if m == nil && strings.Contains(v, "{") {
		return false
	}
	if m != nil {
		v = m[1]
	}
	list, others := strings.Split(v, "|"), []string{}
	for _, one := range list {
		one = slowUnhash(one)
		switch {
		case one == "" || one == "-":
		case slowChain(one):
			*forwarded = cmp.Or(*forwarded, one)
		case strings.HasPrefix(one, "http://"), strings.HasPrefix(one, "https://"):
			r.Referrer = []byte(one)
		case slowProductExpr.MatchString(one):
			if r.UserAgent == nil {
				r.UserAgent = []byte(one)
			}
		case slowHostName(one) && strings.Index(one, ".") > 0:
			if r.Host == nil && one != "_" {
				r.Host = []byte(slowHost(one))
			}
		default:
			others = append(others, one)
		}
	}
	if r.UserAgent == nil && len(others) == 1 && len(list) <= 2 && r.Host != nil {
		r.UserAgent = []byte(others[0])
	}
	return r.UserAgent != nil
}

// slowHostName reports whether s can be the name of a host, with or without a port.
func slowHostName(s string) bool {
	return slowHostExpr.MatchString(strings.ToValidUTF8(s, "\u00e9")) && len(s) <= 260
}

// slowDuration reads a duration, which is negative if the line says that there is none. Of several
// upstreams the first counts.
func slowDuration(unit, s string) (time.Duration, bool) {
	if s[0] == '-' {
		return -1, slowTimesExpr.MatchString(s)
	}
	whole := map[string]time.Duration{"part": time.Second, "seconds": time.Second, "millis": time.Millisecond,
		"micros": time.Microsecond, "nanos": 1}[unit]
	if slowExponentExpr.MatchString(s) {
		f, err := strconv.ParseFloat(s, 64)
		return time.Duration(f * float64(whole)), err == nil && f <= float64(30*24*time.Hour/whole)
	}
	m := slowDurationExpr.FindStringSubmatch(s)
	if m == nil || strings.HasSuffix(s, ".") && len(s) == len(m[1])+1 {
		return 0, false
	}
	n, _ := strconv.ParseInt(m[1], 10, 64)
	if n > int64(30*24*time.Hour/whole) {
		return 0, false
	}
	var nanos int64
	if m[2] != "" {
		nanos, _ = strconv.ParseInt((m[2] + "000000000")[:9], 10, 64)
	}
	return time.Duration(n)*whole + time.Duration(nanos)*whole/time.Second, true
}

func slowNumber(s string, most int) (int, bool) {
	if !slowDigitsExpr.MatchString(s) || len(s) > most {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return int(n), err == nil
}

// slowUnescape uses a regular expression for each kind of escape.
func slowUnescape(s string) string {
	return slowEscapeExpr.ReplaceAllStringFunc(s, func(e string) string {
		switch e[1] {
		case 'x':
			n, _ := strconv.ParseUint(e[2:], 16, 8)
			return string([]byte{byte(n)})
		case 'u':
			var out string
			json.Unmarshal([]byte(`"`+e+`"`), &out)
			return out
		case '\'':
			return "'"
		case 'v':
			return "\v"
		}
		var out string
		if err := json.Unmarshal([]byte(`"`+e+`"`), &out); err != nil {
			panic(err)
		}
		return out
	})
}

// slowUnhash decodes what HAProxy encodes, as section 8.6 of its configuration manual says: "#" and two hexadecimal digits.
func slowUnhash(s string) string {
	return slowHashExpr.ReplaceAllStringFunc(s, func(e string) string {
		n, _ := strconv.ParseUint(e[1:], 16, 8)
		return string([]byte{byte(n)})
	})
}

var (
	slowPrefixExpr = regexp.MustCompile(
		`(?i)^([0-9]+|[\[\]:]*(info|notice|debug|trace|warn|warning|error|fatal|critical)[\[\]:]*)$`)
	slowNumberedExpr = regexp.MustCompile(`^[0-9]+:(.*)$`)
	// slowBlocks are those of "IPv6 Global Unicast Address Assignments" of IANA, and of RFC 4193,
	// 4291 and 6052.
	slowBlocks = []netip.Prefix{
		netip.MustParsePrefix("2001::/16"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("2003::/16"),
		netip.MustParsePrefix("2400::/11"), netip.MustParsePrefix("2600::/12"), netip.MustParsePrefix("2610::/16"),
		netip.MustParsePrefix("2620::/16"), netip.MustParsePrefix("2630::/12"), netip.MustParsePrefix("2800::/12"),
		netip.MustParsePrefix("2a00::/11"), netip.MustParsePrefix("2c00::/12"), netip.MustParsePrefix("fc00::/7"),
		netip.MustParsePrefix("fe80::/10"), netip.MustParsePrefix("64:ff9b::/32"), netip.MustParsePrefix("::1/128"),
		netip.MustParsePrefix("0.0.0.0/0"),
	}
)

// slowClient reads the address of a client. A number in front of an address is that of a line, if
// nobody has the address with it.
func slowClient(s string) (netip.Addr, bool) {
	a, ok := slowAddr(s)
	return a, ok && (a.Is4() || !slowNumbered(s))
}

func slowNumbered(s string) bool {
	m := slowNumberedExpr.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	assigned := func(a netip.Addr) bool {
		return slices.ContainsFunc(slowBlocks, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	whole, isAddr := slowAddr(s)
	rest, ok := slowAddr(m[1])
	return ok && !(isAddr && (assigned(whole) || !assigned(rest) && !slowNumbered(m[1])))
}

// slowAddr reads an address with the standard library.
func slowAddr(s string) (netip.Addr, bool) {
	if p, err := netip.ParseAddrPort(s); err == nil && len(s)-strings.LastIndexByte(s, ':') <= len(":65535") {
		return p.Addr().WithZone("").Unmap(), true
	}
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		s = s[1 : len(s)-1]
		if !strings.Contains(s, ":") {
			return netip.Addr{}, false
		}
	}
	a, err := netip.ParseAddr(s)
	if m := slowLastPortExpr.FindStringSubmatch(s); err != nil && m != nil && !strings.HasPrefix(s, "[") {
		// An address in IPv6 without brackets, whose port can be told from its numbers.
		if port, _ := strconv.Atoi(m[2]); port <= 65535 && strings.Contains(m[1], ":") {
			a, err = netip.ParseAddr(m[1])
		}
	}
	return a.WithZone("").Unmap(), err == nil
}

func slowHost(s string) string {
	if m := slowPortExpr.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return s
}

func slowMethod(s string) bool {
	return slowMethodExpr.MatchString(s)
}

func slowRequestLine(r *Request, s string) {
	m := slowLineExpr.FindStringSubmatch(s)
	if m == nil || !slowMethod(m[1]) || m[1] == "-" {
		r.Target = []byte(s)
		return
	}
	r.Method = []byte(m[1])
	target := m[2]
	if p := slowProtoExpr.FindStringSubmatch(target); p != nil && len(p[2]) <= 16 {
		target = p[1]
		r.Proto = []byte(p[2])
	}
	slowTarget(r, target)
}

func slowTarget(r *Request, target string) {
	r.Target = []byte(target)
	if strings.HasPrefix(target, "/") {
		r.Path = r.Target
		return
	}
	if string(r.Method) == "CONNECT" {
		return
	}
	m := slowAbsoluteExpr.FindStringSubmatch(target)
	if m == nil {
		return
	}
	if m[2] == "" && strings.HasSuffix(m[1], "*") {
		r.Target = []byte("*")
		if host := strings.TrimSuffix(m[1][strings.LastIndex(m[1], "@")+1:], "*"); host != "" {
			r.Host = []byte(slowHost(host))
		}
		return
	}
	path := m[2]
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	r.Path = []byte(path)
	if authority := m[1][strings.LastIndex(m[1], "@")+1:]; authority != "" {
		r.Host = []byte(slowHost(authority))
	}
}

// slowTime reads a time with the standard library, in a list of layouts.
func slowTime(s string) (t time.Time, zoned, ok bool) {
	layouts := []struct {
		layout string
		zoned  bool
	}{
		{"02/Jan/2006:15:04:05 -0700", true},
		{"02/Jan/2006:15:04:05", false},
		{"2006-01-02T15:04:05Z07:00", true},
		{"2006-01-02T15:04:05", false},
		{"2006-01-02T15:04:05.000Z07:00", true},
		{"2006-01-02T15:04:05.000000Z07:00", true},
		{"02/Jan/2006:15:04:05.000", false},
	}
	for _, l := range layouts {
		t, err := time.Parse(l.layout, s)
		if _, offset := t.Zone(); err == nil && t.Format(l.layout) == s && max(offset, -offset) < 15*3600 {
			return t.UTC(), l.zoned, true
		}
	}
	return t, false, false
}

// sameRequest compares what two readers say about a line.
func sameRequest(a, b *Request) error {
	for _, p := range []struct {
		name string
		a, b any
	}{
		{"Time", a.Time, b.Time}, {"Zoned", a.Zoned, b.Zoned}, {"Client", a.Client, b.Client},
		{"ClientName", string(a.ClientName), string(b.ClientName)},
		{"Host", string(a.Host), string(b.Host)}, {"Method", string(a.Method), string(b.Method)},
		{"Target", string(a.Target), string(b.Target)}, {"Proto", string(a.Proto), string(b.Proto)},
		{"Path", string(a.Path), string(b.Path)}, {"Path == nil", a.Path == nil, b.Path == nil},
		{"Status", a.Status, b.Status}, {"Bytes", a.Bytes, b.Bytes}, {"Duration", a.Duration, b.Duration},
		{"Referrer", string(a.Referrer), string(b.Referrer)}, {"UserAgent", string(a.UserAgent), string(b.UserAgent)},
	} {
		if p.a != p.b {
			return fmt.Errorf("%s: %#v and %#v", p.name, p.a, p.b)
		}
	}
	return nil
}

// FuzzTemplate compares templates with regular expressions.
func FuzzTemplate(f *testing.F) {
	for _, line := range []string{
		`66.249.66.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b=c HTTP/1.1" 200 203023 "http://example.com/" "Mozilla/5.0 (compatible; Googlebot/2.1)"`,
		`66.249.66.1:80 - John Begood [17/May/2015:10:05:03 -0330] "GET http://a@example.com:80?x HTTP/1.1" 200 - "-" "a\"b\\" 17 more`,
		`2001:db8::1 - - [29/Feb/2016:23:59:59 +0000] "\x16\x03\x01\u00e9\ud83d\ude00\q" 400 0 "-" "-"`,
		`example.com:443 [::ffff:1.2.3.4]:8080 - - [31/Dec/1969:23:59:59 +0000] "OPTIONS * HTTP/2.0" 200 0 "-" "-"`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07 -0500] "GET / HTTP/1.0" 301 368`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07] "CONNECT a:443 HTTP/1.0" 301 9223372036854775808`,
		`1.2.3.4 - - [10/Feb/2012:16:42:07] "GET" / HTTP/1.0" 301 1 "" ""`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\r\n") {
			return
		}
		for name := range slowFormats {
			format, err := ParseFormat(name)
			fatal.If(t, err)
			compareTwin(t, format, twinOf(name), line)
		}
	})
}

// FuzzAddr compares parseAddr with package netip.
func FuzzAddr(f *testing.F) {
	for _, s := range []string{"1.2.3.4", "1.2.3.4:80", "::", "::1", "1::", "2001:db8::1.2.3.4", "[::1]:80", "[::1]",
		"::ffff:1.2.3.4",
		"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "01.2.3.4", "256.1.1.1",
		"fe80::1%eth0", ":::", "1::2::3", "[1.2.3.4]:80", "1.2.3.4:", "1.2.3.4:65536", "1.2.3.4:033319",
		"[::1]:065535"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := parseAddr([]byte(s))
		want, wantOK := slowAddr(s)
		if ok != wantOK || ok && got != want {
			t.Errorf("parseAddr(%q) = %v, %v; netip says %v, %v", s, got, ok, want, wantOK)
		}
	})
}

// FuzzTime compares parseTime with package time.
func FuzzTime(f *testing.F) {
	for _, s := range []string{"17/May/2015:10:05:03 +0000", "29/Feb/1900:10:05:03 -0730", "2015-05-17T10:05:03Z",
		"2015-05-17T24:00:00Z", "2015-05-17 10:05:03.123", "0000-01-01T00:00:00Z", "1431857103.123",
		"9999-12-31T23:59:59+02:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m, ok := parseTime([]byte(s))
		want, zoned, wantOK := slowTime(s)
		if !wantOK {
			return // other forms than those in the list
		}
		if !ok || !m.in(nil).Equal(want) || m.zoned != zoned {
			t.Errorf("parseTime(%q) = %v %v %v, want %v %v", s, m.in(nil), m.zoned, ok, want, zoned)
		}
	})
}

// FuzzJSON compares the walk through an object with package encoding/json.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{
		`{"ts":1,"request":{"uri":"/a\u00e9\n","headers":{"User-Agent":["a","b"]}},"status":200}`,
		`{"request":{"method":"GET","uri":"/"},"ts":1.5,"x":[[[[[[[[[[[[1]]]]]]]]]]]],"y":null} `,
		`{"ts":"2015-05-17T10:05:03Z","request":{"uri":"/","uri":"/b"}}`, `{}`, `{"a":}`, `{"a":1,}`, `[1]`,
		`{"ts":true}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var v any
		if !json.Valid([]byte(s)) || json.Unmarshal([]byte(s), &v) != nil {
			// What is not JSON may be read or not; it must not panic.
			newWorker(&Reader{}).try(form{format: &Format{reader: caddy}}, []byte(s))
			return
		}
		if o, ok := v.(map[string]any); !ok || o == nil || !strings.HasPrefix(s, "{") {
			return
		}
		var buffer []byte
		var w jsonWalk
		w.start([]byte(strings.TrimRight(s, " \t\r\n")), map[string]jsonMember{"a.b": {target, 0}}, &buffer)
		if w.bad || w.at != len(w.text) {
			t.Fatalf("%q is JSON, and the walk fails at byte %d", s, w.at)
		}
		dec := json.NewDecoder(bytes.NewReader([]byte(s)))
		dec.UseNumber()
		want, found := slowMember(dec, "", "a.b", 0)
		got := w.values[target].text
		if found != (got != nil) || found && !sameText(want, string(got)) {
			t.Errorf("%q: a.b is %q, want %q, %v", s, got, want, found)
		}
	})
}

// sameText compares texts as far as encoding/json keeps them: it replaces what is not UTF-8.
func sameText(want, got string) bool {
	return want == strings.ToValidUTF8(got, "\ufffd") || strings.ContainsRune(want, '\ufffd')
}

// slowMember returns the first value of the member with a path, going through tokens.
func slowMember(dec *json.Decoder, at, path string, depth int) (value string, found bool) {
	token, err := dec.Token()
	if err != nil {
		return "", false
	}
	switch v := token.(type) {
	case json.Delim:
		for dec.More() {
			name := at
			if v == '{' {
				key, err := dec.Token()
				if err != nil {
					return "", false
				}
				name = strings.TrimPrefix(at+"."+string(appendKey(nil, []byte(slowRaw(key.(string))))), ".")
				if at != "" && !strings.HasPrefix(name, at+".") {
					name = at + "." + name
				}
			}
			inner, ok := slowMember(dec, name, path, depth+1)
			if ok && !found && depth < maxDepth {
				value, found = inner, true
			}
		}
		dec.Token()
		return value, found
	case nil:
		return "", false
	default:
		return fmt.Sprint(v), at == path
	}
}

// slowRaw returns a key; keys with escapes are compared as they are written, so that no
// key with an escape is one of ours.
func slowRaw(key string) string { return key }

// Only one port is cut from an address.
func TestCutPort(t *testing.T) {
	for text, want := range map[string]string{
		"1.2.3.4:80": "1.2.3.4", "[::1]:80": "[::1]", "[::1]:80:90": "[::1]:80:90", "1.2.3.4:80:90": "1.2.3.4:80:90",
		"2001:db8::1:80": "2001:db8::1", "1:2:3:4:5:6:7:8:80": "1:2:3:4:5:6:7:8", "::1": "::1", ":80": ":80",
		"a.example:443": "a.example", "[::1:80": "[::1:80",
	} {
		if got := string(cutPort([]byte(text))); got != want {
			t.Errorf("cutPort(%q) = %q, want %q", text, got, want)
		}
	}
}
