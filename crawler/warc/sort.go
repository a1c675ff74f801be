package warc

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

const (
	sortMemory = 32 << 20 // bytes of lines that are sorted at once
	sortFanIn  = 64       // files that are merged at once
	maxLine    = 1 << 20  // bytes of one line: keys are three times as long as URLs at most
)

// A sorter sorts the lines of files by their bytes, in bounded memory, and writes equal
// lines once. It ignores lines without a line end, which a killed process left.
type sorter struct {
	dir    string // folder of temporary files
	memory int    // bytes of lines that are sorted at once
	fanIn  int    // files that are merged at once
	runs   []run
	temps  []string // temporary files to remove
}

// A run is a file whose lines are sorted.
type run struct{ name string }

// sortFiles writes the sorted lines of the files to out. The files in sorted are already
// in order.
func (s *sorter) sortFiles(out io.Writer, files, sorted []string) (err error) {
	defer func() {
		for _, name := range s.temps {
			os.Remove(name)
		}
	}()
	for _, name := range sorted {
		s.runs = append(s.runs, run{name})
	}
	if err := s.cut(files); err != nil {
		return err
	}
	for len(s.runs) > s.fanIn {
		if err := s.temporary(func(w io.Writer) error { return merge(w, s.runs[:s.fanIn]) }); err != nil {
			return err
		}
		// New runs are appended to the end.
		for _, r := range s.runs[:s.fanIn] {
			if slices.Contains(s.temps, r.name) {
				os.Remove(r.name)
			}
		}
		s.runs = s.runs[s.fanIn:]
	}
	return merge(out, s.runs)
}

// cut sorts unsorted files into runs.
func (s *sorter) cut(files []string) error {
	var text []byte
	var lines [][2]int // start and end of each line
	flush := func() error {
		if len(lines) == 0 {
			return nil
		}
		slices.SortFunc(lines, func(a, b [2]int) int { return bytes.Compare(text[a[0]:a[1]], text[b[0]:b[1]]) })
		err := s.temporary(func(w io.Writer) error {
			for _, l := range lines {
				if _, err := w.Write(text[l[0]:l[1]]); err != nil {
					return err
				}
			}
			return nil
		})
		text, lines = text[:0], lines[:0]
		return err
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		r := newLines(f)
		for r.next() {
			if len(text)+len(r.line) > s.memory {
				if err := flush(); err != nil {
					f.Close()
					return err
				}
			}
			text = append(text, r.line...)
			lines = append(lines, [2]int{len(text) - len(r.line), len(text)})
		}
		f.Close()
		if r.err != nil {
			return fmt.Errorf("sort %s: %w", name, r.err)
		}
	}
	return flush()
}

// temporary writes a run to a temporary file.
func (s *sorter) temporary(write func(io.Writer) error) error {
	f, err := os.CreateTemp(s.dir, tempPattern)
	if err != nil {
		return err
	}
	s.temps = append(s.temps, f.Name())
	s.runs = append(s.runs, run{f.Name()})
	w := bufio.NewWriterSize(f, 256<<10)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	return cmp.Or(err, f.Close())
}

// merge writes the lines of runs in order, and equal lines once.
func merge(out io.Writer, runs []run) error {
	var q mergeQueue
	for _, r := range runs {
		f, err := os.Open(r.name)
		if err != nil {
			return err
		}
		defer f.Close()
		if l := newLines(f); l.next() {
			q = append(q, l)
		} else if l.err != nil {
			return fmt.Errorf("merge %s: %w", r.name, l.err)
		}
	}
	heap.Init(&q)
	var last []byte
	for len(q) > 0 {
		l := q[0]
		if !bytes.Equal(l.line, last) {
			if _, err := out.Write(l.line); err != nil {
				return err
			}
			last = append(last[:0], l.line...)
		}
		if l.next() {
			heap.Fix(&q, 0)
		} else if l.err != nil {
			return fmt.Errorf("merge: %w", l.err)
		} else {
			heap.Pop(&q)
		}
	}
	return nil
}

// A mergeQueue is a heap of files by their next line.
type mergeQueue []*lines

func (q mergeQueue) Len() int           { return len(q) }
func (q mergeQueue) Less(i, j int) bool { return bytes.Compare(q[i].line, q[j].line) < 0 }
func (q mergeQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }

// Push implements [heap.Interface].
func (q *mergeQueue) Push(x any) { *q = append(*q, x.(*lines)) }

// Pop implements [heap.Interface].
func (q *mergeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// lines reads lines with their line ends. It skips a last line without one.
type lines struct {
	r    *bufio.Reader
	line []byte
	long []byte // a line longer than the buffer
	err  error
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

var errLongLine = fmt.Errorf("a line has more than %d bytes: it is not one of an index", maxLine)

// next reads a line, and returns false at the end.
func (l *lines) next() bool {
	l.line, l.err = l.r.ReadSlice('\n')
	if l.err == bufio.ErrBufferFull {
		l.long = append(l.long[:0], l.line...)
		for l.err == bufio.ErrBufferFull && len(l.long) <= maxLine {
			l.line, l.err = l.r.ReadSlice('\n')
			l.long = append(l.long, l.line...)
		}
		l.line = l.long
		if len(l.long) > maxLine {
			l.err = errLongLine
		}
	}
	if errors.Is(l.err, io.EOF) {
		l.err = nil
		return false
	}
	return l.err == nil
}
