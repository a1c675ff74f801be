package crawl

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/http/download"
	"github.com/robotsexclusion/robots/internal/http/http1"
	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

// An archiveReader reads the archive for a repair, and gives the other parts of the repair the
// archived answers. It repairs the index of the archive from the records, and the pauses that
// hosts asked for from the archived answers. The records themselves cannot be restored: damaged
// places are faults, and the pages whose answers are gone are reported as lost.
type archiveReader struct {
	c *run
	*repairReport

	places map[uint64]bool      // places of the readable records, by placeOf
	files  map[string]fileMark  // marks of the files
	broken int                  // number of damaged places
	pauses map[string]time.Time // until when hosts asked to be left alone
}

// read reads the whole archive, and rebuilds its index unless Check is set.
func (r *archiveReader) read(ctx context.Context) error {
	c := r.c
	r.places, r.files = make(map[uint64]bool), make(map[string]fileMark)
	r.pauses = make(map[string]time.Time)
	if c.Archive == nil {
		return nil
	}
	if err := r.checkFiles(); err != nil {
		return err
	}
	dir := c.archiveDir()
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	now := time.Now()
	capture := func(cp warc.Capture) error {
		r.places[placeOf(cp.File, cp.Offset)] = true
		if cp.Status == http.StatusTooManyRequests || cp.Status == http.StatusServiceUnavailable {
			r.noteRefusal(cp, now)
		}
		return ctx.Err()
	}
	broken := func(file string, d *warc.Damage) {
		r.broken++
		if r.broken <= mostNamed {
			r.found("archive/"+file, "is damaged: "+d.Error(), nil)
		}
	}
	if r.check {
		return warc.Scan(dir, capture, broken)
	}
	if err := warc.Reindex(dir, capture, broken); err != nil {
		return err
	}
	names, err := warc.Files(dir)
	if err != nil {
		return err
	}
	for _, name := range append(names, archiveIndex) {
		if m, err := markOf(filepath.Join(dir, name)); err == nil {
			r.files[name] = m
		}
	}
	return nil
}

// checkFiles compares the files with their marks, and moves folders in their place aside.
func (r *archiveReader) checkFiles() error {
	left := int64(math.MaxInt64)
	for name := range r.c.marker.marks.archives {
		what, err := r.c.marker.compareArchive(name, true, &left)
		if err != nil {
			what = errText(err)
		}
		if what != "" {
			r.found("archive/"+name, what, err)
		}
	}
	folders, err := foldersIn(r.c.archiveDir())
	if err != nil {
		return err
	}
	for _, name := range folders {
		r.found("archive/"+name, "is a folder", nil)
		if err := r.aside(filepath.Join("archive", name)); err != nil {
			return err
		}
	}
	return nil
}

// markOf returns the mark of a file of the archive.
func markOf(name string) (m fileMark, err error) {
	f, err := os.Open(name)
	if err != nil {
		return m, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return m, err
	}
	sum, err := sumOf(f, info.Size())
	return fileMark{Size: info.Size(), Sum: sum, Time: timeMark(info.ModTime())}, err
}

// noteRefusal records until when a host asked to be left alone, if its answer asked for that and
// the time has not passed.
func (r *archiveReader) noteRefusal(cp warc.Capture, now time.Time) {
	answer, close, err := r.answer(cp.File, cp.Offset, cp.URL)
	if err != nil {
		return
	}
	defer close()
	until := cp.Time.Add(min(httpfield.RetryAfter(answer.Header, cp.Time), 24*time.Hour))
	if u, err := weburl.Exact.Parse(cp.URL); err == nil && until.After(now) && until.After(r.pauses[u.Origin()]) {
		r.pauses[u.Origin()] = until
	}
}

// leaveAlone closes the hosts that asked to be left alone, as the archive says.
func (r *archiveReader) leaveAlone() error {
	c := r.c
	for _, origin := range slices.Sorted(maps.Keys(r.pauses)) {
		u, err := weburl.Exact.Parse(origin + "/")
		if err != nil {
			continue
		}
		h, err := c.shard.frontier.recalled(&memoHost{origin: origin, partition: partitionOf(u)})
		if err != nil {
			return err
		}
		h.pace.Close(r.pauses[origin])
		c.committer.saveHost(h)
	}
	c.committer.pending.Wait()
	return c.failure()
}

// reportLost reports the pages whose answers the archive has lost, and queues them again if again
// is set.
func (r *archiveReader) reportLost(ctx context.Context, again bool) error {
	c := r.c
	if c.Archive == nil {
		return nil
	}
	name, _ := c.resultsName()
	lost, queued := 0, 0
	first := ""
	err := readLines(name, 0, func(_ int64, line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) != nil || one.Archive == "" || r.places[placeOf(one.Archive, one.Offset)] {
			return ctx.Err()
		}
		u, err := weburl.Exact.Parse(one.URL)
		if err != nil {
			return nil
		}
		if lost++; first == "" {
			first = one.URL
		}
		known, err := c.shard.store.URL(store.Item{Partition: partitionOf(u), URL: u.String()})
		if err != nil || !known.Done || known.Queued || known.State.Fetched.UnixMilli() != one.FetchedAt.UnixMilli() ||
			!again {
			return err
		}
		// The state has no validators, so the server cannot answer that nothing has changed, and
		// sends the whole page.
		o := &outcome{item: known.Item, what: eventDone, state: store.State{Fetched: known.State.Fetched,
			Status: known.State.Status, Due: time.Now()}}
		h, err := c.shard.frontier.recalled(&memoHost{origin: known.Item.Host(), partition: known.Item.Partition})
		if err != nil {
			return err
		}
		queued++
		c.committer.commit(h, o)
		if queued%256 == 0 {
			c.committer.pending.Wait()
		}
		return c.failure()
	})
	c.committer.pending.Wait()
	if err := errors.Join(err, c.failure()); err != nil || lost == 0 {
		return err
	}
	if again {
		r.restored("archive: %s queued again, such as %s", plural(queued, "page whose answer is lost is",
			"pages whose answers are lost are"), first)
	} else {
		r.lost("archive: %s, such as %s (what was visited counts as done; --again queues it again)",
			plural(lost, "answer", "answers"), first)
	}
	return nil
}

// answer opens an answer in the archive. Its body is as received, apart from the transfer
// encoding. The caller must call end.
func (r *archiveReader) answer(file string, offset int64, url string) (a *http.Response, end func(), err error) {
	if file != filepath.Base(file) || offset < 0 {
		return nil, nil, errors.New("it is not a place in an archive")
	}
	name := filepath.Join(r.c.archiveDir(), file)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = os.Open(name + ".open")
	}
	if err != nil {
		return nil, nil, err
	}
	rec, err := warc.NewReader(struct{ io.Reader }{io.NewSectionReader(f, offset, 1<<62)}).Next()
	if err == nil && (rec.Type() != warc.TypeResponse || rec.URL() != url) {
		err = fmt.Errorf("another record is there: %s", rec)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	block := bufio.NewReader(rec)
	a, err = http1.ReadResponse(block)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	a.Body = io.NopCloser(block)
	return a, func() { f.Close() }, nil
}

// exchange returns the exchange of a result from the archive.
func (r *archiveReader) exchange(one *result.Line, sitemap bool) (*download.Exchange, error) {
	if one.Archive == "" {
		return nil, errors.New("it is not in the archive")
	}
	answer, end, err := r.answer(one.Archive, one.Offset, one.URL)
	if err != nil {
		return nil, err
	}
	defer end()
	request := download.Request{URL: one.URL, KeepSent: true}
	if sitemap {
		request.Types, request.MaxBody = sitemapTypes, largestSitemap
	}
	client := &download.Client{UserAgent: "none (none@example.com)", Types: r.c.Limits.Types,
		MaxBody: r.c.Limits.MaxBody, MaxSent: r.c.Limits.MaxSent, MaxRatio: r.c.Limits.MaxRatio}
	return client.Replay(request, answer, one.FetchedAt)
}

// placeOf returns a number for a place in the archive.
func placeOf(file string, offset int64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	fmt.Fprint(&h, file, "\x00", offset)
	return h.Sum64()
}

// archiveDir returns the folder of the archive.
func (c *Config) archiveDir() string { return filepath.Join(c.Dir, "archive") }
