package guard

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/slowguard"
)

// climbSizes are the lengths of targets in TestClimb and BenchmarkOdd, in bytes.
var climbSizes = []int{32, 64, 128}

// climbed are the most expensive targets that TestClimb has found, for each of climbSizes.
var climbed = []string{
	"//%%%2F/$//..?%;ca%25%%34%2e%7e#",
	"//$aa%2F/..//2e2/../%%2f//.$./../3%%3%a/../1/%%/..?%2%2e%*/%25<#",
	"/%%34%31//<\xc3/..//../a/..//./%%34%%342*%*3/a/../%%2F/.%2E/;a/%2F/%34;/a/../..//..//%%2Fa%2F///%2f//%7e2f/%2F/a//%/%/////..%2f%2f#/",
}

// climbTexts are the robots.txt files of TestClimb and BenchmarkOdd: a small file, and a large one
// with wildcards, whose rules cost more than the guard itself.
var climbTexts = []string{
	"User-agent: *\nDisallow: /private/\n",
	func() string {
		var b strings.Builder
		b.WriteString("User-agent: *\n")
		for i := range 300 {
			fmt.Fprintf(&b, "Disallow: /dir%d/private\nAllow: /dir%d/private/open\n", i, i)
			if i%10 == 0 {
				fmt.Fprintf(&b, "Disallow: /*/secret%d/*.php$\nDisallow: /*?session%d=\n", i, i)
			}
		}
		return b.String()
	}(),
}

// climbPieces are the parts of targets that servers and robots.txt take for several things.
var climbPieces = []string{
	"/", "//", "/./", "/../", "/.", "..", "%2F", "%2f", "%2e", "%2E%2E", "*", "$", "ä", "%C3%A4", "%c3", "a", "ab", "?",
	"%00", "<", "%25", "%", "%3F", "#", "%7e", ";",
	"/dir1/", "/private", "secret10/", ".php", "%34", "%%34%31", "<<<<", "a/../",
}

// changeTarget changes a target at random, and leaves its length.
func changeTarget(target string, random *rand.Rand) string {
	size := len(target)
	for range 1 + random.IntN(3) {
		i := 1 + random.IntN(size-1)
		j := min(size, i+random.IntN(6))
		target = target[:i] + climbPieces[random.IntN(len(climbPieces))] + target[j:]
		for len(target) < size {
			target += climbPieces[random.IntN(len(climbPieces))]
		}
		target = target[:size]
	}
	return target
}

// climbCost returns the time of a decision about a target: the shortest of several.
func climbCost(g *Guard, target string, tries int) time.Duration {
	r := httptest.NewRequest("GET", "http://example.com/", nil)
	r.RequestURI = target
	r.Header["User-Agent"] = []string{"NobodyKnowsBot/1.0"}
	const times = 100
	shortest := time.Hour
	for range tries {
		began := time.Now()
		for range times {
			g.Decide(r)
		}
		shortest = min(shortest, time.Since(began))
	}
	return shortest / times
}

// climbGuards returns a guard for each of climbTexts.
func climbGuards() (guards []*Guard) {
	for _, text := range climbTexts {
		guards = append(guards, &Guard{Policy: Fixed(robots.Parse([]byte(text)))})
	}
	return guards
}

// TestClimb checks the answers for targets that are near the most expensive ones. With
// ROBOTS_CLIMB_ALL, a number of minutes, it searches for more expensive ones in the small file, and
// logs what they cost:
//
//	ROBOTS_CLIMB_ALL=1 go test -run TestClimb -v ./guard
func TestClimb(t *testing.T) {
	corpus.Unraced(t)
	random := rand.New(rand.NewPCG(15, 2026))
	guards := climbGuards()
	policies := make([]*robots.Policy, len(guards))
	for i, text := range climbTexts {
		policies[i] = robots.Parse([]byte(text))
	}
	for _, text := range []string{slowText, slowShort} {
		policies = append(policies, robots.Parse([]byte(text)))
		guards = append(guards, &Guard{Policy: Fixed(policies[len(policies)-1])})
	}
	for _, d := range robots.Dialects()[1:] {
		policies = append(policies, d.Parse([]byte(slowText)))
		guards = append(guards, &Guard{Policy: Fixed(policies[len(policies)-1])})
	}
	for _, target := range climbed {
		for range corpus.Cases(50, 500) {
			r := httptest.NewRequest("GET", "http://example.com/", nil)
			r.RequestURI = changeTarget(target, random)
			r.Header["User-Agent"] = []string{"NobodyKnowsBot/1.0"}
			for i, g := range guards {
				if got, want := g.Decide(r).Action == Refuse, slowguard.Refuses(policies[i], "NobodyKnowsBot/1.0",
					r.RequestURI); got != want {
					t.Errorf("%q by policy %d: got refused %t, want %t", r.RequestURI, i, got, want)
				}
			}
		}
	}
	minutes, err := strconv.ParseFloat(os.Getenv("ROBOTS_CLIMB_ALL"), 64)
	if err != nil {
		return
	}
	for i, worst := range climbed {
		steps := 0
		end := time.Now().Add(time.Duration(minutes * float64(time.Minute) / float64(len(climbed))))
		for most := climbCost(guards[0], worst, 20); time.Now().Before(end); {
			next := changeTarget(worst, random)
			if climbCost(guards[0], next, 4) > most {
				// the short measurement may have been disturbed
				if cost := climbCost(guards[0], next, 40); cost > most {
					worst, most, steps = next, cost, steps+1
				}
			}
		}
		t.Logf("%d bytes: %v, after %d steps, for %+q", climbSizes[i], climbCost(guards[0], worst, 100), steps, worst)
	}
}

// BenchmarkOdd measures decisions about the most expensive targets.
func BenchmarkOdd(b *testing.B) {
	guards := climbGuards()
	for i, target := range climbed {
		for k, name := range []string{"small", "large"} {
			b.Run(fmt.Sprintf("%d/%s", climbSizes[i], name), func(b *testing.B) {
				r := httptest.NewRequest("GET", "http://example.com/", nil)
				r.RequestURI = target
				r.Header["User-Agent"] = []string{"NobodyKnowsBot/1.0"}
				b.ReportAllocs()
				for b.Loop() {
					guards[k].Decide(r)
				}
			})
		}
	}
}
