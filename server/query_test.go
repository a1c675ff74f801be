package server

import (
	"net/url"
	"strings"
	"testing"
)

// FuzzUnescape compares unescape with net/url.
func FuzzUnescape(f *testing.F) {
	for _, s := range []string{"", "ExampleBot", "https%3A%2F%2Fa.example%2Fb%3Fc=d", "a+b", "%", "%4", "%4g", "%g4",
		"%fF%Ff", "a%00%80%", "%2", strings.Repeat("%41", 300)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := unescape(s)
		want, wantErr := url.QueryUnescape(s)
		if got != want || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Errorf("unescape(%q) = %q, %v; net/url: %q, %v", s, got, err, want, wantErr)
		}
	})
}
