package crawl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The names of the checkpoint of the store. There is one, and for a moment, while the next
// takes its place, the one before.
const (
	checkpointName = "checkpoint"
	checkpointOld  = "checkpoint.old"
	checkpointNew  = "checkpoint.new"
)

// checkpoint makes a copy of the store, from which and from the records that the journal has
// from then on the store can be made again.
func (s *shard) checkpoint() error {
	now, before, next := filepath.Join(s.config.Dir, checkpointName), filepath.Join(s.config.Dir, checkpointOld), filepath.Join(s.config.Dir, checkpointNew)
	last := s.config.lastCheckpoint()
	if err := os.RemoveAll(next); err != nil {
		return err
	}
	if err := s.store.Checkpoint(next, last); err != nil {
		return fmt.Errorf("make a checkpoint of the store: %w", err)
	}
	if last == now {
		if err := errors.Join(os.RemoveAll(before), os.Rename(now, before)); err != nil {
			return fmt.Errorf("make a checkpoint of the store: %w", err)
		}
	}
	if err := os.Rename(next, now); err != nil {
		return fmt.Errorf("make a checkpoint of the store: %w", err)
	}
	syncDir(s.config.Dir)
	return os.RemoveAll(before)
}

// lastCheckpoint returns the folder of the last checkpoint, or nothing. A process may have
// been killed while one took the place of another.
func (c *Config) lastCheckpoint() string {
	for _, name := range []string{checkpointName, checkpointOld} {
		name = filepath.Join(c.Dir, name)
		if info, err := os.Lstat(name); err == nil && info.IsDir() {
			return name
		}
	}
	return ""
}

// syncDir makes new names reach the disk, where a folder can be synced.
func syncDir(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}
