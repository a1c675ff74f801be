package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/lint"
	"github.com/spf13/cobra"
)

const (
	stdin       = "-"       // the name of standard input
	largestFile = 256 << 20 // bytes of a robots.txt; a larger file is a mistake
	longestURL  = 1 << 20   // bytes of a line in a file of URLs
)

// readFile returns the content of a file or, for "-", of standard input.
func readFile(cmd *cobra.Command, name string) ([]byte, error) {
	return readAtMost(cmd, name, largestFile, "that is not a robots.txt")
}

// readRobots reads a robots.txt that a verb answers questions from. It warns if the text is
// not a robots.txt.
func readRobots(cmd *cobra.Command, name string) ([]byte, error) {
	data, err := readFile(cmd, name)
	if err == nil {
		l := languageOf(cmd)
		if what := lint.NotRobots(robots.Parse(data), l.String()); what != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textWarning.In(l, shown(called(name)), what))
		}
	}
	return data, err
}

// readAtMost returns the content of a file or, for "-", of standard input. Content of more
// bytes than the limit is refused with an error that says why. The size of a file is checked
// before reading.
func readAtMost(cmd *cobra.Command, name string, limit int64, why string) ([]byte, error) {
	in, err := open(cmd, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	tooLarge := func() error {
		return fmt.Errorf("%s is larger than %d MiB: %s", called(name), limit>>20, why)
	}
	if f, ok := in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > limit {
			return nil, tooLarge()
		}
	}
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", called(name), cause(err))
	}
	if int64(len(data)) > limit {
		return nil, tooLarge()
	}
	return data, nil
}

// open opens a file or standard input.
func open(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	if name == stdin {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	f, err := os.Open(name)
	if err == nil {
		info, statErr := f.Stat()
		if statErr == nil && !info.IsDir() {
			return f, nil
		}
		f.Close()
		if err = statErr; err == nil {
			return nil, fmt.Errorf("cannot read %s: it is a directory: name a file in it", name)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("cannot read %s: there is no such file: name one, or - for standard input", name)
	}
	return nil, fmt.Errorf("cannot read %s: %w", name, cause(err))
}

// called returns the name of a file for messages.
func called(name string) string {
	if name == stdin {
		return "standard input"
	}
	return name
}

// cause returns the error of the system without the file name, which messages give already.
func cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// host matches names and addresses of hosts, with or without a port. textNames excludes those
// that are also names of text files.
var host = regexp.MustCompile(`^(?i)(localhost|\[[0-9a-f:.]+\]|[0-9.]+|([\pL\pN-]+\.)+\pL{2,})(:[0-9]+)?$`)

// textNames are file name suffixes that no host name has.
var textNames = []string{".txt", ".html", ".htm", ".xhtml"}

// origin returns the origin that an argument names. It returns false if the argument is not an
// origin.
func origin(arg string) (string, bool) {
	if u, err := url.Parse(arg); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return u.Scheme + "://" + u.Host, true
	}
	name := strings.TrimSuffix(arg, "/")
	if !host.MatchString(name) || slices.Contains(textNames, strings.ToLower(path.Ext(name))) {
		return "", false
	}
	if _, err := os.Stat(arg); err == nil {
		return "", false
	}
	return "https://" + name, true
}

// listed yields the texts of a list, with the type of urlsOf.
func listed(texts []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, text := range texts {
			if !yield(text, nil) {
				return
			}
		}
	}
}

// joined concatenates sequences.
func joined(parts ...iter.Seq2[string, error]) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, part := range parts {
			for text, err := range part {
				if !yield(text, err) {
					return
				}
			}
		}
	}
}

// notEmpty returns the sequence, and adds an error if the sequence is empty: an empty list of
// questions must not give the answer yes.
func notEmpty(list iter.Seq2[string, error], name, what string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		empty := true
		for text, err := range list {
			empty = false
			if !yield(text, err) {
				return
			}
		}
		if empty {
			yield("", fmt.Errorf("nothing was asked: there is no %s in %s: write one a line", what, called(name)))
		}
	}
}

// urlsOf yields the URLs of a file, one a line, without blank lines and lines that start with
// "#". An error ends the sequence.
func urlsOf(in io.Reader, name string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		lines := bufio.NewScanner(in)
		lines.Buffer(make([]byte, 0, 64<<10), longestURL+2) // with its line end
		number := 0
		for lines.Scan() {
			number++
			line := lines.Bytes()
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\uFEFF"))
			}
			line = bytes.Trim(line, " \t\r")
			if len(line) == 0 || line[0] == '#' {
				continue
			}
			if !yield(string(line), nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield("", fmt.Errorf("%s: line %d is longer than %d MiB: put one URL on a line", called(name), number+1, longestURL>>20))
		case err != nil:
			yield("", fmt.Errorf("cannot read %s: %w", called(name), cause(err)))
		}
	}
}
