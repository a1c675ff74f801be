package auditrows

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// TestEscaped compares escaped with a plain reading of its comment.
func TestEscaped(t *testing.T) {
	for in, want := range map[string][2]string{
		"":                 {"", ""},
		"a\xffb":           {`a\xFFb`, "a%FFb"},
		"\xe2\x82":         {`\xE2\x82`, "%E2%82"},
		"\xed\xa0\x80":     {`\xED\xA0\x80`, "%ED%A0%80"},
		"\uFFFD€":          {"\uFFFD€", "\uFFFD€"},
		"\xf4\x90\x80\x80": {`\xF4\x90\x80\x80`, "%F4%90%80%80"},
	} {
		if got := [2]string{text([]byte(in)), urlText([]byte(in))}; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Row groups have limits, so that memory does not grow with the logs.
func TestRowGroups(t *testing.T) {
	write := func(n int, r row) []int64 {
		var b bytes.Buffer
		w := newRowWriter(&b)
		for i := range n {
			r.Line = int64(i)
			if err := w.add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		var groups []int64
		sum := int64(0)
		for _, g := range f.RowGroups() {
			groups = append(groups, g.NumRows())
			sum += g.NumRows()
		}
		if sum != int64(n) {
			t.Errorf("%d rows of %d", sum, n)
		}
		return groups
	}
	if got := write(maxGroupRows+5, row{Path: "/"}); len(got) != 2 || got[0] != maxGroupRows || got[1] != 5 {
		t.Errorf("short rows: groups of %d", got)
	}
	long := row{Path: strings.Repeat("x", 1<<20), UserAgent: strings.Repeat("y", 1<<20)}
	for _, n := range write(40, long) {
		if n*2<<20 > maxGroupBytes+maxBatchBytes {
			t.Errorf("long rows: a group of %d", n)
		}
	}
}

// TestCheckLogs checks which logs can be read twice.
func TestCheckLogs(t *testing.T) {
	regular := filepath.Join(t.TempDir(), "access.log")
	if err := os.WriteFile(regular, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := CheckLogs([]string{regular, regular + ".missing"}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"-", t.TempDir(), os.DevNull} {
		if err := CheckLogs([]string{regular, name}); err == nil || !strings.Contains(err.Error(), "cannot be read twice") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
