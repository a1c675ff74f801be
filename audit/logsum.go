package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A logSum identifies the requests of a log: by their number and two sums of their hashes, which
// neither the order of the requests nor a compression changes. Two logs with the same sum are
// copies. The names are stored in parts.
type logSum struct {
	Requests uint64 `json:"requests"`
	Sum      uint64 `json:"sum,string"`
	Mixed    uint64 `json:"mixed,string"`
}

// logSums are the sums of logs by name. Most requests are of the same log as the one before.
type logSums struct {
	byName map[string]*logSum
	last   string
	now    *logSum
}

// add adds a request with a hash to the sum of a log.
func (s *logSums) add(log string, hash uint64) {
	if s.now == nil || log != s.last {
		s.last, s.now = log, s.of(log)
	}
	s.now.Requests++
	s.now.Sum += hash
	s.now.Mixed += mix(hash, seedTemplate)
}

// of returns the sum of a log.
func (s *logSums) of(log string) *logSum {
	sum := s.byName[log]
	if sum == nil {
		if s.byName == nil {
			s.byName = map[string]*logSum{}
		}
		sum = &logSum{}
		s.byName[strings.Clone(log)] = sum
	}
	return sum
}

// join adds the sums of other chunks of the same logs.
func (s *logSums) join(others map[string]*logSum) {
	for name, sum := range others {
		mine := s.of(name)
		mine.Requests += sum.Requests
		mine.Sum += sum.Sum
		mine.Mixed += sum.Mixed
	}
}

// twice returns an error if two logs have the same requests.
func twice(logs []storedLog) error {
	slices.SortFunc(logs, func(l, m storedLog) int {
		return cmp.Or(cmp.Compare(l.Sum, m.Sum), cmp.Compare(l.Mixed, m.Mixed), slices.Compare(l.Name, m.Name))
	})
	for i := 1; i < len(logs); i++ {
		if l, m := logs[i-1], logs[i]; l.Requests > 0 && l.logSum == m.logSum {
			return fmt.Errorf("audit: the logs %q and %q have the same requests: give one of them", l.Name, m.Name)
		}
	}
	return nil
}

// A storedLog is a log in a part.
type storedLog struct {
	Name []byte `json:"name"`
	logSum
}

// stored returns the sums for a part, by name.
func (s *logSums) stored() (logs []storedLog) {
	for name, sum := range s.byName {
		logs = append(logs, storedLog{[]byte(name), *sum})
	}
	slices.SortFunc(logs, func(l, m storedLog) int { return slices.Compare(l.Name, m.Name) })
	return logs
}
