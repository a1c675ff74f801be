package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// A repairReport collects the damage that a repair finds, what the repair restores, and what is
// lost. It also moves unusable files to the folder Aside. The parts of a repair share one report.
type repairReport struct {
	*Repair
	dir   string // the folder of the crawl
	check bool   // change nothing
}

// found adds damage of a file, unless the report has the same damage already.
func (r *repairReport) found(file, what string, err error) {
	for _, f := range r.Faults {
		if f.File == file && f.What == what {
			return
		}
	}
	r.Faults = append(r.Faults, Fault{file, what, err})
}

// fault adds the damage that an error shows.
func (r *repairReport) fault(file string, err error) {
	var d *DamageError
	if errors.As(err, &d) {
		for _, f := range d.Faults {
			r.found(f.File, f.What, f.Err)
		}
		return
	}
	r.found(file, "cannot be used: "+err.Error(), err)
}

// isDamaged reports whether the report has damage of a file.
func (r *repairReport) isDamaged(file string) bool {
	return slices.ContainsFunc(r.Faults, func(f Fault) bool { return f.File == file })
}

func (r *repairReport) restored(format string, args ...any) {
	r.Restored = append(r.Restored, printable.Clipped(fmt.Sprintf(format, args...), 500))
}

func (r *repairReport) lost(format string, args ...any) {
	r.Lost = append(r.Lost, printable.Clipped(fmt.Sprintf(format, args...), 500))
}

// aside moves an unusable file or folder to the folder Aside. A missing file is not an error.
func (r *repairReport) aside(name string) error {
	if r.check {
		return nil
	}
	from := filepath.Join(r.dir, name)
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if r.Aside == "" {
		r.Aside = filepath.Join(r.dir, "damaged-"+time.Now().UTC().Format("20060102T150405.000000Z"))
		if err := os.Mkdir(r.Aside, 0o777); err != nil {
			return err
		}
	}
	to := filepath.Join(r.Aside, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	// The store may be moved twice: the original, and the one restored from the checkpoint.
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = filepath.Join(r.Aside, fmt.Sprintf("%s.%d", name, n))
	}
	return os.Rename(from, to)
}
