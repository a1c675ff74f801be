package store

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/cockroachdb/pebble/v2"
)

// A dump has the state of one partition in a form that another store can load, if it has the same
// salt: a URL that was dropped is in the store as a hash only. It is a list of entries, each a kind
// and texts with their lengths before them:
//
//	'p'  the record of the partition, and the number of its URLs with a record
//	'h'  a host and its state, or an empty text
//	's'  the key of a URL without a record, from the hash of its host on
//	'u'  the record of a URL; those in order of discovery
//	'e'  the end, with the number of entries before
//
// The kinds are stored: never change them.
const (
	dumpPart = 'p'
	dumpHost = 'h'
	dumpSeen = 's'
	dumpURL  = 'u'
	dumpEnd  = 'e'
)

// maxDumpText is the maximum length in bytes of a text in a dump.
const maxDumpText = MaxState + 2*MaxURL + 4*MaxHints

// loadTable has a key for each partition that is being loaded: what it has is not whole.
const loadTable = 'l'

// SaltSum returns a number that stores with the same salt have.
func SaltSum(s *Store) uint64 {
	sum := sha256.Sum256(append([]byte("robots store "), s.salt[:]...))
	return binary.LittleEndian.Uint64(sum[:])
}

// A Snapshot is the state of a partition at one moment. Close must be called.
type Snapshot struct {
	Applied uint64 // the last record of the partition's journal that it has

	s         *Store
	db        *pebble.Snapshot
	partition uint8
	part      part
}

// TakeSnapshot takes a snapshot of a partition. Commits go on.
func TakeSnapshot(s *Store, partition uint8) (*Snapshot, error) {
	if err := s.use(); err != nil {
		return nil, err
	}
	n := &Snapshot{s: s, db: s.db.NewSnapshot(), partition: partition}
	value, closer, err := n.db.Get([]byte{partTable, partition})
	if err == nil {
		err = errors.Join(n.part.decode(value), closer.Close())
	} else if errors.Is(err, pebble.ErrNotFound) {
		err = nil
	}
	if err != nil {
		n.Close()
		return nil, s.wrap(fmt.Sprintf("take a snapshot of partition %d", partition), err)
	}
	n.Applied = n.part.applied
	return n, nil
}

// Close ends the snapshot.
func (n *Snapshot) Close() error {
	defer n.s.done()
	return n.db.Close()
}

// Dump writes the snapshot as a dump. It takes memory of 8 bytes for each URL with a record.
func (n *Snapshot) Dump(to io.Writer) error {
	d := &dumper{w: bufio.NewWriterSize(to, 1<<16)}
	if err := d.dump(n); err != nil {
		return n.s.wrap(fmt.Sprintf("dump partition %d", n.partition), err)
	}
	return nil
}

// A dumper writes the entries of a dump.
type dumper struct {
	w       *bufio.Writer
	entries uint64
	buf     []byte
}

func (d *dumper) put(kind byte, texts ...[]byte) error {
	d.buf = append(d.buf[:0], kind)
	for _, text := range texts {
		d.buf = appendText(d.buf, text)
	}
	d.entries++
	_, err := d.w.Write(d.buf)
	return err
}

func (d *dumper) dump(n *Snapshot) error {
	var orders []uint64
	var dropped [][]byte // few, beside the others
	err := n.each(seenTable, func(key, value []byte) error {
		order, ok, err := decodeOrder(value)
		if ok {
			orders = append(orders, order)
		} else {
			dropped = append(dropped, bytes.Clone(key[2:]))
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(orders)
	if err := d.put(dumpPart, n.part.append(nil), binary.AppendUvarint(nil, uint64(len(orders)))); err != nil {
		return err
	}
	err = n.each(hostTable, func(key, value []byte) error {
		state, closer, err := n.db.Get(in(stateTable, key[1:]))
		if errors.Is(err, pebble.ErrNotFound) {
			return d.put(dumpHost, value, nil)
		}
		if err != nil {
			return err
		}
		defer closer.Close()
		return d.put(dumpHost, value, state)
	})
	if err != nil {
		return err
	}
	for _, key := range dropped {
		if err := d.put(dumpSeen, key); err != nil {
			return err
		}
	}
	it, err := n.db.NewIter(table(urlTable))
	if err != nil {
		return err
	}
	defer it.Close()
	var key []byte
	for _, order := range orders {
		key = appendRecordKey(key[:0], order)
		if !it.SeekGE(key) || !bytes.Equal(it.Key(), key) {
			return errors.Join(it.Error(), fmt.Errorf("%w: URL %d has no record", ErrDamaged, order))
		}
		value, err := it.ValueAndErr()
		if err == nil {
			err = d.put(dumpURL, value)
		}
		if err != nil {
			return err
		}
	}
	if err := d.put(dumpEnd, binary.AppendUvarint(nil, d.entries)); err != nil {
		return err
	}
	return d.w.Flush()
}

// each calls fn for the keys of a partition in a table.
func (n *Snapshot) each(t byte, fn func(key, value []byte) error) error {
	return eachOf(n.db, t, n.partition, fn)
}

func eachOf(db pebble.Reader, t, partition byte, fn func(key, value []byte) error) error {
	it, err := db.NewIter(partitionIn(t, partition))
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.ValueAndErr()
		if err == nil {
			err = fn(it.Key(), value)
		}
		if err != nil {
			return err
		}
	}
	return it.Error()
}

// partitionIn returns the bounds of a partition in a table.
func partitionIn(t, partition byte) *pebble.IterOptions {
	prefix := []byte{t, partition}
	return &pebble.IterOptions{LowerBound: prefix, UpperBound: after(slices.Clone(prefix))}
}

// ErrDump is the error of a dump that cannot be loaded.
var ErrDump = errors.New("it is not what was written: it is damaged, or of another version of this program")

// Load loads a dump into a partition of which the store has nothing, as the state after a record of
// its journal. The store must have the salt of the one that wrote the dump. After an error, or a
// kill, the store has nothing of the partition. Commits to other partitions go on.
func Load(s *Store, partition uint8, applied uint64, dump io.Reader) error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	l := &loader{s: s, partition: partition, applied: applied, from: bufio.NewReaderSize(dump, 1<<16),
		w: s.db.NewBatch(), hosts: make(map[string]hostKey)}
	l.lookup = s.lookup()
	defer l.lookup.free()
	err := l.load()
	l.w.Close()
	if err != nil && l.begun {
		if clearErr := clearPartition(s.db, partition); clearErr != nil {
			s.disk.fail(clearErr)
		}
	}
	return s.wrap(fmt.Sprintf("load partition %d", partition), err)
}

// A loader loads a dump.
type loader struct {
	s         *Store
	partition uint8
	applied   uint64
	from      *bufio.Reader
	w         *pebble.Batch
	lookup    *lookup
	begun     bool

	part    part
	order   uint64 // of the next URL
	left    uint64 // URLs that follow
	entries uint64
	hosts   map[string]hostKey
	counts  Counts
	buf     []byte
}

// text reads a text.
func (l *loader) text() ([]byte, error) {
	n, err := binary.ReadUvarint(l.from)
	if err == nil && n > maxDumpText {
		err = ErrDump
	}
	if err != nil {
		return nil, err
	}
	text := make([]byte, n)
	_, err = io.ReadFull(l.from, text)
	return text, err
}

// number reads a text that is a number.
func (l *loader) number() (uint64, error) {
	text, err := l.text()
	if err != nil {
		return 0, err
	}
	c := cursor{b: text}
	n := c.uvarint(math.MaxInt64)
	return n, c.end()
}

func (l *loader) load() error {
	if err := l.begin(); err != nil {
		return damagedDump(err)
	}
	for {
		kind, err := l.from.ReadByte()
		if err != nil {
			return damagedDump(err)
		}
		if kind == dumpEnd {
			break
		}
		if err := l.entry(kind); err != nil {
			return damagedDump(err)
		}
		l.entries++
		if l.w.Len() > 1<<20 {
			if err := l.write(); err != nil {
				return err
			}
		}
	}
	entries, err := l.number()
	if err == nil && (entries != l.entries || l.left > 0 || l.counts != l.part.Counts) {
		err = ErrDump
	}
	if err == nil {
		if _, err = l.from.ReadByte(); err == io.EOF {
			return l.finish()
		}
	}
	return damagedDump(cmp.Or(err, ErrDump))
}

// damagedDump makes an error one of a dump that ends too early.
func damagedDump(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, errCut) {
		return fmt.Errorf("%w: it ends too early", ErrDump)
	}
	return err
}

// begin reads the first entry, and reserves the numbers of the URLs.
func (l *loader) begin() error {
	kind, err := l.from.ReadByte()
	if err != nil {
		return err
	}
	if kind != dumpPart {
		return ErrDump
	}
	text, err := l.text()
	if err == nil {
		err = l.part.decode(text)
	}
	if err == nil {
		l.left, err = l.number()
	}
	if err != nil {
		return err
	}
	if l.part.applied != l.applied || l.left > uint64(l.part.Seen) {
		return fmt.Errorf("%w: it is of record %d, not %d", ErrDump, l.part.applied, l.applied)
	}
	l.entries++
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts[l.partition] != (part{}) {
		return errors.New("the store has the partition already")
	}
	l.begun, l.order = true, s.order
	s.order += l.left
	return l.w.Set([]byte{loadTable, l.partition}, nil, nil)
}

// entry reads an entry.
func (l *loader) entry(kind byte) error {
	text, err := l.text()
	if err != nil {
		return err
	}
	switch kind {
	case dumpHost:
		return l.host(text)
	case dumpSeen:
		if len(text) != len(key{})-1 {
			return ErrDump
		}
		k := key(append([]byte{l.partition}, text...))
		l.counts.Seen++
		l.buf = appendSeenKey(l.buf[:0], &k)
		return l.w.Set(l.buf, nil, nil)
	case dumpURL:
		return l.url(text)
	}
	return ErrDump
}

func (l *loader) host(text []byte) error {
	state, err := l.text()
	if err != nil {
		return err
	}
	var h hostRecord
	if err := h.decode(text); err != nil {
		return fmt.Errorf("%w: %w", ErrDump, err)
	}
	if err := checkHost(h.origin); err != nil {
		return fmt.Errorf("%w: %w", ErrDump, err)
	}
	hk := l.lookup.hasher.host(l.partition, h.origin)
	l.hosts[h.origin] = hk
	l.counts.Hosts++
	if err := l.w.Set(in(hostTable, hk[:]), text, nil); err != nil || len(state) == 0 {
		return err
	}
	if state[0] != version || len(state) > 1+MaxState {
		return ErrDump
	}
	return l.w.Set(in(stateTable, hk[:]), state, nil)
}

func (l *loader) url(text []byte) error {
	var r record
	if err := r.decode(text); err != nil {
		return fmt.Errorf("%w: %w", ErrDump, err)
	}
	hk, known := l.hosts[originOf(r.item.URL)]
	if l.left == 0 || r.item.Partition != l.partition || !known {
		return ErrDump
	}
	r.at.order = l.order
	l.order++
	l.left--
	l.counts.Seen++
	if r.done {
		l.counts.Done++
	}
	k := l.lookup.hasher.key(&r.item, hk)
	l.buf = appendSeenKey(l.buf[:0], &k)
	n := len(l.buf)
	l.buf = appendOrder(l.buf, r.at.order)
	if err := l.w.Set(l.buf[:n], l.buf[n:], nil); err != nil {
		return err
	}
	if r.queued {
		l.counts.Queued++
		l.buf = appendQueueKey(l.buf[:0], hk, r.at)
		if err := l.w.Set(l.buf, nil, nil); err != nil {
			return err
		}
	}
	l.buf = appendRecordKey(l.buf[:0], r.at.order)
	return l.w.Set(l.buf, text, nil)
}

// write writes the batch.
func (l *loader) write() error {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	return l.apply()
}

// apply writes the batch. s.mu must be held.
func (l *loader) apply() error {
	if err := l.s.room(); err != nil {
		return err
	}
	if err := l.s.db.Apply(l.w, pebble.NoSync); err != nil {
		l.s.disk.fail(err)
	}
	l.w.Reset()
	return l.s.disk.failure()
}

// finish makes the partition known, in memory too.
func (l *loader) finish() error {
	s := l.s
	s.mu.Lock()
	defer s.mu.Unlock()
	l.part.order = l.order
	err := errors.Join(l.w.Set([]byte{partTable, l.partition}, l.part.append(nil), nil),
		l.w.Delete([]byte{loadTable, l.partition}, nil))
	if err != nil {
		return err
	}
	if err := l.apply(); err != nil {
		return err
	}
	s.parts[l.partition] = l.part
	s.seen.absent.forget()
	return nil
}

// forget forgets all keys.
func (a *absentKeys) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.commits.Add(1)
	clear(a.keys[:])
}

// Forget removes a partition from a store, so that a dump of it can be loaded. Nothing of the
// partition may be leased, or be committed meanwhile. After a kill all of it is there, or nothing.
func Forget(s *Store, partition uint8) error {
	if err := s.use(); err != nil {
		return err
	}
	defer s.done()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := clearPartition(s.db, partition); err != nil {
		s.disk.fail(err)
		return s.wrap(fmt.Sprintf("forget partition %d", partition), err)
	}
	for k := range s.hosts.hosts {
		if k[0] == partition {
			delete(s.hosts.hosts, k)
		}
	}
	for k := range s.leases.orders {
		if k[0] == partition {
			s.leases.remove(&k)
		}
	}
	s.parts[partition] = part{}
	s.seen.absent.forget()
	return nil
}

// clearPartition removes a partition.
func clearPartition(db *pebble.DB, partition uint8) error {
	w := db.NewBatch()
	defer w.Close()
	var key []byte
	err := eachOf(db, seenTable, partition, func(_, value []byte) error {
		order, ok, err := decodeOrder(value)
		if err != nil || !ok {
			return err
		}
		key = appendRecordKey(key[:0], order)
		return w.Delete(key, nil)
	})
	for _, t := range []byte{seenTable, hostTable, stateTable, queueTable} {
		o := partitionIn(t, partition)
		err = errors.Join(err, w.DeleteRange(o.LowerBound, o.UpperBound, nil))
	}
	err = errors.Join(err, w.Delete([]byte{partTable, partition}, nil), w.Delete([]byte{loadTable, partition}, nil))
	if err != nil {
		return err
	}
	return db.Apply(w, pebble.NoSync)
}

// clearLoads removes what a process that was killed had loaded of partitions.
func clearLoads(db *pebble.DB) error {
	var begun []byte
	it, err := db.NewIter(table(loadTable))
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		if k := it.Key(); len(k) == 2 {
			begun = append(begun, k[1])
		}
	}
	if err := errors.Join(it.Error(), it.Close()); err != nil {
		return err
	}
	for _, partition := range begun {
		if err := clearPartition(db, partition); err != nil {
			return err
		}
	}
	return nil
}
