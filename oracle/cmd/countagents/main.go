// Countagents counts the requests of each User-Agent in access logs with package accesslog, and
// prints the number of lines, requests and User-Agents:
//
//	countagents FILE...
//
// It does the work of the comparisons in oracle/accesslog, which other programs do too.
package main

import (
	"fmt"
	"os"

	"github.com/robotsexclusion/robots/audit/accesslog"
)

func main() {
	var reader accesslog.Reader
	scan := reader.Open(os.Args[1:]...)
	counts := map[string]*int{}
	failed := false
	for request, err := range scan.Requests() {
		if request == nil {
			fmt.Fprintln(os.Stderr, "countagents:", err)
			failed = true
			continue
		}
		n := counts[string(request.UserAgent)]
		if n == nil {
			n = new(int)
			counts[string(request.UserAgent)] = n
		}
		*n++
	}
	var lines, requests int64
	for _, log := range scan.Logs() {
		lines += log.Lines
		requests += log.Requests
	}
	fmt.Println(lines, requests, len(counts))
	if failed {
		os.Exit(1)
	}
}
