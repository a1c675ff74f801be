package percent

import (
	"strconv"
	"strings"
	"testing"
)

func TestBytes(t *testing.T) {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	const reserved = ":/?#[]@" + "!$&'()*+,;="
	for i := range 256 {
		c := byte(i)
		want, err := strconv.ParseUint(string(rune(i)), 16, 8)
		if value, ok := Unhex(c); ok != (err == nil) || ok && uint64(value) != want {
			t.Errorf("Unhex(%q) is %d, %t", c, value, ok)
		}
		if got := Unreserved(c); got != (strings.IndexByte(unreserved, c) >= 0) {
			t.Errorf("Unreserved(%q) is %t", c, got)
		}
		if got := Allowed(c); got != (strings.IndexByte(unreserved+reserved+"%", c) >= 0) {
			t.Errorf("Allowed(%q) is %t", c, got)
		}
	}
}

func TestByte(t *testing.T) {
	for s, want := range map[string]int{"%2F": 0x2f, "%fFx": 0xff, "%00": 0, "": -1, "%2": -1, "%2g": -1, "%g2": -1,
		"2Fx": -1} {
		if got, ok := Byte(s); ok != (want >= 0) || ok && int(got) != want {
			t.Errorf("%q is %d, %t", s, got, ok)
		}
	}
}
