package sfv

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseDictionary(t *testing.T) {
	for _, test := range []struct{ field, want string }{ // in the order of RFC 9651, section 4.2
		{"", ""},
		{"  ", ""},
		{"a=1", "a=1"},
		{" a=1 ", "a=1"},
		{"a=1,b=2", "a=1, b=2"},
		{"a=1 \t,\t b=2", "a=1, b=2"},
		{"a", "a"},
		{"a=?1", "a"},
		{"a=?0", "a=?0"},
		{"a;x", "a;x"},
		{"a;x=?1;y=?0", "a;x;y=?0"},
		{"a=1, b, a=2", "a=2, b"},
		{"a;x=1;y=2;x=3", "a;x=3;y=2"},
		{"*a-b.c_d*9=1", "*a-b.c_d*9=1"},
		{"a=()", "a=()"},
		{"a=( )", "a=()"},
		{"a=(1)", "a=(1)"},
		{`a=(  1   "b";c  );d`, `a=(1 "b";c);d`},
		{"a=1;   b=2", "a=1;b=2"},
		{"a=007", "a=7"},
		{"a=-0", "a=0"},
		{"a=-17", "a=-17"},
		{"a=999999999999999", "a=999999999999999"},
		{"a=1.50", "a=1.5"},
		{"a=-0.001", "a=-0.001"},
		{"a=2.0", "a=2.0"},
		{"a=-0.0", "a=0.0"},
		{"a=999999999999.999", "a=999999999999.999"},
		{`a="b c"`, `a="b c"`},
		{`a="\"\\"`, `a="\"\\"`},
		{`a=""`, `a=""`},
		{"a=b/c:d", "a=b/c:d"},
		{"a=*", "a=*"},
		{"a=:aGVsbG8=:", "a=:aGVsbG8=:"},
		{"a=:aGVsbG8:", "a=:aGVsbG8=:"},
		{"a=:aGVsbG9=:", "a=:aGVsbG8=:"}, // bits after the last byte
		{"a=::", "a=::"},
		{"a=@1659578233", "a=@1659578233"},
		{"a=@-1", "a=@-1"},
		{`a=%"f%c3%bc %22%25"`, `a=%"f%c3%bc %22%25"`},
	} {
		d, err := ParseDictionary(test.field)
		if err != nil {
			t.Errorf("%q: %v", test.field, err)
		} else if got := d.String(); got != test.want {
			t.Errorf("%q: got %q, want %q", test.field, got, test.want)
		}
	}
	for _, field := range []string{
		"A=1", "1=1", "=1", "a=", "a==1", "a=1,", ",a=1", "a=1,,b=2", "a=1 b=2", "a=1;", "a=1;B", "a=1;b=", "\ta=1",
		"a= 1", "a =1", "a=1\n", "ä=1",
		"a=(1", "a=(1))", "a=(1,2)", "a=(1\t2)", "a=((1))", `a=(1"b")`, "a=)",
		"a=-", "a=1.", "a=.1", "a=1.0000", "a=1000000000000000", "a=1000000000000.1", "a=--1", "a=1e3",
		`a="`, `a="\`, `a="\n"`, "a=\"\x7f\"", "a=\"\x00\"", `a="ü"`, "a='b'",
		"a=:", "a=:a:", "a=:!!!!:", "a=:aGVs\nbG8=:", "a=:aGVsbG8==:", "a=:aGVsbG8=", "a=:=:", "a=:aGVs====:",
		"a=?", "a=?2", "a=?true", "a=@", "a=@1.0", "a=%", `a=%"`, `a=%"%C3%BC"`, `a=%"%f"`, `a=%"%ff"`, `a=%"ü"`,
		`a=%"%zz"`, `a=%"%c`,
		strings.Repeat("a", MaxField+1),
		"a=(" + strings.Repeat("1 ", MaxItems+1) + ")",
		"a" + strings.Repeat(";b", 2) + many(";c", MaxParams+1),
		many(",d", MaxMembers+1)[1:],
	} {
		if d, err := ParseDictionary(field); err == nil {
			t.Errorf("%.40q: got %q, want an error", field, d)
		}
	}
}

// many returns a text n times, each with another number after it.
func many(text string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(text)
		b.WriteString(Item{Value: int64(i)}.String())
	}
	return b.String()
}

func TestParseDictionaryRepeated(t *testing.T) {
	for field, want := range map[string]string{
		"a=1, b=2":                 "",
		"a=1, b=2, a=3":            "a",
		"a=1;x;y;x":                "x",
		`a=("b";x=1;x=1)`:          "x",
		`a=("b";x "c";x)`:          "",
		"a;x, b;x":                 "",
		"a=(1 1);x=1;y=1":          "",
		"a=();created=1;created=2": "created",
	} {
		d, err := ParseDictionary(field)
		if err != nil || d.Repeated != want {
			t.Errorf("%s: got %v, %v, want %q", field, d, err, want)
		}
	}
}

func TestParseItem(t *testing.T) {
	for field, want := range map[string]string{`"a"`: `"a"`, ` "a";b=c `: `"a";b=c`, `1`: "1"} {
		i, err := ParseItem(field)
		if err != nil || i.String() != want {
			t.Errorf("%s: got %s, %v, want %s", field, i, err, want)
		}
	}
	for _, field := range []string{"", "(1)", `"a" "b"`, `"a", "b"`, "a=1"} {
		if i, err := ParseItem(field); err == nil {
			t.Errorf("%s: got %s, want an error", field, i)
		}
	}
}

// The grammar of RFC 9651 in ABNF, as a regular expression: inner lists do not
// nest, so it is one. It is the slow twin of the parser, but for what grammar
// does not tell: the bytes that are encoded, and limits.
var slowDictionary = func() *regexp.Regexp {
	const (
		key     = `[a-z*][a-z0-9_.*-]*`
		number  = `-?(?:[0-9]{1,12}\.[0-9]{1,3}|[0-9]{1,15})`
		text    = `"(?:[ !#-\[\]-~]|\\["\\])*"`
		token   = "[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*"
		byteSeq = `:[A-Za-z0-9+/=]*:`
		date    = `@-?[0-9]{1,15}`
		show    = `%"(?:[ !#$&-~]|%[0-9a-f]{2})*"`
		bare    = `(?:` + number + `|` + text + `|` + token + `|` + byteSeq + `|\?[01]|` + date + `|` + show + `)`
		params  = `(?:; *` + key + `(?:=` + bare + `)?)*`
		item    = bare + params
		list    = `\( *(?:` + item + `(?: +` + item + `)* *)?\)` + params
		member  = key + `(?:=(?:` + list + `|` + item + `)|` + params + `)`
	)
	return regexp.MustCompile(`^ *(?:` + member + `(?:[ \t]*,[ \t]*` + member + `)*[ \t]*)?$`)
}()

// FuzzDictionary holds the parser to its slow twin, and what it reads to what it
// writes.
func FuzzDictionary(f *testing.F) {
	for _, field := range []string{
		`sig1=("@authority" "signature-agent";key="sig1");created=1735689600;keyid="x";tag="web-bot-auth"`,
		"sig1=:aGVsbG8=:, b=?0;c=1.5;d=*a/b, e=( 1  2 );f",
		`a=@1, b=%"%c3%bc"`,
		"a=1 ,\tb",
	} {
		f.Add(field)
	}
	byteSeq := regexp.MustCompile(`:[A-Za-z0-9+/=]*:`)
	f.Fuzz(func(t *testing.T, field string) {
		d, err := ParseDictionary(field)
		if err != nil {
			if !slowDictionary.MatchString(field) || len(field) > 200 || strings.Contains(field, `%"`) {
				return
			}
			// What looks like bytes may stand in a string, or be none.
			for _, o := range byteSeq.FindAllString(field, -1) {
				if _, err := base64.StdEncoding.DecodeString(strings.Trim(o, ":")); err != nil {
					return
				}
			}
			t.Fatalf("%q: %v, but its grammar is right", field, err)
		}
		if !slowDictionary.MatchString(field) {
			t.Fatalf("%q: got %q, but its grammar is wrong", field, d)
		}
		written := d.String()
		again, err := ParseDictionary(written)
		if err != nil && len(written) <= MaxField {
			t.Fatalf("%q: got %q, which cannot be read: %v", field, written, err)
		}
		if err == nil && (again.String() != written || len(again.Members) != len(d.Members) || again.Repeated != "") {
			t.Fatalf("%q: got %q, and from that %q", field, written, again)
		}
		for i := range len(written) {
			if written[i] < ' ' || written[i] > '~' {
				t.Fatalf("%q: got %q", field, written)
			}
		}
	})
}

// FuzzString holds strings of the fields to what they were made from.
func FuzzString(f *testing.F) {
	f.Add(`a"b\c`, []byte("ü"))
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) {
			text = "x"
		}
		d := &Dictionary{Members: []Member{{Key: "a", Item: Item{text, []Param{{"b", data}}}}}}
		if utf8.Valid(data) {
			d.Members[0].Params = append(d.Members[0].Params, Param{"c", Display(data)})
		}
		again, err := ParseDictionary(d.String())
		if len(d.String()) > MaxField {
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", d, err)
		}
		m := again.Members[0]
		if m.Value != text || !slices.Equal(m.Param("b").([]byte), data) {
			t.Fatalf("%q: got %q %q", d, m.Value, m.Param("b"))
		}
		if utf8.Valid(data) && m.Param("c") != Display(data) {
			t.Fatalf("%q: got %q", d, m.Param("c"))
		}
	})
}
