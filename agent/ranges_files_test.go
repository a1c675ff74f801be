package agent_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRangeFiles checks that a folder may have a document by the last part of its URL, unless
// another URL of the table has the same.
func TestRangeFiles(t *testing.T) {
	v := &agent.Verifier{Folder: t.TempDir()}
	recipe := agent.Named("GPTBot").Recipe()
	asks(t, v, "198.18.5.1", recipe, agent.Unverifiable)
	fatal.If(t, os.WriteFile(filepath.Join(v.Folder, "gptbot.json"),
		[]byte(`{"prefixes": [{"ipv4Prefix": "198.18.5.0/24"}]}`), 0o666))
	v = &agent.Verifier{Folder: v.Folder}
	asks(t, v, "198.18.5.1", recipe, agent.Verified)
	asks(t, v, "198.18.6.1", recipe, agent.Forged)
	other := agent.Recipe{Ranges: []string{"https://example.com/gptbot.json", "https://example.com/..",
		"https://example.com/"}}
	asks(t, v, "198.18.5.1", other, agent.Unverifiable)
}
