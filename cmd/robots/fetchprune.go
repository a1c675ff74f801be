package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// checkPrune refuses all flags but --json beside --prune.
func (f *fetcher) checkPrune(cmd *cobra.Command, args []string) error {
	var err error
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		switch flag.Name {
		case "prune", "cache", "json":
		default:
			err = cli.Misusef("--%s does not go with --prune", flag.Name)
		}
	})
	switch {
	case err != nil:
		return err
	case f.cache == "":
		return cli.Misusef("--prune removes the history that a folder has: name it with --cache")
	case len(args) > 0:
		return cli.Misusef("unexpected argument %q: --prune is about all origins of the folder", args[0])
	case f.pruneTo.First.After(time.Now()):
		return cli.Misusef("--prune %s is in the future: name a time of the past", f.pruneTo.Text)
	}
	return nil
}

// prune removes the history from before the time of --prune, and writes how much it removed.
func (f *fetcher) prune(ctx context.Context, cmd *cobra.Command) error {
	done, err := fetch.Dir(f.cache).Prune(ctx, f.pruneTo.First)
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	if err != nil {
		return fmt.Errorf("cannot prune the history in %s: %w", f.cache, cause(err))
	}
	return cli.Output(cmd, "what was removed", f.json, done, func(w io.Writer) {
		fmt.Fprintf(w, "removed %s and %s from before %s: %s\n",
			count(done.Versions, "version"), count(done.Texts, "text"), inforce.Clock(f.pruneTo.First),
			count(int(done.Bytes), "byte"))
	})
}
