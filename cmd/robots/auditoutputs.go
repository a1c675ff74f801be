package main

import (
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// An auditOutput is a file that an audit writes, or "", and the flag that names the file.
type auditOutput struct{ flag, name string }

// An auditInput is a kind of files that an audit reads.
type auditInput struct {
	kind  string // such as "a log"
	files []string
}

// checkOutputs refuses outputs that would overwrite a file which the audit reads, or each other,
// under any of the names of the file. Devices such as /dev/null are not overwritten.
func checkOutputs(outputs []auditOutput, inputs ...auditInput) error {
	for i, o := range outputs {
		if o.name == "" {
			continue
		}
		for _, other := range outputs[:i] {
			if other.name != "" && (filepath.Clean(o.name) == filepath.Clean(other.name) ||
				overwrites(o.name, []string{other.name})) {
				return cli.Misusef("--%s and --%s name the same file", other.flag, o.flag)
			}
		}
		for _, in := range inputs {
			if overwrites(o.name, in.files) {
				return cli.Misusef("%s is %s: name another file for --%s", called(o.name), in.kind, o.flag)
			}
		}
	}
	return nil
}

// overwrites reports whether a write to a file changes one of others.
func overwrites(name string, others []string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && userfile.IsOneOf(name, others)
}
