package main

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// showHistory writes what the cache has of each origin, from the first time on.
// The answer is no if it has nothing of one.
func (f *fetcher) showHistory(ctx context.Context, cmd *cobra.Command, args []string) error {
	type history struct {
		Origin   string          `json:"origin"`
		Versions []fetch.Version `json:"versions"`
	}
	out := cmd.OutOrStdout()
	var all []history
	missing := false
	for _, arg := range args {
		origin, err := asOrigin(arg)
		if err != nil {
			return misuse{err}
		}
		versions, err := fetch.Dir(f.cache).History(ctx, origin)
		if err != nil {
			return fmt.Errorf("cannot read the history of %s in %s: %w", origin, f.cache, cause(err))
		}
		missing = missing || len(versions) == 0
		all = append(all, history{origin, append([]fetch.Version{}, versions...)})
	}
	if f.json {
		if _, err := out.Write(printable.JSON(append(appendJSON(nil, all), '\n'))); err != nil {
			return fmt.Errorf("cannot write the history: %w", cause(err))
		}
	}
	for _, h := range all {
		if f.json {
			break
		}
		text := h.Origin + "\n"
		for _, v := range h.Versions {
			text += "    " + v.String() + "\n"
		}
		if len(h.Versions) == 0 {
			text += "    nothing is kept of it in " + printable.Text(f.cache) + "\n"
		}
		if _, err := fmt.Fprint(out, text); err != nil {
			return fmt.Errorf("cannot write the history: %w", cause(err))
		}
	}
	if missing {
		return errNo
	}
	return nil
}
