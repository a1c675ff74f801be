package audit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/audit/accesslog"
)

// examples are lines of disallowed requests with the same finding in the period of one version.
// They are the first lines, the first lines of the last minutes, and some of the others, chosen by
// a hash of their time. The longer a version is in force, the more requests are certain violations,
// so one of the last ones is the most likely to be one. The order in which requests are added does
// not matter.
type examples struct {
	First  []example `json:"first,omitempty"`
	Last   []example `json:"last,omitempty"`
	Others []example `json:"others,omitempty"`
}

// An example is a line with the facts that decide whether it is a violation.
type example struct {
	Example
	Second int64
	Value  uint64 // see zonedTime
}

// A storedExample is an example in a stored part. Names of logs and lines are bytes, because they
// need not be UTF-8.
type storedExample struct {
	Log    []byte `json:"log"`
	Line   int    `json:"line"`
	Text   []byte `json:"text"`
	Second int64  `json:"second"`
	Value  uint64 `json:"value"`
}

// MarshalJSON returns the example for a stored part.
func (x example) MarshalJSON() ([]byte, error) {
	return json.Marshal(storedExample{[]byte(x.Log), x.Line, []byte(x.Text), x.Second, x.Value})
}

// UnmarshalJSON reads the example from a stored part.
func (x *example) UnmarshalJSON(data []byte) error {
	var s storedExample
	if err := decodeStrictly(data, &s); err != nil {
		return err
	}
	*x = example{Example{string(s.Log), s.Line, string(s.Text)}, s.Second, s.Value}
	return nil
}

const (
	maxFirst   = 2
	maxLast    = 2
	maxOthers  = 4
	maxExample = 4096 // bytes of a line
)

// add adds a request, if it is one to keep.
func (e *examples) add(r *accesslog.Request, second int64, value uint64) {
	if !e.wants(r.Log, r.Line, second) {
		return
	}
	e.join(example{
		Example: Example{Log: r.Log, Line: r.Line, Text: string(r.Text[:min(len(r.Text), maxExample)])},
		Second:  second, Value: value,
	})
}

// wants reports whether a request is one to keep.
func (e *examples) wants(log string, line int, second int64) bool {
	if len(e.First) < maxFirst || len(e.Last) < maxLast || len(e.Others) < maxOthers {
		return true
	}
	x := example{Example: Example{Log: log, Line: line}, Second: second}
	return compareTimes(&x, &e.First[maxFirst-1]) < 0 || compareMinutes(&x, &e.Last[maxLast-1]) < 0 ||
		compareHashes(&x, &e.Others[maxOthers-1]) < 0
}

// examplesOf returns the examples of the requests in the period of a version.
func (d *disallowedRequests) examplesOf(version int) *examples {
	e := d.examples[version]
	if e == nil {
		e = &examples{}
		if d.examples == nil {
			d.examples = map[int]*examples{}
		}
		d.examples[version] = e
	}
	return e
}

// join adds an example, if it is one to keep.
func (e *examples) join(x example) {
	e.First = insert(e.First, &x, maxFirst, compareTimes)
	e.Last = insert(e.Last, &x, maxLast, compareMinutes)
	e.Others = insert(e.Others, &x, maxOthers, compareHashes)
}

// insert inserts an example in order, and drops the last one if there are too many.
func insert(list []example, x *example, most int, compare func(x, y *example) int) []example {
	i := 0
	for i < len(list) && compare(&list[i], x) < 0 {
		i++
	}
	if i == most || i < len(list) && compare(&list[i], x) == 0 {
		return list
	}
	list = slices.Insert(list, i, *x)
	return list[:min(len(list), most)]
}

func compareTimes(x, y *example) int {
	if x.Second != y.Second {
		return cmp.Compare(x.Second, y.Second)
	}
	return cmp.Or(strings.Compare(x.Log, y.Log), cmp.Compare(x.Line, y.Line))
}

// compareMinutes orders examples by minute, the last minute first, and then by time, so that of the
// requests of a minute in an ordered log only the first ones are copied.
func compareMinutes(x, y *example) int {
	return cmp.Or(-cmp.Compare(floorDiv(x.Second, 60), floorDiv(y.Second, 60)), compareTimes(x, y))
}

// all returns the examples, some of them twice.
func (e *examples) all() []example { return slices.Concat(e.First, e.Last, e.Others) }

// compareHashes orders examples by the hash of their hour, then by time: of each hour, the
// first.
func compareHashes(x, y *example) int {
	return cmp.Or(cmp.Compare(hashSecond(x.Second), hashSecond(y.Second)), compareTimes(x, y))
}

func hashSecond(second int64) uint64 {
	h := uint64(second) * 0x9e3779b97f4a7c15
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
