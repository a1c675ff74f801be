package cli

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// others has the verbs of robots that are in other programs, with the folder of the program in the
// repository. A separate program keeps its dependencies away from the users of the others, who
// would have to download and compile them.
var others = map[string]struct{ program, short string }{
	"crawl":   {"crawler/cmd/robots-crawl", "visit pages and what they link to, politely"},
	"search":  {"crawler/cmd/robots-crawl", "search the pages that were indexed, or index files"},
	"monitor": {"robotsd", "watch live sites, and report changes by their meaning"},
	"guard":   {"robotsd", "enforce a site's own robots.txt, as a proxy before the site"},
	"serve":   {"robotsd", "answer questions about robots.txt over HTTP"},
}

// Short returns the short description of a verb that is in another program, for the help of both
// programs.
func Short(verb string) string {
	if others[verb].short == "" {
		panic("no program has the verb " + verb) // a mistake in the program that asks
	}
	return others[verb].short
}

// Name returns the name of a program in its help: robots if that program runs it, and otherwise its
// own.
func Name(own string) string {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "robots" {
		return "robots"
	}
	return own
}

// Other returns a verb of robots that runs the program that has the verb with the same command
// line, as git runs its own. The program reads flags, prints help, and completes words; its exit
// status is that of the verb.
func Other(verb string) *cobra.Command {
	program := others[verb].program
	run := func(cmd *cobra.Command, args ...string) error {
		file, err := findProgram(program, programFolders())
		if err != nil {
			return fmt.Errorf("%s is a verb of %w", verb, err)
		}
		if err := execute(file, append([]string{cmd.Root().Name()}, args...)); err != nil {
			return fmt.Errorf("cannot run %s: %w", file, userfile.Cause(err))
		}
		return nil
	}
	return &cobra.Command{
		Use:                verb,
		Short:              Short(verb),
		DisableFlagParsing: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return run(cmd, append([]string{verb}, args...)...)
		},
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			run(cmd, os.Args[1:]...) // the program answers the shell; one that is not installed has no completions
			return nil, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// programFolders returns where other programs may be: beside this program, and in PATH.
func programFolders() (folders []string) {
	if exe, err := os.Executable(); err == nil {
		if exe, err = filepath.EvalSymlinks(exe); err == nil {
			folders = append(folders, filepath.Dir(exe))
		}
	}
	return append(folders, filepath.SplitList(os.Getenv("PATH"))...)
}

// findProgram returns the path of a program of this repository, which is named by its folder there,
// in the first folder that has it. It skips folders that depend on the current one, where a
// stranger may have put a file.
func findProgram(program string, folders []string) (file string, err error) {
	name := path.Base(program)
	file = name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue
		}
		file := filepath.Join(folder, file)
		info, err := os.Stat(file)
		if err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return file, nil
		}
	}
	release := "latest"
	if v, ok := ReadVersion(); ok && strings.HasPrefix(v.Version, "v") && !strings.ContainsAny(v.Version, "-+") {
		release = v.Version // of this program: all are released together
	}
	return "", fmt.Errorf("the program %s, which is neither beside this program nor in PATH: install it with "+
		"go install github.com/robotsexclusion/robots/%s@%s", name, program, release)
}

// runChild runs a program as a child process, on systems that cannot replace a process, and exits
// with its status. Signals are passed on: on Windows the console tells both processes, and this one
// only must not end first.
func runChild(path string, args []string) error {
	child := exec.Command(path)
	child.Args = args
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if err := child.Start(); err != nil {
		return err
	}
	go func() {
		for s := range signals {
			child.Process.Signal(s) // an error where the system has no signals
		}
	}()
	err := child.Wait()
	if status := child.ProcessState.ExitCode(); status >= 0 {
		os.Exit(status)
	}
	return err // ended by a signal
}
