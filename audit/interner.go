package audit

import (
	"iter"
	"math/bits"
)

// An interner numbers texts, from 0 on. The texts stand in one array, and the table has no
// pointers: a sample has up to a hundred thousand headers, which the garbage collector need not
// look at. Texts are found by their secret hashes, as in a headerCache: two texts with the same one
// would count as one.
type interner struct {
	texts []byte
	spans []textSpan // by number, in the order of texts
	slots []uint32   // a number and 1, or 0; a power of two, more than twice as many as numbers
}

// A textSpan is the place of a text, and its secret hash.
type textSpan struct {
	secret     uint64
	begin, end int
}

// number returns the number of a text with a secret hash.
func (i *interner) number(text string, secret uint64) uint32 {
	if len(i.slots) <= 2*len(i.spans) {
		i.fill(4 * (len(i.spans) + 16))
	}
	slot := i.slot(secret)
	for ; i.slots[slot] != 0; slot = (slot + 1) & (len(i.slots) - 1) {
		if n := i.slots[slot] - 1; i.spans[n].secret == secret {
			return n
		}
	}
	begin := len(i.texts)
	i.texts = append(i.texts, text...)
	i.spans = append(i.spans, textSpan{secret, begin, len(i.texts)})
	i.slots[slot] = uint32(len(i.spans))
	return i.slots[slot] - 1
}

// slot returns the first slot for a secret hash.
func (i *interner) slot(secret uint64) int { return int(secret & uint64(len(i.slots)-1)) }

// fill rebuilds the slots: at least as many as asked for.
func (i *interner) fill(slots int) {
	if slots > len(i.slots) {
		i.slots = make([]uint32, 1<<bits.Len(uint(slots)))
	}
	clear(i.slots)
	for n := range i.spans {
		slot := i.slot(i.spans[n].secret)
		for i.slots[slot] != 0 {
			slot = (slot + 1) & (len(i.slots) - 1)
		}
		i.slots[slot] = uint32(n + 1)
	}
}

// take returns the number of a text of another interner.
func (i *interner) take(j *interner, n uint32) uint32 {
	return i.number(text(j.bytes(n)), j.spans[n].secret)
}

// bytes returns the text with a number. It is valid until the interner changes.
func (i *interner) bytes(n uint32) []byte { return i.texts[i.spans[n].begin:i.spans[n].end] }

// text returns the text with a number.
func (i *interner) text(n uint32) string { return string(i.bytes(n)) }

// all returns the texts by number. They are valid until the interner changes.
func (i *interner) all() (texts [][]byte) {
	for n := range i.spans {
		texts = append(texts, i.bytes(uint32(n)))
	}
	return texts
}

// retain forgets the texts but those with some numbers, if there are more texts than most. Texts
// get other numbers then, which replace those that are yielded.
func (i *interner) retain(most int, used iter.Seq[*uint32]) {
	if len(i.spans) <= most {
		return
	}
	numbers := make([]uint32, len(i.spans)) // the new number and 1; before, 1 for those that are used
	for n := range used {
		numbers[*n] = 1
	}
	texts, spans := i.texts[:0], i.spans[:0]
	for n, used := range numbers {
		if used == 0 {
			continue
		}
		begin := len(texts)
		texts = append(texts, i.bytes(uint32(n))...)
		spans = append(spans, textSpan{i.spans[n].secret, begin, len(texts)})
		numbers[n] = uint32(len(spans))
	}
	i.texts, i.spans = texts, spans
	for n := range used {
		*n = numbers[*n] - 1
	}
	i.fill(0)
}
