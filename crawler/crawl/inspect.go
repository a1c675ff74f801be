package crawl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/pace"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

var (
	// ErrNotRunning is returned by methods that need a running crawl.
	ErrNotRunning = errors.New("the crawl does not run, or is just starting or ending")
	// ErrNoCrawl is returned for a folder that never had a crawl.
	ErrNoCrawl = errors.New("there is no crawl in the folder")
	// ErrInUse is returned for the folder of a running crawl.
	ErrInUse = errors.New("another process has the folder open")
)

// An Inspection reads the folder of a crawl that does not run. It reads the store and the memo
// of hosts' pauses. It does not open the journal, because opening would take the journal from
// its owner. After a kill, the inspection therefore misses the changes that only the journal
// has, about the last second: see [store.Options.SyncEvery]. These changes are not lost: the
// crawl replays them when it resumes.
//
// A crawl started in the folder waits until the Inspection is closed. An Inspection changes
// nothing, so the folder may be read-only.
type Inspection struct {
	store  *store.Store
	robots fetch.Cache
	who    identity
	memo   map[string]*memoHost

	unstored *unstored // of a worker with an object store, or nil
	worker   string    // number of the worker, if the crawl is shared
	changed  time.Time // when that worker stopped, or was last known to run
}

// Inspect opens the folder of a crawl that does not run. The error is [ErrNoCrawl] if there is
// no crawl, and [ErrInUse] if the crawl runs.
func Inspect(dir string) (*Inspection, error) {
	name := filepath.Join(dir, "store")
	if files, err := os.ReadDir(name); errors.Is(err, os.ErrNotExist) || err == nil && len(files) == 0 {
		return nil, fmt.Errorf("%s: %w", printable.Text(dir), ErrNoCrawl)
	} else if err != nil {
		return nil, err
	}
	s, err := store.Open(store.Options{Dir: name, ReadOnly: true})
	if errors.Is(err, store.ErrLocked) {
		return nil, fmt.Errorf("%s: %w", printable.Text(dir), ErrInUse)
	}
	if err != nil {
		return nil, fmt.Errorf("open the store: %w", err)
	}
	i := &Inspection{store: s, robots: fetch.Dir(filepath.Join(dir, "robots")), memo: make(map[string]*memoHost)}
	m := &memo{dir: dir}
	all, _, err := m.read()
	if err == nil {
		i.who, err = readIdentity(dir)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	for _, o := range all {
		i.memo[o.origin] = o
	}
	if i.unstored, err = unstoredOf(dir, s); err == nil {
		err = i.findWorker(dir)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return i, nil
}

// findWorker finds out whether the folder is that of a worker, and when it changed last.
func (i *Inspection) findWorker(dir string) error {
	shared := false
	err := i.store.Marks(func(name string, _ []byte) error {
		shared = shared || name == markShared
		return nil
	})
	if err != nil || !shared || i.who.Journal == nil {
		return err
	}
	i.worker = fmt.Sprintf("%08x", i.who.Journal.worker())
	names, err := filepath.Glob(filepath.Join(dir, "store", "*"))
	for _, name := range append(names, filepath.Join(dir, identityName)) {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(i.changed) {
			i.changed = info.ModTime().UTC()
		}
	}
	return err
}

// Close closes the folder.
func (i *Inspection) Close() error { return i.store.Close() }

// Status returns the progress of the crawl, with up to hosts of the hosts that have something
// to do, and 10,000 at most. Waits assume the default Pauses and the pauses that hosts
// asked for: the options of the next run are unknown. Status takes some microseconds for each
// known host.
func (i *Inspection) Status(ctx context.Context, hosts int) (*Status, error) {
	s := &Status{State: i.state(), At: time.Now().UTC(), Counts: Counts(i.store.Counts()), Robot: i.who.UserAgent,
		Journal: i.who.Journal.name(), Waits: make(map[string]int64), Unstored: i.unstored,
		Worker: i.worker, Known: i.changed}
	var reasons [result.Reasons]int64
	refused := i.store.Refused()
	copy(reasons[:], refused[:])
	var first []listedHost
	most := max(min(hosts, maxHosts), 0)
	err := i.store.Hosts(func(known store.Host) error {
		h, err := i.host(&known, s.At)
		if err != nil {
			return err
		}
		for r, n := range h.counts.reasons {
			reasons[r] += n
		}
		if known.Queued == 0 {
			return ctx.Err()
		}
		s.Waiting++
		kind, _ := h.waits(s.At)
		s.Waits[kind.String()]++
		status := HostStatus{Origin: known.Origin, Queued: known.Queued, Done: known.Done,
			Reasons: named(h.counts.reasons)}
		status.wait(h, s.At)
		if first = append(first, listedHost{h, status}); len(first) > 2*most {
			first = soonest(first, most)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	s.Reasons = named(reasons)
	for n, h := range soonest(first, most) {
		if n < mostCauses {
			h.status.cause(ctx, i.robots)
		}
		s.Hosts = append(s.Hosts, h.status)
	}
	return s, nil
}

// HostStatus returns the full status of the hosts with a name, as [Crawl.HostStatus] does.
func (i *Inspection) HostStatus(ctx context.Context, name string, urls int) ([]HostStatus, error) {
	all, err := hostsNamed(ctx, i.store, name)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	var statuses []HostStatus
	for _, known := range all {
		h, err := i.host(&known, now)
		if err != nil {
			return nil, err
		}
		s := idle(&known)
		if known.Queued > 0 {
			s.wait(h, now)
		}
		known.State = h.appendState(nil)
		if err := s.fill(&known); err != nil {
			return nil, err
		}
		s.Robots = obedience(ctx, i.robots, known.Origin, i.who.Tokens)
		if err := s.peek(i.store, min(urls, maxQueued)); err != nil {
			return nil, err
		}
		statuses = append(statuses, s)
	}
	return statuses, nil
}

func (i *Inspection) state() State {
	if i.who.Open || len(i.memo) > 0 {
		return Killed
	}
	return Stopped
}

// host returns a host as it would be if the crawl resumed now.
func (i *Inspection) host(known *store.Host, now time.Time) (*host, error) {
	h, err := newHost(*known)
	if o := i.memo[known.Origin]; o != nil && err == nil {
		err = o.restore(h)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", known.Origin, err)
	}
	h.reason = h.pace.Wait(&pace.Pauses{}, now)
	h.at = later(h.reason.At, known.FirstDue)
	return h, nil
}

// A listedHost is a host with its status.
type listedHost struct {
	host   *host
	status HostStatus
}

// soonest returns the n hosts that are due first, in order.
func soonest(hosts []listedHost, n int) []listedHost {
	slices.SortFunc(hosts, func(a, b listedHost) int {
		return cmp.Or(a.host.at.Compare(b.host.at), strings.Compare(a.host.origin, b.host.origin))
	})
	return hosts[:min(n, len(hosts))]
}

// An identity names the robot of a crawl and has the crawl's settings. It is stored for two
// purposes: an Inspection evaluates robots.txt files for the robot, and a repair rebuilds the
// store from the archive.
type identity struct {
	UserAgent string    `json:"user_agent"`
	Tokens    []string  `json:"tokens"`
	Open      bool      `json:"open"` // the crawl runs, or did not stop in order
	Settings  *settings `json:"settings,omitempty"`
	Unqueued  bool      `json:"unqueued,omitempty"` // not all seeds may be in the queue
	Journal   *home     `json:"journal,omitempty"`  // the journal, if it is on a server
	Sum       string    `json:"sum,omitempty"`      // CRC-32C of the object without Sum, in hex
}

// settings are the options of a crawl that decide which URLs belong to it.
type settings struct {
	Scope      Scope     `json:"scope"`
	NoSitemaps bool      `json:"no_sitemaps,omitempty"`
	Revisits   *Revisits `json:"revisits,omitempty"`
	NoArchive  bool      `json:"no_archive,omitempty"`
	Results    string    `json:"results,omitempty"`   // the results file, if it is not the one in the folder
	Elsewhere  bool      `json:"elsewhere,omitempty"` // the journal is on a server
}

const identityName = "robot.json"

// identity returns the identity of the crawl.
func (c *run) identity(open bool) identity {
	_, results := c.resultsName()
	return identity{c.UserAgent, c.tokens, open, &settings{
		c.Scope, c.NoSitemaps, c.Revisits, c.Archive == nil, results, c.NATS != "",
	}, c.unqueued, c.joiner.home, ""}
}

// text returns the stored form of the identity.
func (who identity) text() ([]byte, error) {
	who.Sum = ""
	text, err := json.Marshal(who)
	if err != nil {
		return nil, err
	}
	who.Sum = fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli))
	text, err = json.Marshal(who)
	return append(printable.JSON(text), '\n'), err
}

// writeIdentity stores the identity, with whether the crawl runs.
func (c *run) writeIdentity(open bool) error {
	text, err := c.identity(open).text()
	if err != nil {
		return err
	}
	name := filepath.Join(c.Dir, identityName)
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	if err := os.WriteFile(name+".new", text, 0o666); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// markStopped records that the crawl stops in order. It syncs the store first.
func (c *run) markStopped() error {
	if err := c.shard.store.Sync(); err != nil {
		return err
	}
	return c.writeIdentity(c.stillKilled)
}

// readIdentity returns the identity of the last run. The identity is empty if the file is
// missing or was altered.
func readIdentity(dir string) (who identity, err error) {
	f, err := os.Open(filepath.Join(dir, identityName))
	if errors.Is(err, os.ErrNotExist) {
		return who, nil
	}
	if err != nil {
		return who, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return who, nil
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return who, err
	}
	return parseIdentity(text), nil
}

// parseIdentity parses a stored identity. It returns an empty one if the text was altered.
func parseIdentity(text []byte) (who identity) {
	if json.Unmarshal(text, &who) != nil {
		return identity{}
	}
	if again, err := who.text(); who.Sum != "" && (err != nil || !bytes.Equal(again, text)) {
		return identity{}
	}
	return who
}
