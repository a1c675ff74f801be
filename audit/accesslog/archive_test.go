package accesslog_test

import (
	"archive/tar"
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

const archivedLine = `192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1 "-" "a"` + "\n"

// zipped returns an archive of a file whose content is not compressed: its lines would be read, and
// the first would be lost.
func zipped(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "access.log", Method: zip.Store})
	fatal.If(t, err)
	_, err = io.WriteString(w, archivedLine+archivedLine)
	fatal.If(t, err)
	fatal.If(t, z.Close())
	return b.String()
}

// tarred returns an archive of a file.
func tarred(t *testing.T, format tar.Format) string {
	t.Helper()
	var b strings.Builder
	w := tar.NewWriter(&b)
	fatal.If(t, w.WriteHeader(&tar.Header{Name: "access.log", Mode: 0o600, Size: int64(2 * len(archivedLine)),
		Format: format}))
	_, err := io.WriteString(w, archivedLine+archivedLine)
	fatal.If(t, err)
	fatal.If(t, w.Close())
	return b.String()
}

// inUTF16 returns a text with a byte order mark.
func inUTF16(text string, little bool) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		high, low := byte(unit>>8), byte(unit)
		if little {
			high, low = low, high
		}
		b.Write([]byte{high, low})
	}
	return b.String()
}

// TestArchives checks that what is not text is refused as a whole, with what to do: some of its
// lines would be read, and others lost.
func TestArchives(t *testing.T) {
	const unpackZip, unpackTar = "it is a zip archive: unpack it, and name the logs in it",
		"it is a tar archive: unpack it, and name the logs in it"
	const convert = "it is UTF-16: convert it to UTF-8"
	const binary = "it is binary data, such as an image or a document: name a log of plain text"
	for name, test := range map[string]struct{ log, want string }{
		"zip":          {zipped(t), unpackZip},
		"empty zip":    {"PK\x05\x06" + strings.Repeat("\x00", 18), unpackZip},
		"tar":          {tarred(t, tar.FormatUSTAR), unpackTar},
		"GNU tar":      {tarred(t, tar.FormatGNU), unpackTar},
		"tar.gz":       {gzipped(t, tarred(t, tar.FormatPAX)), unpackTar},
		"tar.zst":      {zstandard(t, tarred(t, tar.FormatUSTAR)), unpackTar},
		"UTF-16":       {inUTF16(archivedLine, true), convert},
		"UTF-16, big":  {inUTF16(archivedLine, false), convert},
		"UTF-16, gzip": {gzipped(t, inUTF16(archivedLine, true)), convert},
		"an image":     {"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\n" + archivedLine, binary},
		"a PDF, gzip":  {gzipped(t, "%PDF-1.7\n"+archivedLine), binary},
		"a name":       {strings.Repeat("x", 257) + "ustar\n", ""},
	} {
		for _, in := range []io.Reader{strings.NewReader(test.log), iotest.OneByteReader(strings.NewReader(test.log))} {
			scan := new(accesslog.Reader).From("a.log", in)
			var failed []string
			for _, err := range scan.Requests() {
				if syntax := (*accesslog.SyntaxError)(nil); err == nil || errors.As(err, &syntax) {
					if test.want != "" {
						t.Errorf("%s: got %v, want the log refused as a whole", name, err)
					}
					continue
				}
				failed = append(failed, err.Error())
			}
			got := strings.Join(failed, "\n")
			want := test.want
			if want != "" {
				want = "cannot read a.log: " + want
			}
			if got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
			if log := scan.Logs()[0]; (log.Err != nil) != (test.want != "") || test.want != "" && log.Lines != 0 {
				t.Errorf("%s: got the log %+v", name, log)
			}
		}
	}
}

// TestByteOrderMark checks that the reader skips a mark before the first line: it must change
// neither the format that is found nor the directives.
func TestByteOrderMark(t *testing.T) {
	const mark = "\ufeff"
	w3c := "#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent)\n" +
		"2015-05-17 10:05:03 192.0.2.7 GET / 200 a\n"
	for _, text := range []string{archivedLine, archivedLine + archivedLine, w3c} {
		var scans []accesslog.Log
		folder := t.TempDir()
		for i, log := range []string{text, mark + text} {
			name := filepath.Join(folder, string(rune('a'+i)))
			fatal.If(t, os.WriteFile(name, []byte(log), 0o600))
			scan := new(accesslog.Reader).Open(name)
			for r, err := range scan.Requests() {
				fatal.If(t, err)
				if strings.HasPrefix(string(r.Text), mark) || !r.Client.IsValid() {
					t.Errorf("%q: got the line %q from %v", log, r.Text, r.Client)
				}
			}
			scans = append(scans, scan.Logs()...)
		}
		got, want := scans[1], scans[0]
		if got.Format == nil || got.Format.String() != want.Format.String() || got.Requests != want.Requests ||
			got.Lines != want.Lines {
			t.Errorf("%q: with a mark got %+v, without %+v", text, got, want)
		}
	}
	scan := new(accesslog.Reader).From("a.log", strings.NewReader(mark))
	for r, err := range scan.Requests() {
		t.Errorf("nothing but a mark: got %v, %v", r, err)
	}
}
