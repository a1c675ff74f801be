package monitor

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// A textFolder has the texts of baselines, each once, in files that are named by their SHA-256.
type textFolder string

func (d textFolder) path(hash string) string {
	return filepath.Join(string(d), hash[:2], hash+".txt")
}

// keep stores the text of a baseline, unless it is stored already.
func (d textFolder) keep(o *Observation) error {
	if o.File.State != fetch.OK || len(o.File.SHA256) != 64 {
		return nil
	}
	name := d.path(o.File.SHA256)
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	temp := name + "." + rand.Text() + ".new"
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(o.Policy.String())
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp)
		return err
	}
	syncFolder(filepath.Dir(name))
	return nil
}

// complete gives the baseline of a site its policy, if a look needs it. A baseline without its text
// is given up: the look becomes the baseline.
func (d textFolder) complete(s *site, o *Observation) error {
	b := s.Baseline
	if b == nil || b.Policy != nil || sameFile(&b.File, &o.File) {
		return nil
	}
	c := *b
	s.Baseline = &c
	if b.File.State != fetch.OK {
		c.Policy = robots.AllowAll()
		return nil
	}
	data, err := os.ReadFile(d.path(b.File.SHA256))
	if errors.Is(err, fs.ErrNotExist) {
		s.Baseline = nil
		return nil
	}
	c.Policy = robots.Parse(data)
	return err
}

// prune removes the texts that no site uses as its baseline. Errors are ignored: the next call
// tries again.
func (d textFolder) prune(sites map[string]*site) {
	used := make(map[string]bool)
	for _, s := range sites {
		if s.Baseline != nil && len(s.Baseline.File.SHA256) == 64 {
			used[d.path(s.Baseline.File.SHA256)] = true
		}
	}
	files, _ := filepath.Glob(filepath.Join(string(d), "??", "*"))
	for _, name := range files {
		if !used[name] {
			os.Remove(name)
		}
	}
}

// syncFolder syncs a folder, so that a rename survives a crash. Where folders cannot be synced, as
// on Windows, a rename is as safe as the system makes it.
func syncFolder(name string) {
	if f, err := os.Open(name); err == nil {
		f.Sync()
		f.Close()
	}
}
