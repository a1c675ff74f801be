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

	"github.com/robotsexclusion/robots/crawler/internal/binread"
	"github.com/robotsexclusion/robots/crawler/internal/filecheck"
)

// A memo is a file that records the start of each request to a host, and the host's pace after
// the request has ended, at once. The journal gets the same facts later, with the outcome. If
// the process is killed in between, a host that asked to be left alone is still left alone.
//
// Writes do not wait for the disk: the system keeps the data when the process is killed, and a
// loss of power takes longer than most pauses.
type memo struct {
	dir string

	mu     sync.Mutex
	f      *os.File
	place  filecheck.Place // of f
	size   int64
	hosts  map[string]*memoHost // hosts whose state is not queued for the journal yet
	old    bool                 // the previous file still exists
	failed error
	visits []*archivedVisit // found by read
}

const (
	memoName    = "owed"
	memoOldName = "owed.old"
	memoSize    = 16 << 20 // bytes after which the memo begins a new file
)

// The kinds of entries of a memo. They are stored by number: never renumber, add at the end.
const (
	memoBegin = 1 // a request begins
	memoEnd   = 2 // a request has ended; the entry has the host's pace
	memoVisit = 3 // a page was archived; the entry has the URL as its origin, and the place
)

// An archivedVisit is a visit whose answer is in the archive, but whose outcome may be missing from
// the journal. After a kill the answer is read from the archive and not requested again.
type archivedVisit struct {
	url       string
	partition uint8
	tries     uint32
	at        time.Time
	file      string
	offset    int64
	address   string
}

// addVisit records a visit. Its answer must be in the archive.
func (m *memo) addVisit(n *archivedVisit) error {
	b := binary.AppendUvarint(nil, uint64(n.tries))
	b = binary.AppendUvarint(b, uint64(n.at.UnixNano()))
	b = binary.AppendUvarint(b, uint64(n.offset))
	b = binary.AppendUvarint(b, uint64(len(n.file)))
	b = append(append(b, n.file...), n.address...)
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.write(memoVisit, &memoHost{origin: n.url, partition: n.partition, pace: b})
}

func openMemo(dir string) (*memo, error) {
	m := &memo{dir: dir, hosts: make(map[string]*memoHost)}
	if err := m.openFile(); err != nil {
		return nil, err
	}
	return m, nil
}

// openFile opens the current file for writing.
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

// length returns the size of the file in bytes.
func (m *memo) length() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size
}

// present returns an error if the file was removed: its entries are lost.
func (m *memo) present() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.place.Check()
}

// begin records the start of a request to a host.
func (m *memo) begin(h *host) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.hosts[h.origin]
	if o == nil {
		o = &memoHost{origin: h.origin, partition: h.partition}
		m.hosts[h.origin] = o
	}
	o.open = true
	return m.write(memoBegin, o)
}

// end records the end of a host's open request, if there is one, and the host's pace.
func (m *memo) end(h *host) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.hosts[h.origin]
	if o == nil || !o.open {
		return nil
	}
	o.open = false
	o.pace, _ = h.pace.AppendBinary(nil)
	return m.write(memoEnd, o)
}

// release drops the host's entry if no request is open: its state is queued for the journal.
func (m *memo) release(origin string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if o := m.hosts[origin]; o != nil && !o.open {
		delete(m.hosts, origin)
	}
}

// write writes an entry about a host. m.mu must be held.
func (m *memo) write(kind byte, o *memoHost) error {
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
		m.failed = fmt.Errorf("write the memo: %w", err)
	}
	return m.failed
}

// isFull reports whether it is time to begin a new file, with turn.
func (m *memo) isFull() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.size > memoSize && !m.old && m.failed == nil
}

// turn begins a new file. The caller must keep the previous file until the journal has
// committed all pending states, and then call forget. turn copies to the new file the entries
// whose states are not queued for the journal.
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
	for _, o := range m.hosts {
		if o.pace != nil {
			m.write(memoEnd, o)
		}
		if o.open {
			m.write(memoBegin, o)
		}
	}
	return m.failed
}

// forget removes the previous file.
func (m *memo) forget() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.old = false
	return remove(filepath.Join(m.dir, memoOldName))
}

// clear removes all entries. The journal must have them.
func (m *memo) clear() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.hosts)
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

// A memoHost is the state of a host in a memo.
type memoHost struct {
	origin    string
	partition uint8
	pace      []byte // after the last request that ended, or nil
	open      bool   // a request was under way
}

// restore copies the pace in the memo to a host. The rest of the host's state comes from the
// journal.
func (o *memoHost) restore(h *host) error {
	if o.pace == nil {
		return nil
	}
	if err := h.pace.UnmarshalBinary(o.pace); err != nil {
		return fmt.Errorf("the memo of %s: %w", o.origin, err)
	}
	return nil
}

// read returns the entries of both files, each host once, and reports whether both files are
// whole. Entries are written whole, so a broken entry was cut or altered.
func (m *memo) read() (all []*memoHost, whole bool, err error) {
	whole = true
	seen := make(map[string]*memoHost)
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
			if uint64(n) > uint64(len(data)-8) ||
				crc32.ChecksumIEEE(data[8:8+n]) != binary.LittleEndian.Uint32(data[4:]) {
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
				n := &archivedVisit{url: origin, partition: partition, tries: uint32(r.Number()),
					at: time.Unix(0, int64(r.Number())).UTC(), offset: int64(r.Number()), file: r.Text()}
				if n.address = string(r.Rest); !r.Wrong {
					m.visits = append(m.visits, n)
				}
				continue
			}
			o := seen[origin]
			if o == nil {
				o = &memoHost{origin: origin, partition: partition}
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
