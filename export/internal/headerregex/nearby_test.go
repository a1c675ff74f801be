package headerregex

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// unmarkedNames are names that show no robot, with classes of their own.
var unmarkedNames = map[string]Class{"fooloader": 5, "foo.bar_x": 6, "loader": 7}

func withUnmarked(t *testing.T) []Name {
	t.Helper()
	names := namesOfTable()
	for text, c := range unmarkedNames {
		if !Nearby(text) {
			t.Fatalf("%s is no such name", text)
		}
		names = append(names, Name{Text: text, Class: c, Level: Unmarked})
	}
	return names
}

// classOf returns the class that agent.Lookup gives a header.
func classOf(header string) Class {
	own := map[string]Class{"Googlebot": 1, "Googlebot-Image": 2, "bingbot": 1, "AhrefsBot": 1}
	a := agent.Lookup(header)
	token := unversioned(strings.ToLower(a.Token))
	c, ok := unmarkedNames[token]
	switch {
	case a.Kind != agent.Robot:
		return Nobody
	case a.Known() && own[a.Token] > 0:
		return own[a.Token]
	case !a.Known() && token == "own-name":
		return 4
	case !a.Known() && ok:
		return c
	}
	return Everyone
}

// unversioned returns a name without a version at its end.
func unversioned(name string) string {
	short := strings.TrimRight(name, "0123456789.")
	if short == name {
		return name
	}
	return strings.TrimRight(short, "-_")
}

// nearbyHeaders are headers in which the expressions find a name, with %s for it.
var nearbyHeaders = []string{
	"%s (+http://foo.example/)", "%s/1.0 (http://foo.example/)", "%s-1.0 foo@foo.example", "%s/2 www.foo.example",
	"%s/1.0 (Bar; Linux) see foo.com",
	"%s crawler", "%s/1.0 Spider/2.0", "%s web Crawler (http://foo.example/)", "%s/1.0 (robot; bar)",
	"%s (http://a.example/; crawler@a.example)",
	"Mozilla/5.0 (compatible; %s/1.0; +http://foo.example/)", "Mozilla/5.0 (compatible; %s; foo@foo.example)",
	"Mozilla/5.0 (compatible;%s www.foo.example)",
	"Mozilla/5.0 (compatible; %s by Bar; +https://foo.example/)", "Mozilla/5.0 (%s/2.1; http://foo.example/)",
	"Mozilla/5.0 (compatible; %s, foo.com)",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko; compatible; %s/1.0; +http://foo.example/) Chrome/1.2 Safari/5",
	"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/1.2 Safari/5 (compatible; %s/1.0; +http://foo.example/)",
	"Mozilla/5.0 (Windows; U; Windows NT 5.1) Gecko/2008 %s/1.0 (+http://foo.example/)",
	"Mozilla/5.0 (compatible; %s crawler)", "Mozilla/5.0 (compatible; %s deep Spider/1.0; http://foo.example/)",
	"Mozilla/5.0 (compatible; %s/1.0)", "Mozilla/5.0 (compatible; %s)", "Mozilla/4.0 (compatible; %s-2;)",
}

// notNearby are headers with the names in which they are not those of the robot, or in which there
// is no robot.
var notNearby = []string{
	"%s", "%s/1.0", "%s/1.0 (Linux)", "%s/1.0 SomeBot/1.0 (+http://foo.example/)",
	"%s Googlebot/2.1 (http://foo.example/)", "Bar/1.0 (%s; http://foo.example/)",
	"Bar %s crawler", "x%s (+http://foo.example/)", "%sx (+http://foo.example/)",
	"Mozilla/5.0 (compatible; x%s; +http://foo.example/)", "%s@foo.example",
	"Mozilla/5.0 (compatible; %s/1.0; Bar; +http://foo.example/)", "Outlook (%s; http://foo.example/)",
	"%s Outlook (http://foo.example/)", "Mozilla/5.0 (compatible; %s; http://a.example/) Bar Crawler/1.0",
	"Mozilla/5.0 (Windows NT 6.1) Gecko/20100101 Firefox/1.0 %s/1.0",
	"Mozilla/5.0 (compatible; SomeBot; %s crawler)", "like %s (http://foo.example/)", "see http://foo.example/%s",
	"SomeBot/1.0 (like %s)",
	"Mozilla/5.0 (compatible; %s; MSIE 6.0)", "Mozilla/5.0 (compatible; MSIE 6.0; Windows NT 5.1)",
	"Mozilla/5.0 (compatible; Konqueror/3.5)",
	"Mozilla/5.0 (compatible; en-US)", "Mozilla/5.0 (compatible; X)", "Mozilla/5.0 (compatible; BarBrowser/1.0)",
	"Mozilla/5.0 (compatible; BarPlayer)", "Mozilla/5.0 (compatible; NewRobotless/1.0)",
	"Mozilla/5.0 (compatible; Wget/1.0)", "Mozilla/5.0 (compatible; curl/1.0)", "Mozilla/5.0 (compatible; Linux)",
	"Mozilla/5.0 (compatible; Hoover)", "Mozilla/5.0 (compatible; Acorn/2)",
}

// randomHeaders returns headers of parts in any order.
func randomHeaders(n int) (list []string) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := strings.Split("FooLoader|FooLoader/1.0|loader|Bar|Bar/2|x|crawler|Spider/1.0|SomeBot|Mozilla/5.0|(compatible;|(|)|;|,|+http://foo.example/|foo@foo.example|www.foo.example|foo.com|"+
		"MSIE 6.0|Windows NT 5.1|Firefox/1.0|like Bar|Outlook|curl/8|Googlebot|crawler@foo.example|en-US|(KHTML, like Gecko|AppleWebKit/5.3|2008", "|")
	for range n {
		var words []string
		for range 1 + random.IntN(6) {
			words = append(words, parts[random.IntN(len(parts))])
		}
		list = append(list, strings.Join(words, " "))
	}
	return list
}

// checkNearby compares classes of headers by expressions with those by agent.Lookup.
func checkNearby(t *testing.T, classOfAll func(headers []string) []Class) {
	t.Helper()
	var headers []string
	for name := range unmarkedNames {
		for _, form := range append(nearbyHeaders, notNearby...) {
			headers = append(headers, strings.ReplaceAll(form, "%s", name),
				strings.ReplaceAll(form, "%s", strings.ToUpper(name)))
		}
	}
	for i, got := range classOfAll(headers) {
		if want := classOf(headers[i]); got != want {
			t.Errorf("%q has class %d, want %d: %v", headers[i], got, want, agent.Lookup(headers[i]))
		}
	}
	headers = randomHeaders(3000)
	wrong := 0
	for i, got := range classOfAll(headers) {
		want := classOf(headers[i])
		if want == Nobody && got != Nobody { // nobody else is refused
			t.Errorf("%q has class %d, want none: %v", headers[i], got, agent.Lookup(headers[i]))
		}
		if got >= 5 && got != want { // a name is not another robot's
			t.Errorf("%q has class %d, want %d: %v", headers[i], got, want, agent.Lookup(headers[i]))
		}
		if got != want {
			wrong++
		}
	}
	t.Logf("%d of %d random headers have another class", wrong, len(headers))
	// Names at other places than the two, and robots that name a system but not Mozilla.
	if wrong > 200 {
		t.Errorf("%d of %d random headers have another class", wrong, len(headers))
	}
}

// TestNearby checks where expressions of PCRE find names that show no robot.
func TestNearby(t *testing.T) {
	lines, err := Of(withUnmarked(t), true, 4000)
	fatal.If(t, err)
	checkNearby(t, func(headers []string) []Class { return classesByPerl(t, lines, headers) })
}

// TestNearbyRE2 does the same for RE2.
func TestNearbyRE2(t *testing.T) {
	r, err := OfRE2(withUnmarked(t), true)
	fatal.If(t, err)
	checkNearby(t, func(headers []string) (list []Class) {
		for _, header := range headers {
			list = append(list, classRE2(t, r, header))
		}
		return list
	})
}

// slowNearby returns the class of a name that shows no robot, with expressions for each name at
// each place.
func slowNearby(t *testing.T, header string, at place) (Class, bool) {
	marks := agent.RobotMarks()
	bare := `(?:` + strings.Join(slices.Concat(marks.Parts, marks.Endings), "|") + `)(?-i:[a-z]*)`
	for text, c := range unmarkedNames {
		name := strings.ReplaceAll(text, ".", `\.`) + version
		var expressions []string
		switch at {
		case near:
			expressions = []string{`^` + outside2 + `*` + name + noMailbox, `^` + posing + name +
				near2(outside2+`*`, bare+noMailbox)}
		case playingAs:
			expressions = []string{`^` + playing + name + strings.ReplaceAll(plays, `\x80-\xff`, `\x{80}-\x{10ffff}`)}
		case linked:
			expressions = []string{`^` + posingAs2 + name + near2(`[`+part+` +0-9.\x2d]*`, `(?:`+urls+`|`+hosts+noWord2+
				`)`)}
			for _, contact := range contacts2(`(?:.*[^0-9A-Za-z_!%\x2d\x{80}-\x{10ffff}.])?`, ".*?", "(?:.*"+before2+
				")?") {
				expressions = append(expressions, `^`+outside2+`*`+name+end2(contact))
			}
		}
		whole := expression(t, `^(?:`+outside2+`*|`+posingAs2+`)`+
			strings.TrimSuffix(name, version)+after2).MatchString(header)
		if whole && slices.ContainsFunc(expressions,
			func(e string) bool { return expression(t, e).MatchString(header) }) {
			return c, true
		}
	}
	return Nobody, false
}

// TestNearbyTwin compares general expressions with those of each name.
func TestNearbyTwin(t *testing.T) {
	names := withUnmarked(t)
	r, err := OfRE2(names, true)
	fatal.If(t, err)
	headers := randomHeaders(corpus.Cases(500, 5000))
	for name := range unmarkedNames {
		for _, form := range append(nearbyHeaders, notNearby...) {
			for _, version := range []string{"", "2", "-1.0", "..2", "-..2", "_", ".", "..", "..2x", ".x", "@", ".5@",
				"/"} {
				headers = append(headers, strings.ReplaceAll(form, "%s", name+version))
			}
		}
	}
	asked, found := 0, 0
	for i := 0; i < len(headers); i += corpus.Cases(7, 1) {
		header := headers[i]
		asked++
		got := classRE2(t, r, header)
		want := classWith(t, r, header, func(at place) (Class, bool) { return slowNearby(t, header, at) })
		if got != want {
			t.Errorf("%q has class %d, want %d", header, got, want)
		}
		if want >= 5 {
			found++
		}
	}
	if found < asked/100 {
		t.Errorf("%d of %d headers have one of the names", found, asked)
	}
}

// TestSizeOfRE2 checks how often the expressions have each name, and that their number stays, so
// that a header costs the same with many names.
func TestSizeOfRE2(t *testing.T) {
	count := func(n int) (expressions int) {
		names := namesOfTable()
		for i := range n {
			names = append(names, Name{Text: fmt.Sprintf("zqx%dloader", i), Class: Class(5 + i%2), Level: Unmarked})
		}
		r, err := OfRE2(names, true)
		fatal.If(t, err)
		text := fmt.Sprint(*r)
		if got := strings.Count(text, "zqx"); n > 0 && got > 3 {
			t.Errorf("with %d names, the start of the names is written %d times, want 3", n, got)
		}
		return len(r.Listed) + len(r.Near) + len(r.Linked) + len(r.Nearby) + len(r.Rest) + len(r.Contacts)
	}
	if few, many := count(2), count(500); few != many {
		t.Errorf("%d expressions with 500 names, and %d with two", many, few)
	}
}

// classesByPerl returns the classes of headers.
func classesByPerl(t *testing.T, lines *Lines, headers []string) (list []Class) {
	t.Helper()
	program, err := exec.LookPath("perl")
	if err != nil {
		t.Skip("perl is not installed, whose regular expressions stand for those of PCRE")
	}
	var script strings.Builder
	for name, list := range map[string][]Line{"quick": lines.Quick, "exact": lines.Exact, "other": lines.Other} {
		for _, l := range list {
			if len(l.Expression) > 4000 {
				t.Errorf("an expression has %d bytes", len(l.Expression))
			}
			fmt.Fprintf(&script, "line %s %d %s\n", name, l.Class, l.Expression)
		}
	}
	for _, header := range headers {
		fmt.Fprintf(&script, "header %s\n", header)
	}
	cmd := exec.Command(program, "-e", perl)
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.Output()
	fatal.If(t, err)
	for _, answer := range strings.Fields(string(out)) {
		c := int(Nobody)
		if answer != "none" {
			fmt.Sscan(answer, &c)
		}
		list = append(list, Class(c))
	}
	if len(list) != len(headers) {
		t.Fatalf("%d answers for %d headers", len(list), len(headers))
	}
	return list
}
