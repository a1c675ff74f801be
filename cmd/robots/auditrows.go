package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditrows"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// auditRows has the flags for what an audit writes of single requests.
type auditRows struct {
	rows       string
	violations string
}

func (f *auditRows) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.rows, "rows", "",
		"read the logs again and write each request to `file`, as JSON lines, compressed if the name ends in .gz")
	flags.StringVar(&f.violations, "violations", "",
		"read the logs again and write each disallowed request with its line to `file`, as JSON lines")
}

// check refuses logs that cannot be read twice.
func (f *auditRows) check(partial string, logs []string) error {
	if f.rows == "" && f.violations == "" {
		return nil
	}
	if partial != "" {
		return cli.Misusef("--rows and --violations do not go with --partial: single requests are judged by all logs")
	}
	for _, name := range []string{f.rows, f.violations} {
		if name == stdin {
			return cli.Misusef("--rows and --violations write files: name one instead of -")
		}
	}
	if strings.HasSuffix(f.rows, ".parquet") {
		return cli.Misusef(`--rows writes JSON lines: name a file such as requests.jsonl, and DuckDB makes Parquet of it: ` + toParquet)
	}
	if err := auditrows.CheckLogs(logs); err != nil {
		return cli.Misuse(err)
	}
	return nil
}

// toParquet is the command that doc/audit.md has for users of Apache Parquet.
const toParquet = `duckdb -c "COPY (FROM read_json('requests.jsonl', sample_size = -1)) TO 'requests.parquet'"`

// write reads the logs again and writes the files, which only the user may read, because they have
// addresses.
func (f *auditRows) write(ctx context.Context, reader *accesslog.Reader, logs []accesslog.Log, part *audit.Part,
	hider *auditreport.Hider) error {
	if f.rows == "" && f.violations == "" {
		return nil
	}
	var o auditrows.Options
	if hider != nil {
		o.Hide = hider
	}
	err := putFile(f.rows, func(rows io.Writer) error {
		return putFile(f.violations, func(violations io.Writer) error {
			o.Rows, o.Violations = rows, violations
			if !strings.HasSuffix(f.rows, ".gz") {
				return auditrows.Write(ctx, reader, logs, part.Judge(), o)
			}
			z, err := gzip.NewWriterLevel(rows, gzip.BestSpeed)
			if err != nil {
				return err
			}
			o.Rows = z
			return errors.Join(auditrows.Write(ctx, reader, logs, part.Judge(), o), z.Close())
		})
	})
	if errors.Is(err, context.Canceled) {
		return cli.ErrInterrupted
	}
	return err
}

// putFile writes a file that only the user may read, completely or not at all. Without a name, the
// function gets nil.
func putFile(name string, write func(io.Writer) error) error {
	if name == "" {
		return write(nil)
	}
	var inner error
	err := userfile.Write(name, 0o600, true, func(w io.Writer) error {
		inner = write(w)
		return inner
	})
	if err != nil && inner == nil {
		return fmt.Errorf("cannot write %s: %w", called(name), cause(err))
	}
	return err
}
