package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/corpus"
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

// BenchmarkServer measures the processor time of each server a request, without rules and with them.
// The time of the client does not count.
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
		for _, rules := range []int{0, 50, 5000, 30000} {
			if server == "varnish" && rules > 50 && !corpus.All() {
				continue // its compiler of C takes long
			}
			b.Run(fmt.Sprintf("%s/%d", server, rules), func(b *testing.B) {
				p := robots.Parse(nil)
				if rules > 0 {
					p = policyOf(rules)
				}
				config, err := export.Write(server, p, export.Options{Agents: export.All})
				if err != nil {
					b.Fatal(err)
				}
				if rules == 0 {
					for i := range config.Includes { // the bare server
						config.Includes[i].Lines = nil
					}
				}
				s := start(b, server, config)
				for _, kind := range kinds {
					b.Run(kind.name, func(b *testing.B) {
						requests := make([]request, b.N)
						for i := range requests {
							requests[i] = kind.request
							if kind.name == "person/new" {
								requests[i].userAgent += fmt.Sprint(" Edg/", i)
							}
						}
						before := cpu(b, s.PID)
						s.ask(b, requests)
						b.ReportMetric(float64(cpu(b, s.PID)-before)/float64(b.N), "cpu-ns/op")
					})
				}
			})
		}
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
