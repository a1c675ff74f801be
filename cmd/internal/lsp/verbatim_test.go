package lsp

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

// RFC 8259, section 7; and bytes that are not UTF-8, which some editors send verbatim.
func TestVerbatim(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{`""`, ""},
		{`"a\"\\\/\b\f\n\r\t"`, "a\"\\/\b\f\n\r\t"},
		{`"\u0041\u00e9\u0000"`, "A\u00e9\x00"},
		{`"\ud83e\udd16x"`, "\U0001F916x"},
		{`"\ud83ex"`, "\uFFFDx"},
		{`"\ud83e\ud83e\udd16"`, "\uFFFD\U0001F916"},
		{`"\udd16"`, "\uFFFD"},
		{"\"/caf\xe9\xff\"", "/caf\xe9\xff"},
		{"\"\u2028\"", "\u2028"},
		{`null`, ""},
	} {
		var got verbatim
		if err := json.Unmarshal([]byte(test.in), &got); err != nil || string(got) != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.in, got, err, test.want)
		}
	}
	for _, bad := range []string{`5`, `["a"]`, `{}`, `true`} {
		if err := json.Unmarshal([]byte(bad), new(verbatim)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// For valid UTF-8, package json reads the same text.
func FuzzVerbatim(f *testing.F) {
	for _, s := range []string{`"\ud83e\udd16"`, `"\ud83e\u0041"`, `"\\u0041"`, `"a`, "\"\xff\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want string
		wantErr := json.Unmarshal(data, &want)
		var got verbatim
		gotErr := json.Unmarshal(data, &got)
		if (gotErr == nil) != (wantErr == nil) {
			t.Fatalf("%q: error %v, want %v", data, gotErr, wantErr)
		}
		if gotErr == nil && utf8.Valid(data) && string(got) != want {
			t.Fatalf("%q: got %q, want %q", data, got, want)
		}
	})
}
