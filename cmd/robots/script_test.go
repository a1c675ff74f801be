package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/internal/test/scripttest"
	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata")

func TestMain(m *testing.M) { scripttest.Main(m, "robots", main) }

// robotsProcess returns the command as a separate process.
func robotsProcess(t *testing.T, args ...string) *exec.Cmd {
	return scripttest.Process(t, "robots", args...)
}

// TestScripts runs the command as a shell would, in folders with the files of
// examples; $ROOT is the folder of the repository. The sites of a script and the
// [strangers] run for as long as the script. A file "zone" has the zone of a DNS server whose
// address is in $DNS. A file x.env becomes the file x, with the values of such variables.
//
// Scripts have four additional commands:
//
//	exits STATUS PROGRAM [ARGUMENT…]
//
// is exec with a check of the exit status, and runs most verbs in this process (see exits),
//
//	input FILE
//
// is stdin for the next exits of such a verb,
//
//	steady FILE NEW
//
// writes a copy of a file, such as stdout, that is the same in each run: TIME replaces
// times, and variables replace the addresses of servers, and
//
//	times FILE
//
// sets the variables TIME1, TIME2 and so on to the times in a file, in order and
// without duplicates.
func TestScripts(t *testing.T) {
	corpus.Unraced(t) // the packages that start goroutines are raced themselves
	known := startStrangers(t)
	root, err := filepath.Abs("../..")
	fatal.If(t, err)
	examples, err := filepath.Glob(filepath.Join(root, "examples", "*.*.*"))
	if err != nil || len(examples) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join(root, "cmd", "robots", "testdata"), // exits leaves the current folder
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition: func(condition string) (bool, error) {
			if condition == "ipv6" {
				return scripttest.HasIPv6(), nil
			}
			return false, fmt.Errorf("unknown condition %q", condition)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "input": setInput,
			"observed": observed, "steady": steady, "times": times},
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			env.Setenv("GOGC", "400") // a thousand short processes need no collection at their start
			addresses := maps.Clone(known)
			for name, address := range known {
				env.Setenv(name, address)
			}
			if err := scripttest.StartSites(env, addresses); err != nil {
				return err
			}
			names := make(map[string]string)
			for name, address := range addresses {
				names[address] = "$" + name
			}
			env.Values[siteNames{}] = names
			env.Values[inputKey{}] = new(input)
			if err := scripttest.StartZone(env); err != nil {
				return err
			}
			if err := scripttest.ExpandFiles(env); err != nil {
				return err
			}
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

// inProcess are the verbs that exits runs in this process, which saves the start of a process, and
// environment the variables that they read.
var (
	inProcess = []string{"__complete", "agents", "allow", "audit", "block", "build", "completion", "conform", "diff",
		"export", "fetch", "fmt", "help", "lint", "match", "minimize", "page", "prove", "version"}
	environment = []string{"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "NO_COLOR", "CLICOLOR",
		"CLICOLOR_FORCE", "GOGC"}
)

// inScript is held while the process has the folder and the environment of a script.
var inScript sync.Mutex

// exits implements the script command exits. A verb that reads standard input has a process unless
// the script gives the text with the command input, because no command sees the text of stdin.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	in := ts.Value(inputKey{}).(*input)
	text := in.text
	reads := !in.set && (slices.Contains(args, "-") || slices.Contains(args, "--jsonl"))
	*in = input{}
	isSubject := len(args) > 2 && (args[2] == "-" || strings.ContainsAny(args[2], "./")) // of a report card
	if neg || reads || len(args) < 3 || args[1] != "robots" || !slices.Contains(inProcess, args[2]) && !isSubject {
		scripttest.Exits(ts, neg, args)
		return
	}
	inScript.Lock()
	defer inScript.Unlock()
	for _, name := range environment {
		defer os.Setenv(name, os.Getenv(name))
		os.Setenv(name, ts.Getenv(name))
	}
	here, err := os.Getwd()
	ts.Check(err)
	defer os.Chdir(here)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	cmd := newRoot()
	cmd.SetArgs(args[2:])
	cmd.SetIn(strings.NewReader(text))
	cmd.SetOut(ts.Stdout())
	cmd.SetErr(ts.Stderr())
	if got := cli.Run(cmd); fmt.Sprint(got) != args[0] {
		ts.Fatalf("the exit status is %d, want %s", got, args[0])
	}
}

// An input is the standard input of the next exits, if the script has set it, and inputKey the key
// of the script's.
type (
	input struct {
		text string
		set  bool
	}
	inputKey struct{}
)

// setInput implements the script command input.
func setInput(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: input FILE")
	}
	*ts.Value(inputKey{}).(*input) = input{ts.ReadFile(args[0]), true}
}

// siteNames is the key of the map from the addresses of a script's sites to their names.
type siteNames struct{}

// The patterns that steady replaces.
var (
	anyAddress = regexp.MustCompile(`http://(127\.0\.0\.1|\[::1\]):[0-9]+`)
	anyTime    = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`)
	anyAge     = regexp.MustCompile(`cached [0-9ms]+ ago`)
	anyAgeJSON = regexp.MustCompile(`"age":[0-9.e-]+`)
	anyColumn  = regexp.MustCompile(`(\S)   *`) // the width depends on addresses
)

// steady implements the script command steady.
func steady(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: steady FILE NEW")
	}
	names := ts.Value(siteNames{}).(map[string]string)
	text := anyAddress.ReplaceAllStringFunc(ts.ReadFile(args[0]), func(address string) string {
		if name := names[address]; name != "" {
			return name
		}
		return address
	})
	text = anyTime.ReplaceAllString(text, "TIME")
	text = anyAge.ReplaceAllString(text, "cached AGO")
	text = anyAgeJSON.ReplaceAllString(text, `"age":AGE`)
	text = anyColumn.ReplaceAllString(text, "$1  ")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}

// observed implements the script command observed: a folder of package fetch has seen a text at an
// origin at a time.
func observed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: observed DIR ORIGIN TIME FILE")
	}
	at, err := time.Parse(time.RFC3339, args[2])
	ts.Check(err)
	ts.Check(putHistory(ts.MkAbs(args[0]), args[1], at, ts.ReadFile(args[3])))
}

// putHistory keeps a text in the folder of robots fetch --cache, as if it had been fetched at a
// time.
func putHistory(folder, origin string, at time.Time, text string) error {
	sum := sha256.Sum256([]byte(text))
	url := origin + "/robots.txt"
	return fetch.Dir(folder).Put(context.Background(), &fetch.Entry{
		Origin: origin, State: fetch.OK, CheckedAt: at, URL: url, Status: 200,
		File: &fetch.File{FetchedAt: at, ConfirmedAt: at, URL: url, SHA256: hex.EncodeToString(sum[:]), Size: len(text),
			Policy: robots.Parse([]byte(text))},
	})
}

// times implements the script command times.
func times(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: times FILE")
	}
	seen := make(map[string]bool)
	for _, t := range anyTime.FindAllString(ts.ReadFile(args[0]), -1) {
		if !seen[t] {
			seen[t] = true
			ts.Setenv(fmt.Sprintf("TIME%d", len(seen)), t)
		}
	}
}
