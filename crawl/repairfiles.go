package crawl

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

)

// archiveDir returns the folder of the archive.
func (c *Crawler) archiveDir() string { return filepath.Join(c.Dir, "archive") }

// readLines calls fn for the lines of a file from an offset on. A last one that is not
// finished is left out.
func readLines(name string, from int64, fn func(offset int64, line []byte) error) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(f, 1<<18)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(from, bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return err
		}
		from += int64(len(line))
	}
}

