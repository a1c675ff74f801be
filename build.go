package robots

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// A builder makes indexes. It keeps its memory from one to the next.
type builder struct {
	plain []plainDraft
	wilds []wildDraft
	hung  []wildDraft // those with one stem
	own   []byte      // normal forms, where patterns are not parts of the file

	stems   []stemDraft
	markers []markerDraft
	table   []uint32 // a hash table: 1 + the number of a stem; those of markers are inverted
}

// The drafts of rules, in the order of the file.
type (
	plainDraft struct {
		plain
		key   uint16 // what a list is sorted by
		value valueSpan
	}
	wildDraft struct {
		wild
		value valueSpan
		next  int32 // 1 + the next draft with this stem, or 0
	}
)

// A stemDraft is a stem with the rules that have it.
type stemDraft struct {
	hash        uint64
	at, size    uint32
	plain, wild int32 // 1 + the plain rule that wins, 1 + the last of wilds with it
}

// A markerDraft is a marker with the hash of the octets before.
type markerDraft struct {
	hash uint64
	lens uint32
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// newIndex makes the index of the rules of block b.
func newIndex(p *Policy, b *block) *index {
	r := p.dialect.reading()
	w := builders.Get().(*builder)
	x := &index{text: p.text, first: r.firstMatch}
	own := !w.read(p, r, b, false)
	if own {
		w.plain, w.wilds = w.plain[:0], w.wilds[:0]
		w.read(p, r, b, true)
		x.text = string(w.own)
	}
	if len(w.plain)+len(w.wilds) <= few {
		w.list(x, own)
	} else {
		w.hash(x, own)
	}
	w.reset()
	builders.Put(w)
	return x
}

// reset empties w.
func (w *builder) reset() {
	w.plain, w.wilds, w.hung, w.own = w.plain[:0], w.wilds[:0], w.hung[:0], w.own[:0]
	w.stems, w.markers = w.stems[:0], w.markers[:0]
}

// read reads the rules of b. Unless own is set, it stops and returns false
// where a pattern is not a part of the file. Then own collects the patterns.
func (w *builder) read(p *Policy, r *reading, b *block, own bool) bool {
	line := b.line
	for pos := int(b.start); pos < int(b.end); line++ {
		end, next := lineEnd(p.text, pos, p.loneCR)
		kind, value, has := r.rule(p.text[pos:end])
		if kind == Allow || kind == Disallow {
			allow := kind == Allow
			switch {
			case value == "":
				if allow && r.emptyAllow {
					at := uint32(pos)
					if own {
						at = w.keep("")
					}
					w.addPattern(new(pattern), at, valueSpan{at: uint32(pos)}, line, allow)
				}
			case has&r.odd == 0 && !own && !r.lists && (value[0] != '/' || !r.google || !allow):
				// Nearly all patterns are stems in normal form.
				if value[0] == '/' {
					at := uint32(offset(p.text, value))
					w.plain = append(w.plain, plainDraft{plain: plain{at, line, weight(len(value), allow)}})
				}
			case r.lists:
				for path := range strings.FieldsSeq(value) {
					if !w.add(p, r, path, line, allow, own) {
						return false
					}
				}
			default:
				if !w.add(p, r, value, line, allow, own) {
					return false
				}
			}
		}
		pos = next
	}
	return true
}

// add adds a rule. It returns false where its pattern must be in own text.
func (w *builder) add(p *Policy, r *reading, value string, line uint32, allow, own bool) bool {
	pat := r.compile(value)
	span := valueSpan{uint32(offset(p.text, value)), uint32(len(value))}
	second, twice := r.indexFile(allow, value)
	if !own {
		if twice || unsafe.StringData(pat.text) != unsafe.StringData(value) {
			return false
		}
		w.addPattern(&pat, span.at, span, line, allow)
		return true
	}
	w.addPattern(&pat, w.keep(pat.text), span, line, allow)
	if twice {
		w.addPattern(&second, w.keep(second.text), span, line, allow)
	}
	return true
}

// keep adds a text to own and returns where it is.
func (w *builder) keep(text string) uint32 {
	at := uint32(len(w.own))
	w.own = append(w.own, text...)
	return at
}

// addPattern adds a pattern whose text is at some place, if any path can match
// it: all paths start with "/".
func (w *builder) addPattern(pat *pattern, at uint32, value valueSpan, line uint32, allow bool) {
	if pat.stem > 0 && pat.text[0] != '/' || pat.stem == 0 && pat.anchored && !pat.wild {
		return
	}
	heavy := weight(pat.octets, allow)
	stars := pat.octets - pat.stem
	if !pat.wild && !pat.anchored && stars <= 1 {
		if stars == 1 {
			line |= starred
		}
		w.plain = append(w.plain, plainDraft{plain: plain{at, line, heavy}, value: value})
		return
	}
	d := wildDraft{value: value}
	d.at, d.line, d.weight = at, line, heavy
	d.stem, d.end = uint32(pat.stem), uint32(pat.end)
	if pat.wild {
		d.flags |= wildStar
	}
	if pat.anchored {
		d.flags |= wildAnchored
	}
	segments := pat.segments()
	for k := 0; k < len(segments); k++ {
		if c := segments[k]; c != '*' {
			d.needs |= classOf[c]
			d.least++
		}
	}
	w.wilds = append(w.wilds, d)
}

// offset returns where in text its part starts.
func offset(text, part string) int {
	return int(uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(text))))
}

// list finishes an index of few rules.
func (w *builder) list(x *index, own bool) {
	if len(w.plain) > 0 {
		w.sort(x)
		var heads [few]byte
		x.plain = make([]plain, len(w.plain))
		for i := range w.plain {
			d := &w.plain[i]
			x.plain[i] = d.plain
			heads[i] = byte(d.key)
		}
		x.heads = string(heads[:len(w.plain)])
		if own {
			x.values = make([]valueSpan, len(w.plain), len(w.plain)+len(w.wilds))
			for i := range w.plain {
				x.values[i] = w.plain[i].value
			}
		}
	}
	if len(w.wilds) > 0 {
		x.wilds = make([]wild, 0, len(w.wilds))
		w.hang(x, w.wilds, own)
	}
}

// sort sorts the plain rules of a list by the octet after "/", and where they
// have the same in the order in which they win. Those for all paths come first;
// only the one of them that wins stays.
func (w *builder) sort(x *index) {
	for i := range w.plain {
		d := w.plain[i]
		if d.stem() > 1 {
			d.key = 1<<8 | uint16(x.text[d.at+1])
		}
		// Few are sorted fastest one by one.
		k := i
		for ; k > 0 && (d.key < w.plain[k-1].key || d.key == w.plain[k-1].key && x.beats(&d.plain, &w.plain[k-1].plain)); k-- {
			w.plain[k] = w.plain[k-1]
		}
		w.plain[k] = d
	}
	all := 0
	for all < len(w.plain) && w.plain[all].key == 0 {
		all++
	}
	if all > 1 {
		w.plain = slices.Delete(w.plain, 1, all)
	}
}

// hang adds wilds that hang on one stem, or all in a list of few.
func (w *builder) hang(x *index, wilds []wildDraft, own bool) {
	slices.SortFunc(wilds, func(a, b wildDraft) int {
		if c := cmp.Compare(b.weight, a.weight); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	wilds[len(wilds)-1].flags |= wildLast
	for _, d := range wilds {
		x.wilds = append(x.wilds, d.wild)
		if own {
			x.values = append(x.values, d.value)
		}
	}
}

// hash finishes an index of many rules.
func (w *builder) hash(x *index, own bool) {
	x.table = new(table)
	size := 0 // of stems and their markers, if no two share one
	for i := range w.plain {
		size += 2 + int(w.plain[i].stem())/stride
	}
	for i := range w.wilds {
		size += 2 + int(w.wilds[i].stem)/stride
	}
	w.clear(size)
	for i := range w.plain {
		d := &w.plain[i]
		s := w.stem(x, x.text[d.at:d.at+d.stem()], d.at)
		if s.plain == 0 || x.beats(&d.plain, &w.plain[s.plain-1].plain) {
			s.plain = int32(i) + 1
		}
	}
	for i := range w.wilds {
		d := &w.wilds[i]
		s := w.stem(x, x.text[d.at:d.at+d.stem], d.at)
		d.next = s.wild
		s.wild = int32(i) + 1
	}
	heads := w.settle(x, own)
	w.fill(x.table)
	if heads > 1 {
		x.link()
	}
}

// clear makes the table ready for so many numbers.
func (w *builder) clear(n int) {
	size := 1 << bits.Len(uint(n+n/2))
	if cap(w.table) < size {
		w.table = make([]uint32, size)
		return
	}
	w.table = w.table[:size]
	clear(w.table)
}

// stem returns the draft of a stem, whose text is at some place, and makes it
// and the markers before it if they are not there.
func (w *builder) stem(x *index, text string, at uint32) *stemDraft {
	h := seed
	pos := 0
	if len(text) <= short {
		x.table.short |= 1 << len(text)
	} else {
		for base := short; ; base += stride {
			for pos < base {
				h = mix(h, load8(text[pos:]))
				pos += 8
			}
			m := w.marker(h)
			if n := len(text) - base; n <= stride {
				m.lens |= 1 << (n - 1)
				break
			}
		}
		for len(text)-pos > 8 {
			h = mix(h, load8(text[pos:]))
			pos += 8
		}
	}
	hash := tail(h, load(text, pos), len(text)-pos)
	mask := uint64(len(w.table) - 1)
	i := hash & mask
	for ; w.table[i] != 0; i = (i + 1) & mask {
		if n := w.table[i] - 1; int(n) < len(w.stems) {
			if s := &w.stems[n]; s.hash == hash && int(s.size) == len(text) && x.text[s.at:s.at+s.size] == text {
				return s
			}
		}
	}
	w.stems = append(w.stems, stemDraft{hash: hash, at: at, size: uint32(len(text))})
	w.table[i] = uint32(len(w.stems))
	return &w.stems[len(w.stems)-1]
}

// marker returns the draft of the marker for octets with a hash, and makes it
// if it is not there.
func (w *builder) marker(hash uint64) *markerDraft {
	mask := uint64(len(w.table) - 1)
	i := hash & mask
	for ; w.table[i] != 0; i = (i + 1) & mask {
		if n := ^w.table[i]; int(n) < len(w.markers) && w.markers[n].hash == hash {
			return &w.markers[n]
		}
	}
	w.markers = append(w.markers, markerDraft{hash: hash})
	w.table[i] = ^uint32(len(w.markers) - 1)
	return &w.markers[len(w.markers)-1]
}

// settle makes the rules of an index of the drafts: a plain one for each stem.
// It returns how many of these only stand for wilds.
func (w *builder) settle(x *index, own bool) (heads int) {
	x.plain = make([]plain, len(w.stems))
	if own {
		x.values = make([]valueSpan, len(w.stems), len(w.stems)+len(w.plain)+len(w.wilds))
	}
	if len(w.wilds) > 0 {
		x.wilds = make([]wild, 0, len(w.wilds)+1)
	}
	for i := range w.stems {
		s := &w.stems[i]
		if s.wild == 0 {
			d := &w.plain[s.plain-1]
			x.plain[i] = d.plain
			if own {
				x.values[i] = d.value
			}
			continue
		}
		heads++
		w.hung = w.hung[:0]
		for n := s.wild; n > 0; n = w.wilds[n-1].next {
			w.hung = append(w.hung, w.wilds[n-1])
		}
		if s.plain > 0 {
			// The plain rule with this stem stands among them.
			d := &w.plain[s.plain-1]
			also := wildDraft{value: d.value}
			also.at, also.line, also.weight = d.at, d.line&lineMask, d.weight
			also.stem, also.end = s.size, s.size
			w.hung = append(w.hung, also)
		}
		x.plain[i] = plain{at: s.at, line: headed, weight: uint32(len(x.wilds))}
		w.hang(x, w.hung, own)
	}
	return heads
}

// fill makes the hash table.
func (w *builder) fill(t *table) {
	// Three of four slots are in use. That is no more than a few steps for a
	// stem that is there, and bloom turns most others away.
	n := len(w.stems) + len(w.markers)
	t.shift = uint8(bits.Len(uint(max(len(w.stems), len(w.markers)))))
	t.slots = make([]uint32, n+n/3+1)
	t.bloom = make([]uint64, len(w.stems)/8+1)
	for i := range w.stems {
		hash := w.stems[i].hash
		t.put(hash, 0, uint32(i)+1)
		k := t.bit(hash)
		t.bloom[k>>6] |= 1 << (k & 63)
	}
	if len(w.markers) > 0 {
		t.markers = make([]uint32, len(w.markers))
		for i := range w.markers {
			t.markers[i] = w.markers[i].lens
			t.put(w.markers[i].hash, 1, uint32(i)+1)
		}
	}
}

// link tells the wilds of each stem which ones are above them.
func (x *index) link() {
	for i := range x.plain {
		p := &x.plain[i]
		if p.line&headed == 0 {
			continue
		}
		first := &x.wilds[p.weight]
		if first.stem == 0 {
			continue
		}
		_, above := x.table.find(x, x.text[p.at:p.at+first.stem-1])
		for k := p.weight; ; k++ {
			x.wilds[k].above = above
			if x.wilds[k].flags&wildLast != 0 {
				break
			}
		}
	}
}
