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
	"strings"

	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/result"
	"github.com/robotsexclusion/robots/crawl/warc"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/page"
)

// checkResults compares the results with the archive and the store.
func (r *repairer) checkResults() error {
	c := r.c
	if c.ResultsTo != nil {
		return nil
	}
	if r.store.resultsAltered {
		r.told = make(map[uint64]bool)
	}
	name, marked := c.resultsName()
	m, ok := c.marker.marks.files[markResults]
	if ok && m.Name == marked {
		what, err := m.compare(name, true)
		if err != nil {
			what = errText(err)
		}
		if what != "" {
			r.found("results.jsonl", what, err)
			r.told = make(map[uint64]bool)
		}
	}
	// Results in an earlier file of another name are not searched.
	if r.told != nil || marked != "" || c.store == nil {
		return nil
	}
	untold, err := r.untold(name)
	if err == nil && untold > 0 {
		r.found("results.jsonl", fmt.Sprintf("lacks the lines about %s", plural(untold, "visit", "visits")), nil)
		r.told = make(map[uint64]bool)
	}
	return err
}

// untold returns the number of visits in the store that have no line in the results.
func (r *repairer) untold(name string) (n int, err error) {
	told := make(map[uint64]bool)
	err = readLines(name, 0, func(_ int64, line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) == nil {
			told[lineKey(&one)] = true
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = r.c.store.Records(func(k store.Entry) error {
		if k.Done && !told[lineKey(&result.Line{URL: k.Item.URL, FetchedAt: k.State.Fetched})] {
			n++
		}
		return nil
	})
	return n, err
}

// mendResults rewrites damaged results: it keeps the valid lines, and restores the missing lines
// as far as the journal, the archive and the store have them.
func (r *repairer) mendResults(ctx context.Context) error {
	if r.told == nil {
		return nil
	}
	c := r.c
	name, _ := c.resultsName()
	before := c.marker.marks.files[markResults].Lines
	out, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	defer out.Close()
	w := bufio.NewWriterSize(out, 1<<18)
	kept, again, bare := 0, 0, 0
	write := func(line []byte, n *int) error {
		*n++
		w.Write(line)
		return w.WriteByte('\n')
	}
	// The journal may have the original of an altered line.
	logged := make(map[uint64]uint64)
	err = r.store.journalLines(ctx, func(line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) == nil {
			logged[lineKey(&one)] = maphash.Bytes(seed, line)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = readLines(name, 0, func(_ int64, line []byte) error {
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
		r.told[lineKey(&one)] = true
		return write(line, &kept)
	})
	if err != nil {
		return err
	}
	err = r.store.journalLines(ctx, func(line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) != nil || r.told[lineKey(&one)] {
			return nil
		}
		r.told[lineKey(&one)] = true
		return write(line, &again)
	})
	if err != nil {
		return err
	}
	if c.Archive != nil {
		if err := r.archiveLines(ctx, func(line []byte) error { return write(line, &again) }); err != nil {
			return err
		}
	}
	err = c.store.Records(func(k store.Entry) error {
		if !k.Done {
			return ctx.Err()
		}
		one := newResult(&k.Item)
		one.Status, one.FetchedAt = int(k.State.Status), k.State.Fetched
		if r.told[lineKey(one)] {
			return ctx.Err()
		}
		line, err := one.Text()
		if err != nil {
			return err
		}
		return write(line, &bare)
	})
	if err != nil {
		return err
	}
	if err := errors.Join(w.Flush(), out.Sync()); err != nil {
		return err
	}
	if err := r.setAside(name); err != nil {
		return err
	}
	if err := os.Rename(name+".new", name); err != nil {
		return err
	}
	c.marker.marks.files[markResults] = fileMark{}
	if err := c.store.SetMarks(map[string][]byte{markResults: nil}); err != nil {
		return err
	}
	r.store.since = 0
	r.restored("results.jsonl: %s as before, and %s made again from the journal and the archive", plural(kept, "line is", "lines are"), plural(again, "was", "were"))
	if bare > 0 {
		r.lost("results.jsonl: of %s all but the URL, the status and the time", plural(bare, "line", "lines"))
	}
	if gone := before - int64(kept+again+bare); gone > 0 {
		r.lost("results.jsonl: %s that were not visited", plural(int(gone), "line about one of the URLs", "lines about URLs"))
	}
	return nil
}

// isKnown reports whether a line of the results may be unaltered. If the store and the journal
// are complete, a line about a URL that neither of them has was altered.
func (r *repairer) isKnown(one *result.Line, line []byte) (bool, error) {
	if !r.store.complete || r.store.unapplied[maphash.Bytes(seed, line)] {
		return true, nil
	}
	u, err := r.c.redirects.Parse(one.URL)
	if err != nil {
		return false, nil
	}
	known, err := r.c.store.URL(store.Item{Partition: partitionOf(u), URL: u.String()})
	return known.Seen, err
}

// setAside moves the file of results aside. A file outside its usual place gets the suffix
// ".damaged".
func (r *repairer) setAside(name string) error {
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

// archiveLines calls fn with a new line for each archived visit that the store knows and that has
// no line yet.
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

// describe adds the facts of the archived answer to a result.
func (r *repairer) describe(one *result.Line) {
	c := r.c
	x, err := r.archive.exchange(one, false)
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

// checkSeeds compares the file of seeds with its mark.
func (r *repairer) checkSeeds() error {
	m, ok := r.c.marker.marks.files[markSeeds]
	if !ok {
		if _, err := os.Stat(r.c.seedsName()); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		name, _ := r.c.resultsName()
		info, err := os.Stat(name)
		empty := err != nil || info.Size() == 0
		if r.unbegun = empty && len(r.archive.places) == 0 && (r.c.store == nil || r.c.store.Counts().Seen == 0); !r.unbegun {
			r.found("seeds.txt", "was removed", nil)
		}
		return nil
	}
	what, err := m.compareAll(r.c.seedsName())
	if err != nil {
		what = errText(err)
	}
	if what != "" {
		r.found("seeds.txt", what, err)
	}
	return nil
}

// mendSeeds rewrites a damaged file of seeds with the URLs of the results and the store that no
// page led to. It drops the other lines of the file, because they may have been altered.
func (r *repairer) mendSeeds() error {
	c := r.c
	if !r.isDamaged("seeds.txt") {
		return nil
	}
	seen := make(map[string]bool)
	var all []string
	add := func(url string, depth uint32, via string) {
		if depth == 0 && via == "" && !seen[url] {
			seen[url] = true
			all = append(all, url)
		}
	}
	name, _ := c.resultsName()
	err := readLines(name, 0, func(_ int64, line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) == nil {
			add(one.URL, one.Depth, one.Via)
		}
		return nil
	})
	if err == nil {
		err = c.store.Records(func(k store.Entry) error {
			add(k.Item.URL, k.Item.Depth, k.Item.Via)
			return nil
		})
	}
	if err != nil {
		return err
	}
	before := 0
	if text, err := os.ReadFile(c.seedsName()); err == nil {
		for line := range strings.Lines(string(text)) {
			if !seen[strings.TrimSpace(line)] {
				before++
			}
		}
	}
	if len(all) == 0 {
		return errors.New("seeds.txt cannot be made again, as nothing else in the folder names a URL that the crawl started from: write it, a URL a line")
	}
	if err := r.aside("seeds.txt"); err != nil {
		return err
	}
	if err := os.WriteFile(c.seedsName(), []byte(strings.Join(all, "\n")+"\n"), 0o666); err != nil {
		return err
	}
	r.restored("seeds.txt: made again, with %s", plural(len(all), "URL", "URLs"))
	if before > 0 {
		r.lost("seeds.txt: %s that nothing else in the folder confirms", plural(before, "line", "lines"))
	}
	return c.store.SetMarks(map[string][]byte{markSeeds: nil})
}
