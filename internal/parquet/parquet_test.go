package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	other "github.com/parquet-go/parquet-go"
)

// A row has a column of each kind, as another implementation reads it.
type row struct {
	Text     string `parquet:"text"`
	Word     string `parquet:"word,optional"`
	Plain    string `parquet:"plain,optional"`
	Number   int64  `parquet:"number"`
	Small    *int32 `parquet:"small,optional"`
	Repeated *int64 `parquet:"repeated,optional"`
	Time     int64  `parquet:"time,timestamp(microsecond)"`
}

var columns = []Column{
	{Name: "text", Dictionary: true},
	{Name: "word", Optional: true, Dictionary: true},
	{Name: "plain", Optional: true},
	{Name: "number", Type: Int64},
	{Name: "small", Type: Int32, Optional: true},
	{Name: "repeated", Type: Int64, Optional: true, Dictionary: true},
	{Name: "time", Type: Micros},
}

func (r row) write(w *Writer) error {
	w.Text(r.Text)
	w.Text(r.Word)
	w.Text(r.Plain)
	w.Int(r.Number)
	if r.Small == nil {
		w.Null()
	} else {
		w.Int(int64(*r.Small))
	}
	if r.Repeated == nil {
		w.Null()
	} else {
		w.Int(*r.Repeated)
	}
	w.Int(r.Time)
	return w.EndRow()
}

// file returns the file with these rows.
func file(t testing.TB, rows []row) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b, "test", columns...)
	for _, r := range rows {
		if err := r.write(w); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// groups returns the number of rows in each row group of a file.
func groups(t testing.TB, data []byte) (rows []int64) {
	t.Helper()
	f, err := other.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range f.RowGroups() {
		rows = append(rows, g.NumRows())
	}
	return rows
}

// check compares the rows of a file, as the other implementation reads them, with those that were
// written.
func check(t testing.TB, rows []row) {
	t.Helper()
	data := file(t, rows)
	got, err := other.Read[row](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(rows) {
		t.Fatalf("got %d rows, want %d", len(got), len(rows))
	}
	for i := range rows {
		if !reflect.DeepEqual(got[i], rows[i]) {
			t.Fatalf("row %d: got %+v, want %+v", i, got[i], rows[i])
		}
	}
}

func of[T any](v T) *T { return &v }

// made returns a row made of bytes, the fewer of them the more often equal.
func made(b []byte) row {
	at := func(i int) byte {
		if i < len(b) {
			return b[i]
		}
		return 0
	}
	r := row{Text: strconv.Itoa(int(at(0))), Number: int64(at(1)) * math.MaxInt64 / 200, Time: int64(at(2)) * -1e15}
	if at(3) > 80 {
		r.Word = strings.Repeat("w", int(at(3))%40) + string(rune(0x400+int(at(4)%7)))
	}
	if at(5) > 20 {
		r.Plain = strings.Repeat("p", int(at(5)))
	}
	if at(6) > 60 {
		r.Small = of(int32(at(6)) * -8_000_000)
	}
	if at(7) > 60 {
		r.Repeated = of(int64(at(7)) - 90)
	}
	return r
}

// rowsOf returns rows made of bytes. The first byte tells how often a row comes again.
func rowsOf(b []byte) (rows []row) {
	if len(b) == 0 {
		return nil
	}
	again := 1 + int(b[0])%30
	for b = b[1:]; len(b) > 0; b = b[min(8, len(b)):] {
		for range again {
			rows = append(rows, made(b))
		}
	}
	return rows
}

// Another implementation reads what was written: no rows, rows with NULLs only, one value, many.
func TestRead(t *testing.T) {
	check(t, nil)
	check(t, []row{{}})
	check(t, []row{{Small: of(int32(0)), Repeated: of(int64(0)), Number: math.MinInt64}, {Number: math.MaxInt64, Small: of(int32(math.MinInt32)), Word: "x"}})
	random := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		b := make([]byte, random.IntN(3000))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		check(t, rowsOf(b))
	}
	many := rowsOf(append([]byte{4}, []byte(strings.Repeat("abcdefghijklmnopqrstuvw", 2500))...))
	if len(many) <= maxPageValues {
		t.Fatalf("%d rows fill too few pages", len(many))
	}
	check(t, many)
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("\x00abcdefgh\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Add([]byte("\x1dabc"))
	f.Fuzz(func(t *testing.T, b []byte) { check(t, rowsOf(b[:min(len(b), 4000)])) })
}

// Row groups have limits, so that memory does not grow with the rows.
func TestGroups(t *testing.T) {
	short := make([]row, MaxGroupRows+5)
	if got := groups(t, file(t, short)); !reflect.DeepEqual(got, []int64{MaxGroupRows, 5}) {
		t.Errorf("short rows: groups of %d", got)
	}
	long := make([]row, 40)
	for i := range long {
		long[i] = row{Plain: strings.Repeat("x", 1<<20), Text: strings.Repeat("y", 1<<20) + strconv.Itoa(i)}
	}
	for _, n := range groups(t, file(t, long)) {
		if n > MaxGroupBytes>>21 {
			t.Errorf("long rows: a group of %d", n)
		}
	}
}

// A column of ever new texts outgrows its dictionary, and the rest of its texts are written as they
// are.
func TestLargeDictionary(t *testing.T) {
	rows := make([]row, 8<<10)
	for i := range rows {
		rows[i] = row{Text: strings.Repeat("x", 600) + strconv.Itoa(i), Word: strconv.Itoa(i % 7)}
	}
	check(t, rows)
	if got := groups(t, file(t, rows)); len(got) != 1 {
		t.Errorf("groups of %d", got)
	}
	repeated := make([]row, len(rows))
	for i := range repeated {
		repeated[i] = rows[i%7]
	}
	if size, most := len(file(t, repeated)), 100_000; size > most {
		t.Errorf("repeated texts take %d bytes, want at most %d", size, most)
	}
}

// The footer has the least and greatest integers of a row group, and the number of NULLs.
func TestStatistics(t *testing.T) {
	data := file(t, []row{{Number: 7}, {Number: -3, Repeated: of(int64(9))}, {Number: 5, Repeated: of(int64(8))}})
	f, err := other.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	chunks := f.Metadata().RowGroups[0].Columns
	for column, want := range map[int][3]int64{3: {-3, 7, 0}, 5: {8, 9, 1}} {
		s := chunks[column].MetaData.Statistics
		got := [3]int64{int64(binary.LittleEndian.Uint64(s.MinValue)), int64(binary.LittleEndian.Uint64(s.MaxValue)), s.NullCount}
		if got != want {
			t.Errorf("column %d: got %d, want %d", column, got, want)
		}
	}
	if s := chunks[4].MetaData.Statistics; s.NullCount != 3 || s.MinValue != nil {
		t.Errorf("a column of NULLs has %+v", s)
	}
}

// A failing disk is an error, also later.
func TestFull(t *testing.T) {
	w := NewWriter(full{}, "test", columns...)
	if err := (row{}).write(w); !errors.Is(err, errFull) {
		t.Errorf("EndRow: %v", err)
	}
	if err := w.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: %v", err)
	}
	short := NewWriter(new(bytes.Buffer), "test", columns...)
	short.Text("x")
	if err := short.EndRow(); err == nil {
		t.Error("a row that lacks values is written")
	}
}

type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }
