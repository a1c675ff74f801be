//go:build linux

package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// listen is where the web listens in the namespace: on the port of http, so that its
// hosts have names without a port, as on the real web.
const listen = "127.0.0.1:80"

// inside serves the web, has a robot visit it, and keeps the report and the log of the web
// beside the output of the robot. It runs in the namespaces of insideCommand.
func (t *trial) inside(args []string) error {
	if len(args) != 1 {
		return errors.New("inside needs one command")
	}
	if err := loopbackUp(); err != nil {
		return err
	}
	web, webDone, err := t.start("report", "", `exec robots testweb --listen `+listen+
		` --seeds urls --names --log access.log --json`)
	if err != nil {
		return err
	}
	defer end(web, webDone, syscall.SIGINT)
	if err := waitFor(t.serves); err != nil {
		return err
	}
	if err := t.hosts(); err != nil {
		return err
	}
	robot, done, err := t.start("robot", "work", args[0], "START=http://start.test/", "SEEDS="+
		filepath.Join(t.results, "seeds"))
	if err != nil {
		return err
	}
	select {
	case err := <-webDone:
		webDone <- err
		end(robot, done, syscall.SIGINT)
		return fmt.Errorf("the web ended before the robot: %v", err)
	case err := <-done:
		if err == nil {
			fmt.Println("the robot ended")
		} else {
			fmt.Printf("the robot ended with %v\n", err)
		}
		time.Sleep(silence)
	case <-time.After(t.limit):
		end(web, webDone, syscall.SIGINT) // before the robot: it must not seem to leave by itself
		webDone <- nil
		end(robot, done, syscall.SIGINT, syscall.SIGTERM)
		fmt.Printf("stopped after %v\n", t.limit)
	}
	return nil
}

// silence is how long the web goes on after the robot: the robot left by itself what it did not
// finish.
const silence = 11 * time.Second

// closed are the hosts that robots must not visit. No robot is told to start there: such a visit
// would not be the robot's fault.
var closed = []string{"closed.test", "server-error.test", "no-answer.test", "visit-time.test"}

// hosts has the names of the web's hosts resolve to loopback, and writes the URLs of the exercises
// from which robots may start.
func (t *trial) hosts() error {
	out, err := os.ReadFile(filepath.Join(t.results, "urls"))
	if err != nil {
		return err
	}
	seeds := strings.Fields(string(out))
	var open []string
	var file strings.Builder
	file.WriteString("127.0.0.1 localhost start.test aside.test\n") // no page links to these
	for _, url := range seeds {
		host, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
		fmt.Fprintf(&file, "127.0.0.1 %s\n", host)
		if !slices.Contains(closed, host) {
			open = append(open, url)
		}
	}
	name := filepath.Join(t.results, "hosts")
	if err := errors.Join(
		os.WriteFile(name, []byte(file.String()), 0o644),
		os.WriteFile(filepath.Join(t.results, "seeds"), []byte(strings.Join(open, "\n")+"\n"), 0o644),
	); err != nil {
		return err
	}
	return overlay(name, "/etc/hosts")
}

// start runs a command in a group of processes of its own. Its output goes to files.
func (t *trial) start(name, dir, command string, env ...string) (*exec.Cmd, chan error, error) {
	cmd := exec.Command("/bin/bash", "-c", command)
	cmd.Dir = filepath.Join(t.results, dir)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := os.Create(filepath.Join(t.results, name+".out"))
	if err != nil {
		return nil, nil, err
	}
	errs, err := os.Create(filepath.Join(t.results, name+".err"))
	if err != nil {
		return nil, nil, err
	}
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	done := make(chan error, 1)
	go func() {
		err := cmd.Wait()
		done <- errors.Join(err, out.Close(), errs.Close())
	}()
	return cmd, done, nil
}

// serves fails until the web answers and has written its URLs.
func (t *trial) serves() error {
	c, err := net.Dial("tcp", listen)
	if err != nil {
		return err
	}
	_, err = os.Stat(filepath.Join(t.results, "urls"))
	return errors.Join(err, c.Close())
}

// waitFor waits until a condition holds.
func waitFor(condition func() error) (err error) {
	for range 300 {
		if err = condition(); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}
