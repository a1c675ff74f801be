package audit

import (
	"bytes"
	"net/netip"
	"path"
	"strings"
)

// This file has two figures beside the violations: what may excuse a robot, and what it may hide.

// redirectSeconds is for how many seconds after a redirect a request may follow it.
const redirectSeconds = 10

// isRedirect reports whether an answer sends the client to another URL.
func isRedirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// A follower counts the requests of a robot that may have followed a redirect: each redirect has
// one.
type follower struct {
	redirects series
	followed  map[redirect]uint64 // how many requests did so
}

type redirect struct {
	client netip.Addr
	second int64
}

// newFollower returns the follower for the rows of a robot at a place, or nil without redirects.
func newFollower(rows [identities]*row) *follower {
	f := &follower{followed: map[redirect]uint64{}}
	f.redirects = mergeRows(rows[:]...).redirects
	if len(f.redirects.chunks) == 0 {
		return nil
	}
	return f
}

// reader returns a function that counts requests, which come in order.
func (f *follower) reader() (add func(h hit) int64, stop func()) {
	if f == nil {
		return func(hit) int64 { return 0 }, func() {}
	}
	var redirects answerReader
	redirects.start(&f.redirects)
	return func(h hit) int64 {
		last := redirects.last(h.client, h.second)
		if h.value&redirected != 0 || len(last) == 0 || last[0].second < h.second-redirectSeconds {
			return 0
		}
		key, sent := redirect{h.client, last[0].second}, uint64(0)
		for _, r := range last {
			sent += r.count
		}
		n := min(h.count, sent-f.followed[key])
		f.followed[key] += n
		return int64(n)
	}, redirects.stop
}

// served returns the path that many servers take a path for: without escapes of dots, slashes and
// semicolons, parameters of segments, and empty and dot segments. It returns nil if that is the
// path.
func served(target []byte) []byte {
	before, query, hasQuery := bytes.Cut(target, []byte("?"))
	var decoded strings.Builder
	for i := 0; i < len(before); i++ {
		value := before[i]
		if value == '%' && i+2 < len(before) {
			switch escaped := unhex(before[i+1])<<4 | unhex(before[i+2]); escaped {
			case '.', '/', ';':
				value = escaped
				i += 2
			}
		}
		decoded.WriteByte(value)
	}
	segments := strings.Split(decoded.String(), "/")
	for i, segment := range segments {
		segments[i], _, _ = strings.Cut(segment, ";")
	}
	whole := strings.Join(segments, "/")
	clean := path.Clean("/" + whole)
	if last := segments[len(segments)-1]; clean != "/" && (last == "" || last == "." || last == "..") {
		clean += "/"
	}
	if hasQuery {
		clean += "?" + string(query)
	}
	if clean == string(target) {
		return nil
	}
	return []byte(clean)
}

// isOdd reports whether a path may have another served path.
func isOdd(path []byte) bool {
	for i, c := range path {
		switch c {
		case '?':
			return false
		case ';':
			return true
		case '/':
			if i+1 < len(path) && (path[i+1] == '/' || path[i+1] == '.') {
				return true
			}
		case '%':
			if i+2 < len(path) && (path[i+1] == '2' || path[i+1] == '3') {
				return true
			}
		}
	}
	return false
}
