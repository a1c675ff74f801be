package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// recipe returns the code after the line of doc/editors.md that starts with a text.
func recipe(t *testing.T, start string) string {
	t.Helper()
	data, err := os.ReadFile("../../doc/editors.md")
	fatal.If(t, err)
	found := regexp.MustCompile("(?s)\n" + regexp.QuoteMeta(start) + ".*?```\\w+\n(.*?)```").FindSubmatch(data)
	if found == nil {
		t.Fatalf("doc/editors.md has no recipe %q", start)
	}
	return string(found[1])
}

// runEditor runs an editor in a folder with these files and a robots.txt with mistakes, and returns
// what the editor prints. The folder is its home, and has the program robots, which is this test
// binary.
func runEditor(t *testing.T, files map[string]string, name string, args ...string) string {
	t.Helper()
	dir := t.TempDir()
	files["robots.txt"] = "User-agent: *\nDisalow: /x\nDisallow: /a\nDisallow: /a/b\n"
	for file, text := range files {
		file = filepath.Join(dir, filepath.FromSlash(file))
		fatal.If(t, os.MkdirAll(filepath.Dir(file), 0o777))
		fatal.If(t, os.WriteFile(file, []byte(text), 0o666))
	}
	exe, err := os.Executable()
	fatal.If(t, err)
	bin := filepath.Join(dir, "bin")
	fatal.If(t, os.Mkdir(bin, 0o777))
	if err := os.Symlink(exe, filepath.Join(bin, "robots")); err != nil {
		t.Skipf("the program robots cannot be linked: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_STATE_HOME="+dir,
		"XDG_CACHE_HOME="+dir,
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// askNeovim prints the diagnostics, the code lenses and a hover.
const askNeovim = `
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
for _, d in ipairs(vim.diagnostic.get(0)) do print(d.lnum .. ': ' .. d.message) end
local params = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 2, character = 0 } }
local function ask(method, p)
  for _, r in pairs(vim.lsp.buf_request_sync(0, method, p, 60000)) do return r.result end
end
print(ask('textDocument/hover', params).contents.value)
local lenses = {}
if vim.lsp.codelens.enable then -- from 0.12 on, which gives up codelens.refresh
  vim.lsp.codelens.enable(true)
  for _, l in ipairs(ask('textDocument/codeLens', { textDocument = params.textDocument })) do
    table.insert(lenses, ask('codeLens/resolve', l))
  end
else
  vim.lsp.codelens.refresh()
  vim.wait(60000, function() local l = vim.lsp.codelens.get(0); return #l > 1 and l[1].command and l[2].command end, 20)
  lenses = vim.lsp.codelens.get(0)
end
for _, l in ipairs(lenses) do print(l.range.start.line .. ': ' .. l.command.title) end
vim.cmd('qall!')
`

// TestNeovim follows the recipe of doc/editors.md for the version of Neovim that is installed.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("Neovim is not installed")
	}
	t.Parallel()
	version, err := exec.Command(nvim, "--version").Output()
	fatal.If(t, err)
	start := "From 0.11 on"
	switch old := regexp.MustCompile(`^NVIM v0\.(\d+)\.`).FindSubmatch(version); {
	case old == nil || len(old[1]) > 1 && string(old[1]) >= "11":
	case string(old[1]) == "7":
		start = "With 0.7"
	default:
		start = "From 0.8 on"
	}
	first, _, _ := strings.Cut(string(version), "\n")
	t.Logf("%s, recipe %q", first, start)
	files := map[string]string{"init.lua": recipe(t, start), "ask.lua": askNeovim}
	out := runEditor(t, files, nvim, "--headless", "-u", "init.lua", "robots.txt", "-c", "luafile ask.lua")
	for _, want := range []string{`1: "Disalow" is a misspelling`, "3: says nothing new: without it",
		"**Closes** all paths that start with `/a`.",
		" known robots", "3: says nothing new: line 3 closes these paths, too"} {
		if !strings.Contains(out, want) {
			t.Errorf("with the recipe %q Neovim does not print %q:\n%s", start, want, out)
		}
	}
}

// askEmacs prints the diagnostics.
const askEmacs = `
(package-initialize)
(load (expand-file-name "init.el" "~"))
(unless (fboundp 'eglot-ensure) (autoload 'eglot-ensure "eglot" nil t))
(find-file (expand-file-name "robots.txt" "~"))
(run-hooks 'post-command-hook)
(let ((turns 0))
  (while (and (< turns 1000) (not (and (featurep 'flymake) (flymake-diagnostics))))
    (setq turns (1+ turns))
    (accept-process-output nil 0.05)))
(dolist (d (flymake-diagnostics))
  (message "%d: %s" (line-number-at-pos (flymake-diagnostic-beg d)) (flymake-diagnostic-text d)))
(kill-emacs 0)
`

// TestEmacs follows the recipe of doc/editors.md for Emacs with Eglot.
func TestEmacs(t *testing.T) {
	emacs, err := exec.LookPath("emacs")
	if err != nil {
		t.Skip("Emacs is not installed")
	}
	if testing.Short() {
		t.Skip("Emacs takes seconds")
	}
	t.Parallel()
	if out, err := exec.Command(emacs, "--batch", "--eval",
		"(progn (package-initialize) (require 'eglot))").CombinedOutput(); err != nil {
		t.Skipf("Emacs has no Eglot: %s", out)
	}
	files := map[string]string{"init.el": recipe(t, "With Eglot"), "ask.el": askEmacs}
	out := runEditor(t, files, emacs, "--batch", "-l", "ask.el")
	for _, want := range []string{`2: robots [misspelt-field]: "Disalow" is a misspelling`,
		"4: robots [redundant-rule]: says nothing new"} {
		if !strings.Contains(out, want) {
			t.Errorf("Emacs does not print %q:\n%s", want, out)
		}
	}
}

// askHelix prints the screens of Helix with the list of diagnostics, a hover and the quick fixes.
// It presses keys and waits until the screen shows a text, for at most 30 seconds.
const askHelix = `
tmux() { command tmux -S "$HOME/tmux" -f /dev/null "$@"; }
trap 'tmux kill-server' EXIT
shows() {
	turns=0
	until tmux capture-pane -p | grep -q "$1"; do
		turns=$((turns + 1))
		[ $turns -lt 600 ] || break
		sleep 0.05
	done
	tmux capture-pane -p
}
tmux new-session -d -x 200 -y 40 hx robots.txt
shows '●'
tmux send-keys ' d'
shows redundant-rule
tmux send-keys Escape # and wait: a key after it would be taken for one with Alt
shows '2  Disalow: /x'
tmux send-keys ' k'
shows 'All robots'
tmux send-keys Escape
shows '2  Disalow: /x'
tmux send-keys ':2' Enter ' a'
shows 'write "Disallow"'
`

// TestHelix follows the recipe of doc/editors.md for Helix, on a terminal.
func TestHelix(t *testing.T) {
	for _, program := range []string{"hx", "tmux", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	t.Parallel()
	files := map[string]string{"helix/languages.toml": recipe(t, "In `languages.toml`"), "ask.sh": askHelix}
	out := runEditor(t, files, "sh", "ask.sh")
	for _, want := range []string{`misspelt-field *"Disalow" is a misspelling`, "redundant-rule *says nothing new",
		"All robots that no other group names", `[Ww]rite "Disallow"`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("Helix does not show %q:\n%s", want, out)
		}
	}
}
