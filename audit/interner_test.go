package audit

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Equal texts have one number, also after others were forgotten.
func TestInterner(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 1))
	for range 50 {
		var i interner
		number := func(text string) uint32 { return i.number(text, secretHash([]byte(text))) }
		entries := []entry{{header: number("")}}
		texts := []string{""} // of the entries
		for range 20 {
			for range random.IntN(200) {
				text := fmt.Sprint("text ", random.IntN(300))
				if n := number(text); random.IntN(4) == 0 {
					entries, texts = append(entries, entry{header: n}), append(texts, text)
				}
			}
			i.retain(len(entries), func(yield func(*uint32) bool) {
				for j := range entries {
					yield(&entries[j].header)
				}
			})
			numbers := map[string]uint32{}
			for j, e := range entries {
				if got := i.text(e.header); got != texts[j] {
					t.Fatalf("entry %d: got %q, want %q", j, got, texts[j])
				}
				if n, ok := numbers[texts[j]]; ok && n != e.header || number(texts[j]) != e.header {
					t.Fatalf("%q has two numbers", texts[j])
				}
				numbers[texts[j]] = e.header
			}
			if len(i.spans) > len(entries) {
				t.Fatalf("%d texts for %d entries", len(i.spans), len(entries))
			}
			drop := random.IntN(len(entries))
			entries, texts = entries[drop:], texts[drop:]
		}
	}
}
