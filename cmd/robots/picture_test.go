package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// pictured are the commands of the picture in the README. They run in examples.
var pictured = []string{"robots shop.robots.txt"}

// TestPicture compares doc/terminal.svg with what the commands print on a terminal. With -update it
// draws the picture anew.
func TestPicture(t *testing.T) {
	dir := t.TempDir()
	fatal.If(t, os.CopyFS(dir, os.DirFS("../../examples")))
	exe, err := os.Executable()
	fatal.If(t, err)
	var lines []string
	for _, command := range pictured {
		args := strings.Fields(strings.ReplaceAll(command, "'", ""))[1:]
		cmd := exec.Command(exe, append(args, "--color=always")...)
		cmd.Dir, cmd.Args[0] = dir, "robots"
		cmd.Env = append(os.Environ(), "LC_ALL=C", "NO_COLOR=")
		out, _ := cmd.CombinedOutput() // it exits with 1: there are findings
		lines = append(lines, "\x1b[1m$ "+command+"\x1b[0m")
		lines = append(lines, strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")...)
		lines = append(lines, "")
	}
	got := drawTerminal(lines[:len(lines)-1])
	const name = "../../doc/terminal.svg"
	want, err := os.ReadFile(name)
	if err == nil && string(want) == got {
		return
	}
	if !*update {
		t.Fatalf("%s is not what the commands print now: run the test with -update, and look at the picture (%v)", name,
			err)
	}
	fatal.If(t, os.WriteFile(name, []byte(got), 0o644))
}

// The picture has lines of pictureColumns characters; longer lines go on below.
const pictureColumns = 100

var sgr = regexp.MustCompile("\x1b\\[([0-9;]*)m")

// drawTerminal draws lines with the colours of a terminal as SVG.
func drawTerminal(lines []string) string {
	var rows strings.Builder
	count := 0
	for _, line := range lines {
		for _, part := range wrapped(line) {
			count++
			fmt.Fprintf(&rows, "<text x=\"20\" y=\"%d\">%s</text>\n", 44+20*count, spans(part))
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 %d" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#d6deeb">
<rect width="900" height="%[1]d" rx="10" fill="#16202e"/>
<circle cx="24" cy="22" r="6" fill="#e0645c"/><circle cx="44" cy="22" r="6" fill="#f2b134"/><circle cx="64" cy="22" r="6" fill="#5fbf77"/>
%s</svg>
`, 44+20*count+24, rows.String())
}

// wrapped cuts a line after pictureColumns characters; escapes take none.
func wrapped(line string) []string {
	var parts []string
	width, start := 0, 0
	for i := 0; i < len(line); {
		if m := sgr.FindStringIndex(line[i:]); m != nil && m[0] == 0 {
			i += m[1]
			continue
		}
		if width == pictureColumns {
			parts = append(parts, line[start:i])
			start, width = i, 0
		}
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
		width++
	}
	return append(parts, line[start:])
}

// spans returns the parts of a line in their colours.
func spans(line string) string {
	style := map[string]string{"1": ` font-weight="bold" fill="#ffffff"`, "31": ` fill="#ff7b72"`,
		"32": ` fill="#7ee787"`, "33": ` fill="#f2b134"`, "36": ` fill="#79c0ff"`}
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", " ", "\u00a0") // SVG joins other spaces
	var b strings.Builder
	now, from := "", 0
	for _, m := range append(sgr.FindAllStringSubmatchIndex(line, -1), []int{len(line), len(line), 0, 0}) {
		if text := line[from:m[0]]; text != "" {
			fmt.Fprintf(&b, "<tspan%s>%s</tspan>", style[now], escape.Replace(text))
		}
		now, from = line[m[2]:m[3]], m[1]
	}
	return b.String()
}
