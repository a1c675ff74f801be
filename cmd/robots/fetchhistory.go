package main

import (
	"context"
	"fmt"
	"io"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/inforce"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/say"
	"github.com/spf13/cobra"
)

// showHistory writes the history of each origin in the cache, oldest first. The answer is no
// if the cache has no history of an origin.
func (f *fetcher) showHistory(ctx context.Context, cmd *cobra.Command, args []string) error {
	type history struct {
		Origin   string          `json:"origin"`
		Versions []fetch.Version `json:"versions"`
	}
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
	err := output(cmd, "the history", f.json, all, func(w io.Writer) {
		for _, h := range all {
			fmt.Fprintln(w, h.Origin)
			for _, v := range h.Versions {
				fmt.Fprintf(w, "    %s\n", v)
			}
			if len(h.Versions) == 0 {
				fmt.Fprintf(w, "    nothing is kept of it in %s\n", printable.Text(f.cache))
			}
		}
	})
	if err == nil && missing {
		return errNo
	}
	return err
}

// showAt writes the version in force for each origin at the moment of --at, and saves it if
// --save is given. If the version of one origin is not known, showAt still writes the others.
func (f *fetcher) showAt(ctx context.Context, cmd *cobra.Command, args []string) error {
	var all []*inforce.Versions
	failed := false
	for _, arg := range args {
		origin, err := asOrigin(arg)
		if err != nil {
			return misuse{err}
		}
		of, err := inforce.During(ctx, f.cache, origin, f.at)
		if err == nil {
			if err = f.saveAt(ctx, origin); err != nil {
				of.Error = err.Error()
			}
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		failed = failed || err != nil
		all = append(all, of)
	}
	err := output(cmd, "the history", f.json, all, func(w io.Writer) {
		for _, of := range all {
			writeVersions(w, of)
		}
	})
	if err == nil && failed {
		return errFailed
	}
	return err
}

// writeVersions writes the versions in force at a moment, or why they are not known.
func writeVersions(w io.Writer, of *inforce.Versions) {
	fmt.Fprintln(w, of.Origin)
	for _, v := range of.Versions {
		fmt.Fprintf(w, "    %s", v)
		if !v.Until.IsZero() {
			fmt.Fprintf(w, ", until %s", inforce.Clock(v.Until))
		}
		fmt.Fprintln(w)
	}
	if !of.UnseenSince.IsZero() {
		fmt.Fprintf(w, "    %s\n", say.Unseen(language.English, of.UnseenSince))
	}
	if of.Error != "" {
		fmt.Fprintf(w, "    %s\n", printable.Text(of.Error))
	}
}

// saveAt saves the text that was in force for an origin, if there was one, in the folder of
// --save.
func (f *fetcher) saveAt(ctx context.Context, origin string) error {
	if f.save == "" {
		return nil
	}
	v, err := inforce.At(ctx, f.cache, origin, f.at)
	if err != nil || v.SHA256 == "" {
		return err
	}
	if err := f.makeSave(); err != nil {
		return err
	}
	return saveAs(f.save, origin, v.Policy.String())
}
