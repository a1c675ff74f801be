package zstd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

const window = 8 << 20

// texts are contents of several kinds: what repeats, what does not, few symbols, many.
func texts() map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 140_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	var log, near strings.Builder
	for i := range 4_000 {
		fmt.Fprintf(&log, "192.0.2.%d - - [10/Oct/2026:13:%02d:%02d +0000] \"GET /page/%d HTTP/1.1\" 200 %d\n",
			random.IntN(200), i/60%60, i%60, random.IntN(3000), random.IntN(90_000))
	}
	for range 140_000 {
		near.WriteByte("abcdefgh"[min(random.IntN(8), random.IntN(8))])
	}
	return map[string]string{
		"empty": "", "a byte": "x", "one symbol": strings.Repeat("a", 300_000), "noise": string(noise), "log": log.String(),
		"few symbols": near.String(), "noise twice": string(noise) + string(noise), "short": "GET / HTTP/1.1\r\nHost: example.com\r\n",
	}
}

// again reads any number of streams, one after the other.
var again = NewReader(strings.NewReader(""), window)

func read(data []byte) (string, error) {
	again.Reset(bytes.NewReader(data))
	text, err := io.ReadAll(again)
	return string(text), err
}

// TestEncoders reads what another encoder, and the program zstd, write at each level.
func TestEncoders(t *testing.T) {
	program, err := exec.LookPath("zstd")
	if err != nil {
		t.Log("the program zstd is not installed")
	}
	for name, text := range texts() {
		for level := zstd.SpeedFastest; level <= zstd.SpeedBestCompression; level++ {
			encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := read(encoder.EncodeAll([]byte(text), nil)); err != nil || got != text {
				t.Errorf("%s, %v: %v, the same: %t", name, level, err, got == text)
			}
		}
		if program == "" {
			continue
		}
		for _, flags := range []string{"-1", "-3", "-9 --no-check", "-19", "--fast=5", "-1 --long=20"} {
			cmd := exec.Command(program, append(strings.Fields(flags), "-q", "-c")...)
			cmd.Stdin = strings.NewReader(text)
			data, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := read(data); err != nil || got != text {
				t.Errorf("%s, zstd %s: %v, the same: %t", name, flags, err, got == text)
			}
		}
	}
}

func encode(t testing.TB, text string) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return encoder.EncodeAll([]byte(text), nil)
}

// TestFrames reads several frames, frames to skip, and input that comes byte by byte.
func TestFrames(t *testing.T) {
	log := texts()["log"]
	one := string(encode(t, log))
	skip := "\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"
	for _, data := range []string{one + one, skip + one + skip + skip + one, one + string(encode(t, "")) + one} {
		text, err := io.ReadAll(iotest.OneByteReader(NewReader(iotest.OneByteReader(strings.NewReader(data)), window)))
		if err != nil || string(text) != log+log {
			t.Errorf("got %d bytes, %v", len(text), err)
		}
	}
	r := NewReader(strings.NewReader(one), window)
	io.ReadFull(r, make([]byte, 100))
	r.Reset(strings.NewReader(one + one[:len(one)/2]))
	if text, err := io.ReadAll(r); err != io.ErrUnexpectedEOF || !strings.HasPrefix(log+log, string(text)) || len(text) < len(log) {
		t.Errorf("after Reset: %d bytes, %v", len(text), err)
	}
}

// TestBroken reads streams that are cut anywhere, changed, or ask for too much.
func TestBroken(t *testing.T) {
	text := texts()["log"][:10_000]
	data := encode(t, text)
	for n := 1; n < len(data); n += 7 {
		if got, err := read(data[:n]); err != io.ErrUnexpectedEOF || !strings.HasPrefix(text, got) {
			t.Fatalf("cut at %d: %d bytes, %v", n, len(got), err)
		}
	}
	for i := range data { // the checksum finds each change of a bit, unless the bit has no meaning
		changed := bytes.Clone(data)
		changed[i] ^= 1 << (i % 8)
		if got, err := read(changed); err == nil && got != text {
			t.Errorf("byte %d changed: %d bytes and no error", i, len(got))
		}
	}
	for name, data := range map[string]string{
		"bytes after a frame": string(data) + "zeros",
		"a window of 16 MiB":  "\x28\xb5\x2f\xfd\x00\x70",
		"a segment of 1 TiB":  "\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x00\x00\x01\x00\x00",
		"a dictionary":        "\x28\xb5\x2f\xfd\x21\x07\x00",
		"a reserved bit":      "\x28\xb5\x2f\xfd\x28\x01\x09\x00\x00x",
		"a reserved block":    "\x28\xb5\x2f\xfd\x20\x01\x0f\x00\x00x",
		"less than its size":  "\x28\xb5\x2f\xfd\x20\x02\x09\x00\x00x",
		"more than its size":  "\x28\xb5\x2f\xfd\x20\x01\x11\x00\x00xx",
	} {
		if got, err := read([]byte(data)); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: got %d bytes, %v", name, len(got), err)
		}
	}
}

// TestBomb reads 256 MiB from some kilobytes, with the memory of a small window.
func TestBomb(t *testing.T) {
	block := "\x02\x00\x10x" // a byte, repeated 128 KiB
	bomb := "\x28\xb5\x2f\xfd\x00\x38" + strings.Repeat(block, 2047) + "\x03\x00\x10x"
	r := NewReader(strings.NewReader(bomb), window)
	if n, err := io.Copy(io.Discard, r); n != 1<<28 || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	if cap(r.out) > 1<<20 {
		t.Errorf("the buffer has %d bytes for a window of 128 KiB", cap(r.out))
	}
}

// FuzzReader compares the decoder with that of another library, which is the slow twin here, although it is fast.
func FuzzReader(f *testing.F) {
	for _, text := range texts() {
		f.Add(encode(f, text[:min(len(text), 5000)]))
	}
	twin, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(1<<20))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := io.ReadAll(io.LimitReader(NewReader(bytes.NewReader(data), 1<<20), 1<<22))
		twin.Reset(bytes.NewReader(data))
		want, twinErr := io.ReadAll(io.LimitReader(twin, 1<<22))
		if (err == nil) != (twinErr == nil) {
			t.Fatalf("%d bytes and %v, and the twin has %d bytes and %v", len(got), err, len(want), twinErr)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, and the twin has %d others", len(got), len(want))
		}
	})
}
