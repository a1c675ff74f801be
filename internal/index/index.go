// Package index makes pages that a robot gathered searchable: titles,
// descriptions, keywords, headings and text, each word with a weight by the
// construct of HTML that it stands in.
//
//	x, err := index.Open("robots-index", index.Options{})
//	...
//	content, err := index.Extract(body, index.Source{Charset: doc.Charset.Name})
//	...
//	err = x.Put(index.NewPage(url, doc, doc.For("ExampleBot"), content))
//	...
//	err = x.Sync()
//	...
//	results, err := x.Search(ctx, index.Query{Text: `"polite robots" -fish site:example.com`})
//
// # What is kept
//
// An index is a folder. What was put is on the disk once [Index.Sync] has
// returned, and stays there whatever becomes of the process. A page that says
// noindex is not put, and is removed if it was there. Of a page that says
// nosnippet, and of sections with data-nosnippet, words are indexed and no text
// is stored.
//
// Package feed puts in what a crawl has kept. A [Distinct] keeps copies out.
//
// One process writes to an index at a time. Others may search it meanwhile, with
// Options.ReadOnly: they see all that was there when the writer's last Sync
// returned.
//
// # Words
//
// Words are compared without case and diacritics. Those in Cyrillic letters are
// brought to their stem as Russian ones; those in Hangul are matched by pairs of
// syllables, and particles at their ends do not count in a query; those in Latin
// letters are stemmed as English, as Spanish, or not at all, by the language of
// the page.
//
// # Queries
//
// All words of a query must match, in any order, best pages first. Words in
// quotes must stand one after the other, in any of their forms. -word leaves pages with a word out, as
// -"some words" does; site:example.com keeps to a host and what is below it,
// lang:es to a language; -site: and -lang: leave them out. Words that nearly all
// pages have, such as "the", need not match where there are others.
//
// Pages are ranked by how often the words stand on them and in what (BM25), by the words
// of their addresses, and by what other pages call them in links.
package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"

	"github.com/robotsexclusion/robots/internal/printable"
)

// DefaultMaxText is how much text of a page is indexed where Options says
// nothing else: 64 KiB.
const DefaultMaxText = 64 << 10

// DefaultMemory is how much text waits in memory where Options says nothing
// else: 4 MiB.
const DefaultMemory = 4 << 20

// Options says how an index is used. The zero Options are to write to it.
type Options struct {
	// ReadOnly opens the index for searches, also while another process
	// writes to it. Put, Remove and Sync fail then.
	ReadOnly bool

	// MaxText is how many bytes of text of a page are indexed at most, its
	// title, description and keywords not counted. 0 stands for
	// DefaultMaxText.
	MaxText int

	// Memory is how many bytes of text, with what is stored of it, wait in
	// memory at most before they are written; as much again may be written
	// meanwhile. Less of it takes more time: BenchmarkPut shows both. 0 stands
	// for DefaultMemory.
	Memory int
}

// Errors that callers may look for.
var (
	// ErrLocked tells that another process writes to the index.
	ErrLocked = errors.New("another process writes to it: wait until it has finished, or stop it")

	// ErrMissing tells that there is no index to read.
	ErrMissing = errors.New("there is no index")

	// ErrClosed tells that the index was closed.
	ErrClosed = errors.New("it is closed")

	// ErrDamaged tells that parts of the index are missing or unreadable.
	ErrDamaged = errors.New("it is damaged: remove the folder and index the pages again")

	errReadOnly = errors.New("it was opened for searches only")
)

// An Index is a folder with an index. Its methods may be called from several
// goroutines. Where writing fails, for want of room on the disk for example, the
// Index takes nothing more: close it and open it again, and put again what was
// not synced.
type Index struct {
	dir       string
	options   Options
	analysers sync.Pool // of *analyser

	mu      sync.Mutex // guards what follows
	batch   *batch
	closed  bool
	failure error // of writing; it stays

	flushing  sync.Mutex // held while a batch is written, so that batches keep their order
	unshown   bool       // batches were written since the last snapshot; guarded by flushing
	published uint64     // number of the last snapshot; guarded by flushing

	// storeMu guards store. It is held for reading while the store is in use.
	storeMu sync.RWMutex
	store   *store
	shown   uint64 // number of the snapshot that is read, if ReadOnly
}

// A store is the index of Bleve, in a folder of its own.
type store struct {
	*scorch.Scorch
	queue   *bleve.AnalysisQueue
	path    string
	broken  func(error)   // told of what fails beside calls
	stopped chan struct{} // closed when the store is to close
	once    sync.Once
	dead    chan struct{} // closed when what writes has ended by a mistake of Bleve
	died    sync.Once
}

// Open opens the index in a folder, or makes one there, unless it is opened for
// searches only.
func Open(dir string, o Options) (*Index, error) {
	if o.MaxText <= 0 {
		o.MaxText = DefaultMaxText
	}
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	x := &Index{dir: dir, options: o, batch: newBatch()}
	x.analysers.New = func() any { return newAnalyser() }
	var err error
	if o.ReadOnly {
		err = x.refresh()
	} else {
		err = x.openToWrite()
	}
	if err != nil {
		return nil, x.failed("open", err)
	}
	return x, nil
}

// openToWrite opens the store, or makes it, and shows what is in it to others.
func (x *Index) openToWrite() error {
	if err := os.MkdirAll(x.dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(x.dir, storeName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if err := x.makeStore(path); err != nil {
			return err
		}
	}
	// It is looked at before anything in it can change.
	s, err := openWhole(path)
	if err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	if s, err = openStore(path, false, func(err error) { x.fail(err) }); err != nil {
		return err
	}
	x.store = s
	x.flushing.Lock()
	defer x.flushing.Unlock()
	if err := x.publish(); err != nil {
		s.close()
		return err
	}
	return nil
}

// makeStore makes an empty store. It appears when it is whole: a process may be
// killed at any moment.
func (x *Index) makeStore(path string) error {
	// Somebody may have named a wrong folder.
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, _, ok := snapshotNumber(e.Name()); !ok && !strings.HasPrefix(e.Name(), storeName+"-") {
			return fmt.Errorf("the folder has %s in it and no index: name an empty one, or one that does not exist", printable.Quoted(e.Name(), 80))
		}
	}
	temporary, err := os.MkdirTemp(x.dir, storeName+"-*.new")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	s, err := openStore(temporary, false, func(error) {})
	if err != nil {
		return err
	}
	err = s.SetInternal(formatKey, []byte(format))
	if closeErr := s.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err := os.Rename(temporary, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil // another process may have made one meanwhile
}

// Put adds a page, or replaces that of the same URL. One that says noindex is
// removed instead. The page is searchable some time later, and on the disk after
// Sync. Put waits where too much is to be written already.
func (x *Index) Put(p *Page) error {
	if p.NoIndex {
		return x.Remove(p.URL)
	}
	if err := checkURL(p.URL); err != nil {
		return x.failed("put", err)
	}
	if err := x.writable(); err != nil {
		return x.failed("put", err)
	}
	a := x.analysers.Get().(*analyser)
	d, err := a.document(p, x.options.MaxText)
	x.analysers.Put(a)
	if err != nil {
		return x.failed("put", err)
	}
	return x.add(p.URL, d)
}

// Remove removes the page of a URL, if there is one.
func (x *Index) Remove(url string) error {
	if err := checkURL(url); err != nil {
		return x.failed("remove", err)
	}
	return x.add(url, nil)
}

// Sync writes all that was put and removed before. When it has returned without
// an error, that is on the disk, and searches of other processes find it. It
// takes some milliseconds even for a single page: sync many at once.
func (x *Index) Sync() error {
	if err := x.flush(); err != nil {
		return x.failed("write", err)
	}
	x.flushing.Lock()
	defer x.flushing.Unlock()
	if !x.unshown {
		return nil
	}
	if err := x.writable(); err != nil { // it may have been closed meanwhile
		return x.failed("write", err)
	}
	if err := x.publish(); err != nil {
		return x.failed("write", x.fail(err))
	}
	x.unshown = false
	return nil
}

// Len returns the number of pages that can be found now.
func (x *Index) Len() (int, error) {
	var n uint64
	err := x.read(func(r *scorch.IndexSnapshot) (err error) {
		n, err = r.DocCount()
		return err
	})
	if err != nil {
		return 0, x.failed("read", err)
	}
	return int(n), nil
}

// Close writes what waits, unless writing failed before, and closes the index.
// The error is that of writing. A second Close does nothing.
func (x *Index) Close() error {
	x.mu.Lock()
	if x.closed {
		x.mu.Unlock()
		return nil
	}
	failed := x.failure != nil
	x.mu.Unlock()
	var err error
	if !failed && !x.options.ReadOnly {
		err = x.Sync()
	}
	x.mu.Lock()
	again := x.closed
	x.closed = true
	x.batch = newBatch()
	x.mu.Unlock()
	if again {
		return nil
	}
	x.flushing.Lock() // wait for what is being written
	defer x.flushing.Unlock()
	x.storeMu.Lock()
	defer x.storeMu.Unlock()
	if closeErr := x.store.close(); err == nil && closeErr != nil && !failed {
		err = x.failed("close", closeErr)
	}
	x.store = nil
	return err
}

// writable returns why nothing can be written, if so.
func (x *Index) writable() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.options.ReadOnly:
		return errReadOnly
	case x.closed:
		return ErrClosed
	}
	return x.failure
}

// fail notes that writing failed, and returns the first failure, which stays.
func (x *Index) fail(err error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.failure == nil {
		x.failure = err
	}
	return x.failure
}

// failed returns an error with what was tried, and where.
func (x *Index) failed(act string, err error) error {
	return fmt.Errorf("%s index %s: %w", act, x.dir, err)
}

// read calls f with what can be found now.
func (x *Index) read(f func(*scorch.IndexSnapshot) error) (err error) {
	if err := x.refresh(); err != nil {
		return err
	}
	x.storeMu.RLock()
	defer x.storeMu.RUnlock()
	if x.store == nil {
		return ErrClosed
	}
	return x.store.read(f)
}
