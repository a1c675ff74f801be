package warc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Files returns the base names of the finished files of a folder, in order.
func Files(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Scan reads all finished files of a folder to their ends, so that each record is checked
// against the checksum of its gzip member. It calls fn for each capture, and broken for
// each damaged place of a file. If a file cannot be read at all, Damage.Record is empty
// and Offset 0.
func Scan(dir string, fn func(Capture) error, broken func(file string, d *Damage)) error {
	names, err := Files(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := scanFile(dir, name, fn, func(d *Damage) { broken(name, d) }); err != nil {
			return fmt.Errorf("read the archive: %s: %w", name, err)
		}
	}
	return nil
}

func scanFile(dir, name string, fn func(Capture) error, broken func(d *Damage)) error {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		broken(&Damage{Err: errors.New("it is not a file")})
		return err
	}
	// A record found inside a damaged record does not belong to this archive.
	rd, begun := NewReader(f), false
	for {
		rec, err := rd.Next()
		if err == io.EOF {
			if !begun {
				broken(&Damage{Err: errors.New("it is empty")})
			}
			return nil
		}
		var d *Damage
		if begun = true; err != nil {
			if !errors.As(err, &d) {
				return err
			}
			broken(d)
			continue
		}
		c, ok, err := rec.Capture(name)
		switch {
		case errors.As(err, &d): // Next returns the same damage, with the bytes skipped
		case err != nil:
			return err
		case ok && c.Length > 0:
			if err := fn(c); err != nil {
				return err
			}
		}
	}
}

// Reindex rebuilds the index of a folder from the readable records of its files, after
// changes that no [Writer] made. It first repairs files that a killed process left open,
// and cuts off an incomplete last record. It reports damage like Scan.
func Reindex(dir string, fn func(Capture) error, broken func(file string, d *Damage)) error {
	lock, err := lockFolder(dir)
	if err != nil {
		return fmt.Errorf("index the archive %s: %w", dir, err)
	}
	defer lock.Remove()
	if _, err := repairFolder(dir); err != nil {
		return fmt.Errorf("index the archive %s: %w", dir, err)
	}
	names, err := Files(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := reindexFile(dir, name, fn, broken); err != nil {
			return fmt.Errorf("index the archive %s: %s: %w", dir, name, err)
		}
	}
	// The old index may have entries of files that no longer exist.
	if err := os.RemoveAll(filepath.Join(dir, indexName)); err != nil {
		return err
	}
	_, err = sortIndex(dir)
	return err
}

// reindexFile writes the index of one file.
func reindexFile(dir, name string, fn func(Capture) error, broken func(file string, d *Damage)) error {
	f := &file{dir: dir, name: name}
	out, err := os.Create(f.journalPath())
	if err != nil {
		return err
	}
	defer out.Close()
	w := bufio.NewWriter(out)
	cut := int64(-1)
	err = scanFile(dir, name, func(c Capture) error {
		cut = -1
		w.Write(append(c.appendCDXJ(nil), '\n'))
		return fn(c)
	}, func(d *Damage) {
		broken(name, d)
		if cut = -1; errors.Is(d.Err, io.ErrUnexpectedEOF) && d.Offset > 0 {
			cut = d.Offset
		}
	})
	if err == nil {
		err = w.Flush()
	}
	if err == nil && cut > 0 {
		err = os.Truncate(filepath.Join(dir, name), cut)
	}
	return err
}
