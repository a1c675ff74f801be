package crawl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/objects"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A depot uploads what a worker has finished to an object store: the files of its archive, the
// index of each, and its results. The names of objects, below the name of the crawl:
//
//	archive/WORKER/FILE.warc.gz
//	archive/WORKER/FILE.cdxj        the lines of its index, sorted
//	archive/WORKER/FILE.json        a manifest: both are there, with their sizes and sums
//	results/WORKER/OFFSET.jsonl     whole lines of the results, from an offset on
//	checkpoint/…                    see checkpointer
//
// An object is written once. The store has a mark for each file that was uploaded, so that it is
// uploaded once; after a kill between the upload and the mark, the same objects are put again,
// which changes nothing.
type depot struct {
	*marker
	objects *objects.Store
	crawl   string // the name of the crawl and a slash
	worker  string
	log     *reporter
	every   time.Duration

	mu     sync.Mutex
	stored map[string]fileMark // by the name of a mark
	why    error               // of the last upload, if it failed

	cancel context.CancelFunc
	loop   sync.WaitGroup
}

// The names of marks of a depot.
const (
	markDepot  = "depot"   // a fileMark with the URL as its name
	markStored = "stored/" // prefix of the name of an archive file, or of the results: a fileMark
	storedRows = markStored + "results"
)

// archiveAge is the age at which a worker with an object store closes a file of its archive.
const archiveAge = 10 * time.Minute

// uploadEvery is how long a depot waits for more to upload, and after a failure.
const uploadEvery = 15 * time.Second

// tempCheckpoint is the pattern of temporary files of checkpoints.
const tempCheckpoint = "checkpoint-*.part"

// fullSegment is the number of bytes of results that are uploaded without a file of the archive,
// and maxSegment that of an object, which has whole lines.
const (
	fullSegment = 8 << 20
	maxSegment  = 64 << 20
)

// checkDepot returns an error for an object store that the crawl cannot have.
func checkDepot(c *run) error {
	switch {
	case c.ObjectStore == "":
		return nil
	case !c.handle.isShared():
		return errors.New("--store is for the workers of a crawl: share it with --worker, or leave --store out")
	}
	return objects.Check(c.ObjectStore)
}

// openDepot opens the object store, if the crawl has one.
func openDepot(ctx context.Context, c *run) error {
	if c.ObjectStore == "" {
		return nil
	}
	s, err := objects.Open(ctx, objects.Options{URL: c.ObjectStore, NATS: c.NATS,
		Replicas: c.shard.journal.Options().Replicas, Temp: c.Dir})
	if err != nil {
		return err
	}
	for _, pattern := range []string{"object-*", tempCheckpoint} { // of a process that was killed
		left, _ := filepath.Glob(filepath.Join(c.Dir, pattern)) // none, if the folder is itself a pattern
		for _, name := range left {
			os.Remove(name)
		}
	}
	d := &depot{marker: c.marker, objects: s, crawl: c.joiner.home.Name + "/", log: c.log,
		worker: fmt.Sprintf("%08x", c.joiner.home.worker()), stored: make(map[string]fileMark),
		every: cmp.Or(c.handle.testUploads, uploadEvery)}
	c.depot = d
	marks := make(map[string][]byte)
	same := c.marker.marks.files[markDepot].Name == s.String()
	for name, mark := range c.marker.marks.files {
		switch {
		case !strings.HasPrefix(name, markStored):
		case same:
			d.stored[name] = mark
		default:
			marks[name] = nil // it is in another store
		}
	}
	if r := c.marker.marks.files[markResults]; c.ResultsTo == nil {
		if _, marked := c.resultsName(); marked == r.Name {
			d.synced.Store(r.Size)
		}
	}
	marks[markDepot] = fileMark{Name: s.String()}.bytes()
	return d.store.SetMarks(marks)
}

// archiveOptions returns the options of the archive. Names of files of a worker with an object
// store have its number, so that they are unique in the crawl.
func archiveOptions(c *run) warc.Options {
	o := *c.Archive
	if c.depot != nil {
		o.Prefix = cmp.Or(o.Prefix, archivePrefix) + "-" + c.depot.worker
		o.MaxAge = cmp.Or(o.MaxAge, archiveAge)
	}
	return o
}

// start begins to upload in the background.
func (d *depot) start() {
	if d == nil {
		return
	}
	var ctx context.Context
	ctx, d.cancel = context.WithCancel(context.Background())
	d.loop.Go(func() {
		again := time.NewTimer(0)
		defer again.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-again.C:
			}
			err := d.upload(ctx, false)
			if ctx.Err() == nil {
				d.tell(err)
			}
			again.Reset(d.every)
		}
	})
}

// tell logs that uploads begin to fail, or go on.
func (d *depot) tell(err error) {
	d.mu.Lock()
	before := d.why
	d.why = err
	d.mu.Unlock()
	switch {
	case err != nil && before == nil:
		d.log.Warn("archives are not uploaded, and stay in the folder: the worker tries again", "error", err)
	case err == nil && before != nil:
		d.log.Info("archives are uploaded again")
	}
}

// stop ends what start began.
func (d *depot) stop() {
	if d != nil && d.cancel != nil {
		d.cancel()
		d.loop.Wait()
	}
}

// finish uploads all that is left, after the archive was closed.
func (d *depot) finish() error {
	if d == nil {
		return nil
	}
	err := d.upload(context.Background(), true)
	d.tell(err)
	if err == nil {
		return nil
	}
	left, countErr := d.left()
	if countErr != nil {
		return errors.Join(err, countErr)
	}
	return fmt.Errorf("%d files with %d bytes are not uploaded: start this worker again with its folder: %w",
		left.Files, left.Bytes, err)
}

func (d *depot) close() error {
	if d == nil {
		return nil
	}
	d.stop()
	return d.objects.Close()
}

// upload uploads the files that are finished, and the results behind those that are uploaded: all
// of them, or only when they are worth an object.
func (d *depot) upload(ctx context.Context, all bool) error {
	names, err := finishedArchives(d.config)
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := d.isStored(markStored + name); ok {
			continue
		}
		if err := d.uploadArchive(ctx, name); err != nil {
			return err
		}
		all = true
	}
	return d.uploadResults(ctx, all)
}

// finishedArchives returns the names of the finished files of an archive.
func finishedArchives(c *Config) (names []string, err error) {
	entries, err := os.ReadDir(c.archiveDir())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), archiveSuffix) {
			names = append(names, e.Name())
		}
	}
	return names, err
}

const (
	archivePrefix = "robots"
	archiveSuffix = ".warc.gz"
	openSuffix    = archiveSuffix + ".open" // of a file that is being written
)

func (d *depot) isStored(mark string) (fileMark, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	m, ok := d.stored[mark]
	return m, ok
}

// setStored marks something as uploaded.
func (d *depot) setStored(mark string, m fileMark) error {
	if err := d.store.SetMarks(map[string][]byte{mark: m.bytes()}); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stored[mark] = m
	return nil
}

// A manifest says that a file of an archive is in the store with its index.
type manifest struct {
	Version int            `json:"version"` // 1
	Worker  string         `json:"worker"`
	Entries int            `json:"entries"` // of the index
	Objects []objects.Info `json:"objects"`
}

// uploadArchive uploads a finished file of the archive, then its index, and then the manifest.
func (d *depot) uploadArchive(ctx context.Context, name string) error {
	f, err := os.Open(filepath.Join(d.config.archiveDir(), name))
	if err != nil {
		return err
	}
	defer f.Close()
	base := d.crawl + "archive/" + d.worker + "/" + strings.TrimSuffix(name, archiveSuffix)
	m := manifest{Version: 1, Worker: d.worker}
	put := func(name string, content io.Reader) error {
		info, err := d.objects.Put(ctx, name, content)
		m.Objects = append(m.Objects, info)
		return err
	}
	if err := put(base+archiveSuffix, f); err != nil {
		return err
	}
	lines, err := d.indexOf(name)
	if err != nil {
		return err
	}
	m.Entries = len(lines)
	if err := put(base+".cdxj", bytes.NewReader(bytes.Join(lines, nil))); err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := d.objects.Put(ctx, base+".json", bytes.NewReader(append(text, '\n'))); err != nil {
		return err
	}
	d.log.Info("a file of the archive is in the object store", "file", name, "bytes", m.Objects[0].Size, "entries",
		m.Entries)
	return d.setStored(markStored+name, fileMark{Size: m.Objects[0].Size})
}

// indexOf returns the lines of the index of a file of the archive, sorted. They are in a file of
// their own, or when the archive has been closed in the index of all.
func (d *depot) indexOf(name string) (lines [][]byte, err error) {
	part := strings.TrimSuffix(name, archiveSuffix) + ".cdxj.part"
	text, err := os.ReadFile(filepath.Join(d.config.archiveDir(), part))
	if err == nil {
		lines = slices.Collect(bytes.Lines(text))
	} else if errors.Is(err, fs.ErrNotExist) {
		of := []byte(`"filename":"` + name + `"`)
		err = readLines(filepath.Join(d.config.archiveDir(), "index.cdxj"), 0, func(_ int64, line []byte) error {
			if bytes.Contains(line, of) {
				lines = append(lines, append(bytes.TrimRight(bytes.Clone(line), "\n"), '\n'))
			}
			return nil
		})
		if errors.Is(err, fs.ErrNotExist) {
			err = nil // a file without pages
		}
	}
	slices.SortFunc(lines, bytes.Compare)
	return lines, err
}

// uploadResults uploads the results that are on the disk, in objects of whole lines.
func (d *depot) uploadResults(ctx context.Context, all bool) error {
	end := d.synced.Load()
	name, marked := d.config.resultsName()
	key, prefix := resultsMark(marked), d.crawl+"results/"+d.worker+"/"+resultsPrefix(marked)
	for {
		m, _ := d.isStored(key)
		from := m.Size
		if end <= from || !all && end-from < fullSegment {
			return nil
		}
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		to, err := lineEnd(f, from, end)
		if err == nil {
			object := fmt.Sprintf("%s%015d.jsonl", prefix, from)
			_, err = d.objects.Put(ctx, object, io.NewSectionReader(f, from, to-from))
			if errors.Is(err, objects.ErrExists) {
				// A process that was killed had put fewer lines there.
				if to, err = d.sizeOf(ctx, object); err == nil {
					to += from
					_, err = d.objects.Put(ctx, object, io.NewSectionReader(f, from, to-from))
				}
			}
		}
		f.Close()
		if err == nil {
			err = d.setStored(key, fileMark{Size: to})
		}
		if err != nil {
			return err
		}
	}
}

// sizeOf returns the size of an object.
func (d *depot) sizeOf(ctx context.Context, name string) (size int64, err error) {
	err = d.objects.List(ctx, name[:strings.LastIndexByte(name, '/')+1], func(i objects.Info) error {
		if i.Name == name {
			size = i.Size
		}
		return nil
	})
	return size, err
}

// lineEnd returns the end of the last line between two offsets, of which the second is the end of a
// line, that makes an object no larger than maxSegment.
func lineEnd(f *os.File, from, end int64) (int64, error) {
	if end-from <= maxSegment {
		return end, nil
	}
	last := make([]byte, 1<<20) // longer than a line
	at := from + maxSegment - int64(len(last))
	if _, err := f.ReadAt(last, at); err != nil {
		return 0, err
	}
	return at + int64(bytes.LastIndexByte(last, '\n')) + 1, nil
}

// resultsMark returns the name of the mark of results that were uploaded, and resultsPrefix the
// start of the names of their objects. The usual file has no name.
func resultsMark(marked string) string { return storedRows + resultsPrefix(marked) }

func resultsPrefix(marked string) string {
	if marked == "" {
		return ""
	}
	h := fnv.New64a()
	h.Write([]byte(marked))
	return hex.EncodeToString(h.Sum(nil)) + "-"
}

// An unstored is what a worker has not uploaded yet: its machine would lose it.
type unstored struct {
	Store string `json:"store"`
	Files int    `json:"files"`  // of the archive, with the one that is being written
	Bytes int64  `json:"octets"` // of these files and of the results
	Why   string `json:"why,omitempty"`
}

// left returns what is not uploaded.
func (d *depot) left() (*unstored, error) {
	if d == nil {
		return nil, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	u, err := unstoredIn(d.config, d.stored, d.synced.Load())
	if err != nil {
		return nil, err
	}
	if u.Store = d.objects.String(); d.why != nil {
		u.Why = printable.Clipped(d.why.Error(), 500)
	}
	return u, nil
}

// unstoredIn returns what a folder has that is not uploaded, with results of some bytes.
func unstoredIn(c *Config, stored map[string]fileMark, results int64) (*unstored, error) {
	u := &unstored{}
	entries, err := os.ReadDir(c.archiveDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if _, ok := stored[markStored+e.Name()]; ok || !strings.HasSuffix(e.Name(), archiveSuffix) &&
			!strings.HasSuffix(e.Name(), openSuffix) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // it was just finished
		}
		if err != nil {
			return nil, err
		}
		u.Files++
		u.Bytes += info.Size()
	}
	_, marked := c.resultsName()
	u.Bytes += max(0, results-stored[resultsMark(marked)].Size)
	return u, nil
}

// unstoredOf returns what a folder has that is not uploaded, or nil if it has no object store.
func unstoredOf(dir string, s *store.Store) (*unstored, error) {
	m, err := readMarks(s)
	if err != nil || m.files[markDepot].Name == "" {
		return nil, err
	}
	u, err := unstoredIn(&Config{Dir: dir, Results: m.files[markResults].Name}, m.files, m.files[markResults].Size)
	if err == nil {
		u.Store = m.files[markDepot].Name
	}
	return u, err
}
