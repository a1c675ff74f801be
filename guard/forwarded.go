package guard

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ForwardedClient is like [Proxies.Client], for proxies that write the header field Forwarded (RFC
// 7239) and not X-Forwarded-For. Name the field that the proxies write: a client can send the other
// one. The result is the zero address too if a proxy hides the address of its client ("unknown",
// "_name"), or writes no valid element.
func (p Proxies) ForwardedClient(r *http.Request) netip.Addr {
	client := peer(r)
	if !p.has(client) {
		return client
	}
	for _, field := range slices.Backward(r.Header["Forwarded"]) {
		for {
			var element string
			if field, element = lastElement(field); element == "" {
				break
			}
			next, ok := forwardedFor(element)
			if !ok {
				return netip.Addr{}
			}
			if client = next; !p.has(client) {
				return client
			}
		}
	}
	return client
}

// lastElement cuts the last element off a list. The element is empty if the list has none; empty
// elements do not count. lastElement reads backwards and stops at the comma before the element, so
// earlier text cannot change the result. The elements of proxies come after those of clients, and a
// client may send half a quoted string.
func lastElement(list string) (rest, element string) {
	end := len(list)
	for i := end - 1; i >= 0; i-- {
		switch list[i] {
		case '"':
			i = openingQuote(list, i)
		case ',':
			if element = strings.Trim(list[i+1:end], " \t"); element != "" {
				return list[:i], element
			}
			end = i
		}
	}
	return "", strings.Trim(list[:end], " \t")
}

// openingQuote returns where the quoted string begins that ends at i, or -1. A quote after an odd
// number of backslashes is a character of the string.
func openingQuote(s string, i int) int {
	for i--; i >= 0; i-- {
		if s[i] != '"' {
			continue
		}
		slashes := 0
		for slashes < i && s[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		i -= slashes
	}
	return -1
}

// forwardedFor returns the address of the parameter "for" of an element, which must have one such
// parameter.
func forwardedFor(element string) (a netip.Addr, ok bool) {
	for element != "" {
		name, value, found := strings.Cut(element, "=")
		if !found {
			return netip.Addr{}, false
		}
		if value, element, found = parameterValue(value); !found {
			return netip.Addr{}, false
		}
		if !strings.EqualFold(strings.Trim(name, " \t"), "for") {
			continue
		}
		if ok {
			return netip.Addr{}, false
		}
		if a, ok = parseNode(value); !ok {
			return netip.Addr{}, false
		}
	}
	return a, ok
}

// parameterValue returns the value at the beginning of a text, without its quotes, and the
// parameters after it.
func parameterValue(s string) (value, rest string, ok bool) {
	s = strings.TrimLeft(s, " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		value = strings.TrimRight(value, " \t")
		return value, rest, !strings.ContainsAny(value, `"=`)
	}
	var b []byte // the value, if it has a backslash
	begin := 1
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			b = append(b, s[begin:i]...)
			i++
			begin = i
		case '"':
			value = string(b) + s[begin:i]
			rest = strings.TrimLeft(s[i+1:], " \t")
			if rest != "" && rest[0] != ';' {
				return "", "", false
			}
			return value, strings.TrimPrefix(rest, ";"), true
		}
	}
	return "", "", false
}

// parseNode returns the address of a node (RFC 7239, section 6), whose port may be a name. IPv6
// addresses without brackets are accepted: some proxies write them.
func parseNode(s string) (netip.Addr, bool) {
	if inner, ok := strings.CutPrefix(s, "["); ok {
		host, port, ok := strings.Cut(inner, "]")
		if !ok || port != "" && port[0] != ':' || !strings.Contains(host, ":") {
			return netip.Addr{}, false
		}
		s = host
	} else if strings.Count(s, ":") == 1 {
		s, _, _ = strings.Cut(s, ":")
	}
	a, err := netip.ParseAddr(s)
	return a.Unmap().WithZone(""), err == nil
}
