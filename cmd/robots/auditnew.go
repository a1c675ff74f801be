package main

import (
	"context"
	"errors"
	"io"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditnew"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditrows"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/spf13/cobra"
)

// checkNew refuses flags that do not go with --new, and logs that cannot be read twice.
func (a *auditor) checkNew(cmd *cobra.Command, logs []string) error {
	if !a.listNew {
		return nil
	}
	for _, name := range []string{"partial", "follow", "csv", "html", "incident"} {
		if cmd.Flags().Changed(name) {
			return cli.Misusef("--%s does not go with --new, which prints entries and no report", name)
		}
	}
	if a.out.anonymize != "" {
		return cli.Misusef("--anonymize does not go with --new, whose entries never have addresses: they have networks")
	}
	if err := auditrows.CheckLogs(logs); err != nil {
		return cli.Misuse(err)
	}
	return nil
}

// printNew prints the robots that no table has.
func (a *auditor) printNew(ctx context.Context, cmd *cobra.Command, reader *accesslog.Reader, logs []accesslog.Log,
	part *audit.Part, o audit.Options, readError error) error {
	found, err := auditnew.Find(ctx, reader, logs, part, o)
	if errors.Is(err, context.Canceled) {
		return cli.ErrInterrupted
	}
	if err != nil {
		return err
	}
	err = cli.Output(cmd, "the entries", a.out.json, found, func(w io.Writer) {
		text := auditnew.Printer{W: w, Color: cli.Colored(cmd, cmd.OutOrStdout()), Language: a.out.language()}
		text.Report(found)
	})
	if err != nil {
		return err
	}
	if errs := unjoined(readError); len(errs) > 0 {
		return cli.ReportFailures(cmd, errs)
	}
	if len(found.Robots) == 0 {
		return cli.ErrNo
	}
	return nil
}
