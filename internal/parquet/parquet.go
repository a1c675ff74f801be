// Package parquet writes tables as Apache Parquet files: flat columns of texts and integers, in row
// groups of limited size, compressed by gzip. It has no more of the format than robots audit
// writes: a library for all of it would be the largest part of the command.
//
// The format is that of https://github.com/apache/parquet-format, version 2.12, with data pages of
// version 1, which every reader knows.
package parquet

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Limits of what is held in memory.
const (
	MaxGroupRows  = 128 << 10 // rows in a row group
	MaxGroupBytes = 32 << 20  // bytes of the values in a row group, before the last row
	maxPage       = 256 << 10 // bytes of a page, before the last value
	maxPageValues = 32 << 10
	maxDictionary = 1 << 20 // bytes of a dictionary; then the column goes on with plain values in this row group
)

// rowCost is added to the bytes of a row group for each row: what columns keep besides the values.
const rowCost = 256

// level is the level of gzip: rows of audits are 3 % larger than by Zstandard, and take an eighth longer. Level 1
// makes them 12 % larger, and levels from 3 on take a quarter longer and more.
const level = 2

// A Writer writes a file. It is for one goroutine. A row is written value by value, in the order of
// columns, and ended with EndRow.
type Writer struct {
	w         io.Writer
	by        string
	columns   []*column
	next      int // the column of the next value
	size      int // bytes of values in the row group
	rows      int // in the row group
	total     int64
	offset    int64 // bytes written
	groups    []group
	err       error // the first of writing
	compress  *gzip.Writer
	header    encoder      // of pages
	compacted bytes.Buffer // a compressed page
}

// A group is a row group that was written.
type group struct {
	offset, rows int64
	chunks       []chunk
}

// NewWriter returns a writer of a file with these columns. The text by names the program that
// writes the file.
func NewWriter(w io.Writer, by string, columns ...Column) *Writer {
	compress, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err) // the level is wrong
	}
	out := &Writer{w: w, by: by, compress: compress}
	for _, c := range columns {
		out.columns = append(out.columns, newColumn(c))
	}
	out.write([]byte(magic))
	return out
}

const magic = "PAR1" // at the beginning and at the end of a file

// Text adds the value of the next column, which has texts. In an optional column, "" is NULL.
func (w *Writer) Text(s string) {
	if c := w.columns[w.next]; c.Optional && s == "" {
		w.Null()
	} else {
		c.addText(s)
		w.added(c, len(s))
	}
}

// Int adds the value of the next column, which has integers or times.
func (w *Writer) Int(v int64) {
	c := w.columns[w.next]
	c.addInt(v)
	w.added(c, 0)
}

// Null adds NULL to the next column, which must be optional.
func (w *Writer) Null() {
	c := w.columns[w.next]
	c.addNull()
	w.added(c, 0)
}

// added ends the page of a column if it is large enough.
func (w *Writer) added(c *column, size int) {
	w.next++
	w.size += size
	if c.pageSize >= maxPage || len(c.present) >= maxPageValues {
		w.endPage(c)
	}
	if c.dictionarySize >= maxDictionary && !c.plain {
		w.endPage(c)
		c.plain = true
	}
}

// EndRow ends a row, after a value for each column. The error is that of writing.
func (w *Writer) EndRow() error {
	if w.next != len(w.columns) {
		return fmt.Errorf("a row of %d values, of %d columns", w.next, len(w.columns))
	}
	w.next = 0
	w.rows++
	w.size += rowCost
	if w.rows >= MaxGroupRows || w.size >= MaxGroupBytes {
		w.endGroup()
	}
	return w.err
}

// Close ends the file. It does not close the writer below.
func (w *Writer) Close() error {
	if w.rows > 0 {
		w.endGroup()
	}
	footer := w.footer()
	w.write(footer)
	w.write(append(le32(nil, uint32(len(footer))), magic...))
	return w.err
}

// endPage compresses the values of a column, and keeps the page until the row group ends.
func (w *Writer) endPage(c *column) {
	if len(c.present) == 0 {
		return
	}
	c.scratch = c.appendPage(c.scratch[:0])
	c.pages = w.appendPage(c.pages, &c.chunk, page{data: c.scratch, values: len(c.present), encoding: c.encoding()})
	c.chunk.values += int64(len(c.present))
	c.clearPage()
}

// A page is a page before its compression.
type page struct {
	data       []byte
	values     int
	encoding   int
	dictionary bool
}

// appendPage appends a page with its header, and adds it to the sums of its chunk.
func (w *Writer) appendPage(to []byte, of *chunk, p page) []byte {
	w.compacted.Reset()
	w.compress.Reset(&w.compacted)
	w.compress.Write(p.data) // writes to a buffer have no errors
	w.compress.Close()
	header := w.header.pageHeader(p, w.compacted.Len())
	of.size += int64(len(header) + len(p.data))
	of.compressed += int64(len(header) + w.compacted.Len())
	return append(append(to, header...), w.compacted.Bytes()...)
}

// endGroup writes the row group: for each column its dictionary and its pages.
func (w *Writer) endGroup() {
	g := group{offset: w.offset, rows: int64(w.rows)}
	for _, c := range w.columns {
		w.endPage(c)
		c.chunk.dictionaryOffset = -1
		if len(c.dictionary) > 0 {
			c.chunk.dictionaryOffset = w.offset
			c.scratch = c.appendDictionary(c.scratch[:0])
			w.write(w.appendPage(nil, &c.chunk, page{data: c.scratch, values: len(c.dictionary), dictionary: true}))
		}
		c.chunk.dataOffset = w.offset
		w.write(c.pages)
		g.chunks = append(g.chunks, c.chunk)
		c.clearChunk()
	}
	w.groups = append(w.groups, g)
	w.total += g.rows
	w.rows, w.size = 0, 0
}

// write writes bytes, unless there was an error before.
func (w *Writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
		w.offset += int64(len(b))
	}
}
