package journal

import (
	"context"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// HeaderSize lets the fuzz target split a message into header and body.
const HeaderSize = headerSize

// Records returns the records of a message, as a reader sees them.
func Records(data []byte) (records [][]byte, err error) {
	decoder, err := newDecoder()
	if err != nil {
		return nil, err
	}
	defer decoder.Close()
	h, err := parse(data)
	if err != nil {
		return nil, err
	}
	_, err = h.each(data, nil, decoder, func(_ int, record []byte) error {
		records = append(records, slices.Clone(record))
		return nil
	})
	return records, err
}

// Pack returns the message of a log that has these records.
func (j *Journal) Pack(partition int, records [][]byte) []byte {
	m := &message{lane: j.logOf(partition), kind: recordKind, raw: j.buffers.get()}
	for _, record := range records {
		m.add(record)
	}
	m.seal()
	m.head.put(m.data)
	return m.data
}

// Put writes the header of a message again, with a valid checksum and the given numbers
// of records and bytes.
func Put(data []byte, kind byte, records, size int, packed bool) {
	h, _ := parse(data)
	h.kind, h.records, h.bytes, h.packed = kind, records, size, packed
	h.put(data)
}

// Crash ends a journal on a server as if its process had been killed.
func (j *Journal) Crash() {
	j.conn.Close()
	j.Close()
}

// LogOf returns the stream and the subject of the log of a partition.
func (j *Journal) LogOf(partition int) (jetstream.Stream, string) {
	l := j.logOf(partition)
	return l.stream.remote, l.subject
}

// JetStream returns the JetStream context of the journal.
func (j *Journal) JetStream() jetstream.JetStream { return j.js }

// Epoch returns how often the partition was claimed, including this claim.
func (p *Partition) Epoch() uint64 { return p.epoch }

// Replay calls fn for the records of the partition after a position, like
// [Journal.Replay].
func (p *Partition) Replay(ctx context.Context, after uint64, fn func(position uint64, record []byte) error) error {
	return p.lane.stream.journal.Replay(ctx, map[*Partition]uint64{p: after}, func(_ *Partition, position uint64,
		record []byte) error {
		return fn(position, record)
	})
}
