package lsp

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/robotsexclusion/robots/lint"
)

// maxEdits is the maximum number of edits in an answer: more edits are joined.
const maxEdits = 10_000

// textEdits converts edits, which must be in order and not overlap, to the protocol. An edit
// that starts or ends within a line end or a character is widened to the whole line end or
// character, because there are no positions inside. ok is false if the new text is not UTF-8,
// which JSON cannot represent.
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

// widened returns equivalent edits that start and end at valid positions.
func (t *text) widened(edits []lint.Edit) (out []lint.Edit) {
	s := t.content
	for i := 0; i < len(edits); {
		start, end := boundary(s, edits[i].Start), boundaryAfter(s, edits[i].End)
		next := i + 1
		for next < len(edits) && boundary(s, edits[next].Start) < end {
			end = max(end, boundaryAfter(s, edits[next].End)) // both are within the same line end or character
			next++
		}
		out = append(out, t.joined(edits[i:next], start, end))
		i = next
	}
	return out
}

// joined combines several edits into one edit of the bytes from from to to.
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

// boundary returns the last valid position at or before an offset.
func boundary(s string, offset int) int {
	if offset > 0 && offset < len(s) && s[offset-1] == '\r' && s[offset] == '\n' {
		return offset - 1
	}
	return charStart(s, offset)
}

// boundaryAfter returns the first valid position at or after an offset.
func boundaryAfter(s string, offset int) int {
	for boundary(s, offset) < offset {
		offset++
	}
	return offset
}

// difference returns edits that change one text into another: a few small edits if the texts
// differ little. Lines that differ only in white space and case are treated as the same line,
// changed.
func difference(before, after string) (edits []lint.Edit) {
	old, now := splitLines(before), splitLines(after)
	at := 0 // offset of old[i] in before
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

// keys returns lines in lower case, without white space.
func keys(lines []string) []string {
	keys := make([]string, len(lines))
	for i, line := range lines {
		keys[i] = strings.ToLower(strings.Join(strings.Fields(line), ""))
	}
	return keys
}

// appendEdits adds edits that replace lines, which start at an offset, by others. As many lines
// as possible are replaced one by one.
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

// sharedStart returns the length in bytes of the common prefix of two texts, which does not end
// within a character or a line end.
func sharedStart(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return min(boundary(a, n), boundary(b, n))
}

// sharedEnd is sharedStart for suffixes.
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

// An anchor is a line that two texts have in common, with its line numbers.
type anchor struct{ old, now int }

// anchors returns lines that two texts have in common, in the order of both. It finds most of
// them: a longest sequence of lines that are unique in both texts (patience diff), and all
// lines next to these. It takes time n log n.
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

// once returns the lines that are unique in both parts, in the order of the first.
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

// increasing returns a longest subsequence of anchors, which are in the order of the old text,
// that is in the order of the new text too.
func increasing(all []anchor) []anchor {
	last := make([]int, 0, len(all)) // for each length, the anchor that ends such a sequence earliest
	before := make([]int, len(all))  // the previous anchor of each, or -1
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
