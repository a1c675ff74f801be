package gitfile

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A moment is the file at a commit of the first-parent line.
type moment struct {
	seconds int64
	text    string // "-" if there is no file
}

// slowHistory returns the history of a file in the form of [shown], from all commits of the
// first-parent line: each commit counts at the latest time so far, of commits at one time the last
// counts, and a version ends where another one begins.
func slowHistory(line []moment) string {
	var latest int64
	early := 0
	at := make([]moment, len(line))
	for i, m := range line {
		if m.seconds < latest {
			early++
		}
		latest = max(latest, m.seconds)
		at[i] = moment{latest, m.text}
	}
	var words []string
	before := ""
	for i, m := range at {
		lastOfItsTime := i == len(at)-1 || at[i+1].seconds > m.seconds
		if lastOfItsTime && m.text != before {
			// The version begins at its own second, which may be that of commits before it.
			words = append(words, fmt.Sprintf("%d=%s", m.seconds, m.text))
			before = m.text
		}
	}
	return fmt.Sprint(strings.Join(words, " "), " early ", early)
}

func shown(h *History) string {
	var words []string
	for _, v := range h.Versions {
		text := "-"
		if v.Kind == File {
			text = string(v.Text)
		}
		words = append(words, fmt.Sprintf("%d=%s", v.Time.Unix(), text))
	}
	return fmt.Sprint(strings.Join(words, " "), " early ", h.Early)
}

// TestReadRandom reads random histories with branches, merges, and clocks that are wrong.
func TestReadRandom(t *testing.T) {
	for seed := range uint64(corpus.Cases(3, 8)) {
		random := rand.New(rand.NewPCG(seed, 0))
		r := newRepo(t)
		stream := new(bytes.Buffer)
		commits := 0
		marks := make(map[string]int) // the last commit of each branch
		texts := []string{"-", "a", "b", "c"}
		now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		// commit writes a commit with a file, and with a change of another file. The file is that
		// of the first parent if its text is "".
		commit := func(branch string, text string, parents ...string) int64 {
			now += int64(random.IntN(5)) - 1
			seconds := now
			if random.IntN(6) == 0 {
				seconds += int64(random.IntN(41)) - 20
			}
			commits++
			fmt.Fprintf(stream, "commit refs/heads/%s\nmark :%d\ncommitter A <a@example.com> %d +0000\ndata 1\nx\n",
				branch, commits, seconds)
			for i, parent := range parents {
				fmt.Fprintf(stream, "%s :%d\n", [...]string{"from", "merge"}[i], marks[parent])
			}
			marks[branch] = commits
			switch text {
			case "":
			case "-":
				stream.WriteString("D public/robots.txt\n")
			default:
				fmt.Fprintf(stream, "M 100644 inline public/robots.txt\ndata 1\n%s\n", text)
			}
			other := fmt.Sprint(random.Uint64())
			fmt.Fprintf(stream, "M 100644 inline public/other\ndata %d\n%s\n\n", len(other), other)
			return seconds
		}
		var line []moment
		text := "-"
		add := func(seconds int64) { line = append(line, moment{seconds, text}) }
		add(commit("main", ""))
		for range 60 {
			next := ""
			if random.IntN(2) == 0 {
				next = texts[random.IntN(len(texts))]
			}
			if random.IntN(4) > 0 {
				if next != "" {
					text = next
				}
				add(commit("main", next, "main"))
				continue
			}
			// A branch changes the file, and is merged with the file of the branch or of the line.
			side := texts[random.IntN(len(texts))]
			commit("side", texts[random.IntN(len(texts))], "main")
			commit("side", side, "side")
			if random.IntN(2) == 0 {
				side = text
			}
			text = side
			add(commit("main", side, "main", "side"))
		}
		line = append(line, moment{now + 100, "a"})
		fmt.Fprintf(stream,
			"commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 1\nx\nfrom :%d\nM 100644 inline public/robots.txt\ndata 1\na\n\n", now+100, marks["main"])
		r.fastImport(stream)
		h, err := Reader{}.Read(t.Context(), r.folder, "public/robots.txt")
		fatal.If(t, err)
		if got, want := shown(h), slowHistory(line); got != want {
			t.Errorf("seed %d:\ngot  %s\nwant %s", seed, got, want)
		}
	}
}
