package crawl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"strings"
	"syscall"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A DamageError reports that files in the folder of a crawl were removed, cut or altered by
// something other than the crawl.
type DamageError struct {
	Dir    string
	Faults []Fault // at least one
}

// A Fault is one damaged file or folder of a crawl.
type Fault struct {
	File string // its name in the folder of the crawl, such as "results.jsonl"
	What string // the damage, as the rest of a sentence that begins with File
	Err  error  // the error that showed the damage, or nil
}

// String returns the fault as a sentence, without a full stop.
func (f Fault) String() string {
	return printable.Text(f.File) + " " + printable.Clipped(f.What, 400)
}

// mostNamed is the maximum number of faults that an error lists.
const mostNamed = 5

// Error lists the damage and says how to repair it.
func (e *DamageError) Error() string {
	var named []string
	for i, f := range e.Faults {
		if i == mostNamed {
			named = append(named, fmt.Sprintf("and %d more", len(e.Faults)-i))
			break
		}
		named = append(named, f.String())
	}
	return fmt.Sprintf("the crawl in %s is damaged: %s (robots crawl repair --dir %[1]s restores what the rest of the folder allows, and reports what is lost)",
		printable.Text(e.Dir), strings.Join(named, "; "))
}

// Unwrap returns the errors that showed the damage.
func (e *DamageError) Unwrap() (errs []error) {
	for _, f := range e.Faults {
		if f.Err != nil {
			errs = append(errs, f.Err)
		}
	}
	return errs
}

// hasOutcome reports whether the store has the outcome of the visit in a line of the results.
func hasOutcome(known *store.Entry, line *result.Line) bool {
	return known.Seen && !known.Queued || known.Done && known.State.Fetched.UnixMilli() >= line.FetchedAt.UnixMilli()
}

// compareResults compares the lines of the results between two offsets with the records of the
// journal, by their hashes in logged. The store may not have known these lines when it was opened.
// A line is written after its record is in the journal. So a line about a URL that neither the
// journal nor the store knows shows that the journal has lost its end. The store has no record
// whose line is beyond the store's mark. So each line there is in the journal, or was altered.
func (mk *marker) compareResults(from, to int64, logged map[uint64]bool) error {
	m, ok := mk.marks.files[markResults]
	name, marked := mk.config.resultsName()
	if mk.config.ResultsTo != nil || m.Name != marked || !ok && marked != "" {
		return nil // the file may have lines of another crawl
	}
	unknown, altered := 0, 0
	err := readLines(name, from, func(offset int64, line []byte) error {
		var one result.Line
		if offset >= to {
			return nil
		}
		if logged[maphash.Bytes(seed, line)] {
			// The journal has a later line, so it has not lost its end: the unknown lines
			// before were altered.
			altered, unknown = altered+unknown, 0
			return nil
		}
		if json.Unmarshal(line, &one) != nil {
			altered++
			return nil
		}
		u, err := weburl.Exact.Parse(one.URL)
		if err != nil {
			altered++
			return nil
		}
		known, err := mk.store.URL(store.Item{Partition: partitionOf(u), URL: u.String()})
		switch {
		case err != nil:
			return err
		case !hasOutcome(&known, &one):
			unknown++
		case offset >= m.Size && m.Ahead > 0: // earlier versions wrote marks later, and had no Ahead
			altered++
		}
		return nil
	})
	if err == nil && altered > 0 {
		err = fmt.Errorf("%w: %s", errAltered, plural(altered, "line", "lines"))
	}
	if unknown > 0 {
		lost := fmt.Errorf("%w: neither the journal nor the store has %s of the results", journal.ErrLost,
			plural(unknown, "URL", "URLs"))
		if err == nil {
			return lost
		}
		return fmt.Errorf("%w; %w", err, lost)
	}
	return err
}

// errAltered is returned for altered lines of the results.
var errAltered = errors.New("the results have lines that were altered")

// damaged wraps an error that shows damage in a DamageError about a file.
func (c *Config) damaged(file string, err error) error {
	if err == nil || errors.As(err, new(*DamageError)) || !isDamage(err) {
		return err
	}
	if errors.Is(err, errAltered) {
		file = "results.jsonl"
	}
	return &DamageError{c.Dir, []Fault{{file, "cannot be used: " + err.Error(), err}}}
}

// isDamage reports whether an error shows that files are not as they were written.
func isDamage(err error) bool {
	for _, known := range []error{store.ErrDamaged, journal.ErrTrimmed, journal.ErrLost, journal.ErrUnreadable,
		errEvents, errState, errAltered} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, new(*journal.CorruptError))
}

// isElsewhere reports whether the cause of an error is outside the crawl's files: another
// process, missing permissions, exhausted memory, disk space or file descriptors, also of a NATS
// server, a read-only file system, or a cancelled context.
func isElsewhere(err error) bool {
	for _, known := range []error{
		context.Canceled, context.DeadlineExceeded, journal.ErrLocked, journal.ErrFenced, journal.ErrFull,
		journal.ErrDenied, store.ErrLocked, ErrInUse,
		os.ErrPermission, syscall.ENOSPC, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return strings.Contains(err.Error(), syscall.ENOSPC.Error())
}
