package warc

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/filelock"
)

const (
	defaultMaxSize = 1e9      // size of a file in bytes (WARC/1.1, annex C)
	defaultMemory  = 1 << 20  // bytes of a body in memory
	syncDistance   = 32 << 20 // bytes after which a file is synced without a call of Sync
)

// Options are the options of a [Writer]. The zero value is ready to use.
type Options struct {
	// Prefix is the start of file names: letters, digits, "-", "_" and ".". If empty, it
	// is "robots".
	Prefix string
	// MaxSize is the size, in bytes, at which a file is large enough. A file is larger
	// only if it has a single exchange. If 0, it is 1 GB.
	MaxSize int64
	// MaxAge is the age at which a file with records is finished before the next exchange is
	// written. If 0, there is no limit.
	MaxAge time.Duration
	// MaxBody is the maximum number of bytes kept of a body. If 0, there is no limit.
	MaxBody int64
	// Memory is the number of bytes of Message.Rest that are held in memory for each
	// exchange being written, and the same number for compressed bytes. Larger data goes
	// through temporary files in the folder. If 0, it is 1 MiB.
	Memory int
	// Info describes the crawl, in the warcinfo record of each file: operator, robots,
	// http-header-user-agent, isPartOf and the like (WARC/1.1, section 6.2). The fields
	// format and conformsTo are added.
	Info []Field
}

// A Writer writes exchanges to the files of a folder. File names are like
// robots-20260131235959-00001.warc.gz, with the time when the file was begun, in UTC, and
// a number. A Writer is safe for concurrent use: goroutines compress in parallel, at most
// twice as many as there are processors, and append one after the other.
type Writer struct {
	dir     string
	opts    Options
	lock    *filelock.Lock
	presses chan *press // idle presses; nil for one that is not created yet

	syncing sync.Mutex // held while a file is synced, before mu
	mu      sync.Mutex
	file    *file // nil before the first file
	serial  int
	ended   []FileSize // finished files not yet returned by Sizes
	err     error      // the error that stopped the writer
}

// A FileSize is the length and checksum of a file of an archive, by its base name.
type FileSize struct {
	Name string
	Size int64  // in bytes
	Sum  uint32 // CRC-32C of the first Size bytes
	// Modified is the modification time of a finished file, from the file system.
	Modified time.Time
}

// Sizes returns the sizes of the files that were finished since the last call, and of the
// one being written: the bytes that have reached the disk, which are never removed again.
// A file without records is not included. After [Writer.Close] the index of the folder is
// included.
func (w *Writer) Sizes() []FileSize {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.ended
	w.ended = nil
	if f := w.file; f != nil && f.records && f.synced > 0 {
		all = append(all, FileSize{Name: f.name, Size: f.synced, Sum: f.syncedSum})
	}
	return all
}

// finish finishes a file.
func (w *Writer) finish(f *file) error {
	err := f.finish()
	if err == nil && f.records {
		w.ended = append(w.ended, FileSize{f.name, f.size, f.sum, f.modified})
	}
	return err
}

// Open opens a folder for writing, and creates it if needed. It repairs the files that a
// killed process left there. Only one writer at a time can have a folder open.
func Open(dir string, opts Options) (*Writer, error) {
	w := &Writer{dir: dir, opts: opts}
	w.opts.Prefix = cmp.Or(opts.Prefix, "robots")
	w.opts.MaxSize = cmp.Or(opts.MaxSize, defaultMaxSize)
	w.opts.Memory = cmp.Or(opts.Memory, defaultMemory)
	// A press takes most of a megabyte. Additional presses would only be held by waiting
	// goroutines.
	w.presses = make(chan *press, 2*runtime.GOMAXPROCS(0))
	for range cap(w.presses) {
		w.presses <- nil
	}
	if err := w.open(); err != nil {
		if w.lock != nil {
			w.lock.Remove()
		}
		return nil, fmt.Errorf("open the archive %s: %w", dir, err)
	}
	return w, nil
}

func (w *Writer) open() (err error) {
	for _, c := range w.opts.Prefix {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.ContainsRune("-_.", c)) {
			return fmt.Errorf("the prefix %q has other characters than letters, digits, dots, hyphens and underscores",
				w.opts.Prefix)
		}
	}
	if w.opts.Prefix[0] == '.' {
		return fmt.Errorf("the prefix %q begins with a dot, which would hide the files", w.opts.Prefix)
	}
	if err := checkFields(w.opts.Info); err != nil {
		return err
	}
	if err := os.MkdirAll(w.dir, 0o777); err != nil {
		return err
	}
	if w.lock, err = lockFolder(w.dir); err != nil {
		return err
	}
	left, err := filepath.Glob(filepath.Join(globQuote(w.dir), tempPattern))
	if err != nil {
		return err
	}
	for _, name := range left {
		os.Remove(name)
	}
	_, err = repairFolder(w.dir)
	return err
}

// Write writes an exchange and returns the place of its response; without a response it
// returns the zero Capture. The records are then in the file, one after the other, but
// survive a crash only after [Writer.Sync].
//
// If Write fails, none of the records is in the file. Another call may succeed, for
// instance when a full disk has room again, unless Sync returns the same error.
func (w *Writer) Write(x *Exchange) (Capture, error) {
	p := <-w.presses
	if p == nil {
		p = newPress()
	}
	defer func() {
		p.discard()
		w.presses <- p
	}()
	p.reset(w.dir, w.opts.Memory, w.opts.MaxBody)
	c, err := p.exchange(x)
	var key string
	if err == nil {
		if c.Length > 0 {
			key = surtKey(c.URL)
		}
		err = w.append(&p.out, key, &c)
	}
	if err != nil {
		return Capture{}, fmt.Errorf("archive %s: %w", escapedURI(x.URL), err)
	}
	return c, nil
}

// append appends members to the file, and an entry to its index.
func (w *Writer) append(members *spool, key string, c *Capture) error {
	w.mu.Lock()
	f, err := w.room(members.size)
	var far bool
	if err == nil {
		before := f.size
		if err = f.append(members.copyTo, members.size); err == nil {
			f.records = true
			if c.Length > 0 {
				c.File, c.Offset = f.name, before+c.Offset
				f.pending = append(f.pending, key...)
				f.pending = append(c.appendAfter(f.pending), '\n')
			}
			far = f.size-f.synced > syncDistance
		}
	}
	w.mu.Unlock()
	if far {
		return w.Sync()
	}
	return err
}

// room returns a file that has room for the bytes.
func (w *Writer) room(size int64) (*file, error) {
	if w.err != nil {
		return nil, w.err
	}
	if f := w.file; f != nil && f.records && (f.size+size > w.opts.MaxSize ||
		w.opts.MaxAge > 0 && time.Since(f.begun) >= w.opts.MaxAge) {
		w.file = nil
		if w.err = w.finish(f); w.err != nil {
			return nil, w.err
		}
	}
	if w.file == nil {
		f, err := w.begin()
		if err != nil {
			return nil, err
		}
		w.file = f
	}
	return w.file, nil
}

// begin begins a file.
func (w *Writer) begin() (*file, error) {
	p := newPress()
	now := precise(time.Now())
	for {
		w.serial++
		name := fmt.Sprintf("%s-%s-%05d%s", w.opts.Prefix, now.Format(stampLayout), w.serial, suffix)
		p.reset(w.dir, math.MaxInt, 0)
		p.begin(typeWarcinfo, newID(), now)
		p.field("WARC-Filename", name)
		p.block = appendFields(p.block[:0], w.opts.Info)
		p.block = appendFields(p.block, []Field{
			{"format", "WARC File Format 1.1"},
			{"conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
		})
		p.field("WARC-Block-Digest", digestOfBlock(p.block))
		if _, _, err := p.member("application/warc-fields", p.block, nil, nil); err != nil {
			return nil, err
		}
		f, err := create(w.dir, name, p.out.mem)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// Sync returns after everything written before the call is on the disk. Concurrent calls
// share a sync. If Sync fails, the records since the last sync may be lost, and the
// writer accepts no more.
func (w *Writer) Sync() error {
	w.mu.Lock()
	f, err := w.file, w.err
	if f == nil || err != nil {
		w.mu.Unlock()
		return err
	}
	wanted := f.size
	w.mu.Unlock()

	w.syncing.Lock()
	defer w.syncing.Unlock()
	w.mu.Lock()
	if w.err != nil || w.file != f || f.synced >= wanted {
		defer w.mu.Unlock()
		return w.err // another call has synced
	}
	size, sum, lines := f.size, f.sum, len(f.pending)
	w.mu.Unlock()

	// Other goroutines write meanwhile, and may even have finished the file.
	err = cmp.Or(f.place.Check(), f.f.Sync())

	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file != f {
		return w.err
	}
	if err != nil {
		// The system may drop data that it could not write, so a second sync proves
		// nothing.
		w.err = fmt.Errorf("sync the archive: %w", err)
		return w.err
	}
	f.synced, f.syncedSum = size, sum
	w.err = f.log(lines)
	return w.err
}

// Close syncs the files, gives the last file its final name, and sorts the index of all
// files of the folder into index.cdxj. That takes time in proportion to the index. If the
// process is killed meanwhile, the records are safe, and [Open] and Close can still build
// the index.
func (w *Writer) Close() error {
	w.syncing.Lock()
	defer w.syncing.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if errors.Is(w.err, errClosed) {
		return nil
	}
	err := w.err
	w.err = errClosed
	if f := w.file; f != nil {
		if w.file = nil; err != nil {
			f.close()
		} else {
			err = w.finish(f)
		}
	}
	if err == nil {
		err = w.sort()
	}
	if w.lock != nil {
		w.lock.Remove()
	}
	if err != nil {
		return fmt.Errorf("close the archive %s: %w", w.dir, err)
	}
	return nil
}

// sort sorts the index, and notes its size and checksum if it has changed.
func (w *Writer) sort() error {
	sum, err := sortIndex(w.dir)
	if err != nil || sum == nil {
		return err
	}
	info, err := os.Stat(filepath.Join(w.dir, indexName))
	if err != nil {
		return err
	}
	w.ended = append(w.ended, FileSize{indexName, info.Size(), sum.Sum32(), info.ModTime()})
	return nil
}

// castagnoli is the table of CRC-32C, for which processors have an instruction.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sortIndex merges the journals of finished files into the index. It returns the CRC-32C
// of the index, or nil if nothing changed.
func sortIndex(dir string) (hash.Hash32, error) {
	journals, err := filepath.Glob(filepath.Join(globQuote(dir), "*"+journalSuffix))
	if err != nil || len(journals) == 0 {
		return nil, err
	}
	index := filepath.Join(dir, indexName)
	var sorted []string
	if _, err := os.Stat(index); err == nil {
		sorted = []string{index}
	}
	f, err := os.Create(index + ".tmp")
	if err != nil {
		return nil, err
	}
	defer os.Remove(f.Name())
	sum := crc32.New(castagnoli)
	out := bufio.NewWriterSize(io.MultiWriter(f, sum), 256<<10)
	s := sorter{dir: dir, memory: sortMemory, fanIn: sortFanIn}
	err = cmp.Or(s.sortFiles(out, journals, sorted), out.Flush(), f.Sync())
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), index)
	}
	if err != nil {
		return nil, fmt.Errorf("sort the index: %w", err)
	}
	syncFolder(dir)
	for _, name := range journals {
		if err := os.Remove(name); err != nil {
			return nil, err // a repeated merge would write its lines once all the same
		}
	}
	return sum, nil
}

// globQuote quotes the special characters of a path for [filepath.Glob].
func globQuote(path string) string {
	if os.PathSeparator == '\\' {
		return path // on Windows a backslash does not quote
	}
	return strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, `\`, `\\`).Replace(path)
}
