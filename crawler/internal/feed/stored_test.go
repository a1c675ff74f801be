package feed

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestStored checks the form of position.json in indexes on disk: an old file is read,
// and a new file is written the same.
func TestStored(t *testing.T) {
	const digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	for text, want := range map[string]position{
		`{"offset":0,"before":""}`:                 {},
		`{"offset":123,"before":"` + digest + `"}`: {Offset: 123, Before: digest},
		`{"offset":9007199254740993,"before":"` + digest + `","results":"../r.jsonl","robot":["ExampleBot","*"]}`: {
			Offset: 1<<53 + 1, Before: digest, Results: "../r.jsonl", Robot: []string{"ExampleBot", "*"},
		},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "position.json")
		fatal.If(t, os.WriteFile(name, []byte(text+"\n"), 0o666))
		got, err := readPosition(dir)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as %+v, %v", text, got, err)
		}
		fatal.If(t, want.write(dir))
		written, err := os.ReadFile(name)
		if err != nil || string(written) != text+"\n" {
			t.Errorf("%+v is written as %s, and in folders on disks as %s", want, written, text)
		}
	}
	// The digest covers the bytes before the offset, at most 4,096.
	long := make([]byte, 5000)
	for i := range long {
		long[i] = byte(i)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "results.jsonl")
	fatal.If(t, os.WriteFile(name, append([]byte("hello"), long...), 0o666))
	f, err := os.Open(name)
	fatal.If(t, err)
	defer f.Close()
	for offset, want := range map[int64]string{
		5:    digest, // of "hello"
		5005: "bc88320cdca55bcf7e9f41a40cc1c05b3ed255f4a1353f4e98e63dc98ddb8798",
	} {
		if got, err := before(f, offset); err != nil || got != want {
			t.Errorf("before %d is %s, %v", offset, got, err)
		}
	}
}
