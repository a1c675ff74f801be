package index

import (
	bleve "github.com/blevesearch/bleve_index_api"
)

// maxInBatch limits the pending pages: small pages need memory too.
const maxInBatch = 1000

// A batch holds pending changes. The last change of a page wins.
type batch struct {
	*bleve.Batch
	bytes int // of text, including pages that were replaced since
}

func newBatch() *batch { return &batch{Batch: bleve.NewBatch()} }

// add adds a page, or its removal, to the pending changes, and writes them if the batch
// is full.
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
		x.batch.bytes += len(url)
	} else {
		x.batch.Update(d)
		x.batch.bytes += d.bytes
	}
	full := x.batch.bytes >= x.options.Memory || len(x.batch.IndexOps) >= maxInBatch
	x.mu.Unlock()
	if !full {
		return nil
	}
	if err := x.flush(); err != nil {
		return x.failed("write", err)
	}
	return nil
}

// flush writes pending changes. A concurrent caller waits for the next batch, so at
// most two batches are in memory.
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
