//go:build linux

package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed robots
var files embed.FS

// A trial is some robots that are tried one after the other.
type trial struct {
	results  string
	robots   string
	modules  string
	only     string
	settings string
	limit    time.Duration
	brief    time.Duration
	parallel int

	folder string // with the programs and the files of robots
}

// list prints the robots with their versions, or how to get them.
func (t *trial) list(w io.Writer) error {
	if err := t.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(t.folder)
	for _, r := range robots {
		version, err := t.version(r)
		if err != nil {
			version = err.Error()
		}
		if _, err := fmt.Fprintf(w, "%s: %s\n", r.name, version); err != nil {
			return err
		}
	}
	return nil
}

// prepare builds the programs and writes the files of the robots to a folder.
func (t *trial) prepare() error {
	results, err := filepath.Abs(t.results)
	if err != nil {
		return err
	}
	t.results = results
	if t.folder, err = os.MkdirTemp("", "trial"); err != nil {
		return err
	}
	if err := os.Chmod(t.folder, 0o755); err != nil { // LinkChecker runs as another user
		return err
	}
	if err := errors.Join(t.link(t.robots, "robots"), t.link(t.modules, "node_modules")); err != nil {
		return err
	}
	programs := map[string]string{"colly": "./testweb/colly", "robots-crawl": "./crawler/cmd/robots-crawl"}
	if t.robots == "" {
		programs["robots"] = "./cmd/robots"
	}
	for program, from := range programs {
		build := exec.Command("go", "build", "-o", filepath.Join(t.folder, program), from)
		if strings.HasPrefix(from, "./cmd/") {
			build.Dir = ".." // in the other module, which has the dependencies of the command
		}
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s from %s, started in folder oracle: %w\n%s", program, from, err, out)
		}
	}
	return fs.WalkDir(files, "robots", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(t.folder, filepath.Base(name)), data, 0o755)
	})
}

// link shows a file or folder of the user's in the folder of the programs, if there is one.
func (t *trial) link(from, name string) error {
	if from == "" {
		return nil
	}
	from, err := filepath.Abs(from)
	if err != nil {
		return err
	}
	return os.Symlink(from, filepath.Join(t.folder, name))
}

// environment is that of all commands. No proxy, configuration or credential of the user's
// is in it.
func (t *trial) environment() []string {
	return []string{
		"PATH=" + t.folder + ":/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/bin:/usr/local/go/bin",
		"HOME=" + t.folder,
		"LANG=C.UTF-8",
		"FILES=" + t.folder,
		"COLLY=" + filepath.Join(t.folder, "colly"),
		"NODE_PATH=" + filepath.Join(t.folder, "node_modules"),
		"CRAWLEE_STORAGE_DIR=storage",
	}
}

// version asks a robot for its version; a robot that has none is not installed.
func (t *trial) version(r robot) (string, error) {
	cmd := exec.Command("/bin/bash", "-c", r.version)
	cmd.Env = t.environment()
	cmd.Dir = t.folder
	out, err := cmd.CombinedOutput()
	if err != nil || len(bytes.TrimSpace(out)) == 0 {
		return "", fmt.Errorf("not installed (%s): %v %s", r.install, err, out)
	}
	return strings.Join(strings.Fields(string(out)), " "), nil
}

// slug makes a name of a folder.
func slug(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name),
		func(c rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789", c) }), "-")
}
