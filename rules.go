package robots

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/robotsexclusion/robots/internal/ruleindex"
	"github.com/robotsexclusion/robots/internal/ruleindex/byteclass"
)

// An indexSlot holds the index of the rules of a group. A faster index replaces it when it is asked
// often.
type indexSlot = atomic.Pointer[ruleindex.Index]

// From manyRules rules on, a group is searched for rough patterns at once: later, the search would
// make one question slow. For a text larger than usualText, the search would make reading slow: RFC
// 9309, section 2.5 lets robots stop reading at that size.
const (
	manyRules = 1024
	usualText = 500 << 10
)

// index returns the index of the rules of a block, and makes it on the first call.
func (p *Policy) index(block uint32) *ruleindex.Index {
	slot := &p.blocks[block].rules
	x := slot.Load()
	if x == nil {
		slot.CompareAndSwap(nil, p.newIndex([]uint32{block}, ruleindex.List, false))
		x = slot.Load()
	}
	return x
}

// newIndex makes the index of the rules of blocks. Unless smooth is set, some patterns may be
// rough, that is, not in normal form yet, and the index is marked rough.
func (p *Policy) newIndex(blocks []uint32, form ruleindex.Form, smooth bool) *ruleindex.Index {
	r := p.dialect.spec()
	stems, odd := p.rulesOf(blocks)
	rough := false
	if !smooth && len(stems) > 0 && r.encodes != 0 {
		if len(stems)+len(odd) > manyRules && len(p.text) <= usualText {
			smooth = r.anyRough(p.text, stems)
		} else {
			rough = true
		}
	}
	var x *ruleindex.Index
	if len(odd) == 0 && form == ruleindex.List && !smooth {
		x = ruleindex.ListOf(stems, r.firstMatch)
	} else {
		n := normalizers.Get().(*normalizer)
		x = n.index(r, p.text, stems, odd, form, smooth)
		normalizers.Put(n)
	}
	if rough {
		x.SetRough(true)
	}
	return x
}

// ready returns the index of blocks to keep in slot, for a path with a "%": it makes one if x is
// nil, and one with all patterns in normal form if x is rough. Nearly always the result is x
// itself: few files have rough patterns, and searching for them only when a path with a "%" is
// asked for spares all other paths the time.
func (p *Policy) ready(slot *indexSlot, blocks []uint32, x *ruleindex.Index, has byteclass.Set) *ruleindex.Index {
	if x == nil {
		x = p.index(blocks[0])
	}
	if has&byteclass.Percent == 0 || !x.Rough() {
		return x
	}
	if stems, _ := p.rulesOf(blocks); p.dialect.spec().anyRough(p.text, stems) {
		x = p.newIndex(blocks, x.Form(), true)
		slot.Store(x)
	}
	x.SetRough(false)
	return x
}

// anyRough reports whether rules of text, as Parse found them, are rough.
func (r *dialectSpec) anyRough(text string, rules []ruleindex.Rule) bool {
	first, last := &rules[0], &rules[len(rules)-1]
	return maybeRough(text[first.At:last.At+last.Bytes()]) &&
		slices.ContainsFunc(rules, func(rule ruleindex.Rule) bool { return r.isRough(text, rule) })
}

// isRough reports whether a rule of text, as Parse found it, has bytes that the normal form
// encodes.
func (r *dialectSpec) isRough(text string, rule ruleindex.Rule) bool {
	value := text[rule.At : rule.At+rule.Bytes()]
	return maybeNever(value, '#') && byteclass.Of(value)&r.encodes != 0
}

// A normalizer brings rules into normal form and makes an index of them. It keeps its memory from
// one index to the next.
type normalizer struct {
	builder ruleindex.Builder
}

var normalizers = sync.Pool{New: func() any { return new(normalizer) }}

// index makes an index of rules of text: stems, and odd rules, which Parse left unread. If smooth
// is set, stems may be rough, and are normalized.
func (n *normalizer) index(r *dialectSpec, text string, stems, odd []ruleindex.Rule, form ruleindex.Form,
	smooth bool) *ruleindex.Index {
	var size ruleindex.Size
	if len(odd) > ruleindex.ManyWilds {
		wilds := len(odd) + r.directories(text, odd)
		size = ruleindex.Size{Rules: len(stems) + wilds, Wilds: wilds, Bytes: bytesOf(stems) + bytesOf(odd)}
	}
	if smooth {
		size.Rules = max(size.Rules, len(stems))
		n.builder.Start(text, nil, size)
		n.addStems(r, text, stems)
	} else {
		n.builder.Start(text, stems, size)
	}
	n.addOdd(r, text, odd)
	return n.builder.Finish(form, r.firstMatch)
}

// directories returns about how many of rules have a second pattern, judging by 32 of them.
func (r *dialectSpec) directories(text string, rules []ruleindex.Rule) (n int) {
	const samples = 32
	if !r.google || len(rules) < samples {
		return 0
	}
	step := len(rules) / samples
	for i := range samples {
		rule := rules[i*step]
		if r.directory(rule.Allow(), text[rule.At:rule.At+rule.Bytes()]) > 0 {
			n += step
		}
	}
	return n
}

// bytesOf returns the length of the values of rules.
func bytesOf(rules []ruleindex.Rule) (bytes int) {
	for i := range rules {
		bytes += int(rules[i].Bytes())
	}
	return bytes
}

// addStems adds rules that are only a stem, and normalizes the rough ones.
func (n *normalizer) addStems(r *dialectSpec, text string, stems []ruleindex.Rule) {
	for _, rule := range stems {
		if r.isRough(text, rule) {
			n.add(r, text, ruleindex.Span{At: rule.At, Size: rule.Bytes()}, rule.Number(), rule.Allow())
		} else {
			n.builder.AddStem(rule)
		}
	}
}

// addOdd adds the rules that Parse left unread because they do not have the usual form.
func (n *normalizer) addOdd(r *dialectSpec, text string, odd []ruleindex.Rule) {
	before, allowed := "", false
	for i, rule := range odd {
		value := text[rule.At : rule.At+rule.Bytes()]
		allow := rule.Allow()
		if r.lists {
			n.addList(r, text, value, rule.Line, allow)
			continue
		}
		if i > 0 && value == before && allow == allowed {
			continue // the same rule on the line before wins
		}
		before, allowed = value, allow
		n.add(r, text, ruleindex.Span{At: rule.At, Size: uint32(len(value))}, rule.Line, allow)
	}
}

// addList adds the rules of a list of paths, which have no wildcards.
func (n *normalizer) addList(r *dialectSpec, text, value string, line uint32, allow bool) {
	before := ""
	for path := range list(value) {
		if path[0] != '/' || path == before {
			continue // no path of a URL matches, or the same path before it wins
		}
		before = path
		span := spanOf(text, path)
		if strings.IndexByte(path, '%') >= 0 {
			n.add(r, text, span, line, allow)
		} else {
			n.builder.AddStem(ruleindex.Rule{At: span.At, Line: line, Weight: ruleindex.Weight(len(path), allow)})
		}
	}
}

// add adds a rule whose value is a part of text.
func (n *normalizer) add(r *dialectSpec, text string, span ruleindex.Span, line uint32, allow bool) {
	value := text[span.At : span.At+span.Size]
	normal := value
	if mayRewrite(value) {
		if i := r.pattern.prefix(value); i < len(value) {
			own := n.builder.Own(3 * len(value))
			normal = n.builder.Keep(r.pattern.append(append(own, value[:i]...), value[i:]))
		}
	}
	var pat ruleindex.Pattern
	r.compileNormal(&pat, normal)
	n.builder.Add(&pat, span, line, allow)
	if directory := r.directory(allow, normal); directory > 0 {
		toDirectory(&pat, directory)
		n.builder.Add(&pat, span, line, allow)
	}
}

// spanOf returns the place in text of part, which must be a part of text and not empty.
func spanOf(text, part string) ruleindex.Span {
	at := uintptr(unsafe.Pointer(unsafe.StringData(part))) - uintptr(unsafe.Pointer(unsafe.StringData(text)))
	return ruleindex.Span{At: uint32(at), Size: uint32(len(part))}
}

// A joinedBlocks is one index of several blocks. It serves a robot that has too many blocks, or too
// many rules in them, to ask each block in turn. It is immutable except for its index.
//
// All robots that a block names share the block, but not its joinedBlocks. A policy keeps the
// joinedBlocks of the most recently asked robots, with at most a few times as many rules as the
// file has.
type joinedBlocks struct {
	blocks []uint32
	rules  indexSlot
	size   int           // rules and blocks of this value and of all after it
	next   *joinedBlocks // the one made before
}

// More than manyBlocks blocks are always joined. A policy keeps joined blocks while their rules are
// at most manyJoined times its own.
const (
	manyBlocks = 8
	manyJoined = 2
)

// join returns blocks joined, or nil if joining is not needed.
func (p *Policy) join(blocks []uint32) *joinedBlocks {
	if len(blocks) < 2 {
		return nil
	}
	size, odd := len(blocks), 0
	for _, block := range blocks {
		s, o := p.rulesBetween(block, block+1)
		size, odd = size+len(s)+len(o), odd+len(o)
	}
	if len(blocks) <= manyBlocks && size <= manyRules && odd <= ruleindex.ManyWilds {
		return nil
	}
	return p.joinAll(blocks, size)
}

// joinAll returns blocks joined; size is their number of rules.
func (p *Policy) joinAll(blocks []uint32, size int) *joinedBlocks {
	first := p.joined.Load()
	for j := first; j != nil; j = j.next {
		if slices.Equal(j.blocks, blocks) {
			return j
		}
	}
	j := &joinedBlocks{blocks: blocks, size: size}
	j.rules.Store(p.newIndex(blocks, ruleindex.List, false))
	if most := manyJoined * (len(p.blocks) + len(p.found)); first != nil && first.size+size <= most {
		j.next, j.size = first, first.size+size
	}
	p.joined.CompareAndSwap(first, j)
	return j
}
