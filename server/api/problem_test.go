package api_test

import (
	"testing"

	"github.com/robotsexclusion/robots/server/api"
)

// A problem may come from any server, and is shown on terminals.
func TestProblem(t *testing.T) {
	p := &api.Problem{Title: "no\x1b[31m", Status: 400, Detail: "\u202eb"}
	if got, want := p.Error(), `no\x1b[31m (400): \u202eb`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
