package audit_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A log that is given twice is refused: by its name, as a copy, compressed, or in another part.
func TestLogTwice(t *testing.T) {
	folder := t.TempDir()
	var l visitLog
	l.people()
	l.add("192.0.2.1", 7, "/closed", "-", "simbot/1.0")
	text := strings.Join(l.lines, "\n") + "\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	fatal.If(t, z.Close())
	put := func(name, text string) string {
		name = filepath.Join(folder, name)
		fatal.If(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	log, copied, compressed := put("a.log", text), put("b.log", text), put("c.log.gz", packed.String())
	other, empty, empty2 := put("d.log", strings.Join(l.lines[1:], "\n")), put("e.log", ""), put("f.log", "")
	a := newAuditor(t)
	for _, test := range []struct {
		logs []string
		ok   bool
	}{
		{[]string{log, other, empty, empty2}, true}, {[]string{log, log}, false}, {[]string{log, copied}, false},
		{[]string{compressed, other, log}, false},
	} {
		var reader accesslog.Reader
		part, err := a.Read(reader.Open(test.logs...), 2)
		if (part != nil && err == nil) != test.ok {
			t.Errorf("%v: the error is %v", test.logs, err)
		}
	}
	read := func(names ...string) *bytes.Buffer {
		var reader accesslog.Reader
		part, err := a.Read(reader.Open(names...), 1)
		fatal.If(t, err)
		return partBytes(t, part)
	}
	one, again, second := read(log), read(copied), read(other)
	all := partOf(t, one)
	fatal.If(t, all.Join(partOf(t, second)))
	all = partOf(t, partBytes(t, all)) // a joined part knows the logs of both
	if err := all.Join(partOf(t, again)); err == nil || !strings.Contains(err.Error(), "same requests") {
		t.Errorf("the error is %v", err)
	}
}

func partBytes(t *testing.T, part *audit.Part) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	_, err := part.WriteTo(&b)
	fatal.If(t, err)
	return &b
}

func partOf(t *testing.T, b *bytes.Buffer) *audit.Part {
	t.Helper()
	part, err := audit.ReadPart(bytes.NewReader(b.Bytes()), nil)
	fatal.If(t, err)
	return part
}
