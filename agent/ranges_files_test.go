package agent_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestRangeFiles checks that a folder may have a document by the last part of its URL, unless two
// URLs of the table have the same.
func TestRangeFiles(t *testing.T) {
	for _, test := range []struct {
		source string
		want   []string
	}{
		{"https://openai.com/gptbot.json", []string{"https%3A%2F%2Fopenai.com%2Fgptbot.json", "gptbot.json"}},
		{"https://example.com/gptbot.json", []string{"https%3A%2F%2Fexample.com%2Fgptbot.json"}},
		{"https://example.com/nobody.txt?x=1", []string{"https%3A%2F%2Fexample.com%2Fnobody.txt%3Fx%3D1", "nobody.txt"}},
		{"https://example.com/", []string{"https%3A%2F%2Fexample.com%2F"}},
		{"https://example.com/..", []string{"https%3A%2F%2Fexample.com%2F.."}},
	} {
		if got := agent.RangeFiles(test.source); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.source, got, test.want)
		}
	}
	v := &agent.Verifier{Folder: t.TempDir()}
	recipe := agent.Named("GPTBot").Recipe()
	asks(t, v, "198.18.5.1", recipe, agent.Unverifiable)
	fatal.If(t, os.WriteFile(filepath.Join(v.Folder, "gptbot.json"), []byte(`{"prefixes": [{"ipv4Prefix": "198.18.5.0/24"}]}`),
		0o666))
	v = &agent.Verifier{Folder: v.Folder}
	asks(t, v, "198.18.5.1", recipe, agent.Verified)
	asks(t, v, "198.18.6.1", recipe, agent.Forged)
}
