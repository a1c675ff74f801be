package survey

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// reported returns the report of an origin, with the text or without a text.
func reported(origin, text string) *Report {
	r := fetch.Result{Policy: robots.Parse([]byte(text)), Source: fetch.Fetched}
	r.Origin, r.URL, r.State, r.Status = origin, origin+"/robots.txt", fetch.OK, 200
	r.File = &fetch.File{Size: len(text), HTML: strings.HasPrefix(text, "<html>"), Policy: r.Policy}
	if text == "" {
		r.Policy, r.File = robots.DisallowAll(), nil
		r.State, r.Status, r.Cause, r.UnreachableSince = fetch.Unreachable, 0, "no route to host", time.Now()
	}
	return NewReport(Answer{Origin: origin, Result: r}, nil)
}

// resultLine returns the line for a report in a results file.
func resultLine(t *testing.T, r *Report) string {
	line, err := json.Marshal(r)
	fatal.If(t, err)
	return string(line) + "\n"
}

// Complete lines of a results file count. A last line that was cut short is dropped. A file
// that is not a results file stays unchanged.
func TestOpenResults(t *testing.T) {
	one := resultLine(t, reported("https://one.example", "User-agent: *\nDisallow: /\n"))
	two := resultLine(t, &Report{Answer: Answer{Origin: "two x", Err: errors.New("wrong")}})
	for i, line := range []string{one, two} {
		if !startsResult([]byte(line)) {
			t.Errorf("line %d does not start as results do: %s", i, line)
		}
	}
	long := `{"origin":"https://long.example","state":"ok","more":"` + strings.Repeat("x", 100<<10) + "\"}\n"
	for _, test := range []struct {
		name, text string
		kept       string // the content afterwards; unchanged if there is an error
		before     int
		err        string // a part of the error
	}{
		{"empty", "", "", 0, ""},
		{"whole", one + two, one + two, 2, ""},
		{"twice", one + one, one + one, 1, ""},
		{"a long line", one + long + two, one + long + two, 3, ""},
		{"unknown members", `{"origin":"https://x.example","new":[1]}` + "\n",
			`{"origin":"https://x.example","new":[1]}` + "\n", 1, ""},
		{"cut in the first member", one + two[:5], one, 1, ""},
		{"cut in a later member", one + two[:20], one, 1, ""},
		{"cut before the end of the line", one + two[:len(two)-1], one, 1, ""},
		{"cut in the first line", one[:1], "", 0, ""},
		{"a long line that is cut", one + long[:90<<10], one, 1, ""},
		{"text", "example.com\n", "example.com\n", 0, "line 1 is not a result"},
		{"text without an end", "example.com", "example.com", 0, "line 1 is not a result"},
		{"text at the end", one + "# done", one + "# done", 0, "line 2 is not a result"},
		{"white space at the end", one + " ", one + " ", 0, "line 2 is not a result"},
		{"blank line", one + "\n" + two, one + "\n" + two, 0, "line 2 is not a result"},
		{"cut in the middle", one[:20] + "\n" + two, one[:20] + "\n" + two, 0, "line 1 is not a result"},
		{"other JSON", "[]\n", "[]\n", 0, "line 1 is not a result"},
		{"no origin", "{\"origin\":\"\"}\n", "{\"origin\":\"\"}\n", 0, "line 1 is not a result"},
		{"a member of another type", "{\"origin\":\"x\",\"status\":\"200\"}\n",
			"{\"origin\":\"x\",\"status\":\"200\"}\n", 0, "line 1 is not a result"},
		{"binary", "\x00\x01\xff", "\x00\x01\xff", 0, "line 1 is not a result"},
		{"too long", strings.Repeat("x", longestResult+100<<10), strings.Repeat("x", longestResult+100<<10), 0,
			"at line 1: the line is longer than 16 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "results")
			fatal.If(t, os.WriteFile(name, []byte(test.text), 0o666))
			s := New()
			f, err := openResults(name, s)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("the error is %v, want one with %q", err, test.err)
				}
			} else if err != nil {
				t.Error(err)
			}
			if test.err == "" && (s.before != test.before || s.total != test.before) {
				t.Errorf("%d results of %d, want %d", s.before, s.total, test.before)
			}
			if err == nil {
				test.kept += "more\n"
				if err := errors.Join(f.append([]byte("more")), f.close()); err != nil {
					t.Error(err)
				}
			}
			if got, err := os.ReadFile(name); string(got) != test.kept || err != nil {
				t.Errorf("the file has %.200q, %v, want %.200q", got, err, test.kept)
			}
		})
	}
}

// The summary is the same for new results and for results from a file.
func TestSurvey(t *testing.T) {
	reports := []*Report{
		reported("https://dead.example", ""),
		{Answer: Answer{Origin: "no origin", Err: errors.New("wrong")}},
		reported("https://empty.example", "# nothing\n"),
	}
	for i := 1; i <= 9; i++ {
		text := "User-agent: *\nUser-agent: GPTBot\nDisallow: /\n" + strings.Repeat("#", 100*i)
		if i == 9 {
			text += "\nUser-agent: gptBOT\nUser-agent: CCBot\nDisallow: /x\n"
		}
		reports = append(reports, reported(fmt.Sprintf("https://%d.example", i), text))
	}
	// A copy that is in force while the server is unreachable does not count as a fetched
	// file.
	stale := reported("https://stale.example", "User-agent: *\nDisallow: /\n")
	stale.Result.State, stale.Result.Status, stale.Result.Source = fetch.Unreachable, 503, fetch.Stale
	reports = append(reports, stale)
	// A page of HTML and an empty file do not count as a robots.txt with content.
	blank := reported("https://blank.example", "#")
	blank.Result.File.Size = 0
	reports = append(reports, blank, reported("https://html.example", "<html><title>Not found</title>"))

	now := New()
	var file bytes.Buffer
	for _, r := range reports {
		fatal.If(t, now.Add(r))
		file.WriteString(resultLine(t, r))
	}
	const want = `15 origins
state        ok: 12 · unreachable: 2 · not asked: 1
status       200: 12 · 503: 1 · none: 1
answered 200 12, 85 % of those asked
not empty    10, 66 % of all origins; a page of HTML is none
with rules   9, 75 % of those with a file
bytes        median 445 · nine of ten up to 845 · largest 996
most named   gptbot: 9 · ccbot: 1
`
	var got strings.Builder
	if err := now.Summary().Write(&got); got.String() != want || err != nil {
		t.Errorf("got\n%swant\n%s%v", &got, want, err)
	}

	name := filepath.Join(t.TempDir(), "results")
	fatal.If(t, os.WriteFile(name, file.Bytes(), 0o666))
	before := New()
	f, err := openResults(name, before)
	fatal.If(t, err)
	defer f.close()
	got.Reset()
	if err := before.Summary().Write(&got); got.String() != strings.Replace(want, "origins",
		"origins, 15 of them from before", 1) || err != nil {
		t.Errorf("of the file: got\n%s%v", &got, err)
	}
}

// Nine of ten texts, rounded up, are at most as large as the summary says.
func TestSummarySizes(t *testing.T) {
	for n := 1; n <= 100; n++ {
		s := New()
		for i := range n {
			s.sizes = append(s.sizes, n-i)
		}
		got := s.Summary().Sizes
		sizes := slices.Sorted(slices.Values(s.sizes))
		nine := slices.IndexFunc(sizes, func(size int) bool { return size == got.Most }) + 1
		if 10*nine < 9*n || 10*(nine-1) >= 9*n {
			t.Errorf("of %d: %d are up to %d", n, nine, got.Most)
		}
		if got.Median != sizes[n/2] || got.Largest != n {
			t.Errorf("of %d: got %+v", n, got)
		}
	}
}

// Invented names do not fill the memory, and do not replace the names that are in many files.
func TestSurveyManyNames(t *testing.T) {
	s := New()
	for i := range 3 * mostCounted / mostNames {
		one := &reportLine{Origin: "x", State: "ok", Names: []string{"*", "gptbot"}}
		for j := range mostNames {
			one.Names = append(one.Names, fmt.Sprint(i, "-", j))
		}
		s.sum(one)
	}
	if len(s.names) > mostCounted {
		t.Errorf("%d names are kept, want up to %d", len(s.names), mostCounted)
	}
	if named := s.Summary().Named; named[0].Agent != "gptbot" || named[0].Files != 3*mostCounted/mostNames {
		t.Errorf("most named is %+v", named[0])
	}
}
