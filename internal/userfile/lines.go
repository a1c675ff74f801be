package userfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
)

// longestURL is the maximum length in bytes of a line in a file of URLs.
const longestURL = 1 << 20

// URLs yields the URLs of a file, one a line, without blank lines and lines that start with
// "#". In a file whose name is that of a table, a URL may be a quoted cell. An error ends the
// sequence, and so do UTF-16 and a line of a table with several columns. The name of the file is
// for the error.
func URLs(in io.Reader, name string) iter.Seq2[string, error] {
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
			cell, whole := unquoted(line, name)
			if err := notURL(line, number, name); err != nil && !whole {
				yield("", err)
				return
			}
			if !yield(string(cell), nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield("", fmt.Errorf("%s: line %d is longer than %d MiB: put one URL on a line", Called(name), number+1,
				longestURL>>20))
		case err != nil:
			yield("", fmt.Errorf("cannot read %s: %w", Called(name), Cause(err)))
		}
	}
}

// separatorsOf returns the characters that separate the columns of a table with this name, or "".
func separatorsOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv":
		return ",;\t"
	case ".tsv", ".tab":
		return "\t"
	}
	return ""
}

// unquoted returns the text of a line of a table that is one quoted cell (RFC 4180, section 2), and
// whether it is one. Other lines come back as they are.
func unquoted(line []byte, name string) (cell []byte, quoted bool) {
	if separatorsOf(name) == "" || len(line) < 2 || line[0] != '"' || line[len(line)-1] != '"' {
		return line, false
	}
	cell = line[1 : len(line)-1]
	if bytes.IndexByte(bytes.ReplaceAll(cell, []byte(`""`), nil), '"') >= 0 {
		return line, false // several quoted cells
	}
	return bytes.ReplaceAll(cell, []byte(`""`), []byte(`"`)), true
}

// notURL returns an error for a line of a file that is not a list of URLs. Spreadsheets save
// UTF-16, and tables with several columns; a URL from such a line would have the other columns in its path.
func notURL(line []byte, number int, name string) error {
	if number == 1 && (bytes.HasPrefix(line, []byte("\xFF\xFE")) || bytes.HasPrefix(line, []byte("\xFE\xFF"))) {
		return fmt.Errorf("%s is UTF-16, as spreadsheets save it: save it as text in UTF-8, with one URL on a line",
			Called(name))
	}
	if bytes.ContainsAny(line, separatorsOf(name)) {
		return fmt.Errorf("%s: line %d has several columns: save the column of the URLs alone, with one URL on a line",
			Called(name), number)
	}
	return nil
}

// CountURLs returns the number of URLs in a file, or -1 if the file cannot be read twice, such as a
// pipe, or cannot be read.
func CountURLs(name string) int {
	if info, err := os.Stat(name); name == Stdin || err != nil || !info.Mode().IsRegular() {
		return -1
	}
	in, err := os.Open(name)
	if err != nil {
		return -1
	}
	defer in.Close()
	n := 0
	for _, err := range URLs(in, name) {
		if err != nil {
			return -1
		}
		n++
	}
	return n
}

// TooLong is the error for a line longer than this many bytes.
type TooLong int

// Error says how long a line may be.
func (limit TooLong) Error() string {
	return fmt.Sprintf("the line is longer than %d MiB", limit>>20)
}

// ReadLine reads a line with its line end. A last line without a line end comes with the error
// [io.EOF]. A line that is too long is skipped, and the error is a [TooLong].
func ReadLine(r *bufio.Reader, limit int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		case len(line) > limit:
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			if err != nil && !errors.Is(err, io.EOF) { // the next read returns the end again
				return nil, err
			}
			return nil, TooLong(limit)
		}
	}
}
