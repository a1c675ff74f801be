package export_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// policyOf returns a policy of n rules, a tenth of them with wildcards, and a group for Googlebot.
func policyOf(n int) *robots.Policy {
	var b strings.Builder
	b.WriteString("User-agent: Googlebot\nDisallow: /search\n\nUser-agent: *\nDisallow: /private/\n")
	for i := range n - 1 {
		switch {
		case i%10 == 9:
			fmt.Fprintf(&b, "Disallow: /shop/%d/*sort%d=\n", i%97, i)
		case i%10 == 4:
			fmt.Fprintf(&b, "Allow: /shop/%d/item-%d/open\n", i%97, i)
		default:
			fmt.Fprintf(&b, "Disallow: /shop/%d/item-%d\n", i%97, i)
		}
	}
	return robots.Parse([]byte(b.String()))
}

// cpu returns the nanoseconds of processor time that a process and its descendants have used.
func cpu(tb testing.TB, pid int) (sum int64) {
	tb.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		tb.Skip("there is no /proc to measure the time of a server")
	}
	children := make(map[int][]int)
	for _, name := range stats {
		text, _ := os.ReadFile(name) // a process may have ended
		_, after, ok := strings.Cut(string(text), ") ")
		var state string
		var parent, child int
		if ok {
			fmt.Sscan(after, &state, &parent)
			fmt.Sscanf(filepath.Base(filepath.Dir(name)), "%d", &child)
			children[parent] = append(children[parent], child)
		}
	}
	for list := []int{pid}; len(list) > 0; list = list[1:] {
		list = append(list, children[list[0]]...)
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", list[0]))
		for _, name := range tasks {
			text, _ := os.ReadFile(name)
			var ns int64
			fmt.Sscan(string(text), &ns)
			sum += ns
		}
	}
	return sum
}

// A variant is a server whose time is measured beside those of others.
type variant struct {
	name  string               // as in doc/export.md
	rules int                  // or 0 if the server refuses nothing
	only  string               // the only server that has the variant, or ""
	main  string               // the first directives of nginx
	edit  func(*export.Config) // nil if what is exported stays
}

// variants lists the bare server, twice, so that their difference shows the noise; the least that
// conditions and scripts of lighttpd cost; policies of more and more rules; and nginx with compiled
// expressions.
func variants() []variant {
	const script = `magnet.attract-raw-url-to = ( "/etc/lighttpd/robots-site.lua" )`
	list := []variant{
		{name: "bare", edit: bare},
		{name: "bare again", edit: bare},
		{name: "a condition that never holds", only: "lighttpd", edit: func(c *export.Config) {
			c.Includes[1].Lines = []string{`$REQUEST_HEADER["User-Agent"] == "x" {`, script, "}"}
		}},
		{name: "an empty script for all", only: "lighttpd", edit: func(c *export.Config) {
			c.Files[0].Data, c.Includes[1].Lines = []byte("return 0\n"), []string{script}
		}},
	}
	for _, rules := range []int{50, 5000, 30000} {
		name := map[int]string{50: "50", 5000: "5,000", 30000: "30,000"}[rules]
		list = append(list, variant{name: name, rules: rules}, variant{name: name + ", `pcre_jit`", rules: rules,
			only: "nginx", main: "pcre_jit on;"})
	}
	return list
}

func bare(c *export.Config) {
	for i := range c.Includes {
		c.Includes[i].Lines = nil
	}
}

// A measured server is one that runs, and its row of the table in doc/export.md.
type measured struct {
	webServer
	name   string
	policy *robots.Policy
	row    string
}

// startVariants starts the variants of a server.
func startVariants(b *testing.B, server string) (list []*measured) {
	b.Helper()
	for _, v := range variants() {
		slow := server == "varnish" && v.rules > 50 && !corpus.All() // its compiler of C takes long
		if slow || v.only != "" && v.only != server {
			continue
		}
		p := policyOf(v.rules)
		if v.rules == 0 {
			p = robots.Parse(nil)
		}
		config := write(b, server, p, export.Options{})
		if v.edit != nil {
			v.edit(config)
		}
		site := siteOf(config)
		site.Main = v.main
		list = append(list, &measured{startSites(b, server, site), v.name, p, ""})
	}
	return list
}

// measure asks the server and returns the nanoseconds that one of the requests takes. A wrong
// answer fails.
func (m *measured) measure(b *testing.B, requests []request) float64 {
	b.Helper()
	before := cpu(b, m.PID)
	statuses := m.ask(b, requests)
	took := float64(cpu(b, m.PID)-before) / float64(len(requests))
	want := 200
	if refused(m.policy, requests[0]) {
		want = 403
	}
	if i := slices.IndexFunc(statuses, func(status int) bool { return status != want }); i >= 0 {
		b.Fatalf("%s: %+v: %d, want %d", m.name, requests[i], statuses[i], want)
	}
	return took
}

// tableNames are the names of servers in doc/export.md.
var tableNames = map[string]string{"haproxy": "HAProxy", "varnish": "Varnish", "apache": "Apache httpd",
	"caddy": "Caddy", "nginx-lua": "nginx", "haproxy-lua": "HAProxy", "apache-lua": "Apache httpd"}

// BenchmarkServer measures the processor time of servers a request, and prints the rows of the
// tables in doc/export.md, which .ci/cost writes. The servers are asked in turn, in rounds of 200
// requests, and the medians of the rounds count. The time of the client does not count.
func BenchmarkServer(b *testing.B) {
	kinds := []struct {
		name string
		request
	}{
		{"person/open", request{"/shop/5/page?id=7", chrome, 0}},
		{"person/closed", request{"/private/page", chrome, 0}},
		{"app/closed", request{"/private/page", "SomeApp/3.1 (Linux; Phone 7) Engine/2.0", 0}},
		{"robot/open", request{"/shop/5/page?id=7", googlebot, 0}},
		{"robot/closed", request{"/private/page",
			"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", 0}},
		{"person/odd", request{"/shop/5/p%61ge?id=7", chrome, 0}},
		{"person/new", request{"/private/page",
			"Mozilla/5.0 (Linux; Android 13; SM-A%d) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36", 0}},
	}
	for _, server := range export.Servers() {
		b.Run(server, func(b *testing.B) {
			running := startVariants(b, server)
			for _, kind := range kinds {
				b.Run(kind.name, func(b *testing.B) {
					times := make([][]float64, len(running))
					for done := 0; done < b.N; done += 200 {
						requests := make([]request, min(200, b.N-done))
						for i := range requests {
							requests[i] = kind.request
							if kind.name == "person/new" {
								requests[i].userAgent = fmt.Sprintf(kind.userAgent, done+i)
							}
						}
						for i, m := range running {
							times[i] = append(times[i], m.measure(b, requests))
						}
					}
					b.ReportMetric(0, "ns/op") // of all servers and the client
					for i, list := range times {
						slices.Sort(list)
						median := list[len(list)/2]
						b.ReportMetric(median, strings.NewReplacer(" ", "-", "`", "", ",", "").Replace(running[i].name)+
							"-cpu-ns/op")
						if b.N > 1 { // go test runs each benchmark once before
							running[i].row += fmt.Sprintf(" | %.1f", median/1000)
						}
					}
				})
			}
			name := cmp.Or(tableNames[server], server) + ", "
			for _, m := range running {
				if m.row != "" {
					fmt.Printf("| %s%s%s |\n", name, m.name, m.row)
					name = ""
				}
			}
		})
	}
}

// BenchmarkUnmarked measures the processor time of servers a request, with hundreds of names of
// robots.txt that show no robot, for robots with these names. The time of the client does not count. With -benchtime 1782x each header is asked about twice.
func BenchmarkUnmarked(b *testing.B) {
	p, list := unmarkedPolicy(b)
	all := requestsOf(0, []string{"/", "/public/x"}, list)
	for _, server := range export.Servers() {
		b.Run(server, func(b *testing.B) {
			s := start(b, server, write(b, server, p, export.Options{}))
			var requests []request
			for i := range b.N {
				requests = append(requests, all[i%len(all)])
			}
			before := cpu(b, s.PID)
			s.ask(b, requests)
			b.ReportMetric(0, "ns/op") // of the server and the client
			b.ReportMetric(float64(cpu(b, s.PID)-before)/float64(b.N)/1000, "cpu-µs/op")
		})
	}
}

// BenchmarkWrite measures how long writing takes: of rules that are made, and of the file of the
// corpus with the most rules, which some servers cannot enforce. It prints the rows of the table in
// doc/export.md, in milliseconds, which .ci/cost writes.
func BenchmarkWrite(b *testing.B) {
	columns := []string{"50", "5000", "30000", "corpus"}
	policies := map[string]*robots.Policy{"50": policyOf(50), "5000": policyOf(5000), "30000": policyOf(30000)}
	for _, server := range []string{"nginx", "haproxy", "varnish", "apache", "caddy", "lua"} {
		row, measured := "", false
		for _, column := range columns {
			cell := " | –"
			b.Run(server+"/"+column, func(b *testing.B) {
				p := policies[column]
				if p == nil {
					p = robots.Parse(corpus.Sample(b, 300)[0].Data)
					policies[column] = p
				}
				for b.Loop() {
					_, err := export.Write(server, p, export.Options{})
					if _, ok := errors.AsType[*export.Refusal](err); ok && column == "corpus" {
						b.Skip(err) // its cell is a dash
					}
					if err != nil {
						b.Fatal(err)
					}
				}
				cell = fmt.Sprintf(" | %.0f", b.Elapsed().Seconds()*1000/float64(b.N))
				measured = measured || b.N > 1
			})
			row += cell
		}
		if measured { // go test -benchtime 1x measures nothing
			fmt.Printf("| %s%s |\n", cmp.Or(writtenNames[server], tableNames[server], server), row)
		}
	}
}

var writtenNames = map[string]string{"lua": "the Lua file"}
