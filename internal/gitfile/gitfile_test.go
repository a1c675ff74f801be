package gitfile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A repo is a git repository in a temporary folder.
type repo struct {
	t      *testing.T
	folder string
}

// newRepo makes a repository, or skips the test if git is missing.
func newRepo(t *testing.T, args ...string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &repo{t, t.TempDir()}
	r.git(append([]string{"init", "-q", "-b", "main", "--template="}, args...)...)
	return r
}

// git runs git in the repository, without the user's configuration.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	return r.gitAt(0, args...)
}

// gitAt runs git at a time, in hours after the start of 2026.
func (r *repo) gitAt(hour int, args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.folder
	date := at(hour).Format(time.RFC3339)
	cmd.Env = append(environment(os.Environ(), 1<<40), "GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=advice.graftFileDeprecated", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_KEY_1=maintenance.auto", "GIT_CONFIG_VALUE_1=false", // else each commit starts two more processes
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.com",
		"GIT_AUTHOR_DATE=2001-01-01T00:00:00Z", "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// at returns the time some hours after the start of 2026.
func at(hour int) time.Time { return time.Date(2026, 1, 1, hour, 0, 0, 0, time.UTC) }

// write writes a file of the working tree. An empty text removes the file.
func (r *repo) write(name, text string) {
	r.t.Helper()
	name = filepath.Join(r.folder, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(name), 0o777)
	if err == nil {
		os.RemoveAll(name)
		if text != "" {
			err = os.WriteFile(name, []byte(text), 0o666)
		}
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// config sets a key of the configuration, as "git config" does, without a process.
func (r *repo) config(key, value string) {
	r.t.Helper()
	name := filepath.Join(r.folder, ".git", "config")
	text, err := os.ReadFile(name)
	if err == nil {
		parts := strings.SplitN(key, ".", 2)
		section, last := fmt.Sprintf("[%s]", parts[0]), parts[1]
		if i := strings.LastIndex(last, "."); i >= 0 {
			section, last = fmt.Sprintf("[%s %q]", parts[0], last[:i]), last[i+1:]
		}
		err = os.WriteFile(name, fmt.Appendf(text, "%s\n\t%s = %q\n", section, last, value), 0o666)
	}
	if err != nil {
		r.t.Fatal(err)
	}
}

// commit commits a file at a time.
func (r *repo) commit(hour int, name, text string) {
	r.t.Helper()
	r.write(name, text)
	r.commitAll(hour)
}

// commitAll commits the working tree at a time.
func (r *repo) commitAll(hour int) {
	r.t.Helper()
	r.git("add", "-A")
	r.gitAt(hour, "commit", "-q", "--allow-empty", "-m", "x")
}

// read returns the history of a file in the form "HOUR=TEXT …", with "-" for no file, and "?" for
// what is not a file.
func (r *repo) read(name string) string {
	r.t.Helper()
	h, err := Reader{}.Read(r.t.Context(), r.folder, name)
	if err != nil {
		r.t.Fatal(err)
	}
	return r.show(h)
}

func (r *repo) show(h *History) string {
	var words, commits []string
	find := []string{"rev-parse"}
	for _, v := range h.Versions {
		words = append(words, fmt.Sprintf("%d=%s", int(v.Time.Sub(at(0)).Hours()), [...]string{"-", string(v.Text),
			"?"}[v.Kind]))
		commits = append(commits, v.Commit)
		find = append(find, v.Commit+"^{commit}")
	}
	if got := strings.Fields(r.git(find...)); !slices.Equal(got, commits) {
		r.t.Errorf("commits %q are %q", commits, got)
	}
	if h.Cut {
		words = append(words, "cut")
	}
	if h.Early > 0 {
		words = append(words, fmt.Sprintf("early %d", h.Early))
	}
	return strings.Join(words, " ")
}

// TestRead reads histories of every shape.
func TestRead(t *testing.T) {
	const file = "public/robots.txt"
	for _, test := range []struct {
		name string
		make func(r *repo)
		want string
	}{
		{"one commit", func(r *repo) { r.commit(1, file, "a") }, "1=a"},
		{"other files first", func(r *repo) { r.commit(1, "x", "x"); r.commit(2, file, "a") }, "1=- 2=a"},
		{"changes and other commits", func(r *repo) {
			r.commit(1, file, "a")
			r.commit(2, "x", "x")
			r.commit(3, file, "b")
			r.commit(4, file, "a")
		}, "1=a 3=b 4=a"},
		{"deleted, and made again", func(r *repo) {
			r.commit(1, file, "a")
			r.commit(2, file, "")
			r.commit(3, file,
				"a")
		}, "1=a 2=- 3=a"},
		{"renames are not followed", func(r *repo) {
			r.commit(1, "old/robots.txt", strings.Repeat("Disallow: /x\n", 20))
			r.git("mv", "old", "public")
			r.commitAll(2)
			r.commit(3, file, "b")
		}, "1=- 2=" + strings.Repeat("Disallow: /x\n", 20) + " 3=b"},
		{"its mode alone", func(r *repo) {
			r.commit(1, file, "a")
			r.git("update-index", "--chmod=+x", file)
			r.gitAt(2, "commit", "-q", "-m", "x")
			r.commit(3, "x", "x")
		}, "1=a"},
		{"times that run backwards", func(r *repo) {
			r.commit(5, "x", "x")
			r.commit(2, file, "a")
			r.commit(3, "x", "y")
			r.commit(6, file, "b")
			r.commit(1, file, "c")
			r.commit(7, file, "d")
		}, "5=a 6=c 7=d early 3"},
		{"back to the same at one time", func(r *repo) {
			r.commit(1, file, "a")
			r.commit(2, file, "b")
			r.commit(2,
				file, "a")
		}, "1=a"},
		{"a merge counts at its own time", func(r *repo) {
			r.commit(1, file, "a")
			r.git("checkout", "-q", "-b", "side")
			r.commit(2, file, "b")
			r.commit(3, file, "c")
			r.git("checkout", "-q", "main")
			r.commit(4, "x", "x")
			r.gitAt(6, "merge", "-q", "--no-ff", "-m", "x", "side")
			r.commit(7, "x", "y")
		}, "1=a 6=c"},
		{"a merge that keeps the file", func(r *repo) {
			r.commit(1, file, "a")
			r.git("checkout", "-q", "-b", "side")
			r.commit(2, file, "b")
			r.git("checkout", "-q", "main")
			r.gitAt(6, "merge", "-q", "--no-ff", "-s", "ours", "-m", "x", "side")
		}, "1=a"},
		{"a line that merges the branch of the file", func(r *repo) {
			r.commit(1, "x", "x")
			r.git("checkout", "-q", "--orphan", "other")
			r.git("rm", "-rfq", ".")
			r.commit(2, file, "a")
			r.git("checkout", "-q", "main")
			r.gitAt(3, "merge", "-q", "--no-ff", "--allow-unrelated-histories", "-m", "x", "other")
		}, "1=- 3=a"},
		{"a folder, a file, a link", func(r *repo) {
			r.commit(1, file+"/x", "x")
			r.commit(2, file, "a")
			r.write(file, "")
			if err := os.Symlink("other", filepath.Join(r.folder, file)); err != nil {
				r.t.Skip(err)
			}
			r.commitAll(3)
		}, "1=? 2=a 3=?"},
		{"a folder that is a file, then a link", func(r *repo) {
			r.commit(1, "public", "x")
			r.commit(2, "public", "")
			r.commit(3, file, "a")
			os.RemoveAll(filepath.Join(r.folder, "public"))
			if err := os.Symlink("other", filepath.Join(r.folder, "public")); err != nil {
				r.t.Skip(err)
			}
			r.commitAll(4)
		}, "1=- 3=a 4=?"},
		{"an empty file, and one of zeros", func(r *repo) {
			if err := os.MkdirAll(filepath.Join(r.folder, "public"), 0o777); err != nil {
				r.t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(r.folder, file), nil, 0o666); err != nil {
				r.t.Fatal(err)
			}
			r.commitAll(1)
			r.commit(2, file, "\x00\n\x00")
		}, "1= 2=\x00\n\x00"},
		{"neighbours", func(r *repo) {
			r.commit(1, "public/robots.txt.bak", "x")
			r.commit(2, "public/robots", "x")
			r.commit(3, "robots.txt", "x")
			r.commit(4, file, "a")
		}, "1=- 4=a"},
		{"HEAD is a branch, and not main", func(r *repo) {
			r.commit(1, file, "a")
			r.git("checkout", "-q", "-b", "live")
			r.commit(2, file, "b")
			r.git("checkout", "-q", "main")
			r.commit(3, file, "c")
			r.git("checkout", "-q", "live")
		}, "1=a 2=b"},
		{"what is not committed", func(r *repo) { r.commit(1, file, "a"); r.write(file, "b"); r.git("add", "-A") },
			"1=a"},
		{"a commit that is replaced", func(r *repo) {
			r.commit(1, file, "a")
			r.commit(2, file, "b")
			r.git("replace", "HEAD", "HEAD~1")
			r.write(".git/info/grafts", r.git("--no-replace-objects", "rev-parse", "HEAD")+"\n")
		}, "1=a 2=b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := newRepo(t)
			test.make(r)
			if got := r.read(file); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// TestReadElsewhere reads bare repositories, other working trees, and repositories of SHA-256.
func TestReadElsewhere(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		r := newRepo(t, "--object-format="+format)
		r.commit(1, "robots.txt", "a")
		r.commit(2, "robots.txt", "b")
		r.git("clone", "-q", "--bare", ".", "bare.git")
		r.git("worktree", "add", "-q", "--detach", "tree", "HEAD~1")
		r.git("gc", "-q")
		for folder, want := range map[string]string{".": "1=a 2=b", ".git": "1=a 2=b", "bare.git": "1=a 2=b",
			"tree": "1=a"} {
			h, err := Reader{}.Read(t.Context(), filepath.Join(r.folder, folder), "robots.txt")
			if err != nil {
				t.Errorf("%s, %s: %v", format, folder, err)
			} else if got := r.show(h); got != want {
				t.Errorf("%s, %s: got %s, want %s", format, folder, got, want)
			}
		}
	}
}

// TestReadShallow reads clones that lack the first commits, or old texts.
func TestReadShallow(t *testing.T) {
	r := newRepo(t)
	r.commit(1, "x", "x")
	r.commit(2, "robots.txt", "a")
	r.commit(3, "x", "y")
	r.commit(4, "robots.txt", "b")
	r.config("uploadpack.allowFilter", "true")
	for _, test := range []struct{ option, want string }{
		{"--depth=1", "4=b cut"},
		{"--depth=2", "3=a 4=b cut"},
		{"--depth=3", "2=a 4=b cut"},
		{"--depth=4", "1=- 2=a 4=b"},
		{"--depth=9", "1=- 2=a 4=b"},
	} {
		clone := &repo{t, t.TempDir()}
		clone.git("clone", "-q", test.option, "file://"+filepath.ToSlash(r.folder), ".")
		if got := clone.read("robots.txt"); got != test.want {
			t.Errorf("%s: got %s, want %s", test.option, got, test.want)
		}
	}
	clone := &repo{t, t.TempDir()}
	clone.git("clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+filepath.ToSlash(r.folder), ".")
	if _, err := (Reader{}).Read(t.Context(), clone.folder, "robots.txt"); err == nil ||
		!strings.Contains(err.Error(), "partial clone") {
		t.Errorf("a partial clone: got %v", err)
	}
}

// TestReadErrors checks that errors say what is wrong.
func TestReadErrors(t *testing.T) {
	r := newRepo(t)
	empty := newRepo(t)
	r.commit(1, "public/robots.txt", "a")
	r.commit(2, "link", "x")
	plain := t.TempDir()
	for _, test := range []struct{ folder, path, want string }{
		{r.folder, "robots.txt", "no commit of HEAD"},
		{r.folder, "public", "no commit of HEAD"},
		{r.folder, "Public/robots.txt", "no commit of HEAD"},
		{r.folder, "*/robots.txt", "no commit of HEAD"},
		{r.folder, ":(glob)**/robots.txt", "no commit of HEAD"},
		{r.folder, "-n1", "no commit of HEAD"},
		{r.folder, "--output=x", "no commit of HEAD"},
		{r.folder, "", "the path is empty"},
		{r.folder, "/public/robots.txt", "from the root"},
		{r.folder, "./public/robots.txt", "from the root"},
		{r.folder, "public//robots.txt", "from the root"},
		{r.folder, "public/", "from the root"},
		{r.folder, "../robots.txt", "from the root"},
		{r.folder, "a\nb", "line break"},
		{r.folder, "a\x00b", "null byte"},
		{empty.folder, "robots.txt", "no commits"},
		{plain, "robots.txt", "is not a git repository"},
		{filepath.Join(r.folder, "public"), "robots.txt", "name the root of the repository"},
		{filepath.Join(r.folder, "missing\x1b"), "robots.txt", `missing\x1b: no such file`},
		{filepath.Join(r.folder, "public", "robots.txt"), "robots.txt", "is not a folder"},
	} {
		if runtime.GOOS == "windows" && strings.Contains(test.folder, "missing") {
			continue
		}
		h, err := Reader{}.Read(t.Context(), test.folder, test.path)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %q: got %v, %v, want %s", test.folder, test.path, h, err, test.want)
		}
	}
	if files, err := filepath.Glob(filepath.Join(r.folder, "x*")); err != nil || files != nil {
		t.Errorf("git wrote %v, %v", files, err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	over := errors.New("over")
	cancel(over)
	if _, err := (Reader{}).Read(ctx, r.folder, "public/robots.txt"); !errors.Is(err, over) &&
		!errors.Is(err, context.Canceled) {
		t.Errorf("after the end: got %v", err)
	}
	t.Setenv("PATH", plain)
	if _, err := (Reader{}).Read(t.Context(), r.folder, "public/robots.txt"); err == nil ||
		!strings.Contains(err.Error(), "not installed") {
		t.Errorf("without git: got %v", err)
	}
}

// TestReadNames reads files with names that git, a shell or a terminal might understand.
func TestReadNames(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files of Windows have no such names")
	}
	r := newRepo(t)
	names := []string{"-n1", "--all", "a b/robots.txt", `a"b`, `a\b`, "a:b", ":a", "[a]", "a*", "\x1b[31m",
		"ü/robots.txt", "a\tb", "^main", "a\rb", "{a}", "@"}
	r.commit(1, "line\nbreak", "x")
	for _, name := range names {
		r.write(name, "of "+name)
	}
	r.commitAll(2)
	for _, name := range names {
		if got, want := r.read(name), "1=- 2=of "+name; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestReadHostile reads a repository whose configuration, hooks and attributes name a program: the
// program does not run, also if objects are missing.
func TestReadHostile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a shell script")
	}
	r := newRepo(t)
	r.commit(1, "robots.txt", "a")
	r.commit(2, "robots.txt", "b")
	mark := filepath.Join(t.TempDir(), "ran")
	program := filepath.Join(r.folder, "program")
	r.write("program", "#!/bin/sh\necho \"$@\" >>'"+mark+"'\nexit 1\n")
	fatal.If(t, os.Chmod(program, 0o777))
	for _, hook := range []string{"post-index-change", "pre-auto-gc", "reference-transaction", "post-checkout"} {
		r.write(".git/hooks/"+hook, "#!/bin/sh\n"+program+" "+hook+"\n")
		fatal.If(t, os.Chmod(filepath.Join(r.folder, ".git/hooks", hook), 0o777))
	}
	r.write(".git/info/attributes", "* diff=evil filter=evil\n")
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.rev-list", "core.editor", "core.sshCommand", "core.askPass",
		"core.gitProxy", "core.alternateRefsCommand",
		"diff.external", "diff.evil.textconv", "diff.evil.command", "filter.evil.smudge", "filter.evil.clean",
		"filter.evil.process",
		"gpg.program", "credential.helper", "uploadpack.packObjectsHook", "remote.origin.uploadpack",
		"remote.origin.receivepack", "core.commentString",
	} {
		r.config(key, program)
	}
	for key, value := range map[string]string{
		"alias.rev-list": "!" + program, "alias.cat-file": "!" + program, "alias.rev-parse": "!" +
			program, "log.showSignature": "true", "core.hooksPath": filepath.Join(r.folder, ".git/hooks"),
		"remote.origin.promisor": "true", "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
		"protocol.allow": "always", "protocol.ext.allow": "always", "extensions.partialClone": "origin",
		"core.repositoryFormatVersion": "1",
	} {
		r.config(key, value)
	}
	if got := r.read("robots.txt"); got != "1=a 2=b" {
		t.Errorf("got %s", got)
	}
	// Without the first text, git would ask the remote for it.
	object := r.git("rev-parse", "HEAD~1:robots.txt")
	name := filepath.Join(r.folder, ".git/objects", object[:2], object[2:])
	fatal.If(t, os.Remove(name))
	for _, url := range []string{"ext::" + program + " %S", r.folder, "ssh://example.invalid/x",
		"git://example.invalid/x", "https://example.invalid/x", "evil::x"} {
		r.config("remote.origin.url", url)
		if h, err := (Reader{}).Read(t.Context(), r.folder, "robots.txt"); err == nil {
			t.Errorf("%s: got %s without an object", url, r.show(h))
		}
		if data, err := os.ReadFile(mark); err == nil {
			t.Fatalf("%s: the program ran: %s", url, data)
		}
	}
	// The test is worth something only if git runs the program otherwise.
	r.config("remote.origin.url", "ext::"+program+" %S")
	cmd := exec.Command("git", "cat-file", "-p", object)
	cmd.Dir = r.folder
	cmd.Run()
	if _, err := os.Stat(mark); err != nil {
		t.Errorf("git without our settings does not run the program: %v", err)
	}
}

// TestReadOthers checks that git refuses a repository of another user.
func TestReadOthers(t *testing.T) {
	r := newRepo(t)
	r.commit(1, "robots.txt", "a")
	for _, name := range []string{".", ".git"} {
		if err := os.Chown(filepath.Join(r.folder, name), 12345, 12345); err != nil {
			t.Skip("only the superuser can give a repository to another user")
		}
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	if _, err := (Reader{}).Read(t.Context(), r.folder, "robots.txt"); err == nil ||
		!strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("got %v", err)
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "safe.directory")
	t.Setenv("GIT_CONFIG_VALUE_0", "*")
	if _, err := (Reader{}).Read(t.Context(), r.folder, "robots.txt"); err != nil {
		t.Errorf("with safe.directory: got %v", err)
	}
}

// TestReadEnvironment checks that variables of git, such as those of a hook, do not name another
// repository.
func TestReadEnvironment(t *testing.T) {
	r, other := newRepo(t), newRepo(t)
	r.commit(1, "robots.txt", "a")
	other.commit(2, "robots.txt", "b")
	trace := filepath.Join(t.TempDir(), "trace")
	t.Setenv("GIT_DIR", filepath.Join(other.folder, ".git"))
	t.Setenv("GIT_WORK_TREE", other.folder)
	t.Setenv("GIT_TRACE", trace)
	t.Setenv("GIT_OBJECT_DIRECTORY", filepath.Join(other.folder, ".git/objects"))
	t.Setenv("GIT_GLOB_PATHSPECS", "1")
	if got := r.read("robots.txt"); got != "1=a" {
		t.Errorf("got %s, want 1=a", got)
	}
	if _, err := os.Stat(trace); err == nil {
		t.Error("git wrote a trace")
	}
}

// fastImport adds commits to the repository.
func (r *repo) fastImport(stream *bytes.Buffer) {
	r.t.Helper()
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Stdin = r.folder, stream
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git fast-import: %v\n%s", err, out)
	}
}

// TestReadFuture reads commits that are dated after the year 9999, and before 1970.
func TestReadFuture(t *testing.T) {
	r := newRepo(t)
	var stream bytes.Buffer
	for i, date := range []string{"0", "1", "99999999999999", "9223372036854775807", "1767225600"} {
		fmt.Fprintf(&stream,
			"commit refs/heads/main\ncommitter A <a@example.com> %s +0000\ndata 1\nx\nM 100644 inline robots.txt\ndata 1\n%d\n\n", date, i)
	}
	r.fastImport(&stream)
	h, err := Reader{}.Read(t.Context(), r.folder, "robots.txt")
	fatal.If(t, err)
	if got, want := shown(h), fmt.Sprintf("0=0 1=1 %d=4 early 1", int64(maxTime)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, v := range h.Versions {
		if _, err := v.Time.AddDate(1, 0, 1).MarshalJSON(); err != nil {
			t.Error(err)
		}
	}
}

// TestReadLimits checks that large objects and long histories are errors, and that git does not
// unpack the objects first.
func TestReadLimits(t *testing.T) {
	r := newRepo(t)
	r.commit(1, "robots.txt", "a")
	r.commit(2, "robots.txt", strings.Repeat("large\n", 1<<20))
	r.commit(3, "robots.txt", strings.Repeat("large\n", 1<<20)+"b")
	r.commit(4, "robots.txt", "c")
	limit := func(reader Reader, path, want string) {
		t.Helper()
		h, err := reader.Read(t.Context(), r.folder, path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%+v, %s: got %v, %v, want %s", reader, path, h, err, want)
		}
	}
	limit(Reader{}, "robots.txt", "")
	limit(Reader{MaxText: 5 << 20}, "robots.txt", "more than 5 MiB")
	limit(Reader{MaxTotal: 12 << 20}, "robots.txt", "more than 12 MiB together")
	limit(Reader{MaxVersions: 4}, "robots.txt", "")
	limit(Reader{MaxVersions: 3}, "robots.txt", "more than 3 versions")
	limit(Reader{Timeout: 1}, "robots.txt", "git took longer")

	// A delta of a few bytes, whose base is large.
	r.git("repack", "-q", "-a", "-d", "-f", "--depth=9", "--window=9")
	r.git("rm", "-q", "robots.txt")
	r.git("-c", "core.bigFileThreshold=1g", "gc", "-q")
	limit(Reader{MaxText: 2 << 20}, "robots.txt", "more than 2 MiB")

	var large bytes.Buffer
	fmt.Fprintf(&large, "commit refs/heads/large\ncommitter A <a@example.com> 1767225600 +0000\ndata %d\n%s\n", 4<<20,
		bytes.Repeat([]byte{'x'}, 4<<20))
	large.WriteString("M 100644 inline robots.txt\ndata 1\na\n\n")
	r.fastImport(&large)
	r.git("checkout", "-q", "-f", "large")
	limit(Reader{}, "robots.txt", "")
	limit(Reader{MaxText: 1 << 20}, "robots.txt", "git failed")
}

// TestReadLong reads a file that each of many commits changes, and another one that two of them do.
func TestReadLong(t *testing.T) {
	n := corpus.Cases(600, 30_000)
	r := newRepo(t)
	var stream bytes.Buffer
	for i := range n {
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 1\nx\n",
			1767225600+60*i)
		text := fmt.Sprint(i % 500)
		fmt.Fprintf(&stream, "M 100644 inline log\ndata %d\n%s\n", len(text), text)
		if i == 10 || i == n/2 {
			fmt.Fprintf(&stream, "M 100644 inline a/robots.txt\ndata %d\n%s\n", len(text), text)
		}
		stream.WriteByte('\n')
	}
	r.fastImport(&stream)
	h, err := Reader{}.Read(t.Context(), r.folder, "a/robots.txt")
	if err != nil || len(h.Versions) != 3 {
		t.Fatalf("got %v, %v", h, err)
	}
	if got := []string{string(h.Versions[1].Text), string(h.Versions[2].Text)}; !slices.Equal(got,
		[]string{"10", fmt.Sprint(n / 2 % 500)}) || h.Versions[2].Time != at(0).Add(time.Duration(n/2)*time.Minute) {
		t.Errorf("got %q at %v", got, h.Versions[2].Time)
	}
	if h, err = (Reader{}).Read(t.Context(), r.folder, "log"); err != nil || len(h.Versions) != n {
		t.Fatalf("got %d versions, %v, want %d", len(h.Versions), err, n)
	}
}
