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

// Pruned tells what [Dir.Prune] has removed.
type Pruned struct {
	Versions int   `json:"versions"` // that were no longer in force at the bound
	Texts    int   `json:"texts"`    // that nothing speaks of any more
	Bytes    int64 `json:"bytes"`    // that these took in files
}

// Prune removes what is only about the time before a bound. It keeps the version of
// each origin that was in force at the bound, all later ones, and what is known now:
// [Dir.At] answers as before for the bound and every time after it. For times before
// it, At answers from the version that was in force at the bound, if that had begun
// by then, and else does not know.
//
// Others may use the folder meanwhile, and the process may be killed at any time; the
// next call finishes. A text that was put in the last minute stays until the next
// call. An error is of the file system or of ctx; where a history could not be read,
// no text is removed. Prune reads all histories, and takes some 100 bytes of memory
// for each text in the folder.
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

	// unused are the texts, by their SHA-256, that nothing speaks of as far as was
	// read, and when each was last put.
	unused  map[string]time.Time
	changed []string // folders of histories that were rewritten
}

// prune is Prune, which leaves texts alone that were put after settled ago.
//
// Somebody may put an unused text again while all else is being read. Put changes the
// time of the text then, before it writes to the history, and holds the lock until it
// has done both. So what was put before the texts are listed is found in the history,
// and what is put later has another time when the text is to be removed.
func (d Dir) prune(ctx context.Context, before time.Time, settled time.Duration) (Pruned, error) {
	if _, err := os.Stat(filepath.Join(string(d), "history")); err != nil {
		return Pruned{}, fmt.Errorf("it has no history: %w", err)
	}
	if err := os.MkdirAll(d.temporary(), 0o777); err != nil {
		return Pruned{}, err
	}
	d.sweep()
	p := &pruner{dir: d, ctx: ctx, before: before, unused: make(map[string]time.Time)}
	listed := time.Now()
	for _, step := range []func() error{
		func() error { return d.alone(ctx, func() error { return nil }) }, // all have written who listed nothing of it
		func() error { return p.each("texts", ".txt", p.list) },
		func() error { return p.each("history", ".jsonl", p.history) },
		func() error { return p.each("origins", ".json", p.entry) },
		func() error { return p.remove(listed.Add(-settled)) },
	} {
		if err := step(); err != nil {
			return p.done, err
		}
	}
	return p.done, nil
}

// each calls do with the path of each file of a folder and its folders.
func (p *pruner) each(folder, extension string, do func(name string) error) error {
	shards, err := os.ReadDir(filepath.Join(string(p.dir), folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, shard := range shards {
		files, err := os.ReadDir(filepath.Join(string(p.dir), folder, shard.Name()))
		if err != nil {
			return err
		}
		for _, file := range files {
			if err := p.ctx.Err(); err != nil {
				return err
			}
			if !file.Type().IsRegular() || filepath.Ext(file.Name()) != extension {
				continue
			}
			if err := do(filepath.Join(string(p.dir), folder, shard.Name(), file.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// list takes a text for an unused one.
func (p *pruner) list(name string) error {
	info, err := os.Lstat(name)
	if hash := strings.TrimSuffix(filepath.Base(name), ".txt"); err == nil && isHash(hash) {
		p.unused[hash] = info.ModTime()
	}
	return ignore(err, fs.ErrNotExist)
}

// entry finds which text an entry speaks of.
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

// history finds which texts a history speaks of, after it has removed the lines before
// the one that was in force at the bound.
func (p *pruner) history(name string) error {
	for {
		lines, dropped, again, err := p.rewrite(name)
		if err != nil {
			return ignore(err, fs.ErrNotExist)
		}
		if again {
			continue // somebody has just written to it
		}
		p.done.Versions += dropped
		for _, l := range lines {
			delete(p.unused, l.SHA256)
		}
		return nil
	}
}

// rewrite removes lines from a history, and returns those that count of the rest. If
// somebody has written to it meanwhile, nothing is done.
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
		f.Close() // Windows replaces no file that is open
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

// remove removes the texts that are unused, and were not put since a time, or again.
func (p *pruner) remove(since time.Time) error {
	for _, folder := range p.changed {
		syncFolder(folder) // or a history from before a crash might speak of them
	}
	var batch []string
	for hash, put := range p.unused {
		if put.Before(since) {
			batch = append(batch, hash)
		}
	}
	const most = 64 // others wait so long
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

// originOf returns the origin that the name of a history is of, or "" if no line says.
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

// copyEnd writes a part of a file to a new one, and returns its path.
func (d Dir) copyEnd(f *os.File, start, end int64) (name string, err error) {
	data := make([]byte, end-start)
	if _, err := f.ReadAt(data, start); err != nil {
		return "", err
	}
	return d.writeTemp(data)
}

// ignore returns err, unless it is some other.
func ignore(err, some error) error {
	if errors.Is(err, some) {
		return nil
	}
	return err
}

// How long somebody waits who is to write, and who is to prune.
const (
	maxShareWait = 10 * time.Second
	maxAloneWait = time.Minute
)

// share keeps pruners out until it is closed.
func (d Dir) share(ctx context.Context) (io.Closer, error) {
	gate, err := filelock.Wait(ctx, d.lockFile("gate"), filelock.Shared, maxShareWait)
	if err != nil {
		return nil, err
	}
	defer gate.Close()
	return filelock.Wait(ctx, d.lockFile("lock"), filelock.Shared, maxShareWait)
}

// alone calls do while nobody else writes or prunes. Who comes now waits at the gate:
// without it, others who share the lock in turn would keep it for ever.
func (d Dir) alone(ctx context.Context, do func() error) error {
	gate, err := filelock.Wait(ctx, d.lockFile("gate"), filelock.Exclusive, maxAloneWait)
	if err != nil {
		return err
	}
	defer gate.Close()
	all, err := filelock.Wait(ctx, d.lockFile("lock"), filelock.Exclusive, maxAloneWait)
	if err != nil {
		return err
	}
	defer all.Close()
	return do()
}

func (d Dir) lockFile(name string) string { return filepath.Join(string(d), name) }
