package audit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A quarter is a part of a site's clients who ask for what robots.txt closes, and load no styles.
type quarter struct {
	*visitLog
	random *rand.Rand
	header disguise
}

// A visitor is one client of a quarter.
type visitor struct {
	quarter
	address, agent string
	at             int
}

// get adds a request some seconds after the last one.
func (v *visitor) get(path, referrer string) {
	v.add(v.address, v.at, path, referrer, v.agent)
	v.at += 2 + v.random.IntN(60)
}

// post adds a request of another method.
func (v *visitor) post(path string) {
	v.get(path, "-")
	v.lines[len(v.lines)-1] = strings.Replace(v.lines[len(v.lines)-1], `"GET `, `"POST `, 1)
}

// redirected adds a request that is answered with 302.
func (v *visitor) redirected(path string) {
	v.get(path, "-")
	v.lines[len(v.lines)-1] = strings.Replace(v.lines[len(v.lines)-1], `" 200 9 "`, `" 302 9 "`, 1)
}

// goOn adds what some people do after a page: they follow a link of it, or a style was not yet in
// the cache.
func (v *visitor) goOn(page string) {
	switch v.random.IntN(10) {
	case 0, 1:
		v.get("/about", home[:len(home)-1]+page)
	case 2:
		v.get("/site.css", home[:len(home)-1]+page)
	}
}

// popular returns a number below n, small ones far more often: as people choose among links.
func (v *visitor) popular(n int) int { return int(math.Pow(float64(n), v.random.Float64())) - 1 }

const (
	home   = "https://site.example/"
	google = "https://www.google.com/"
)

// quarterRobots closes what each kind of visitor asks for, and what nobody does.
const quarterRobots = "User-agent: *\nDisallow: /*/commit/\nDisallow: /item?\nDisallow: /*?utm_\nDisallow: /letter/\n" +
	"Disallow: /api/\nDisallow: /search\nDisallow: /go/\n"

// gone are people who are not suspects, whatever their headers.
var gonePeople = map[string]func(*visitor){
	"the links of a letter": func(v *visitor) {
		v.get(fmt.Sprintf("/story-%d?utm_source=letter", v.popular(30)), "-")
	},
	"the links of a letter, from a mail program on the web": func(v *visitor) {
		v.get(fmt.Sprintf("/story-%d?utm_source=letter", v.popular(30)), "https://mail.example/")
	},
	"one link of a letter, twice": func(v *visitor) {
		v.get("/letter/7", "-")
		v.get("/letter/7", "-")
	},
	"links of a letter, one for each reader": func(v *visitor) {
		page := fmt.Sprintf("/letter/%x", v.random.Uint64())
		v.get(page, "-")
		v.goOn(page)
	},
	"counted links of a letter": func(v *visitor) { v.redirected(fmt.Sprintf("/go/%x", v.random.Uint64())) },
	"an open page first, and a closed print view": func(v *visitor) {
		n := v.popular(20)
		v.get(fmt.Sprintf("/story-%d", n), "-")
		v.get(fmt.Sprintf("/story-%d?utm_print", n), fmt.Sprintf("%sstory-%d", home, n))
	},
	"an app, from its list to its items": func(v *visitor) {
		v.get("/api/settings", "-")
		v.get("/api/list", "-")
		for range 1 + v.random.IntN(12) {
			v.get(fmt.Sprintf("/api/item?id=%d", v.random.IntN(5000)), "-")
		}
	},
	"an app all day": func(v *visitor) {
		v.get("/api/settings", "-")
		for range 30 + v.random.IntN(20) {
			v.get(fmt.Sprintf("/api/item?id=%d", v.random.IntN(5000)), "-")
			v.at += v.random.IntN(500)
		}
	},
	"an app that polls": func(v *visitor) {
		own := fmt.Sprintf("/api/user/%d/news", v.random.IntN(1<<30))
		for range 2 + v.random.IntN(20) {
			v.get(own, "-")
		}
	},
	"an app that asks what is new": func(v *visitor) {
		for range 2 + v.random.IntN(20) {
			v.get(fmt.Sprintf("/api/news?since=%d", epoch+v.at-v.random.IntN(3600)), "-")
		}
	},
	"an app that also sends": func(v *visitor) {
		v.get(fmt.Sprintf("/api/item?id=%d", v.random.IntN(5000)), "-")
		v.post("/api/seen")
	},
	"links of search engines": func(v *visitor) {
		page := fmt.Sprintf("/project/commit/%x", v.random.Uint64())
		v.get(page, google)
		v.goOn(page)
	},
}

// familiarPeople are people who are not suspects if people who load styles have such headers.
var familiarPeople = map[string]func(*visitor){
	"a page elsewhere that asks an interface": func(v *visitor) {
		for range 1 + v.random.IntN(3) {
			v.get(fmt.Sprintf("/api/suggest?q=%x", v.random.Uint32()), "https://shop.example/")
		}
	},
}

// epoch is the first second of a visitLog.
const epoch = 1772323200

// crews are fleets, one request or a few from each address.
var crews = map[string]func(*visitor){
	"one closed page": func(v *visitor) { v.get(fmt.Sprintf("/project/commit/%x", v.random.Uint64()), "-") },
	"the front page as the Referer": func(v *visitor) {
		v.get(fmt.Sprintf("/project/commit/%x", v.random.Uint64()), home)
	},
	"a search engine as the Referer": func(v *visitor) {
		v.get(fmt.Sprintf("/project/commit/%x", v.random.Uint64()), google)
	},
	"an open page first": func(v *visitor) {
		v.get("/project/", "-")
		for range 1 + v.random.IntN(2) {
			v.get(fmt.Sprintf("/project/commit/%x", v.random.Uint64()), "-")
		}
	},
	"an open page first, and as the Referer": func(v *visitor) {
		v.get("/project/", "-")
		v.get(fmt.Sprintf("/project/commit/%x", v.random.Uint64()), home+"project/")
	},
	"?id=": func(v *visitor) { v.get(fmt.Sprintf("/item?id=%d", v.random.IntN(300)), "-") },
	"?id=, with a Referer": func(v *visitor) {
		v.get(fmt.Sprintf("/item?id=%d", v.random.IntN(300)), home)
	},
	"robots.txt first": func(v *visitor) {
		v.get("/robots.txt", "-")
		v.get(fmt.Sprintf("/project/commit/%x", v.random.Uint64()), "-")
	},
}

// peoplesHeader is a disguise as the people of the site.
func peoplesHeader(r *rand.Rand) string { return []string{firefox, chrome}[r.IntN(2)] }

// addQuarter adds visitors and returns their headers.
func (q quarter) addQuarter(size int, visit func(*visitor)) map[string]bool {
	headers := map[string]bool{}
	for range size {
		n := 20<<24 + q.random.Uint32N(70<<24)
		v := &visitor{quarter: q, agent: q.header(q.random), at: q.random.IntN(9000),
			address: netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}).String()}
		visit(v)
		headers[v.agent] = true
	}
	return headers
}

// townspeople adds people who load styles, of whom one in 150 follows a link to a closed page.
func townspeople(l *visitLog, random *rand.Rand, people int) {
	for i := range people {
		client := fmt.Sprintf("198.51.%d.%d", i/250, i%250)
		header := []string{firefox, chrome}[i%2]
		at := random.IntN(9000)
		l.add(client, at, "/project/", []string{"-", google}[i%2], header)
		l.add(client, at+1, "/project.css", home+"project/", header)
		l.add(client, at+1, "/project.js", home+"project/", header)
		l.add(client, at+6, "/about.png", home+"about", header)
		l.add(client, at+5, "/about", home, header)
		l.add(client, at+9, "/search?q=a", home+"project/", header)
		l.add(client, at+10, "/project.png", home+"search", header)
		if i%150 == 149 {
			l.add(client, at+30, "/project/commit/7", home+"project/", header)
		}
	}
}

// People without styles, and the apps of people, are not suspects; fleets are, with a constant
// Referer, after an open page, and with queries. doc/audit-suspicion.md has the figures. It runs
// more if ROBOTS_CORPUS_ALL is set.
func TestCrews(t *testing.T) {
	corpus.Unraced(t)
	version := audit.Version{ID: "v", Text: []byte(quarterRobots)}
	a, err := audit.New(audit.Options{Sites: map[string][]audit.Version{"": {version}}})
	fatal.If(t, err)
	headers := map[string]disguise{"the headers of people": peoplesHeader}
	for name, header := range disguises {
		headers[name] = header
	}
	logs, alarms, missed, crowded := 0, 0, 0, 0
	try := func(seed uint64, size int, of string, header disguise, people, fleet func(*visitor)) {
		random := rand.New(rand.NewPCG(seed, uint64(size)))
		var l visitLog
		townspeople(&l, random, []int{60, 400}[(seed+uint64(size)/200)%2])
		least := 0
		if fleet == nil {
			quarter{&l, random, header}.addQuarter(size, people)
		} else {
			quarter{&l, random, peoplesHeader}.addQuarter(size, people)
			quarter{&l, random, header}.addQuarter(size, fleet)
			least = size * 95 / 100
		}
		found, why := 0, []string{}
		for _, s := range readLines(t, a, 1, l.lines).Report().Suspects {
			found += s.Addresses
			why = append(why, fmt.Sprintf("%d %s%v", s.Addresses, kinds(s), s.Evidence[0].Figures))
		}
		logs++
		switch {
		case fleet == nil && found > 0:
			alarms++
			t.Errorf("seed %d, %d, %s: %d people are suspects: %q", seed, size, of, found, why)
		case found < least:
			missed++
			t.Errorf("seed %d, %d, %s: %d of the addresses are suspects", seed, size, of, found)
		case found > size:
			crowded++
			t.Errorf("seed %d, %d, %s: people are among the %d suspects: %q", seed, size, of, found, why)
		}
	}
	nobody, letter := func(*visitor) {}, gonePeople["the links of a letter"]
	for seed := range uint64(corpus.Cases(1, 3)) {
		sizes := []int{200, 2000}
		if corpus.All() && seed == 0 {
			sizes = append(sizes, 20_000) // of which there is a sample
		}
		for as, header := range headers {
			for _, size := range sizes {
				for name, people := range gonePeople {
					try(seed, size, name+", "+as, header, people, nil)
				}
				for name, fleet := range crews {
					try(seed, size, name+", "+as, header, nobody, fleet)
					try(seed, size, name+", and a letter, "+as, header, letter, fleet)
				}
			}
		}
		for name, people := range familiarPeople {
			try(seed, 1000, name, peoplesHeader, people, nil)
		}
	}
	t.Logf("%d logs: people as suspects in %d, fleets missed in %d, people among them in %d", logs, alarms, missed,
		crowded)
}
