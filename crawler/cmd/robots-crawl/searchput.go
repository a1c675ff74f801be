package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// putFiles puts files into the index, and reports the files that it left out.
func (s *searcher) putFiles(ctx context.Context, cmd *cobra.Command, names []string) error {
	out := cmd.OutOrStdout()
	files := &index.Files{Stdin: cmd.InOrStdin(), Left: func(name, why string) {
		fmt.Fprintf(out, "%s is left out: %s\n", printable.Text(name), printable.Text(why))
	}}
	if s.base != "" {
		base, err := url.Parse(s.base)
		if err != nil || base.Host == "" {
			return cli.Misusef("--base %q is not a URL: write it as https://example.com/", s.base)
		}
		files.Base = base
	} else if slices.Contains(names, userfile.Stdin) {
		return cli.Misusef("standard input has no URL: name it with --base")
	}
	var err error
	if files.Robot, err = s.robot(); err != nil {
		return err
	}
	if files.Index, err = index.Open(s.places()[0], index.Options{}); err != nil {
		return err
	}
	for _, name := range names {
		if err = files.Put(ctx, name); err != nil {
			break
		}
	}
	// The index keeps the files that were put, even if another file could not be read.
	err = cmp.Or(err, files.Index.Close())
	if files.Any() || err == nil {
		_, writeErr := fmt.Fprintln(out, files)
		err = cmp.Or(err, cli.Unwritten("the result", writeErr))
	}
	return err
}
