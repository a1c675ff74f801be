package gunzip

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
)

// texts are contents of several kinds: what repeats, what does not, few symbols, many.
func texts() map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 140_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	var log, rare strings.Builder
	for i := range 4_000 {
		fmt.Fprintf(&log, "192.0.2.%d - - [10/Oct/2026:13:%02d:%02d +0000] \"GET /page/%d HTTP/1.1\" 200 %d\n",
			random.IntN(200), i/60%60, i%60, random.IntN(3000), random.IntN(90_000))
	}
	for range 100_000 { // long codes for rare symbols
		rare.WriteByte(byte(random.ExpFloat64() * 12))
	}
	return map[string]string{
		"empty": "", "a byte": "x", "one symbol": strings.Repeat("a", 300_000), "noise": string(noise), "log": log.String(),
		"rare symbols": rare.String(), "short": "GET / HTTP/1.1\r\nHost: example.com\r\n",
	}
}

func compress(t testing.TB, text string, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

func read(in io.Reader) (string, error) {
	r, err := NewReader(in)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(r)
	return string(text), err
}

// TestEncoders reads what the standard library, and the program gzip, write at each level.
func TestEncoders(t *testing.T) {
	program, err := exec.LookPath("gzip")
	if err != nil {
		t.Log("the program gzip is not installed")
	}
	for name, text := range texts() {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
			if got, err := read(bytes.NewReader(compress(t, text, level))); err != nil || got != text {
				t.Errorf("%s, level %d: %v, the same: %t", name, level, err, got == text)
			}
		}
		if program == "" {
			continue
		}
		for _, level := range []string{"-1", "-6", "-9"} {
			cmd := exec.Command(program, "-c", level)
			cmd.Stdin = strings.NewReader(text)
			data, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := read(bytes.NewReader(data)); err != nil || got != text {
				t.Errorf("%s, gzip %s: %v, the same: %t", name, level, err, got == text)
			}
		}
	}
}

// TestMembers reads several members, one with all fields of a header, and input that comes byte by byte.
func TestMembers(t *testing.T) {
	log := texts()["log"]
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Name, z.Comment, z.Extra = "access.log", "of today", []byte("xyz")
	io.WriteString(z, log)
	z.Close()
	data := b.String() + string(compress(t, "", 6)) + string(compress(t, log, 1))
	if text, err := read(iotest.OneByteReader(strings.NewReader(data))); err != nil || text != log+log {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
	for _, after := range []string{"zeros", "0123456789zeros"} {
		if text, err := read(strings.NewReader(data + after)); err == nil || text != log+log {
			t.Errorf("%q after the last member: got %d bytes, %v", after, len(text), err)
		}
	}
}

// TestPipe reads what was written so far, while the writer waits.
func TestPipe(t *testing.T) {
	in, out := io.Pipe()
	z := gzip.NewWriter(out)
	go func() {
		io.WriteString(z, "one\n")
		z.Flush()
	}()
	r, err := NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 4)
	if _, err := io.ReadFull(r, line); err != nil || string(line) != "one\n" {
		t.Errorf("got %q, %v", line, err)
	}
	in.Close()
}

// TestBroken reads streams that are cut anywhere.
func TestBroken(t *testing.T) {
	text := texts()["log"][:20_000]
	data := compress(t, text, 6)
	for n := 1; n < len(data); n += 7 {
		if got, err := read(bytes.NewReader(data[:n])); err != io.ErrUnexpectedEOF || !strings.HasPrefix(text, got) {
			t.Fatalf("cut at %d: %d bytes, %v", n, len(got), err)
		}
	}
}

// FuzzReader compares the reader with the slow twin in the standard library.
func FuzzReader(f *testing.F) {
	for _, text := range texts() {
		f.Add(compress(f, text[:min(len(text), 5000)], 6))
	}
	f.Add(append(compress(f, "a", 0), compress(f, "b", flate.HuffmanOnly)...))
	f.Fuzz(func(t *testing.T, data []byte) { same(t, data) })
}

// same compares what both read of a stream, with its checksums made right if possible.
func same(t *testing.T, data []byte) {
	t.Helper()
	got, gotErr := read(bytes.NewReader(data))
	var want []byte
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		want, err = io.ReadAll(z)
	}
	if (gotErr == nil) != (err == nil) || (gotErr == gzip.ErrChecksum) != (err == gzip.ErrChecksum) {
		t.Fatalf("%d bytes and %v, and the twin has %d bytes and %v", len(got), gotErr, len(want), err)
	}
	if err == nil && got != string(want) || err == gzip.ErrChecksum && got != string(want) {
		t.Fatalf("%d bytes, and the twin has %d others", len(got), len(want))
	}
}

// TestChanged compares both on streams with changed bits.
func TestChanged(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, text := range texts() {
		for level := flate.HuffmanOnly; level <= flate.BestCompression; level += 3 {
			data := compress(t, text[:min(len(text), 40_000)], level)
			for range 10 {
				changed := bytes.Clone(data)
				changed[random.IntN(len(changed))] ^= 1 << random.IntN(8)
				same(t, changed)
			}
		}
	}
}
