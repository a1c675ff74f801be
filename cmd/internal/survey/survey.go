// Package survey reports on the robots.txt of many origins: a report of each, and a summary of all.
// Reports can be kept in a file, so that a survey can be resumed.
package survey

import (
	"maps"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Survey collects totals over many origins.
type Survey struct {
	origins map[string]bool // origins already surveyed
	file    *results        // or nil

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

// New returns a Survey without origins.
func New() *Survey {
	return &Survey{
		origins: make(map[string]bool), states: make(map[string]int),
		statuses: make(map[int]int), names: make(map[string]int),
	}
}

// First reports whether origin is new, and adds it.
func (s *Survey) First(origin string) bool {
	seen := s.origins[origin]
	s.origins[origin] = true
	return !seen
}

// Failed reports whether an origin could not be asked.
func (s *Survey) Failed() bool { return s.failed > 0 }

// Unreachable reports whether an origin is unreachable.
func (s *Survey) Unreachable() bool { return s.states[string(fetch.Unreachable)] > 0 }

// A reportLine has the members of a report's JSON that a survey needs.
type reportLine struct {
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

// Add adds a report, also to the file if there is one.
func (s *Survey) Add(r *Report) error {
	one := reportLine{Origin: r.Origin, Rules: r.rules, Names: r.names}
	if r.Err != nil {
		one.Error = r.Err.Error()
	} else {
		one.State, one.Status = string(r.Result.State), r.Result.Status
		if r.Result.State == fetch.OK {
			one.File = &struct {
				Size int  `json:"size"`
				HTML bool `json:"html"`
			}{r.Result.File.Size, r.Result.File.HTML}
		}
	}
	s.sum(&one)
	if s.file == nil {
		return nil
	}
	return s.file.append(printable.JSON(printable.AppendJSON(nil, r)))
}

// mostCounted is the maximum number of names of robots counted. It keeps files with invented
// names from filling the memory.
const mostCounted = 100_000

func (s *Survey) sum(one *reportLine) {
	s.total++
	if one.Error != "" {
		s.failed++
		return
	}
	s.states[one.State]++
	s.statuses[one.Status]++
	if one.State == string(fetch.OK) && one.File != nil { // a fresh file, not an old copy
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
