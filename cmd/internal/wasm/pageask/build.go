package pageask

import (
	"errors"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/merge"
)

// A buildQuestion asks for a robots.txt built from a fragment and wishes, and for proofs of claims
// about it.
type buildQuestion struct {
	Fragment string `json:"fragment"`
	Wishes   []wish `json:"wishes"`
	Claims   string `json:"claims"`
	Language string `json:"language"`
}

// A wish is a merge.Wish.
type wish struct {
	Robots string `json:"robots"`
	Allow  bool   `json:"allow"`
	Path   string `json:"path"`
}

// A buildAnswer is a file, or why there is none.
type buildAnswer struct {
	File  *merge.File  `json:"file,omitempty"`
	Error *merge.Error `json:"error,omitempty"`
}

// build answers page-build.
func build(_ *engine.Engine, q buildQuestion) (*buildAnswer, error) {
	if len(q.Fragment) > maxText || len(q.Wishes) > maxAgents {
		return nil, wrong(engine.TooLarge, "the fragment has %d bytes, and there are %d wishes: %d and %d are the most",
			len(q.Fragment), len(q.Wishes), maxText, maxAgents)
	}
	claims, err := proof.ParseClaims(q.Claims)
	if err != nil {
		return nil, wrong(engine.BadValue, "%v", err)
	}
	o := merge.Options{Claims: claims, Language: q.Language}
	for _, w := range q.Wishes {
		o.Wishes = append(o.Wishes, merge.Wish(w))
	}
	file, err := merge.Join([]merge.Fragment{{Name: "robots.txt", Text: []byte(q.Fragment)}}, o)
	if refused := (*merge.Error)(nil); errors.As(err, &refused) {
		return &buildAnswer{Error: refused}, nil
	}
	if err != nil {
		return nil, undecided(err)
	}
	file.Text = forReaders(q.Fragment, withoutHead(file.Text))
	return &buildAnswer{File: file}, nil
}

// withoutHead returns a built text without the comment at its head, which names the options of a
// command that readers of the page have not used.
func withoutHead(text string) string {
	if head, rest, ok := strings.Cut(text, "\n\n"); ok && strings.HasPrefix(head, "# Built by ") {
		return rest
	}
	return text
}

// forReaders returns a built text with the comments at the head of its fragment at its own head,
// and without the names of options in its comments. Each rule keeps the number of its line.
func forReaders(fragment, text string) string {
	lines := strings.Split(text, "\n")
	var head []string
	for line := range strings.Lines(fragment) {
		if line = strings.TrimRight(line, "\r\n"); strings.HasPrefix(line, "#") {
			head = append(head, line)
		} else if strings.TrimSpace(line) != "" {
			break
		}
	}
	agents := 0
	for agents < len(lines) && strings.HasPrefix(strings.ToLower(lines[agents]), "user-agent:") {
		agents++
	}
	if end := agents + len(head); end <= len(lines) && slices.Equal(lines[agents:end], head) {
		copy(lines, slices.Concat(head, slices.Clone(lines[:agents])))
	}
	for i, line := range lines {
		if names, ok := strings.CutPrefix(line, "# --block "); ok {
			lines[i] = "# closed to " + names
		} else if names, ok := strings.CutPrefix(line, "# --allow "); ok {
			lines[i] = "# open to " + names
		}
	}
	return strings.Join(lines, "\n")
}
