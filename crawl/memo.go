package crawl

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/robotsexclusion/robots/internal/binread"
	"github.com/robotsexclusion/robots/internal/filecheck"
)

// A memo is a file in which a robot notes at once what it owes to hosts: that a request
// begins, and how polite to be after one has ended. The journal gets to know that some
// time later, with all that was found. If the process is killed meanwhile, a host that
// asked to be left alone is left alone all the same.
//
// It is written without waiting for the disk: the system keeps it when the process is
// killed, and a loss of power takes longer than most pauses.
type memo struct {
	dir string

	mu     sync.Mutex
	f      *os.File
	place  filecheck.Place // of f
	size   int64
	owing  map[string]*owed // hosts of which the journal does not get to know yet
	old    bool             // the file before is still there
	failed error
	visits []*noted // that were found by read
}

const (
	memoName    = "owed"
	memoOldName = "owed.old"
	memoSize    = 16 << 20 // bytes after which a new file is begun
)

// What an entry of a memo says of a host. They are stored by number: never renumber, add at
// the end.
const (
	memoBegin = 1 // a request begins
	memoEnd   = 2 // it has ended, and this is how polite to be
	memoVisit = 3 // a page was archived: instead of the origin there is its URL, and where it is
)

// A noted is a visit whose answer is in the archive, and of which the journal may not know.
// After a kill it is read again there, and not asked for again.
type noted struct {
	url       string
	partition uint8
	tries     uint32
	at        time.Time
	file      string
	offset    int64
	address   string
}

// visited notes a visit, once it is in the archive.
func (m *memo) visited(n *noted) error {
	b := binary.AppendUvarint(nil, uint64(n.tries))
	b = binary.AppendUvarint(b, uint64(n.at.UnixNano()))
	b = binary.AppendUvarint(b, uint64(n.offset))
	b = binary.AppendUvarint(b, uint64(len(n.file)))
	b = append(append(b, n.file...), n.address...)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.write(memoVisit, &owed{origin: n.url, partition: n.partition, pace: b})
}

func openMemo(dir string) (*memo, error) {
	m := &memo{dir: dir, owing: make(map[string]*owed)}
	if err := m.openFile(); err != nil {
		return nil, err
	}
	return m, nil
}

// openFile opens the file that is written to.
func (m *memo) openFile() error {
	f, err := os.OpenFile(filepath.Join(m.dir, memoName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekEnd)
	place, placeErr := filecheck.Of(f)
	if err := cmp.Or(err, placeErr); err != nil {
		f.Close()
		return err
	}
	if m.f != nil {
		m.f.Close()
	}
	m.f, m.place, m.size = f, place, size
	return nil
}

// length returns how many bytes the file has.
func (m *memo) length() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

// present returns an error if the file was removed: what is noted is then lost.
func (m *memo) present() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.place.Check()
}

// begin notes that a request to a host begins.
func (m *memo) begin(h *host) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.owing[h.origin]
	if o == nil {
		o = &owed{origin: h.origin, partition: h.partition}
		m.owing[h.origin] = o
	}
	o.open = true
	return m.write(memoBegin, o)
}

// end notes that it has ended, if one was under way, and what is owed to the host now.
func (m *memo) end(h *host) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.owing[h.origin]
	if o == nil || !o.open {
		return nil
	}
	o.open = false
	o.pace, _ = h.pace.AppendBinary(nil)
	return m.write(memoEnd, o)
}

// settle is told that the state of a host, which no request is under way to, is on its
// way to the journal.
func (m *memo) settle(origin string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o := m.owing[origin]; o != nil && !o.open {
		delete(m.owing, origin)
	}
}

// write writes an entry about a host, for who holds the lock.
func (m *memo) write(kind byte, o *owed) error {
	if m.failed != nil {
		return m.failed
	}
	b := make([]byte, 8, 16+len(o.origin)+len(o.pace))
	b = append(b, kind, o.partition)
	b = binary.AppendUvarint(b, uint64(len(o.origin)))
	b = append(b, o.origin...)
	if kind != memoBegin {
		b = append(b, o.pace...)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-8))
	binary.LittleEndian.PutUint32(b[4:], crc32.ChecksumIEEE(b[8:]))
	n, err := m.f.Write(b)
	m.size += int64(n)
	if err != nil {
		m.failed = fmt.Errorf("note what is owed to a host: %w", err)
	}
	return m.failed
}

// isFull reports whether a new file is to be begun, with turn.
func (m *memo) isFull() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size > memoSize && !m.old && m.failed == nil
}

// turn begins a new file. The one before is needed until the journal has what is on its
// way there: then forget is to be called. What is not on its way yet is in the new one too.
func (m *memo) turn() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := os.Rename(filepath.Join(m.dir, memoName), filepath.Join(m.dir, memoOldName)); err != nil {
		return err
	}
	if err := m.openFile(); err != nil {
		return err
	}
	m.old = true
	for _, o := range m.owing {
		if o.pace != nil {
			m.write(memoEnd, o)
		}
		if o.open {
			m.write(memoBegin, o)
		}
	}
	return m.failed
}

// forget removes the file before.
func (m *memo) forget() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.old = false
	return remove(filepath.Join(m.dir, memoOldName))
}

// clear removes all that is noted, because it is in the journal.
func (m *memo) clear() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.owing)
	m.size, m.old = 0, false
	return errors.Join(m.f.Truncate(0), remove(filepath.Join(m.dir, memoOldName)))
}

func remove(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (m *memo) close() error { return m.f.Close() }

// An owed is what a memo says of a host.
type owed struct {
	origin    string
	partition uint8
	pace      []byte // after the last request that ended, or nil
	open      bool   // a request was under way
}

// tell takes over what is owed to a host. All else that is known of it the journal has,
// as it was when that was found.
func (o *owed) tell(h *host) error {
	if o.pace == nil {
		return nil
	}
	if err := h.pace.UnmarshalBinary(o.pace); err != nil {
		return fmt.Errorf("what is owed to %s: %w", o.origin, err)
	}
	return nil
}

// read returns what is noted, each host once, and whether all of both files could be read:
// entries are written whole, so that one that is not was cut or altered.
func (m *memo) read() (all []*owed, whole bool, err error) {
	whole = true
	seen := make(map[string]*owed)
	for _, name := range []string{memoOldName, memoName} {
		data, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false, err
		}
		for len(data) > 0 {
			if len(data) < 8 {
				whole = false
				break
			}
			n := binary.LittleEndian.Uint32(data)
			if uint64(n) > uint64(len(data)-8) || crc32.ChecksumIEEE(data[8:8+n]) != binary.LittleEndian.Uint32(data[4:]) {
				whole = false
				break
			}
			r := binread.Reader{Rest: data[8 : 8+n]}
			kind, partition, origin := r.Byte(), r.Byte(), r.Text()
			data = data[8+n:]
			if r.Wrong {
				whole = false
				break
			}
			if kind == memoVisit {
				n := &noted{url: origin, partition: partition, tries: uint32(r.Number()), at: time.Unix(0, int64(r.Number())).UTC(), offset: int64(r.Number()), file: r.Text()}
				if n.address = string(r.Rest); !r.Wrong {
					m.visits = append(m.visits, n)
				}
				continue
			}
			o := seen[origin]
			if o == nil {
				o = &owed{origin: origin, partition: partition}
				seen[origin] = o
				all = append(all, o)
			}
			if o.open = kind == memoBegin; !o.open {
				o.pace = r.Rest
			}
		}
	}
	return all, whole, nil
}
