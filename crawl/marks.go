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
	"time"

	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/internal/weburl"
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
	config    *Config
	redirects *weburl.Form
	store     *store.Store
	marks     marks        // as the store was opened
	results   *results     // nil until they are opened
	memo      *memo        // nil until it is opened
	archive   *warc.Writer // nil if there is none
}

// syncResults has all results on the disk that were added, and the store know so before it knows
// of the visits that they tell: whatever it knows to be done, its marks say where that was
// told, even if the process is killed at any moment.
func (mk *marker) syncResults() error {
	if err := mk.results.sync(); err != nil {
		return err
	}
	return mk.mark()
}

// resultsName returns the name of the file of results, and that name as a mark has it:
// empty for the usual one, so that the folder can be moved.
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

// mark notes what the files are from now on. All of it has reached the disk.
func (mk *marker) mark() error {
	all := make(map[string][]byte)
	if r := mk.results; r.onDisk {
		_, name := mk.config.resultsName()
		all[markResults] = fileMark{Size: r.size, Lines: r.lines, Ahead: r.size - r.known, Sum: r.sum, Tail: r.tailSum(), Name: name}.bytes()
	}
	if mk.memo != nil {
		all[markOwed] = fileMark{Size: mk.memo.length()}.bytes()
	}
	if mk.archive != nil {
		for _, f := range mk.archive.Sizes() {
			all[markArchive+f.Name] = fileMark{Size: f.Size, Sum: f.Sum, Time: timeMark(f.Modified)}.bytes()
		}
	}
	return mk.store.SetMarks(all)
}

// markSeeds notes what the file of seeds is.
func (mk *marker) markSeeds() error {
	data, err := os.ReadFile(mk.config.seedsName())
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	return mk.store.SetMarks(map[string][]byte{markSeeds: fileMark{Size: int64(len(data)), Tail: hex.EncodeToString(sum[:])}.bytes()})
}

// verify compares the files of the folder with what the store says of them, before any of
// them is opened to be written to.
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
		// Before the first mark too. What is no file was never one: a pipe, or a device.
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
			mk.config.Log.Warn("much of the archive was written to since, or copied: not all of it was compared", "compare", "robots crawl repair --check")
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

// foldersIn returns the names of the folders that are in a folder, which need not be there.
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

// errText returns the text of an error, or nothing.
func errText(err error) string {
	if err == nil {
		return ""
	}
	return "cannot be read: " + err.Error()
}

// compare tells what is wrong with a file, if something is: its length and its end, or all of
// it if that is asked for.
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
		if sum := sha256.Sum256(tail); hex.EncodeToString(sum[:]) != m.Tail {
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

// mostCompared is how many bytes of the archive a start reads to compare them, where the file
// system says that files were written to after the crawl had: some seconds at most. A copy of a
// folder may have new times for all.
const mostCompared = 4 << 30

// compareArchive compares a file of the archive, which may still be open: its length, and all of
// it if there are bytes left to be read for that, and something may have written to it or thorough
// is set.
func (mk *marker) compareArchive(file string, thorough bool, left *int64) (what string, err error) {
	m := mk.marks.archives[file]
	name := archiveFile(mk.config.archiveDir(), file)
	info, err := os.Stat(name)
	all := err == nil && m.Sum != 0 && (thorough || timeMark(info.ModTime()) != m.Time)
	if all && file == archiveIndex && info.Size() > m.Size {
		all = false // it was made anew, and the process was killed before it could note that
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

// archiveIndex is the index of an archive, which is the only file there that is written again.
const archiveIndex = "index.cdxj"

// archiveFile returns the name of a file of an archive, which has an end to it while it is open.
func archiveFile(dir, file string) string {
	name := filepath.Join(dir, file)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(name + ".open"); err == nil {
			return name + ".open"
		}
	}
	return name
}

// markCompared notes the times of files of the archive that were compared, so that they are not
// read at the next start again.
func (mk *marker) markCompared() error {
	all := make(map[string][]byte)
	for _, file := range mk.marks.compared {
		info, err := os.Stat(filepath.Join(mk.config.archiveDir(), file))
		if err != nil {
			continue // a file without a record was removed
		}
		m := mk.marks.archives[file]
		m.Time = timeMark(info.ModTime())
		all[markArchive+file] = m.bytes()
	}
	return mk.store.SetMarks(all)
}

// timeMark returns a time as a mark has it.
func timeMark(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// compareAll is compare for a short file, of which Tail is the digest.
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
	// What was added to it is another matter: a process that was killed may have done so.
	if sum := sha256.Sum256(data[:m.Size]); hex.EncodeToString(sum[:]) != m.Tail {
		return "was altered", nil
	}
	return "", nil
}
