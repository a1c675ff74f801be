package export_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/probe"
)

// TestVarnishLongTargets checks that no expression fails at a request, for which Varnish answers
// 503, with the limits that Varnish has by default: an expression can take 10,000 steps.
func TestVarnishLongTargets(t *testing.T) {
	var text strings.Builder
	text.WriteString("user-agent: *\ndisallow: /*a*b*c*d*e$\ndisallow: /*x/y\ndisallow: /*2F\ndisallow: /*%2F*A*F$\ndisallow: /" + strings.Repeat("q", 420) + "\nallow: /*" + strings.Repeat("r", 400) + "\n")
	for i := range 60 { // many searches, after stems that a target may all start with
		fmt.Fprintf(&text, "disallow: /%s*%d\ndisallow: /*%[2]d*/x%[2]d$\nallow: /*%[2]d*/x%[2]d/\n",
			strings.Repeat("a", i%7), i)
	}
	p := robots.Parse([]byte(text.String()))
	s := start(t, "varnish", write(t, "varnish", p, export.Options{Literal: true}),
		write(t, "varnish", p, export.Options{Site: "strict"}))
	var targets []string
	add := func(unit string) {
		targets = append(targets, "/"+strings.Repeat(unit, 8000/len(unit)), "/"+strings.Repeat(unit, 400), "/"+
			strings.Repeat(unit, 8000/len(unit))+"e", "/"+strings.Repeat(unit, 4000/len(unit)))
	}
	for _, unit := range []string{"a", "abcd", "x/", "%61", "%C3%A9", "q", "%71", "r%72", "%", "%2", "%2F", "2F", "F",
		"A", "1", "%31", "/x1", "*"} {
		add(unit)
	}
	s.compare(t, []*robots.Policy{p}, requestsOf(0, targets, []string{googlebot, chrome, app}))
	for _, unit := range []string{"/", "/.", "/../", "%2F", "/%2e", "/a/..", "a/", "/x./"} {
		add(unit)
		for _, length := range []int{500, 590, 4400, 4490, 7900} {
			targets = append(targets, "/"+strings.Repeat(unit, length/len(unit))+"?x", "/"+
				strings.Repeat(unit, (length-40)/len(unit))+strings.Repeat("/..", 7)+"/b")
		}
	}
	requests := requestsOf(1, targets, []string{googlebot, chrome, app})
	for i, status := range s.ask(t, requests) {
		if r := requests[i]; status != 200 && status != 403 || status == 403 && r.userAgent != googlebot {
			t.Errorf("%.40q, of %d bytes, to %q: %d", r.target, len(r.target), r.userAgent, status)
		}
	}
}

// TestVarnishDecodes checks the answers to odd targets by so many rules that Varnish decodes them.
func TestVarnishDecodes(t *testing.T) {
	var text strings.Builder
	text.WriteString("user-agent: *\ndisallow: /-._~AZaz09/\ndisallow: /a%40b\ndisallow: /%25/\nallow: /a%40b/c\ndisallow: /x%4y\ndisallow: /*%2Fend$\ndisallow: /é\n")
	addRules(&text, 9000)
	p := robots.Parse([]byte(text.String()))
	config := write(t, "varnish", p, export.Options{Literal: true})
	if !strings.Contains(string(config.Files[0].Data), "regsuball") {
		t.Fatal("the rules are not so many that Varnish decodes")
	}
	s := start(t, "varnish", config)
	targets := probe.Targets(p, rand.New(rand.NewPCG(1, 2)), 20)
	for _, path := range []string{"/-._~AZaz09/x", "/a@b", "/a%40b", "/a%40b/c", "/%25/x", "/x%4y", "/x/end",
		"/x%2Fend", "/%%34%30", "/a%%34%30b", "/%2561/", "/%%361", "/x%%34y", "/%C3%A9"} {
		escaped := "/"
		for _, c := range []byte(path[1:]) {
			if c != '%' && c != '/' && c != '@' {
				escaped += fmt.Sprintf("%%%02x", c)
			} else {
				escaped += string(c)
			}
		}
		targets = append(targets, path, escaped, strings.ToUpper(escaped), path+"%61", "/%61"+path, path+"%")
	}
	s.compare(t, []*robots.Policy{p}, requestsOf(0, targets, []string{googlebot, chrome, app}))
	long := "/" + strings.Repeat("%61%62%63%2D%5A", 30)
	s.checkAnswers(t, []answer{{request{long, googlebot, 0}, 403}, {request{long, chrome, 0}, 200},
		{request{"/" + strings.Repeat("a", 8000), googlebot, 0}, 200}})
	var all string // each letter once, which takes most copies
	for c := byte('!'); c < 0x7F; c++ {
		all += fmt.Sprintf("%%%02X", c)
	}
	s.checkAnswers(t, []answer{{request{"/" + all, googlebot, 0}, 200}})
}

// addRules adds rules of other bytes each, so that few share an expression.
func addRules(text *strings.Builder, n int) {
	for i := range n {
		fmt.Fprintf(text, "disallow: /%08x/%016x%016x\n", uint32(i)*2654435761, uint64(i)*0x9E3779B97F4A7C15,
			uint64(i)*0xC2B2AE3D27D4EB4F)
	}
}

// TestVarnishTooMany checks that a policy is refused with more expressions than Varnish compiles in
// a minute.
func TestVarnishTooMany(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 25 MiB")
	}
	var text strings.Builder
	text.WriteString("user-agent: *\n")
	addRules(&text, 28000)
	_, err := export.Write("varnish", robots.Parse([]byte(text.String())), export.Options{})
	if refusal, ok := errors.AsType[*export.Refusal](err); !ok ||
		!strings.Contains(refusal.Reason, "expressions, more than 5000, which Varnish compiles in a minute") {
		t.Errorf("the error is %v", err)
	}
}

// TestVarnishLongest checks the answers to the longest targets that Varnish reads: robots are
// refused if the rules have "*", or other spellings are refused too, and people pass.
func TestVarnishLongest(t *testing.T) {
	wild, plain := robots.Parse([]byte("user-agent: *\ndisallow: /*x*y$\n")),
		robots.Parse([]byte("user-agent: *\ndisallow: /x\n"))
	s := start(t, "varnish", write(t, "varnish", wild, export.Options{Literal: true}),
		write(t, "varnish", plain, export.Options{Site: "plain", Literal: true}), write(t, "varnish", plain,
			export.Options{Site: "strict"}))
	for _, unit := range []string{"a", "x", "%61", "/", "%2F", "/.", "a/", "/..", "%", "?/"} {
		for _, length := range []int{8990, 9100, 20000, 31000} {
			target := "/" + strings.Repeat(unit, length/len(unit))
			robot := 200
			if len(target) > 9000 {
				robot = 403
			}
			exact := 200
			if unit == "x" {
				exact = 403
			}
			s.checkAnswers(t, []answer{{request{target, googlebot, 0}, robot}, {request{target, chrome, 0}, 200},
				{request{target, app, 0}, 200}, {request{target, googlebot, 1}, exact}, {request{target, app, 2}, 200}})
			if status := s.ask(t, []request{{target, googlebot, 2}})[0]; status != 403 &&
				(status != 200 || len(target) > 9000) {
				t.Errorf("%.20q, of %d bytes: %d", target, len(target), status)
			}
		}
	}
}

// TestVarnishLongestHeader checks that no expression fails at the longest headers that Varnish
// reads, and that those of more than 3,000 bytes pass.
func TestVarnishLongestHeader(t *testing.T) {
	s := start(t, "varnish", write(t, "varnish",
		robots.Parse([]byte(groupsOfFour+"\nUser-agent: FooLoader\nDisallow: /y\n")), export.Options{}))
	for _, unit := range []string{"a ", "a", "(", "like a ", "google ", "x@y ", "x@", "bo", "www.", "://", ".com ",
		"x.", ";", "; x"} {
		for _, length := range []int{2960, 3100, 8100} {
			header := strings.TrimSpace(strings.Repeat(unit, length/len(unit)))
			robot := 403
			if length > 3000 {
				robot = 200
			}
			s.checkAnswers(t, []answer{{request{"/x", header + " ahrefsbot/1.0", 0}, robot}})
			var requests []request
			for _, before := range []string{"", "FooLoader ", "FooLoader/1.0 (+http://foo.example/) ",
				"Mozilla/5.0 (compatible; FooLoader ", "Mozilla/5.0 ("} {
				requests = append(requests, request{"/x", before + header, 0})
			}
			for i, status := range s.ask(t, requests) {
				if status != 200 && status != 403 {
					t.Errorf("%.40q, of %d bytes of %q: %d", requests[i].userAgent, len(header), unit, status)
				}
			}
		}
	}
}

// app is the header of an unusual app, which no expression of common browsers knows.
const app = "SomeApp/3.1 (Linux; Phone 7)"
