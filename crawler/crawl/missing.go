package crawl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/objects"
	"github.com/robotsexclusion/robots/crawler/internal/store"
)

// A searcher finds out what workers that died had not uploaded. When a worker has died, it reads
// the logs of all partitions of this worker in the background: that one may have visited pages of
// each before it handed the partition over. It compares the archives that the results name with the
// manifests in the object store, and names the pages whose archive is not there: in the log, in the
// status, and with their results in the file missing-WORKER.jsonl.
//
// These pages are not asked for again: a worker that comes back with its folder uploads them.
type searcher struct {
	*depot
	journal *journal.Journal
	prefix  string // of names of archives, before the number of the worker
	wake    chan struct{}
	running sync.WaitGroup
	end     context.CancelFunc

	guard   sync.Mutex
	dead    map[string]bool             // workers that died, and have not come back
	waiting map[*journal.Partition]bool // to read
	missing map[missingKey]*missingPages

	uploaded map[string]bool // names of manifests that are known to be there; for the checkpointer
}

// A missingKey is a file of the archive of a worker that died, and a partition.
type missingKey struct {
	worker, file string
	partition    int
}

// MissingPages are pages of a partition whose archive is not in the object store.
type missingPages struct {
	Partition int    `json:"partition"`
	Pages     int    `json:"pages"`
	First     uint64 `json:"first"` // position of the first in the log
	Last      uint64 `json:"last"`
}

// A missingWorker is a worker that died before it had uploaded its archive.
type missingWorker struct {
	Worker     string         `json:"worker"`
	Pages      int            `json:"pages"`
	Files      []string       `json:"files"`
	Partitions []missingPages `json:"partitions"`
}

// gathering is how long a searcher waits for more partitions of a worker that died, since one pass
// over the log is enough for all.
const gathering = 2 * time.Second

// newSearcher returns the searcher of a worker, or nil if it has no object store.
func newSearcher(c *run) *searcher {
	if c.depot == nil || c.Archive == nil {
		return nil
	}
	return &searcher{depot: c.depot, journal: c.shard.journal, prefix: cmp.Or(c.Archive.Prefix, archivePrefix) + "-",
		wake: make(chan struct{}, 1), dead: make(map[string]bool), waiting: make(map[*journal.Partition]bool),
		missing: make(map[missingKey]*missingPages)}
}

// note records whether a worker is dead. It reports whether the worker has died since.
func (s *searcher) note(worker uint32, dead bool) (died bool) {
	if s == nil {
		return false
	}
	key := fmt.Sprintf("%08x", worker)
	s.guard.Lock()
	defer s.guard.Unlock()
	died = dead && !s.dead[key]
	if delete(s.dead, key); dead {
		s.dead[key] = true
	}
	return died
}

// search has a partition read for pages of workers that died.
func (s *searcher) search(p *journal.Partition) {
	if s == nil || p == nil {
		return
	}
	s.guard.Lock()
	if len(s.dead) == 0 {
		s.guard.Unlock()
		return
	}
	s.waiting[p] = true
	s.guard.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// begin begins to search in the background.
func (s *searcher) begin() {
	if s == nil {
		return
	}
	var ctx context.Context
	ctx, s.end = context.WithCancel(context.Background())
	s.running.Go(func() {
		again := time.NewTicker(time.Minute)
		defer again.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-again.C:
			case <-s.wake:
				select {
				case <-ctx.Done():
				case <-time.After(gathering):
				}
			}
			s.pass(ctx)
		}
	})
}

// stop ends what begin began.
func (s *searcher) stop() {
	if s != nil && s.end != nil {
		s.end()
		s.running.Wait()
	}
}

// pass reads the partitions that wait, and forgets what was uploaded since.
func (s *searcher) pass(ctx context.Context) {
	if s == nil {
		return
	}
	s.guard.Lock()
	waiting := s.waiting
	s.waiting = make(map[*journal.Partition]bool)
	idle := len(waiting) == 0 && len(s.missing) == 0
	s.guard.Unlock()
	if idle {
		return
	}
	err := s.read(ctx, waiting)
	if err == nil {
		return
	}
	s.guard.Lock()
	maps.Copy(s.waiting, waiting) // for the next pass
	s.guard.Unlock()
	if ctx.Err() == nil {
		s.log.Warn("what a worker that died had not uploaded cannot be found out", "partitions", len(waiting), "error",
			err)
	}
}

func (s *searcher) read(ctx context.Context, waiting map[*journal.Partition]bool) error {
	uploaded := make(map[string]bool) // WORKER/FILE
	dir := s.crawl + "archive/"
	err := s.objects.List(ctx, dir, func(i objects.Info) error {
		if name, ok := strings.CutSuffix(strings.TrimPrefix(i.Name, dir), ".json"); ok {
			uploaded[name+archiveSuffix] = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.guard.Lock()
	for k := range s.missing {
		if uploaded[k.worker+"/"+k.file] {
			delete(s.missing, k)
		}
	}
	dead := maps.Clone(s.dead)
	s.guard.Unlock()
	if len(waiting) == 0 {
		return nil
	}
	found := newFoundPages()
	after := make(map[*journal.Partition]uint64, len(waiting))
	for p := range waiting {
		if after[p], err = journal.Begin(ctx, p); err != nil {
			return err
		}
	}
	err = s.journal.Replay(ctx, after, func(p *journal.Partition, position uint64, form []byte) error {
		got, err := readEvents(uint8(p.Number()), form, noChanges{})
		if err != nil {
			return recordError(uint8(p.Number()), position, err)
		}
		for _, line := range got {
			k, _, ok := s.archiveOf(p, line)
			if ok && dead[k.worker] && !uploaded[k.worker+"/"+k.file] && !s.isTold(k, position) {
				found.add(k, position, line)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.tell(found)
}

// foundPages are pages whose archive is not in the object store, and their lines of the results by
// worker.
type foundPages struct {
	pages map[missingKey]*missingPages
	lines map[string][]byte
}

func newFoundPages() *foundPages {
	return &foundPages{make(map[missingKey]*missingPages), make(map[string][]byte)}
}

func (f *foundPages) add(k missingKey, position uint64, line []byte) {
	if f.pages[k] == nil {
		f.pages[k] = &missingPages{Partition: k.partition, First: position}
	}
	f.pages[k].Pages++
	f.pages[k].Last = position
	f.lines[k.worker] = append(append(f.lines[k.worker], line...), '\n')
}

// isTold reports whether a page was named.
func (s *searcher) isTold(k missingKey, position uint64) bool {
	s.guard.Lock()
	defer s.guard.Unlock()
	known := s.missing[k]
	return known != nil && position <= known.Last
}

// tell names pages in the file of their worker, in the status and in the log.
func (s *searcher) tell(found *foundPages) (err error) {
	for worker, text := range found.lines {
		err = errors.Join(err, appendFile(filepath.Join(s.config.Dir, "missing-"+worker+".jsonl"), text))
	}
	s.guard.Lock()
	for k, pages := range found.pages {
		if known := s.missing[k]; known != nil && known.Last < pages.First {
			pages.First, pages.Pages = known.First, pages.Pages+known.Pages
		}
		s.missing[k] = pages
	}
	s.guard.Unlock()
	for _, m := range summed(found.pages) {
		s.log.Warn("a worker died before it had uploaded pages: if its disk is lost, so are they; "+
			"otherwise start it again with its folder", "worker", m.Worker, "pages", m.Pages, "files", m.Files,
			"partitions", m.Partitions)
	}
	return err
}

// appendFile appends a text to a file.
func appendFile(name string, text []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// summed adds up missing pages by worker.
func summed(all map[missingKey]*missingPages) (list []missingWorker) {
	byWorker := make(map[string]*missingWorker)
	for k, pages := range all {
		m := byWorker[k.worker]
		if m == nil {
			m = &missingWorker{Worker: k.worker}
			byWorker[k.worker] = m
		}
		m.Pages += pages.Pages
		m.Partitions = append(m.Partitions, *pages)
		m.Files = append(m.Files, k.file)
	}
	for _, m := range byWorker {
		slices.Sort(m.Files)
		m.Files = slices.Compact(m.Files)
		slices.SortFunc(m.Partitions, func(a, b missingPages) int {
			return cmp.Or(cmp.Compare(a.Partition, b.Partition), cmp.Compare(a.First, b.First))
		})
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b missingWorker) int { return strings.Compare(a.Worker, b.Worker) })
	return list
}

// left returns the pages that are missing.
func (s *searcher) left() []missingWorker {
	if s == nil {
		return nil
	}
	s.guard.Lock()
	defer s.guard.Unlock()
	return summed(s.missing)
}

// NoChanges ignores the changes of records.
type noChanges struct{}

func (noChanges) Seen(store.Item)              {}
func (noChanges) Done(store.Item, store.State) {}
func (noChanges) Drop(store.Item)              {}
func (noChanges) Refuse(store.Item, uint8)     {}
func (noChanges) Defer(store.Item, time.Time)  {}
func (noChanges) SetHost(string, []byte)       {}
