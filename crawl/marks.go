package crawl

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The store knows what must be true of the other files of the folder as long as it is as it
// is: marks, each of which is written after what it says has reached the disk. A start
// compares them with the files: the results whole as long as that takes no time to speak of
// (wholeSize), and else their lengths and ends, in time that does not depend on what is in
// them.

// The names of marks.
const (
	markCrawl   = "crawl"    // that a crawl began here
	markRepair  = "repair"   // that a repair began, and did not end
	markResults = "results"  // a fileMark
	markSeeds   = "seeds"    // a fileMark
	markOwed    = "owed"     // a fileMark
	markArchive = "archive/" // and the name of a file there: a fileMark
)

// A fileMark is how long a file must be at least, and what is in it up to there.
type fileMark struct {
	Size  int64  `json:"size"`
	Sum   uint32 `json:"sum,omitempty"`   // CRC-32C of all of it up to there, if that is kept
	Lines int64  `json:"lines,omitempty"` // in it, if that is kept
	Ahead int64  `json:"ahead,omitempty"` // how many bytes of Size, at its end, tell what the store may not know yet
	Tail  string `json:"tail,omitempty"`  // SHA-256 of its last bytes up to there, if that is kept
	Time  int64  `json:"time,omitempty"`  // when it was written to last and for good, in nanoseconds since 1970, if that is kept
	Name  string `json:"name,omitempty"`  // where it is, if that is not its usual place
}

// known returns up to where the store knows all that a file tells.
func (m fileMark) known() int64 { return max(0, m.Size-m.Ahead) }

// wholeSize is how many bytes of results a start reads: those of a million pages, at more
// than a gigabyte a second.
const wholeSize = 256 << 20

// tailSize is how many bytes at the end of a file are compared at a start.
const tailSize = 4 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (m fileMark) bytes() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // nothing in it can fail
	}
	return b
}

// marks is what the store says of other files.
type marks struct {
	begun    bool // a crawl began here
	repair   bool // a repair did not end
	files    map[string]fileMark
	archives map[string]fileMark // by name
	compared []string            // of archives, those that were read whole
}

// readMarks reads the marks of the store.
func (c *Crawler) readMarks() (marks, error) {
	m := marks{files: make(map[string]fileMark), archives: make(map[string]fileMark)}
	err := c.store.Marks(func(name string, value []byte) error {
		switch name {
		case markCrawl:
			m.begun = true
			return nil
		case markRepair:
			m.repair = true
			return nil
		}
		var f fileMark
		if err := json.Unmarshal(value, &f); err != nil {
			return fmt.Errorf("the mark %s of the store: %w", name, err)
		}
		if file, ok := strings.CutPrefix(name, markArchive); ok {
			m.archives[file] = f
		} else {
			m.files[name] = f
		}
		return nil
	})
	return m, err
}

// resultsName returns the name of the file of results, and that name as a mark has it:
// empty for the usual one, so that the folder can be moved.
func (c *Crawler) resultsName() (name, marked string) {
	if c.Results == "" {
		return filepath.Join(c.Dir, "results.jsonl"), ""
	}
	marked, err := filepath.Abs(c.Results)
	if err != nil {
		return c.Results, c.Results
	}
	return c.Results, marked
}

// mark notes what the files are from now on. All of it has reached the disk.
func (c *Crawler) mark() error {
	all := make(map[string][]byte)
	if r := c.results; r.onDisk {
		_, name := c.resultsName()
		all[markResults] = fileMark{Size: r.size, Lines: r.lines, Ahead: r.size - r.known, Sum: r.sum, Tail: r.tailSum(), Name: name}.bytes()
	}
	if c.memo != nil {
		all[markOwed] = fileMark{Size: c.memo.length()}.bytes()
	}
	if c.archive != nil {
		for _, f := range c.archive.Sizes() {
			all[markArchive+f.Name] = fileMark{Size: f.Size, Sum: f.Sum, Time: timeMark(f.Modified)}.bytes()
		}
	}
	return c.store.SetMarks(all)
}

// markSeeds notes what the file of seeds is.
func (c *Crawler) markSeeds() error {
	data, err := os.ReadFile(c.seedsName())
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	return c.store.SetMarks(map[string][]byte{markSeeds: fileMark{Size: int64(len(data)), Tail: hex.EncodeToString(sum[:])}.bytes()})
}

// A running sum goes on with a CRC-32C.
type runningSum struct {
	sum   uint32
	lines int64 // that ended
}

func newSum(sum uint32) *runningSum { return &runningSum{sum: sum} }

func (s *runningSum) Write(p []byte) (int, error) {
	s.lines += int64(bytes.Count(p, []byte("\n")))
	s.sum = crc32.Update(s.sum, castagnoli, p)
	return len(p), nil
}

// sumOf returns the CRC-32C of the first bytes of a file.
func sumOf(f io.ReaderAt, size int64) (uint32, error) {
	h := newSum(0)
	n, err := io.Copy(h, bufio.NewReaderSize(io.NewSectionReader(f, 0, size), 1<<18))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	return h.sum, err
}

// timeMark returns a time as a mark has it.
func timeMark(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

