package audit

import (
	"testing"

	"github.com/robotsexclusion/robots/agent"
)

// FuzzShape checks that a header and its shape name the same agent.
func FuzzShape(f *testing.F) {
	for _, header := range []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/122.0.0 Safari/537.36",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Mozilla/5.0Foo/360Spider bar/1.2.Baz", "Foo./360Spider", "/360Spider", "a//360Spider",
		"Firefox/3.6.8/Nutch-1.7",
		"http://192.0.2.1/1.0 foo@192.0.2.1/7a", "a/1b/360Spider",
		"Mozilla/5.0 (Linux; Android 4.2.2; es-es; CUBOT/1 GT72E Build/1JDQ39)",
		"(http://a/007ac9) 007ac9/1", "x/1.", "x/1./2.y/z", "Foo/b/1", "9/9", "é/1bot",
	} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		shape := string(appendShape(nil, []byte(header)))
		got, want := agent.Lookup(shape), agent.Lookup(header)
		if got.Token != want.Token || got.Kind != want.Kind || got.Known() != want.Known() {
			t.Errorf("the shape %q is %s %q, and %q is %s %q", shape, got.Kind, got.Token, header, want.Kind,
				want.Token)
		}
	})
}

// Headers that differ in the numbers of versions only have the same shape.
func TestShape(t *testing.T) {
	for header, want := range map[string]string{
		"":                         "",
		"Foo":                      "Foo",
		"Foo/1":                    "Foo/0",
		"Foo/12.3.4 (x; Bar/0.1b)": "Foo/0 (x; Bar/0b)",
		"Foo/1.0/2.0/bar":          "Foo/0/2.0/bar",
		"Foo/v1.0":                 "Foo/v1.0",
		"Foo./1.0 /1.0 //1.0":      "Foo./1.0 /1.0 //1.0",
	} {
		if got := string(appendShape(nil, []byte(header))); got != want {
			t.Errorf("%q: got %q, want %q", header, got, want)
		}
	}
}
