package merge_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/merge"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// TestClaims checks that a file is built only if all claims hold, and the JSON of both outcomes.
func TestClaims(t *testing.T) {
	fragments := []merge.Fragment{{Name: "site.txt", Text: []byte("User-agent: *\nDisallow: /a&b/\n")}}
	claims := func(text string) merge.Options {
		all, err := proof.ParseClaims(text)
		fatal.If(t, err)
		return merge.Options{Claims: all, Wishes: []merge.Wish{{Robots: "nobodyknows"}}}
	}
	jsonOf := func(v any) string {
		data, err := json.Marshal(v)
		fatal.If(t, err)
		return string(data)
	}

	file, err := merge.Join(fragments, claims("all may not fetch /a&b/x"))
	if err != nil || len(file.Proofs) != 1 || !file.Proofs[0].Holds {
		t.Fatalf("got %v, %v, want a file with a proof", file, err)
	}
	file.Text = "Disallow: /a"
	yes := true
	file.Current = &yes
	want := `{"built":true,"decided":true,"current":true,"text":"Disallow: /a","notes":["nobodyknows is not a known robot, but the file names it"],` +
		`"claims":[{"line":1,"text":"all may not fetch /a\u0026b/x","holds":true,"decided":true}]}`
	if got := jsonOf(file); got != want {
		t.Errorf("a file: got\n%s\nwant\n%s", got, want)
	}

	_, err = merge.Join(fragments, claims("all may not fetch /a&b/x\n* may fetch /a&b/\n"))
	wrong := (*merge.Error)(nil)
	if !errors.As(err, &wrong) || wrong.Undecided || len(wrong.Notes) != 1 || len(wrong.Proofs) != 2 {
		t.Fatalf("got %v, want an error with a note and two proofs", err)
	}
	if got, want := err.Error(),
		"line 2: * may fetch /a&b/: does not hold: *: /a&b/ is disallowed by line 8: Disallow: /a&b/"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	wrong.Proofs = wrong.Proofs[:1]
	want = `{"built":false,"decided":true,"notes":["nobodyknows is not a known robot, but the file names it"],` +
		`"claims":[{"line":1,"text":"all may not fetch /a\u0026b/x","holds":true,"decided":true}]}`
	if got := jsonOf(wrong); got != want {
		t.Errorf("an error: got\n%s\nwant\n%s", got, want)
	}

	// A proof that takes too many cases decides nothing, unless another claim is disproven.
	for _, test := range []struct {
		claims    string
		undecided bool
	}{
		{"* may not fetch /robots.txt\n", true},
		{"* may not fetch /robots.txt\n* may not fetch /x\n", false},
	} {
		o := claims(test.claims)
		o.Wishes, o.Limit = nil, 1
		if _, err := merge.Join(fragments, o); !errors.As(err, &wrong) || wrong.Undecided != test.undecided ||
			errors.Is(err, pathset.ErrUndecided) != test.undecided {
			t.Errorf("%q: got %v, want an error with Undecided %v", test.claims, err, test.undecided)
		}
	}
}
