package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/klauspost/compress/gzip"
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

// beginnings match the first bytes of the outputs of each flag.
var beginnings = map[string]*regexp.Regexp{
	"html":       regexp.MustCompile(`^(?i:<!doctype html)`),
	"partial":    regexp.MustCompile(`^\{"audit":\{"form":`),
	"rows":       regexp.MustCompile(`^` + beginningOfLine + `"host":`),
	"violations": regexp.MustCompile(`^` + beginningOfLine + `(?:"anonymized":true,)?"client":`),
}

// beginningOfLine matches what the lines of rows and of violations have in common. Logs of Docker
// begin with a member "log" too.
const beginningOfLine = `\{"log":"(?:[^"\\]|\\.)*","line":[0-9]+,"time":"[^"]*",`

// checkOutputs refuses outputs that would overwrite a file which the audit reads, or each other,
// under any of the names of the file, and any other file except an earlier output of the same flag.
// Devices such as /dev/null are not overwritten.
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
		if err := checkReplaced(o); err != nil {
			return err
		}
	}
	return nil
}

// checkReplaced refuses an output that would replace a file with something else in it: a pattern of
// the shell after a flag, such as --html *.log, makes the first log the file of the flag.
func checkReplaced(o auditOutput) error {
	info, err := os.Stat(o.name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	beginning, err := beginningOf(o.name)
	if err != nil {
		return fmt.Errorf("cannot read %s, which --%s would replace: %w", called(o.name), o.flag, cause(err))
	}
	if len(beginning) > 0 && !beginnings[o.flag].Match(beginning) {
		return cli.Misusef("%s is there already, and is not an earlier output of --%s: remove it, or name another file",
			called(o.name), o.flag)
	}
	return nil
}

// beginningOf returns the first bytes of a file, which may be compressed. A compressed file of no
// bytes has no beginning.
func beginningOf(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var text io.Reader = in
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return magic, nil // this program did not write it
		}
		defer z.Close()
		text = z
	}
	const enough = 64 << 10 // for the name of a log
	beginning := make([]byte, enough)
	n, err := io.ReadFull(text, beginning)
	if n == 0 && err != io.EOF || errors.As(err, new(*os.PathError)) {
		return nil, err
	}
	return beginning[:n], nil
}

// overwrites reports whether a write to a file changes one of others.
func overwrites(name string, others []string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular() && userfile.IsOneOf(name, others)
}
