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

// change makes a pending change with a text of a size, and writes all of them if the batch
// is full.
func (x *Index) change(size int, apply func(*bleve.Batch)) error {
	x.mu.Lock()
	err := x.refusal()
	if err == nil {
		apply(x.batch.Batch)
		x.batch.bytes += size
	}
	full := x.batch.bytes >= x.options.Memory || len(x.batch.IndexOps) >= maxInBatch
	x.mu.Unlock()
	if err == nil && full {
		err = x.flush()
	}
	if err != nil {
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
	b, err := x.batch, x.refusal()
	if err == nil {
		x.batch = newBatch()
	}
	x.mu.Unlock()
	if err != nil || len(b.IndexOps) == 0 {
		return err
	}
	if err := x.store.write(b.Batch); err != nil {
		return x.fail(err)
	}
	x.unshown = true
	return nil
}
