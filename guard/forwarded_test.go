package guard

import (
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
)

// The grammar of RFC 7239, sections 4 and 6.
var (
	slowPair     = `[!#$%&'*+.^_|~0-9A-Za-z\x60-]+=(?:[!#$%&'*+.^_|~0-9A-Za-z\x60-]+|"(?:[^"\\]|\\.)*")`
	slowElement  = slowPair + `(?:;` + slowPair + `)*`
	slowList     = regexp.MustCompile(`(?s)^[ \t]*` + slowElement + `(?:[ \t]*,[ \t]*` + slowElement + `)*[ \t]*$`)
	slowElements = regexp.MustCompile(`(?s)` + slowElement)
	slowPairs    = regexp.MustCompile(`(?s)` + slowPair)
	slowEscape   = regexp.MustCompile(`(?s)\\(.)`)
	slowNode     = regexp.MustCompile(`^(?:([0-9.]+)|\[([0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*)\])(?::(?:[0-9]{1,5}|_[0-9A-Za-z._-]+))?$`)
	slowHidden   = regexp.MustCompile(`^(?:unknown|_[0-9A-Za-z._-]+)(?::(?:[0-9]{1,5}|_[0-9A-Za-z._-]+))?$`)
)

// slowForwarded is the plain twin of ForwardedClient for a valid list. It reads the whole list from
// its beginning. It is not ok for a list that RFC 7239 does not allow.
func slowForwarded(p Proxies, peer netip.Addr, list string) (client netip.Addr, ok bool) {
	if !slowList.MatchString(list) {
		return client, false
	}
	var hops []netip.Addr
	for _, element := range slowElements.FindAllString(list, -1) {
		var address netip.Addr
		found := 0
		for _, pair := range slowPairs.FindAllString(element, -1) {
			name, value, _ := strings.Cut(pair, "=")
			if !strings.EqualFold(name, "for") {
				continue
			}
			if strings.HasPrefix(value, `"`) {
				value = slowEscape.ReplaceAllString(value[1:len(value)-1], "$1")
			}
			if m := slowNode.FindStringSubmatch(value); m != nil {
				address, _ = netip.ParseAddr(m[1] + m[2])
			} else if !slowHidden.MatchString(value) {
				return client, false
			}
			found++
		}
		if found > 1 {
			address = netip.Addr{}
		}
		hops = append(hops, address.Unmap())
	}
	hops = append(hops, peer)
	for i := len(hops) - 1; i >= 0; i-- {
		if client = hops[i]; !p.has(client) {
			break
		}
	}
	return client, true
}

func FuzzForwarded(f *testing.F) {
	for _, list := range []string{
		"for=192.0.2.8, for=10.0.0.2", `for="[2001:db8::1]:4711";proto=https, for=unknown`,
		`host="a,b;\"c";for="_x:_y"`,
		`for="1, for=2`, `for=192.0.2.1;For="192.0.2.1:80"`, `a=b, for=10.0.0.9`, `for="[::ffff:10.0.0.1]", `, `"\`,
	} {
		f.Add(list)
	}
	proxies := Proxies{netip.MustParsePrefix("10.0.0.0/8")}
	client := func(fields ...string) netip.Addr {
		return proxies.ForwardedClient(&http.Request{RemoteAddr: "10.0.0.1:80",
			Header: http.Header{"Forwarded": fields}})
	}
	f.Fuzz(func(t *testing.T, list string) {
		got := client(list)
		if want, ok := slowForwarded(proxies, netip.MustParseAddr("10.0.0.1"), list); ok && got != want {
			t.Errorf("%q: got %v, want %v", list, got, want)
		}
		// Whatever a client sends, the element of the proxy decides, in the same field and in the
		// next one.
		proxy := `by=10.0.0.1;host="a,b\"";for="[2001:db8::9]:80"`
		for _, fields := range [][]string{{list + "," + proxy}, {list + ", " + proxy}, {list, proxy},
			{list, "for=10.0.0.3", proxy + ", for=10.0.0.2"}} {
			if got := client(fields...); got != netip.MustParseAddr("2001:db8::9") {
				t.Errorf("%q: got %v", fields, got)
			}
		}
	})
}
