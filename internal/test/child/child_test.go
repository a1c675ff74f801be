package child_test

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/child"
)

func TestMain(m *testing.M) {
	child.Main(child.Tasks{"say": func(text string) { fmt.Print(text) }, "echo": echo})
	os.Exit(m.Run())
}

// echo repeats the lines of standard input, and ends without the end of its last line.
func echo(last string) {
	for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "end"; {
		fmt.Println(in.Text() + os.Getenv("CHILD_TEST_MORE"))
	}
	fmt.Print(last)
}

func TestCommand(t *testing.T) {
	out, err := child.Command("say", "a text with spaces").Output()
	if err != nil || string(out) != "a text with spaces" {
		t.Errorf("got %q, %v", out, err)
	}
	if err := child.Command("nothing", "").Run(); err == nil {
		t.Error("a task that does not exist ended well")
	}
}

func TestTest(t *testing.T) {
	if os.Getenv("CHILD_TEST_MORE") != "" {
		fmt.Println("it is the other process")
		return
	}
	out, err := child.Test(t.Name(), "CHILD_TEST_MORE=1").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "it is the other process\n--- PASS: TestTest") {
		t.Errorf("got %s, %v", out, err)
	}
}

func TestStart(t *testing.T) {
	c := child.Start(t, "echo", "cut off", "CHILD_TEST_MORE=!")
	for _, word := range []string{"one", "two"} {
		if c.Say(word); c.Line() != word+"!" {
			t.Errorf("it does not repeat %s", word)
		}
	}
	if now, most := child.Memory(c.Process.Pid); runtime.GOOS == "linux" && (now < 1<<20 || most < now) {
		t.Errorf("it has %d bytes, at most %d", now, most)
	}
	c.Say("three")
	c.Say("end")
	if got := slices.Collect(c.Lines()); !slices.Equal(got, []string{"three!"}) {
		t.Errorf("got %q", got)
	}
	c.Kill()
	if used := child.Peak(c.ProcessState); runtime.GOOS == "linux" && used < 1<<20 {
		t.Errorf("it had %d bytes", used)
	}
	if child.CPU() <= 0 {
		t.Error("this process has used no time")
	}
}

func TestKillAfter(t *testing.T) {
	c := child.Start(t, "echo", "")
	for range 3 {
		c.Say("line")
	}
	n := 0
	c.KillAfter(2, func(line string) { n++ })
	if n != 3 || c.ProcessState.Success() {
		t.Errorf("%d lines, %v", n, c.ProcessState)
	}
}
