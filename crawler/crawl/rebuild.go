package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
)

// rebuild restores the part of the store that neither its base nor the journal has. URLs with
// results are done, and links are found again in the archived pages. A page without an archived
// answer is not done, because its links are unknown: it is visited again.
func (r *storeRepair) rebuild(ctx context.Context) error {
	c := r.c
	name, _ := c.resultsName()
	hosts := make(map[string]*host)
	n, done, again := 0, 0, 0
	err := readLines(name, r.since, func(_ int64, line []byte) error {
		var one result.Line
		if json.Unmarshal(line, &one) != nil || ctx.Err() != nil {
			return ctx.Err()
		}
		u, err := weburl.Exact.Parse(one.URL)
		if err != nil {
			return nil
		}
		it := store.Item{Partition: partitionOf(u), URL: u.String(), Depth: one.Depth, Via: one.Via,
			Priority: uint8(min(one.Depth, 255))}
		if strings.HasSuffix(one.Via, "/robots.txt") {
			it.Hints = []byte{hintSitemap: 1}
		}
		known, err := c.shard.store.URL(it)
		if err != nil {
			return err
		}
		if hasOutcome(&known, &one) {
			return nil
		}
		h := hosts[it.Host()]
		if h == nil {
			if h, err = c.shard.frontier.recalled(&memoHost{origin: it.Host(), partition: it.Partition}); err != nil {
				return err
			}
			hosts[it.Host()] = h
		}
		if r.redo(h, it, u, known, &one) {
			done++
		} else {
			again++
		}
		// Wait for the commits, because the next lines look up these URLs in the store, and
		// drop the hosts to bound the memory.
		if n++; n%256 == 0 {
			c.committer.pending.Wait()
			clear(hosts)
		}
		return c.failure()
	})
	c.committer.pending.Wait()
	if err := errors.Join(err, c.failure()); err != nil {
		return err
	}
	if n > 0 {
		r.restored("store: %s taken over from the results and the archive", plural(done, "URL was", "URLs were"))
	}
	if again > 0 {
		r.lost("the store and the archive: %s visited again", plural(again, "page, which is", "pages, which are"))
	}
	return nil
}

// seedAgain queues the seeds that the store lacks.
func (c *run) seedAgain() error {
	var seeds []string
	err := seedFile(c.seedsName()).read(c.working, func(line string) { seeds = append(seeds, line) })
	if c.working.Err() != nil {
		c.unqueued = true
		return errInterrupted
	}
	if err != nil {
		return err
	}
	return c.seed(seeds)
}

// redo applies a result to the store. It reports false for a page that must be visited again.
func (r *storeRepair) redo(h *host, it store.Item, u weburl.URL, known store.Entry, one *result.Line) bool {
	c := r.c
	if one.FetchedAt.IsZero() {
		c.tally.count(h, one.Reason)
		c.committer.commit(h, &outcome{item: it, what: eventDrop})
		return true
	}
	if one.Reason == result.NotModified && known.Done {
		o := &outcome{item: it, what: eventDone, state: known.State}
		o.state.Fetched = one.FetchedAt
		c.committer.commit(h, o)
		return true
	}
	x, err := r.archive.exchange(one, isSitemap(&it))
	if err != nil {
		if !known.Seen {
			c.committer.commit(h, &outcome{links: []link{{item: it}}})
		}
		return false
	}
	defer x.Close()
	it.Tries = maxRefusals // the URL has a result, so its tries are over
	c.visitor.archiver.replay = &archivedAnswer{archive: one.Archive, offset: one.Offset, hasResult: true}
	h.counts.pages++
	c.visitor.read(h, u, store.Entry{Item: it, Seen: true, Done: known.Done, State: known.State}, x, one.FetchedAt)
	c.visitor.archiver.replay = nil
	return true
}

// revive applies the visits that a killed process had archived but not yet committed to the
// journal: their pages are not requested again.
func (c *run) revive() error {
	archive, n := &archiveReader{c: c}, 0
	for _, left := range c.shard.memo.visits {
		it := store.Item{Partition: left.partition, URL: left.url}
		u, err := weburl.Exact.Parse(left.url)
		if err != nil {
			continue
		}
		known, err := c.shard.store.URL(it)
		if err != nil {
			return err
		}
		if !known.Queued || known.Item.Tries != left.tries || known.Done &&
			known.State.Fetched.UnixMilli() >= left.at.UnixMilli() {
			continue // the visit was committed
		}
		one := &result.Line{URL: left.url, Archive: left.file, Offset: left.offset, FetchedAt: left.at}
		x, err := archive.exchange(one, isSitemap(&known.Item))
		if err != nil {
			continue // the page is requested again
		}
		h, err := c.shard.frontier.recalled(&memoHost{origin: known.Item.Host(), partition: left.partition})
		if err != nil {
			return errors.Join(err, x.Close())
		}
		c.visitor.archiver.replay = &archivedAnswer{archive: left.file, offset: left.offset, address: left.address}
		h.counts.pages++
		h.counts.bytes += x.Body.Size()
		c.visitor.read(h, u, known, x, time.Now())
		c.visitor.archiver.replay = nil
		n++
		x.Close()
		c.committer.pending.Wait() // the memo may have the same URL twice
	}
	c.shard.memo.visits = nil
	if n > 0 {
		c.Log.Info("pages that were fetched before the kill are taken over from the archive", "pages", n)
	}
	return c.failure()
}
