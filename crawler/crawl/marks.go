package crawl

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/warc"
)

// The store keeps marks of the other files of the folder: the size and the digests that each
// file must have. A mark is written after the data that it describes has reached the disk. A
// start compares the files with their marks. It reads the results whole if they are short
// (wholeSize), and else compares only length and end, in time that does not depend on the
// size of the files.

// The names of marks.
const (
	markCrawl   = "crawl"    // a crawl began here
	markRepair  = "repair"   // a repair began, and did not end
	markResults = "results"  // a fileMark
	markSeeds   = "seeds"    // a fileMark
	markMemo    = "owed"     // a fileMark
	markArchive = "archive/" // prefix of the name of an archive file: a fileMark
	markShared  = "shared"   // the folder is that of a worker of a shared crawl: an empty fileMark
)

// A fileMark is the minimum size of a file, with digests of the file up to that size. Digests
// and Time are zero where they are not kept.
type fileMark struct {
	Size  int64  `json:"size"`
	Sum   uint32 `json:"sum,omitempty"`   // CRC-32C of the first Size bytes
	Lines int64  `json:"lines,omitempty"` // number of lines, where it is kept
	Ahead int64  `json:"ahead,omitempty"` // bytes at the end of Size that the store may not know yet
	Tail  string `json:"tail,omitempty"`  // SHA-256 of the last bytes before Size
	Time  int64  `json:"time,omitempty"`  // last write, in nanoseconds since 1970
	Name  string `json:"name,omitempty"`  // name of the file, if that is not the usual one
}

// known returns the offset up to which the store has applied all lines of a file.
func (m fileMark) known() int64 { return max(0, m.Size-m.Ahead) }

// wholeSize is the maximum size in bytes of results that a start reads whole: the results of a
// million pages, at more than a gigabyte a second.
const wholeSize = 256 << 20

// tailSize is how many bytes at the end of a file a start compares.
const tailSize = 4 << 10

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (m fileMark) bytes() []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // plain fields always marshal
	}
	return b
}

// marks are the marks that a store has.
type marks struct {
	begun    bool // a crawl began here
	repair   bool // a repair did not end
	files    map[string]fileMark
	archives map[string]fileMark // by name
	compared []string            // names of archives that were read whole
}

// readMarks reads the marks of the store.
func readMarks(s *store.Store) (marks, error) {
	m := marks{files: make(map[string]fileMark), archives: make(map[string]fileMark)}
	err := s.Marks(func(name string, value []byte) error {
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

// A marker writes marks to the store, and compares the files of the folder with them.
type marker struct {
	config  *Config
	store   *store.Store
	marks   marks        // as they were when the store was opened
	results *results     // nil until opened
	memo    *memo        // nil until opened
	archive *warc.Writer // nil if there is none
	synced  atomic.Int64 // bytes of the results that are on the disk
}

// finishArchive closes the archive and records the final lengths of its files.
func (mk *marker) finishArchive() error {
	if mk.archive != nil {
		if err := mk.archive.Close(); err != nil {
			return err
		}
	}
	return mk.mark()
}

// syncResults syncs all added results to the disk and then marks them in the store, before the
// store applies the visits that they describe. So the marks cover the result of each visit in
// the store, even if the process is killed at any moment.
func (mk *marker) syncResults() error {
	if err := mk.results.sync(); err != nil {
		return err
	}
	return mk.mark()
}

// resultsName returns the name of the file of results, and the name to store in its mark: empty
// for the usual name, so that the folder can be moved.
func (c *Config) resultsName() (name, marked string) {
	if c.Results == "" {
		return filepath.Join(c.Dir, "results.jsonl"), ""
	}
	marked, err := filepath.Abs(c.Results)
	if err != nil {
		return c.Results, c.Results
	}
	return c.Results, marked
}

// mark writes the marks of the files as they are now. All their data must be on the disk.
func (mk *marker) mark() error {
	all := make(map[string][]byte)
	if r := mk.results; r.onDisk {
		_, name := mk.config.resultsName()
		all[markResults] = fileMark{Size: r.size, Lines: r.lines, Ahead: r.size - r.known, Sum: r.sum,
			Tail: tailSum(r.tail), Name: name}.bytes()
		mk.synced.Store(r.size)
	}
	if mk.memo != nil {
		all[markMemo] = fileMark{Size: mk.memo.length()}.bytes()
	}
	if mk.archive != nil {
		for _, f := range mk.archive.Sizes() {
			all[markArchive+f.Name] = fileMark{Size: f.Size, Sum: f.Sum, Time: timeMark(f.Modified)}.bytes()
		}
	}
	return mk.store.SetMarks(all)
}

// tailSum returns the form of the last bytes of a file in a mark: their SHA-256 in hexadecimal.
func tailSum(tail []byte) string {
	sum := sha256.Sum256(tail)
	return hex.EncodeToString(sum[:])
}

// markSeeds writes the mark of the file of seeds.
func (mk *marker) markSeeds() error {
	data, err := os.ReadFile(mk.config.seedsName())
	if err != nil {
		return err
	}
	return mk.store.SetMarks(map[string][]byte{markSeeds: fileMark{Size: int64(len(data)),
		Tail: tailSum(data)}.bytes()})
}

// verify compares the files of the folder with their marks. It must run before any of the files
// is opened for writing.
func (mk *marker) verify() error {
	m, err := readMarks(mk.store)
	if err != nil {
		return mk.config.damaged("store", err)
	}
	mk.marks = m
	var faults []Fault
	found := func(file string, what string, err error) {
		isNew := !slices.ContainsFunc(faults, func(f Fault) bool { return f.File == file })
		if isNew && (err != nil || what != "") {
			faults = append(faults, Fault{file, cmp.Or(what, errText(err)), err})
		}
	}
	if !m.begun {
		who, err := readIdentity(mk.config.Dir)
		if err == nil && who.UserAgent != "" && mk.store.Counts().Seen == 0 && mk.config.NATS == "" {
			found("store", "was lost: nothing is in it, and a crawl was made here", nil)
		}
	}
	if m.repair {
		found("store", "is not complete: a repair was begun and did not end", nil)
	}
	if mk.config.ResultsTo == nil {
		// This holds before the first mark too. Pipes and devices are allowed.
		if name, marked := mk.config.resultsName(); isDir(name) {
			found(cmp.Or(marked, "results.jsonl"), "is a folder", nil)
		}
	}
	if mk.config.Archive != nil {
		folders, err := foldersIn(mk.config.archiveDir())
		for _, name := range folders {
			found("archive/"+name, "is a folder", nil)
		}
		found("archive", "", err)
	}
	if r, ok := m.files[markResults]; ok && mk.config.ResultsTo == nil {
		if name, marked := mk.config.resultsName(); marked == r.Name {
			what, err := r.compare(name, r.Size <= wholeSize)
			found(cmp.Or(marked, "results.jsonl"), what, err)
		}
	}
	if mk.config.Archive != nil {
		left := int64(mostCompared)
		for _, f := range slices.Sorted(maps.Keys(m.archives)) {
			what, err := mk.compareArchive(f, false, &left)
			found("archive/"+f, what, err)
		}
		if left < 0 {
			mk.config.Log.Warn("much of the archive was written to since, or copied: not all of it was compared",
				"compare", "robots crawl repair --check")
		}
	}
	if s, ok := m.files[markSeeds]; ok {
		what, err := s.compareAll(mk.config.seedsName())
		found("seeds.txt", what, err)
	}
	if len(faults) > 0 {
		return &DamageError{mk.config.Dir, faults}
	}
	return nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// foldersIn returns the names of the folders in a folder. A missing folder is not an error.
func foldersIn(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// errText returns the text of an error, or "".
func errText(err error) string {
	if err == nil {
		return ""
	}
	return "cannot be read: " + err.Error()
}

// compare compares a file with its mark: the length and the end, and the whole file if all is
// set. It returns a description of the damage, or "".
func (m fileMark) compare(name string, all bool) (what string, err error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && m.Size == 0:
		return "", nil
	case errors.Is(err, fs.ErrNotExist):
		return "was removed", nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "is not a file any more", nil
	case info.Size() < m.Size:
		return fmt.Sprintf("was cut: it had %d bytes, and has %d", m.Size, info.Size()), nil
	case m.Size == 0:
		return "", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if m.Tail != "" {
		tail := make([]byte, min(m.Size, tailSize))
		if _, err := f.ReadAt(tail, m.Size-int64(len(tail))); err != nil {
			return "", err
		}
		if tailSum(tail) != m.Tail {
			return fmt.Sprintf("was altered, before byte %d", m.Size), nil
		}
	}
	if all && m.Sum != 0 {
		sum, err := sumOf(f, m.Size)
		if err != nil {
			return "", err
		}
		if sum != m.Sum {
			return fmt.Sprintf("was altered, somewhere before byte %d", m.Size), nil
		}
	}
	return "", nil
}

// A runningSum continues a CRC-32C and counts lines.
type runningSum struct {
	sum   uint32
	lines int64 // complete lines
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

// mostCompared is how many bytes of the archive a start reads and compares at most, which takes
// some seconds. It reads the files that the file system says were written after their marks;
// in a copy of a folder that may be all files.
const mostCompared = 4 << 30

// compareArchive compares a file of the archive, which may still be open, with its mark. It
// compares the length, and also the whole file if thorough is set or the file was written after
// its mark, as long as the budget left allows.
func (mk *marker) compareArchive(file string, thorough bool, left *int64) (what string, err error) {
	m := mk.marks.archives[file]
	name := archiveFile(mk.config.archiveDir(), file)
	info, err := os.Stat(name)
	all := err == nil && m.Sum != 0 && (thorough || timeMark(info.ModTime()) != m.Time)
	if all && file == archiveIndex && info.Size() > m.Size {
		all = false // the process was killed between rebuilding the index and marking it
	}
	if all {
		*left -= m.Size
		all = *left >= 0
	}
	what, err = m.compare(name, all)
	if all && what == "" && err == nil {
		mk.marks.compared = append(mk.marks.compared, file)
	}
	return what, err
}

// archiveIndex is the index of an archive, the only file there that is ever rewritten.
const archiveIndex = "index.cdxj"

// archiveFile returns the name of a file of an archive. An open file has the suffix ".open".
func archiveFile(dir, file string) string {
	name := filepath.Join(dir, file)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(name + ".open"); err == nil {
			return name + ".open"
		}
	}
	return name
}

// markCompared writes the times of the archive files that were compared to their marks, so that
// the next start does not read these files again.
func (mk *marker) markCompared() error {
	all := make(map[string][]byte)
	for _, file := range mk.marks.compared {
		info, err := os.Stat(filepath.Join(mk.config.archiveDir(), file))
		if err != nil {
			continue // a file without records was removed
		}
		m := mk.marks.archives[file]
		m.Time = timeMark(info.ModTime())
		all[markArchive+file] = m.bytes()
	}
	return mk.store.SetMarks(all)
}

// timeMark returns a time in the form of a mark.
func timeMark(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// compareAll compares a short file whose mark has the digest of the whole file in Tail.
func (m fileMark) compareAll(name string) (what string, err error) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "was removed", nil
	}
	if err != nil {
		return "", err
	}
	if int64(len(data)) < m.Size {
		return fmt.Sprintf("was cut: it had %d bytes, and has %d", m.Size, len(data)), nil
	}
	// Added lines are not damage: a process that was killed may have written them.
	if tailSum(data[:m.Size]) != m.Tail {
		return "was altered", nil
	}
	return "", nil
}
