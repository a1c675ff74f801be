package index

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestStored checks the numbers and names stored in indexes on disk. Add a new
// construct at the end. Any other change needs another format.
func TestStored(t *testing.T) {
	for number, c := range []Construct{
		0: Text, 1: Alt, 2: Strong, 3: Keywords, 4: Description, 5: Heading6, 6: Heading5, 7: Heading4, 8: Heading3,
		9: Heading2, 10: Heading1, 11: Title, 12: Address,
	} {
		if int(c) != number {
			t.Errorf("the construct %v is %d, and %d in indexes on disks", c, c, number)
		}
	}
	want := "[{text 1} {picture 1} {emphasis 2} {keywords 2} {description 3} {heading 3} {heading 3} {heading 3} " +
		"{heading 3} {heading 4} {heading 6} {title 10} {address 3}]"
	if got := fmt.Sprint(constructs); got != want {
		t.Errorf("the constructs have the weights\n%s\nand in indexes on disks\n%s", got, want)
	}
	fields := strings.Join([]string{wordsField, siteField, langField, digestField, namedField, addressField, linksField,
		orderField, storedField, idField}, " ")
	if want := "w s l g c u a o p _id"; fields != want {
		t.Errorf("the fields are %s, and %s in indexes on disks", fields, want)
	}
	if format != "2" || string(formatKey) != "robots-format" {
		t.Errorf("format %s, under %s: what was the format before must be refused with what to do", format, formatKey)
	}
	got, err := json.Marshal(resultData{
		Title: "T", Description: "D", Keywords: "K", Language: "en", FetchedAt: time.Date(2026, 11, 2, 3, 4, 5, 0,
			time.UTC), ETag: "e", Digest: "g", MaxSnippet: 6,
		Passages: []resultPassage{{"a", Heading1, true}},
	})
	if want := `{"t":"T","d":"D","k":"K","l":"en","f":"2026-11-02T03:04:05Z","e":"e","g":"g","m":6,"p":[{"t":"a","c":10,"j":true}]}`; err != nil || string(got) != want {
		t.Errorf("a page is kept as\n%s\nand in indexes on disks\n%s", got, want)
	}
}
