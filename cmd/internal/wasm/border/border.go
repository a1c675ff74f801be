//go:build wasip1

// Package border exports an engine to JavaScript.
//
// JavaScript writes the input of a call to the memory that [input] returns, says how many bytes it
// wrote, and reads the answer where [answer] says. Every function but these two returns a number of
// 0 or more, or -1 with an error in the answer: a JSON object with "code" and "message". The
// functions are called one at a time.
package border

import (
	"encoding/binary"
	"runtime/debug"
	"unsafe"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Engine answers. The main package sets it.
var Engine *engine.Engine

// Limits of what crosses the border.
const (
	maxInput = 64 << 20 // bytes
	maxIdle  = 1 << 20  // bytes that are kept between calls
)

var (
	in    []byte    // the memory for inputs
	out   []byte    // the last answer
	place [2]uint32 // of the last answer: its address and its size
)

// input returns memory for inputs of a number of bytes, or 0 if they are too many. The memory is
// valid until the next call of input or [rest].
//
//go:wasmexport input
func input(size uint32) uint32 {
	if size > maxInput {
		return 0
	}
	if uint32(len(in)) < size {
		in = make([]byte, max(size, 4096))
	}
	return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(in))))
}

// written returns the first n bytes of the input, which JavaScript wrote.
func written(size uint32) []byte { return in[:min(int(size), len(in))] }

// answer returns the address of two numbers of 32 bits: the address and the size of the last
// answer. It never changes.
//
//go:wasmexport answer
func answer() uint32 { return uint32(uintptr(unsafe.Pointer(&place))) }

// give makes b the answer.
func give(b []byte) {
	out = b
	place[0], place[1] = uint32(uintptr(unsafe.Pointer(unsafe.SliceData(b)))), uint32(len(b))
}

// call answers a call. A panic is a fault of this module, and is an error like others.
func call(work func() (int32, error)) (result int32) {
	defer func() {
		if fault := recover(); fault != nil {
			why := "panic"
			switch fault := fault.(type) {
			case error:
				why = fault.Error()
			case string:
				why = fault
			}
			give(engine.AppendError(nil, &engine.Error{Code: engine.Fault, Message: "the engine has a fault: " +
				printable.Clipped(why, 200) + ": report it with the input, please"}))
			result = -1
		}
	}()
	result, err := work()
	if err != nil {
		give(engine.AppendError(out[:0], err))
		return -1
	}
	return result
}

// about answers with the JSON of [engine.Engine.About].
//
//go:wasmexport about
func about() int32 {
	return call(func() (int32, error) {
		give(Engine.About())
		return 0, nil
	})
}

// parse returns the handle of the policy of a text, which is the input.
//
//go:wasmexport parse
func parse(size, dialect uint32) int32 {
	return call(func() (int32, error) {
		d, err := engine.DialectNumber(dialect)
		if err != nil {
			return 0, err
		}
		handle, err := Engine.Parse(string(written(size)), d)
		return int32(handle), err
	})
}

// fixed returns the handle of a policy without a text: without robots.txt everything is allowed; if
// robots.txt is unreachable, nothing is.
//
//go:wasmexport fixed
func fixed(unreachable uint32) int32 {
	return call(func() (int32, error) {
		handle, err := Engine.Fixed(unreachable != 0)
		return int32(handle), err
	})
}

// free forgets a policy, and returns 1 if it was kept.
//
//go:wasmexport free
func free(handle uint32) int32 {
	return call(func() (int32, error) {
		if Engine.Free(handle) {
			return 1, nil
		}
		return 0, nil
	})
}

// kept returns the number of policies that are kept.
//
//go:wasmexport kept
func kept() int32 { return int32(Engine.Kept()) }

// robots answers with the number of each robot of a list.
//
//go:wasmexport robots
func robots(size, handle uint32) int32 {
	return call(func() (int32, error) {
		asked, err := engine.ReadRobots(written(size))
		if err != nil {
			return 0, err
		}
		numbers, err := Engine.Robots(handle, asked)
		if err != nil {
			return 0, err
		}
		b := out[:0]
		for _, n := range numbers {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		give(b)
		return int32(len(numbers)), nil
	})
}

// forget forgets the robots of a policy.
//
//go:wasmexport forget
func forget(handle uint32) int32 {
	return call(func() (int32, error) { return 0, Engine.Forget(handle) })
}

// match returns the verdict on the URL of the input, and answers with the deciding rule.
//
//go:wasmexport match
func match(size, handle, robot uint32) int32 {
	return call(func() (int32, error) {
		url := written(size)
		v, rule, err := Engine.Match(out[:0], handle, robot, unsafe.String(unsafe.SliceData(url), len(url)))
		if err == nil {
			give(rule)
		}
		return int32(v), err
	})
}

// matchAll answers with verdicts, and returns their number.
//
//go:wasmexport match_all
func matchAll(size, handle uint32) int32 {
	return call(func() (int32, error) {
		numbers, urls, err := engine.ReadURLs(written(size))
		if err != nil {
			return 0, err
		}
		verdicts, err := Engine.MatchAll(nil, handle, numbers, urls)
		if err != nil {
			return 0, err
		}
		give(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(verdicts))), 4*len(verdicts)))
		return int32(len(verdicts)), nil
	})
}

// explain answers with the JSON of an explanation.
//
//go:wasmexport explain
func explain(size, handle, robot uint32) int32 {
	return call(func() (int32, error) {
		b, err := Engine.Explain(handle, robot, string(written(size)))
		if err == nil {
			give(b)
		}
		return 0, err
	})
}

// facts answers with the JSON of [engine.Engine.Facts].
//
//go:wasmexport facts
func facts(handle, robot uint32) int32 {
	return call(func() (int32, error) {
		b, err := Engine.Facts(handle, robot)
		if err == nil {
			give(b)
		}
		return 0, err
	})
}

// ask answers a question in JSON. The input is the name of the question, of a number of bytes, and
// the object.
//
//go:wasmexport ask
func ask(size, name uint32) int32 {
	return call(func() (int32, error) {
		question := written(size)
		name := min(int(name), len(question))
		b, err := Engine.Ask(string(question[:name]), question[name:])
		if err == nil {
			give(b)
		}
		return 0, err
	})
}

// rest drops what is kept between calls beyond a size, and returns memory to the heap. JavaScript
// calls it after large answers.
//
//go:wasmexport rest
func rest() int32 {
	if len(in) > maxIdle {
		in = nil
	}
	if cap(out) > maxIdle {
		give(nil)
	}
	debug.FreeOSMemory()
	return 0
}
