package language

import (
	"errors"
	"io"
	"testing"
)

// An Error wraps the errors among its arguments, and says them in its own language.
func TestError(t *testing.T) {
	inner := New("no findings").Err() // a text of lint
	outer := New("%[1]d: %[2]v; %[3]v").Err(7, inner, io.EOF)
	if got, want := outer.Error(), "7: no findings; EOF"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Explain(Spanish, outer), "7: sin hallazgos; EOF"; got != want {
		t.Errorf("in Spanish: got %q, want %q", got, want)
	}
	if !errors.Is(outer, inner) || !errors.Is(outer, io.EOF) {
		t.Error("an argument is not wrapped")
	}
	if got, want := Explain(Spanish, io.EOF), "EOF"; got != want {
		t.Errorf("another error: got %q, want %q", got, want)
	}
}
