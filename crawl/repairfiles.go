package crawl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"math"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/robotsexclusion/robots/crawl/download"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/crawl/store"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// captures is what an archive has.
type captures struct {
	places map[uint64]bool     // of records that can be read, by placeOf
	files  map[string]fileMark // its files
	broken int                 // places where a file is damaged
}

// placeOf returns a number for a place in the archive.
func placeOf(file string, offset int64) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	fmt.Fprint(&h, file, "\x00", offset)
	return h.Sum64()
}

// archiveDir returns the folder of the archive.
func (c *Crawler) archiveDir() string { return filepath.Join(c.Dir, "archive") }

// readArchive reads all of the archive, and unless it is only looked at, makes its index
// anew.
func (r *repairer) readArchive(ctx context.Context) error {
	c := r.c
	r.kept = captures{places: make(map[uint64]bool), files: make(map[string]fileMark)}
	r.alone = make(map[string]time.Time)
	if c.Archive == nil {
		return nil
	}
	dir := c.archiveDir()
	left := int64(math.MaxInt64)
	for name := range c.marked.archives {
		what, err := c.compareArchive(name, true, &left)
		if err != nil {
			what = errText(err)
		}
		if what != "" {
			r.found("archive/"+name, what, err)
		}
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	folders, err := foldersIn(dir)
	if err != nil {
		return err
	}
	for _, name := range folders {
		r.found("archive/"+name, "is a folder", nil)
		if err := r.aside(filepath.Join("archive", name)); err != nil {
			return err
		}
	}
	now := time.Now()
	capture := func(cp warc.Capture) error {
		r.kept.places[placeOf(cp.File, cp.Offset)] = true
		if cp.Status == http.StatusTooManyRequests || cp.Status == http.StatusServiceUnavailable {
			r.asked(cp, now)
		}
		return ctx.Err()
	}
	broken := func(file string, d *warc.Damage) {
		r.kept.broken++
		if r.kept.broken <= mostNamed {
			r.found("archive/"+file, "is damaged: "+d.Error(), nil)
		}
	}
	if r.Check {
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
			r.kept.files[name] = m
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

// asked notes that a host asked to be left alone, if it did, and for how long from now on.
func (r *repairer) asked(cp warc.Capture, now time.Time) {
	answer, close, err := r.answer(cp.File, cp.Offset, cp.URL)
	if err != nil {
		return
	}
	defer close()
	until := cp.Time.Add(min(fetch.RetryAfter(answer.Header, cp.Time), 24*time.Hour))
	if u, err := r.c.redirects.Parse(cp.URL); err == nil && until.After(now) && until.After(r.alone[u.Origin()]) {
		r.alone[u.Origin()] = until
	}
}

// answer opens an answer that the archive has: its body is as it came, but for its transfer
// encoding.
func (r *repairer) answer(file string, offset int64, url string) (a *http.Response, end func(), err error) {
	if file != filepath.Base(file) || offset < 0 {
		return nil, nil, errors.New("it is no place in an archive")
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
	a, err = http.ReadResponse(block, nil)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	a.Body = io.NopCloser(block)
	return a, func() { f.Close() }, nil
}

// lineKey returns a number for what a line tells: two lines about one visit have the same.
func lineKey(one *result.Line) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	at := int64(0)
	if !one.FetchedAt.IsZero() {
		at = one.FetchedAt.UnixMilli()
	}
	reason := result.None
	if at == 0 {
		reason = one.Reason
	}
	fmt.Fprint(&h, one.URL, "\x00", at, "\x00", uint8(reason))
	return h.Sum64()
}

// readLines calls fn for the lines of a file from an offset on. A last one that is not
// finished is left out.
func readLines(name string, from int64, fn func(offset int64, line []byte) error) error {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(f, 1<<18)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(from, bytes.TrimSuffix(line, []byte("\n"))); err != nil {
			return err
		}
		from += int64(len(line))
	}
}

// archiveLines calls fn for lines about what the archive has, that the store knows and that
// was not told.
func (r *repairer) archiveLines(ctx context.Context, fn func(line []byte) error) error {
	c := r.c
	return warc.Scan(c.archiveDir(), func(cp warc.Capture) error {
		u, err := c.redirects.Parse(cp.URL)
		if err != nil || ctx.Err() != nil {
			return ctx.Err()
		}
		it := store.Item{Partition: partitionOf(u), URL: u.String()}
		known, err := c.store.URL(it)
		if err != nil {
			return err
		}
		if !known.Done || known.State.Fetched.UnixMilli() != cp.Time.UnixMilli() {
			return nil
		}
		one := newResult(&known.Item)
		one.Status, one.FetchedAt, one.Archive, one.Offset = int(known.State.Status), cp.Time, cp.File, cp.Offset
		if r.told[lineKey(one)] {
			return nil
		}
		r.told[lineKey(one)] = true
		r.describe(one)
		line, err := one.Text()
		if err != nil {
			return err
		}
		return fn(line)
	}, func(string, *warc.Damage) {})
}

// describe adds to a result what the answer in the archive says.
func (r *repairer) describe(one *result.Line) {
	c := r.c
	x, err := r.exchange(one, false)
	if err != nil {
		return
	}
	defer x.Close()
	one.MediaType, one.Octets = printable.Clipped(x.MediaType, 200), x.Body.Size()
	u, err := c.redirects.Parse(one.URL)
	if err != nil || x.Status != http.StatusOK || x.TypeRefused {
		return
	}
	body, err := x.Body.Bytes()
	if err != nil {
		return
	}
	options := page.Options{Header: x.Header, AsWritten: true}
	options.URL, _ = url.Parse(one.URL)
	if doc, err := page.Read(bytes.NewReader(body), options); err == nil {
		describe(one, doc, doc.For(c.tokens...), u)
	}
}

// exchange returns the exchange that a result is about, from the archive.
func (r *repairer) exchange(one *result.Line, sitemap bool) (*download.Exchange, error) {
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
	client := &download.Client{UserAgent: "none (none@example.com)", Types: r.c.Limits.Types, MaxBody: r.c.Limits.MaxBody, MaxSent: r.c.Limits.MaxSent, MaxRatio: r.c.Limits.MaxRatio}
	return client.Replay(request, answer, one.FetchedAt)
}

