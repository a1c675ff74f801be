package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestPreCommit runs the hooks of the tutorial in a repository with fragments, by the real
// pre-commit. The hooks come from a repository with the files of this one that pre-commit reads,
// where the program is this test binary. With ROBOTS_HOOKS_ALL they come from a clone of this
// repository, without what is not committed, and the first hook compiles the program.
func TestPreCommit(t *testing.T) {
	for _, name := range []string{"pre-commit", "git", "bash"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	if testing.Short() {
		t.Skip("pre-commit takes seconds")
	}
	t.Parallel()
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	site := filepath.Join(dir, "site")
	run := func(folder, name string, args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = folder
		for _, v := range os.Environ() { // of a hook that may run this test
			if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "PRE_COMMIT") {
				cmd.Env = append(cmd.Env, v)
			}
		}
		cmd.Env = append(cmd.Env, "PRE_COMMIT_HOME="+home, "LC_ALL=C", "LANGUAGE=",
			"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
			"GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(folder, name string, args ...string) string {
		t.Helper()
		out, err := run(folder, name, args...)
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return out
	}
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		fatal.If(t, os.MkdirAll(filepath.Dir(name), 0o777))
		fatal.If(t, os.WriteFile(name, []byte(text), mode))
	}
	read := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(name)
		fatal.If(t, err)
		return string(data)
	}

	hooks := filepath.Join(dir, "hooks")
	if os.Getenv("ROBOTS_HOOKS_ALL") != "" {
		root, err := filepath.Abs("../..")
		fatal.If(t, err)
		must(dir, "git", "clone", "-q", root, hooks)
	} else {
		write(filepath.Join(hooks, ".pre-commit-hooks.yaml"), read("../../.pre-commit-hooks.yaml"), 0o666)
		write(filepath.Join(hooks, "integrations", "action", "hook.sh"), read("../../integrations/action/hook.sh"),
			0o777)
		exe, err := os.Executable()
		fatal.If(t, err)
		fatal.If(t, os.Mkdir(filepath.Join(hooks, ".hook"), 0o777))
		if err := os.Symlink(exe, filepath.Join(hooks, ".hook", "robots")); err != nil {
			t.Skip(err)
		}
		must(hooks, "git", "init", "-q")
		must(hooks, "git", "add", "-A")
		must(hooks, "git", "commit", "-q", "-m", "hooks")
	}

	_, config, _ := strings.Cut(read("../../doc/tutorial.md"), "```yaml\nrepos:\n")
	config, _, _ = strings.Cut(config, "```\n")
	config = strings.Replace(config, "https://github.com/robotsexclusion/robots\n", hooks+"\n", 1)
	config = strings.Replace(config, "rev: main\n", "rev: "+must(hooks, "git", "rev-parse", "HEAD"), 1)
	if !strings.Contains(config, hooks) || strings.Contains(config, "main") ||
		!strings.Contains(config, "args: [--block") {
		t.Fatalf("the tutorial has another configuration:\n%s", config)
	}
	config += "  - id: robots-prove\n    args: [--claims, robots.claims]\n    files: ^robots\\.txt$\n"
	write(filepath.Join(site, ".pre-commit-config.yaml"), "repos:\n"+config, 0o666)
	const mistake = "User-agent: *\nDisalow: /admin/\n"
	write(filepath.Join(site, "robots.claims"), "all may not fetch /admin/\n", 0o666)
	write(filepath.Join(site, "robots.d", "10-site.txt"), mistake, 0o666)
	write(filepath.Join(site, "robots.d", "20-shop.txt"), "User-agent: *\nDisallow:/c\n", 0o666)
	write(filepath.Join(site, "robots.d", "notes.md"), mistake, 0o666)
	write(filepath.Join(site, "notes.txt"), mistake, 0o666)
	write(filepath.Join(site, "public", "robots.txt"), mistake, 0o666)
	write(filepath.Join(site, "--profile=none.robots.txt"), mistake, 0o666) // no option
	write(filepath.Join(site, "a $(b).robots.txt"), mistake, 0o666)         // no command
	// These files only say that they were built: from a fragment that is not there, and from one
	// that makes another file.
	const head = "# Built by 'robots build', from:\n#   robots.d/"
	write(filepath.Join(site, "forged-robots.txt"), head+"30-none.txt\n"+mistake, 0o666)
	write(filepath.Join(site, "lying-robots.txt"), head+"20-shop.txt\n# Change these, and build it again.\n\n"+
		mistake, 0o666)
	// And this one was built, from a fragment that no hook checks.
	write(filepath.Join(site, "parts", "10.txt"), mistake, 0o666)
	cmd := robotsProcess(t, "build", "parts/10.txt", "-o", "parts-robots.txt")
	cmd.Dir = site
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	build := func() {
		t.Helper()
		cmd := robotsProcess(t, "build", "--block", "ai-train=/excerpts/", "--allow", "ai-search", "robots.d", "-o",
			"robots.txt")
		cmd.Dir = site
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	build()
	built := read(filepath.Join(site, "robots.txt"))
	must(site, "git", "init", "-q")
	must(site, "git", "add", "-A")

	// Each mistake is found once, where it is; the hook fmt changes the fragment, and so the file
	// is not what would be built. The claim fails, because the misspelling closes nothing.
	out, err := run(site, "pre-commit", "run", "--all-files")
	if err == nil {
		t.Errorf("pre-commit finds nothing:\n%s", out)
	}
	var found []string
	for _, m := range regexp.MustCompile(`(?m)^(.*):\d+:\d+: error: "Disalow"`).FindAllStringSubmatch(out, -1) {
		found = append(found, m[1])
	}
	want := "./--profile=none.robots.txt, a $(b).robots.txt, forged-robots.txt, lying-robots.txt, parts-robots.txt, " +
		"public/robots.txt, robots.d/10-site.txt"
	if got := strings.Join(slices.Sorted(slices.Values(found)), ", "); got != want {
		t.Errorf("mistakes are found in %s, want %s:\n%s", got, want, out)
	}
	for _, sign := range []string{"fails  line 1  all may not fetch /admin/", "files were modified by this hook"} {
		if !strings.Contains(out, sign) {
			t.Errorf("pre-commit does not print %q:\n%s", sign, out)
		}
	}
	if got := read(filepath.Join(site, "robots.d", "20-shop.txt")); got != "User-agent: *\nDisallow: /c\n" {
		t.Errorf("the hook fmt leaves %q", got)
	}
	if got := read(filepath.Join(site, "robots.txt")); got != built {
		t.Errorf("a hook changes the file that is built:\n%s", got)
	}

	// The same with the mistakes mended: the file must be built again, and then all hooks pass.
	for _, name := range []string{"robots.d/10-site.txt", "public/robots.txt", "--profile=none.robots.txt",
		"a $(b).robots.txt", "forged-robots.txt", "lying-robots.txt", "parts-robots.txt"} {
		name = filepath.Join(site, filepath.FromSlash(name))
		write(name, strings.Replace(read(name), "Disalow", "Disallow", 1), 0o666)
	}
	must(site, "git", "add", "-A")
	if out, err := run(site, "pre-commit", "run", "--all-files"); err == nil ||
		!strings.Contains(out, "robots.txt is not what the fragments make: build it again") {
		t.Errorf("an old robots.txt passes (%v):\n%s", err, out)
	}
	build()
	must(site, "git", "add", "-A")
	if out, err := run(site, "pre-commit", "run", "--all-files"); err != nil || strings.Count(out, "Passed") != 4 {
		t.Errorf("not all hooks pass (%v):\n%s", err, out)
	}
}
