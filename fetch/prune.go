package fetch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/filelock"
)

// Pruned counts the data that [Dir.Prune] removed.
type Pruned struct {
	Versions int   `json:"versions"` // versions that ended before the bound
	Texts    int   `json:"texts"`    // texts that no entry and no version uses any more
	Bytes    int64 `json:"bytes"`    // size of the removed data in files
}

// Prune removes the history before a bound. Prune keeps the version of each origin that was in
// force at the bound, all later versions, and the current entries: [Dir.At] gives the same
// answers as before for the bound and every later time. For earlier times, At answers from the
// version in force at the bound if that version had already begun, and otherwise reports that
// it does not know.
//
// Other processes may use the folder at the same time, and the process may be killed at any
// time: the next call finishes the work. A text that was put in the last minute stays until the
// next call. The error is one of the file system or that of ctx; if a history cannot be read,
// no text is removed. Prune reads all histories, and takes about 100 bytes of memory for each
// text in the folder.
func (d Dir) Prune(ctx context.Context, before time.Time) (Pruned, error) {
	p, err := d.prune(ctx, before, time.Minute)
	if err != nil {
		return p, fmt.Errorf("fetch: cannot prune %q: %w", string(d), err)
	}
	return p, nil
}

// A pruner is one run of Prune.
type pruner struct {
	dir    Dir
	ctx    context.Context
	before time.Time
	done   Pruned

	// unused has the SHA-256 of each text without a known reference, and when the text was last
	// put.
	unused  map[string]time.Time
	changed []string // folders of rewritten histories
}

// prune is Prune with the age, settled, below which texts are not removed.
//
// A process may put an unused text again while prune reads. Put first updates the time of the
// text, then writes the history, and holds the lock during both. So a text put before the texts
// are listed is found in the history, and a text put later has a new time when prune is about
// to remove it.
func (d Dir) prune(ctx context.Context, before time.Time, settled time.Duration) (Pruned, error) {
	if _, err := os.Stat(filepath.Join(string(d), "history")); err != nil {
		return Pruned{}, fmt.Errorf("it has no history: %w", err)
	}
	if err := os.MkdirAll(d.path("tmp"), 0o777); err != nil {
		return Pruned{}, err
	}
	d.sweep()
	p := &pruner{dir: d, ctx: ctx, before: before, unused: make(map[string]time.Time)}
	listed := time.Now()
	for _, step := range []func() error{
		// writers that started before have now written their histories
		func() error { return d.alone(ctx, func() error { return nil }) },
		func() error { return eachFile(ctx, d, "texts", ".txt", p.list) },
		func() error { return eachFile(ctx, d, "history", ".jsonl", p.history) },
		func() error { return eachFile(ctx, d, "origins", ".json", p.entry) },
		func() error { return p.remove(listed.Add(-settled)) },
	} {
		if err := step(); err != nil {
			return p.done, err
		}
	}
	return p.done, nil
}

// eachFile calls do with the path of each file in the subfolders of a folder.
func eachFile(ctx context.Context, d Dir, folder, extension string, do func(name string) error) error {
	shards, err := os.ReadDir(filepath.Join(string(d), folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, shard := range shards {
		files, err := os.ReadDir(filepath.Join(string(d), folder, shard.Name()))
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !file.Type().IsRegular() || filepath.Ext(file.Name()) != extension {
				continue
			}
			if err := do(filepath.Join(string(d), folder, shard.Name(), file.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// list adds a text to the unused ones.
func (p *pruner) list(name string) error {
	info, err := os.Lstat(name)
	if hash := strings.TrimSuffix(filepath.Base(name), ".txt"); err == nil && isHash(hash) {
		p.unused[hash] = info.ModTime()
	}
	return ignore(err, fs.ErrNotExist)
}

// entry marks the text of an entry as used.
func (p *pruner) entry(name string) error {
	data, err := readFile(name, maxEntry)
	if err != nil && !errors.Is(err, ErrCorrupt) {
		return ignore(err, fs.ErrNotExist)
	}
	e := new(Entry)
	if err == nil && unseal(data, e) == nil && e.File != nil {
		delete(p.unused, e.File.SHA256)
	}
	return nil
}

// history rewrites a history without the lines before the version in force at the bound, and
// marks the texts of the other lines as used.
func (p *pruner) history(name string) error {
	for {
		lines, dropped, again, err := p.rewrite(name)
		if err != nil {
			return ignore(err, fs.ErrNotExist)
		}
		if again {
			continue // another process has just written to the history
		}
		p.done.Versions += dropped
		for _, l := range lines {
			delete(p.unused, l.SHA256)
		}
		return nil
	}
}

// rewrite removes lines from a history, and returns the valid lines that remain. If another
// process has written to the history meanwhile, rewrite changes nothing and again is true.
func (p *pruner) rewrite(name string) (kept []change, dropped int, again bool, err error) {
	f, err := openRegular(name)
	if err != nil {
		return nil, 0, false, err
	}
	defer f.Close()
	origin, err := p.dir.originOf(f)
	if err != nil {
		return nil, 0, false, err
	}
	lines, size, err := readChanges(p.ctx, f, origin)
	if err != nil {
		return nil, 0, false, err
	}
	for dropped+1 < len(lines) && !lines[dropped+1].Time.After(p.before) {
		dropped++
	}
	if dropped == 0 {
		return lines, 0, false, nil
	}
	lines = lines[dropped:]
	start := lines[0].start
	temp, err := p.dir.copyEnd(f, start, size)
	if err != nil {
		return nil, 0, false, err
	}
	defer os.Remove(temp)
	err = p.dir.alone(p.ctx, func() error {
		read, err := f.Stat()
		if err != nil {
			return err
		}
		now, err := os.Lstat(name)
		if err != nil {
			return err
		}
		if again = !os.SameFile(read, now) || now.Size() != size; again {
			return nil
		}
		f.Close() // Windows cannot replace an open file
		return rename(temp, name)
	})
	if err != nil || again {
		return nil, 0, again, err
	}
	p.done.Bytes += start
	if folder := filepath.Dir(name); len(p.changed) == 0 || p.changed[len(p.changed)-1] != folder {
		p.changed = append(p.changed, folder)
	}
	return lines, dropped, false, nil
}

// remove removes unused texts that were last put before a time, and not since they were listed.
func (p *pruner) remove(since time.Time) error {
	for _, folder := range p.changed {
		syncFolder(folder) // otherwise a crash could bring back a history that refers to the texts
	}
	var batch []string
	for hash, put := range p.unused {
		if put.Before(since) {
			batch = append(batch, hash)
		}
	}
	const most = 64 // texts removed while other processes wait for the lock
	for len(batch) > 0 {
		n := min(most, len(batch))
		err := p.dir.alone(p.ctx, func() error {
			for _, hash := range batch[:n] {
				if err := p.removeText(hash); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		batch = batch[n:]
	}
	return nil
}

func (p *pruner) removeText(hash string) error {
	name := p.dir.textFile(hash)
	info, err := os.Lstat(name)
	if err != nil || !info.ModTime().Equal(p.unused[hash]) {
		return ignore(err, fs.ErrNotExist)
	}
	if err := os.Remove(name); err != nil {
		return ignore(err, fs.ErrNotExist)
	}
	p.done.Texts++
	p.done.Bytes += info.Size()
	return nil
}

// originOf returns the origin of a history's file, or "" if no line names it.
func (d Dir) originOf(f *os.File) (string, error) {
	for r := bufio.NewReaderSize(io.NewSectionReader(f, 0, math.MaxInt64), maxLine); ; {
		line, err := r.ReadSlice('\n')
		var c change
		if unseal(line, &c) == nil && d.file("history", c.Origin, ".jsonl") == f.Name() {
			return c.Origin, nil
		}
		if err != nil && err != bufio.ErrBufferFull {
			return "", ignore(err, io.EOF)
		}
	}
}

// copyEnd copies a part of a file to a temporary file, and returns its path.
func (d Dir) copyEnd(f *os.File, start, end int64) (name string, err error) {
	data := make([]byte, end-start)
	if _, err := f.ReadAt(data, start); err != nil {
		return "", err
	}
	return d.writeTemp(data)
}

// ignore returns err, or nil if err is some.
func ignore(err, some error) error {
	if errors.Is(err, some) {
		return nil
	}
	return err
}

// How long writers and pruners wait for the lock.
const (
	maxShareWait = 10 * time.Second
	maxAloneWait = time.Minute
)

// share locks out pruners until the returned lock is closed.
func (d Dir) share(ctx context.Context) (io.Closer, error) {
	gate, err := filelock.Wait(ctx, d.path("gate"), filelock.Shared, maxShareWait)
	if err != nil {
		return nil, err
	}
	defer gate.Close()
	return filelock.Wait(ctx, d.path("lock"), filelock.Shared, maxShareWait)
}

// alone calls do while no other process writes or prunes. New writers wait at the gate: without
// the gate, writers that take the shared lock in turn could hold it forever.
func (d Dir) alone(ctx context.Context, do func() error) error {
	gate, err := filelock.Wait(ctx, d.path("gate"), filelock.Exclusive, maxAloneWait)
	if err != nil {
		return err
	}
	defer gate.Close()
	all, err := filelock.Wait(ctx, d.path("lock"), filelock.Exclusive, maxAloneWait)
	if err != nil {
		return err
	}
	defer all.Close()
	return do()
}
