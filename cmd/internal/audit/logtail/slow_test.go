package logtail

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestTail compares lines with those of GNU tail -F on logs that are rotated and truncated at
// random. A step waits for both, because tail loses what is written to the old file after a
// rotation.
func TestTail(t *testing.T) {
	program, err := exec.LookPath("tail")
	if err != nil {
		t.Skip("tail is not installed")
	}
	if out, _ := exec.Command(program, "--version").Output(); len(out) < 16 || string(out[:16]) != "tail (GNU coreut" {
		t.Skip("tail is not GNU's")
	}
	w := start(t, time.Hour, "log")
	w.write("log", "line 0\n")
	cmd := exec.Command(program, "-F", "-n", "+1", "-s", "0.01", "--max-unchanged-stats=1", w.path("log"))
	out, err := cmd.StdoutPipe()
	w.must(err)
	w.must(cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	theirs := bufio.NewScanner(out)
	random := rand.New(rand.NewPCG(14, 15))
	number, want := 0, []string{}
	expect := func() {
		t.Helper()
		number++
		text := fmt.Sprintf("line %d", len(want))
		if !theirs.Scan() || theirs.Text() != text {
			t.Fatalf("tail -F has %q, want %q", theirs.Text(), text)
		}
		want = append(want, fmt.Sprintf("log:%d %s", number, text))
	}
	expect()
	for range 60 {
		w.want(want...)
		rotated := true
		switch random.IntN(5) {
		case 0:
			w.rename("log", "log.1")
		case 1:
			w.must(os.Remove(w.path("log")))
		case 2:
			w.must(os.Truncate(w.path("log"), 0))
			time.Sleep(50 * time.Millisecond) // tail -F looks at sizes only
		default:
			rotated = false
		}
		if rotated {
			number = 0
		}
		for range 1 + random.IntN(3) {
			line := fmt.Sprintf("line %d\n", len(want))
			half := random.IntN(len(line))
			w.write("log", line[:half])
			w.write("log", line[half:])
			expect()
		}
	}
	w.want(want...)
}
