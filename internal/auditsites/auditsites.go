// Package auditsites reads the versions of robots.txt for an audit of access logs, from the values
// of options: a file, the history of a git repository, or the history of [fetch.Dir].
package auditsites

import (
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Values are the values of options, as given. HOST is a host without a port; versions count for all
// ports and schemes of their host. A name that contains "=" needs a slash before it, as in ./a=b.
type Values struct {
	Robots  []string // [HOST=]FILE: one text for all times; "-" is standard input
	Git     []string // [HOST=]REPO:PATH: the commits of HEAD on the first-parent line
	History []string // [HOST=]DIR, or ORIGIN=DIR: the history of all origins of a host, or of one

	// Site is the host, or the origin, of values that do not name one. If it is empty, a DIR gives the
	// versions of all its hosts, and a text those of requests whose lines name no host.
	Site string

	DeployedAfter time.Duration // from the time of a commit until it was served
}

// Sources are parsed values. They are immutable.
type Sources struct {
	values        []value
	host          string // of Values.Site
	deployedAfter time.Duration
}

// twice returns the error for two sources of one host.
func twice(host string, first, second value) error {
	if host == "" {
		return fmt.Errorf("%s and %s both name no host: write HOST= before the value, as in example.com=%s", first, second, printable.Text(second.text))
	}
	return fmt.Errorf("%s and %s both give versions for host %s: leave one out", first, second, host)
}
