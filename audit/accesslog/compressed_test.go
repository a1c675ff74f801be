package accesslog_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// gzipped returns a member with all fields of a header.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	z := gzip.NewWriter(&b)
	z.Name, z.Comment, z.Extra = "access.log", "of today", []byte("xyz")
	io.WriteString(z, text)
	fatal.If(t, z.Close())
	return b.String()
}

// zstandard returns a frame with a checksum.
func zstandard(t *testing.T, text string) string {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	fatal.If(t, err)
	return string(z.EncodeAll([]byte(text), nil))
}

// skipped is a frame that has no data.
const skipped = "\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"

// compressedLog returns a log that takes several blocks, and the lines that it is read as.
func compressedLog(t *testing.T) (log string, lines []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "192.0.2.%d - - [17/May/2015:10:%02d:%02d +0000] \"GET /%d HTTP/1.1\" 200 %d \"-\" \"a\"\n",
			random.IntN(200), i/60%60, i%60, random.IntN(1e9), random.IntN(9e4))
	}
	return b.String(), readLog(t, b.String())
}

// readLog reads a log that may be compressed. It names the format, because a line that is cut may
// be in another one.
func readLog(t *testing.T, log string) []string {
	t.Helper()
	combined, err := accesslog.ParseFormat("combined")
	fatal.If(t, err)
	r := accesslog.Reader{Formats: []*accesslog.Format{combined}}
	return show(r.From("log", strings.NewReader(log)).Requests())
}

// TestStreams reads several members and frames, some of them empty.
func TestStreams(t *testing.T) {
	log, lines := compressedLog(t)
	member, frame := gzipped(t, log), zstandard(t, log)
	for i, data := range []string{
		member + gzipped(t, "") + member, frame + frame, frame + skipped + zstandard(t, "") + skipped + frame + skipped,
	} {
		if got := readLog(t, data); len(got) != 2*len(lines) {
			t.Errorf("stream %d: %d lines, want %d; the last is %q", i, len(got), 2*len(lines), got[len(got)-1])
		}
	}
}

// TestProgress checks that the progress adds up to the bytes as stored.
func TestProgress(t *testing.T) {
	log, _ := compressedLog(t)
	for _, data := range []string{log, gzipped(t, log), zstandard(t, log), ""} {
		var read atomic.Int64
		r := accesslog.Reader{Progress: func(bytes int) { read.Add(int64(bytes)) }}
		for range r.From("log", strings.NewReader(data)).Requests() {
		}
		if got := read.Load(); got != int64(len(data)) {
			t.Errorf("got %d bytes, want %d", got, len(data))
		}
	}
}

// TestDamaged reads logs that are cut anywhere, and logs with other bytes after them: the lines
// before come first, and an error follows.
func TestDamaged(t *testing.T) {
	log, lines := compressedLog(t)
	twice := readLog(t, log+log)
	const unexpected = "error: cannot read log: its compressed data end too early: copy the file again"
	for name, data := range map[string]string{"gzip": gzipped(t, log), "zstd": zstandard(t, log)} {
		least := 0
		for n := 6; n < len(data); n += 1 + n/corpus.Cases(4, 10) {
			for _, before := range []string{"", data} { // in the first stream, and in the second
				got := readLog(t, before+data[:n])
				last := len(got) - 1
				if last < 0 || got[last] != unexpected {
					t.Fatalf("%s, cut at %d of %d: %d lines, the last %q", name, n, len(data), len(got),
						got[max(0, last-1):])
				}
				got = got[:max(0, last-1)] // the last line may be cut
				if len(got) < least || !slices.Equal(got, twice[:len(got)]) {
					t.Fatalf("%s, cut at %d of %d: %d lines, at least %d wanted, or some differ", name, n, len(data),
						len(got), least)
				}
				if before == "" {
					least = len(got)
				}
			}
		}
		if least < len(lines)/2 {
			t.Errorf("%s: %d of %d lines are read of a log that lacks its end", name, least, len(lines))
		}
		for _, after := range []string{"zeros", "0123456789zeros"} {
			got := readLog(t, data+after)
			if len(got) != len(lines)+1 || !strings.HasPrefix(got[len(lines)], "error: cannot read log: ") {
				t.Errorf("%s, with %q after it: %d lines, the last %q", name, after, len(got), got[len(got)-1])
			}
		}
	}
}

// TestChanged changes bits of compressed logs. Checksums find each change, unless the bit has no
// meaning.
func TestChanged(t *testing.T) {
	log, lines := compressedLog(t)
	random := rand.New(rand.NewPCG(3, 4))
	for name, data := range map[string]string{"gzip": gzipped(t, log), "zstd": zstandard(t, log)} {
		for range 50 {
			changed := []byte(data)
			i := 6 + random.IntN(len(data)-6)
			changed[i] ^= 1 << random.IntN(8)
			if got := readLog(t, string(changed)); !slices.Equal(got, lines) &&
				!slices.ContainsFunc(got, func(line string) bool {
					return strings.HasPrefix(line, "error: cannot read log: ")
				}) {
				t.Errorf("%s, byte %d changed: %d other lines and no error", name, i, len(got))
			}
		}
	}
}

// TestFrames reads Zstandard frames that no encoder writes, or that ask for too much.
func TestFrames(t *testing.T) {
	for name, data := range map[string]string{
		"a window of 72 MiB": "\x28\xb5\x2f\xfd\x00\x81",
		"a segment of 1 TiB": "\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x00\x01\x00\x00",
		"a dictionary":       "\x28\xb5\x2f\xfd\x21\x07\x00", "a reserved bit": "\x28\xb5\x2f\xfd\x28\x01\x09\x00\x00x",
		"a reserved block":   "\x28\xb5\x2f\xfd\x20\x01\x0f\x00\x00x",
		"less than its size": "\x28\xb5\x2f\xfd\x20\x02\x09\x00\x00x",
		"more than its size": "\x28\xb5\x2f\xfd\x20\x01\x11\x00\x00xx",
	} {
		got := readLog(t, data)
		if len(got) != 1 || !strings.HasPrefix(got[0], "error: cannot read log: zstd: ") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// TestBombs reads 64 MiB from some kilobytes, with little memory.
func TestBombs(t *testing.T) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	fatal.If(t, err)
	for range 64 {
		z.Write(bytes.Repeat([]byte("x"), 1<<20))
	}
	z.Close()
	block := "\x02\x00\x10x" // a byte, repeated 128 KiB
	for name, bomb := range map[string]string{
		"gzip": b.String(), "zstd": "\x28\xb5\x2f\xfd\x00\x38" + strings.Repeat(block, 511) + "\x03\x00\x10x",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := readLog(t, bomb)
		runtime.ReadMemStats(&after)
		if len(got) != 1 || !strings.Contains(got[0], "longer than the maximum") {
			t.Errorf("%s: got %.100q", name, got)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20 {
			t.Errorf("%s: took %d bytes of memory", name, taken)
		}
	}
}
