// Package caches has examples of a [fetch.Cache] in a database: copy the one that you need. SQL
// works with any driver of database/sql for SQLite or PostgreSQL, Redis with any server that speaks
// its protocol. Both store the JSON of an entry, and beside it the text of robots.txt, which is not
// in the JSON.
package caches

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
)

// SQL is a cache in the table robots of a database.
type SQL struct{ DB *sql.DB }

// Create creates the table. The last column is the time of the entry in milliseconds since 1970.
func (c SQL) Create(ctx context.Context) error {
	_, err := c.DB.ExecContext(ctx, `CREATE TABLE IF NOT EXISTS robots (
		origin TEXT PRIMARY KEY, entry TEXT NOT NULL, text BLOB, checked BIGINT NOT NULL)`)
	return err
}

// Get implements [fetch.Cache].
func (c SQL) Get(ctx context.Context, origin string) (*fetch.Entry, error) {
	var entry string
	var text []byte
	err := c.DB.QueryRowContext(ctx, `SELECT entry, text FROM robots WHERE origin = $1`, origin).Scan(&entry, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%s is not in the table: %w", origin, fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	return decode([]byte(entry), text)
}

// Put implements [fetch.Cache]. Of two machines that fetched at the same time, the later one wins.
func (c SQL) Put(ctx context.Context, e *fetch.Entry) error {
	entry, text, err := encode(e)
	if err != nil {
		return err
	}
	_, err = c.DB.ExecContext(ctx, `INSERT INTO robots (origin, entry, text, checked) VALUES ($1, $2, $3, $4)
		ON CONFLICT (origin) DO UPDATE SET entry = excluded.entry, text = excluded.text, checked = excluded.checked
		WHERE excluded.checked >= robots.checked`, e.Origin, string(entry), text, e.CheckedAt.UnixMilli())
	return err
}

// encode returns the JSON of an entry, and its text if it has one.
func encode(e *fetch.Entry) (entry, text []byte, err error) {
	if e.File != nil {
		text = []byte(e.File.Policy.String())
	}
	entry, err = json.Marshal(e)
	return entry, text, err
}

// decode returns an entry with its policy parsed again.
func decode(entry, text []byte) (*fetch.Entry, error) {
	e := new(fetch.Entry)
	if err := json.Unmarshal(entry, e); err != nil {
		return nil, fmt.Errorf("%w: %w", fetch.ErrCorrupt, err)
	}
	if e.File != nil {
		e.File.Policy = robots.Parse(text)
	}
	return e, nil
}
