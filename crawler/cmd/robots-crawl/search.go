package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// defaultIndex is the default folder of the index.
const defaultIndex = "robots-index"

// newSearch returns the verb that searches an index, and puts files into it.
func newSearch() *cobra.Command {
	var s searcher
	cmd := &cobra.Command{
		Use:   "search [flags] QUERY…",
		Short: cli.Short("search"),
		Long: `Search finds pages in an index: those that a crawl put there, also while it is
running, or files. Without --index and --dir, search uses ./robots-index, or
else the index of the crawl in ./crawl. All words of the query must match, best pages first: a word in
a title says more than one in the text, and words of the page's address and of links
to it count too. A word may have another form than
on the page: "robots" finds "robot", «роботы» finds «робота», "로봇을" finds "로봇이".

  "polite robots"       these words, one after the other
  -fish, -"some words"  pages without these
  site:example.com      pages of this host, and of those below it
  lang:es               pages in this language

A query that begins with "-" stands after "--". In a shell, a phrase needs quotes
around its own: '"polite robots" -fish'.

With --put, the arguments are files of HTML or, as *.txt, of text, and folders with
such files, which are indexed: again, if they were before. They go by file: URLs,
or by those that they have on the site that --base names. Pages that say noindex
are left out, and removed if they were there; what may not be shown (nosnippet,
data-nosnippet, max-snippet) is not.

--dir names the folder of a crawl, as it does for the crawl itself.

--dir and --index may be given several times, for the folders of the workers of one
crawl. --index takes URLs of 'robots crawl serve' too. All of them answer as one index
would: scores compare, and a page that two of them have is shown once, as it was fetched
last. If one of them cannot be searched, the answer names it, has the pages of the others,
and the exit status is 2.

With --update, the arguments are folders of crawls, or none for ./crawl. Search indexes
the pages that each crawl has fetched since the last update, or all pages if the crawl
kept no index. A crawl with an index does so itself while it runs.

With --update --to, the pages go to OpenSearch in place of the index. --to URL sends the
pages since the last update to the index of that URL, and creates the index if there is
none; the password of a user in the URL is in OPENSEARCH_PASSWORD. --to opensearch writes
all pages in the bulk form (NDJSON): to standard output, or with --out to a folder, in
files of 5 MB at most with the mapping beside them.

The exit status is 0 if something was found, or put, 1 if nothing was found, and
2 if the question could not be asked.`,
		Example: `  robots search polite robots
  robots search --dir DIR 'polite robots'
  robots search --index DIR '"polite robots" -fish site:example.com'
  robots search --json --limit 100 lang:es rastreadores
  robots search --dir worker1 --dir worker2 polite robots
  robots search --index http://n1:8030 --index http://n2:8030 polite robots
  robots search --put --base https://example.com/ htdocs
  robots search --update crawl
  robots search --update --to http://localhost:9200/pages crawl`,
		Args: func(_ *cobra.Command, args []string) error { return s.checkArgs(args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.checkFlags(cmd); err != nil {
				return err
			}
			return cli.RunInterruptible(cmd, args, s.run)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&s.crawls, "dir", nil,
		"the `folder` of the crawl whose index is searched or updated (default crawl); may be given several times")
	flags.StringArrayVar(&s.indexes, "index", nil, "the `folder` of the index, or of a crawl with one, or the URL of "+
		"robots crawl serve (default robots-index, or crawl); may be given several times")
	flags.StringVar(&s.language, "lang", "", "only pages in this `language`, such as es")
	flags.StringVar(&s.site, "site", "", "only pages of this `host`, and of those below it")
	flags.IntVar(&s.limit, "limit", 10, "show `N` pages at most, 1,000 or fewer")
	flags.IntVar(&s.from, "from", 0, "pass over the first `N` pages")
	flags.BoolVar(&s.why, "why", false, "show where the words stand on each page")
	flags.BoolVar(&s.json, "json", false, "print a JSON object")
	flags.BoolVar(&s.put, "put", false, "index files")
	flags.BoolVar(&s.updating, "update", false, "index the pages that crawls have fetched")
	flags.StringVar(&s.to, "to", "", "with --update, send the pages to the OpenSearch index of this `URL`, or "+
		"write its bulk form: opensearch")
	flags.StringVarP(&s.out, "out", "o", "", "with --to opensearch, write the files to this `FOLDER`")
	flags.StringVar(&s.base, "base", "", "with --put, the `URL` that a folder or file has on its site")
	flags.StringVar(&s.agent, "agent", "",
		"with --put or --update, the product `token` of the robot whose directives count (default any, or the one that crawled)")
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		unknown := (*pflag.NotExistError)(nil)
		letter := errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != ""
		err = cmd.Root().FlagErrorFunc()(cmd, err)
		if letter {
			return cli.Misusef("%w: to search without a word, write the query in quotes or after --", err)
		}
		return err
	})
	cli.Complete(cmd, "to", []string{bulkForm})
	cli.Complete(cmd, "lang", []string{"en", "es", "ko", "ru"})
	return cmd
}

// A searcher has the flags of search, and runs the verb.
type searcher struct {
	crawls   []string // folders of crawls
	indexes  []string // folders of indexes or crawls, and URLs
	language string
	site     string
	limit    int
	from     int
	why      bool
	json     bool
	put      bool
	updating bool
	to       string
	out      string
	base     string
	agent    string
}

func (s *searcher) checkArgs(args []string) error {
	switch {
	case s.put && s.updating:
		return cli.Misusef("--put and --update are given: name one of them")
	case len(args) == 0 && s.put:
		return cli.Misusef("no file is given: name files, folders, or - for standard input")
	case len(args) == 0 && s.site == "" && !s.updating:
		return cli.Misusef("no query is given: name words to look for")
	}
	return nil
}

func (s *searcher) checkFlags(cmd *cobra.Command) error {
	asking := []string{"lang", "site", "limit", "from", "why", "json"}
	for _, mode := range []struct {
		is    bool
		wrong []string
		why   string
	}{
		{s.put, asking, "it does not go with --put"},
		{s.updating, append(asking, "index", "base"), "it does not go with --update"},
		{!s.put && !s.updating, []string{"agent"}, "it goes with --put or --update"},
		{!s.put, []string{"base"}, "it goes with --put"},
		{s.put, []string{"dir"}, "it names a crawl, and does not go with --put: name the index with --index"},
		{len(s.crawls) > 0, []string{"index"}, "it does not go with --dir: name one of them"},
	} {
		for _, name := range mode.wrong {
			if mode.is && cmd.Flags().Changed(name) {
				return cli.Misusef("--%s is given: %s", name, mode.why)
			}
		}
	}
	if err := s.checkTo(); err != nil {
		return err
	}
	if s.put && (len(s.indexes) > 1 || len(s.indexes) == 1 && isURL(s.indexes[0])) {
		return cli.Misusef("--put writes to one index: name one folder with --index")
	}
	if s.limit < 1 || s.limit > index.MaxHits {
		return cli.Misusef("--limit is %d: name a number from 1 to %d; --from %[2]d shows the pages after these",
			s.limit, index.MaxHits)
	}
	if s.from < 0 || s.from > index.MaxPassed {
		return cli.Misusef("--from is %d: name a number from 0 to %d, or add words to find what is beyond", s.from,
			index.MaxPassed)
	}
	return nil
}

func (s *searcher) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	for _, dir := range s.crawls {
		if err := checkCrawlFolder(dir); err != nil {
			return err
		}
	}
	switch {
	case s.put:
		return s.putFiles(ctx, cmd, args)
	case s.updating:
		return s.update(ctx, cmd, args)
	}
	parts, err := s.parts()
	defer closeParts(parts)
	if err != nil {
		return err
	}
	r, err := index.Together(ctx, parts, index.Query{Text: strings.Join(args, " "), Language: s.language, Site: s.site,
		From: s.from, Size: s.limit})
	if errors.As(err, new(*index.QueryError)) {
		return cli.Misuse(err)
	}
	if err != nil {
		return err
	}
	object, err := json.Marshal(r) // with the "&" of URLs escaped
	if err != nil {
		return err
	}
	err = cli.Output(cmd, "what was found", s.json, json.RawMessage(object),
		func(w io.Writer) { r.Write(w, s.why, cli.Colored(cmd, cmd.OutOrStdout())) })
	switch n := len(r.Missing); {
	case err != nil:
		return err
	case n > 0:
		return fmt.Errorf("%d of the %d indexes could not be searched: the answer lacks their pages", n, len(parts))
	case r.Total == 0:
		return cli.ErrNo
	}
	return nil
}
