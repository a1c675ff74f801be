package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/lint"
)

// maxEdits is how many edits are sent: more are joined.
const maxEdits = 10_000

// textEdits returns edits, which are in order and do not overlap, as a client
// takes them. An edit that starts or ends within a line end or a character is
// widened to all of it, as positions cannot be there. It is not ok where what an
// edit writes is not UTF-8, which JSON cannot carry.
func (t *text) textEdits(edits []lint.Edit) (out []textEdit, ok bool) {
	at := cursor{text: t}
	edits = t.widened(edits)
	if len(edits) > maxEdits {
		edits = []lint.Edit{t.joined(edits, edits[0].Start, edits[len(edits)-1].End)}
	}
	for _, e := range edits {
		if !utf8.ValidString(e.New) {
			return nil, false
		}
		start := at.position(e.Start)
		ahead := at
		out = append(out, textEdit{span{start, ahead.position(e.End)}, e.New})
	}
	return out, true
}

// widened returns edits with the same result, none of which starts or ends where
// no position is.
func (t *text) widened(edits []lint.Edit) (out []lint.Edit) {
	s := t.content
	for i := 0; i < len(edits); {
		start, end := boundary(s, edits[i].Start), boundaryAfter(s, edits[i].End)
		next := i + 1
		for next < len(edits) && boundary(s, edits[next].Start) < end {
			end = max(end, boundaryAfter(s, edits[next].End)) // both are within one line end or character
			next++
		}
		out = append(out, t.joined(edits[i:next], start, end))
		i = next
	}
	return out
}

// joined returns one edit, of the bytes from one to another, that does what
// several do within them.
func (t *text) joined(edits []lint.Edit, start, end int) lint.Edit {
	var b strings.Builder
	at := start
	for _, e := range edits {
		b.WriteString(t.content[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(t.content[at:end])
	return lint.Edit{Start: start, End: end, New: b.String()}
}

// boundary returns the last place at or before an offset where a position can be.
func boundary(s string, offset int) int {
	if offset > 0 && offset < len(s) && s[offset-1] == '\r' && s[offset] == '\n' {
		return offset - 1
	}
	return charStart(s, offset)
}

// boundaryAfter returns the first place at or after an offset where a position can
// be.
func boundaryAfter(s string, offset int) int {
	for boundary(s, offset) < offset {
		offset++
	}
	return offset
}

// difference returns edits that make one text of another: a few small ones where
// little differs. Lines that differ in white space and the case of letters only are
// taken for the same ones, changed.
func difference(before, after string) (edits []lint.Edit) {
	old, now := splitLines(before), splitLines(after)
	at := 0 // bytes of before that come before old[i]
	i, j := 0, 0
	replace := func(endOld, endNow int) {
		edits = appendEdits(edits, at, old[i:endOld], now[j:endNow])
		for ; i < endOld; i++ {
			at += len(old[i])
		}
		j = endNow
	}
	for _, same := range anchors(keys(old), keys(now)) {
		replace(same.old, same.now)
		replace(same.old+1, same.now+1)
	}
	replace(len(old), len(now))
	return edits
}

// keys returns lines without white space, in lower case.
func keys(lines []string) []string {
	keys := make([]string, len(lines))
	for i, line := range lines {
		keys[i] = strings.ToLower(strings.Join(strings.Fields(line), ""))
	}
	return keys
}

// appendEdits adds edits for lines that come in the place of others, which start
// at an offset. As many as there were are changed each on its own.
func appendEdits(edits []lint.Edit, at int, old, now []string) []lint.Edit {
	if len(old) != len(now) {
		old, now = []string{strings.Join(old, "")}, []string{strings.Join(now, "")}
	}
	for i, was := range old {
		is := now[i]
		if was != is {
			from := sharedStart(was, is)
			to := sharedEnd(was[from:], is[from:])
			edits = append(edits, lint.Edit{Start: at + from, End: at + len(was) - to, New: is[from : len(is)-to]})
		}
		at += len(was)
	}
	return edits
}

// sharedStart returns how many bytes two texts start with that are the same,
// without a part of a character or a line end.
func sharedStart(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return min(boundary(a, n), boundary(b, n))
}

// sharedEnd is sharedStart for the ends.
func sharedEnd(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && (boundary(a, len(a)-n) < len(a)-n || boundary(b, len(b)-n) < len(b)-n) {
		n--
	}
	return n
}

// An anchor is a line that two texts have both, by its numbers in them.
type anchor struct{ old, now int }

// anchors returns lines that two texts have both, in the order of both. It finds
// most of them: the longest order of lines that are in each text once (patience
// diff), and all next to these. It takes time n log n.
func anchors(old, now []string) (found []anchor) {
	i, j := 0, 0
	extend := func() {
		for i < len(old) && j < len(now) && old[i] == now[j] {
			found = append(found, anchor{i, j})
			i, j = i+1, j+1
		}
	}
	extend()
	endOld, endNow := len(old), len(now)
	for endOld > i && endNow > j && old[endOld-1] == now[endNow-1] {
		endOld, endNow = endOld-1, endNow-1
	}
	for _, u := range increasing(once(old, now, i, j, endOld, endNow)) {
		if u.old < i || u.now < j {
			continue
		}
		back := 0
		for u.old-back > i && u.now-back > j && old[u.old-back-1] == now[u.now-back-1] {
			back++
		}
		i, j = u.old-back, u.now-back
		extend()
	}
	if i <= endOld && j <= endNow {
		for endOld < len(old) {
			found = append(found, anchor{endOld, endNow})
			endOld, endNow = endOld+1, endNow+1
		}
	}
	return found
}

// once returns the lines that parts of two texts have once each, in the order of
// the first.
func once(old, now []string, i, j, endOld, endNow int) (found []anchor) {
	type count struct{ old, now, at int }
	counts := make(map[string]count)
	for _, line := range old[i:endOld] {
		c := counts[line]
		c.old++
		counts[line] = c
	}
	for k, line := range now[j:endNow] {
		if c, ok := counts[line]; ok {
			c.now, c.at = c.now+1, j+k
			counts[line] = c
		}
	}
	for k, line := range old[i:endOld] {
		if c := counts[line]; c.old == 1 && c.now == 1 {
			found = append(found, anchor{i + k, c.at})
		}
	}
	return found
}

// increasing returns a longest part of anchors, which are in the order of the old
// text, that is in the order of the new one too.
func increasing(all []anchor) []anchor {
	last := make([]int, 0, len(all)) // for each length the anchor that ends such a part earliest
	before := make([]int, len(all))  // the anchor before each, or -1
	for k, a := range all {
		n := sort.Search(len(last), func(i int) bool { return all[last[i]].now >= a.now })
		before[k] = -1
		if n > 0 {
			before[k] = last[n-1]
		}
		if n == len(last) {
			last = append(last, k)
		} else {
			last[n] = k
		}
	}
	part := make([]anchor, len(last))
	if len(last) > 0 {
		for n, k := len(last)-1, last[len(last)-1]; k >= 0; n, k = n-1, before[k] {
			part[n] = all[k]
		}
	}
	return part
}
