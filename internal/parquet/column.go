package parquet

import (
	"encoding/binary"
	"math/bits"
)

// A Type is the type of a column.
type Type int

// The types.
const (
	Text   Type = iota // UTF-8
	Int32              // signed
	Int64              // signed
	Micros             // microseconds since 1970, UTC
)

// A Column describes a column.
type Column struct {
	Name       string
	Type       Type
	Optional   bool // values may be NULL
	Dictionary bool // values repeat: write each once, and then its number
}

// A column has the values of a column in the current row group.
type column struct {
	Column
	chunk

	// The current page. A dictionary column has the numbers of its values, until it is plain;
	// then, as in other columns, the values are encoded as they come.
	present  []uint32 // 1 for each value, 0 for each NULL
	numbers  []uint32
	values   []byte
	pageSize int // about, in bytes

	dictionary     []any // of string or int64, in the order of their numbers
	texts          map[string]uint32
	ints           map[int64]uint32
	lastText       string // the value with the number lastNumber
	lastNumber     uint32
	dictionarySize int
	plain          bool // the dictionary is too large

	pages   []byte // compressed, with their headers
	scratch []byte
}

// A chunk is what the footer says of a column in a row group.
type chunk struct {
	values, nulls                int64 // values include those that are NULL
	size, compressed             int64 // bytes of pages, with their headers
	dictionaryOffset, dataOffset int64 // in the file; the first is -1 without a dictionary
	min, max                     int64 // of integers that are not NULL
	hasPlain, hasNumbers         bool  // the encodings of pages
}

func newColumn(c Column) *column {
	out := &column{Column: c}
	out.clearChunk()
	return out
}

// numbered reports whether values of the current page are numbers of a dictionary.
func (c *column) numbered() bool { return c.Dictionary && !c.plain }

// encoding returns the encoding of the current page. A page before the first value has no dictionary
// that it could refer to.
func (c *column) encoding() int {
	if c.numbered() && len(c.dictionary) > 0 {
		return encodingDictionary
	}
	return encodingPlain
}

func (c *column) addText(s string) {
	c.present = append(c.present, 1)
	if !c.numbered() {
		c.values = append(le32(c.values, uint32(len(s))), s...)
		c.pageSize += 4 + len(s)
		return
	}
	if len(c.dictionary) == 0 || s != c.lastText {
		n, ok := c.texts[s]
		if !ok {
			n = uint32(len(c.dictionary))
			c.texts[s] = n
			c.dictionary = append(c.dictionary, s)
			c.dictionarySize += 4 + len(s)
		}
		c.lastText, c.lastNumber = s, n
	}
	c.addNumber(c.lastNumber)
}

func (c *column) addInt(v int64) {
	if c.chunk.values+int64(len(c.present)) == c.nulls { // the first that is not NULL
		c.min, c.max = v, v
	}
	c.min, c.max = min(c.min, v), max(c.max, v)
	c.present = append(c.present, 1)
	if !c.numbered() {
		c.values = c.appendInt(c.values, v)
		c.pageSize += 8
		return
	}
	n, ok := c.ints[v]
	if !ok {
		n = uint32(len(c.dictionary))
		c.ints[v] = n
		c.dictionary = append(c.dictionary, v)
		c.dictionarySize += 8
	}
	c.addNumber(n)
}

func (c *column) addNumber(n uint32) {
	c.numbers = append(c.numbers, n)
	c.pageSize += 4
}

func (c *column) addNull() {
	c.present = append(c.present, 0)
	c.nulls++
}

// appendInt appends an integer in the plain encoding.
func (c *column) appendInt(b []byte, v int64) []byte {
	if c.Type == Int32 {
		return le32(b, uint32(v))
	}
	return binary.LittleEndian.AppendUint64(b, uint64(v))
}

// appendDictionary appends the values of the dictionary in the plain encoding.
func (c *column) appendDictionary(b []byte) []byte {
	for _, v := range c.dictionary {
		switch v := v.(type) {
		case string:
			b = append(le32(b, uint32(len(v))), v...)
		case int64:
			b = c.appendInt(b, v)
		}
	}
	return b
}

// appendPage appends the current page, before its compression: where values may be NULL, which of
// them are not, and then the values.
func (c *column) appendPage(b []byte) []byte {
	if c.Optional {
		at := len(b)
		b = appendHybrid(le32(b, 0), c.present, 1)
		binary.LittleEndian.PutUint32(b[at:], uint32(len(b)-at-4))
	}
	if c.encoding() == encodingPlain {
		c.hasPlain = true
		return append(b, c.values...)
	}
	c.hasNumbers = true
	largest := uint32(0)
	for _, n := range c.numbers {
		largest = max(largest, n)
	}
	width := bits.Len32(largest)
	return appendHybrid(append(b, byte(width)), c.numbers, width)
}

// clearPage begins a page.
func (c *column) clearPage() {
	c.present, c.numbers, c.values, c.pageSize = c.present[:0], c.numbers[:0], c.values[:0], 0
}

// clearChunk begins a row group.
func (c *column) clearChunk() {
	c.clearPage()
	c.chunk, c.plain, c.pages = chunk{}, false, c.pages[:0]
	c.dictionary, c.dictionarySize, c.lastText, c.lastNumber = nil, 0, "", 0
	switch {
	case c.Dictionary && c.Type == Text:
		c.texts = make(map[string]uint32)
	case c.Dictionary:
		c.ints = make(map[int64]uint32)
	}
}

// appendHybrid appends numbers of some bits each in the hybrid of run lengths and packed bits: a run
// of equal numbers, or groups of eight numbers, of which the last is filled up with zeros.
func appendHybrid(b []byte, numbers []uint32, width int) []byte {
	for i := 0; i < len(numbers); {
		if n := run(numbers[i:]); n >= 8 {
			b = binary.AppendUvarint(b, uint64(n)<<1)
			for shift := 0; shift < width; shift += 8 {
				b = append(b, byte(numbers[i]>>shift))
			}
			i += n
			continue
		}
		from := i
		for i < len(numbers) && !repeats(numbers[i:]) {
			i = min(i+8, len(numbers))
		}
		groups := (i - from + 7) / 8
		b = binary.AppendUvarint(b, uint64(groups)<<1|1)
		b = appendPacked(b, numbers[from:i], width)
	}
	return b
}

// run returns how many numbers at the beginning are equal.
func run(numbers []uint32) int {
	n := 1
	for n < len(numbers) && numbers[n] == numbers[0] {
		n++
	}
	return n
}

// repeats reports whether the first eight numbers are equal.
func repeats(numbers []uint32) bool { return len(numbers) >= 8 && run(numbers[:8]) == 8 }

// appendPacked appends the bits of numbers, the lowest first, with zeros up to a multiple of eight numbers.
func appendPacked(b []byte, numbers []uint32, width int) []byte {
	var held uint64
	n := 0 // bits held
	for i := range (len(numbers) + 7) / 8 * 8 {
		if i < len(numbers) {
			held |= uint64(numbers[i]) << n
		}
		for n += width; n >= 8; n -= 8 {
			b = append(b, byte(held))
			held >>= 8
		}
	}
	return b
}

func le32(b []byte, v uint32) []byte { return binary.LittleEndian.AppendUint32(b, v) }
