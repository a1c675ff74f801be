package cli

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// A Program is another program with some of the verbs, which a verb runs as git runs its own.
type Program struct {
	Name    string // of the file, such as robots-crawl
	Package string // which go install makes the program of
}

// Name returns the name that another program than robots has in its help: its own, or robots if
// that program runs it.
func Name(own string) string {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "robots" {
		return "robots"
	}
	return own
}

// Verb returns a verb that runs the program with the same command line. The program reads flags,
// prints help, and completes words; its exit status is that of the verb.
func (p Program) Verb(name, short string) *cobra.Command {
	return &cobra.Command{
		Use:                name,
		Short:              short,
		DisableFlagParsing: true,
		ValidArgsFunction:  p.complete,
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := p.find()
			if err != nil {
				return fmt.Errorf("%s is a verb of %w", name, err)
			}
			if err := execute(path, append([]string{cmd.Root().Name(), name}, args...)); err != nil {
				return fmt.Errorf("cannot run %s: %w", path, userfile.Cause(err))
			}
			return nil
		},
	}
}

// find returns the path of the program: beside this program, or in PATH. It skips the entries of
// PATH that depend on the current folder, where a stranger may have put a file.
func (p Program) find() (path string, err error) {
	var folders []string
	if exe, err := os.Executable(); err == nil {
		if exe, err = filepath.EvalSymlinks(exe); err == nil {
			folders = append(folders, filepath.Dir(exe))
		}
	}
	return p.findIn(append(folders, filepath.SplitList(os.Getenv("PATH"))...))
}

// findIn returns the path of the program in the first folder that has it.
func (p Program) findIn(folders []string) (path string, err error) {
	file := p.Name
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	for _, folder := range folders {
		if !filepath.IsAbs(folder) {
			continue
		}
		path := filepath.Join(folder, file)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return path, nil
		}
	}
	return "", fmt.Errorf("the program %s, which is neither beside this program nor in PATH: install it with go install %s@%s", p.Name, p.Package, releaseOr("latest"))
}

// releaseOr returns the version of this program if it is a release, so that another program can be
// of the same release, and else the given word.
func releaseOr(other string) string {
	if v, ok := ReadVersion(); ok && strings.HasPrefix(v.Version, "v") && !strings.ContainsAny(v.Version, "-+") {
		return v.Version
	}
	return other
}

// complete asks the program for completions. A program that is not installed has none.
func (p Program) complete(cmd *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
	path, err := p.find()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	asking := exec.CommandContext(cmd.Context(), path)
	asking.Args = append(append([]string{cmd.Root().Name(), cobra.ShellCompRequestCmd, cmd.Name()}, args...), start)
	out, err := asking.Output()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return completions(string(out))
}

// completions reads what cobra prints for a shell: a line for each completion, and at the end a
// colon and the directive.
func completions(out string) ([]string, cobra.ShellCompDirective) {
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	last := len(lines) - 1
	text, ok := strings.CutPrefix(lines[last], ":")
	directive, err := strconv.Atoi(text)
	if !ok || err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return lines[:last], cobra.ShellCompDirective(directive)
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
