package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/crawler/internal/opensearch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/spf13/cobra"
)

// bulkForm is the value of --to for the bulk form of OpenSearch on standard output, or in files.
const bulkForm = "opensearch"

// checkTo checks --to and --out.
func (s *searcher) checkTo() error {
	switch {
	case s.to == "" && s.out == "":
		return nil
	case !s.updating:
		return cli.Misusef("--to and --out go with --update")
	case s.to == "", s.out != "" && s.to != bulkForm:
		return cli.Misusef("--out goes with --to opensearch")
	case s.to != bulkForm && !isURL(s.to):
		return cli.Misusef("--to is %q: name opensearch, or the URL of an index, as http://localhost:9200/pages", s.to)
	}
	return nil
}

// export sends the results of crawls to OpenSearch, or writes them in its form.
func (s *searcher) export(ctx context.Context, cmd *cobra.Command, dirs []string, o feed.Options) error {
	report := cmd.OutOrStdout()
	var bulk *opensearch.Bulk
	var server *opensearch.Server
	var err error
	switch {
	case s.out != "":
		bulk, err = opensearch.Folder(s.out)
	case s.to == bulkForm:
		bulk, report = opensearch.Stream(unwritten{report}), cmd.ErrOrStderr()
	default:
		if server, err = opensearch.NewServer(s.to, o.Log); err != nil {
			return cli.Misusef("--to: %w", err)
		}
		bulk = server.Bulk(ctx)
		o.Afresh, err = server.Create(ctx)
	}
	if err != nil {
		return err
	}
	o.Target = bulk
	for _, dir := range dirs {
		if server != nil {
			o.Index = filepath.Join(dir, "opensearch", opensearch.ID(server.String()))
		}
		if err := updateCrawl(ctx, report, dir, o); err != nil {
			return err
		}
	}
	if bulk.Older > 0 {
		fmt.Fprintf(report, "%s older than what the server has\n", language.Count(bulk.Older, "change"))
	}
	if bulk.Refused > 0 {
		return fmt.Errorf(
			"the server refused %s for good: the log has the reasons",
			language.Count(bulk.Refused, "page"),
		)
	}
	return nil
}

// unwritten is standard output, whose errors say what could not be written.
type unwritten struct{ io.Writer }

func (w unwritten) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	return n, cli.Unwritten("the pages", err)
}
