package crawl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/printable"
)

// RepairOptions are the options of a repair.
type RepairOptions struct {
	// Check looks for damage and changes nothing.
	Check bool
	// Again queues the pages again whose answers the archive has lost.
	Again bool
}

// A Repair is the outcome of a repair.
type Repair struct {
	Faults   []Fault  // the damage found
	Restored []string // what was restored, one sentence each
	Lost     []string // what could not be restored, one sentence each
	Aside    string   // the folder with the unusable files, or empty
	Config   Config   // of the crawl, with the options stored in its folder
}

// MarshalJSON returns an object with "aside", "faults" (a sentence for each), "lost" and
// "restored".
func (r *Repair) MarshalJSON() ([]byte, error) {
	faults := make([]string, len(r.Faults))
	for i, f := range r.Faults {
		faults[i] = f.String()
	}
	return printable.AppendJSON(nil, struct {
		Aside    string   `json:"aside"`
		Faults   []string `json:"faults"`
		Lost     []string `json:"lost"`
		Restored []string `json:"restored"`
	}{r.Aside, faults, append([]string{}, r.Lost...), append([]string{}, r.Restored...)}), nil
}

// Repair looks for damage in the folder of a crawl that does not run, and restores as much as
// the rest of the folder allows. Afterwards the crawl can resume, each of its pages is done or
// reported as lost, and hosts that may have asked for a pause get one. Repair fetches nothing.
// It reads the whole store, results and archive, takes time in proportion to them, and needs
// some 16 bytes of memory for each line of the results.
//
// The store is rebuilt from its checkpoint and the journal, or from the results and the
// archive if the journal does not reach back to the checkpoint. Results are rebuilt from the
// journal, the archive and the store. Unusable files are not removed but moved to a separate
// folder.
//
// Only Dir must be set: the folder stores the options of the crawl. If these are lost too, the
// fields must be set as they were. Repair does not change a journal on a server.
func (c *Crawl) Repair(ctx context.Context, o RepairOptions) (*Repair, error) {
	r := newRepairer(&run{Config: c.config, handle: c}, o)
	err := r.run(ctx)
	r.Repair.Config = r.c.Config
	if closeErr := r.c.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return r.Repair, stopError(err)
	}
	return r.Repair, nil
}

// A repairer repairs the folder of a crawl: it takes the options of the crawl from the folder, and
// runs the parts of the repair, each for some of the files. The crawl's identity comes from its
// file or else from the store; if both are lost, the caller must name the options.
type repairer struct {
	c     *run
	again bool // queue lost pages again
	*repairReport

	archive *archiveReader
	store   *storeRepair
	results *resultsRepair
	seeds   *seedsRepair
}

func newRepairer(c *run, o RepairOptions) *repairer {
	report := &repairReport{Repair: new(Repair), dir: c.Dir, check: o.Check}
	archive := &archiveReader{c: c, repairReport: report}
	store := &storeRepair{c: c, repairReport: report, archive: archive}
	return &repairer{
		c: c, again: o.Again, repairReport: report, archive: archive, store: store,
		results: &resultsRepair{c: c, repairReport: report, archive: archive, store: store},
		seeds:   &seedsRepair{c: c, repairReport: report, archive: archive},
	}
}

// run looks for damage, and repairs it unless Check is set.
func (r *repairer) run(ctx context.Context) error {
	c := r.c
	if info, err := os.Stat(c.Dir); err != nil {
		return err
	} else if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", printable.Text(c.Dir))
	}
	if err := r.files(); err != nil {
		return err
	}
	if err := r.adopt(); err == errNothing {
		return nil
	} else if err != nil {
		return err
	}
	if err := c.prepare(ctx); err != nil {
		return err
	}
	if err := r.store.open(ctx); err != nil {
		return err
	}
	if err := r.archive.read(ctx); err != nil {
		return err
	}
	if err := r.results.check(); err != nil {
		return err
	}
	if err := r.seeds.check(); err != nil {
		return err
	}
	if r.check {
		return nil
	}
	if err := r.results.mend(ctx); err != nil {
		return err
	}
	if err := r.seeds.mend(); err != nil {
		return err
	}
	return r.finish(ctx)
}

// files looks for files in the place of folders, and for folders in the place of files.
func (r *repairer) files() error {
	for name, dir := range map[string]bool{
		"store": true, "journal": true, "archive": true, checkpointName: true, "control": true, "robots": true,
		"index":         true,
		"results.jsonl": false, "seeds.txt": false, identityName: false, memoName: false, memoOldName: false,
	} {
		info, err := os.Stat(filepath.Join(r.c.Dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if dir && !info.IsDir() || !dir && !info.Mode().IsRegular() {
			r.found(name, "is something else than it was", nil)
			if err := r.aside(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// adopt takes the options of the crawl from its folder, unless the caller names a UserAgent.
func (r *repairer) adopt() error {
	c := r.c
	who, err := readIdentity(c.Dir)
	if err != nil {
		return err
	}
	if who.UserAgent == "" {
		if _, err := os.Lstat(filepath.Join(c.Dir, identityName)); err == nil {
			r.found(identityName, "was altered", nil)
		}
		if kept := c.identityOfStore(); kept.UserAgent != "" {
			who = kept
		}
	}
	if c.UserAgent != "" {
		return nil
	}
	if who.UserAgent == "" || who.Settings == nil {
		return r.unnamed()
	}
	s := who.Settings
	c.UserAgent, c.Tokens = who.UserAgent, who.Tokens
	c.Scope, c.NoSitemaps, c.Revisits = s.Scope, s.NoSitemaps, s.Revisits
	if c.Archive == nil && !s.NoArchive {
		c.Archive = new(warc.Options)
	}
	if c.Results == "" {
		c.Results = s.Results
	}
	if s.Elsewhere && c.NATS == "" {
		return errElsewhere
	}
	return nil
}

// errNothing says that the crawl ended before it visited anything.
var errNothing = errors.New("nothing was crawled")

// unnamed handles a folder that does not have the options of the crawl. If the crawl ended before
// it began, its files are of no use and are moved aside. Otherwise the caller must name the
// options, as results and archive do not say which URLs belong to the crawl.
func (r *repairer) unnamed() error {
	c := r.c
	r.found(identityName, "does not say how the crawl was made, nor does the store", nil)
	var kept []string
	for _, name := range []string{"seeds.txt", "results.jsonl"} {
		if info, err := os.Stat(filepath.Join(c.Dir, name)); err == nil && info.Size() > 0 {
			kept = append(kept, name)
		}
	}
	files, err := warc.Files(c.archiveDir())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// special characters in the name of the folder find fewer files
	open, _ := filepath.Glob(filepath.Join(c.archiveDir(), "*.open"))
	for _, name := range open {
		files = append(files, filepath.Base(name))
	}
	if len(kept) > 0 || len(files) > 0 {
		agent := "TEXT"
		if of := archivedAgent(c.archiveDir(), files); of != "" {
			agent = "'" + strings.ReplaceAll(of, "'", `'\''`) + "'"
		}
		return fmt.Errorf("the folder does not say any more how the crawl was made: robots crawl repair --dir %s --user-agent %s mends it, together with the options that say which URLs belong to the crawl, as it was started with them (--scope, --include, --exclude, --depth and the like)",
			printable.Text(c.Dir), printable.Text(agent))
	}
	begun := false
	for _, name := range []string{"store", "journal", checkpointName, checkpointOld, checkpointNew, memoName,
		memoOldName} {
		if _, err := os.Lstat(filepath.Join(c.Dir, name)); err == nil {
			begun = true
		}
		if err := r.aside(name); err != nil {
			return err
		}
	}
	if !begun {
		return fmt.Errorf("%s: %w", printable.Text(c.Dir), ErrNoCrawl)
	}
	if !r.check {
		r.restored("nothing had been crawled yet: start the crawl again as it was started")
	}
	return errNothing
}

// archivedAgent returns the User-Agent header of the first request in an archive, or "".
func archivedAgent(dir string, files []string) string {
	const enough = 100 // records of a file
	for _, name := range files {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		records := warc.NewReader(f)
		for range enough {
			record, err := records.Next()
			if err == io.EOF {
				break
			}
			if err != nil || record.Type() != warc.TypeRequest {
				continue
			}
			if request, err := http.ReadRequest(bufio.NewReader(record)); err == nil && request.UserAgent() != "" {
				f.Close()
				return request.UserAgent()
			}
		}
		f.Close()
	}
	return ""
}

// finish continues the crawl as far as possible without a fetch, and leaves the folder like a crawl
// that stops in order.
func (r *repairer) finish(ctx context.Context) (err error) {
	c := r.c
	if err := r.reopen(ctx); err != nil {
		return err
	}
	c.stopper.begin(ctx)
	defer c.stopper.end()
	c.committer.start()
	defer func() {
		c.committer.close()
		if failure := c.failure(); failure != nil {
			err = failure
		}
	}()
	if err := r.complete(ctx); err != nil {
		return err
	}
	if err := c.committer.wait(); err != nil {
		return err
	}
	if err := c.shard.memo.clear(); err != nil {
		return err
	}
	if err := r.markAll(); err != nil {
		return err
	}
	if err := c.shard.trim(); err != nil {
		return err
	}
	return c.markStopped()
}

// reopen brings the store up to the journal, begins a new journal if needed, and opens the other
// files of the folder.
func (r *repairer) reopen(ctx context.Context) error {
	c := r.c
	if r.store.needsJournal() {
		if err := c.shard.store.SetMarks(map[string][]byte{markRepair: {1}}); err != nil {
			return err
		}
	}
	if err := c.openResults(); err != nil {
		return err
	}
	if c.shard.journal != nil {
		// Records before the damage in a journal still count.
		if err := c.shard.replay(ctx, c.marker, true); err != nil && (r.store.complete || isElsewhere(err)) {
			return err
		}
	}
	if r.store.needsJournal() {
		if err := r.store.newJournal(ctx); err != nil {
			return err
		}
	}
	archive := c.Archive
	c.Archive = nil // a repair writes no records to the archive
	defer func() { c.Archive = archive }()
	return c.openRest()
}

// complete commits what the store lacks: the pauses in the memo, the seeds, the visits that only
// the results and the archive have, and the pauses that the archived answers asked for.
func (r *repairer) complete(ctx context.Context) error {
	c := r.c
	if r.store.needsJournal() || r.store.base != "store" || len(r.Faults) > 0 {
		c.shard.frontier.interruptAll(time.Now()) // the last requests of the hosts for a pause are lost
	}
	if err := c.recall(); err != nil {
		return err
	}
	if !r.seeds.unbegun {
		if err := c.seedAgain(); err != nil {
			return err
		}
		if r.store.needsJournal() {
			if err := r.store.rebuild(ctx); err != nil {
				return err
			}
		}
	}
	if err := r.archive.leaveAlone(); err != nil {
		return err
	}
	return r.archive.reportLost(ctx, r.again)
}

// markAll writes the marks of the files as they are now.
func (r *repairer) markAll() error {
	c := r.c
	all := make(map[string][]byte)
	for name := range c.marker.marks.archives {
		all[markArchive+name] = nil
	}
	if r.store.needsJournal() || c.marker.marks.repair {
		all[markRepair] = nil
	}
	for name, m := range r.archive.files {
		all[markArchive+name] = m.bytes()
	}
	if err := c.shard.store.SetMarks(all); err != nil {
		return err
	}
	c.marker.results.known = c.marker.results.size // the store was compared with the whole file
	return c.marker.mark()
}
