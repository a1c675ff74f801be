package parquet

import "encoding/binary"

// Numbers of parquet.thrift.
const (
	typeInt32 = 1
	typeInt64 = 2
	typeBytes = 6

	convertedUTF8   = 0
	convertedMicros = 10
	convertedInt32  = 17
	convertedInt64  = 18

	logicalText      = 1
	logicalTimestamp = 8
	logicalInteger   = 10

	encodingPlain      = 0
	encodingRLE        = 3
	encodingDictionary = 8

	pageData       = 0
	pageDictionary = 2

	codecGzip = 2
)

// An encoder writes structures in Thrift's compact protocol: the fields of a structure in
// ascending order, each with the difference of its number to that of the field before.
type encoder struct {
	b    []byte
	last int   // the number of the last field
	open []int // the last numbers of the structures around
}

// The types of the compact protocol.
const (
	kindTrue   = 1
	kindFalse  = 2
	kindI8     = 3
	kindI16    = 4
	kindI32    = 5
	kindI64    = 6
	kindBytes  = 8
	kindList   = 9
	kindStruct = 12
)

func (e *encoder) field(number, kind int) {
	e.b = append(e.b, byte((number-e.last)<<4|kind))
	e.last = number
}

func (e *encoder) integer(number, kind int, v int64) {
	e.field(number, kind)
	e.b = binary.AppendVarint(e.b, v)
}

func (e *encoder) i32(number int, v int)   { e.integer(number, kindI32, int64(v)) }
func (e *encoder) i64(number int, v int64) { e.integer(number, kindI64, v) }

func (e *encoder) i8(number int, v byte) {
	e.field(number, kindI8)
	e.b = append(e.b, v)
}

func (e *encoder) truth(number int, v bool) {
	if v {
		e.field(number, kindTrue)
	} else {
		e.field(number, kindFalse)
	}
}

func (e *encoder) text(number int, s string) {
	e.field(number, kindBytes)
	e.bareText(s)
}

func (e *encoder) bareText(s string) {
	e.b = append(binary.AppendUvarint(e.b, uint64(len(s))), s...)
}

// list begins a list, whose elements follow without numbers.
func (e *encoder) list(number, kind, n int) {
	e.field(number, kindList)
	if n < 15 {
		e.b = append(e.b, byte(n<<4|kind))
	} else {
		e.b = binary.AppendUvarint(append(e.b, byte(15<<4|kind)), uint64(n))
	}
}

// structure writes a structure as a field.
func (e *encoder) structure(number int, fields func()) {
	e.field(number, kindStruct)
	e.element(fields)
}

// element writes a structure as an element of a list, or as a whole.
func (e *encoder) element(fields func()) {
	e.open = append(e.open, e.last)
	e.last = 0
	fields()
	e.b = append(e.b, 0)
	e.last = e.open[len(e.open)-1]
	e.open = e.open[:len(e.open)-1]
}
