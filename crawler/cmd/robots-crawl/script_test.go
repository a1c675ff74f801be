package main

import (
	"flag"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/scripttest"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

// TestMain gives the program the name robots, as robots does when it runs robots-crawl.
func TestMain(m *testing.M) { scripttest.Main(m, "robots", main) }

// TestScripts runs the program as a shell would. The sites of a script run for as long as the
// script. The additional command is exits STATUS PROGRAM [ARGUMENT…]: exec with a check of the
// exit status.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": scripttest.Exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOGC", "400") // many short processes need no collection at their start
			if err := scripttest.StartSites(env, make(map[string]string)); err != nil {
				return err
			}
			return scripttest.ExpandFiles(env)
		},
	})
}
