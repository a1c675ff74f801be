package search

import (
	"bytes"
	"database/sql"
	"strings"
	"testing"

	"golang.org/x/net/html"
	_ "modernc.org/sqlite" // registers the driver

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// A sqliteIndex is SQLite's own full-text index of the pages: words stemmed by Porter's
// rules, ranked by bm25 with the title counted tenfold.
type sqliteIndex struct{ db *sql.DB }

func newSQLiteIndex(t testing.TB, all []*document) *sqliteIndex {
	db, err := sql.Open("sqlite", ":memory:")
	fatal.If(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1) // each connection would have a memory of its own
	if _, err := db.Exec(`CREATE VIRTUAL TABLE pages USING fts5(name UNINDEXED, title, body, tokenize = 'porter unicode61')`); err != nil {
		t.Fatal(err)
	}
	tx, err := db.Begin()
	fatal.If(t, err)
	for _, d := range all {
		title, body := texts(d.html)
		if _, err := tx.Exec(`INSERT INTO pages VALUES (?, ?, ?)`, d.name(), title, body); err != nil {
			t.Fatal(err)
		}
	}
	fatal.If(t, tx.Commit())
	return &sqliteIndex{db}
}

// search returns the names of the best pages.
func (x *sqliteIndex) search(t testing.TB, query string) (names []string) {
	var quoted []string
	for _, word := range strings.Fields(query) {
		quoted = append(quoted, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
	}
	rows, err := x.db.Query(`SELECT name FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 0, 10, 1), rowid LIMIT 10`,
		strings.Join(quoted, " "))
	fatal.If(t, err)
	defer rows.Close()
	for rows.Next() {
		var name string
		fatal.If(t, rows.Scan(&name))
		names = append(names, name)
	}
	fatal.If(t, rows.Err())
	return names
}

// texts returns the title of a page and all other text that is not of a script or style
// sheet: what a plain converter would hand over.
func texts(page []byte) (title, body string) {
	var in string
	var t, b strings.Builder
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return t.String(), b.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			in = string(name)
		case html.EndTagToken:
			in = ""
			b.WriteByte(' ')
		case html.TextToken:
			switch in {
			case "script", "style":
			case "title":
				t.Write(z.Text())
			default:
				b.Write(z.Text())
			}
		}
	}
}
