// Package feed makes a crawl searchable: it reads what the crawl tells in its
// results.jsonl, takes the answers out of its archive, and puts the pages into an
// index. It follows a crawl that is running, or takes up one that was made before.
//
//	f, err := feed.Open("crawl", feed.Options{})
//	...
//	defer f.Close()
//	err = f.Update(ctx) // or, beside a crawl that runs, Follow
//
// # What is indexed
//
// A page that was visited and may be indexed, of HTML or plain text. One that is gone
// (404, 410 and the like), that leads elsewhere, is of another type now, says noindex
// or is closed by robots.txt is removed. What failed for now, as a server that is down,
// changes nothing.
//
// Somebody who searches wants a page once. So of pages with the same bytes the one
// that was there first is kept, and a page that names another URL as its canonical one
// (rel=canonical, or META URL in a mirror) is left out as long as that page is in the
// index. If it is not, because it does not exist, may not be indexed or was never
// visited, the page is worth more than nothing, and kept. What was left out, or said
// noindex, has its next chance when the crawl visits it again and finds it changed: of
// what is as it was the archive has no copy.
//
// # Beside a crawl
//
// A Feeder shares nothing with the crawl but files, and lags behind rather than make
// it wait. All of its own work is done by the one goroutine that calls it, which lets
// others go first after each line. A line that cannot be used, whatever is wrong with
// it or with the archive, is counted, told in the log, and passed over.
//
// Where it is, it notes in the folder of the index after the pages up to there are on
// the disk. Killed, it takes some lines again, which does no harm: a page is put in its
// own place.
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

	"github.com/robotsexclusion/robots/internal/index"
	"github.com/robotsexclusion/robots/internal/printable"
)

// The names of what a crawl keeps in its folder.
const (
	resultsName = "results.jsonl"
	archiveName = "archive"
	indexName   = "index"
)

// Options says how a crawl is indexed. The zero Options are good.
type Options struct {
	// Index is the folder of the index; empty means "index" in that of the crawl.
	// It is of one crawl.
	Index string

	// Results is the file of results; empty means that of the last time, and at
	// first results.jsonl in the folder of the crawl.
	Results string

	// Robot are the product tokens by which the robot that crawled obeys pages,
	// the closest first. What it may index the results tell, but what it may show
	// pages say to it by name. Nil means those of the last time, or any robot.
	Robot []string

	// Pause is how long Follow waits where the crawl has told no more; 0 means
	// two seconds.
	Pause time.Duration

	// Memory is that of the index, in bytes; see [index.Options].
	Memory int

	// Log gets what was passed over, and why. Nil means nothing.
	Log *slog.Logger
}

// Status is what a Feeder has done since it was opened.
type Status struct {
	Indexed int64 // pages put, those that were there before too
	Removed int64 // pages that were there, and are not any more
	Left    int64 // pages left out because another has the same content, or is their canonical one
	Passed  int64 // lines passed over because they, or the record in the archive, cannot be used
	Lines   int64 // read in all
}

// A Feeder puts the pages of one crawl into its index. Update and Follow are to be
// called by one goroutine at a time, the others by any.
type Feeder struct {
	dir     string
	options Options
	index   *index.Index
	log     *slog.Logger
	told    int // what was passed over and told in the log

	distinct *index.Distinct
	archive  archive
	results  results
	kept     position  // that is on the disk
	synced   time.Time // when that was
	unsynced int       // lines read since

	mu     sync.Mutex
	status Status
}

// Open opens the index of a crawl, or makes one, and goes on where the last Feeder
// was. The crawl need not have begun.
func Open(dir string, o Options) (*Feeder, error) {
	if o.Index == "" {
		o.Index = filepath.Join(dir, indexName)
	}
	if o.Pause <= 0 {
		o.Pause = 2 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	x, err := index.Open(o.Index, index.Options{Memory: o.Memory})
	if err != nil {
		return nil, err
	}
	f := &Feeder{
		dir: dir, options: o, index: x, log: o.Log, synced: time.Now(),
		distinct: index.NewDistinct(x), archive: archive{dir: filepath.Join(dir, archiveName)},
	}
	if f.kept, err = readPosition(o.Index); err != nil {
		f.log.Warn("it is not known how far the crawl is indexed: all of it is indexed again", "error", err)
	}
	if f.options.Robot == nil {
		f.options.Robot = f.kept.Robot
	}
	if f.options.Results == "" {
		f.options.Results = f.kept.Results
	} else if f.options.Results, err = filepath.Abs(o.Results); err != nil {
		x.Close()
		return nil, err
	}
	f.results = results{name: cmp.Or(f.options.Results, filepath.Join(dir, resultsName)), position: f.kept}
	return f, nil
}

// Update indexes all that the crawl has told. The error is that of ctx if that ended
// before; what was done until then is kept. Any other is one of the disk or the index,
// and the Feeder is of no more use then.
func (f *Feeder) Update(ctx context.Context) error {
	if err := f.read(ctx); err != nil {
		// What was done is not lost, but the first error says more.
		if syncErr := f.sync(); ctx.Err() != nil && syncErr != nil {
			return syncErr
		}
		return err
	}
	return f.sync()
}

// Follow indexes what the crawl tells, as it is told, until the crawl has ended, which
// the caller says by closing a channel, and all that it told is indexed. The errors are
// those of Update.
func (f *Feeder) Follow(ctx context.Context, ended <-chan struct{}) error {
	for last := false; ; {
		select {
		case <-ended:
			last = true // what is told is all that there will be
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

// Status returns what was done.
func (f *Feeder) Status() Status {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.status
}

// Behind returns how many lines of the results are not indexed yet. It reads them.
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

// Close closes the index.
func (f *Feeder) Close() error { return f.index.Close() }

// How often the index is synced while there is more to read.
const (
	syncAfter = 10 * time.Second
	syncLines = 5000
)

// read indexes what is told up to the last line that is whole.
func (f *Feeder) read(ctx context.Context) error {
	in, size, err := f.results.open()
	if errors.Is(err, fs.ErrNotExist) {
		return ctx.Err() // nothing is told yet
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

// rewind begins again with the first line.
func (f *Feeder) rewind() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results.position, f.results.scanned = position{}, position{}
}

// sync has on the disk what was indexed, and then, how far that is.
func (f *Feeder) sync() error {
	f.synced = time.Now()
	if f.unsynced == 0 && f.kept.Offset == f.results.Offset {
		return nil
	}
	if err := f.distinct.Sync(); err != nil {
		return err
	}
	now, err := f.results.mark()
	if err != nil {
		return fmt.Errorf("read the results of the crawl: %w", err)
	}
	now.Robot, now.Results = f.options.Robot, f.options.Results
	if err := now.write(f.options.Index); err != nil {
		return fmt.Errorf("note how far the crawl is indexed: %w", err)
	}
	f.mu.Lock()
	f.results.position = now
	f.mu.Unlock()
	f.kept, f.unsynced = now, 0
	return nil
}

// add counts.
func (f *Feeder) add(n *int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*n++
}

// maxTold is how much of what is passed over is told one by one.
const maxTold = 20

// pass passes a line over.
func (f *Feeder) pass(why error, url string) {
	f.add(&f.status.Passed)
	switch f.told++; {
	case f.told <= maxTold:
		f.log.Warn("not indexed", "url", printable.Clipped(url, 200), "error", why)
	case f.told == maxTold+1:
		f.log.Warn("more is not indexed, and only counted from now on")
	}
}

// isRegular returns an error for what is no file that can be read from any place.
func isRegular(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", info.Name())
	}
	return nil
}

// openRegular opens a file to read it, and nothing that one may have to wait for.
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
