package crawl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestShapes checks the shapes of URLs, from the narrowest to the widest.
func TestShapes(t *testing.T) {
	for path, want := range map[string]string{
		"/":                            "/ /…",
		"/about.html":                  "/about.html /…",
		"/cal/17":                      "/cal/# /cal/… /cal/…/…",
		"/calq?m=17":                   "/calq?m /calq?… /…",
		"/calq?m=17&a=2&m=3&%6d=4":     "/calq?a&m /calq?… /…",
		"/calq?20261122":               "/calq?… /calq?… /…",
		"/d?a1b2c3=1":                  "/d?* /d?… /…",
		"/page17.html":                 "/page#.html /…",
		"/17th-page_2":                 "/#th-page_# /…",
		"/s/8f3a9c01/page2":            "/s/*/page# /s/*/… /s/*/…/… /s/…/…",
		"/%63al/%31%37":                "/cal/# /cal/… /cal/…/…",
		"/a%2Fb/c":                     "/a%#Fb/c /a%#Fb/… /a%#Fb/…/…",
		"/p;v=1;w=2/x;v":               "/p;v;w/x;v /p;v;w/… /p;v;w/…/…",
		"/%D0%B4%D0%B5%D0%BD%D1%8C/12": "/день/# /день/… /день/…/…",
	} {
		var got []string
		for _, s := range shapesOf(nil, parse(t, "https://example.com"+path)) {
			got = append(got, s.String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %s, want %s", path, strings.Join(got, " "), want)
		}
	}
}

// TestYields checks which shapes are closed, and after how many pages.
func TestYields(t *testing.T) {
	const most = 30_000
	every := func(n int, news repeat, others repeat) func(i int) repeat {
		return func(i int) repeat {
			if n > 0 && i%n == n-1 {
				return news
			}
			return others
		}
	}
	for _, test := range []struct {
		name   string
		url    func(i int) string
		came   func(i int) repeat
		pages  int // visited before the shape is closed; 0 if it is never closed
		closed string
	}{
		{"the same page under a token", func(i int) string { return fmt.Sprintf("/sess/d?token=%d", i) },
			every(0, 0, same), 200, "/sess/d?token"},
		{"under parameters with any name", func(i int) string {
			return fmt.Sprintf("/d?%c%c%c=1", 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
		}, every(0, 0, same), 200, "/d?…"},
		{"under any name", func(i int) string { return fmt.Sprintf("/x/%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676) },
			every(0, 0, same), 400, "/x/…"},
		{"pages that are nearly the same", func(i int) string { return fmt.Sprintf("/copy/%d.html", i) },
			every(0, 0, near), 167, "/copy/#.html"},
		{"pages that differ in numbers", func(i int) string { return fmt.Sprintf("/cal/%d", i) }, every(0, 0, known),
			1000, "/cal/#"},
		{"a tree with any names", func(i int) string {
			return fmt.Sprintf("/t/%c/%c/%c/%c/", 'a'+i%3, 'd'+i/3%3, 'h'+i/9%3, 'k'+i/27)
		}, every(0, 0, same), 400, "/t/…/…"},
		{"one page in twenty is new, the others are the same",
			func(i int) string { return fmt.Sprintf("/list?page=%d", i) }, every(20, fresh, same), 0, ""},
		{"one in twenty is new, the others are nearly the same",
			func(i int) string { return fmt.Sprintf("/list?page=%d", i) }, every(20, fresh, near), 1298, "/list?page"},
		{"one in ninety is new, the others differ in numbers",
			func(i int) string { return fmt.Sprintf("/list?page=%d", i) }, every(90, fresh, known), 0, ""},
	} {
		var y yields
		pages, closed := 0, ""
		for i := 0; i < most && closed == ""; i++ {
			u := parse(t, "https://example.com"+test.url(i))
			if y.closed(u) != "" {
				t.Fatalf("%s: %v is closed, and nobody said so", test.name, u)
			}
			if s, ok := y.note(u, true, test.came(i)); ok {
				pages, closed = i+1, s.Shape
				if s.Pages > pages || y.closed(u) != closed {
					t.Errorf("%s: %+v is closed after %d pages, and %s is %q", test.name, s, pages, u, y.closed(u))
				}
			}
		}
		if pages != test.pages || closed != test.closed {
			t.Errorf("%s: got %q after %d pages, want %q after %d", test.name, closed, pages, test.closed, test.pages)
		}
	}
}

// TestYieldsHonest: a single page that repeats others costs nothing, and a closed shape leaves the
// other shapes of its host open.
func TestYieldsHonest(t *testing.T) {
	var y yields
	for i := range 100_000 {
		if s, ok := y.note(parse(t, fmt.Sprintf("https://example.com/many/%d", i)), false, same); ok {
			t.Fatalf("%+v is closed, though its pages were found on new ones", s)
		}
	}
	for trap := range 4 {
		for i := 0; ; i++ {
			if _, ok := y.note(parse(t, fmt.Sprintf("https://example.com/trap%c/%d", 'a'+trap, i)), true, same); ok {
				break
			}
		}
	}
	if got := y.closed(parse(t, "https://example.com/other/page")); got != "" {
		t.Errorf("after four traps %q is closed", got)
	}
}

// TestYieldsBounded: for any URLs the accounts of a host and their stored form are bounded, and in
// the end the host is closed.
func TestYieldsBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	var y yields
	leads := 0
	for i := 0; !y.host.closed; i++ {
		path := ""
		for range 1 + random.IntN(4) {
			path += "/"
			for range 8 {
				path += string(rune('a' + random.IntN(26)))
			}
		}
		u := parse(t, "https://example.com"+path)
		if y.closed(u) != "" {
			continue
		}
		if leads++; leads > 2*hostCredit {
			t.Fatal("the host is not closed")
		}
		y.note(u, true, same)
		if len(y.accounts) > maxAccounts {
			t.Fatalf("%d accounts", len(y.accounts))
		}
	}
	if n := len(y.appendBinary(nil)); n > 16<<10 {
		t.Errorf("%d bytes are stored", n)
	}
	t.Logf("the host is closed after %d leads", leads)
}

// TestSiteAccounts: the crawl of endless hosts of a site ends, and stored accounts are restored.
func TestSiteAccounts(t *testing.T) {
	var s sites
	for range 199 {
		s.note("example.com", same)
	}
	if s.closed("example.com") || s.closed("example.org") {
		t.Error("closed too early")
	}
	s.note("example.com", fresh)
	for range 20 {
		s.note("example.com", same)
	}
	if s.closed("example.com") {
		t.Error("what is new pays nothing")
	}
	spent := s.note("example.com", same)
	var again sites
	again.recall("example.com", spent)
	again.recall("example.com", 1)
	if !s.closed("example.com") || !again.closed("example.com") {
		t.Error("not closed")
	}
	for i := range 2 * maxSites {
		s.note(fmt.Sprint(i), same)
	}
	if len(s.spent) > maxSites {
		t.Errorf("%d sites", len(s.spent))
	}
}
