package language

import (
	"embed"
	"strconv"
	"strings"
	"sync"
)

//go:generate go test -run TestCatalog -update

// files has a file for each language: a text a line, quoted as in Go, in the same order in all
// files. A text that is not translated is "". Programs embed these files and not those of po,
// because the latter repeat the English in each language.
//
//go:embed catalog
var files embed.FS

// A catalog has the translations to one language by the keys of their texts. It is read when a
// text is first asked for in that language, so that English costs nothing.
type catalog struct {
	once  sync.Once
	texts map[string]string
}

// catalogs has the catalog of each language except English.
var catalogs [len(codes)]catalog

// find returns the translation of the text with this key, or "" if there is none.
func (c *catalog) find(l Language, key string) string {
	c.once.Do(func() {
		keys, texts := lines(English), lines(l)
		c.texts = make(map[string]string, len(keys))
		for i, key := range keys {
			c.texts[key] = texts[i]
		}
	})
	return c.texts[key]
}

// lines returns the texts of an embedded file. TestCatalog holds that the file is there, and that
// each line of it is quoted.
func lines(l Language) (texts []string) {
	data, _ := files.ReadFile("catalog/" + l.String() + ".txt")
	for line := range strings.Lines(string(data)) {
		text, _ := strconv.Unquote(strings.TrimSpace(line))
		texts = append(texts, text)
	}
	return texts
}
