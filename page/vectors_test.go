package page_test

import (
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/page"
)

// TestVectors puts the package to its vectors, through the machine protocol
// that other programs would speak too.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	fatal.If(t, err)
	var file struct {
		Cases []struct {
			Name, Section, Why string
			Question, Answer   json.RawMessage
		}
	}
	fatal.If(t, json.Unmarshal(data, &file))
	if len(file.Cases) < 150 {
		t.Errorf("%d vectors, want 150 at least", len(file.Cases))
	}
	names := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := make(map[string]bool)
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			if seen[c.Name] || !names.MatchString(c.Name) || c.Section == "" || c.Why == "" {
				t.Errorf("a vector has a name of its own, a section, and says why")
			}
			seen[c.Name] = true
			got, _ := page.AppendAnswer(nil, c.Question, page.Restrictive)
			if !sameJSON(t, got, c.Answer) {
				t.Errorf("%s\n%s\n got %s\nwant %s", c.Why, c.Question, got, c.Answer)
			}
		})
	}
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	for _, v := range []struct {
		text  []byte
		value *any
	}{{a, &x}, {b, &y}} {
		if err := json.Unmarshal(v.text, v.value); err != nil {
			t.Fatalf("%s: %v", v.text, err)
		}
	}
	return reflect.DeepEqual(x, y)
}
