package crawl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// The names of the store's checkpoints. There is one checkpoint, except for a moment during
// its replacement, when the previous one exists too.
const (
	checkpointName = "checkpoint"
	checkpointOld  = "checkpoint.old"
	checkpointNew  = "checkpoint.new"
)

// checkpoint copies the store. The store can be rebuilt from the copy and the journal's later
// records.
func (s *shard) checkpoint() error {
	now, before, next := filepath.Join(s.config.Dir, checkpointName), filepath.Join(s.config.Dir, checkpointOld),
		filepath.Join(s.config.Dir, checkpointNew)
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

// lastCheckpoint returns the folder of the last checkpoint, or "". It looks for the previous
// checkpoint too: a process may have been killed during the replacement.
func (c *Config) lastCheckpoint() string {
	for _, name := range []string{checkpointName, checkpointOld} {
		name = filepath.Join(c.Dir, name)
		if info, err := os.Lstat(name); err == nil && info.IsDir() {
			return name
		}
	}
	return ""
}

// syncDir syncs a folder, so that new file names are durable. It does nothing on systems that
// cannot sync a folder.
func syncDir(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}
