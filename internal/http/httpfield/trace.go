package httpfield

import (
	"context"
	"net/http"
	"strings"
)

// A Trace is the context of a distributed trace (W3C Trace Context). The zero Trace is none.
type Trace struct {
	Parent string // the field traceparent
	State  string // the field tracestate, or ""
}

// Limits of tracestate (W3C Trace Context, section 3.3.1).
const (
	maxTraceState   = 512 // bytes; services should pass on as many at least
	maxTraceMembers = 32
)

// TraceOf returns the trace of a request. An invalid traceparent means no trace, and an invalid
// tracestate is dropped.
func TraceOf(h http.Header) Trace {
	fields := h["Traceparent"]
	if len(fields) != 1 {
		return Trace{}
	}
	parent := traceParent(fields[0])
	if parent == "" {
		return Trace{}
	}
	state := strings.Join(h["Tracestate"], ",")
	if !validTraceState(state) {
		state = ""
	}
	return Trace{Parent: parent, State: state}
}

// traceParent returns a valid traceparent, or "". That of a later version becomes one of version 00
// (sections 3.2 and 4).
func traceParent(s string) string {
	const size = len("00-") + 32 + len("-") + 16 + len("-00")
	if len(s) < size || s[2] != '-' || s[35] != '-' || s[52] != '-' {
		return ""
	}
	version, trace, parent, flags := s[:2], s[3:35], s[36:52], s[53:55]
	if !isHex(version) || !isHex(trace) || !isHex(parent) || !isHex(flags) || version == "ff" ||
		strings.Trim(trace, "0") == "" || strings.Trim(parent, "0") == "" {
		return ""
	}
	if len(s) > size && (version == "00" || s[size] != '-') {
		return ""
	}
	if version == "00" {
		return s
	}
	sampled := "00"
	if strings.IndexByte("13579bdf", flags[1]) >= 0 { // the last bit is set
		sampled = "01"
	}
	return "00-" + trace + "-" + parent + "-" + sampled
}

// isHex reports whether a text has the digits of traceparent only: letters are lowercase.
func isHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}

// validTraceState reports whether a text is a valid tracestate, or empty.
func validTraceState(s string) bool {
	if len(s) > maxTraceState {
		return false
	}
	seen := make(map[string]bool)
	for member := range strings.SplitSeq(s, ",") {
		member = strings.Trim(member, " \t")
		if member == "" {
			continue
		}
		key, value, ok := strings.Cut(member, "=")
		if !ok || !validTraceKey(key) || !validTraceValue(value) || seen[key] || len(seen) == maxTraceMembers {
			return false
		}
		seen[key] = true
	}
	return true
}

// validTraceKey reports whether a text is a key of tracestate (section 3.3.1.3.1).
func validTraceKey(key string) bool {
	const first = "abcdefghijklmnopqrstuvwxyz0123456789"
	return key != "" && len(key) <= 256 && strings.IndexByte(first, key[0]) >= 0 &&
		strings.Trim(key, first+"_-*/@") == ""
}

// validTraceValue reports whether a text is a value of tracestate (section 3.3.1.3.2). Blanks at
// its end are cut off already.
func validTraceValue(value string) bool {
	return value != "" && len(value) <= 256 &&
		!strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c > '~' || c == ',' || c == '=' })
}

// Set writes the fields of the trace, if there is one.
func (t Trace) Set(h http.Header) {
	if t.Parent == "" {
		return
	}
	h.Set("Traceparent", t.Parent)
	if t.State != "" {
		h.Set("Tracestate", t.State)
	}
}

// traceKey is the key of the Trace in a context.
type traceKey struct{}

// WithTrace returns a context with a trace, which fetches for this context pass on.
func WithTrace(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// TraceFrom returns the trace of a context.
func TraceFrom(ctx context.Context) Trace {
	t, _ := ctx.Value(traceKey{}).(Trace)
	return t
}
