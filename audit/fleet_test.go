package audit_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A disguise makes up the headers of a fleet.
type disguise func(*rand.Rand) string

// disguises are what fleets do with the header of a browser.
var disguises = map[string]disguise{
	"one header": func(*rand.Rand) string {
		return "Mozilla/5.0 (Linux; Android 7.0; SM-T827R4) AppleWebKit/537.36 (KHTML, like Gecko) " +
			"Chrome/60.0.3112.116 Safari/537.36"
	},
	"versions": func(r *rand.Rand) string {
		const form = "Mozilla/5.0 (iPad; CPU OS %d_%d like Mac OS X) AppleWebKit/%d.1 (KHTML, like Gecko) CriOS/%d.0.%d Mobile"
		return fmt.Sprintf(form, r.IntN(9)+5, r.IntN(9), r.IntN(200)+400, r.IntN(50)+30, r.IntN(9999))
	},
	"systems and order": func(r *rand.Rand) string {
		systems := []string{"Windows NT 6.1", "Windows NT 5.1; WOW64", "Macintosh; Intel Mac OS X 10_9_3",
			"X11; CrOS armv7l 4537",
			"X11; OpenBSD i386", "Linux; Android 4.4; HM NOTE", "Windows; U; Windows NT 6.0; en", "X11; SunOS sun4u"}
		parts := []string{"AppleWebKit/537.36", "(KHTML, like Gecko)",
			fmt.Sprintf("Chrome/%d.0.%d", r.IntN(40)+20, r.IntN(3000)),
			"Safari/537.36"}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return "Mozilla/5.0 (" + systems[r.IntN(len(systems))] + ") " + strings.Join(parts, " ")
	},
}

const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) " +
	"Chrome/140.0.0.0 Safari/537.36"

// Fleets of hidden robots, most of all clients, are found by what they ask for, and no people are:
// also if a few people follow a link to a closed page.
func TestFleets(t *testing.T) {
	const closed = "User-agent: *\nDisallow: /*/commit/\nDisallow: /search\n"
	o := audit.Options{Sites: map[string][]audit.Version{"": {{ID: "robots.txt", Text: []byte(closed)}}}}
	a, err := audit.New(o)
	fatal.If(t, err)
	for seed := range uint64(3) {
		for name, header := range disguises {
			for _, size := range []int{200, 2000} {
				random := rand.New(rand.NewPCG(seed, uint64(size)))
				var l visitLog
				people := []int{60, 400}[seed%2]
				for i := range people {
					client := fmt.Sprintf("198.51.%d.%d", i/250, i%250)
					header := []string{firefox, chrome}[i%2]
					at := random.IntN(9000)
					l.add(client, at, "/project/", "-", header)
					l.add(client, at+1, "/project.css", "https://site.example/project/", header)
					l.add(client, at+9, "/search?q=a", "https://site.example/project/", header)
					l.add(client, at+10, "/project.png", "https://site.example/search", header)
					if i%150 == 149 {
						l.add(client, at+30, "/project/commit/7", "https://site.example/project/", header)
					}
				}
				fleet := map[string]bool{}
				for range size {
					n := 20<<24 + random.Uint32N(70<<24)
					address := netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}).String()
					own := header(random)
					fleet[own] = true
					l.add(address, random.IntN(9000), fmt.Sprintf("/project/commit/%x", random.Uint64()), "-", own)
				}
				found := 0
				for _, s := range readLines(t, a, 1, l.lines).Report().Suspects {
					if s.Address != "" || !fleet[s.UserAgent] || !strings.Contains(kinds(s), "only-closed") {
						t.Errorf("seed %d, %s, %d: %+v", seed, name, size, s)
					}
					found += s.Addresses
				}
				if found < size*95/100 {
					t.Errorf("seed %d, %s: %d of %d addresses", seed, name, found, size)
				}
			}
		}
	}
}

// What people ask for is not evidence, even if robots.txt closes it, and apps are not fleet.
func TestNoFleet(t *testing.T) {
	a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {{ID: "v",
		Text: []byte("User-agent: *\nDisallow: /search\nDisallow: /api/\n")}}}})
	fatal.If(t, err)
	var l visitLog
	l.people()
	for i := range 30 {
		l.add(fmt.Sprintf("198.51.100.%d", i), 9000+i*31, "/search?q=robots", "https://example.com/", firefox)
	}
	for i := range 200 {
		client := fmt.Sprintf("203.0.113.%d", i)
		l.add(client, i*i, fmt.Sprintf("/search?q=%d", i), "https://example.com/",
			strings.Replace(firefox, "Linux", "FreeBSD", 1))
		l.add(client, i*i, fmt.Sprintf("/api/%d", i), "-", "Liferea/1.8.3 (Linux; en_GB.UTF-8; http://liferea.sf.net/)")
	}
	suspects := readLines(t, a, 1, l.lines).Report().Suspects
	if slices.ContainsFunc(suspects, func(s audit.Suspect) bool { return strings.Contains(kinds(s), "only-closed") }) {
		t.Errorf("suspects %+v", suspects)
	}
}
