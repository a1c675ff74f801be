// Package child runs the test program again as a child process, which a test talks to, limits or
// kills.
//
//	func TestMain(m *testing.M) {
//		child.Main(child.Tasks{"write": writeUntilKilled})
//		os.Exit(m.Run())
//	}
//
//	func TestKill(t *testing.T) {
//		c := child.Start(t, "write", t.TempDir())
//		c.KillAfter(20, func(line string) { … })
//	}
package child

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Tasks are the tasks of children, by name. A task gets one text, such as the name of a folder.
type Tasks map[string]func(text string)

// variable is the environment variable with the name of the task, a space, and the text of the
// task.
const variable = "ROBOTS_TEST_CHILD"

// Main does the task of a child and ends the process. In a process that is not a child it does
// nothing. A child ends when the tests end, even if they are killed.
func Main(tasks Tasks) {
	value, ok := os.LookupEnv(variable)
	if !ok {
		return
	}
	go func() {
		for parent := os.Getppid(); os.Getppid() == parent; time.Sleep(time.Second) {
		}
		os.Exit(1)
	}()
	name, text, _ := strings.Cut(value, " ")
	task := tasks[name]
	if task == nil {
		Check(fmt.Errorf("there is no task %q", name))
	}
	task(text)
	os.Exit(0)
}

// Check ends a child that has an error, with the status 1.
func Check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "the child:", err)
		os.Exit(1)
	}
}

// Command returns the command that runs this program as a child with a task. Its errors go to the
// standard error of the tests. The additional environment variables have the form "KEY=value".
func Command(task, text string, env ...string) *exec.Cmd {
	cmd := command(env)
	cmd.Env = append(cmd.Env, variable+"="+task+" "+text)
	cmd.Stderr = os.Stderr
	return cmd
}

// Test returns the command that runs one test in another process, with additional environment
// variables.
func Test(name string, env ...string) *exec.Cmd {
	return command(env, "-test.run=^"+strings.ReplaceAll(name, "/", "$/^")+"$", "-test.v")
}

func command(env []string, args ...string) *exec.Cmd {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}

// A Process is a running child. Tests read its output line by line.
type Process struct {
	*exec.Cmd
	t   testing.TB
	in  io.WriteCloser
	out *bufio.Reader
}

// Start starts a child with a task, and kills it when the test ends.
func Start(t testing.TB, task, text string, env ...string) *Process {
	t.Helper()
	cmd := Command(task, text, env...)
	p := &Process{Cmd: cmd, t: t}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.in, p.out = in, bufio.NewReader(out)
	t.Cleanup(p.Kill)
	return p
}

// Kill ends the process as kill -9 does, and waits for its end. A process that has ended is left as
// it is.
func (p *Process) Kill() {
	p.Process.Kill()
	p.Wait()
}

// Say writes a line to the standard input of the process.
func (p *Process) Say(line string) { fmt.Fprintln(p.in, line) }

// Line returns the next line of the process, and fails the test if the process ends before.
func (p *Process) Line() string {
	p.t.Helper()
	for line := range p.Lines() {
		return line
	}
	p.t.Fatal("the child ended before it said more")
	return ""
}

// Lines returns the lines of the process until it ends. A last line that was cut off is left out.
func (p *Process) Lines() iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			line, err := p.out.ReadString('\n')
			if err != nil || !yield(strings.TrimSuffix(line, "\n")) {
				return
			}
		}
	}
}

// KillAfter kills the process when it has written more than a number of lines. It calls a function
// for each line that the process wrote until its end, and fails the test if the process ended
// before it was killed.
func (p *Process) KillAfter(lines int, do func(line string)) {
	p.t.Helper()
	n := 0
	for line := range p.Lines() {
		do(line)
		if n == lines {
			p.Process.Kill()
		}
		n++
	}
	p.Kill()
	if n <= lines {
		p.t.Errorf("the child ended by itself after %d lines", n)
	}
}
