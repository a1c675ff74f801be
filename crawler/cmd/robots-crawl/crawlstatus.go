package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/crawler/control"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/crawltext"
	"github.com/robotsexclusion/robots/crawler/internal/fleet"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/nats/natsflag"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// newCrawlStatus returns the verb that shows the status of a crawl.
func newCrawlStatus() *cobra.Command {
	var s statusAsker
	cmd := &cobra.Command{
		Use:   "status [flags] [HOST…]",
		Short: "show the progress of a crawl, and why hosts wait",
		Long: `Status shows the progress of the crawl in a folder, whether it runs or not: which URLs
are done and which are queued, and why others were not visited. It lists the hosts that
have URLs left, those that are next first, and what each host waits for.

For a HOST, which is a name or an origin, status shows all that the crawl knows about
it, with the robots.txt in force and the next URLs of its queue. A name without a port
stands for all ports.

A crawl that does not run is read from its folder. If it was killed, what it did in its
last second may not be shown; it is not lost.

With --nats and --name, status shows a crawl that several workers share, from any machine.
The figures are those that the workers last reported to the servers, also if they no
longer run; status says which ones are old.

The exit status is 0, or 1 if the crawl knows nothing about a HOST, and 2 if there is no
crawl, or it could not be asked.`,
		Example: `  robots crawl status
  robots crawl status --dir DIR --json example.com
  robots crawl status --limit 100 https://example.com
  robots crawl status --nats nats://n1:4222 --name example`,
		Args: func(_ *cobra.Command, args []string) error { return s.checkArgs(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return cli.RunInterruptible(cmd, args, s.run) },
	}
	flags := cmd.Flags()
	flags.StringVar(&s.dir, "dir", "crawl", "the `folder` of the crawl")
	flags.IntVar(&s.limit, "limit", 20,
		"list `N` hosts at most, 10,000 or fewer; or with HOST so many URLs, 1,000 or fewer")
	flags.BoolVar(&s.json, "json", false, "print a JSON object")
	s.server.AddFlags(flags, "ask the NATS server at this `URL` for all workers of a crawl that they share")
	flags.StringVar(&s.name, "name", "", "with --nats: the `NAME` of the crawl on the server")
	return cmd
}

// A statusAsker has the flags of crawl status, and runs the verb.
type statusAsker struct {
	dir   string
	limit int
	json  bool

	server natsflag.Flags
	name   string
}

const (
	maxStatusHosts = 10_000 // the limit of crawl.Crawl.Status
	maxStatusURLs  = 1000   // that of crawl.Crawl.HostStatus
)

func (s *statusAsker) checkArgs(args []string) error {
	most := maxStatusHosts
	for _, host := range args {
		if strings.ContainsAny(host, `/\`) && !strings.Contains(host, "://") {
			return cli.Misusef("%s is not a host: name the folder of a crawl with --dir", printable.Shown(host))
		}
	}
	if len(args) > 0 {
		most = maxStatusURLs
	}
	if s.limit < 1 || s.limit > most {
		return cli.Misusef("--limit is %d: name a number from 1 to %d", s.limit, most)
	}
	return nil
}

// fleet asks the servers for the workers of a crawl.
func (s *statusAsker) fleet(ctx context.Context, cmd *cobra.Command, address string) error {
	for _, notice := range nats.Exposed(address) {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", printable.Shown(notice))
	}
	v, err := fleet.Look(ctx, address, s.name)
	if err != nil {
		return err
	}
	return cli.Output(cmd, "how the crawl goes", s.json, v, func(w io.Writer) { crawltext.Fleet(w, v) })
}

func (s *statusAsker) run(ctx context.Context, cmd *cobra.Command, hosts []string) error {
	switch address, err := s.server.Address(); {
	case err != nil:
		return err
	case address != "" && cmd.Flags().Changed("dir"):
		return cli.Misusef("--dir asks in a folder, and --nats on the servers: leave one of the two out")
	case address != "" && len(hosts) > 0:
		return cli.Misusef("the servers know no hosts: leave --nats out, and ask in the folder of a worker")
	case address != "":
		return s.fleet(ctx, cmd, address)
	case s.name != "":
		return cli.Misusef("--name is for a crawl on a server: name the server with --nats")
	}
	if err := checkCrawlFolder(s.dir); err != nil {
		return err
	}
	told, err := control.Ask(ctx, s.dir, s.limit, hosts...)
	switch {
	case errors.Is(err, crawl.ErrNoCrawl):
		return fmt.Errorf("there is no crawl in %s: name its folder with --dir", printable.Shown(s.dir))
	case errors.Is(err, crawl.ErrInUse):
		return fmt.Errorf("the crawl in %s runs, but does not answer: it is starting or ending, or could not make its socket: ask again", printable.Shown(s.dir))
	case err != nil:
		return err
	}
	err = cli.Output(cmd, "how the crawl goes", s.json, told, func(w io.Writer) {
		if len(hosts) > 0 {
			crawltext.Hosts(w, told.Status, told.Unknown)
		} else {
			crawltext.Status(w, told.Status, s.dir)
		}
	})
	if err == nil && len(told.Unknown) > 0 {
		return cli.ErrNo
	}
	return err
}
