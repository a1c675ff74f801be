package audit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"

// A visitLog is lines of a log that are made up.
type visitLog struct{ lines []string }

func (l *visitLog) add(address string, second int, path, referrer, header string) {
	t := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(second) * time.Second)
	l.lines = append(l.lines, fmt.Sprintf("%s - - [%s] \"GET %s HTTP/1.1\" 200 9 %q %q", address,
		t.Format("02/Jan/2006:15:04:05 -0700"), path, referrer, header))
}

// people adds visitors with the parts of pages and Referers.
func (l *visitLog) people() {
	for i := range 30 {
		address := fmt.Sprintf("198.51.100.%d", i)
		for page := range 12 {
			at := i*977 + page*page*31
			path := fmt.Sprintf("/story-%c", 'a'+(i*7+page*5)%26)
			l.add(address, at, path, "https://example.com/", firefox)
			l.add(address, at+1, "/style.css", "https://example.com"+path, firefox)
			l.add(address, at+1, "/a.png", "https://example.com"+path, firefox)
		}
	}
}

// Clients that behave like robots are suspects, each for its own reasons.
var suspectTests = []struct {
	name    string
	add     func(l *visitLog)
	address string
	want    string
}{
	{"people only", func(*visitLog) {}, "", ""},
	{"few pages", func(l *visitLog) {
		for i := range 9 {
			l.add("192.0.2.1", i*i*5, fmt.Sprintf("/p%c", 'a'+i), "-", firefox)
		}
		l.add("192.0.2.1", 900, "/robots.txt", "-", firefox)
	}, "192.0.2.1", ""},
	{"pages alone, with robots.txt", func(l *visitLog) {
		for i := range 19 {
			l.add("192.0.2.1", i*i*5, fmt.Sprintf("/p%c", 'a'+i), "-", firefox)
		}
		l.add("192.0.2.1", 9000, "/robots.txt", "-", firefox)
	}, "192.0.2.1", "no-styles robots-txt "},
	{"one reason is not enough", func(l *visitLog) {
		for i := range 25 {
			l.add("192.0.2.1", i*i*5, fmt.Sprintf("/p%c", 'a'+i), "https://example.com/", firefox)
		}
	}, "192.0.2.1", ""},
	{"a hundred pages are enough", func(l *visitLog) {
		for i := range 100 {
			l.add("192.0.2.1", i*i*5, fmt.Sprintf("/p%c%c", 'a'+i%20, 'a'+i/20), "https://example.com/", firefox)
		}
	}, "192.0.2.1", "no-styles! "},
	{"a network of IPv6, regular and sequential", func(l *visitLog) {
		for i := range 40 {
			l.add(fmt.Sprintf("2001:db8::%x", i+1), i*60+i%2, fmt.Sprintf("/item/%d", i), "https://example.com/",
				firefox)
			l.add(fmt.Sprintf("2001:db8::%x", i+1), i*60+i%2, "/style.css", "-", firefox)
		}
	}, "2001:db8::/64", "regular sequential "},
	{"a feed, day and night", func(l *visitLog) {
		for i := range 48 {
			l.add("192.0.2.1", i*1800, "/feed.xml", "-", "")
		}
	}, "192.0.2.1", "no-referrer regular all-hours "},
	{"a reader of feeds that says so", func(l *visitLog) {
		for i := range 480 {
			l.add("192.0.2.61", i*1800, "/feed.xml", "-", "Liferea/1.8.3 (Linux; en_GB.UTF-8; http://liferea.sf.net/)")
		}
	}, "192.0.2.61", ""},
	{"a robot with the name of a reader of feeds", func(l *visitLog) {
		for i := range 400 {
			l.add("192.0.2.60", i, fmt.Sprintf("/item/%d", i), "-",
				"Liferea/1.8.3 (Linux; en_GB.UTF-8; http://liferea.sf.net/)")
		}
	}, "192.0.2.60", "sequential! rapid "},
	{"rapid, and by no link", func(l *visitLog) {
		for i := range 40 {
			l.add("192.0.2.1", i, fmt.Sprintf("/p%c", 'a'+i*7%20), "-", firefox)
			l.add("192.0.2.1", i, "/style.css", "-", firefox)
		}
	}, "192.0.2.1", "no-referrer rapid "},
	{"a header at many addresses", func(l *visitLog) {
		for i := range 40 {
			l.add(fmt.Sprintf("192.0.2.%d", i), i*i*50, fmt.Sprintf("/p%c", 'a'+i%26), "-",
				"Mozilla/5.0 (Windows NT 6.1; rv:25.0) Gecko/20100101 Firefox/25.0")
		}
	}, "", "no-styles no-referrer many-addresses "},
}

func TestSuspects(t *testing.T) {
	a := newAuditor(t)
	for _, test := range suspectTests {
		var l visitLog
		l.people()
		test.add(&l)
		r := readLines(t, a, 1, l.lines).Report()
		got := ""
		for _, s := range r.Suspects {
			if s.Address != test.address {
				t.Errorf("%s: suspect %+v", test.name, s)
				continue
			}
			got += kinds(s)
			for _, e := range s.Evidence {
				if len(e.Lines) == 0 || len(e.Figures) == 0 || e.Lines[0].Log != "log" || e.Lines[0].Line <= 30*36 {
					t.Errorf("%s: evidence %+v", test.name, e)
				}
			}
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

// Where nobody loads styles or sends Referers, because another host has the styles, or the log has
// no field for the Referer, their lack is not evidence.
func TestNoStylesAnywhere(t *testing.T) {
	var l visitLog
	for i := range 40 {
		for page := range 25 {
			l.add(fmt.Sprintf("198.51.100.%d", i), i*977+page*page*31, fmt.Sprintf("/story-%c", 'a'+page), "-", firefox)
		}
	}
	if r := readLines(t, newAuditor(t), 1, l.lines).Report(); len(r.Suspects) > 0 {
		t.Errorf("suspects %+v", r.Suspects)
	}
}

// Suspects and peaks do not depend on the order, the workers, and the parts.
func TestSuspectsFreeOfOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	a := newAuditor(t)
	var l visitLog
	l.people()
	for _, test := range suspectTests {
		test.add(&l)
	}
	for i := range 300 {
		l.add("203.0.113.5", i/10, fmt.Sprintf("/x/%d", i%7), "-", "GPTBot/1.2")
	}
	part := readLines(t, a, 1, l.lines)
	if r := part.Report(); len(r.Suspects) < 2 || len(r.Peaks) != 1 || !r.Peaks[0].Robot ||
		r.Peaks[0].Requests != 300 || r.Peaks[0].Sampled {
		t.Fatalf("suspects %+v, peaks %+v", r.Suspects, r.Peaks)
	}
	want := reportOf(t, part)
	for range 5 {
		random.Shuffle(len(l.lines), func(i, j int) { l.lines[i], l.lines[j] = l.lines[j], l.lines[i] })
		cut := random.IntN(len(l.lines))
		all := stored(t, readLines(t, a, 1+random.IntN(7), l.lines[:cut]))
		fatal.If(t, all.Join(readLines(t, a, 1+random.IntN(7), l.lines[cut:])))
		if got := reportOf(t, stored(t, all)); got != want {
			t.Fatalf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// The headers of suspects are cut.
func TestLongHeader(t *testing.T) {
	var l visitLog
	l.people()
	for i := range 100 {
		l.add("192.0.2.1", i*i*5, fmt.Sprintf("/p%c%c", 'a'+i%20, 'a'+i/20), "-", firefox+
			strings.Repeat(" Firefox/1", 500))
	}
	r := readLines(t, newAuditor(t), 1, l.lines).Report()
	if len(r.Suspects) != 1 || len(r.Suspects[0].UserAgent) != 256 {
		t.Errorf("suspects %+v", r.Suspects)
	}
}
