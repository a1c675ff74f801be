// Traffic lists the robots of the table by how many requests of access logs are theirs:
//
//	traffic [FILE...]
//
// Each line has the place, the requests, the share of all requests of robots and programs that the
// robots down to this line make, and the token. A robot that is in no table has a question mark.
// With the names of the 150 robots of the report that agent/data/robots.json has sources for, this
// shows which robots the facts must be known of.
package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit/accesslog"
)

func main() {
	var reader accesslog.Reader
	counts := make(map[string]int)
	all := 0
	for request, err := range reader.Open(os.Args[1:]...).Requests() {
		if request == nil {
			fmt.Fprintln(os.Stderr, "traffic:", err)
			continue
		}
		a := agent.Lookup(string(request.UserAgent))
		if a.Kind != agent.Robot && !a.Known() {
			continue
		}
		name := a.Token
		if !a.Known() {
			name += " ?"
		}
		counts[name]++
		all++
	}
	sum := 0
	byCount := func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) }
	for i, name := range slices.SortedFunc(maps.Keys(counts), byCount) {
		sum += counts[name]
		fmt.Printf("%d\t%d\t%.2f %%\t%s\n", i+1, counts[name], 100*float64(sum)/float64(all), name)
	}
}
