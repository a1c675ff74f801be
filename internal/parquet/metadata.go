package parquet

import (
	"encoding/binary"
	"slices"
)

// pageHeader returns the PageHeader of a page with a compressed size, until the next call.
func (e *encoder) pageHeader(p page, compressed int) []byte {
	e.b = e.b[:0]
	e.element(func() {
		kind := pageData
		if p.dictionary {
			kind = pageDictionary
		}
		e.i32(1, kind)
		e.i32(2, len(p.data))
		e.i32(3, compressed)
		if p.dictionary {
			e.structure(7, func() {
				e.i32(1, p.values)
				e.i32(2, encodingPlain)
			})
			return
		}
		e.structure(5, func() {
			e.i32(1, p.values)
			e.i32(2, p.encoding)
			e.i32(3, encodingRLE) // of definition levels
			e.i32(4, encodingRLE) // of repetition levels, of which there are none
		})
	})
	return e.b
}

// footer returns the FileMetaData.
func (w *Writer) footer() []byte {
	var e encoder
	e.element(func() {
		e.i32(1, 2) // the version
		e.list(2, kindStruct, 1+len(w.columns))
		e.element(func() {
			e.text(4, "row")
			e.i32(5, len(w.columns))
		})
		for _, c := range w.columns {
			e.element(func() { e.schema(c.Column) })
		}
		e.i64(3, w.total)
		e.list(4, kindStruct, len(w.groups))
		for i, g := range w.groups {
			e.element(func() { e.group(w.columns, g, i) })
		}
		e.text(6, w.by)
		e.list(7, kindStruct, len(w.columns))
		for range w.columns { // least and greatest values are in the order of the type
			e.element(func() { e.structure(1, func() {}) })
		}
	})
	return e.b
}

// schema writes the SchemaElement of a column.
func (e *encoder) schema(c Column) {
	e.i32(1, c.Type.physical())
	repetition := 0
	if c.Optional {
		repetition = 1
	}
	e.i32(3, repetition)
	e.text(4, c.Name)
	converted := map[Type]int{Text: convertedUTF8, Int32: convertedInt32, Int64: convertedInt64, Micros: convertedMicros}
	e.i32(6, converted[c.Type])
	e.structure(10, func() {
		switch c.Type {
		case Text:
			e.structure(logicalText, func() {})
		case Micros:
			e.structure(logicalTimestamp, func() {
				e.truth(1, true) // adjusted to UTC
				e.structure(2, func() { e.structure(2, func() {}) })
			})
		default:
			e.structure(logicalInteger, func() {
				width := byte(64)
				if c.Type == Int32 {
					width = 32
				}
				e.i8(1, width)
				e.truth(2, true) // signed
			})
		}
	})
}

// physical returns how values of a type are stored.
func (t Type) physical() int {
	switch t {
	case Text:
		return typeBytes
	case Int32:
		return typeInt32
	}
	return typeInt64
}

// group writes the RowGroup with a number.
func (e *encoder) group(columns []*column, g group, number int) {
	size, compressed := int64(0), int64(0)
	e.list(1, kindStruct, len(columns))
	for i, c := range columns {
		chunk := g.chunks[i]
		size += chunk.size
		compressed += chunk.compressed
		e.element(func() {
			e.i64(2, 0) // a position that readers ignore
			e.structure(3, func() { e.chunk(c, chunk) })
		})
	}
	e.i64(2, size)
	e.i64(3, g.rows)
	e.i64(5, g.offset)
	e.i64(6, compressed)
	e.integer(7, kindI16, int64(number))
}

// chunk writes the ColumnMetaData of a column.
func (e *encoder) chunk(c *column, of chunk) {
	var encodings []int
	if of.hasNumbers {
		encodings = append(encodings, encodingPlain, encodingDictionary)
	}
	if of.hasPlain || len(encodings) == 0 {
		encodings = append(encodings, encodingPlain)
	}
	if c.Optional {
		encodings = append(encodings, encodingRLE)
	}
	slices.Sort(encodings)
	encodings = slices.Compact(encodings)
	e.i32(1, c.Type.physical())
	e.list(2, kindI32, len(encodings))
	for _, encoding := range encodings {
		e.b = binary.AppendVarint(e.b, int64(encoding))
	}
	e.list(3, kindBytes, 1)
	e.bareText(c.Name)
	e.i32(4, codecGzip)
	e.i64(5, of.values)
	e.i64(6, of.size)
	e.i64(7, of.compressed)
	e.i64(9, of.dataOffset)
	if of.dictionaryOffset >= 0 {
		e.i64(11, of.dictionaryOffset)
	}
	e.structure(12, func() {
		e.i64(3, of.nulls)
		if c.Type != Text && of.nulls < of.values {
			e.text(5, string(c.appendInt(nil, of.max)))
			e.text(6, string(c.appendInt(nil, of.min)))
		}
	})
}
