// Package feed makes a crawl searchable: it reads the results.jsonl of the crawl, reads
// the answers from its archive, and adds the pages to an index. It follows a running
// crawl, or indexes an earlier one.
//
//	f, err := feed.Open("crawl", feed.Options{})
//	...
//	defer f.Close()
//	err = f.Update(ctx) // or, beside a crawl that runs, Follow
//
// # What is indexed
//
// A page is indexed if it was visited, may be indexed, and is HTML or plain text. A
// page is removed if it is gone (404, 410 and the like), redirects, has another type
// now, says noindex or is closed by robots.txt. A temporary failure, such as a server
// that is down, changes nothing.
//
// A search should find a page once. Of several pages with the same bytes the feeder
// keeps the first one in the index, and a page that names another URL as its canonical
// one (rel=canonical, or META URL in a mirror) is left out while the index has that
// page. If the index does not have that page, because it does not exist, may not be
// indexed or was never visited, the copy is kept. A page that was left out, or said
// noindex, gets its next chance when the crawl visits it again and finds it changed:
// the archive has no copy of an unchanged page.
//
// # Beside a crawl
//
// A Feeder shares only files with the crawl, and lags behind rather than delay it. The
// calling goroutine does all of the Feeder's own work, and yields after each line. A
// line that is unusable, because of itself or of the archive, is counted, logged, and
// skipped.
//
// A Feeder saves its position in the folder of the index after the pages up to there
// are on the disk. After a kill it reads some lines again, which does no harm: a page
// replaces itself.
package feed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/index"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The names of files in the folder of a crawl.
const (
	resultsName = "results.jsonl"
	archiveName = "archive"
	indexName   = "index"
)

// IndexIn returns the folder of the index in the folder of a crawl.
func IndexIn(crawl string) string { return filepath.Join(crawl, indexName) }

// IsCrawl reports whether a folder belongs to a crawl. It looks for files that an index does not
// have.
func IsCrawl(dir string) bool {
	_, err := os.Stat(IndexIn(dir))
	return err == nil || HasResults(dir)
}

// HasResults reports whether a folder has the results of a crawl.
func HasResults(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, resultsName))
	return err == nil
}

// Options configure a Feeder. The zero Options are ready to use.
type Options struct {
	// Index is the folder of the index; empty means "index" in the folder of the crawl.
	// An index belongs to one crawl.
	Index string

	// Target takes the pages in place of an index. Index is then the folder of the position only,
	// and if it is empty, all results are read each time.
	Target Target

	// Afresh ignores the position of the last Feeder.
	Afresh bool

	// Results is the results file; empty means the file of the last run, and in the
	// first run results.jsonl in the folder of the crawl.
	Results string

	// Robot lists the product tokens whose directives the crawling robot obeys in
	// pages, the closest first. The results say whether the robot may index a page, but
	// the page says by name what the robot may show. Nil means the tokens of the last
	// run, or any robot.
	Robot []string

	// Pause is how long Follow waits at the end of the results; 0 means two seconds.
	Pause time.Duration

	// Memory is the memory of the index, in bytes; see [index.Options].
	Memory int

	// Log receives skipped lines with the reasons. Nil disables it.
	Log *slog.Logger
}

// A Target takes the pages of a crawl in the order of the results. The Feeder closes it.
type Target interface {
	// Put adds a page, or replaces the page of the same URL, as [index.Distinct.Put] does.
	Put(p *index.Page) (instead string, removed []string, err error)

	// Remove removes the page of a URL that was looked at then, and reports whether it was there.
	Remove(url string, at time.Time) (bool, error)

	// Sync returns when the pages are safe: the next Feeder does not repeat them.
	Sync() error
	Close() error
}

// own is the index of a crawl.
type own struct {
	*index.Distinct
	index *index.Index
}

// Remove implements [Target].
func (o own) Remove(url string, _ time.Time) (bool, error) { return o.Distinct.Remove(url) }

// Close implements [Target].
func (o own) Close() error { return o.index.Close() }

// Status has the counts of a Feeder since it was opened.
type Status struct {
	Indexed int64 // pages put, including replaced ones
	Removed int64 // pages removed from the index
	Left    int64 // pages left out because another page has the same content, or is their canonical one
	Passed  int64 // lines skipped because they, or their records in the archive, are unusable
	Lines   int64 // lines read
}

// String returns the counts of what changed in the index.
func (s Status) String() string {
	text := language.Count(int(s.Indexed), "page") + " indexed"
	if s.Removed > 0 {
		text += fmt.Sprintf(", %d removed", s.Removed)
	}
	if s.Left > 0 {
		text += fmt.Sprintf(", %d left out for the same page at another URL", s.Left)
	}
	if s.Passed > 0 {
		text += fmt.Sprintf(", %d that could not be read", s.Passed)
	}
	return text
}

// A Feeder adds the pages of one crawl to its index. One goroutine at a time may call
// Update and Follow. The other methods are safe for concurrent use.
type Feeder struct {
	options Options
	log     *slog.Logger
	told    int // number of skipped lines that were logged

	target   Target
	archive  archive
	results  results
	kept     position  // position on the disk
	synced   time.Time // time of the last sync
	unsynced int       // lines read since then

	mu     sync.Mutex
	status Status
}

// Open opens or creates the index of a crawl, and continues at the position of the last
// Feeder. The crawl need not have begun.
func Open(dir string, o Options) (*Feeder, error) {
	if o.Pause <= 0 {
		o.Pause = 2 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	exports := o.Target != nil
	if !exports {
		o.Index = cmp.Or(o.Index, filepath.Join(dir, indexName))
		x, err := index.Open(o.Index, index.Options{Memory: o.Memory})
		if err != nil {
			return nil, err
		}
		o.Target = own{index.NewDistinct(x), x}
	} else if o.Index != "" {
		if err := os.MkdirAll(o.Index, 0o777); err != nil {
			o.Target.Close()
			return nil, err
		}
	}
	f := &Feeder{
		options: o, log: o.Log, synced: time.Now(),
		target: o.Target, archive: archive{dir: filepath.Join(dir, archiveName)},
	}
	var err error
	if o.Index != "" && !o.Afresh {
		if f.kept, err = readPosition(o.Index); err != nil {
			f.log.Warn("it is not known how far the crawl is indexed: all of it is indexed again", "error", err)
		}
	}
	if exports {
		f.adopt(filepath.Join(dir, indexName))
	}
	if f.options.Robot == nil {
		f.options.Robot = f.kept.Robot
	}
	if o.Results == "" {
		f.options.Results = f.kept.Results
	} else if f.options.Results, err = filepath.Abs(o.Results); err != nil {
		f.target.Close()
		return nil, err
	}
	f.results = results{name: cmp.Or(f.options.Results, filepath.Join(dir, resultsName)), position: f.kept}
	return f, nil
}

// adopt takes the options that the last Feeder did not have from that of the index of the crawl.
func (f *Feeder) adopt(ofIndex string) {
	p, err := readPosition(ofIndex)
	if err != nil {
		return // an index that is damaged has no part in this
	}
	f.kept.Results = cmp.Or(f.kept.Results, p.Results)
	if f.kept.Robot == nil {
		f.kept.Robot = p.Robot
	}
}

// Update indexes all results of the crawl. The error is that of ctx if ctx ended first;
// the work until then is kept. Any other error comes from the disk or the index, and
// the Feeder is unusable after it.
func (f *Feeder) Update(ctx context.Context) error {
	if err := f.read(ctx); err != nil {
		// The work done so far is not lost, but the first error says more.
		if syncErr := f.sync(); ctx.Err() != nil && syncErr != nil {
			return syncErr
		}
		return err
	}
	return f.sync()
}

// Follow indexes results as the crawl writes them. It returns after the caller has
// closed the channel ended, which means that the crawl has ended, and all results are
// indexed. The errors are those of Update.
func (f *Feeder) Follow(ctx context.Context, ended <-chan struct{}) error {
	for last := false; ; {
		select {
		case <-ended:
			last = true // no more results will come
		default:
		}
		if err := f.Update(ctx); err != nil || last {
			return err
		}
		pause := time.NewTimer(f.options.Pause)
		select {
		case <-ctx.Done():
		case <-ended:
		case <-pause.C:
		}
		pause.Stop()
	}
}

// Status returns the counts so far.
func (f *Feeder) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Behind returns the number of lines in the results that are not indexed yet. It reads
// these lines.
func (f *Feeder) Behind() (lines int64, err error) {
	f.mu.Lock()
	at := f.results.Offset
	f.mu.Unlock()
	in, _, err := f.results.open()
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer in.Close()
	if _, err := in.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	return countLines(in)
}

// Close closes the index, or the Target.
func (f *Feeder) Close() error { return f.target.Close() }

// How often the index is synced while there are more results.
const (
	syncAfter = 10 * time.Second
	syncLines = 5000
)

// read indexes the results up to the last complete line.
func (f *Feeder) read(ctx context.Context) error {
	in, size, err := f.results.open()
	if errors.Is(err, fs.ErrNotExist) {
		return ctx.Err() // there are no results yet
	}
	if err != nil {
		return fmt.Errorf("read the results of the crawl: %w", err)
	}
	defer in.Close()
	same, err := f.results.isContinued(in, size)
	if err != nil {
		return fmt.Errorf("read the results of the crawl: %w", err)
	}
	if !same {
		f.log.Warn("the results are not those of the last time: all of them are indexed", "file", f.results.name)
		f.rewind()
	}
	lines := f.results.lines(in)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := lines.next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the results of the crawl: %w", err)
		}
		if err := f.take(line); err != nil {
			return err
		}
		f.mu.Lock()
		f.results.Offset = lines.end
		f.status.Lines++
		f.mu.Unlock()
		if f.unsynced++; f.unsynced >= syncLines || time.Since(f.synced) >= syncAfter {
			if err := f.sync(); err != nil {
				return err
			}
		}
		runtime.Gosched()
	}
}

// rewind starts again at the first line.
func (f *Feeder) rewind() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results.position, f.results.scanned = position{}, position{}
}

// sync syncs the index to the disk, and then saves the position.
func (f *Feeder) sync() error {
	f.synced = time.Now()
	if f.unsynced == 0 && f.kept.Offset == f.results.Offset {
		return nil
	}
	if err := f.target.Sync(); err != nil {
		return err
	}
	now, err := f.results.mark()
	if err != nil {
		return fmt.Errorf("read the results of the crawl: %w", err)
	}
	now.Robot, now.Results = f.options.Robot, f.options.Results
	if f.options.Index != "" {
		if err := now.write(f.options.Index); err != nil {
			return fmt.Errorf("note how far the crawl is indexed: %w", err)
		}
	}
	f.mu.Lock()
	f.results.position = now
	f.mu.Unlock()
	f.kept, f.unsynced = now, 0
	return nil
}

// add increments a counter of the status.
func (f *Feeder) add(n *int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*n++
}

// maxTold limits the skipped lines that are logged one by one.
const maxTold = 20

// pass skips a line.
func (f *Feeder) pass(why error, url string) {
	f.add(&f.status.Passed)
	switch f.told++; {
	case f.told <= maxTold:
		f.log.Warn("not indexed", "url", printable.Clipped(url, 200), "error", why)
	case f.told == maxTold+1:
		f.log.Warn("more is not indexed, and only counted from now on")
	}
}

// isRegular returns an error unless the file is regular.
func isRegular(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", info.Name())
	}
	return nil
}

// openRegular opens a regular file for reading. It does not open files that could
// block.
func openRegular(name string) (*os.File, int64, error) {
	info, err := os.Stat(name)
	if err == nil {
		err = isRegular(info)
	}
	if err != nil {
		return nil, 0, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	if info, err = f.Stat(); err == nil {
		err = isRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
