package httpfield_test

import (
	"testing"

	"github.com/robotsexclusion/robots/internal/http/httpfield"
)

func TestHasTag(t *testing.T) {
	tag := httpfield.StrongTag([]byte("body"))
	if tag == httpfield.StrongTag([]byte("other")) {
		t.Error("two bodies have one tag")
	}
	for _, c := range []struct {
		values []string
		want   bool
	}{
		{nil, false}, {[]string{""}, false}, {[]string{`"x"`}, false}, {[]string{tag[:len(tag)-1]}, false},
		{[]string{tag}, true}, {[]string{"W/" + tag}, true}, {[]string{`"x", ` + tag}, true}, {[]string{`"x"`, tag},
			true}, {[]string{"*"}, true},
	} {
		if got := httpfield.HasTag(c.values, tag); got != c.want {
			t.Errorf("%q: %t, want %t", c.values, got, c.want)
		}
	}
}
