package monitor

import (
	"bufio"
	"errors"
	"maps"
	"os"
	"slices"
)

// compact writes the state to a new file, and puts the file in place of the journal. After an error
// the old file is in use. j.mu must be held, except by open.
func (j *journal) compact() error {
	temp := j.path(journalName + ".new")
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	size, err := j.writeAll(f)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(temp)
		return err
	}
	if j.file != nil {
		j.file.Close() // Windows replaces no open file
	}
	renamed := os.Rename(temp, j.path(journalName))
	if j.file, err = os.OpenFile(j.path(journalName), os.O_RDWR, 0); err != nil || renamed != nil {
		return errors.Join(renamed, err)
	}
	syncFolder(j.dir)
	j.size, j.base = size, size
	j.texts.prune(j.sites)
	return nil
}

// writeAll writes the lines that give the state, and returns their size.
func (j *journal) writeAll(f *os.File) (size int64, err error) {
	w := bufio.NewWriter(f)
	write := func(l *line) {
		var data []byte
		if err == nil {
			data, err = seal(l)
		}
		if err == nil {
			_, err = w.Write(data)
		}
		size += int64(len(data))
	}
	write(&line{Version: 1, ID: j.id, Next: j.next})
	for _, origin := range slices.Sorted(maps.Keys(j.sites)) {
		write(&line{Site: j.sites[origin]})
	}
	to := make(map[uint64][]string)
	for _, name := range slices.Sorted(maps.Keys(j.queues.of)) {
		for _, number := range j.queues.of[name] {
			to[number] = append(to[number], name)
		}
	}
	events := make(map[uint64]*Event)
	for _, e := range j.events.all() {
		events[e.number] = &e.event
	}
	for number, e := range j.queues.events {
		events[number] = &e.event
	}
	for _, number := range slices.Sorted(maps.Keys(events)) {
		write(&line{Number: number, Event: events[number], To: to[number]})
	}
	for _, name := range slices.Sorted(maps.Keys(j.queues.begun)) {
		for _, b := range j.queues.begun[name] {
			write(&line{Sends: &messageStart{name, b.numbers}})
		}
	}
	if err == nil {
		err = w.Flush()
	}
	return size, err
}
