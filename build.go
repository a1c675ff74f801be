package robots

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/byteclass"
	"github.com/robotsexclusion/robots/internal/word"
)

// A builder makes indexes. It keeps its memory from one to the next.
type builder struct {
	plain []plain
	wilds []wildDraft
	text  string // what their patterns are parts of

	shared bool    // plain is that of the policy, and not to be changed
	memory []plain // what else plain is in

	// Where patterns are not all parts of the file, owns is set, own has
	// them, and values and wildValues are where in the file the values of plain
	// and wilds stand.
	owns       bool
	own        []byte
	room       int // how many rules there will be, if they are many
	bytes      int // of their values
	values     []valueSpan
	wildValues []valueSpan
	normal     []byte // one pattern in normal form
	squeezed   []byte // and without a "*" right after another

	wildRules int // wilds that were added
	segments  int // bytes of their segments

	hung []uint64 // the numbers of wilds with one stem, to be sorted

	net netBuilder
}

// A wildDraft is what a [wild] is made of.
type wildDraft struct {
	at, stem, end uint32
	line, weight  uint32
	flags         wildFlags
	next          uint32 // 1 + the number of the draft before with the same stem, or 0
}

var builders = sync.Pool{New: func() any { return new(builder) }}

// An indexForm is what an index is to be.
type indexForm uint8

const (
	asList  indexForm = iota // a list, or a net if there are so many wilds that a list would be slow
	asTable                  // a table, or a net
	asNet                    // a net, if there is a wild at all
)

// manyRules is from how many rules on a group is looked through for rough patterns
// at once: later that would make one question slow. Of a text larger than usualText,
// it would make reading slow: RFC 9309, section 2.5 has robots read no more.
const (
	manyRules = 1024
	usualText = 500 << 10
)

// newIndex makes the index of the rules of blocks. It is smooth, or maybe rough.
func newIndex(p *Policy, blocks []uint32, form indexForm, smooth bool) *index {
	x := &index{first: p.dialect.reading().firstMatch}
	given, odd := p.rulesOf(blocks)
	if !smooth && len(given) > 0 && p.dialect.reading().encodes != 0 {
		if len(given)+len(odd) > manyRules && len(p.text) <= usualText {
			smooth = p.anyRough(given)
		} else {
			x.rough.Store(true)
		}
	}
	if len(odd) == 0 && form == asList && !smooth {
		x.plain = given
		return x
	}
	w := builders.Get().(*builder)
	w.plain, w.shared = given, true
	w.reserve(odd)
	if smooth {
		w.smooth(p)
	}
	w.readOdd(p, odd)
	w.text = p.text
	if w.owns {
		own := take(&w.own)
		x.own = &ownPatterns{text: unsafe.String(unsafe.SliceData(own), len(own))}
		w.text = x.own.text
	}
	switch n := len(w.plain) + len(w.wilds); {
	case n == 0:
	case form != asList || w.many():
		w.hash(x, form)
	default:
		w.list(x)
	}
	w.reset()
	builders.Put(w)
	return x
}

// octetsOf returns the length of the values of rules.
func octetsOf(rules []plain) (n int) {
	for i := range rules {
		n += int(rules[i].weight >> 1)
	}
	return n
}

// reserve makes room for more rules than there are, if they are many.
func (w *builder) reserve(odd []plain) {
	if len(odd) > manyWilds {
		w.room, w.bytes = len(w.plain)+len(odd), octetsOf(w.plain)+octetsOf(odd)
		w.wilds = slices.Grow(w.wilds, len(odd))
	}
}

// unshare makes a copy of plain, if it is that of the policy.
func (w *builder) unshare() {
	if w.shared {
		w.shared = false
		w.plain = append(slices.Grow(w.memory[:0], max(w.room, len(w.plain))), w.plain...)
	}
}

// smooth brings the plain rules into normal form that are not.
func (w *builder) smooth(p *Policy) {
	r, rules := p.dialect.reading(), w.plain
	w.plain, w.shared = slices.Grow(w.memory[:0], max(w.room, len(rules))), false
	for _, rule := range rules {
		if p.isRough(rule) {
			w.add(r, p.text, valueSpan{rule.at, rule.weight >> 1}, rule.line&lineMask, rule.weight&1 != 0)
		} else {
			w.addStem(p.text, rule)
		}
	}
}

// addStem adds a rule that is a stem in normal form, and a part of text.
func (w *builder) addStem(text string, rule plain) {
	w.unshare()
	if w.owns {
		w.values = append(w.values, valueSpan{rule.at, rule.weight >> 1})
		rule.at = w.keep(text[rule.at : rule.at+rule.weight>>1])
	}
	w.plain = append(w.plain, rule)
}

// take returns what is in a slice to be kept for long, and empties the slice. What is
// kept is the memory of the slice itself, unless much of that is not used.
func take[E any](s *[]E) []E {
	kept := *s
	if len(kept) < cap(kept)-cap(kept)/4 {
		*s = kept[:0]
		return slices.Clone(kept)
	}
	*s = nil
	return kept
}

// double returns s with room for so many more, and for twice as many as it has if it
// has to grow: append makes large slices only a little larger, and copies them often.
func double[E any](s []E, more int) []E {
	if cap(s)-len(s) < more {
		s = slices.Grow(s, len(s)+more)
	}
	return s
}

// reset empties w.
func (w *builder) reset() {
	if !w.shared {
		w.memory = w.plain
	}
	w.plain, w.shared, w.room, w.bytes = nil, false, 0, 0
	w.wilds, w.wildRules, w.segments = w.wilds[:0], 0, 0
	w.owns, w.own, w.values, w.wildValues, w.text = false, w.own[:0], w.values[:0], w.wildValues[:0], ""
}

// readOdd reads the rules that Parse did not, because they are not as nearly
// all rules are.
func (w *builder) readOdd(p *Policy, odd []plain) {
	r := p.dialect.reading()
	before, allowed := "", false
	for i, rule := range odd {
		value := p.text[rule.at : rule.at+rule.weight>>1]
		allow := rule.weight&1 != 0
		if r.lists {
			w.addList(r, p.text, value, rule.line, allow)
			continue
		}
		if i > 0 && value == before && allow == allowed {
			continue // the same rule wins at the line before
		}
		before, allowed = value, allow
		w.add(r, p.text, valueSpan{rule.at, uint32(len(value))}, rule.line, allow)
	}
}

// addList adds the rules of a list of paths, which have no wildcards.
func (w *builder) addList(r *reading, text, value string, line uint32, allow bool) {
	before := ""
	for path := range list(value) {
		if path[0] != '/' || path == before {
			continue // no path of a URL matches, or the same one wins
		}
		before = path
		span := valueOf(text, path)
		if strings.IndexByte(path, '%') >= 0 {
			w.add(r, text, span, line, allow)
		} else {
			w.addStem(text, plain{span.at, line, weight(len(path), allow)})
		}
	}
}

// add adds a rule whose value is a part of text.
func (w *builder) add(r *reading, text string, span valueSpan, line uint32, allow bool) {
	value := text[span.at : span.at+span.size]
	normal := value
	if most := strings.TrimSuffix(value, "$"); byteclass.Of(most)&byteclass.Encoded != 0 { // a last "$" stays in all dialects
		if i := r.pattern.prefix(value); i < len(value) {
			w.normal = r.pattern.append(append(w.normal[:0], value[:i]...), value[i:])
			normal = unsafe.String(unsafe.SliceData(w.normal), len(w.normal))
		}
	}
	directory := r.directory(allow, normal)
	pat := r.compileNormal(normal, &w.squeezed)
	if !w.owns {
		if directory == 0 && unsafe.StringData(pat.text) == unsafe.StringData(value) {
			w.addPattern(&pat, span.at, span, line, allow)
			return
		}
		w.takeOver(text)
	}
	w.addPattern(&pat, w.keep(pat.text), span, line, allow)
	if directory > 0 {
		at := w.keep(normal[:directory])
		w.own = append(w.own, '$')
		second := w.own[at:]
		whole := unsafe.String(unsafe.SliceData(second), len(second))
		pat = r.compileNormal(whole, &w.squeezed)
		if unsafe.StringData(pat.text) != unsafe.StringData(whole) {
			at = w.keep(pat.text) // a run of "*" became one
		}
		w.addPattern(&pat, at, span, line, allow)
	}
}

// takeOver starts to own patterns: it copies those that are parts of the file.
func (w *builder) takeOver(text string) {
	w.unshare()
	w.owns = true
	w.own = slices.Grow(w.own, w.bytes)
	w.values = slices.Grow(w.values, w.room)
	w.wildValues = slices.Grow(w.wildValues, w.room)
	for i := range w.plain {
		p := &w.plain[i]
		size := p.weight >> 1
		w.values = append(w.values, valueSpan{p.at, size})
		p.at = w.keep(text[p.at : p.at+size])
	}
	for i := range w.wilds {
		d := &w.wilds[i]
		size := d.weight >> 1
		w.wildValues = append(w.wildValues, valueSpan{d.at, size})
		d.at = w.keep(text[d.at : d.at+size])
	}
}

// keep adds a text to own and returns where it is.
func (w *builder) keep(text string) uint32 {
	at := len(w.own)
	if len(text) > cap(w.own)-at {
		w.own = double(w.own, len(text))
	}
	w.own = append(w.own, text...)
	return uint32(at)
}

// addPattern adds a pattern whose text is at some place, if any path can match
// it: all paths start with "/".
func (w *builder) addPattern(pat *Pattern, at uint32, value valueSpan, line uint32, allow bool) {
	if pat.stem > 0 && pat.text[0] != '/' || pat.stem == 0 && pat.anchored && !pat.wild {
		return
	}
	heavy := weight(pat.octets, allow)
	stars := pat.octets - pat.stem
	if !pat.wild && !pat.anchored && stars <= 1 {
		if stars == 1 {
			line |= starred
		}
		w.unshare()
		w.plain = append(w.plain, plain{at, line, heavy})
		if w.owns {
			w.values = append(w.values, value)
		}
		return
	}
	d := wildDraft{at: at, stem: uint32(pat.stem), end: uint32(pat.end), line: line, weight: heavy}
	if pat.wild {
		d.flags |= wildStar
	}
	if pat.anchored {
		d.flags |= wildAnchored
	}
	w.wildRules++
	w.segments += pat.end - pat.stem
	if len(w.wilds) == cap(w.wilds) {
		w.wilds, w.wildValues = double(w.wilds, 1), double(w.wildValues, len(w.wilds))
	}
	w.wilds = append(w.wilds, d)
	if w.owns {
		w.wildValues = append(w.wildValues, value)
	}
}

// fill makes x the wild of a draft.
func (w *builder) fill(x *wild, d *wildDraft) {
	x.at, x.stem, x.end, x.line, x.weight, x.flags = d.at, d.stem, d.end, d.line, d.weight, d.flags
	if d.flags&wildStar == 0 {
		return
	}
	segments := w.text[d.at+d.stem+1 : d.at+d.end]
	has, stars := byteclass.Set(0), 0
	for i := range len(segments) {
		has |= byteclass.Table[segments[i]]
		if segments[i] == '*' {
			stars++
		}
	}
	x.needs = has &^ byteclass.Star // these stand between the segments
	x.least = uint16(min(len(segments)-stars, math.MaxUint16))
}

// many reports whether there are so many wilds that a net pays.
func (w *builder) many() bool { return w.wildRules > manyWilds || w.segments > manySegments }

// valueOf returns where in text its part stands, which is not empty.
func valueOf(text, part string) valueSpan {
	at := uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(text)))
	return valueSpan{uint32(at), uint32(len(part))}
}

// list finishes an index as a list.
func (w *builder) list(x *index) {
	if x.plain = w.plain; !w.shared {
		x.plain = slices.Clone(w.plain)
	}
	if len(w.wilds) > 0 {
		x.wilds = make([]wild, len(w.wilds))
		for i := range w.wilds {
			w.fill(&x.wilds[i], &w.wilds[i])
		}
		x.wilds[len(x.wilds)-1].flags |= wildLast
	}
	if w.owns {
		x.own.values = slices.Concat(w.values, w.wildValues)
	}
}

// hang adds the wilds with the numbers in hung, which hang on one stem, the
// heaviest first.
func (w *builder) hang(x *index) {
	for i, n := range w.hung {
		w.hung[i] = uint64(^w.wilds[n].weight)<<32 | n
	}
	slices.Sort(w.hung)
	for i := len(w.hung) - 1; i > 0; i-- {
		// A plain rule that was added last may stand earlier in the file.
		a, b := w.hung[i-1], w.hung[i]
		if a>>32 == b>>32 && w.wilds[uint32(b)].line < w.wilds[uint32(a)].line {
			w.hung[i-1], w.hung[i] = b, a
		}
	}
	for _, n := range w.hung {
		x.wilds = append(x.wilds, wild{})
		w.fill(&x.wilds[len(x.wilds)-1], &w.wilds[uint32(n)])
		if w.owns {
			x.own.values = append(x.own.values, w.wildValues[uint32(n)])
		}
	}
	x.wilds[len(x.wilds)-1].flags |= wildLast
}

// hash finishes an index of many rules.
func (w *builder) hash(x *index, form indexForm) {
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

// forget drops the entries of plain and the wilds after as many as there were.
func (w *builder) forget(plains, wilds int) {
	w.plain, w.wilds = w.plain[:plains], w.wilds[:wilds]
	if w.owns {
		w.wildValues = w.wildValues[:wilds]
	}
}

// markers returns how many markers a table needs as a rule, and how many at most:
// stems share them, so half as many as could be are more than enough nearly always.
func (w *builder) markers() (usual, most int) {
	octets := 0
	for i := range w.plain {
		octets += int(w.plain[i].stem())
	}
	for i := range w.wilds {
		octets += int(w.wilds[i].stem)
	}
	most = len(w.plain) + len(w.wilds) + octets/stride
	return most / 2, most
}

// begin starts the table of x, with room for so many markers.
func (w *builder) begin(x *index, markers int) {
	rules := len(w.plain) + len(w.wilds)
	n := rules + markers
	x.table = &table{
		slots:   make([]uint32, n+n/4+1),
		bloom:   make([]uint64, rules/8+1),
		shift:   uint8(bits.Len(uint(max(rules+len(w.wilds), markers)))),
		markers: make([]uint32, 0, markers),
	}
}

// addPlain adds the stems of the plain rules from one number to another to the
// table. It returns false if there is no room for their markers.
func (w *builder) addPlain(x *index, from, to int, last *lastMarker) bool {
	for i := from; i < to; i++ {
		p := &w.plain[i]
		s := w.stem(x, w.text[p.at:p.at+p.stem()], last)
		if s == nil {
			return false
		}
		if mask := uint32(1)<<x.table.shift - 1; *s&mask == 0 || x.beats(p, &w.plain[*s&mask-1]) {
			*s = *s&^mask | uint32(i+1)
		}
	}
	return true
}

// addWilds adds the stems of the wilds to the table, after those of all plain rules.
// It returns false if there is no room for their markers.
//
// It adds entries to plain that are headed; their weight is 1 + the number of the
// last draft with that stem.
func (w *builder) addWilds(x *index, last *lastMarker) bool {
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
				head := plain{at: d.at, line: headed}
				if k >= 0 {
					head.weight = w.also(k)
				}
				w.plain = append(w.plain, head)
				k = len(w.plain) - 1
				*s = *s&^mask | uint32(k+1)
			}
			before = stem
		}
		w.wilds[i].next = w.plain[k].weight
		w.plain[k].weight = uint32(i + 1)
	}
	return true
}

// finish finishes an index whose stems are in its table.
func (w *builder) finish(x *index, plains int, form indexForm) {
	heads := w.plain[plains:]
	if len(heads) > 0 && (form == asNet || w.many()) {
		w.weave(x, plains)
	}
	if w.owns {
		// Heads have no values.
		w.values = append(w.values, make([]valueSpan, len(w.plain)-len(w.values))...)
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
		for n := heads[i].weight; n > 0; n = w.wilds[n-1].next {
			w.hung = append(w.hung, uint64(n-1))
		}
		x.plain[plains+i].weight = uint32(len(x.wilds))
		w.hang(x)
	}
	if len(heads) > 1 {
		x.link(w.text, plains)
	}
}

// also adds the plain rule with number k to the wilds, because it shares its
// stem with one. It returns 1 + its number there.
func (w *builder) also(k int) uint32 {
	p := &w.plain[k]
	w.wilds = append(w.wilds, wildDraft{at: p.at, stem: p.stem(), end: p.stem(), line: p.line & lineMask, weight: p.weight})
	if w.owns {
		w.wildValues = append(w.wildValues, w.values[k])
	}
	return uint32(len(w.wilds))
}

// A lastMarker is what was last found for the first bytes of a stem. The next
// line of a file often starts with the same.
type lastMarker struct {
	octets uint64
	hash   uint64
	number int // 1 + that of the marker
}

// stem returns the slot of a stem. It makes that, without a number, and the
// markers before it if they are not there. It returns nil if there is no room
// for a marker.
func (w *builder) stem(x *index, text string, last *lastMarker) *uint32 {
	t := x.table
	h := seed
	pos := 0
	if len(text) <= short {
		t.short |= 1 << len(text)
	} else {
		if v := word.Load8(text); last.number == 0 || v != last.octets {
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
	k := t.bit(hash)
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
			if p.line&headed != 0 {
				size = w.wilds[p.weight-1].stem
			}
			if int(size) == len(text) && w.text[p.at:p.at+size] == text {
				return &t.slots[i]
			}
		}
		if i++; int(i) == len(t.slots) {
			i = 0
		}
	}
}

// addMarker returns 1 + the number of the marker for bytes with a hash, and
// makes it if it is not there. It returns 0 if there is no room.
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

// link tells the wilds of each stem which ones are above them. The stems are
// those of the plain ones from number first on.
func (x *index) link(text string, first int) {
	heads := slices.Clone(x.plain[first:])
	stem := func(head plain) string { return text[head.at : head.at+x.wilds[head.weight].stem] }
	slices.SortFunc(heads, func(a, b plain) int { return strings.Compare(stem(a), stem(b)) })
	// Now each stem follows those that it starts with.
	var above []plain
	for _, head := range heads {
		for len(above) > 0 && !strings.HasPrefix(stem(head), stem(above[len(above)-1])) {
			above = above[:len(above)-1]
		}
		if len(above) > 0 {
			for k := head.weight; ; k++ {
				x.wilds[k].above = above[len(above)-1].weight + 1
				if x.wilds[k].flags&wildLast != 0 {
					break
				}
			}
		}
		above = append(above, head)
	}
}
