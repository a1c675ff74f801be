package warc_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// leaveOpen writes exchanges, with a sync after the first ones, and returns the file and
// its journal as a process killed at that time would leave them.
func leaveOpen(t *testing.T, exchanges, synced int) (name string, file, journal []byte) {
	t.Helper()
	dir := t.TempDir()
	w := open(t, dir, warc.Options{})
	for i := range exchanges {
		write(t, w, visit(fmt.Sprintf("http://h.example/%d", i), "hello"))
		if i+1 == synced {
			fatal.If(t, w.Sync())
		}
	}
	name = only(t, dir, "*.open")
	return filepath.Base(name), readFile(t, name), readFile(t, only(t, dir, "*.part"))
}

// restore puts the file and its journal into a folder, repairs and opens it, and returns the
// repair. If its name is "", the file was removed.
func restore(t *testing.T, name string, file, journal []byte) (dir string, r warc.Repair) {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(filepath.Join(dir, name), file, 0o666))
	if journal != nil {
		fatal.If(t, os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".warc.gz.open")+".cdxj.part"), journal,
			0o666))
	}
	repairs, err := warc.RepairFolder(dir)
	if err != nil || len(repairs) != 1 {
		t.Fatalf("repaired: %v, %v", repairs, err)
	}
	closed(t, open(t, dir, warc.Options{}))
	return dir, repairs[0]
}

// journals returns the possible states of the journal, complete and not.
func journals(journal []byte, cut int) [][]byte {
	return [][]byte{nil, journal, journal[:len(journal)-1], journal[:cut%len(journal)], []byte("x\n"), []byte("\n\n\n")}
}

// wholeAt returns the number of complete records of a file that is cut, and the end of
// the last of them.
func wholeAt(records []plain, cut int) (n int, end int64) {
	for _, p := range records {
		if p.offset+p.length <= int64(cut) {
			n, end = n+1, p.offset+p.length
		}
	}
	return n, end
}

// TestMeasureEveryCut cuts a file at every byte, or at every third byte without ROBOTS_CORPUS_ALL,
// with its journal in every state. The
// measured size is the end of the last complete record, and each response up to there is
// indexed.
func TestMeasureEveryCut(t *testing.T) {
	name, data, journal := leaveOpen(t, 3, 2)
	whole := readPlain(t, data)
	if len(whole) != 10 || len(journal) == 0 {
		t.Fatalf("%d records, and a journal of %d bytes", len(whole), len(journal))
	}
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, name))
	fatal.If(t, err)
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	all := captures(t, f.Name())
	var states []*os.File
	for _, text := range journals(journal, 0) {
		j, err := os.CreateTemp(dir, "journal")
		fatal.If(t, err)
		defer j.Close()
		if _, err := j.Write(text); err != nil {
			t.Fatal(err)
		}
		states = append(states, j)
	}
	torn := states[3]
	for cut := len(data); cut >= 0; cut -= corpus.Cases(7, 1) {
		fatal.If(t, f.Truncate(int64(cut)))
		records, end := wholeAt(whole, cut)
		var lines string
		for _, c := range all[:(records+1)/3] {
			c.File = strings.TrimSuffix(name, ".open")
			lines += c.String() + "\n"
		}
		fatal.If(t, torn.Truncate(int64(cut%len(journal))))
		if _, err := torn.WriteAt(journal[:cut%len(journal)], 0); err != nil {
			t.Fatal(err)
		}
		for i, j := range states {
			size, has, got, err := warc.Measure(f, j, strings.TrimSuffix(name, ".open"))
			if err != nil || size != end || has != (records > 1) || got != lines {
				t.Fatalf("cut at %d, journal %d: %d bytes, %v, %v, index\n%swant %d bytes, %v, index\n%s", cut, i, size,
					has, err, got, end, records > 1, lines)
			}
		}
	}
}

// TestRepair cuts a file at and near the ends of its records, and opens its folder.
func TestRepair(t *testing.T) {
	name, file, journal := leaveOpen(t, 3, 2)
	whole := readPlain(t, file)
	for n, p := range whole {
		for i, cut := range []int{int(p.offset), int(p.offset) + 1, int(p.offset + p.length/2),
			int(p.offset+p.length) - 1} {
			records, end := wholeAt(whole, cut)
			dir, r := restore(t, name, file[:cut], journals(journal, cut)[(n+i)%6])
			if r.Size != end || r.Cut != int64(cut)-end {
				t.Errorf("cut at %d: %v, want %d bytes", cut, r, end)
			}
			if records <= 1 {
				if left := glob(t, dir, "*"); len(left) > 0 || r.File != "" {
					t.Errorf("cut at %d: %v, and files %q", cut, r, left)
				}
				continue
			}
			if got := readFile(t, filepath.Join(dir, r.File)); !bytes.Equal(got, file[:end]) {
				t.Errorf("cut at %d: the file has %d bytes, want %d", cut, len(got), end)
			}
			var want []string
			for _, c := range captures(t, filepath.Join(dir, r.File)) {
				want = append(want, c.String())
			}
			checkIndex(t, dir, want)
			if len(glob(t, dir, "*")) > 2 || len(want) != (records+1)/3 {
				t.Errorf("cut at %d: %d captures of %d records, files %q", cut, len(want), records, glob(t, dir, "*"))
			}
		}
	}
}

// TestRepairDamage changes bytes of the part that may not have reached the disk. The part
// before stays.
func TestRepairDamage(t *testing.T) {
	name, file, journal := leaveOpen(t, 4, 2)
	whole := readPlain(t, file)
	for at := int(whole[7].offset); at < len(file); at += 61 {
		damaged := bytes.Clone(file)
		first := len(file) // that changes: a member may end in zeros
		for i := range min(20, len(file)-at) {
			if damaged[at+i] != 0 {
				first = min(first, at+i)
			}
			damaged[at+i] = 0
		}
		_, r := restore(t, name, damaged, journal)
		if _, end := wholeAt(whole, first); r.Size != end {
			t.Errorf("zeros at %d: %v, want %d bytes", first, r, end)
		}
	}
}

// TestRepairForeign gives a torn record a body that is itself an archive. The records of
// that body must not get into the archive.
func TestRepairForeign(t *testing.T) {
	_, inner, _ := leaveOpen(t, 3, 3)
	dir := t.TempDir()
	w := open(t, dir, warc.Options{})
	x := visit("http://h.example/inner.warc.gz", string(inner))
	x.Request, x.Metadata = warc.Message{}, nil
	c := write(t, w, x)
	write(t, w, x)
	file := readFile(t, only(t, dir, "*.open"))
	for _, cut := range []int{1, 20, len(inner) / 2} {
		dir, r := restore(t, c.File+".open", file[:len(file)-cut], nil)
		if r.Size != c.Offset+c.Length {
			t.Errorf("%v, want %d bytes", r, c.Offset+c.Length)
		}
		checkIndex(t, dir, []string{c.String()})
	}
}

// TestRepairRefused tries repairs with a file in the way, and with a folder in place of a
// file.
func TestRepairRefused(t *testing.T) {
	name, file, _ := leaveOpen(t, 1, 1)
	dir := t.TempDir()
	path := filepath.Join(dir, name)
	for _, name := range []string{path, strings.TrimSuffix(path, ".open")} {
		fatal.If(t, os.WriteFile(name, file, 0o666))
	}
	if _, err := warc.Open(dir, warc.Options{}); err == nil || !strings.Contains(err.Error(), "move one of them away") {
		t.Errorf("two files of a name: %v", err)
	}
	dir = t.TempDir()
	fatal.If(t, os.Mkdir(filepath.Join(dir, name), 0o777))
	if _, err := warc.Open(dir, warc.Options{}); err == nil || !strings.Contains(err.Error(), "it is not a file") {
		t.Errorf("a folder: %v", err)
	}
}
