package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"robots": main})
}

// TestScripts runs the command as a shell would, in folders that hold the files
// of examples.
func TestScripts(t *testing.T) {
	examples, err := filepath.Glob("../../examples/*.robots.txt")
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			for _, name := range examples {
				data, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(env.WorkDir, filepath.Base(name)), data, 0o666); err != nil {
					return err
				}
			}
			return nil
		},
	})
}
