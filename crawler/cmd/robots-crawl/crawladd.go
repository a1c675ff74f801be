package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/crawler/control"
	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/crawler/internal/crawltext"
	crawlresult "github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// newCrawlAdd returns the verb that adds URLs to a crawl.
func newCrawlAdd() *cobra.Command {
	var a adder
	cmd := &cobra.Command{
		Use:   "add [flags] URL…",
		Short: "add URLs to a crawl that runs",
		Long: `Add submits URLs to the crawl that runs in a folder, as if it had been started with
them: its scope reaches out from them too. When the command returns, they are not
lost, whatever happens to the crawl.

A URL that the crawl knows already is not visited again. Add reports and leaves out what
is not a URL, and what the --exclude of the crawl excludes.

The exit status is 0 if all are taken or known, 1 if some are not taken, and 2 if no
crawl runs in the folder, or it could not be asked. To submit URLs again does no harm.`,
		Example: `  robots crawl add https://example.org/
  robots crawl add --dir DIR --from urls.txt
  grep -o 'https://[^ ]*' notes | robots crawl add --from -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args)+len(a.from) == 0 {
				return cli.Misusef("no URL is given: name some, or a file with --from")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cli.RunInterruptible(cmd, args, a.run) },
	}
	flags := cmd.Flags()
	flags.StringVar(&a.dir, "dir", "crawl", "the `folder` of the crawl")
	flags.StringArrayVar(&a.from, "from", nil,
		"add the URLs in `file`: a list, a text, a page or a mailbox; - is standard input; repeat it for more")
	flags.BoolVar(&a.json, "json", false, "print a JSON object")
	return cmd
}

// An adder has the flags of crawl add, and runs the verb.
type adder struct {
	dir  string
	from []string
	json bool
}

func (a *adder) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	if err := checkCrawlFolder(a.dir); err != nil {
		return err
	}
	urls, err := readURLs(cmd, args, a.from)
	if err != nil {
		return err
	}
	told, submitErr := control.Submit(ctx, a.dir, urls...)
	switch {
	case len(told) == 0 && errors.Is(submitErr, crawl.ErrNotRunning):
		return fmt.Errorf("no crawl runs in %s: start it with these URLs: robots crawl --dir %[1]s --user-agent TEXT URL…", printable.Shown(a.dir))
	case len(told) == 0 && submitErr != nil:
		return submitErr
	}
	err = cli.Output(cmd, "what was added", a.json, map[string]any{"urls": told},
		func(w io.Writer) { crawltext.Submissions(w, told) })
	if err != nil {
		return err
	}
	if submitErr != nil {
		return fmt.Errorf("of %s, only the first %d were submitted: %w", language.Count(len(urls), "URL"), len(told),
			submitErr)
	}
	for _, s := range told {
		if s.Reason != crawlresult.None {
			return cli.ErrNo
		}
	}
	return nil
}
