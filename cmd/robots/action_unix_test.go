//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// hostileNames are folders of a site, as anybody can name them in a pull request, the worst first.
var hostileNames = []string{
	"sité", "x\n::set-output name=changed::false\n::stop-commands::T\n::add-mask::a\n", "[lang]", "l", `q"x`,
	"a`b`` <img src=x>", "a,b:c%d", "-n", "public", "сайт", `q'x`, "*", "a b",
	" a ", `back\slash`, "$(touch pwned)",
	"<img src=x onerror=alert(1)>", "%0A::add-mask::x", "esc\x1b[2J", "tab\tx", "\xff\xfe", ":(glob)x", "{a,b}",
	"x\r::error::y", "deep/er",
}

// An actionRepository is a repository with a robots.txt in each of some folders, and the program.
type actionRepository struct {
	t       *testing.T
	dir     string
	program string
}

func newActionRepository(t *testing.T, folders ...string) *actionRepository {
	t.Helper()
	for _, name := range []string{"git", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	t.Parallel()
	a := &actionRepository{t: t, dir: t.TempDir(), program: filepath.Join(t.TempDir(), "robots")}
	exe, err := os.Executable()
	fatal.If(t, err)
	fatal.If(t, os.Symlink(exe, a.program))
	a.git("init", "-q")
	for _, folder := range folders {
		a.write(folder+"/robots.txt", "User-agent: *\nDisallow: /private\n")
	}
	a.git("add", ".")
	a.git("commit", "-q", "-m", "before")
	return a
}

func (a *actionRepository) write(name, text string) {
	a.t.Helper()
	name = filepath.Join(a.dir, name)
	fatal.If(a.t, os.MkdirAll(filepath.Dir(name), 0o777))
	fatal.If(a.t, os.WriteFile(name, []byte(text), 0o666))
}

// run runs a program in the repository.
func (a *actionRepository) run(env []string, name string, args ...string) (out string, status int) {
	cmd := exec.CommandContext(a.t.Context(), name, args...)
	cmd.Dir = a.dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + a.dir, "LC_ALL=C.UTF-8",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com"}, env...)
	text, _ := cmd.CombinedOutput()
	return string(text), cmd.ProcessState.ExitCode()
}

func (a *actionRepository) git(args ...string) string {
	a.t.Helper()
	out, status := a.run(nil, "git", args...)
	if status != 0 {
		a.t.Fatalf("git %q: %s", args, out)
	}
	return strings.TrimSpace(out)
}

// commands matches the workflow commands that the action may print, and those of "robots lint".
var commands = regexp.MustCompile(`^::(?:(?:error|warning|notice) (?:file=[^:,\n]+,)?(?:line=\d+,col=\d+,)?` +
	`title=[a-z -]+::.*|stop-commands::[0-9a-f]{32}|[0-9a-f]{32}::)$`)

// action runs the action with a step. It fails the test if a name or a text is read as a command,
// and returns the annotations of errors and warnings, the summary and the outputs.
func (a *actionRepository) action(want int, inputs ...string) (annotations, summary, outputs string) {
	a.t.Helper()
	script, err := filepath.Abs("../../integrations/action/run.sh")
	fatal.If(a.t, err)
	summaryFile, outputFile := filepath.Join(a.t.TempDir(), "summary"), filepath.Join(a.t.TempDir(), "output")
	out, status := a.run(append([]string{"ROBOTS=" + a.program, "GITHUB_STEP_SUMMARY=" + summaryFile,
		"GITHUB_OUTPUT=" + outputFile, "INPUT_FILES=**/robots.txt", "INPUT_LINT=false", "INPUT_DIFF=false"},
		inputs...), "bash", script)
	if status != want {
		a.t.Errorf("%q: exit status %d, want %d\n%s", inputs, status, want, out)
	}
	stopped := ""
	for line := range strings.SplitSeq(out, "\n") {
		switch token, stops := strings.CutPrefix(line, "::stop-commands::"); {
		case stopped != "":
			if line == "::"+stopped+"::" {
				stopped = ""
			}
		case strings.HasPrefix(strings.TrimLeft(line, " \t\r"), "::") && !commands.MatchString(line),
			strings.ContainsAny(line, "\x1b\r\t"):
			a.t.Errorf("%q: the action prints %q", inputs, line)
		case stops:
			stopped = token
		default:
			annotations += line + "\n"
		}
	}
	if stopped != "" {
		a.t.Errorf("%q: commands stay stopped", inputs)
	}
	text, _ := os.ReadFile(summaryFile)
	for line := range strings.SplitSeq(string(text), "\n") {
		if code := strings.Split(line, "`"); len(code)%2 == 0 || strings.ContainsAny(line, "\x1b\r\t") ||
			strings.Contains(code[0]+code[len(code)-1], "<img") || strings.HasPrefix(line, "::") {
			a.t.Errorf("%q: the summary has %q", inputs, line)
		}
	}
	output, _ := os.ReadFile(outputFile)
	return annotations, string(text), string(output)
}

// property returns a text as the value of a property of a workflow command.
func property(text string) string {
	text = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(text)
	return strings.NewReplacer("\x1b", "?", "\t", "?").Replace(text)
}

// fileOf returns the robots.txt of a folder as an annotation names it.
func fileOf(folder string) string {
	if strings.HasPrefix(folder, "-") {
		folder = "./" + folder // a name is not an option
	}
	return "file=" + property(folder+"/robots.txt") + ","
}

// TestActionHostileNames runs each step of the action over a repository whose folders have hostile
// names. None of them passes a gate, and none is read as a command of the workflow or as a part of
// the summary.
func TestActionHostileNames(t *testing.T) {
	hostileNames := hostileNames[:corpus.Cases(8, len(hostileNames))]
	a := newActionRepository(t, hostileNames...)
	for _, folder := range hostileNames {
		a.write(folder+"/robots.txt", "User-agent: *\nallow: /\nDisalow: /private\n")
	}
	a.write("claims", "* may not fetch /private\n")
	if annotations, _, _ := a.action(1, "INPUT_LINT=true"); strings.Count(annotations, "title=misspelt-field") !=
		len(hostileNames) {
		t.Errorf("lint: got %s", annotations)
	}
	if annotations, _, _ := a.action(1, "INPUT_FMT=true"); strings.Count(annotations, "title=robots fmt::") != 1 {
		t.Errorf("fmt: got %s", annotations)
	}
	annotations, _, _ := a.action(1, "INPUT_CLAIMS=claims")
	for _, folder := range hostileNames {
		if !strings.Contains(annotations, "::error "+fileOf(folder)+"title=robots prove::") {
			t.Errorf("prove: no annotation of %q in\n%s", folder, annotations)
		}
	}
	for _, change := range []string{"any", "opened"}[:corpus.Cases(1, 2)] {
		annotations, summary, outputs := a.action(1, "INPUT_DIFF=true", "INPUT_BASE=HEAD", "INPUT_FAIL_ON_DIFF="+change)
		for _, folder := range hostileNames {
			if !strings.Contains(annotations, "::error "+fileOf(folder)+"title=robots diff::paths were "+change) {
				t.Errorf("diff %s: no annotation of %q in\n%s", change, folder, annotations)
			}
		}
		if outputs != "changed=true\n" || strings.Count("\n"+summary, "\n## ") != len(hostileNames) {
			t.Errorf("diff %s: got %q, and the summary\n%s", change, outputs, summary)
		}
	}
	if _, err := os.Stat(filepath.Join(a.dir, "pwned")); err == nil {
		t.Error("a name was run as a command")
	}
}

// TestActionProject checks that lint reads the flags of a project, and that a change chooses no
// flags for the gate on differences.
func TestActionProject(t *testing.T) {
	a := newActionRepository(t, ".")
	a.write("robots.txt", "User-agent: *\nDisallow: /\nCrawl-delay: soon\n")
	a.action(1, "INPUT_LINT=true")
	a.write(".robots.ini", "[lint]\ndisable = site-closed, bad-record\n[diff]\nfail-on = opened\nagent = ExampleBot\n")
	a.action(0, "INPUT_LINT=true")
	a.write("robots.txt", "User-agent: *\nDisallow: /private\nVisit-time: soon\nHost: x\n")
	a.action(1, "INPUT_LINT=true", "INPUT_FAIL_ON=info")
	a.write("robots.txt", "User-agent: *\nDisallow: /private\nUser-agent: GPTBot\nDisallow: /\n")
	_, summary, _ := a.action(1, "INPUT_DIFF=true", "INPUT_BASE=HEAD", "INPUT_FAIL_ON_DIFF=closed")
	if !strings.Contains(summary, "GPTBot") {
		t.Errorf("the difference was asked for another robot: %s", summary)
	}
}

// TestActionBase checks that the text of the base is found where links and submodules are, that a
// file that is gone is a change, and that what git cannot read is an error and never an empty file.
func TestActionBase(t *testing.T) {
	corpus.Unraced(t)
	a := newActionRepository(t, "public", "other", "deep/er")
	link := func(target, name string) { fatal.If(t, os.Symlink(target, filepath.Join(a.dir, name))) }
	link("public", "linked")
	link("other/robots.txt", "link.txt")
	link("nothing", "dangling.txt")
	a.git("add", ".")
	a.git("commit", "-q", "-m", "links")
	inputs := func(files string, more ...string) []string {
		return append([]string{"INPUT_DIFF=true", "INPUT_BASE=HEAD", "INPUT_FAIL_ON_DIFF=opened",
			"INPUT_FILES=" + files}, more...)
	}
	const all = "**/robots.txt linked/robots.txt link.txt"
	a.action(0, inputs(all)...)
	// A pattern stands for files in folders with a dot, as it does at the base, and for none of
	// git's own.
	a.git("branch", "robots.txt")
	a.write("deep/er/.site/robots.txt", "User-agent: *\nDisallow: /\n")
	if _, summary, outputs := a.action(1, inputs("**/robots.txt", "INPUT_FAIL_ON_DIFF=closed")...); outputs !=
		"changed=true\n" || !strings.Contains(summary, "deep/er/.site/robots.txt") ||
		strings.Contains(summary, ".git/") {
		t.Errorf("a folder with a dot: got %q, %s", outputs, summary)
	}
	fatal.If(t, os.RemoveAll(filepath.Join(a.dir, "deep/er/.site")))
	for _, name := range []string{"linked/robots.txt", "link.txt"} {
		a.write(name, "User-agent: *\nAllow: /\n")
		a.action(1, inputs(name)...)
		a.action(1, inputs(filepath.Join(a.dir, name))...)
		a.git("checkout", "-q", ".")
	}
	// A new file asked nothing before, and neither did a link to nothing.
	a.write("new/robots.txt", "User-agent: *\nAllow: /\n")
	a.action(0, inputs("new/robots.txt")...)
	fatal.If(t, os.Remove(filepath.Join(a.dir, "dangling.txt")))
	a.write("dangling.txt", "User-agent: *\nDisallow: /\n")
	a.action(0, inputs("dangling.txt")...)
	a.action(1, inputs("dangling.txt", "INPUT_FAIL_ON_DIFF=closed")...)
	fatal.If(t, os.RemoveAll(filepath.Join(a.dir, "new")))

	// Files that are gone, or have another name now.
	fatal.If(t, os.Rename(filepath.Join(a.dir, "deep"), filepath.Join(a.dir, "other name")))
	a.git("add", "-A")
	if annotations, _, outputs := a.action(1, inputs("**/robots.txt")...); outputs != "changed=true\n" ||
		!strings.Contains(annotations, "::error file=deep/er/robots.txt,title=robots diff::paths were opened") {
		t.Errorf("a file that is gone: got %s, %q", annotations, outputs)
	}
	a.git("reset", "-q", "--hard")

	// A file of another repository has no base.
	outside := filepath.Join(t.TempDir(), "robots.txt")
	fatal.If(t, os.WriteFile(outside, []byte("User-agent: *\n"), 0o666))
	a.action(2, inputs(outside)...)
	if annotations, _, outputs := a.action(0, inputs(outside, "INPUT_FAIL_ON_DIFF=none")...); outputs !=
		"changed=unknown\n" || !strings.Contains(annotations, "title=robots diff::the file is not in this repository") {
		t.Errorf("a file of nowhere: got %s, %q", annotations, outputs)
	}
	a.git("init", "-q", "inner")
	a.write("inner/robots.txt", "User-agent: *\n")
	a.action(2, inputs("inner/robots.txt")...)
	fatal.If(t, os.RemoveAll(filepath.Join(a.dir, "inner")))

	// A commit that is not there, and objects that are not: a tree, and what a link leads to.
	const none = "INPUT_BASE=1111111111111111111111111111111111111111"
	a.action(2, inputs("public/robots.txt", none)...)
	a.action(0, inputs("public/robots.txt", none, "INPUT_FAIL_ON_DIFF=none")...)
	for _, name := range []string{"HEAD:public", "HEAD:public/robots.txt"} {
		id := a.git("rev-parse", name)
		object := filepath.Join(a.dir, ".git", "objects", id[:2], id[2:])
		text, err := os.ReadFile(object)
		fatal.If(t, err)
		fatal.If(t, os.Remove(object))
		for _, file := range []string{"linked/robots.txt", "public/robots.txt"}[:corpus.Cases(1, 2)] {
			if annotations, _, outputs := a.action(2, inputs(file)...); outputs != "changed=unknown\n" ||
				!strings.Contains(annotations, "title=robots diff::git cannot read the file in the commit") {
				t.Errorf("%s without %s: got %s, %q", file, name, annotations, outputs)
			}
		}
		fatal.If(t, os.WriteFile(object, text, 0o444))
	}
	// A submodule at the base, which is a folder now.
	a.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", fmt.Sprintf("file://%s", a.dir), "sub")
	a.git("commit", "-q", "-m", "submodule")
	fatal.If(t, os.RemoveAll(filepath.Join(a.dir, "sub")))
	a.write("sub/public/robots.txt", "User-agent: *\n")
	a.action(2, inputs("sub/public/robots.txt")...)
}
