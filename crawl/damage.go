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

	"github.com/robotsexclusion/robots/crawl/internal/journal"
	"github.com/robotsexclusion/robots/crawl/internal/store"
	"github.com/robotsexclusion/robots/crawl/result"
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

// mostNamed is how many faults an error names.
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
	return fmt.Sprintf("the crawl in %s is damaged: %s (robots crawl repair --dir %[1]s restores what the rest of the folder allows, and tells what is lost)",
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

// settled reports whether the store knows what a line of the results tells.
func settled(known *store.Entry, told *result.Line) bool {
	return known.Seen && !known.Queued || known.Done && known.State.Fetched.UnixMilli() >= told.FetchedAt.UnixMilli()
}

// compareTold compares the lines of the results from one offset up to another, which the store
// may not have known as it was opened, with those of records of the journal, by their hashes. A
// line is written after its record is in the journal: so a line about a URL of which neither
// journal nor store knows shows that the journal has lost its end. And the store has none of the
// records whose lines are beyond its mark: so there each line is one of the journal, or altered.
func (mk *marker) compareTold(from, to int64, told map[uint64]bool) error {
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
		if told[maphash.Bytes(seed, line)] {
			// The journal goes on, so what it did not have before was altered, and its end is there.
			altered, unknown = altered+unknown, 0
			return nil
		}
		if json.Unmarshal(line, &one) != nil {
			altered++
			return nil
		}
		u, err := mk.redirects.Parse(one.URL)
		if err != nil {
			altered++
			return nil
		}
		known, err := mk.store.URL(store.Item{Partition: partitionOf(u), URL: u.String()})
		switch {
		case err != nil:
			return err
		case !settled(&known, &one):
			unknown++
		case offset >= m.Size && m.Ahead > 0: // earlier versions wrote marks later, and had no Ahead
			altered++
		}
		return nil
	})
	if err == nil && altered > 0 {
		err = fmt.Errorf("%w: %s", errTold, plural(altered, "line", "lines"))
	}
	if unknown > 0 {
		lost := fmt.Errorf("%w: the results tell %s of which neither it nor the store knows", journal.ErrLost, plural(unknown, "URL", "URLs"))
		if err == nil {
			return lost
		}
		return fmt.Errorf("%w; %w", err, lost)
	}
	return err
}

// errTold is the error of lines of the results that are not as they were written.
var errTold = errors.New("the results have lines that were altered")

// damaged returns an error as a DamageError about a file if it is one of damage.
func (c *Config) damaged(file string, err error) error {
	if err == nil || errors.As(err, new(*DamageError)) || !isDamage(err) {
		return err
	}
	if errors.Is(err, errTold) {
		file = "results.jsonl"
	}
	return &DamageError{c.Dir, []Fault{{file, "cannot be used: " + err.Error(), err}}}
}

// isDamage reports whether an error comes of files that are not as they were written.
func isDamage(err error) bool {
	for _, known := range []error{store.ErrDamaged, journal.ErrTrimmed, journal.ErrLost, journal.ErrUnreadable, errEvents, errState, errTold} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, new(*journal.CorruptError))
}

// isElsewhere reports whether an error comes of something else than the files of a crawl:
// another process, missing rights, a disk that is full, or an end that was asked for.
func isElsewhere(err error) bool {
	for _, known := range []error{
		context.Canceled, context.DeadlineExceeded, journal.ErrLocked, journal.ErrFenced, store.ErrLocked, ErrInUse,
		os.ErrPermission, syscall.ENOSPC, syscall.EROFS, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return strings.Contains(err.Error(), syscall.ENOSPC.Error())
}
