package accesslog

// An aheadReader reads from a source in a goroutine of its own.
type aheadReader struct {
	full  chan aheadChunk
	empty chan []byte // at most aheadChunks; closed when no more are wanted
	chunk aheadChunk  // what is left of the last one
	array []byte      // its memory
}

// An aheadChunk is bytes, and the error after them.
type aheadChunk struct {
	data []byte
	err  error
}

// aheadChunks is how many chunks of blockSize bytes are read ahead.
const aheadChunks = 4

func readAhead(from *source) *aheadReader {
	r := &aheadReader{full: make(chan aheadChunk, aheadChunks), empty: make(chan []byte, aheadChunks)}
	for range aheadChunks {
		r.empty <- make([]byte, blockSize)
	}
	go r.read(from)
	return r
}

// read reads until there is an error, or no more is wanted.
func (r *aheadReader) read(from *source) {
	defer close(r.full)
	for array := range r.empty {
		n, err := from.fill(array)
		r.full <- aheadChunk{array[:n], err} // it has room for all
		if err != nil {
			return
		}
	}
}

// Read reads from one chunk.
func (r *aheadReader) Read(b []byte) (n int, err error) {
	if len(r.chunk.data) == 0 && r.chunk.err == nil {
		r.release()
		r.chunk = <-r.full
		r.array = r.chunk.data
	}
	n = copy(b, r.chunk.data)
	r.chunk.data = r.chunk.data[n:]
	if len(r.chunk.data) == 0 {
		err = r.chunk.err
	}
	return n, err
}

// release gives the memory of the last chunk back.
func (r *aheadReader) release() {
	if r.array != nil {
		r.empty <- r.array[:cap(r.array)]
	}
}

// close ends the goroutine, and waits for its end.
func (r *aheadReader) close() {
	close(r.empty)
	for range r.full {
	}
}
