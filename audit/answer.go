package audit

import (
	"net/netip"

	"github.com/robotsexclusion/robots/audit/accesslog"
)

// answerKind is what an answer to GET /robots.txt tells a robot. It is the lowest bits of the value
// of an answer in a series. The numbers are stored in parts: never renumber them.
type answerKind uint64

const (
	read      answerKind = 0 // 200, 304: the version in force
	nothing   answerKind = 1 // 404, 410, 418, 451: there is none
	forbidden answerKind = 2 // 401, 402, 403: there is none for this robot
	failed    answerKind = 3 // 429, 5xx
)

// kindOfAnswer returns the meaning of a status for a robot; ok is false if it has none. The other
// statuses from 400 on are about the request, and not about robots.txt.
func kindOfAnswer(status int) (kind answerKind, ok bool) {
	switch status {
	case 200, 304:
		return read, true
	case 404, 410, 418, 451:
		return nothing, true
	case 401, 402, 403:
		return forbidden, true
	case 429:
		return failed, true
	}
	return failed, status >= 500 && status <= 599
}

// The value of an answer has its kind, then unzonedAnswer, and above them for status 200 its size
// in bytes and 1.
const (
	kindMask      = 3
	unzonedAnswer = 4 // the line does not state the zone
	sizeShift     = 3
)

func kindOfValue(value uint64) answerKind { return answerKind(value & kindMask) }

// sizeOfValue returns the size of an answer with status 200, or -1 if it is not known.
func sizeOfValue(value uint64) int64 { return int64(value>>sizeShift) - 1 }

// addAnswer keeps the answer to a request for /robots.txt.
func (t *tally) addAnswer(s *series, r *accesslog.Request, client netip.Addr, second int64) {
	if value, ok := valueOfAnswer(r); ok {
		t.hits.add(s, hit{client: client, second: second, value: value, count: 1})
	}
}

// valueOfAnswer returns the value of the answer to a request for /robots.txt; ok is false if it is
// not about robots.txt.
func valueOfAnswer(r *accesslog.Request) (value uint64, ok bool) {
	if string(r.Method) != "GET" {
		return 0, false
	}
	kind, ok := kindOfAnswer(r.Status)
	if !ok {
		return 0, false
	}
	value = uint64(kind)
	if !r.Zoned {
		value |= unzonedAnswer
	}
	if r.Status == 200 {
		value |= uint64(max(-1, r.Bytes)+1) << sizeShift
	}
	return value, true
}
