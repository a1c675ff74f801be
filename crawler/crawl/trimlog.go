package crawl

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
)

// Trimming of the log of a shared crawl. When a partition has a new checkpoint, the log before the
// older one of its two checkpoints is not needed any more: a new owner loads one of the two, and a
// folder that comes back and is older than the log loads one too.
//
// But the log has the results of all pages. When a worker dies, another one finds in it the pages
// whose archive nobody has uploaded. So a record stays until the archives that it names are in the
// object store, or until its pages were named as missing: unstoredAge after their visits.

// unstoredAge is how long after its visit a page holds the log, if its archive is not uploaded.
const unstoredAge = 24 * time.Hour

// tryTrim trims the log of a partition. An error is not that of the crawl.
func (k *checkpointer) tryTrim(ctx context.Context, partition uint8) {
	if err := k.trim(ctx, partition); err != nil && ctx.Err() == nil && !errors.Is(err, journal.ErrFenced) {
		k.log.Warn("the log of a partition was not trimmed: it takes more room on the servers", "partition", partition,
			"error", err)
	}
}

// trim trims the log of a partition as far as it is not needed, if the worker owns the partition.
func (k *checkpointer) trim(ctx context.Context, partition uint8) error {
	names, err := k.kept(ctx, partition)
	if err != nil || len(names) < keptCheckpoints {
		return err
	}
	older := names[len(names)-keptCheckpoints]
	text, _, _ := strings.Cut(strings.TrimPrefix(older, k.prefix(partition)), "-")
	position, err := strconv.ParseUint(text, 16, 64)
	if err != nil {
		return fmt.Errorf("%s is not the name of a checkpoint", older)
	}
	applying := &k.share.shard.frontier.applying
	applying.Lock() // a tenure may begin now: then the partition is held and owned, or neither
	p, held := k.share.shard.owned[partition], k.share.holds(partition)
	applying.Unlock()
	k.guard.Lock()
	before := k.states[partition].trimmed
	k.guard.Unlock()
	if !held || position <= before {
		return nil
	}
	if err := k.verify(ctx, p, older, position); err != nil {
		return fmt.Errorf("%s: %w", older, err)
	}
	if position, err = k.share.searcher.archived(ctx, p, position); err != nil || position <= before {
		return err
	}
	if err := k.share.shard.journal.Trim(ctx, map[*journal.Partition]uint64{p: position}); err != nil {
		return err
	}
	k.guard.Lock()
	k.states[partition].trimmed = position
	k.guard.Unlock()
	return nil
}

// verify reads a checkpoint whole: a new owner must be able to load it.
func (k *checkpointer) verify(ctx context.Context, p *journal.Partition, name string, position uint64) error {
	content, err := k.objects.Get(ctx, name)
	if err != nil {
		return err
	}
	defer content.Close()
	from := bufio.NewReaderSize(content, 1<<16)
	head, err := k.readHead(from, p)
	if err == nil && head.Position != position {
		err = fmt.Errorf("it is of record %d", head.Position)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, from)
	}
	return err
}

var errEnough = errors.New("all that is needed was read")

// archived returns the last position of a log, at most the given one, up to which no page is needed
// to find out what is not uploaded. A crawl without archives has no searcher, and needs none.
func (s *searcher) archived(ctx context.Context, p *journal.Partition, upTo uint64) (position uint64, err error) {
	if s == nil {
		return upTo, nil
	}
	from, err := journal.Begin(ctx, p)
	if err != nil || from >= upTo {
		return upTo, err
	}
	position = from
	found := newFoundPages()
	err = s.journal.Replay(ctx, map[*journal.Partition]uint64{p: from}, func(_ *journal.Partition, at uint64,
		form []byte) error {
		if at > upTo {
			return errEnough
		}
		got, err := readEvents(uint8(p.Number()), form, noChanges{})
		if err != nil {
			return recordError(uint8(p.Number()), at, err)
		}
		for _, line := range got {
			k, visited, ok := s.archiveOf(p, line)
			if !ok {
				continue
			}
			if is, err := s.isUploaded(ctx, k); err != nil {
				return err
			} else if is {
				continue
			}
			if time.Since(visited) < unstoredAge {
				return errEnough
			}
			if !s.isTold(k, at) {
				found.add(k, at, line)
			}
		}
		position = at
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return 0, err
	}
	return position, s.tell(found)
}

// archiveOf returns the file of an archive that a line of the results names, and when its page was
// visited, if the file is one of a worker with an object store.
func (s *searcher) archiveOf(p *journal.Partition, line []byte) (k missingKey, visited time.Time, ok bool) {
	var r struct {
		Archive   string    `json:"archive"`
		FetchedAt time.Time `json:"fetched_at"`
	}
	if json.Unmarshal(line, &r) != nil {
		return k, visited, false
	}
	worker, _, ok := strings.Cut(strings.TrimPrefix(r.Archive, s.prefix), "-")
	ok = ok && strings.HasPrefix(r.Archive, s.prefix) && strings.HasSuffix(r.Archive, archiveSuffix)
	if _, err := strconv.ParseUint(worker, 16, 32); err != nil || len(worker) != 8 {
		ok = false
	}
	return missingKey{worker, filepath.Base(r.Archive), p.Number()}, r.FetchedAt, ok
}

// isUploaded reports whether a file of an archive is in the object store.
func (s *searcher) isUploaded(ctx context.Context, k missingKey) (is bool, err error) {
	name := s.crawl + "archive/" + k.worker + "/" + strings.TrimSuffix(k.file, archiveSuffix) + ".json"
	if s.uploaded[name] {
		return true, nil
	}
	manifest, err := s.objects.Get(ctx, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	if s.uploaded == nil || len(s.uploaded) > mostUploaded {
		s.uploaded = make(map[string]bool)
	}
	s.uploaded[name] = true
	return true, manifest.Close()
}

// mostUploaded is how many names of files that are uploaded a worker remembers.
const mostUploaded = 10_000
