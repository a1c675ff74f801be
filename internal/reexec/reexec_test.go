package reexec_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/reexec"
)

func TestMain(m *testing.M) {
	if said := os.Getenv("AGAIN_TEST_SAY"); said != "" {
		fmt.Print(said)
		return
	}
	os.Exit(m.Run())
}

func TestCommand(t *testing.T) {
	out, err := reexec.Command(t, "AGAIN_TEST_SAY=it is told").Output()
	if err != nil || string(out) != "it is told" {
		t.Errorf("got %q, %v", out, err)
	}
}
