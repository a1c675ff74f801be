package monitor_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

func Example() {
	var text atomic.Value
	text.Store("User-agent: *\nDisallow: /admin/\n")
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, text.Load())
	}))
	defer site.Close()

	looker := &monitor.Looker{Transport: fetch.DialFilter{AllowPrivate: true}.Transport()}
	ctx := context.Background()
	before, err := looker.Look(ctx, monitor.Site{URL: site.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	text.Store("# the file of another server\nUser-agent: *\nDisallow: /\n")
	after, err := looker.Look(ctx, monitor.Site{URL: site.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, finding := range monitor.Compare(before, after) {
		fmt.Printf("%s: %s\n", finding.Severity, finding)
	}
	// Output:
	// critical: the whole site is closed to all robots: Disallow: /
}
