//go:build wasip1

// Audit is the engine of the view Audit of the web page, as WebAssembly. JavaScript gives it the
// pieces of the logs when it asks for them, so that a log may be larger than the memory.
package main

import (
	"errors"
	"io"
	"unsafe"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/auditask"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/border"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
)

// read writes the next bytes of a log to the memory at an address, and returns their number: 0 at
// the end, -1 if the browser cannot read the file.
//
//go:wasmimport page read
func read(log uint32, at unsafe.Pointer, size uint32) int32

// A log is the place of a log in the question.
type log uint32

var errUnreadable = errors.New("the browser cannot read the file any more: choose it again")

// Read reads the next bytes.
func (l log) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	n := read(uint32(l), unsafe.Pointer(unsafe.SliceData(b)), uint32(len(b)))
	switch {
	case n < 0:
		return 0, errUnreadable
	case n == 0:
		return 0, io.EOF
	}
	return int(n), nil
}

func init() {
	border.Engine = engine.New(auditask.Questions(func(place int) io.Reader { return log(place) })...)
}

func main() {}
