package crawl

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// A resultsRepair repairs the results. It keeps the undamaged lines, and takes missing and altered
// lines from the journal. It makes the lines that the journal lacks from the archived answers and
// the store. The report says how many lines come from the store alone, with only the URL, the
// status and the time, and how many lines about URLs that were not visited are lost.
type resultsRepair struct {
	c *run
	*repairReport
	archive *archiveReader
	store   *storeRepair

	damaged bool            // the file must be rewritten
	out     *bufio.Writer   // of the new file
	lines   int             // in the new file
	written map[uint64]bool // keys of these lines, by lineKey
}

// check compares the results with the archive and the store.
func (r *resultsRepair) check() error {
	c := r.c
	if c.ResultsTo != nil {
		return nil
	}
	r.damaged = r.store.resultsAltered
	name, marked := c.resultsName()
	m, ok := c.marker.marks.files[markResults]
	if ok && m.Name == marked {
		what, err := m.compare(name, true)
		if err != nil {
			what = errText(err)
		}
		if what != "" {
			r.found("results.jsonl", what, err)
			r.damaged = true
		}
	}
	// Results in an earlier file of another name are not searched.
	if r.damaged || marked != "" || c.shard.store == nil {
		return nil
	}
	missing, err := r.missing(name)
	if err == nil && missing > 0 {
		r.found("results.jsonl", fmt.Sprintf("lacks the lines about %s", plural(missing, "visit", "visits")), nil)
		r.damaged = true
	}
	return err
}

// missing returns the number of visits in the store that have no line in the results.
func (r *resultsRepair) missing(name string) (n int, err error) {
	known := make(map[uint64]bool)
	err = readLines(name, 0, func(_ int64, line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) == nil {
			known[lineKey(&one)] = true
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = r.c.shard.store.Records(func(k store.Entry) error {
		if k.Done && !known[lineKey(&result.Line{URL: k.Item.URL, FetchedAt: k.State.Fetched})] {
			n++
		}
		return nil
	})
	return n, err
}

// mend rewrites damaged results: it keeps the valid lines, and restores the missing lines as far as
// the journal, the archive and the store have them.
func (r *resultsRepair) mend(ctx context.Context) error {
	if !r.damaged {
		return nil
	}
	name, _ := r.c.resultsName()
	before := r.c.marker.marks.files[markResults].Lines
	out, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	defer out.Close()
	r.out, r.written = bufio.NewWriterSize(out, 1<<18), make(map[uint64]bool)
	if err := r.keepLines(ctx, name); err != nil {
		return err
	}
	kept := r.lines
	if err := r.linesOfJournal(ctx); err != nil {
		return err
	}
	if r.c.Archive != nil {
		if err := r.linesOfArchive(ctx); err != nil {
			return err
		}
	}
	again := r.lines - kept
	if err := r.linesOfStore(ctx); err != nil {
		return err
	}
	bare := r.lines - kept - again
	if err := errors.Join(r.out.Flush(), out.Sync()); err != nil {
		return err
	}
	if err := r.replace(name); err != nil {
		return err
	}
	r.restored("results.jsonl: %s as before, and %s made again from the journal and the archive",
		plural(kept, "line is", "lines are"), plural(again, "was", "were"))
	if bare > 0 {
		r.lost("results.jsonl: of %s all but the URL, the status and the time", plural(bare, "line", "lines"))
	}
	if gone := before - int64(kept+again+bare); gone > 0 {
		r.lost("results.jsonl: %s that were not visited", plural(int(gone), "line about one of the URLs",
			"lines about URLs"))
	}
	return nil
}

// write writes a line to the new file. An error comes back from Flush.
func (r *resultsRepair) write(one *result.Line, line []byte) {
	r.out.Write(line)
	r.out.WriteByte('\n')
	r.lines++
	r.written[lineKey(one)] = true
}

// writeText writes a new line to the new file.
func (r *resultsRepair) writeText(one *result.Line) error {
	line, err := one.Text()
	if err == nil {
		r.write(one, line)
	}
	return err
}

// keepLines writes the valid lines of the damaged file.
func (r *resultsRepair) keepLines(ctx context.Context, name string) error {
	// The journal may have the original of an altered line.
	logged := make(map[uint64]uint64)
	err := r.store.journalLines(ctx, func(line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) == nil {
			logged[lineKey(&one)] = maphash.Bytes(seed, line)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return readLines(name, 0, func(_ int64, line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) != nil || one.URL == "" {
			return nil
		}
		if was, ok := logged[lineKey(&one)]; ok && was != maphash.Bytes(seed, line) {
			return nil
		}
		if is, err := r.isKnown(&one, line); err != nil || !is {
			return err
		}
		r.write(&one, line)
		return nil
	})
}

// linesOfJournal writes the lines of the journal that are not written yet.
func (r *resultsRepair) linesOfJournal(ctx context.Context) error {
	return r.store.journalLines(ctx, func(line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) == nil && !r.written[lineKey(&one)] {
			r.write(&one, line)
		}
		return nil
	})
}

// isKnown reports whether a line of the results may be unaltered. If the store and the journal
// are complete, a line about a URL that neither of them has was altered.
func (r *resultsRepair) isKnown(one *result.Line, line []byte) (bool, error) {
	if !r.store.complete || r.store.unapplied[maphash.Bytes(seed, line)] {
		return true, nil
	}
	u, err := weburl.Exact.Parse(one.URL)
	if err != nil {
		return false, nil
	}
	known, err := r.c.shard.store.URL(store.Item{Partition: partitionOf(u), URL: u.String()})
	return known.Seen, err
}

// linesOfArchive writes a new line for each archived visit that the store knows and that has no
// line yet.
func (r *resultsRepair) linesOfArchive(ctx context.Context) error {
	c := r.c
	return warc.Scan(c.archiveDir(), func(cp warc.Capture) error {
		u, err := weburl.Exact.Parse(cp.URL)
		if err != nil || ctx.Err() != nil {
			return ctx.Err()
		}
		it := store.Item{Partition: partitionOf(u), URL: u.String()}
		known, err := c.shard.store.URL(it)
		if err != nil {
			return err
		}
		if !known.Done || known.State.Fetched.UnixMilli() != cp.Time.UnixMilli() {
			return nil
		}
		one := newResult(&known.Item)
		one.Status, one.FetchedAt, one.Archive, one.Offset = int(known.State.Status), cp.Time, cp.File, cp.Offset
		if r.written[lineKey(one)] {
			return nil
		}
		r.describe(one)
		return r.writeText(one)
	}, func(string, *warc.Damage) {})
}

// linesOfStore writes a line with the URL, the status and the time for each visit in the store that
// has no line yet.
func (r *resultsRepair) linesOfStore(ctx context.Context) error {
	return r.c.shard.store.Records(func(k store.Entry) error {
		if !k.Done {
			return ctx.Err()
		}
		one := newResult(&k.Item)
		one.Status, one.FetchedAt = int(k.State.Status), k.State.Fetched
		if r.written[lineKey(one)] {
			return ctx.Err()
		}
		return r.writeText(one)
	})
}

// describe adds the facts of the archived answer to a result.
func (r *resultsRepair) describe(one *result.Line) {
	c := r.c
	x, err := r.archive.exchange(one, false)
	if err != nil {
		return
	}
	defer x.Close()
	one.MediaType, one.Octets = printable.Clipped(x.MediaType, 200), x.Body.Size()
	u, err := weburl.Exact.Parse(one.URL)
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

// replace replaces the damaged file by the new one, and drops its mark. A rebuild of the store must
// read the new file whole.
func (r *resultsRepair) replace(name string) error {
	if err := r.setAside(name); err != nil {
		return err
	}
	if err := os.Rename(name+".new", name); err != nil {
		return err
	}
	r.c.marker.marks.files[markResults] = fileMark{}
	r.store.since = 0
	return r.c.shard.store.SetMarks(map[string][]byte{markResults: nil})
}

// setAside moves the file of results aside. A file outside its usual place gets the suffix
// ".damaged".
func (r *resultsRepair) setAside(name string) error {
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if r.c.Results == "" {
		return r.aside("results.jsonl")
	}
	return os.Rename(name, name+".damaged")
}

// lineKey returns a key of a line. Two lines about one visit have the same key.
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

// readLines calls fn for the lines of a file from an offset on. It skips an unfinished last line.
// A missing file is not an error.
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
