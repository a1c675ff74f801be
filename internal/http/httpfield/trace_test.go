package httpfield

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestTraceOf has examples of the specification, and all that it calls invalid.
func TestTraceOf(t *testing.T) {
	const ids = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"
	var many []string
	for i := range 33 {
		many = append(many, fmt.Sprintf("k%d=v", i))
	}
	for _, c := range []struct{ parent, state, wantParent, wantState string }{
		{"00-" + ids + "-01", "", "00-" + ids + "-01", ""},
		{"00-" + ids + "-00", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "00-" + ids + "-00",
			"rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"},
		{"00-" + ids + "-ff", "fw529a3039@dt=a b , ,\tx*/_-=!", "00-" + ids + "-ff", "fw529a3039@dt=a b , ,\tx*/_-=!"},
		{"01-" + ids + "-03", "", "00-" + ids + "-01", ""},
		{"cc-" + ids + "-02-what-comes-later", "a=b", "00-" + ids + "-00", "a=b"},
		{"00-" + ids + "-01", strings.Join(many[:32], ","), "00-" + ids + "-01", strings.Join(many[:32], ",")},

		{"", "a=b", "", ""},
		{"00-" + ids, "", "", ""},
		{"00-" + ids + "-01-more", "", "", ""},
		{"01-" + ids + "-01more", "", "", ""},
		{"ff-" + ids + "-01", "", "", ""},
		{"0x-" + ids + "-01", "", "", ""},
		{"00-" + ids + "-0x", "", "", ""},
		{"00-" + strings.ToUpper(ids) + "-01", "", "", ""},
		{"00_" + ids + "-01", "", "", ""},
		{"00-" + strings.ReplaceAll(ids, "-", "_") + "-01", "", "", ""},
		{"00-" + ids + "_01", "", "", ""},
		{"00-00000000000000000000000000000000-00f067aa0ba902b7-01", "", "", ""},
		{"00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", "", "", ""},
		{"00-" + ids + "-01\r\nX: y", "", "", ""},

		{"00-" + ids + "-01", "a", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "=b", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "a=", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "A=b", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "_a=b", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "a=b,a=c", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "a=b=c", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "a=\u00e4", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "a=b\r\nX: y", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", "a=" + strings.Repeat("x", 257), "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", strings.Repeat("a", 257) + "=x", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", strings.Repeat(" ", 512) + "a=b", "00-" + ids + "-01", ""},
		{"00-" + ids + "-01", strings.Join(many, ","), "00-" + ids + "-01", ""},
	} {
		got := TraceOf(http.Header{"Traceparent": {c.parent}, "Tracestate": {c.state}})
		if got.Parent != c.wantParent || got.State != c.wantState {
			t.Errorf("%q, %q: got %+v", c.parent, c.state, got)
		}
	}
	one := "00-" + ids + "-01"
	if got := TraceOf(http.Header{"Traceparent": {one, one}}); got != (Trace{}) {
		t.Errorf("two traceparents: got %+v", got)
	}
	got := TraceOf(http.Header{"Traceparent": {one}, "Tracestate": {"a=b", "c=d"}})
	if got.State != "a=b,c=d" {
		t.Errorf("two tracestates: got %+v", got)
	}
	h := make(http.Header)
	Trace{}.Set(h)
	if len(h) > 0 {
		t.Errorf("no trace: got %v", h)
	}
	if got.Set(h); TraceOf(h) != got {
		t.Errorf("got %v", h)
	}
}
