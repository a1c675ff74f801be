package warc

import (
	"bytes"
	"os"
	"strings"
)

// A Repair describes the repair of a file.
type Repair = repair

// RepairFolder repairs a folder that no writer has open, as Open does.
func RepairFolder(dir string) ([]Repair, error) { return repairFolder(dir) }

// ErrClosed is the error of a writer that has been closed.
var ErrClosed = errClosed

// Measure is the part of a repair that finds out how much of a file is complete, without
// syncing. It returns that size, and the future journal.
func Measure(f, journal *os.File, name string) (size int64, records bool, lines string, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, false, "", err
	}
	m := &file{name: name, f: f, journal: journal}
	if _, err := m.measure(info.Size()); err != nil {
		return 0, false, "", err
	}
	kept := make([]byte, m.journalSize)
	if _, err := journal.ReadAt(kept, 0); err != nil {
		return 0, false, "", err
	}
	return m.size, m.records, string(kept) + string(m.pending), nil
}

// SortFiles sorts the lines of files with so little memory that it needs many runs.
func SortFiles(dir string, memory, fanIn int, files, sorted []string) (string, error) {
	var out strings.Builder
	s := sorter{dir: dir, memory: memory, fanIn: fanIn}
	err := s.sortFiles(&out, files, sorted)
	return out.String(), err
}

// SURT returns the key of a URL in an index.
func SURT(url string) string { return surtKey(url) }

// Unescape decodes percent-encoding as for the key of a URL.
func Unescape(s string) string { return string(unescape([]byte(s))) }

// Members returns the gzip members of an exchange, and its capture without a file.
func Members(x *Exchange, dir string, memory int, maxBody int64) ([]byte, Capture, error) {
	p := newPress()
	defer p.discard()
	p.reset(dir, memory, maxBody)
	c, err := p.exchange(x)
	if err != nil {
		return nil, c, err
	}
	var b bytes.Buffer
	err = p.out.copyTo(&b)
	return b.Bytes(), c, err
}
