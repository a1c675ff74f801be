package feed

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/crawler/internal/index"
)

// Index indexes the results of a crawl since the last time. The index keeps the results
// indexed so far, even after an error.
func Index(ctx context.Context, dir string, o Options) (Status, error) {
	f, err := Open(dir, o)
	if err != nil {
		return Status{}, err
	}
	err = f.Update(ctx)
	return f.Status(), cmp.Or(err, f.Close())
}

// Repair looks whether the index of a crawl can be read: damage is the error if it cannot be.
// It then makes the index again from the archive, and returns the counts, unless check is set.
// A crawl without an index needs no repair. The Robot of the options is for the new index; the
// other one keeps its own.
func Repair(ctx context.Context, dir string, o Options, check bool) (damage error, made Status, err error) {
	name := filepath.Join(dir, indexName)
	if _, err := os.Stat(name); err != nil {
		return nil, made, nil
	}
	if check {
		x, err := index.Open(name, index.Options{ReadOnly: true})
		if err != nil {
			return err, made, nil
		}
		return nil, made, x.Close()
	}
	_, damage = Index(ctx, dir, Options{Results: o.Results})
	switch {
	case errors.Is(damage, index.ErrLocked):
		return nil, made, damage
	case damage == nil || ctx.Err() != nil:
		return nil, made, ctx.Err()
	}
	if err := os.RemoveAll(name); err != nil {
		return damage, made, err
	}
	made, err = Index(ctx, dir, o)
	return damage, made, err
}
