package main

import (
	"context"
	"io"

	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/cmd/internal/survey"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
)

// showHistory writes the history of each origin in the cache, oldest first. The answer is no
// if the cache has no history of an origin.
func (f *fetcher) showHistory(ctx context.Context, cmd *cobra.Command, args []string) error {
	var all []*inforce.History
	missing := false
	for _, arg := range args {
		origin, err := asOrigin(arg)
		if err != nil {
			return cli.Misuse(err)
		}
		history, err := inforce.ReadHistory(ctx, f.cache, origin)
		if err != nil {
			return err
		}
		missing = missing || len(history.Versions) == 0
		all = append(all, history)
	}
	err := cli.Output(cmd, "the history", f.json, all, func(w io.Writer) {
		for _, h := range all {
			say.History(w, h)
		}
	})
	if err == nil && missing {
		return cli.ErrNo
	}
	return err
}

// showAt writes the version in force for each origin at the moment of --at, and also to the folder
// of --save if that is given. If the version of one origin is not known, showAt still writes the
// others.
func (f *fetcher) showAt(ctx context.Context, cmd *cobra.Command, args []string) error {
	var all []*inforce.Versions
	failed := false
	for _, arg := range args {
		origin, err := asOrigin(arg)
		if err != nil {
			return cli.Misuse(err)
		}
		of, err := inforce.During(ctx, f.cache, origin, f.at)
		if err == nil {
			if err = f.saveAt(ctx, origin); err != nil {
				of.Error = err.Error()
			}
		}
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		failed = failed || err != nil
		all = append(all, of)
	}
	err := cli.Output(cmd, "the history", f.json, all, func(w io.Writer) {
		for _, of := range all {
			say.Versions(w, of)
		}
	})
	if err == nil && failed {
		return cli.ErrFailed
	}
	return err
}

// saveAt writes the text that was in force for an origin, if there was one, to the folder of
// --save.
func (f *fetcher) saveAt(ctx context.Context, origin string) error {
	if f.save == "" {
		return nil
	}
	v, err := inforce.At(ctx, f.cache, origin, f.at)
	if err != nil || v.SHA256 == "" {
		return err
	}
	folder := survey.Folder(f.save)
	if err := folder.Make(); err != nil {
		return err
	}
	return folder.Save(origin, v.Policy.String())
}
