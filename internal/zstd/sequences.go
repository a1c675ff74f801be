package zstd

import "encoding/binary"

// The lengths and offsets that codes stand for (section 3.1.1.3.2.1.1): a value, and how many bits are added.
var (
	literalBases = [36]uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 28, 32, 40,
		48, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}
	literalExtras = [36]uint8{16: 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}

	matchBases = [53]uint32{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
		27, 28, 29, 30, 31, 32, 33, 34, 35, 37, 39, 41, 43, 47, 51, 59, 67, 83, 99, 131, 259, 515, 1027, 2051, 4099,
		8195, 16387, 32771, 65539}
	matchExtras = [53]uint8{32: 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
)

func literalLength(symbol int) (base uint32, extras uint8) {
	return literalBases[symbol], literalExtras[symbol]
}
func matchLength(symbol int) (base uint32, extras uint8) {
	return matchBases[symbol], matchExtras[symbol]
}
func offsetValue(symbol int) (base uint32, extras uint8) { return 1 << symbol, uint8(symbol) }

// A kind is one of the three kinds of codes of a sequence.
type kind struct {
	maxLog, symbols int
	value           func(symbol int) (base uint32, extras uint8)
	predefined      table
}

// The kinds, in the order of their descriptions. The predefined tables are in section 3.1.1.3.2.2.
var kinds = [3]kind{
	{9, len(literalBases), literalLength, predefined(6, literalLength,
		4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1)},
	{8, 32, offsetValue, predefined(5, offsetValue,
		1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1)},
	{9, len(matchBases), matchLength, predefined(6, matchLength,
		1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1)},
}

func predefined(log uint8, value func(int) (uint32, uint8), counts ...int16) (t table) {
	if err := t.build(counts, log, value); err != nil {
		panic(err) // the table above is wrong
	}
	return t
}

// A choice is the current table of a kind: one of the block, one of a block before, or the predefined one.
type choice struct {
	own     table
	current *table // nil at the beginning of a frame
}

// choose reads which table a block uses, and returns how many bytes its description has.
func (c *choice) choose(k *kind, mode byte, data []byte) (n int, err error) {
	switch mode {
	case 0:
		c.current = &k.predefined
	case 1:
		if len(data) == 0 || int(data[0]) >= k.symbols {
			return 0, errBroken
		}
		c.own.only(k.value(int(data[0])))
		c.current, n = &c.own, 1
	case 2:
		c.current = &c.own
		n, err = c.own.readTable(data, k.maxLog, k.symbols, k.value)
	default:
		if c.current == nil {
			err = errBroken
		}
	}
	return n, err
}

// sequences reads the sequences section of a block (section 3.1.1.3.2), and executes each sequence: some
// literals, and then a match in what was decoded before.
func (r *Reader) sequences(data []byte) error {
	count, data, err := sequenceCount(data)
	if err != nil {
		return err
	}
	if count > 0 {
		if len(data) == 0 || data[0]&3 != 0 {
			return errBroken
		}
		modes := data[0]
		data = data[1:]
		for i := range kinds {
			n, err := r.choices[i].choose(&kinds[i], modes>>(6-2*i)&3, data)
			if err != nil {
				return err
			}
			data = data[n:]
		}
		if err := r.execute(count, data); err != nil {
			return err
		}
	} else if len(data) > 0 {
		return errBroken
	}
	if len(r.literals) > r.blockEnd-len(r.out) {
		return errBroken
	}
	r.out = append(r.out, r.literals...)
	return nil
}

// sequenceCount reads the number of sequences.
func sequenceCount(data []byte) (count int, rest []byte, err error) {
	var head [3]byte
	copy(head[:], data)
	n := 1
	switch count = int(head[0]); {
	case count == 255:
		count, n = int(head[1])+int(head[2])<<8+0x7f00, 3
	case count >= 128:
		count, n = (count-128)<<8+int(head[1]), 2
	}
	if n > len(data) {
		return 0, nil, errBroken
	}
	return count, data[n:], nil
}

// slack is how many bytes may be read and written beyond the end of short copies.
const slack = 32

// copySlack copies as many bytes, without a call: most copies are short.
func copySlack(to, from []byte) {
	to, from = to[:slack], from[:slack]
	a, b := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
	c, d := binary.LittleEndian.Uint64(from[16:]), binary.LittleEndian.Uint64(from[24:])
	binary.LittleEndian.PutUint64(to, a)
	binary.LittleEndian.PutUint64(to[8:], b)
	binary.LittleEndian.PutUint64(to[16:], c)
	binary.LittleEndian.PutUint64(to[24:], d)
}

// execute executes sequences whose codes are in a bitstream.
func (r *Reader) execute(count int, data []byte) error {
	b, err := newBackward(data)
	if err != nil {
		return err
	}
	literal, offset, match := r.choices[0].current, r.choices[1].current, r.choices[2].current
	b.fill()
	l, o, m := literal.entries[b.read(literal.log)], offset.entries[b.read(offset.log)], match.entries[b.read(match.log)]
	out, end := r.out[:r.blockEnd+slack], len(r.out)
	literals := r.literals[:len(r.literals):cap(r.literals)]
	for i := range count {
		b.fill()
		distance := o.base + b.read(o.extras)
		length := int(m.base + b.read(m.extras))
		b.fill()
		n := int(l.base + b.read(l.extras))
		if i < count-1 {
			l = literal.entries[uint32(l.next)+b.read(l.bits)]
			m = match.entries[uint32(m.next)+b.read(m.bits)]
			o = offset.entries[uint32(o.next)+b.read(o.bits)]
		}
		distance = r.distance(distance, uint32(n))
		if b.count < 0 || n > len(literals) || n+length > r.blockEnd-end || distance == 0 || uint64(distance) > uint64(min(end+n, r.window)) {
			return errBroken
		}
		if n <= slack {
			copySlack(out[end:], literals[:slack])
		} else {
			copy(out[end:], literals[:n])
		}
		literals, end = literals[n:], end+n
		if from := end - int(distance); length <= slack && int(distance) >= slack {
			copySlack(out[end:], out[from:])
			end += length
		} else {
			for to, stop := end, end+length; to < stop; { // a match may overlap what it appends
				to += copy(out[to:stop], out[from:to])
			}
			end += length
		}
	}
	r.out, r.literals = out[:end], literals
	if !b.ended() {
		return errBroken
	}
	return nil
}

// distance returns the distance of a match (section 3.1.1.5): values up to 3 repeat one of the last
// distances. It is 0 if there is none.
func (r *Reader) distance(value, literals uint32) uint32 {
	last := &r.distances
	if value > 3 {
		last[2], last[1], last[0] = last[1], last[0], value-3
		return last[0]
	}
	if literals == 0 {
		value++
	}
	switch value {
	case 1:
	case 2:
		last[0], last[1] = last[1], last[0]
	case 3:
		last[0], last[1], last[2] = last[2], last[0], last[1]
	default:
		last[0], last[1], last[2] = last[0]-1, last[0], last[1]
	}
	return last[0]
}
