package main

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/robotsexclusion/robots/crawler/crawl"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A crawlLog has the flags for the file and the level of a crawl's log.
type crawlLog struct {
	name  string
	level string
}

var logLevels = []string{"debug", "info", "warn", "error"}

func (l *crawlLog) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&l.name, "log", "", "append what happens to `file`, as lines of JSON; - is standard error")
	flags.StringVar(&l.level, "log-level", "info",
		"log what is of this `level` at least: debug (each URL too), info, warn or error")
}

func (l *crawlLog) check() error {
	var level slog.Level
	if level.UnmarshalText([]byte(l.level)) != nil {
		return fmt.Errorf("unknown level %q: the levels are %s", l.level, strings.Join(logLevels, ", "))
	}
	return nil
}

// open opens the log of a crawl as the flags say.
func (l *crawlLog) open(cmd *cobra.Command, c *crawl.Config) (closeLog func(), err error) {
	closeLog = func() {}
	if l.name == "" {
		return closeLog, nil
	}
	out := cmd.ErrOrStderr()
	if l.name != userfile.Stdin {
		f, err := os.OpenFile(l.name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			return nil, fmt.Errorf("cannot log to %s: %w", l.name, userfile.Cause(err))
		}
		out, closeLog = f, func() { f.Close() }
	}
	var level slog.Level
	level.UnmarshalText([]byte(l.level))
	c.Log = slog.New(slog.NewJSONHandler(printable.Lines{To: out}, &slog.HandlerOptions{Level: level}))
	return closeLog, nil
}
