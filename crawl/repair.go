package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/crawl/store"
	"github.com/robotsexclusion/robots/internal/printable"
)

// RepairOptions say what a repair does.
type RepairOptions struct {
	// Check is set to look for damage and change nothing.
	Check bool
	// Again is set to queue pages again whose answer the archive has lost.
	Again bool
}

// A Repair tells what was wrong with the folder of a crawl, and what came of it.
type Repair struct {
	Faults   []Fault  // what was wrong
	Restored []string // what was made again, a sentence each
	Lost     []string // what could not be, a sentence each
	Aside    string   // the folder to which files were moved that are of no more use, or empty
}

// A repairer repairs the folder of a crawl.
type repairer struct {
	c *Crawler
	RepairOptions
	*Repair

	base    string          // what the store is made from: "store", "checkpoint" or "nothing"
	since   int64           // where lines of the results begin that the base may not know
	log     bool            // the journal has all that the base has not
	unbegun bool            // nobody has named a URL to start from, and nothing was visited
	lines   map[uint64]bool // that the journal has and the base has not, by their hashes
	told    map[uint64]bool
	kept    captures
	alone   map[string]time.Time // hosts that asked for it, by the archive, and until when
	working sync.WaitGroup
}

func (r *repairer) found(file, what string, err error) {
	for _, f := range r.Faults {
		if f.File == file && f.What == what {
			return
		}
	}
	r.Faults = append(r.Faults, Fault{file, what, err})
}

func (r *repairer) restored(format string, args ...any) {
	r.Restored = append(r.Restored, printable.Clipped(fmt.Sprintf(format, args...), 500))
}

func (r *repairer) lost(format string, args ...any) {
	r.Lost = append(r.Lost, printable.Clipped(fmt.Sprintf(format, args...), 500))
}

// aside moves what is of no more use out of the way.
func (r *repairer) aside(name string) error {
	if r.Check {
		return nil
	}
	from := filepath.Join(r.c.Dir, name)
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if r.Aside == "" {
		r.Aside = filepath.Join(r.c.Dir, "damaged-"+time.Now().UTC().Format("20060102T150405.000000Z"))
		if err := os.Mkdir(r.Aside, 0o777); err != nil {
			return err
		}
	}
	to := filepath.Join(r.Aside, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	// The store may be of no use twice: as it was, and as made again from its checkpoint.
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = filepath.Join(r.Aside, fmt.Sprintf("%s.%d", name, n))
	}
	return os.Rename(from, to)
}

// errNothing is for the folder of a crawl that was ended before it visited anything.
var errNothing = errors.New("nothing was crawled")

// nothing is changes that nobody makes.
type nothing struct{}

func (nothing) Seen(store.Item)              {}
func (nothing) Done(store.Item, store.State) {}
func (nothing) Drop(store.Item)              {}
func (nothing) Refuse(store.Item, uint8)     {}
func (nothing) Defer(store.Item, time.Time)  {}
func (nothing) SetHost(string, []byte)       {}

// fault notes an error of damage.
func (r *repairer) fault(file string, err error) {
	var d *DamageError
	if errors.As(err, &d) {
		for _, f := range d.Faults {
			r.found(f.File, f.What, f.Err)
		}
		return
	}
	r.found(file, "cannot be used: "+err.Error(), err)
}

