package house

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestPins checks that what strangers could change by a tag is named by its digest: the actions of
// workflows and of action.yml, and the images of containers. Dependabot raises them, by the
// version in the comment. It also checks that no job has rights that the workflow gives to all of
// its jobs, and that no token stays in a checkout.
func TestPins(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^ *(?:- )?uses: *(.*)$`)
	pinned := regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	image := regexp.MustCompile(`(?m)^(?:FROM|    (?:  )?image:) +(\S+)(?: AS (\w+))?(?: +#.*)?$`)
	digest := regexp.MustCompile(`^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$`)
	checkout := regexp.MustCompile(`(?m)^( *)- uses: actions/checkout@.*\n((?:\s+\S.*\n)*?)(?:\s*- |\s*\n|\z)`)
	found := 0
	for _, s := range house(t).files {
		text := string(s.text)
		workflow := path.Dir(s.path) == ".github/workflows"
		if workflow || s.path == "action.yml" || path.Dir(s.path) == "examples/github" {
			for _, m := range uses.FindAllStringSubmatchIndex(text, -1) {
				found++
				// The example is for users of this action, which has no release yet.
				if used := text[m[2]:m[3]]; !pinned.MatchString(used) && used != "robotsexclusion/robots@main" {
					t.Errorf("%s:%d: %s: name the full digest of the commit, and the version in a comment", s.path,
						lineAt(s.text, m[0]), used)
				}
			}
			for _, m := range checkout.FindAllStringSubmatchIndex(text, -1) {
				if !strings.Contains(text[m[4]:m[5]], "persist-credentials: false") {
					t.Errorf("%s:%d: the token stays in the checkout: say persist-credentials: false", s.path,
						lineAt(s.text, m[0]))
				}
			}
		}
		if workflow && !strings.Contains(text, "\npermissions: {}\n") &&
			!strings.Contains(text, "\npermissions:\n  contents: read\n\n") {
			t.Errorf("%s: all jobs may write: give each job its permissions", s.path)
		}
		if base := path.Base(s.path); workflow || strings.HasPrefix(base, "Dockerfile") || base == "compose.yaml" {
			stages := map[string]bool{"scratch": true}
			for _, m := range image.FindAllStringSubmatch(text, -1) {
				found++
				if !digest.MatchString(m[1]) && !stages[m[1]] {
					t.Errorf("%s: the image %s: name its tag and its digest", s.path, m[1])
				}
				stages[m[2]] = true
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d actions and images were found", found)
	}
}
