package survey

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/robotsexclusion/robots/internal/userfile"
)

// A results keeps results, a line of JSON each, so that a survey can be resumed.
type results struct{ f *os.File }

// longestResult is the maximum length of a line in a results file.
const longestResult = 16 << 20

// Open opens a file of results, or creates it, and adds its results to the survey: Add adds
// reports to the file from then on. Open drops a last line that was cut short when a process
// was killed. The errors have the name of the file.
func (s *Survey) Open(name string) error {
	f, err := openResults(name, s)
	s.file = f
	return err
}

// Close closes the file of results, if there is one.
func (s *Survey) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.close()
}

// openResults opens a file of results, and adds its results to s.
func openResults(name string, s *Survey) (*results, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", name, userfile.Cause(err))
	}
	r := bufio.NewReaderSize(f, 64<<10)
	var whole int64 // bytes of whole lines
	torn := false   // an incomplete line follows
	for number := 1; ; number++ {
		line, err := userfile.ReadLine(r, longestResult)
		if err != nil && !errors.Is(err, io.EOF) {
			f.Close()
			return nil, fmt.Errorf("cannot read %s at line %d: %w", name, number, userfile.Cause(err))
		}
		cut := err != nil
		if cut && startsResult(line) {
			torn = len(line) > 0
			break
		}
		whole += int64(len(line))
		var one reportLine
		if err := json.Unmarshal(line, &one); cut || err != nil || one.Origin == "" {
			f.Close()
			return nil, fmt.Errorf("%s: line %d is not a result: name a file that --results made, or a new one", name,
				number)
		}
		if s.First(one.Origin) {
			s.sum(&one)
			s.before++
		}
	}
	if _, err = f.Seek(whole, io.SeekStart); err == nil && torn {
		err = f.Truncate(whole)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("cannot write %s: %w", name, userfile.Cause(err))
	}
	return &results{f}, nil
}

// startsResult reports whether a text is empty or the start of a line of results. Other text
// at the end of a file is not ours to drop.
func startsResult(text []byte) bool {
	const start = `{"origin":"`
	n := min(len(text), len(start))
	return string(text[:n]) == start[:n]
}

// append adds a line in a single write, so that the line is never written in part.
func (f *results) append(line []byte) error {
	if _, err := f.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.f.Name(), userfile.Cause(err))
	}
	return nil
}

func (f *results) close() error {
	if err := f.f.Close(); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.f.Name(), userfile.Cause(err))
	}
	return nil
}
