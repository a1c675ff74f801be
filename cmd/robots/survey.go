package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A survey collects totals over many origins.
type survey struct {
	origins map[string]bool // origins already surveyed
	file    *resultsFile    // or nil

	total    int
	before   int // of total, those already in the file
	failed   int
	states   map[string]int
	statuses map[int]int // 0 if there was no answer
	ruled    int         // origins with rules
	full     int         // origins whose robots.txt is neither empty nor a page of HTML
	sizes    []int       // of the texts, in bytes
	names    map[string]int
}

func newSurvey() *survey {
	return &survey{
		origins: make(map[string]bool), states: make(map[string]int),
		statuses: make(map[int]int), names: make(map[string]int),
	}
}

// first reports whether origin is new, and adds it.
func (s *survey) first(origin string) bool {
	seen := s.origins[origin]
	s.origins[origin] = true
	return !seen
}

// A surveyed has the members of a report's JSON that a survey needs.
type surveyed struct {
	Origin string   `json:"origin"`
	Error  string   `json:"error"`
	State  string   `json:"state"`
	Status int      `json:"status"`
	Rules  int      `json:"rules"`
	Names  []string `json:"names"`
	File   *struct {
		Size int  `json:"size"`
		HTML bool `json:"html"`
	} `json:"file"`
}

// add adds a report, also to the file if there is one.
func (s *survey) add(r *report) error {
	one := surveyed{Origin: r.origin, Rules: r.rules, Names: r.names}
	if r.err != nil {
		one.Error = r.err.Error()
	} else {
		one.State, one.Status = r.result.State.String(), r.result.Status
		if r.result.State == fetch.OK {
			one.File = &struct {
				Size int  `json:"size"`
				HTML bool `json:"html"`
			}{r.result.File.Size, r.result.File.HTML}
		}
	}
	s.sum(&one)
	if s.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return s.file.append(printable.JSON(line))
}

// mostCounted is the maximum number of names of robots counted. It keeps files with invented
// names from filling the memory.
const mostCounted = 100_000

func (s *survey) sum(one *surveyed) {
	s.total++
	if one.Error != "" {
		s.failed++
		return
	}
	s.states[one.State]++
	s.statuses[one.Status]++
	if one.State == fetch.OK.String() && one.File != nil { // a fresh file, not an old copy
		s.sizes = append(s.sizes, one.File.Size)
		if one.File.Size > 0 && !one.File.HTML {
			s.full++
		}
		if one.Rules > 0 {
			s.ruled++
		}
	}
	for _, name := range one.Names {
		if name == "*" {
			continue // not a robot
		}
		if _, ok := s.names[name]; !ok && len(s.names) >= mostCounted {
			maps.DeleteFunc(s.names, func(_ string, n int) bool { return n == 1 })
			if len(s.names) >= mostCounted {
				continue
			}
		}
		s.names[name]++
	}
}

// A summary is the result of a survey.
type summary struct {
	Origins   int            `json:"origins"`
	Before    int            `json:"before,omitempty"` // of all, those already in the results file
	Errors    int            `json:"errors"`
	States    map[string]int `json:"states"`
	Statuses  map[string]int `json:"statuses"`  // by status, and "none"
	NotEmpty  int            `json:"not_empty"` // sites with a robots.txt that is neither empty nor a page of HTML
	WithRules int            `json:"with_rules"`
	Octets    *octets        `json:"octets,omitempty"`
	Named     []named        `json:"named"` // the robots named most often
}

// octets has statistics of the sizes of texts, in bytes.
type octets struct {
	Median  int `json:"median"`
	Most    int `json:"ninety_percent"` // nine of ten are at most this large
	Largest int `json:"largest"`
}

type named struct {
	Agent string `json:"agent"`
	Files int    `json:"files"`
}

func (s *survey) summary() *summary {
	sum := &summary{Origins: s.total, Before: s.before, Errors: s.failed, States: s.states, NotEmpty: s.full, WithRules: s.ruled, Statuses: make(map[string]int), Named: []named{}}
	for status, n := range s.statuses {
		name := "none"
		if status > 0 {
			name = fmt.Sprint(status)
		}
		sum.Statuses[name] = n
	}
	if n := len(s.sizes); n > 0 {
		slices.Sort(s.sizes)
		sum.Octets = &octets{s.sizes[n/2], s.sizes[(n*9-1)/10], s.sizes[n-1]}
	}
	for name, n := range s.names {
		sum.Named = append(sum.Named, named{name, n})
	}
	slices.SortFunc(sum.Named, func(a, b named) int {
		return cmp.Or(cmp.Compare(b.Files, a.Files), cmp.Compare(a.Agent, b.Agent))
	})
	sum.Named = sum.Named[:min(len(sum.Named), 20)]
	return sum
}

// write writes the summary for people.
func (sum *summary) write(w io.Writer) error {
	var b strings.Builder
	line := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%-12s %s\n", title, text)
		}
	}
	b.WriteString(count(sum.Origins, "origin"))
	if sum.Before > 0 {
		fmt.Fprintf(&b, ", %d of them from before", sum.Before)
	}
	b.WriteByte('\n')
	states := counts(sum.States)
	if sum.Errors > 0 {
		states = append(states, fmt.Sprintf("not asked: %d", sum.Errors))
	}
	line("state", strings.Join(states, " · "))
	line("status", strings.Join(counts(sum.Statuses), " · "))
	if asked := sum.Origins - sum.Errors; asked > 0 {
		n := sum.Statuses["200"]
		line("answered 200", fmt.Sprintf("%d, %d %% of those that were asked", n, n*100/asked))
		line("not empty", fmt.Sprintf("%d, %d %% of all origins; a page of HTML is none", sum.NotEmpty, sum.NotEmpty*100/sum.Origins))
	}
	if ok := sum.States[fetch.OK.String()]; ok > 0 {
		line("with rules", fmt.Sprintf("%d, %d %% of those with a file", sum.WithRules, sum.WithRules*100/ok))
	}
	if o := sum.Octets; o != nil {
		line("bytes", fmt.Sprintf("median %d · nine of ten up to %d · largest %d", o.Median, o.Most, o.Largest))
	}
	var most []string
	for _, n := range sum.Named[:min(len(sum.Named), 10)] {
		most = append(most, fmt.Sprintf("%s: %d", printable.Clipped(n.Agent, 60), n.Files))
	}
	line("most named", strings.Join(most, " · "))
	_, err := io.WriteString(w, b.String())
	return err
}

// counts returns "NAME: NUMBER" for each name, in descending order of the numbers.
func counts(numbers map[string]int) (texts []string) {
	names := slices.SortedFunc(maps.Keys(numbers), func(a, b string) int {
		return cmp.Or(cmp.Compare(numbers[b], numbers[a]), cmp.Compare(a, b))
	})
	for _, name := range names {
		texts = append(texts, fmt.Sprintf("%s: %d", name, numbers[name]))
	}
	return texts
}

// A surveyWriter writes reports, as text or as JSON.
type surveyWriter interface {
	report(*report) error
	// end is called last, with the error that ended the work, or nil.
	end(s *survey, err error) error
}

// surveyText writes a line for each report, and a summary if there are many.
type surveyText struct {
	w     *bufio.Writer
	color bool
	many  bool // several origins
	named bool // with the content for the robots on the command line
	lines bool // everything on one line
}

func (w *surveyText) report(r *report) error {
	t := columns.Table{W: w.w, Color: w.color}
	state, text := r.state(), r.text()
	var beneath []string
	switch {
	case w.lines:
		text += r.inline()
	case w.named || !w.many:
		beneath = r.beneath()
	}
	if w.many {
		state.Text = fmt.Sprintf("%-11s", state.Text) // as wide as the widest
	}
	t.Add([]columns.Cell{state, columns.Text(text)}, beneath...)
	return t.Flush()
}

func (w *surveyText) end(s *survey, _ error) error {
	if s.total < 2 {
		return nil
	}
	w.w.WriteByte('\n')
	return s.summary().write(w.w)
}

// surveyJSON writes one object, {"results": [], "summary": {}}, with each result
// on a line of its own.
type surveyJSON struct {
	w       *bufio.Writer
	results int
}

func (w *surveyJSON) report(r *report) error {
	sep := ","
	if w.results++; w.results == 1 {
		sep = `{"results": [`
	}
	w.w.WriteString(sep + "\n  ")
	_, err := w.w.Write(printable.JSON(printable.AppendJSON(nil, r)))
	return err
}

func (w *surveyJSON) end(s *survey, err error) error {
	if w.results == 0 {
		w.w.WriteString(`{"results": [`)
	}
	b := printable.AppendJSON([]byte("\n], \"summary\": "), s.summary())
	if err != nil {
		b = printable.AppendJSON(append(b, `, "error": `...), err.Error())
	}
	_, err = w.w.Write(printable.JSON(append(b, "}\n"...)))
	return err
}

// A resultsFile keeps results, a line of JSON each, so that a survey can go on.
type resultsFile struct{ f *os.File }

// longestResult is the maximum length of a line in a results file.
const longestResult = 16 << 20

// openResults opens a file of results, and adds its results to s. It drops a last line that
// was cut short when a process was killed.
func openResults(name string, s *survey) (*resultsFile, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot open %s: %w", name, cause(err))
	}
	r := bufio.NewReaderSize(f, 64<<10)
	var whole int64 // bytes of whole lines
	torn := false   // an incomplete line follows
	for number := 1; ; number++ {
		line, err := readLine(r, longestResult)
		if err != nil && !errors.Is(err, io.EOF) {
			f.Close()
			return nil, fmt.Errorf("cannot read %s at line %d: %w", name, number, cause(err))
		}
		cut := err != nil
		if cut && startsResult(line) {
			torn = len(line) > 0
			break
		}
		whole += int64(len(line))
		var one surveyed
		if err := json.Unmarshal(line, &one); cut || err != nil || one.Origin == "" {
			f.Close()
			return nil, fmt.Errorf("%s: line %d is no result: name a file that --results made, or a new one", name, number)
		}
		if s.first(one.Origin) {
			s.sum(&one)
			s.before++
		}
	}
	if _, err = f.Seek(whole, io.SeekStart); err == nil && torn {
		err = f.Truncate(whole)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("cannot write %s: %w", name, cause(err))
	}
	return &resultsFile{f}, nil
}

// startsResult reports whether a text is empty or the start of a line of results. Other text
// at the end of a file is not ours to drop.
func startsResult(text []byte) bool {
	const start = `{"origin":"`
	n := min(len(text), len(start))
	return string(text[:n]) == start[:n]
}

// lineTooLong is the error for a line longer than this many bytes.
type lineTooLong int

func (limit lineTooLong) Error() string {
	return fmt.Sprintf("the line is longer than %d MiB", limit>>20)
}

// readLine reads a line with its line end. A last line without a line end comes with the error
// [io.EOF]. A line that is too long is skipped, and the error is a lineTooLong.
func readLine(r *bufio.Reader, limit int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		case len(line) > limit:
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			if err != nil && !errors.Is(err, io.EOF) { // the next read returns the end again
				return nil, err
			}
			return nil, lineTooLong(limit)
		}
	}
}

// append adds a line in a single write, so that the line is never written in part.
func (f *resultsFile) append(line []byte) error {
	if _, err := f.f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.f.Name(), cause(err))
	}
	return nil
}

func (f *resultsFile) close() error {
	if err := f.f.Close(); err != nil {
		return fmt.Errorf("cannot write %s: %w", f.f.Name(), cause(err))
	}
	return nil
}
