package again_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/robotsexclusion/robots/internal/again"
)

func TestMain(m *testing.M) {
	if said := os.Getenv("AGAIN_TEST_SAY"); said != "" {
		fmt.Print(said)
		return
	}
	os.Exit(m.Run())
}

func TestCommand(t *testing.T) {
	out, err := again.Command(t, "AGAIN_TEST_SAY=it is told").Output()
	if err != nil || string(out) != "it is told" {
		t.Errorf("got %q, %v", out, err)
	}
}
