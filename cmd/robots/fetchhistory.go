package main

import (
	"context"
	"fmt"
	"time"

	"github.com/robotsexclusion/robots/fetch"
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
		if _, err := out.Write(printable.JSON(append(printable.AppendJSON(nil, all), '\n'))); err != nil {
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

// showAt writes the version in force for each origin at the moment of --at, and saves it if
// --save is given. If the version of one origin is not known, showAt still writes the others.
func (f *fetcher) showAt(ctx context.Context, cmd *cobra.Command, args []string) error {
	type inForce struct {
		Origin      string          `json:"origin"`
		At          string          `json:"at"`
		Versions    []fetch.Version `json:"versions"`
		UnseenSince time.Time       `json:"unseen_since,omitzero"`
		Error       string          `json:"error,omitempty"`
	}
	var all []inForce
	failed := false
	for _, arg := range args {
		origin, err := asOrigin(arg)
		if err != nil {
			return misuse{err}
		}
		of := inForce{Origin: origin, At: f.at.text, Versions: []fetch.Version{}}
		versions, unseen, err := readVersions(ctx, f.cache, origin, f.at)
		if err == nil {
			of.Versions, of.UnseenSince = versions, unseen
			err = f.saveAt(ctx, origin)
		}
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			failed, of.Error = true, err.Error()
		}
		all = append(all, of)
	}
	var text []byte
	if f.json {
		text = printable.JSON(append(printable.AppendJSON(nil, all), '\n'))
	}
	for _, of := range all {
		if f.json {
			break
		}
		text = append(text, of.Origin+"\n"...)
		for _, v := range of.Versions {
			text = append(text, "    "+v.String()...)
			if !v.Until.IsZero() {
				text = append(text, ", until "+say.Moment(v.Until)...)
			}
			text = append(text, '\n')
		}
		if !of.UnseenSince.IsZero() {
			text = append(text, "    "+say.Unseen(language.English, of.UnseenSince)+"\n"...)
		}
		if of.Error != "" {
			text = append(text, "    "+printable.Text(of.Error)+"\n"...)
		}
	}
	if _, err := cmd.OutOrStdout().Write(text); err != nil {
		return fmt.Errorf("cannot write the history: %w", cause(err))
	}
	if failed {
		return errFailed
	}
	return nil
}

// saveAt saves the text that was in force for an origin, if there was one, in the folder of
// --save.
func (f *fetcher) saveAt(ctx context.Context, origin string) error {
	if f.save == "" {
		return nil
	}
	p, err := readPast(ctx, f.cache, origin, f.at)
	if err != nil || p.SHA256 == "" {
		return err
	}
	if err := f.makeSave(); err != nil {
		return err
	}
	return saveAs(f.save, origin, p.policy.String())
}
