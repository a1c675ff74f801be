package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/crawler/internal/feed"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// defaultCrawl is the default folder of a crawl.
const defaultCrawl = "crawl"

// isThere reports whether a file or folder exists.
func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// update indexes the results of crawls since the last update.
func (s *searcher) update(ctx context.Context, cmd *cobra.Command, dirs []string) error {
	dirs = append(dirs, s.crawls...)
	if len(dirs) == 0 {
		dirs = []string{defaultCrawl}
	}
	robot, err := s.robot()
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if !feed.HasResults(dir) && (s.to != "" || !feed.IsCrawl(dir)) {
			return fmt.Errorf("%s is not the folder of a crawl: it has no results.jsonl", userfile.Called(dir))
		}
	}
	log := slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	if s.to != "" {
		return s.export(ctx, cmd, dirs, feed.Options{Robot: robot, Log: log})
	}
	for _, dir := range dirs {
		if err := updateCrawl(ctx, cmd.OutOrStdout(), dir, feed.Options{Robot: robot, Log: log}); err != nil {
			return err
		}
	}
	return nil
}

func updateCrawl(ctx context.Context, out io.Writer, dir string, o feed.Options) error {
	status, err := feed.Index(ctx, dir, o)
	if status.Lines > 0 || err == nil { // the index keeps what was indexed before an error
		_, writeErr := fmt.Fprintln(out, status)
		err = cmp.Or(err, cli.Unwritten("the result", writeErr))
	}
	return err
}

// withoutTime removes the time from a log record that a user on a terminal reads.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

// robot returns the names of the robot whose directives count.
func (s *searcher) robot() ([]string, error) {
	if s.agent == "" {
		return nil, nil
	}
	named, err := (*agent.Table)(nil).Resolve(s.agent)
	unknown := (*agent.UnknownError)(nil)
	switch {
	case errors.As(err, &unknown) && unknown.Meant != "":
		return nil, cli.Misusef("--agent: %w", err)
	case len(named) == 0:
		return nil, cli.Misusef("--agent %q names no robot: give a product token such as ExampleBot", s.agent)
	case len(named) > 1:
		return nil, cli.Misusef("--agent %q stands for %d robots: name one, such as %s", s.agent, len(named),
			named[0].Tokens[0])
	}
	return named[0].PageNames(), nil
}
