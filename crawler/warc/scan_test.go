package warc_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/crawler/warc"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// scanned returns the results of Scan, or Reindex, for a folder: a line for each capture
// and each damage.
func scanned(t *testing.T, dir string, scan func(string, func(warc.Capture) error,
	func(string, *warc.Damage)) error) (lines []string) {
	t.Helper()
	err := scan(dir, func(c warc.Capture) error {
		lines = append(lines, fmt.Sprintf("%s in %s at %d, %d bytes", c.URL, c.File, c.Offset, c.Length))
		return nil
	}, func(file string, d *warc.Damage) {
		lines = append(lines, fmt.Sprintf("damage in %s at %d: %v", file, d.Offset, d.Err))
	})
	fatal.If(t, err)
	return lines
}

// hostile returns archives of other programs, and damaged ones of the writer, with the
// results of Scan for each file. A damage is given by the beginning of its line.
func hostile() []struct {
	name, file string
	want       []string
	size       int // after Reindex
} {
	a, b, c := record("WARC/1.1", "http://h.example/a", "hello"), record("WARC/1.1", "http://h.example/b", "world"),
		record("WARC/1.1", "http://h.example/c", "!")
	za, zb, zc := zip(a), zip(b), zip(c)
	capture := func(name string, offset, length int) string {
		return fmt.Sprintf("http://h.example/%s in FILE at %d, %d bytes", name, offset, length)
	}
	flipped := []byte(zb)
	flipped[len(flipped)-6] ^= 1 // of the checksum
	tooLong := strings.Replace(b, "Content-Length: 5", "Content-Length: 500", 1)
	tooShort := strings.Replace(b, "Content-Length: 5", "Content-Length: 2", 1)
	return []struct {
		name, file string
		want       []string
		size       int
	}{
		{"whole", za + zb, []string{capture("a", 0, len(za)), capture("b", len(za), len(zb))}, len(za + zb)},
		{"empty", "", []string{"damage in FILE at 0: it is empty"}, 0},
		{"truncated member", za + zb[:len(zb)-9], []string{
			capture("a", 0, len(za)), fmt.Sprintf("damage in FILE at %d: ", len(za)),
		}, len(za)},
		{"truncated first member", za[:len(za)/2], []string{"damage in FILE at 0: "}, len(za) / 2},
		{"torn member between others", za + zb[:len(zb)/2] + zc, []string{
			capture("a", 0, len(za)), fmt.Sprintf("damage in FILE at %d: ", len(za)), capture("c", len(za)+len(zb)/2,
				len(zc)),
		}, len(za) + len(zb)/2 + len(zc)},
		{"wrong checksum", za + string(flipped) + zc, []string{
			capture("a", 0, len(za)), fmt.Sprintf("damage in FILE at %d: ", len(za)), capture("c", len(za+zb), len(zc)),
		}, len(za + zb + zc)},
		{"length too long", za + zip(tooLong) + zc, []string{
			capture("a", 0, len(za)), fmt.Sprintf("damage in FILE at %d: ", len(za)), capture("c", len(za+zip(tooLong)),
				len(zc)),
		}, len(za + zip(tooLong) + zc)},
		{"length too short", za + zip(tooShort) + zc, []string{
			capture("a", 0, len(za)), fmt.Sprintf("damage in FILE at %d: ", len(za)),
			capture("c", len(za+zip(tooShort)), len(zc)),
		}, len(za + zip(tooShort) + zc)},
		// An index can name no record that shares its member.
		{"two records in one member", za + zip(b+c), []string{capture("a", 0, len(za))}, len(za + zip(b+c))},
		{"something else", "\x00\x01 no archive at all", []string{"damage in FILE at 0: "}, 20},
	}
}

// matches reports whether lines are the wanted ones; wanted damage lines are prefixes.
func matches(got, want []string, file string) bool {
	return slices.EqualFunc(got, want, func(g, w string) bool {
		w = strings.ReplaceAll(w, "FILE", file)
		return g == w || strings.HasPrefix(w, "damage") && strings.HasPrefix(g, w)
	})
}

// TestScan scans hostile archives. It finds the intact captures, reports each damage
// once, and changes no file.
func TestScan(t *testing.T) {
	for _, test := range hostile() {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "x.warc.gz")
			fatal.If(t, os.WriteFile(name, []byte(test.file), 0o666))
			// A file that is being written, and files of others, are not read.
			for _, other := range []string{"y.warc.gz.open", "notes.txt"} {
				fatal.If(t, os.WriteFile(filepath.Join(dir, other), []byte("no archive"), 0o666))
			}
			if got := scanned(t, dir, warc.Scan); !matches(got, test.want, "x.warc.gz") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if string(readFile(t, name)) != test.file {
				t.Error("the file has changed")
			}
		})
	}
}

// TestScanFolder checks that files come in the order of their names, that a folder in
// place of a file is damage, and that an error of the caller ends the scan.
func TestScanFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b", "a"} {
		fatal.If(t, os.WriteFile(filepath.Join(dir, name+".warc.gz"),
			[]byte(zip(record("WARC/1.1", "http://h.example/"+name, "hello"))), 0o666))
	}
	fatal.If(t, os.Mkdir(filepath.Join(dir, "c.warc.gz"), 0o777))
	got := scanned(t, dir, warc.Scan)
	if len(got) != 3 || !strings.HasPrefix(got[0], "http://h.example/a in a.warc.gz") ||
		!strings.HasPrefix(got[1], "http://h.example/b in b.warc.gz") ||
		got[2] != "damage in c.warc.gz at 0: it is not a file" {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	enough, calls := errors.New("enough"), 0
	err := warc.Scan(dir, func(warc.Capture) error { calls++; return enough }, func(string, *warc.Damage) {})
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("after %d calls: %v", calls, err)
	}
	if err := warc.Scan(filepath.Join(dir, "none"), nil, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is no folder: %v", err)
	}
}

// TestReindex rebuilds the index of hostile archives. The index has exactly the captures
// that Scan finds; an incomplete last record is cut off.
func TestReindex(t *testing.T) {
	for _, test := range hostile() {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, "x.warc.gz")
			for path, text := range map[string]string{
				name: test.file,
				// A wrong index, with an entry of a file that no longer exists.
				filepath.Join(dir,
					"index.cdxj"): `example,h)/gone 20260101000000 {"url":"http://h.example/gone","filename":"gone.warc.gz","offset":"0","length":"9"}` + "\n",
			} {
				fatal.If(t, os.WriteFile(path, []byte(text), 0o666))
			}
			if got := scanned(t, dir, warc.Reindex); !matches(got, test.want, "x.warc.gz") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			var want, indexed []string
			for _, line := range test.want {
				if !strings.HasPrefix(line, "damage") {
					want = append(want, strings.ReplaceAll(line, "FILE", "x.warc.gz"))
				}
			}
			for line := range strings.Lines(string(readFile(t, filepath.Join(dir, "index.cdxj")))) {
				_, c, err := warc.ParseCDXJ([]byte(line))
				fatal.If(t, err)
				indexed = append(indexed, fmt.Sprintf("%s in %s at %d, %d bytes", c.URL, c.File, c.Offset, c.Length))
			}
			if !slices.Equal(indexed, want) {
				t.Errorf("indexed is\n%s\nwant\n%s", strings.Join(indexed, "\n"), strings.Join(want, "\n"))
			}
			if size := len(readFile(t, name)); size != test.size {
				t.Errorf("the file has %d bytes, want %d", size, test.size)
			}
			if left := glob(t, dir, "*"); len(left) != 2 {
				t.Errorf("left: %q", left)
			}
			if repairs, err := warc.RepairFolder(dir); err != nil || len(repairs) > 0 {
				t.Errorf("there was something to repair: %v, %v", repairs, err)
			}
			closed(t, open(t, dir, warc.Options{}))
		})
	}
}

// TestReindexOpen repairs the files that a killed writer left, and refuses a folder that
// is in use.
func TestReindexOpen(t *testing.T) {
	name, file, journal := leaveOpen(t, 3, 2)
	dir := t.TempDir()
	fatal.If(t, os.WriteFile(filepath.Join(dir, name), file[:len(file)-3], 0o666))
	fatal.If(t, os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".warc.gz.open")+".cdxj.part"), journal,
		0o666))
	got := scanned(t, dir, warc.Reindex)
	if len(got) != 3 || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "damage") }) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if left := glob(t, dir, "*.open"); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
	w := open(t, dir, warc.Options{})
	if err := warc.Reindex(dir, func(warc.Capture) error { return nil }, func(string, *warc.Damage) {}); err == nil {
		t.Error("a folder that is in use was indexed")
	}
	closed(t, w)
}
