package userfile

import (
	"strings"
	"testing"
)

func TestURLs(t *testing.T) {
	most := "/" + strings.Repeat("a", longestURL-1)
	for _, test := range []struct {
		name, in string
		want     []string
		err      string
	}{
		{"kinds of lines", "\uFEFF/a\r\n\n # no\n\t/b \n#\n/c#d", []string{"/a", "/b", "/c#d"}, ""},
		{"nothing", "", nil, ""},
		{"the longest", most + "\r\n/b", []string{most, "/b"}, ""},
		{"too long", "/a\n" + most + "aaa\n/b", []string{"/a"},
			"urls.txt: line 2 is longer than 1 MiB: put one URL on a line"},
	} {
		var got []string
		message := ""
		for url, err := range URLs(strings.NewReader(test.in), "urls.txt") {
			if err != nil {
				message = err.Error()
				break
			}
			got = append(got, url)
		}
		if strings.Join(got, "\n") != strings.Join(test.want, "\n") || message != test.err {
			t.Errorf("%s: got %d URLs and error %q, want %d and %q", test.name, len(got), message, len(test.want),
				test.err)
		}
	}
}

// TestURLsOfTables checks the cells of tables with one column, which spreadsheets may quote.
func TestURLsOfTables(t *testing.T) {
	const several = "urls.csv: line 1 has several columns: save the column of the URLs alone, with one URL on a line"
	for _, test := range []struct{ name, in, want, err string }{
		{"urls.csv", "\"/a\"\r\n/b\n\"https://a.example/x?y=1,2\"\n\"/say-\"\"no\"\"\"\n",
			"/a /b https://a.example/x?y=1,2 /say-\"no\"", ""},
		{"urls.csv", "\"/a\",\"/b\"", "", several},
		{"urls.csv", "\"/a,b", "", several},
		{"urls.csv", "\"", "\"", ""},
		{"urls.csv", "\"\xFF\xFE\x00\"", "\xFF\xFE\x00", ""},
		{"urls.txt", "\"/a\"", "\"/a\"", ""},
	} {
		var got []string
		message := ""
		for url, err := range URLs(strings.NewReader(test.in), test.name) {
			if err != nil {
				message = err.Error()
				break
			}
			got = append(got, url)
		}
		if strings.Join(got, " ") != test.want || message != test.err {
			t.Errorf("%s of %q: got %q and error %q, want %q and %q", test.name, test.in, got, message, test.want,
				test.err)
		}
	}
}
