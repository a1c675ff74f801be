// Package index makes pages that a robot gathered searchable: titles, descriptions,
// keywords, headings and text. Each word has a weight by its construct of HTML.
//
//	x, err := index.Open("robots-index", index.Options{})
//	...
//	p, _, err := index.Read(url, body, page.Options{}, index.Source{}, "ExampleBot")
//	...
//	err = x.Put(p)
//	...
//	err = x.Sync()
//	...
//	results, err := x.Search(ctx, index.Query{Text: `"polite robots" -fish site:example.com`})
//
// # What is kept
//
// An index is a folder. Changes are on the disk after [Index.Sync] has returned, and
// survive the end of the process. A page that says noindex is not added, and is removed
// if the index has it. For a page that says nosnippet, and for sections with
// data-nosnippet, words are indexed and no text is stored.
//
// Package feed adds the pages of a crawl. A [Distinct] leaves out copies.
//
// One process writes to an index at a time. Other processes may search it meanwhile,
// with Options.ReadOnly: they see the state at the return of the last Sync before they
// opened it.
//
// # Words
//
// Words are compared without case and diacritics. Words in Cyrillic letters are stemmed
// as Russian. Words in Hangul are matched by pairs of syllables, and a query ignores
// particles at their ends. Words in Latin letters are stemmed as English, as Spanish,
// or not at all, by the language of the page.
//
// # Queries
//
// All words of a query must match, in any order, and the best pages come first. Words
// in quotes must be adjacent and in order, in any of their forms. -word excludes pages
// with a word, and -"some words" with a phrase; site:example.com restricts results to a
// host and its subdomains, lang:es to a language; -site: and -lang: exclude them. Words
// that nearly all pages have, such as "the", need not match if the query has others.
//
// Pages are ranked by the frequency and constructs of the words in their text (BM25),
// by the words of their addresses, and by the text of links to them.
package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// maxText limits the indexed text of a page, in bytes, without its title, description and
// keywords.
const maxText = 64 << 10

// DefaultMemory is the default of Options.Memory: 4 MiB.
const DefaultMemory = 4 << 20

// Options configure an index. The zero Options open it for writing.
type Options struct {
	// ReadOnly opens the last state of the index for searches, even while another process
	// writes to it. Put, Remove and Sync then fail.
	ReadOnly bool

	// Memory limits the pending text in memory, in bytes, with the stored data of its
	// pages; as much again may be in a write under way. A smaller value takes more
	// time: BenchmarkPut shows both. 0 means DefaultMemory.
	Memory int
}

// Errors that callers may check for.
var (
	// ErrLocked means that another process writes to the index.
	ErrLocked = errors.New("another process writes to it: wait until it has finished, or stop it")

	// ErrMissing means that there is no index to read.
	ErrMissing = errors.New("there is no index")

	// ErrClosed means that the index was closed.
	ErrClosed = errors.New("it is closed")

	// ErrDamaged means that parts of the index are missing or unreadable.
	ErrDamaged = errors.New("it is damaged: remove the folder and index the pages again")

	errReadOnly = errors.New("it was opened for searches only")
)

// An Index is a folder with an index. It is safe for concurrent use. After a failed
// write, for example on a full disk, the Index accepts no more changes: close it, open
// it again, and repeat the changes since the last Sync.
type Index struct {
	dir       string
	options   Options
	analysers sync.Pool // of *analyser

	mu      sync.Mutex   // guards the fields below
	pending *bleve.Batch // the last change of a page wins
	size    int          // of the text in it, including pages that were replaced since
	closed  bool
	failure error // of a write; it is permanent

	flushing  sync.Mutex // held while a batch is written, which keeps batches in order
	unshown   bool       // batches were written since the last snapshot; guarded by flushing
	published uint64     // number of the last snapshot; guarded by flushing

	// storeMu guards store, which is nil after Close. It is held for reading while the
	// store is in use.
	storeMu sync.RWMutex
	store   *store
}

// A store is the index of Bleve, in a folder of its own.
type store struct {
	*scorch.Scorch
	queue   *bleve.AnalysisQueue
	path    string
	broken  func(error)   // called with errors outside of calls
	stopped chan struct{} // closed when the store must close
	dead    chan struct{} // closed when the writer has died of a bug in Bleve
	died    sync.Once
}

// Open opens the index in a folder. It creates the index if it is missing, except with
// Options.ReadOnly.
func Open(dir string, o Options) (*Index, error) {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	x := &Index{dir: dir, options: o, pending: bleve.NewBatch()}
	x.analysers.New = func() any { return newAnalyser() }
	var err error
	if o.ReadOnly {
		x.store, err = openSnapshot(dir)
	} else {
		err = x.openToWrite()
	}
	if err != nil {
		return nil, x.failed("open", err)
	}
	return x, nil
}

// openToWrite opens or creates the store, and publishes its contents to readers.
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
	// Check the store before anything in it can change.
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

// makeStore creates an empty store. The store appears under its name when it is
// complete, because the process may be killed at any moment.
func (x *Index) makeStore(path string) error {
	// The caller may have named a wrong folder.
	entries, err := os.ReadDir(x.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !isOurs(e.Name()) {
			return fmt.Errorf("the folder has %s in it and no index: name an empty one, or one that does not exist",
				printable.Quoted(e.Name(), 80))
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
	return nil // another process may have created one meanwhile
}

// Put adds a page, or replaces the page of the same URL. A page that says noindex is
// removed instead. The page becomes searchable some time later, and is on the disk
// after Sync. Put waits while too many changes are pending.
func (x *Index) Put(p *Page) error {
	if p.NoIndex {
		return x.Remove(p.URL)
	}
	if err := checkURL(p.URL); err != nil {
		return x.failed("add to", err)
	}
	a := x.analysers.Get().(*analyser)
	d, size, err := a.document(p)
	x.analysers.Put(a)
	if err != nil {
		return x.failed("add to", err)
	}
	return x.change(size, func(b *bleve.Batch) { b.Update(d) })
}

// Remove removes the page of a URL, if there is one.
func (x *Index) Remove(url string) error {
	if err := checkURL(url); err != nil {
		return x.failed("remove pages from", err)
	}
	return x.change(len(url), func(b *bleve.Batch) { b.Delete(url) })
}

// Sync writes all pending changes. After it has returned without an error, the changes
// are on the disk, and searches of other processes find them. A Sync takes some
// milliseconds even for a single page: sync many changes at once.
func (x *Index) Sync() error {
	if err := x.flush(); err != nil {
		return x.failed("write", err)
	}
	x.flushing.Lock()
	defer x.flushing.Unlock()
	if !x.unshown {
		return nil
	}
	if err := x.writable(); err != nil { // the index may have been closed meanwhile
		return x.failed("write", err)
	}
	if err := x.publish(); err != nil {
		return x.failed("write", x.fail(err))
	}
	x.unshown = false
	return nil
}

// Close writes pending changes, unless an earlier write failed, and closes the index.
// The error is that of the write. A second Close does nothing.
func (x *Index) Close() (err error) {
	failed := x.writable()
	if failed == nil {
		err = x.Sync()
	}
	x.mu.Lock()
	again := x.closed
	x.closed = true
	x.pending = bleve.NewBatch()
	x.mu.Unlock()
	if again {
		return nil
	}
	x.flushing.Lock() // wait for the write under way
	defer x.flushing.Unlock()
	x.storeMu.Lock()
	defer x.storeMu.Unlock()
	if closeErr := x.store.close(); err == nil && closeErr != nil && failed == nil {
		err = x.failed("close", closeErr)
	}
	x.store = nil
	return err
}

// maxInBatch limits the pending pages: small pages need memory too.
const maxInBatch = 1000

// change makes a pending change with a text of a size, and writes all of them if there
// are many.
func (x *Index) change(size int, apply func(*bleve.Batch)) error {
	x.mu.Lock()
	err := x.refusal()
	if err == nil {
		apply(x.pending)
		x.size += size
	}
	full := x.size >= x.options.Memory || len(x.pending.IndexOps) >= maxInBatch
	x.mu.Unlock()
	if err == nil && full {
		err = x.flush()
	}
	if err != nil {
		return x.failed("write", err)
	}
	return nil
}

// flush writes pending changes. A concurrent caller waits for the next batch, so at
// most two batches are in memory.
func (x *Index) flush() error {
	x.flushing.Lock()
	defer x.flushing.Unlock()
	x.mu.Lock()
	b, err := x.pending, x.refusal()
	if err == nil {
		x.pending, x.size = bleve.NewBatch(), 0
	}
	x.mu.Unlock()
	if err != nil || len(b.IndexOps) == 0 {
		return err
	}
	if err := x.store.write(b); err != nil {
		return x.fail(err)
	}
	x.unshown = true
	return nil
}

// writable returns the reason why the index accepts no changes, or nil.
func (x *Index) writable() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.refusal()
}

// refusal is writable with x.mu held.
func (x *Index) refusal() error {
	switch {
	case x.options.ReadOnly:
		return errReadOnly
	case x.closed:
		return ErrClosed
	}
	return x.failure
}

// fail records a failed write, and returns the first failure, which is permanent.
func (x *Index) fail(err error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.failure == nil {
		x.failure = err
	}
	return x.failure
}

// failed wraps err with the action and the folder.
func (x *Index) failed(act string, err error) error {
	return fmt.Errorf("cannot %s the index %s: %w", act, x.dir, userfile.Cause(err))
}

// read calls f with the searchable state.
func (x *Index) read(f func(*scorch.IndexSnapshot) error) (err error) {
	x.storeMu.RLock()
	defer x.storeMu.RUnlock()
	if x.store == nil {
		return ErrClosed
	}
	return x.store.read(f)
}
