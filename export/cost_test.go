package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/corpus"
	"github.com/robotsexclusion/robots/internal/exportcheck"
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
	name  string
	write func(b *testing.B, server string) *export.Config // nil if the server has no such variant
	main  string                                           // the first directives of nginx
}

// variants lists the bare server, twice, so that their difference shows the noise; lighttpd with a script that does nothing; policies of
// more and more rules; and nginx with compiled expressions.
func variants() []variant {
	list := []variant{{name: "bare", write: bare}, {name: "again", write: bare}, {name: "empty", write: emptyScript}}
	for _, rules := range []int{50, 5000, 30000} {
		list = append(list, variant{name: fmt.Sprint(rules), write: func(b *testing.B, server string) *export.Config {
			if server == "varnish" && rules > 50 && !corpus.All() {
				return nil // its compiler of C takes long
			}
			return write(b, server, policyOf(rules), export.Options{})
		}})
		list = append(list, variant{name: fmt.Sprint(rules, "-pcre_jit"), main: "pcre_jit on;", write: func(b *testing.B, server string) *export.Config {
			if server != "nginx" {
				return nil
			}
			return write(b, server, policyOf(rules), export.Options{})
		}})
	}
	return list
}

func bare(b *testing.B, server string) *export.Config {
	config := write(b, server, robots.Parse(nil), export.Options{})
	for i := range config.Includes {
		config.Includes[i].Lines = nil
	}
	return config
}

func emptyScript(b *testing.B, server string) *export.Config {
	if server != "lighttpd" {
		return nil
	}
	config := write(b, server, robots.Parse(nil), export.Options{})
	config.Files[0].Data = []byte("return 0\n")
	return config
}

// BenchmarkServer measures the processor time of servers a request. The servers are asked in turn, in rounds of 200 requests, and the
// medians of the rounds count. The time of the client does not count.
func BenchmarkServer(b *testing.B) {
	kinds := []struct {
		name string
		request
	}{
		{"person/open", request{"/shop/5/page?id=7", chrome, 0}},
		{"person/closed", request{"/private/page", chrome, 0}},
		{"app/closed", request{"/private/page", "SomeApp/3.1 (Linux; Phone 7) Engine/2.0", 0}},
		{"robot/open", request{"/shop/5/page?id=7", googlebot, 0}},
		{"robot/closed", request{"/private/page", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", 0}},
		{"person/odd", request{"/shop/5/p%61ge?id=7", chrome, 0}},
		{"person/new", request{"/private/page", chrome, 0}}, // each with a header of its own
	}
	for _, server := range export.Servers() {
		b.Run(server, func(b *testing.B) {
			var names []string
			var running []webServer
			for _, v := range variants() {
				if config := v.write(b, server); config != nil {
					names, running = append(names, v.name), append(running, startSites(b, server, exportcheck.Site{Config: config, Main: v.main}))
				}
			}
			rows := make([]string, len(names)) // of the table in doc/export.md
			for _, kind := range kinds {
				b.Run(kind.name, func(b *testing.B) {
					times := make([][]float64, len(running))
					for done := 0; done < b.N; done += 200 {
						requests := make([]request, min(200, b.N-done))
						for i := range requests {
							requests[i] = kind.request
							if kind.name == "person/new" {
								requests[i].userAgent += fmt.Sprint(" Edg/", done+i)
							}
						}
						for i, s := range running {
							before := cpu(b, s.PID)
							s.ask(b, requests)
							times[i] = append(times[i], float64(cpu(b, s.PID)-before)/float64(len(requests)))
						}
					}
					b.ReportMetric(0, "ns/op") // of all servers and the client
					for i, list := range times {
						slices.Sort(list)
						median := list[len(list)/2]
						b.ReportMetric(median, names[i]+"-cpu-ns/op")
						if b.N > 1 { // go test runs each benchmark once before
							rows[i] += fmt.Sprintf(" | %.1f", median/1000)
						}
					}
				})
			}
			for i, row := range rows {
				if row != "" {
					fmt.Printf("| %s, %s%s |\n", server, names[i], row)
				}
			}
		})
	}
}

// BenchmarkWrite measures how long writing takes.
func BenchmarkWrite(b *testing.B) {
	for _, rules := range []int{50, 5000, 30000} {
		p := policyOf(rules)
		b.Run(fmt.Sprint("nginx/", rules), func(b *testing.B) {
			for b.Loop() {
				if _, err := export.Write("nginx", p, export.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
