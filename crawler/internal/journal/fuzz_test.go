package journal_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
)

// FuzzMessage reads generated messages, some with a valid checksum, and writes the
// readable ones again.
func FuzzMessage(f *testing.F) {
	j := place{dir: f.TempDir()}.open(f, journal.Options{Partitions: 2, Bytes: journal.MaxRecord})
	for _, records := range [][][]byte{{}, {{}}, {[]byte("one"), []byte("two")}, {bytes.Repeat([]byte("many"), 500)}} {
		data := j.Pack(1, records)
		f.Add(data, len(records), 0, false)
		f.Add(data[:len(data)/2], 3, 3, true)
	}
	bomb := j.Pack(1, [][]byte{make([]byte, journal.MaxRecord)})
	f.Add(bomb, 1, 1, true)
	f.Add(append([]byte(strings.Repeat("x", journal.HeaderSize)), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		1), 1, 10, false)
	f.Fuzz(func(t *testing.T, data []byte, records, size int, packed bool) {
		for range 2 {
			got, err := journal.Records(data)
			if err == nil {
				total := 0
				for _, r := range got {
					total += len(r)
				}
				if total > 1<<20 || len(got) > 1<<16 {
					t.Errorf("%d records of %d bytes from %d", len(got), total, len(data))
				}
				if again, err := journal.Records(j.Pack(1, got)); err != nil ||
					!slices.EqualFunc(again, got, bytes.Equal) {
					t.Errorf("written again: %d records and %v, want %d", len(again), err, len(got))
				}
				if slow, ok := slowRecords(data); !packed && data[20] == 0 &&
					(!ok || !slices.EqualFunc(slow, got, bytes.Equal)) {
					t.Errorf("got %q, its twin %q", got, slow)
				}
			}
			if len(data) < journal.HeaderSize {
				return
			}
			data = slices.Clone(data)
			kinds := "rcsfmi"
			journal.Put(data, kinds[int(data[3])%len(kinds)], records, size, packed)
		}
	})
}

// slowRecords returns the records of an uncompressed message.
func slowRecords(data []byte) (records [][]byte, ok bool) {
	count := binary.LittleEndian.Uint32(data[12:16])
	body := bytes.NewReader(data[journal.HeaderSize:])
	for body.Len() > 0 {
		length, err := binary.ReadUvarint(body)
		if err != nil || length > uint64(body.Len()) {
			return nil, false
		}
		record := make([]byte, length)
		body.Read(record)
		records = append(records, record)
	}
	return records, len(records) == int(count)
}

// TestTornMessage truncates a message, extends it, and changes each byte. The reader must
// reject every variant.
func TestTornMessage(t *testing.T) {
	t.Parallel()
	j := place{dir: t.TempDir()}.open(t, journal.Options{Partitions: 2})
	for _, text := range []string{"short", strings.Repeat("long and packed ", 30)} {
		data := j.Pack(0, [][]byte{[]byte(text), []byte("another")})
		if got, err := journal.Records(data); err != nil || fmt.Sprintf("%s", got) != "["+text+" another]" {
			t.Fatalf("got %q, %v", got, err)
		}
		for i := range data {
			if _, err := journal.Records(data[:i]); err == nil {
				t.Errorf("the first %d of %d bytes can be read", i, len(data))
			}
			changed := slices.Clone(data)
			changed[i] ^= 1 << (i % 8)
			if _, err := journal.Records(changed); err == nil {
				t.Errorf("byte %d is changed, and it can be read", i)
			}
		}
		if _, err := journal.Records(append(slices.Clone(data), 0)); err == nil {
			t.Error("with a byte more it can be read")
		}
	}
}
