package cli

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestInterruptible(t *testing.T) {
	cmd := new(cobra.Command)
	cmd.SetContext(t.Context())
	cmd.SetIn(strings.NewReader("text"))
	ctx, stop := Interruptible(cmd)
	if got, err := io.ReadAll(cmd.InOrStdin()); string(got) != "text" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	stop()
	if ctx.Err() == nil {
		t.Error("the context goes on after stop")
	}
}
