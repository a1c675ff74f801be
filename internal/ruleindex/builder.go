package ruleindex

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
	"github.com/robotsexclusion/robots/internal/ruleindex/word"
)

// A Builder makes indexes. It keeps its memory from one index to the next. The zero value is ready:
// call Start, add rules, and call Finish.
type Builder struct {
	file string // contains the values of rules

	plain []Rule
	wilds []wild // not filled; above is 1 + the number of the wild before with the same stem
	text  string // contains their patterns

	shared bool   // plain belongs to the caller and must not be changed
	memory []Rule // the builder's own memory for plain

	// If some patterns are not the values of their rules, apart is set, and values and wildValues
	// are the places in the file of the values of plain and wilds. If some patterns are not parts
	// of the file, owns is set too, and own has all patterns.
	apart      bool
	owns       bool
	own        []byte
	size       Size
	values     []Span
	wildValues []Span

	wildRules int // number of wilds added
	segments  int // total bytes of their segments
	stems     stemCount

	hung []uint64 // the numbers of wilds with one stem, for sorting

	net netBuilder
}

// A Size is the expected size of an index, so that the memory of a large one is allocated once. All
// fields may be 0.
type Size struct {
	Rules int // rules
	Wilds int // those of them that [Builder.Add] will add
	Bytes int // of the values of all rules
}

// A stemCount counts the stems of wilds.
type stemCount struct {
	most  int    // how many there are at most: equal stems in a row count once if they are short
	bytes int    // the total length of the stems of all wilds
	last  uint32 // the length of the last stem
}

func (c *stemCount) add(stem uint32) {
	if stem > 1 || stem != c.last || c.most == 0 { // a stem of one byte is "/"
		c.most, c.last = c.most+1, stem
	}
	c.bytes += int(stem)
}

// Start begins an index of rules of a file, with stems as its first rules: patterns that are only a
// stem in normal form and parts of the file. The index may share the memory of stems, which must
// not be modified.
func (w *Builder) Start(file string, stems []Rule, size Size) {
	w.file, w.size = file, size
	w.plain, w.shared = stems, true
	w.wilds = slices.Grow(w.wilds[:0], size.Wilds)
}

// Finish returns the index. If first is set, the first matching rule decides, and no pattern may
// have wildcards; otherwise the heaviest decides.
func (w *Builder) Finish(form Form, first bool) *Index {
	x := &Index{first: first}
	w.text = w.file
	if w.owns {
		own := take(&w.own)
		w.text = unsafe.String(unsafe.SliceData(own), len(own))
	}
	if w.apart {
		x.own = &ownPatterns{text: w.text}
	}
	switch n := len(w.plain) + len(w.wilds); {
	case n == 0:
	case form != List || many(w.wildRules, w.segments):
		w.hash(x, form)
	default:
		w.list(x)
	}
	w.reset()
	return x
}

// unshare copies plain if it belongs to the caller.
func (w *Builder) unshare() {
	if w.shared {
		w.shared = false
		w.plain = append(slices.Grow(w.memory[:0], max(w.size.Rules, len(w.plain))), w.plain...)
	}
}

// AddStem adds a rule whose pattern is only a stem in normal form and a part of the file.
func (w *Builder) AddStem(rule Rule) {
	w.unshare()
	if w.apart {
		w.values = append(w.values, Span{rule.At, rule.Weight >> 1})
	}
	if w.owns {
		rule.At = w.keep(w.file[rule.At : rule.At+rule.Weight>>1])
	}
	w.plain = append(w.plain, rule)
}

// Own returns a slice for the text of a pattern that is not a part of the file, with the given
// capacity in bytes. The caller appends the text, and gives the slice to [Builder.Keep].
func (w *Builder) Own(bytes int) []byte {
	w.takeOver()
	w.own = double(w.own, bytes)
	return w.own[len(w.own):]
}

// Keep returns the text in a slice from [Builder.Own], for a pattern that is added next.
func (w *Builder) Keep(text []byte) string {
	w.own = w.own[:len(w.own)+len(text)]
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// Add adds a rule with a pattern, on a line. If no path can match the pattern, the rule is dropped:
// all paths start with "/". A rule with an empty pattern must allow. Add copies the text of the
// pattern, unless the text is the start of the value in the file or comes from [Builder.Keep].
func (w *Builder) Add(pat *Pattern, value Span, line uint32, allow bool) {
	if pat.Bytes != int(value.Size) {
		w.setApart()
	}
	at := value.At
	if w.owns || unsafe.StringData(pat.Text) != unsafe.StringData(w.file[value.At:value.At+value.Size]) {
		at = w.place(pat.Text)
	}
	if pat.Stem > 0 && pat.Text[0] != '/' || pat.Stem == 0 && pat.Anchored && !pat.Wild {
		return
	}
	stars := pat.Bytes - pat.Stem
	if !pat.Wild && !pat.Anchored && stars <= 1 {
		if stars == 1 {
			line |= Starred
		}
		w.unshare()
		w.plain = append(w.plain, Rule{at, line, Weight(pat.Bytes, allow)})
		if w.apart {
			w.values = append(w.values, value)
		}
		return
	}
	w.addWild(pat, at, value, line, allow)
}

// addWild adds a rule whose pattern is more than a stem. at is the place of the pattern's text.
func (w *Builder) addWild(pat *Pattern, at uint32, value Span, line uint32, allow bool) {
	n := len(w.wilds)
	if n == cap(w.wilds) {
		w.wilds, w.wildValues = double(w.wilds, 1), double(w.wildValues, n)
	}
	w.wilds = w.wilds[:n+1]
	// Writing the fields costs less than a wild that append copies.
	d := &w.wilds[n]
	d.at, d.stem, d.end = at, uint32(pat.Stem), uint32(pat.End)
	d.line, d.weight, d.flags, d.above = line, Weight(pat.Bytes, allow), 0, 0
	if pat.Wild {
		d.flags |= wildStar
	}
	if pat.Anchored {
		d.flags |= wildAnchored
	}
	w.stems.add(d.stem)
	w.wildRules++
	w.segments += pat.End - pat.Stem
	if w.apart {
		w.wildValues = append(w.wildValues, value)
	}
}

// take returns the content of a slice to be kept for long, and empties the slice. The result is the
// memory of the slice itself if it is large, unless much of it is unused.
func take[E any](s *[]E) []E {
	const large = 16 << 10 // elements
	kept := *s
	if len(kept) < max(large, cap(kept)-cap(kept)/4) {
		*s = kept[:0]
		return slices.Clone(kept)
	}
	*s = nil
	return kept
}

// double returns s with room for more elements. If it has to grow, it doubles: append grows large
// slices only a little, and copies them often.
func double[E any](s []E, more int) []E {
	if cap(s)-len(s) < more {
		s = slices.Grow(s, len(s)+more)
	}
	return s
}

// reset empties w.
func (w *Builder) reset() {
	if !w.shared {
		w.memory = w.plain
	}
	w.file, w.text, w.size = "", "", Size{}
	w.plain, w.shared = nil, false
	w.wilds, w.wildRules, w.segments, w.stems = w.wilds[:0], 0, 0, stemCount{}
	w.apart, w.owns, w.own, w.values, w.wildValues = false, false, w.own[:0], w.values[:0], w.wildValues[:0]
}

// setApart makes w keep the places of values. So far they are the places of the patterns.
func (w *Builder) setApart() {
	if w.apart {
		return
	}
	w.unshare()
	w.apart = true
	w.values = slices.Grow(w.values, w.size.Rules)
	w.wildValues = slices.Grow(w.wildValues, w.size.Wilds)
	for i := range w.plain {
		w.values = append(w.values, Span{w.plain[i].At, w.plain[i].Weight >> 1})
	}
	for i := range w.wilds {
		w.wildValues = append(w.wildValues, Span{w.wilds[i].at, w.wilds[i].weight >> 1})
	}
}

// takeOver makes w own its patterns, if it does not yet: it copies the patterns, which are parts of
// the file.
func (w *Builder) takeOver() {
	if w.owns {
		return
	}
	w.setApart()
	w.owns = true
	w.own = slices.Grow(w.own, w.size.Bytes)
	for i := range w.plain {
		p := &w.plain[i]
		p.At = w.keep(w.file[p.At : p.At+p.stem()])
	}
	for i := range w.wilds {
		d := &w.wilds[i]
		d.at = w.keep(w.file[d.at : d.at+max(d.stem, d.end)])
	}
}

// place returns the place in own of a text, and adds the text if it is not there yet.
func (w *Builder) place(text string) uint32 {
	w.takeOver()
	own := uintptr(unsafe.Pointer(unsafe.SliceData(w.own)))
	if at := uintptr(unsafe.Pointer(unsafe.StringData(text))) - own; text != "" && at < uintptr(len(w.own)) {
		return uint32(at)
	}
	return w.keep(text)
}

// keep adds a text to own and returns its place.
func (w *Builder) keep(text string) uint32 {
	at := len(w.own)
	if len(text) > cap(w.own)-at {
		w.own = double(w.own, len(text))
	}
	w.own = append(w.own, text...)
	return uint32(at)
}

// fill adds to x, a wild with its pattern in text, what the path must have after the stem.
func (x *wild) fill(text string) {
	x.needs, x.least = 0, 0
	if x.flags&wildStar == 0 {
		return
	}
	segments := text[x.at+x.stem+1 : x.at+x.end]
	has, bytes := byteclass.Of(segments), len(segments)
	if has&byteclass.Star != 0 { // between two segments
		bytes -= strings.Count(segments, "*")
	}
	x.needs = has &^ byteclass.Star
	x.least = uint16(min(bytes, math.MaxUint16))
}

// many reports whether there are enough wilds for a net to pay off, or bytes in their segments.
func many(wilds, segments int) bool { return wilds > ManyWilds || segments > manySegments }

// list finishes an index as a list.
func (w *Builder) list(x *Index) {
	if x.plain = w.plain; !w.shared {
		x.plain = slices.Clone(w.plain)
	}
	if len(w.wilds) > 0 {
		x.wilds = slices.Clone(w.wilds)
		for i := range x.wilds {
			x.wilds[i].fill(w.text)
		}
		x.wilds[len(x.wilds)-1].flags |= wildLast
	}
	if w.apart {
		x.own.values = slices.Concat(w.values, w.wildValues)
	}
}

// hang adds the wilds whose numbers are in hung, which share one stem, the heaviest first.
func (w *Builder) hang(x *Index) {
	for i, n := range w.hung {
		w.hung[i] = uint64(^w.wilds[n].weight)<<32 | n
	}
	slices.Sort(w.hung)
	for i := len(w.hung) - 1; i > 0; i-- {
		// A plain rule that was added last may be earlier in the file.
		a, b := w.hung[i-1], w.hung[i]
		if a>>32 == b>>32 && w.wilds[uint32(b)].line < w.wilds[uint32(a)].line {
			w.hung[i-1], w.hung[i] = b, a
		}
	}
	for _, n := range w.hung {
		x.wilds = append(x.wilds, w.wilds[uint32(n)])
		last := &x.wilds[len(x.wilds)-1]
		last.above = 0
		last.fill(w.text)
		if w.apart {
			x.own.values = append(x.own.values, w.wildValues[uint32(n)])
		}
	}
	x.wilds[len(x.wilds)-1].flags |= wildLast
}

// hash finishes an index of many rules.
func (w *Builder) hash(x *Index, form Form) {
	w.unshare()
	plains, wilds := len(w.plain), len(w.wilds)
	for markers, most := w.markers(); ; markers = most {
		w.begin(x, markers)
		last := lastMarker{}
		if w.addPlain(x, 0, plains, &last) && w.addWilds(x, &last) {
			break
		}
		w.forget(plains, wilds)
	}
	w.finish(x, plains, form)
}

// forget drops the entries of plain and wilds beyond the given numbers.
func (w *Builder) forget(plains, wilds int) {
	w.plain, w.wilds = w.plain[:plains], w.wilds[:wilds]
	if w.apart {
		w.wildValues = w.wildValues[:wilds]
	}
}

// markers returns the usual and the largest number of markers that a table needs: stems share
// markers, so half of the largest number is nearly always more than enough.
func (w *Builder) markers() (usual, most int) {
	bytes := w.stems.bytes
	for i := range w.plain {
		bytes += int(w.plain[i].stem())
	}
	most = min(len(w.plain)+w.stems.most+bytes/stride, bytes) // stems of up to short bytes have none
	return most / 2, most
}

// begin starts the table of x, with room for the given number of markers.
func (w *Builder) begin(x *Index, markers int) {
	rules := len(w.plain) + w.stems.most
	n := rules + markers
	x.table = &table{
		slots:   make([]uint32, n+n/4+1),
		bloom:   make([]uint64, rules/8+1),
		shift:   uint8(bits.Len(uint(max(rules, markers)))),
		markers: make([]uint32, 0, markers),
	}
}

// addPlain adds the stems of plain rules in [from, to) to the table. It returns false if there is
// no room for their markers.
func (w *Builder) addPlain(x *Index, from, to int, last *lastMarker) bool {
	for i := from; i < to; i++ {
		p := &w.plain[i]
		s := w.stem(x, w.text[p.At:p.At+p.stem()], last)
		if s == nil {
			return false
		}
		if mask := uint32(1)<<x.table.shift - 1; *s&mask == 0 || x.beats(p, &w.plain[*s&mask-1]) {
			*s = *s&^mask | uint32(i+1)
		}
	}
	return true
}

// addWilds adds the stems of the wilds to the table, after the stems of all plain rules. It returns
// false if there is no room for their markers.
//
// It adds headed entries to plain; their weight is 1 + the number of the last wild with that stem.
func (w *Builder) addWilds(x *Index, last *lastMarker) bool {
	plains, wilds := len(w.plain), len(w.wilds)
	k, before := 0, ""
	for i := range wilds {
		d := &w.wilds[i]
		if stem := w.text[d.at : d.at+d.stem]; i == 0 || stem != before {
			s := w.stem(x, stem, last)
			if s == nil {
				return false
			}
			mask := uint32(1)<<x.table.shift - 1
			if k = int(*s&mask) - 1; k < plains {
				// This is the first wild with the stem.
				head := Rule{At: d.at, Line: headed}
				if k >= 0 {
					head.Weight = w.also(k)
				}
				w.plain = append(w.plain, head)
				k = len(w.plain) - 1
				*s = *s&^mask | uint32(k+1)
			}
			before = stem
		}
		w.wilds[i].above = w.plain[k].Weight
		w.plain[k].Weight = uint32(i + 1)
	}
	return true
}

// finish finishes an index whose stems are in its table.
func (w *Builder) finish(x *Index, plains int, form Form) {
	heads := w.plain[plains:]
	if len(heads) > 0 && (form == Net || many(w.wildRules, w.segments)) {
		w.weave(x, plains)
	}
	if w.apart {
		// Heads have no values.
		w.values = append(w.values, make([]Span, len(w.plain)-len(w.values))...)
		x.own.values = take(&w.values)
	}
	heads = slices.Clone(heads)
	x.plain = take(&w.plain)
	if len(heads) == 0 || x.table.net != nil {
		return
	}
	x.wilds = make([]wild, 0, len(w.wilds))
	for i := range heads {
		w.hung = w.hung[:0]
		for n := heads[i].Weight; n > 0; n = w.wilds[n-1].above {
			w.hung = append(w.hung, uint64(n-1))
		}
		x.plain[plains+i].Weight = uint32(len(x.wilds))
		w.hang(x)
	}
	if len(heads) > 1 {
		x.link(w.text, plains)
	}
}

// also adds plain rule number k to the wilds, because it shares its stem with a wild. It returns 1
// + its number there.
func (w *Builder) also(k int) uint32 {
	p := &w.plain[k]
	w.wilds = append(w.wilds, wild{at: p.At, stem: p.stem(), end: p.stem(), line: p.Line & lineMask,
		weight: p.Weight})
	if w.apart {
		w.wildValues = append(w.wildValues, w.values[k])
	}
	return uint32(len(w.wilds))
}

// A lastMarker caches the last marker found for the first bytes of a stem. The next line of a file
// often starts with the same bytes.
type lastMarker struct {
	bytes  uint64
	hash   uint64
	number int // 1 + the number of the marker
}

// stem returns the slot of a stem. If the slot does not exist, stem makes it, without a number, and
// the markers before it. It returns nil if there is no room for a marker.
func (w *Builder) stem(x *Index, text string, last *lastMarker) *uint32 {
	t := x.table
	h := seed
	pos := 0
	if len(text) <= short {
		t.short |= 1 << len(text)
	} else {
		if v := word.Load8(text); last.number == 0 || v != last.bytes {
			h = mix(h, v)
			*last = lastMarker{v, h, t.addMarker(h)}
		} else {
			h = last.hash
		}
		m := last.number
		pos = 8
		base := short
		for len(text)-base > stride && m > 0 {
			base += stride
			for pos < base {
				h = mix(h, word.Load8(text[pos:]))
				pos += 8
			}
			m = t.addMarker(h)
		}
		if m == 0 {
			return nil
		}
		t.markers[m-1] |= 1 << (len(text) - base - 1)
		for len(text)-pos > 8 {
			h = mix(h, word.Load8(text[pos:]))
			pos += 8
		}
	}
	hash := tail(h, word.Load(text, pos), len(text)-pos)
	k := bloomBit(t.bloom, hash)
	t.bloom[k>>6] |= 1 << (k & 63)
	i, tag := t.slot(hash, 0)
	for mask := uint32(1)<<t.shift - 1; ; {
		s := t.slots[i]
		if s == 0 {
			t.slots[i] = tag
			return &t.slots[i]
		}
		if s&^mask == tag {
			p := &w.plain[s&mask-1]
			size := p.stem()
			if p.Line&headed != 0 {
				size = w.wilds[p.Weight-1].stem
			}
			if int(size) == len(text) && w.text[p.At:p.At+size] == text {
				return &t.slots[i]
			}
		}
		if i++; int(i) == len(t.slots) {
			i = 0
		}
	}
}

// addMarker returns 1 + the number of the marker for bytes with a hash, and makes the marker if it
// does not exist. It returns 0 if there is no room.
func (t *table) addMarker(hash uint64) int {
	i, tag := t.slot(hash, 1)
	for mask := uint32(1)<<t.shift - 1; ; {
		s := t.slots[i]
		if s == 0 {
			break
		}
		if s&^mask == tag {
			return int(s & mask)
		}
		if i++; int(i) == len(t.slots) {
			i = 0
		}
	}
	if len(t.markers) == cap(t.markers) {
		return 0
	}
	t.markers = append(t.markers, 0)
	t.slots[i] = tag | uint32(len(t.markers))
	return len(t.markers)
}

// link sets, for the wilds of each stem, the wilds of the next shorter stem. The stems are the
// plain entries from number first on.
func (x *Index) link(text string, first int) {
	heads := slices.Clone(x.plain[first:])
	stem := func(head Rule) string { return text[head.At : head.At+x.wilds[head.Weight].stem] }
	slices.SortFunc(heads, func(a, b Rule) int { return strings.Compare(stem(a), stem(b)) })
	// Each stem now follows the stems that it starts with.
	var above []Rule
	for _, head := range heads {
		for len(above) > 0 && !strings.HasPrefix(stem(head), stem(above[len(above)-1])) {
			above = above[:len(above)-1]
		}
		if len(above) > 0 {
			for k := head.Weight; ; k++ {
				x.wilds[k].above = above[len(above)-1].Weight + 1
				if x.wilds[k].flags&wildLast != 0 {
					break
				}
			}
		}
		above = append(above, head)
	}
}
