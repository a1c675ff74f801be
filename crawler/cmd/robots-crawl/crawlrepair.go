package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/crawltext"
	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newCrawlRepair returns the verb that repairs the folder of a crawl.
func newCrawlRepair() *cobra.Command {
	var r repairer
	cmd := &cobra.Command{
		Use:   "repair [flags]",
		Short: "find and mend damage in the folder of a crawl",
		Long: `Repair looks for files of a crawl that were removed, cut or altered, and mends what the
rest of the folder allows, so that the crawl goes on: the state of the crawl is made again
from its checkpoint and journal, or from the results and the archive; the results from the
journal, the archive and the state; the index of the archive and the index for robots
search from the archive. It fetches nothing, and says what is lost. What cannot be used any
more is moved to a folder damaged-TIME beside the rest.

Afterwards each page is done, or reported as lost. --again queues the pages whose answers
the archive has lost; without it they count as done. When the crawl resumes, it asks no
host for a minute, because a pause that a host asked for may be lost.

The folder has the options of the crawl in three places. If all three are lost, repair
asks for --user-agent, --scope and the other flags that the crawl was started with. Leave
these flags out otherwise.

--check reads all files, also those of the archive, and changes nothing. A crawl that
starts looks at the lengths of its files only, and reads the files of the archive that were
written to.

The exit status is 0 if all is well or was restored, 1 if something is lost or, with
--check, damaged, and 2 if the folder could not be repaired, such as while the crawl runs.`,
		Example: `  robots crawl repair --check
  robots crawl repair --dir DIR
  robots crawl repair --dir DIR --again`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return cli.RunInterruptible(cmd, args, r.run) },
	}
	flags := cmd.Flags()
	flags.StringVar(&r.dir, "dir", "crawl", "the `folder` of the crawl")
	flags.BoolVar(&r.options.Check, "check", false, "look for damage, and change nothing")
	flags.BoolVar(&r.options.Again, "again", false, "queue pages again whose answers the archive has lost")
	r.made.server.AddFlags(flags, "the `URL` of the NATS server with the journal, if it is not in the folder")
	flags.StringVar(&r.made.name, "name", "", "the `NAME` of the crawl on that server, if the folder has lost it")
	flags.BoolVar(&r.json, "json", false, "print a JSON object")
	r.made.addMadeFlags(flags)
	cli.Complete(cmd, "scope", []string{"host", "domain", "prefix", "list", "web"})
	return cmd
}

// A repairer has the flags of crawl repair, and runs the verb.
type repairer struct {
	dir     string
	made    walker // the options of the crawl, for a folder that has lost them
	json    bool
	options crawl.RepairOptions
}

func (r *repairer) run(ctx context.Context, cmd *cobra.Command, _ []string) error {
	if err := checkCrawlFolder(r.dir); err != nil {
		return err
	}
	if !isThere(r.dir) {
		return fmt.Errorf("there is no crawl in %s: name its folder with --dir", printable.Shown(r.dir))
	}
	if err := r.made.findServer(); err != nil {
		return err
	}
	r.made.warn(cmd)
	c := &crawl.Config{Dir: r.dir, NATS: r.made.nats, Name: r.made.name}
	if r.made.userAgent != "" {
		if err := r.made.checkMade(); err != nil {
			return err
		}
		r.made.dir = r.dir
		if c = r.made.made(); c.Results == userfile.Stdin {
			c.Results = ""
		}
	}
	told, err := crawl.New(*c).Repair(ctx, r.options)
	if err == nil {
		err = r.index(ctx, &told.Config, told)
	}
	writeErr := cli.Output(cmd, "what was done", r.json, told, func(w io.Writer) { crawltext.Repair(w, told, r.dir) })
	switch err = cmp.Or(err, writeErr); {
	case err != nil:
		return err
	case len(told.Lost) > 0, r.options.Check && len(told.Faults) > 0:
		return cli.ErrNo
	}
	return nil
}

// index checks the index for robots search, and makes a damaged index again from the archive.
func (r *repairer) index(ctx context.Context, c *crawl.Config, told *crawl.Repair) error {
	damage, made, err := feed.Repair(ctx, r.dir, feed.Options{Results: c.Results, Robot: tokensOf(c)}, r.options.Check)
	if damage != nil {
		told.Faults = append(told.Faults, crawl.Fault{File: "index", What: "cannot be read: " + damage.Error(),
			Err: damage})
		if !r.options.Check && err == nil {
			told.Restored = append(told.Restored, "index: made again, "+made.String())
		}
	}
	return err
}
