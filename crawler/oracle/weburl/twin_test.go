// Package weburl_test holds crawler/internal/weburl, and the hosts of internal/url/urlhost, to
// another implementation of the URL Standard and to the tests of browsers.
package weburl_test

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"

	whatwg "github.com/nlnwa/whatwg-url/url"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// exact drops nothing, so it follows the standard.
const exact = weburl.Exact

// library is the slow twin: it replaces everything that this package does itself. It has the same
// table of IDNA, that of golang.org/x/net/idna. The library is older than the standard's last
// change to the path percent-encode set, which added "^" (whatwg/url#846).
var library = whatwg.NewParser(whatwg.WithPathPercentEncodeSet(whatwg.PathPercentEncodeSet.Set('^')))

// twin returns the library's result for a link, and whether the link is visited under
// the additional rules of this package. The base is a URL or empty.
func twin(base, ref string) (href string, ok bool) {
	u, err := library.ParseRef(base, ref)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" {
		return "", false
	}
	if u.Username() != "" || u.Password() != "" || u.Port() == "0" || !canDial(u.Hostname()) {
		return "", false
	}
	if href = u.Href(true); len(href) > weburl.MaxLength {
		return "", false
	}
	return href, true
}

// canDial reports whether a host in canonical form is an address or a valid DNS name.
// It is written for readability.
func canDial(host string) bool {
	if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return true
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > 253 {
		return false
	}
	for _, label := range strings.Split(host, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	return true
}

var (
	international = regexp.MustCompile(`(?i)[^\x00-\x7E]|%|xn--`)

	signed      = regexp.MustCompile(`(?:[./\x{3002}\x{FF0E}]|%2[eE])\x{AD}*[-+\x{FF0B}\x{FF0D}]`)
	emptyALabel = regexp.MustCompile(`(?i)(?:[.\x{3002}\x{FF0E}]|%2e)\x{AD}*xn--\x{AD}*(?:[:/?#\\]|$)`)
)

// disagree reports whether the package and the library are known to differ for a link
// with an address.
func disagree(ref string) bool {
	u, err := library.Parse(ref)
	if err != nil {
		u, err = library.ParseRef("http://a/", ref)
	}
	switch {
	case err != nil && signed.MatchString(ref):
		return true // and refuses a host whose last label would be such a number; in the standard, the host is a name
	case err == nil && emptyALabel.MatchString(ref):
		return true // the library drops an empty A-label; in the standard it is an error (section 3.3)
	case err != nil:
		// The library refuses an underscore, and three signs that decompose into ASCII, in an
		// international name; the standard accepts all of ASCII but for the forbidden code points
		// (UseSTD3ASCIIRules is false, section 3.3).
		return strings.ContainsAny(ref, "_\u2260\u226e\u226f") && international.MatchString(ref)
	case u.IsIPv4() && strings.ContainsAny(ref, "+-\uff0b\uff0d%"):
		return true // the library reads numbers with signs; the standard requires digits (section 3.5)
	case u.IsIPv6() && (strings.Count(ref, "[") > 1 || strings.Count(ref, "]") > 1):
		return true // the library accepts any number of brackets; the standard requires two
	case u.IsIPv4() && len(ref) > 63:
		return true // we reject numbers longer than a label, whatever their leading zeros
	}
	return false
}

// FuzzTwin compares the package with the library for every link.
func FuzzTwin(f *testing.F) {
	f.Add("https://example.com/a/b?c", "/d/e.html")
	f.Add("http://example.com/", "http:b/c")
	f.Add("", " ht\ntp://a b/")
	f.Add("", "http://b\u00fccher.example./\u00fc?\u00fc")
	f.Add("", "http://0x7f.1/")
	f.Add("", "http://h/\xff\xc3\x28?\xe2\x82")
	f.Fuzz(func(t *testing.T, baseText, ref string) {
		base, _ := exact.Parse(baseText)
		buffer := []byte("before")
		buffer, u, why := exact.AppendResolved(buffer, base, ref)
		if string(buffer) != "before"+u.String() {
			t.Fatalf("%q at %q: appended %q, returned %q", ref, base, buffer, u)
		}
		want, ok := twin(base.String(), ref)
		if u.String() != want || ok != (why == weburl.None) {
			if why == weburl.TooLong && len(ref) > 8*weburl.MaxLength || disagree(ref) {
				t.Skip()
			}
			t.Fatalf("%.200q at %q: got %.200q (%v), want %.200q", ref, base, u, why, want)
		}
	})
}

// TestFragments resolves all links made of two or three pieces that matter to parsers,
// and many longer ones, with this package and with the library.
func TestFragments(t *testing.T) {
	pieces := []string{"/", `\`, ".", "..", "%2e", "%2E.", "?", "#", ":", "@", "a", "Bc", "ü", "http:", "https:", "//",
		";x", " ", "\t", "%", "%41",
		"[", "]", "[::1]", "0x7f", "1", ":80", ":443", "'", "^", "é.example", "xn--", "_", "-"}
	bases := []string{"", "http://h/a/b?c", "https://1.2.3.4:8080/", "https://xn--d1abbgf6aiiy.xn--p1ai/x//"}
	check := func(baseText, ref string) {
		base, _ := exact.Parse(baseText)
		_, u, why := exact.AppendResolved(nil, base, ref)
		if want, ok := twin(baseText, ref); (u.String() != want || ok != (why == weburl.None)) && !disagree(ref) {
			t.Errorf("%q at %q: got %q (%v), want %q", ref, baseText, u, why, want)
		}
	}
	for _, base := range bases {
		for _, a := range pieces {
			check(base, a)
			for _, b := range pieces {
				check(base, a+b)
				if base != bases[1] || testing.Short() {
					continue
				}
				for _, c := range pieces[:15] {
					check(base, a+b+c)
				}
			}
		}
	}
	state := uint32(1)
	next := func(n int) int { // any deterministic generator will do
		state = state*1664525 + 1013904223
		return int(state>>8) % n
	}
	for range 4_000 {
		ref := ""
		for range 4 + next(8) {
			ref += pieces[next(len(pieces))]
		}
		check(bases[next(len(bases))], ref)
		check("", "http://"+ref)
	}
}

// sites are the whole sites of the corpus, by their archives.
var sites = []string{"httpd-manual", "jena-site", "opennlp-site"}

var hrefs = regexp.MustCompile(`(?i)<a\s[^>]*href\s*=\s*["']([^"']*)["']`)

// siteLinks calls do for each page of a site with its links.
func siteLinks(tb testing.TB, site string, do func(page string, links []string)) {
	tb.Helper()
	f, err := os.Open(corpus.Path(tb, "pages", site+".tar.gz"))
	fatal.If(tb, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	fatal.If(tb, err)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return
		}
		fatal.If(tb, err)
		if !strings.Contains(h.Name, ".html") {
			continue
		}
		data, err := io.ReadAll(r)
		fatal.If(tb, err)
		var links []string
		for _, m := range hrefs.FindAllSubmatch(data, -1) {
			links = append(links, strings.ReplaceAll(string(m[1]), "&amp;", "&"))
		}
		do(h.Name, links)
	}
}

// TestHosts compares random hosts: international, percent-encoded, in A-labels, and addresses. It
// holds what this module makes of them to fetch.Origin, which finds the robots.txt of a URL: 20,000
// hosts, or 300,000 with ROBOTS_CORPUS_ALL.
func TestHosts(t *testing.T) {
	pieces := []string{"a", "B", "xn--", "-", "_", ".", ".", "1", "0x", "7f", "08", "256", "\u00fc", "\u00df", "\u03c2",
		"\u0130", "\u05d0", "\u0661", "\u0915\u094d",
		"\u200d", "\u00ad", "\u2260", "\u3002", "\uff11", "\uff0e", "\u1e9e", "\U0001f600", "\u0300", "%c3%bc", "%2e",
		"%31", "%ff", "bcher-kva", "9ca"}
	r := rand.New(rand.NewPCG(9309, 183))
	hosts := 0
	for range corpus.Cases(20_000, 300_000) {
		host := ""
		for range 1 + r.IntN(6) {
			host += pieces[r.IntN(len(pieces))]
		}
		ref := "http://" + host + "/"
		u, err := exact.Parse(ref)
		if want, ok := twin("", ref); (u.String() != want || ok != (err == nil)) && !disagree(ref) {
			t.Errorf("%q: got %q (%v), want %q", ref, u, err, want)
		}
		if err != nil {
			continue
		}
		hosts++
		if origin, err := fetch.Origin(u.String()); err != nil || origin != u.Origin() {
			t.Errorf("%q: origin %q, to fetch it is %q (%v)", u, u.Origin(), origin, err)
		}
	}
	if hosts < 1000 {
		t.Errorf("only %d hosts can be visited", hosts)
	}
}
