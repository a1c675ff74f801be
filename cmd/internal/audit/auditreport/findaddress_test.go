package auditreport

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// show is what the tests write instead of an address. It has no bytes of addresses.
func show(netip.Addr) string { return "X" }

// TestReplaceAddresses checks what is an address.
func TestReplaceAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		"192.0.2.77":                         "X",
		"client:192.0.2.77":                  "client:X",
		"a192.0.2.77b":                       "aXb",
		"192.0.2.77:4711, [2001:db8::1]:443": "X:4711, [X]:443",
		"192.0.2.77.example.com":             "X.example.com",
		"::ffff:192.0.2.77:80":               "X:80",
		"fe80::1%eth0 fe80::1%25eth0":        "X%eth0 X%25eth0",
		"q=192%2E0%2e2.77&b":                 "q=X&b",
		"q=%31%39%32.0.2.77":                 "q=X",
		"q=2001%3Adb8%3A%3A1%20":             "q=X%20",
		"q=2001%253Adb8%253A%253A1":          "q=X",
		"%20192.0.2.77":                      "%20X",
		"100%10.20.30.40":                    "100%X",
		"1.2.3.4.5 192.0.2.77::":             "- -",
		"300.0.2.77 1.2.3 :: 10:00:00.123":   "30X 1.2.3 :: 10:00:00.123",
		"02/Mar/2026:10:00:00 00:11:22:33":   "02/Mar/2026:10:00:00 00:11:22:33",
		`"Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36" (Edg/120.0.0.0; OPR/9.0.0.0)`: `"Mozilla/5.0 Chrome/120.0.0.0 Safari/537.36" (Edg/120.0.0.0; OPR/9.0.0.0)`,
		"Chrome/120.0.0.0":           "Chrome/120.0.0.0",
		"Mozilla%20Chrome/120.0.0.0": "Mozilla%20Chrome/120.0.0.0",
		"Chrome/120.0.6099.109":      "Chrome/120.0.6099.109",
		"Chrome/192.0.2.77":          "Chrome/X",
		"Chrome/10.0.0.1":            "Chrome/X",
		"Chrome/120.0.0.0.1":         "Chrome/-",
		"Chrome/120.0.0.07":          "Chrome/X7",
		"GET /net/10.0.0.0 HTTP/1.1": "GET /net/X HTTP/1.1",
		"?chrome/10.0.0.0":           "?chrome/X",
		"/10.0.0.0":                  "/X",
		"Chrome 10.0.0.0":            "Chrome X",
	} {
		if got := replaceAddresses(text, show); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if slow := slowReplace(text); slow != want {
			t.Errorf("%s: the slow twin has %s, want %s", text, slow, want)
		}
	}
}

// FuzzReplaceAddresses plants an address in each form in a text. Afterwards no part of the text,
// decoded or not, is an address, and the slow twin finds the same ones.
func FuzzReplaceAddresses(f *testing.F) {
	f.Add("GET /?a=", "&b HTTP/1.1", []byte{192, 0, 2, 77}, "")
	f.Add("for=\"[", "]:80\", ", []byte{32, 1, 13, 184, 0, 17, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5}, "eth0")
	f.Add("a%2", "5.6::", []byte{10, 0, 0, 1}, "")
	f.Add("1.2.3.", ".4:5", []byte{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 77}, "1")
	f.Add("Chrome/", " Safari", []byte{120, 0, 0, 0}, "")
	f.Fuzz(func(t *testing.T, before, after string, address []byte, zone string) {
		if len(before)+len(after)+len(zone) > 300 {
			t.Skip("more would be slow")
		}
		texts := []string{before + after}
		if a, ok := netip.AddrFromSlice(address); ok && !a.IsUnspecified() {
			for _, form := range formsOf(a, zone) {
				texts = append(texts, before+form+after)
			}
		}
		for _, text := range texts {
			got := replaceAddresses(text, show)
			if want := slowReplace(text); got != want {
				t.Errorf("%q: got %q, the slow twin has %q", text, got, want)
			}
			for _, read := range []byteReader{plainByte, decodeByte} {
				if left := slowFind(got, read); len(left) > 0 {
					t.Errorf("%q: %q has an address at %v", text, got, left)
				}
			}
		}
	})
}

// formsOf returns the texts of an address.
func formsOf(a netip.Addr, zone string) (forms []string) {
	all := []netip.Addr{a, a.Unmap()}
	if a.Is4() {
		all = append(all, netip.AddrFrom16(a.As16()))
	} else if zone != "" {
		all = append(all, a.WithZone(zone))
	}
	for _, a := range all {
		texts := []string{a.String(), a.StringExpanded(), strings.ToUpper(a.String()),
			netip.AddrPortFrom(a, 443).String()}
		for _, text := range texts {
			escaped := url.QueryEscape(text)
			whole := ""
			for _, c := range []byte(text) {
				whole += fmt.Sprintf("%%%02x", c)
			}
			forms = append(forms, text, "["+text+"]", text+", "+text, escaped, url.QueryEscape(escaped), whole,
				strings.ReplaceAll(text, ".", "%2E"))
		}
	}
	return forms
}

// A span is a part of a text from a byte to another.
type span struct{ begin, end int }

// slowFind returns the parts of a text that are addresses, joined where they overlap, and without
// versions: it tries all parts.
func slowFind(text string, read byteReader) (found []span) {
	var decoded []byte
	var at []int
	for i := 0; i < len(text); {
		c, size := read(text[i:])
		decoded, at = append(decoded, c), append(at, i)
		i += size
	}
	at = append(at, len(text))
	var all []span
	for i := range decoded {
		for j := i + 1; j <= min(i+maxAddressText, len(decoded)); j++ {
			if strings.IndexByte(addressBytes, decoded[j-1]) < 0 {
				break
			}
			part := string(decoded[i:j])
			if _, err := netip.ParseAddr(part); err != nil || part == "::" || strings.Contains(part, "%") {
				continue
			}
			if n := len(all); n > 0 && i < all[n-1].end {
				all[n-1].end = max(all[n-1].end, j)
			} else {
				all = append(all, span{i, j})
			}
		}
	}
	for _, s := range all {
		if s := (span{at[s.begin], at[s.end]}); !isVersion(text, s.begin, s.end) {
			found = append(found, s)
		}
	}
	return found
}

// slowReplace replaces what slowFind finds.
func slowReplace(text string) string {
	out, last := "", 0
	for _, s := range slowFind(text, decodeByte) {
		out += slowPlain(text, last, s.begin) + slowSign(text[s.begin:s.end], decodeByte)
		last = s.end
	}
	return out + slowPlain(text, last, len(text))
}

// slowPlain replaces the addresses in a part of a text that is not in percent-encoding.
func slowPlain(text string, begin, end int) string {
	text = text[begin:end]
	out, last := "", 0
	for _, s := range slowFind(text, plainByte) {
		out += text[last:s.begin] + slowSign(text[s.begin:s.end], plainByte)
		last = s.end
	}
	return out + text[last:]
}

// slowSign returns what stands for a text: "X" for an address, "-" for several.
func slowSign(text string, read byteReader) string {
	decoded := ""
	for i := 0; i < len(text); {
		c, size := read(text[i:])
		decoded += string(rune(c))
		i += size
	}
	if _, err := netip.ParseAddr(decoded); err == nil {
		return "X"
	}
	return "-"
}
