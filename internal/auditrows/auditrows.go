// Package auditrows writes what an audit says of each request, for other programs: all requests as
// an Apache Parquet file with a row for each, and violations as JSON lines.
//
// The logs are read a second time, because an audit judges only after it has read all of them.
package auditrows

import (
	"errors"
	"fmt"
	"os"

	"github.com/robotsexclusion/robots/internal/printable"
)

// CheckLogs returns an error if a log cannot be read twice: standard input, a pipe or a device. A log
// that cannot be opened is left to the reader of logs, which reports it.
func CheckLogs(names []string) error {
	for _, name := range names {
		if name == "-" {
			return errors.New("standard input cannot be read twice, as single requests need it: name a file")
		}
		if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
			return fmt.Errorf("%s cannot be read twice, as single requests need it: it is not a regular file", printable.Shown(name))
		}
	}
	return nil
}
