package gitfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	r.git(append([]string{"init", "-q", "-b", "main"}, args...)...)
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
	cmd.Env = append(environment(os.Environ(), 1<<40), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=advice.graftFileDeprecated", "GIT_CONFIG_VALUE_0=false",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ALLOW_PROTOCOL=file",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com",
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
	var words []string
	for _, v := range h.Versions {
		words = append(words, fmt.Sprintf("%d=%s", int(v.Time.Sub(at(0)).Hours()), [...]string{"-", string(v.Text), "?"}[v.Kind]))
		if got := r.git("rev-parse", "--verify", v.Commit+"^{commit}"); got != v.Commit {
			r.t.Errorf("commit %s is %s", v.Commit, got)
		}
	}
	if h.Cut {
		words = append(words, "cut")
	}
	if h.Early > 0 {
		words = append(words, fmt.Sprintf("early %d", h.Early))
	}
	return strings.Join(words, " ")
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
		for folder, want := range map[string]string{".": "1=a 2=b", ".git": "1=a 2=b", "bare.git": "1=a 2=b", "tree": "1=a"} {
			h, err := Reader{}.Read(t.Context(), filepath.Join(r.folder, folder), "robots.txt")
			if err != nil {
				t.Errorf("%s, %s: %v", format, folder, err)
			} else if got := r.show(h); got != want {
				t.Errorf("%s, %s: got %s, want %s", format, folder, got, want)
			}
		}
	}
}
