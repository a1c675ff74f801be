//go:build unix

package crawl_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/testweb"
	"github.com/robotsexclusion/robots/internal/nats/natstest"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/disk"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

func init() {
	fillDisk = func() {
		full := make(chan os.Signal, 1)
		signal.Notify(full, syscall.SIGUSR1)
		go func() {
			<-full
			child.Check(disk.Limit(1))
		}()
	}
}

// long is longer than a lease: the others take over.
var long = fleetTimes.Lease + 2*fleetTimes.Error

// kill kills a worker.
func (b *band) kill(n int) {
	p := b.run[n]
	p.Process.Kill()
	p.Wait()
	b.cuts, b.ended = append(b.cuts, time.Now()), append(b.ended, p)
	delete(b.run, n)
}

// hang stops a worker for longer than its lease, and lets it go on.
func (b *band) hang(n int) {
	b.t.Helper()
	stopped := b.run[n].Process
	fatal.If(b.t, stopped.Signal(syscall.SIGSTOP))
	b.cuts = append(b.cuts, time.Now())
	time.Sleep(long) // this is what is tested
	fatal.If(b.t, stopped.Signal(syscall.SIGCONT))
}

// fill fills the disk of a worker, and waits until the worker says so and ends, or is through. What
// it could not write is lost. A process that has just started may not know the signal yet, and die
// of it or miss it.
func (b *band) fill(n int) {
	b.t.Helper()
	p := b.run[n]
	ended := make(chan error, 1)
	go func() { ended <- p.Wait() }()
	var err error
	late := time.Now().Add(3 * time.Minute)
	for waits := true; waits; {
		if p.Process.Signal(syscall.SIGUSR1); time.Now().After(late) {
			p.Process.Signal(syscall.SIGQUIT)
		}
		select {
		case err = <-ended:
			waits = false
		case <-time.After(time.Second):
		}
	}
	b.cuts, b.ended = append(b.cuts, time.Now()), append(b.ended, p)
	delete(b.run, n)
	text := p.out.String()
	full := strings.Contains(text, "file too large") || strings.Contains(text, "is the disk full?")
	killed := p.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGUSR1
	if time.Now().After(late) || !full && !killed && (err != nil || !strings.Contains(text, "summary: ")) {
		b.t.Errorf("with a full disk worker %d ends with %v:\n%s", n, err, text)
	}
}

// leave has a worker leave. One that has just started may not have joined yet.
func (b *band) leave(n int) {
	b.t.Helper()
	p := b.run[n]
	fatal.If(b.t, p.Process.Signal(syscall.SIGTERM))
	err := p.Wait()
	b.ended = append(b.ended, p)
	delete(b.run, n)
	if text := p.out.String(); err != nil || !strings.Contains(text, "finished ") &&
		!strings.Contains(text, "stopped before it had joined") {
		b.t.Errorf("worker %d leaves with %v:\n%s", n, err, text)
	}
}

// clockKey is the environment variable that says by how many seconds the clock of a process is
// ahead. Only the program of apartProgram obeys it.
const clockKey = "ROBOTS_TEST_CLOCK"

// apart is a file of package time.
const apart = `package time

import "syscall"

var apart = func() (seconds int64) {
	text, _ := syscall.Getenv("` + clockKey + `")
	sign := int64(1)
	for _, c := range []byte(text) {
		if c == '-' {
			sign = -1
		} else {
			seconds = seconds*10 + int64(c-'0')
		}
	}
	return sign * seconds
}()
`

// apartProgram returns the program of these tests, with a time.Now that obeys clockKey. Linux gives
// no process a wall clock of its own, so the program is compiled with another package time, which
// takes minutes once.
func apartProgram(t *testing.T) string {
	t.Helper()
	const now = "\tsec, nsec, mono := runtimeNow()\n"
	root, err := exec.Command("go", "env", "GOROOT").Output()
	fatal.If(t, err)
	folder := filepath.Join(strings.TrimSpace(string(root)), "src", "time")
	text, err := os.ReadFile(filepath.Join(folder, "time.go"))
	fatal.If(t, err)
	if strings.Count(string(text), now) != 1 {
		t.Fatal("time.Now of this version of Go has another form: see apartProgram")
	}
	dir := t.TempDir()
	replaced := make(map[string]string)
	for name, text := range map[string]string{
		"apart.go": apart, "time.go": strings.Replace(string(text), now, now+"\tsec += apart\n", 1),
	} {
		replaced[filepath.Join(folder, name)] = filepath.Join(dir, name)
		fatal.If(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	fatal.If(t, err)
	fatal.If(t, os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666))
	program := filepath.Join(dir, "crawl.test")
	out, err := exec.Command("go", "test", "-c", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program,
		".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// TestFleetFullDisk kills a worker and starts it again on a full disk, or fills the disk when the
// worker waits for its lease: it ends, and does not claim partitions whose logs it cannot take over.
func TestFleetFullDisk(t *testing.T) {
	corpus.Unraced(t)
	t.Parallel()
	web := startWild(t, testweb.Options{Hosts: 20, Pages: 2000, Token: "TestBot", Kinds: []string{"ordinary"},
		Texts: []string{"none"}, Seed: 7})
	ch := newTask(web, t.TempDir())
	ch.NATS, ch.Fleet, ch.Times, ch.Replicas, ch.Delay = natstest.Start(t), true, &fleetTimes, 1, 50*time.Millisecond
	p := ch.process(t)
	fatal.If(t, p.Start())
	asks(web, 50)
	p.Process.Kill()
	p.Wait()
	ch.Seeds = nil
	for _, later := range []bool{false, true} {
		ch.Limit = 1
		if later {
			ch.Limit = 0
		}
		p = ch.process(t)
		p.Stdout = &watcher{&p.out, "waiting for its lease", func() { p.Process.Signal(syscall.SIGUSR1) }}
		fatal.If(t, p.Start())
		if err := p.Wait(); err == nil || !strings.Contains(p.out.String(), "error: ") ||
			!strings.Contains(p.out.String(), "file too large") {
			t.Errorf("with a full disk, %v, the worker ends with %v:\n%s", later, err, &p.out)
		}
	}
}

// A watcher passes on what is written, and calls then when that has a text.
type watcher struct {
	io.Writer
	text string
	then func()
}

func (w *watcher) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(w.text)) {
		w.then()
	}
	return w.Writer.Write(b)
}
