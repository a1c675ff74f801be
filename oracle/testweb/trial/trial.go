//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A runResult is what is known of a run beside the report of the web.
type runResult struct {
	Robot    string
	Settings string
	Version  string
	Start    time.Time
	Seconds  float64
	CPU      float64 // seconds of the processor that the robot and the web took
	End      string  // why the run ended
}

// run tries the robots, each with both settings.
func (t *trial) run() error {
	if err := t.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(t.folder)
	var group sync.WaitGroup
	places := make(chan struct{}, max(t.parallel, 1))
	for _, r := range robots {
		if t.only != "" && !slices.Contains(strings.Split(t.only, ","), r.name) {
			continue
		}
		for _, settings := range []string{"defaults", "polite"} {
			if r.command(settings) == "" || t.settings != "" && t.settings != settings {
				continue
			}
			places <- struct{}{}
			group.Go(func() {
				defer func() { <-places }()
				if err := t.try(r, settings); err != nil {
					fmt.Fprintf(os.Stderr, "%s, %s: %v\n", r.name, settings, err)
				}
			})
		}
	}
	group.Wait()
	return nil
}

// try runs one robot with one of its settings, and keeps the results in a folder.
func (t *trial) try(r robot, settings string) error {
	version, err := t.version(r)
	if err != nil {
		return err
	}
	dir := filepath.Join(t.results, slug(r.name)+"-"+settings)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(filepath.Join(dir, "work"), 0o755),
		os.Chmod(filepath.Join(dir, "work"), 0o777)); err != nil {
		return err
	}
	result := runResult{Robot: r.name, Settings: settings, Version: version,
		Start: time.Now().UTC().Truncate(time.Second)}
	limit := t.limit
	if r.hasty || settings == "defaults" && !r.slow {
		limit = min(limit, t.brief)
	}
	cmd, err := insideCommand("inside", "-results", dir, "-limit", limit.String(), r.command(settings))
	if err != nil {
		return err
	}
	cmd.Env = t.environment()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return err
	}
	result.End = strings.TrimSpace(out.String())
	result.Seconds = time.Since(result.Start).Seconds()
	result.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	data, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return err
	}
	fmt.Printf("%s, %s: %.0f s, %.1f s of the processor, %s\n", r.name, settings, result.Seconds, result.CPU,
		result.End)
	return os.WriteFile(filepath.Join(dir, "run.json"), append(data, '\n'), 0o644)
}

// end asks a process and all that it started to end, and then makes it.
func end(cmd *exec.Cmd, done <-chan error, signals ...syscall.Signal) {
	for _, s := range append(slices.Clone(signals), syscall.SIGKILL) {
		_ = syscall.Kill(-cmd.Process.Pid, s)
		select {
		case <-done:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what the shell has left behind
			return
		case <-time.After(15 * time.Second):
		}
	}
	<-done
}
