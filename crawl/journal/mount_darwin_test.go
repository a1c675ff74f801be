package journal_test

import (
	"errors"
	"os/exec"
	"testing"
)

// isolate is for systems where a process can have mounts of its own.
func isolate(t *testing.T, cmd *exec.Cmd) { t.Skip("no mounts of a process's own") }

func mountSmall(string) error { return errors.ErrUnsupported }
