package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strconv"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestAskAll checks that results come in the order of the URLs, up to an error among them, whether
// servers are asked or not, and that Writer makes one JSON object of them.
func TestAskAll(t *testing.T) {
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /1\n"))
	fixed := New(Config{Fixed: policy})
	fetching := New(Config{Policy: func(_ context.Context, origin string) (Source, error) {
		return Source{Policy: policy, Origin: origin}, nil
	}})
	failure := errors.New("the list ends here")
	urls := func(yield func(string, error) bool) {
		for i := range 100 {
			if !yield("https://h"+strconv.Itoa(i%7)+".example/"+strconv.Itoa(i), nil) {
				return
			}
		}
		if yield("", failure) {
			t.Error("the sequence goes on after an error")
		}
	}
	about := Question{URL: "/ignored", Robots: subjects("ExampleBot", "OtherBot"),
		Dialects: []robots.Dialect{robots.RFC9309, robots.Google}}
	for name, q := range map[string]*Inquirer{"fixed": fixed, "fetching": fetching} {
		var object bytes.Buffer
		w := &Writer{W: &object, Dialects: about.Dialects}
		n := 0
		var ended error
		for results, err := range q.AskAll(t.Context(), urls, about) {
			if err != nil {
				ended = err
				continue
			}
			want := "https://h" + strconv.Itoa(n%7) + ".example/" + strconv.Itoa(n)
			if len(results) != 2 || results[0].URL != want || results[1].Robot.Name != "OtherBot" {
				t.Fatalf("%s: result %d is %v, want two of %s", name, n, results, want)
			}
			if closed := strconv.Itoa(n)[0] == '1'; results[0].Refused() != closed {
				t.Errorf("%s: %s: refused %v, want %v", name, want, results[0].Refused(), closed)
			}
			n++
			for _, r := range results {
				fatal.If(t, w.Add(r))
			}
		}
		if n != 100 || ended != failure {
			t.Errorf("%s: %d results, ended by %v, want 100 and %v", name, n, ended, failure)
		}
		fatal.If(t, w.End(map[string]int{"n": 1}, ended))
		var got struct {
			Dialects []string
			Results  []struct{ URL string }
			Records  map[string]int
			Error    string
		}
		if err := json.Unmarshal(object.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, object.Bytes())
		}
		if !slices.Equal(got.Dialects, []string{"rfc9309", "google"}) || len(got.Results) != 200 ||
			got.Results[199].URL != "https://h1.example/99" || got.Records["n"] != 1 || got.Error != failure.Error() {
			t.Errorf("%s: got %v", name, got)
		}
		if lines := bytes.Count(object.Bytes(), []byte("\n")); lines != 202 {
			t.Errorf("%s: %d lines, want one for each result", name, lines)
		}
	}
}

// TestAskAllCanceled checks that AskAll ends when its context is done or its caller stops.
func TestAskAllCanceled(t *testing.T) {
	endless := iter.Seq2[string, error](func(yield func(string, error) bool) {
		for yield("/x", nil) {
		}
	})
	q := New(Config{Fixed: robots.AllowAll()})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for range q.AskAll(ctx, endless, Question{}) {
		if n++; n == 3 {
			cancel()
		}
	}
	for range q.AskAll(t.Context(), endless, Question{}) {
		if n++; n == 6 {
			break
		}
	}
	if n != 6 {
		t.Errorf("%d results, want 6", n)
	}
}

// TestEmptyWriter checks the object without a result.
func TestEmptyWriter(t *testing.T) {
	var got bytes.Buffer
	w := &Writer{W: &got, File: "a\x1b.txt", Dialects: []robots.Dialect{robots.Google}}
	fatal.If(t, w.End(nil, nil))
	if want := `{"file": "a\u001b.txt", "dialect": "google", "results": []}` + "\n"; got.String() != want {
		t.Errorf("got %s, want %s", got.String(), want)
	}
}
