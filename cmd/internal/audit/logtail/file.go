package logtail

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A File is a file that a log's name refers to, or did. It is an [io.Reader] of its lines: of whole
// lines while it grows, because half a line at the end is not handed out until its rest is there.
// It is read by one goroutine.
type File struct {
	Name string // of the log

	// Skipped is the number of lines before the first one that is read: of a file that was read
	// before, and has its name again.
	Skipped int

	watcher *watcher
	in      *os.File
	info    fs.FileInfo

	offset int64  // of the next byte to read
	anchor []byte // the bytes before offset: they change if the file is rewritten
	ready  []byte // lines to hand out
	half   []byte // of a line whose end is not there yet
	lines  int    // ends of lines before offset
	begun  bool   // a byte other than 0 was read
	grown  time.Time

	oldSize int64 // of the file when following began

	mu       sync.Mutex
	status   state
	named    bool      // whether a name refers to the file
	left     time.Time // when no name did any more
	hurry    bool      // too many such files are open
	oldLines int
	oldRead  bool
}

// A state of a File.
type state int

const (
	following state = iota
	finished        // read to its end
	truncated       // its next bytes are another file
)

const (
	anchorSize = 256
	chunkSize  = 128 << 10
	maxHalf    = 1 << 20 // bytes; longer lines are handed out in parts
)

var newline = []byte("\n")

// Read reads lines. It waits for more at the end of the file, and returns [io.EOF] when there will
// be no more, or when the context of Follow ends.
func (f *File) Read(p []byte) (int, error) {
	for len(f.ready) == 0 {
		if f.state() != following {
			return 0, io.EOF
		}
		grown, err := f.fill()
		if err != nil {
			return 0, err
		}
		if grown || len(f.ready) > 0 || f.state() != following {
			continue
		}
		f.endOld()
		if f.over() {
			f.ready, f.half = f.half, nil
			f.end(finished)
			continue
		}
		select {
		case <-f.watcher.ctx.Done():
			f.end(finished)
		case <-time.After(f.watcher.Poll):
		}
	}
	n := copy(p, f.ready)
	f.ready = f.ready[n:]
	return n, nil
}

// fill reads on, and reports whether there was something.
func (f *File) fill() (grown bool, err error) {
	if f.watcher.ctx.Err() != nil {
		return false, nil
	}
	// The bytes before are read again together with the next ones: a file that was truncated, and
	// has grown beyond the old place since, has others there.
	buffer := make([]byte, len(f.anchor)+chunkSize)
	n, err := f.in.ReadAt(buffer, f.offset-int64(len(f.anchor)))
	if err != nil && err != io.EOF {
		return false, cause(f.Name, err)
	}
	buffer = buffer[:n]
	if !bytes.HasPrefix(buffer, f.anchor) {
		f.truncate()
		return false, nil
	}
	chunk := buffer[len(f.anchor):]
	if len(chunk) == 0 {
		return false, nil
	}
	f.offset += int64(len(chunk))
	f.anchor = bytes.Clone(buffer[max(0, len(buffer)-anchorSize):])
	f.grown = time.Now()
	if !f.begun {
		// A server that does not append continues at its old place after a truncation, behind a
		// hole.
		chunk = bytes.TrimLeft(chunk, "\x00")
		f.begun = len(chunk) > 0
	}
	f.take(chunk)
	return true, nil
}

// take hands out the whole lines of a chunk, which ends at f.offset.
func (f *File) take(chunk []byte) {
	end := bytes.LastIndexByte(chunk, '\n') + 1
	if end == 0 && len(f.half)+len(chunk) <= maxHalf {
		f.half = append(f.half, chunk...)
		return
	}
	if end == 0 {
		end = len(chunk)
	}
	f.lines += bytes.Count(chunk[:end], newline)
	f.countOld(chunk[:end], f.offset-int64(len(chunk)-end))
	f.ready = append(f.half, chunk[:end]...)
	f.half = bytes.Clone(chunk[end:])
}

// truncate ends the file, because it has other lines now.
func (f *File) truncate() {
	dropped := ""
	if len(f.half) > 0 {
		dropped = fmt.Sprintf(" and the last %d bytes, which are half a line,", len(f.half))
	}
	f.half = nil
	f.end(truncated)
	f.watcher.Notice(fmt.Errorf("%s was truncated after %d bytes were read: lines that were written between the last look and the truncation%s are lost",
		printable.Shown(f.Name), f.offset, dropped))
	f.watcher.wakeUp()
}

// over reports whether the file, which has not grown, will not grow any more.
func (f *File) over() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.named {
		return false
	}
	since := f.left
	if f.grown.After(since) {
		since = f.grown
	}
	return f.hurry || time.Since(since) >= f.watcher.Linger
}

// setNamed sets whether a name refers to the file and, if none does, whether to close it without
// waiting.
func (f *File) setNamed(named, hurry bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.named && !named {
		f.left = time.Now()
	}
	f.named, f.hurry = named, hurry
}

func (f *File) state() state {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

func (f *File) end(s state) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.status = s
}

// close ends a file whose reader has returned.
func (f *File) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.in.Close()
	if f.status == following {
		f.status = finished
	}
	f.ready, f.half = nil, nil
}

// resume continues where an earlier reading of the same file ended. If the file is another one with
// the same number, its bytes there differ, and it is read from its beginning.
func (f *File) resume(earlier *File) {
	anchor := make([]byte, len(earlier.anchor))
	at := earlier.offset - int64(len(anchor))
	if n, _ := f.in.ReadAt(anchor, at); n < len(anchor) || !bytes.Equal(anchor, earlier.anchor) {
		return
	}
	f.offset, f.anchor, f.begun, f.lines, f.Skipped = earlier.offset, earlier.anchor, earlier.begun, earlier.lines,
		earlier.lines
}

// Old reports whether a line, by its number from 1 on, was in the file when following began. The
// line must have been read.
func (f *File) Old(line int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.oldSize > 0 && (!f.oldRead || line <= f.oldLines)
}

// CaughtUp reports whether all lines that were in the file when following began were handed out,
// and how many there are.
func (f *File) CaughtUp() (lines int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.oldLines, f.oldRead || f.oldSize == 0 || f.status != following
}

// countOld counts the lines that were in the file when following began. Lines end at an offset.
func (f *File) countOld(lines []byte, end int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.oldRead || f.oldSize == 0 {
		return
	}
	if more := end - f.oldSize; more > 0 {
		lines = lines[:max(0, int64(len(lines))-more)]
		f.oldRead = true
	}
	f.oldLines += bytes.Count(lines, newline)
}

// endOld says that the file has no more old lines, because its end was reached.
func (f *File) endOld() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.oldRead = true
}
