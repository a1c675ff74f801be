package main

import (
	"flag"
	"os/exec"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/scripttest"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// TestMain gives the program the name robots, as robots does when it runs robotsd.
func TestMain(m *testing.M) { scripttest.Main(m, "robots", main) }

// robotsProcess returns the program as a separate process.
func robotsProcess(t *testing.T, args ...string) *exec.Cmd {
	return scripttest.Process(t, "robots", args...)
}

func TestHelp(t *testing.T)    { scripttest.Help(t, newRoot()) }
func TestManuals(t *testing.T) { scripttest.Manuals(t, "robots", newRoot()) }

// TestScripts runs the program as a shell would. The additional command is exits STATUS PROGRAM
// [ARGUMENT…]: exec with a check of the exit status.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": scripttest.Exits},
		Setup:               scripttest.ExpandFiles,
	})
}
