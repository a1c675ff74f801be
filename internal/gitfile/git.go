package gitfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// git runs the git program in a repository.
type git struct {
	ctx     context.Context
	program string
	folder  string
	environ []string
}

// open finds the git program, and checks that a folder is the root of a repository.
func open(ctx context.Context, folder string, maxObject int64) (*git, error) {
	info, err := os.Stat(folder)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", printable.Text(folder), userfile.Cause(err))
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("%s is not a folder: name the root of a git repository", printable.Text(folder))
	}
	program, err := exec.LookPath("git")
	if err != nil {
		return nil,
			fmt.Errorf("the git program is not installed, or not in PATH: install it, or save the versions as files: %w", err)
	}
	g := &git{ctx, program, folder, environment(os.Environ(), maxObject)}
	prefix, err := g.output("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	if prefix != "" {
		return nil,
			fmt.Errorf("%s is a folder in a git repository: name the root of the repository, and the path from there",
				printable.Text(folder))
	}
	return g, nil
}

// head returns the name of the commit at HEAD.
func (g *git) head() (string, error) {
	name, err := g.output("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
	if err == nil && name == "" || errors.As(err, new(*exec.ExitError)) {
		return "",
			fmt.Errorf("the git repository in %s has no commits on HEAD: commit robots.txt, or name another repository",
				printable.Text(g.folder))
	}
	return name, err
}

// settings are options of git before its command. They outrank the configuration of the repository.
//
// None of the commands that this package runs uses hooks, a pager, or a monitor of the file system.
// The settings make sure that no version of git does.
var settings = []string{
	"--no-pager", "--no-replace-objects", "--literal-pathspecs", "--no-optional-locks",
	"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
	"-c", "protocol.allow=never", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c",
	"advice.graftFileDeprecated=false",
}

// environment returns an environment for git: without variables that name another repository or
// write traces, and with limits.
func environment(environ []string, maxObject int64) []string {
	var kept []string
	for _, variable := range environ {
		name, _, _ := strings.Cut(strings.ToUpper(variable), "=")
		switch {
		case strings.HasPrefix(name, "GIT_") && !isConfig(name), name == "LANGUAGE", name == "LC_ALL":
		default:
			kept = append(kept, variable)
		}
	}
	return append(kept,
		"LC_ALL=C",
		// A partial clone lets git ask another repository for objects, with a program that the
		// configuration names. No protocol is called "none". Older versions of git ignore
		// GIT_NO_LAZY_FETCH.
		"GIT_ALLOW_PROTOCOL=none",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_TERMINAL_PROMPT=0",
		"GIT_GRAFT_FILE="+os.DevNull,
		// Git allocates no more at once. So small objects that unpack to gigabytes, also as the
		// base of another object, are an error.
		"GIT_ALLOC_LIMIT="+strconv.FormatInt(2*maxObject, 10),
	)
}

// isConfig reports whether a variable of the environment is the user's own configuration of git,
// such as safe.directory.
func isConfig(name string) bool {
	switch name {
	case "GIT_EXEC_PATH", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT":
		return true
	}
	return strings.HasPrefix(name, "GIT_CONFIG_KEY_") || strings.HasPrefix(name, "GIT_CONFIG_VALUE_")
}

// output returns the only line that a command writes.
func (g *git) output(args ...string) (string, error) {
	p, err := g.start(args...)
	if err != nil {
		return "", err
	}
	defer p.close()
	line, err := p.line()
	if err == io.EOF {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if _, err := p.line(); err != io.EOF {
		return "", err
	}
	return line, nil
}

// A process is a running command of git.
type process struct {
	git    *git
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr clip
	cancel context.CancelFunc
	stop   func() bool
	ended  bool
}

// start starts a command of git.
func (g *git) start(args ...string) (*process, error) {
	ctx, cancel := context.WithCancel(g.ctx)
	cmd := exec.CommandContext(ctx, g.program, append(settings[:len(settings):len(settings)], args...)...)
	cmd.Dir, cmd.Env = g.folder, g.environ
	cmd.WaitDelay = 5 * time.Second
	p := &process{git: g, cmd: cmd, cancel: cancel}
	cmd.Stderr = &p.stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		var out io.ReadCloser
		if out, err = cmd.StdoutPipe(); err == nil {
			p.in, p.out = in, bufio.NewReaderSize(out, 64<<10)
			p.stop = context.AfterFunc(ctx, func() { out.Close() })
			err = cmd.Start()
		}
	}
	if err != nil {
		cancel()
		return nil, g.ended(fmt.Errorf("cannot run git: %w", err))
	}
	return p, nil
}

// line reads a line of the output, without its end. The error is io.EOF if the command succeeded.
func (p *process) line() (string, error) {
	line, err := p.out.ReadSlice('\n')
	switch {
	case err == nil:
		return string(line[:len(line)-1]), nil
	case err == bufio.ErrBufferFull:
		return "", errors.New("git wrote a line of more than 64 KiB")
	case len(line) > 0 || err != io.EOF:
		return "", p.failed(io.ErrUnexpectedEOF)
	}
	return "", p.failed(io.EOF)
}

// failed ends the process after its output ended, and returns its error, or otherwise another one.
func (p *process) failed(otherwise error) error {
	if p.ended {
		return otherwise
	}
	p.ended = true
	p.in.Close()
	p.stop()
	err := p.cmd.Wait()
	defer p.cancel()
	if err == nil {
		return p.git.ended(otherwise)
	}
	return p.git.ended(p.git.explain(p.stderr.String(), err))
}

// ended returns the reason why the context ended, or otherwise another error.
func (g *git) ended(otherwise error) error {
	if cause := context.Cause(g.ctx); cause != nil {
		return fmt.Errorf("cannot read the git repository in %s: %w", printable.Text(g.folder), cause)
	}
	return otherwise
}

const refetch = "say git fetch --refetch --no-filter there, or name a whole clone"

// explain returns the error of a command of git that failed. It wraps the error of the process only
// if git gave no reason.
func (g *git) explain(stderr string, err error) error {
	folder := printable.Text(g.folder)
	switch {
	case strings.Contains(stderr, "not a git repository"):
		return fmt.Errorf("%s is not a git repository: name the root of one", folder)
	case strings.Contains(stderr, "dubious ownership"), strings.Contains(stderr, "unsafe repository"):
		return fmt.Errorf("the git repository in %s belongs to another user: if you trust it, say git config --global --add safe.directory with its full path", folder)
	case strings.Contains(stderr, "promisor remote"):
		return fmt.Errorf("the git repository in %s is a partial clone, and lacks versions of the file: %s", folder,
			refetch)
	case stderr == "":
		return fmt.Errorf("git failed in %s: %w", folder, err)
	}
	return fmt.Errorf("git failed in %s: %s", folder, printable.Clipped(strings.TrimSpace(stderr), 300))
}

// close ends the process, if it runs still.
func (p *process) close() {
	p.cancel()
	p.failed(nil)
}

// A clip keeps the first bytes written to it.
type clip struct{ strings.Builder }

// Write implements [io.Writer].
func (c *clip) Write(b []byte) (int, error) {
	c.Builder.Write(b[:min(len(b), 4096-c.Len())])
	return len(b), nil
}
