package index

import (
	bleve "github.com/blevesearch/bleve_index_api"
)

// maxInBatch is how many pages wait at most: small ones need memory too.
const maxInBatch = 1000

// A batch is what waits to be written. Of several changes of a page the last one
// counts.
type batch struct {
	*bleve.Batch
	octets int // of text, also of pages that were replaced since
}

func newBatch() *batch { return &batch{Batch: bleve.NewBatch()} }

// add adds a page to what waits, or its removal, and writes what waits if that
// is enough.
func (x *Index) add(url string, d *document) error {
	x.mu.Lock()
	switch {
	case x.options.ReadOnly:
		x.mu.Unlock()
		return x.failed("write", errReadOnly)
	case x.closed:
		x.mu.Unlock()
		return x.failed("write", ErrClosed)
	case x.failure != nil:
		err := x.failure
		x.mu.Unlock()
		return x.failed("write", err)
	}
	if d == nil {
		x.batch.Delete(url)
		x.batch.octets += len(url)
	} else {
		x.batch.Update(d)
		x.batch.octets += d.octets
	}
	full := x.batch.octets >= x.options.Memory || len(x.batch.IndexOps) >= maxInBatch
	x.mu.Unlock()
	if !full {
		return nil
	}
	if err := x.flush(); err != nil {
		return x.failed("write", err)
	}
	return nil
}

// flush writes pending changes. A caller that comes meanwhile waits for the next batch, so that
// there are never more than two in memory.
func (x *Index) flush() error {
	x.flushing.Lock()
	defer x.flushing.Unlock()
	x.mu.Lock()
	b, err := x.batch, x.failure
	switch {
	case x.options.ReadOnly:
		err = errReadOnly
	case x.closed:
		err = ErrClosed
	}
	if err != nil || len(b.IndexOps) == 0 {
		x.mu.Unlock()
		return err
	}
	x.batch = newBatch()
	x.mu.Unlock()
	if err := x.store.write(b.Batch); err != nil {
		return x.fail(err)
	}
	x.unshown = true
	return nil
}
