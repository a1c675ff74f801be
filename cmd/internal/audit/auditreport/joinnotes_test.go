package auditreport

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditsites"
	"github.com/robotsexclusion/robots/cmd/internal/audit/identify"
	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// TestJoinNotes divides logs among parts, which store their notes: joined in any order, they are
// the notes of all logs.
func TestJoinNotes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	formats := accesslog.Formats()
	for range 300 {
		sites := []auditsites.Note{{Kind: "only-host", Args: []string{"z.example"}},
			{Kind: "cut-file", Args: []string{"a.example"}}}[:random.IntN(3)]
		sources := []string{"--robots z", "--git a:b"}[:random.IntN(3)]
		var logs []accesslog.Log
		var lines []*accesslog.SyntaxError
		for i := range 1 + random.IntN(6) {
			name := "log\xff" + string(rune('a'+i))
			logs = append(logs, accesslog.Log{Name: name,
				Formats: map[*accesslog.Format]int64{formats[random.IntN(len(formats))]: random.Int64N(3), nil: 7}})
			for n := range random.IntN(6) {
				lines = append(lines, &accesslog.SyntaxError{Log: name, Line: n + 1,
					Text: []byte(strings.Repeat("x\xff", random.IntN(150))), Reason: "there is no date and time"})
			}
		}
		notesOf := func(logs []accesslog.Log) *Notes {
			var first UnreadableLines
			random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			for _, line := range lines {
				if slices.ContainsFunc(logs, func(log accesslog.Log) bool { return log.Name == line.Log }) {
					first.Add(line)
				}
			}
			data, err := json.Marshal(&Notes{Sources: sources, Sites: sites, Formats: Formats(logs),
				Unreadable: first.First(), Identity: &identify.Notes{}})
			fatal.If(t, err)
			notes, err := ReadNotes(data)
			fatal.If(t, err)
			return notes
		}
		whole := notesOf(logs)
		parts := make([][]accesslog.Log, 1+random.IntN(3))
		for _, log := range logs {
			i := random.IntN(len(parts))
			parts[i] = append(parts[i], log)
		}
		var notes []*Notes
		for _, part := range parts {
			notes = append(notes, notesOf(part))
		}
		got := JoinNotes(notes)
		if g, w := stored(t, got), stored(t, whole); g != w {
			t.Fatalf("got  %s\nwant %s", g, w)
		}
	}
}

// stored returns notes as a part stores them.
func stored(t *testing.T, n *Notes) string {
	t.Helper()
	data, err := json.Marshal(n)
	fatal.If(t, err)
	return string(data)
}

// Lists that differ are joined without repeats and in an order that is not that of the parts.
func TestJoinLists(t *testing.T) {
	for _, test := range []struct {
		lists [][]string
		want  []string
	}{
		{nil, nil},
		{[][]string{{"b", "a"}}, []string{"b", "a"}},
		{[][]string{{"b", "a"}, {"b", "a"}}, []string{"b", "a"}},
		{[][]string{{"b", "a"}, {"c"}, {"a"}}, []string{"a", "b", "c"}},
		{[][]string{{"a"}, {"b", "a"}, {"c"}}, []string{"a", "b", "c"}},
		{[][]string{{"b"}, nil}, []string{"b"}},
	} {
		if got := joinLists(test.lists, strings.Compare); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %q, want %q", test.lists, got, test.want)
		}
	}
}

// Notes of another program are refused, and a part without notes has none.
func TestReadNotes(t *testing.T) {
	for _, text := range []string{"[]", `{"later": 1}`, `{"sites": [{"kind": "later", "args": []}]}`,
		`{"unreadable": [{"text": "%"}]}`, "{"} {
		if n, err := ReadNotes([]byte(text)); err == nil {
			t.Errorf("%s: got %+v, want an error", text, n)
		}
	}
	if n, err := ReadNotes(nil); err != nil || !reflect.DeepEqual(n, new(Notes)) {
		t.Errorf("without notes: got %+v, %v", n, err)
	}
}
