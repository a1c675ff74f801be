package lint

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// hidden returns the diagnostics that disappear without a repair when those applied fixes are
// made that keep all answers: a warning or an error of any line, and any diagnostic of a line
// that remains. Another line of the same record with the same diagnostic counts as the line.
func hidden(r *Report, applied []*Fix) (gone []Diagnostic) {
	text := r.Policy.String()
	var edits []Edit
	for _, f := range applied {
		if f.Effect == Keeps {
			edits = append(edits, f.Edits...)
		}
	}
	if len(edits) == 0 {
		return nil
	}
	after := Run(robots.Parse([]byte(edited(text, edits))), r.options)
	type complaint struct {
		check *Check
		line  int
	}
	type said struct {
		check *Check
		text  string
	}
	// Diagnostics of line ends name the first such line, and one fix mends all lines.
	ends := []*Check{crLineEnds, mixedLineEnds, noFinalLineEnd}
	complaints := make(map[complaint]bool)
	words := make(map[said]bool)
	lines := linesOf(after.Policy)
	for _, d := range after.Diagnostics {
		complaints[complaint{d.Check, d.Line}] = true
		words[said{d.Check, recordOf(lines[d.Line])}] = true
	}
	before := linesOf(r.Policy)
	for _, d := range r.Diagnostics {
		if slices.Contains(ends, d.Check) || d.Fix != nil && slices.Contains(applied, d.Fix) {
			continue
		}
		l := before[d.Line]
		start, end := l.Offset, l.Offset+len(l.Text)
		touched, removed := false, false
		for _, e := range edits {
			touched = touched || e.Start < end && (e.End > start || e.Start >= start)
			removed = removed || e.Start <= start && e.End >= end
		}
		if d.Severity == Info && (removed || !touched) || words[said{d.Check, recordOf(l)}] {
			continue
		}
		from, to := moved(start, edits), moved(end, edits)
		stays := false
		for number, a := range lines {
			if a.Offset >= from && a.Offset < max(to, from+1) && complaints[complaint{d.Check, number}] {
				stays = true
				break
			}
		}
		if !stays {
			gone = append(gone, d)
		}
	}
	return gone
}

func recordOf(l robots.Line) string { return l.Field + ":" + l.Value }

func linesOf(p *robots.Policy) map[int]robots.Line {
	lines := make(map[int]robots.Line)
	for number, l := range p.Lines() {
		lines[number] = l
	}
	return lines
}

// moved returns the new start of the line that started at a byte of a text before edits.
func moved(at int, edits []Edit) int {
	by := 0
	for _, e := range edits {
		if e.End > at || e.Start == at {
			break
		}
		by += len(e.New) - (e.End - e.Start)
	}
	return at + by
}

// hidesNothing applies the safe fixes of a text one round after the other, each fix alone, and
// up to a number of pairs of fixes, safe or not.
func hidesNothing(t *testing.T, name, text string, pairs int) {
	t.Helper()
	o := everything()
	o.Disable = []string{"portability"}
	o.Limit = 1 << 20
	try := func(r *Report, applied []*Fix, what string) {
		if len(applied) == 0 {
			return
		}
		for _, d := range hidden(r, applied) {
			var titles []string
			for _, f := range applied[:min(len(applied), 5)] {
				titles = append(titles, f.Title)
			}
			t.Errorf("%s: %.500q: %s (%s) hides %s", name, r.Policy.String(), what, strings.Join(titles, "; "), d)
		}
	}
	whole := Run(robots.Parse([]byte(text)), o)
	r := whole
	for range fixRounds {
		chosen := r.chosen(func(f *Fix) bool { return f.Safe })
		if len(chosen) == 0 {
			break
		}
		try(r, chosen, "all safe fixes")
		var edits []Edit
		for _, f := range chosen {
			edits = append(edits, f.Edits...)
		}
		r = Run(robots.Parse([]byte(edited(r.Policy.String(), edits))), o)
	}
	var all []*Fix
	for i := range whole.Diagnostics {
		if f := whole.Diagnostics[i].Fix; f != nil {
			all = append(all, f)
		}
	}
	var tried [][]*Fix // pairs that cannot be made together give the same fixes again
	for i, f := range all {
		for _, g := range all[i:] {
			if pairs--; pairs < 0 {
				return
			}
			chosen := whole.chosen(func(x *Fix) bool { return x == f || x == g })
			if !slices.ContainsFunc(tried, func(t []*Fix) bool { return slices.Equal(t, chosen) }) {
				tried = append(tried, chosen)
				try(whole, chosen, "a pair of fixes")
			}
		}
	}
}

// TestFixesHideNothing applies fixes to files that people wrote, a fourth of corpusFiles.
func TestFixesHideNothing(t *testing.T) {
	corpus.Unraced(t)
	corpus.Each(fourth(corpusFiles(t)), func(f corpus.File) {
		if len(f.Data) <= 1<<15 {
			hidesNothing(t, f.Name, string(f.Data), 6)
		}
	})
}

// pieces are the parts from which TestFixesHideNothingMade makes lines. Each check has a part.
var pieces = struct{ fields, values, ends []string }{
	fields: []string{"User-agent", "Disallow", "Allow", "Disallow", "Sitemap", "Crawl-delay", "Dissallow", "dIsallow",
		"D\u0456sallow", "\u00ef\u00bb\u00bfDisallow", "User-agnet", "Content-Signal", "Clean-param", "Noindex",
		"// Disallow", "No permitir"},
	values: []string{"/tmp/", "/tmp/", "/a", "/a", "/b", "/", "*", "**", "$", ", ", " ", "\u00a0", "\u200b", "\u00e9",
		"\xe9", "%", "%2520", "%2F", "#", " #", "\"", "Allow: /a", " User-agent: GPTBot", "\\", ".*", "[0-9]+", "\x07",
		"\x00", "/ ", "x", "GPTBot", "CCBot", "Googlebot", ";", "https://example.com", "/sitemap.xml", "10",
		"ai-train=no", ".css$", "/assets/"},
	ends: []string{"\n", "\n", "\n", "\n", "\r\n", "\r", "\n\n", ""},
}

// made returns a text of random lines.
func made(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString([]string{"User-agent: *\n", "User-agent: *\n", "", "\uFEFFUser-agent: *\r\n"}[r.IntN(4)])
	for range 1 + r.IntN(7) {
		pick := func(from []string) string { return from[r.IntN(len(from))] }
		fmt.Fprintf(&b, "%s%s", pick(pieces.fields),
			[]string{": ", ":", " ", "\uff1a"}[min(r.IntN(16), 3)%4*(r.IntN(4)/3)])
		for range 1 + r.IntN(3) {
			b.WriteString(pick(pieces.values))
		}
		b.WriteString(pick(pieces.ends))
	}
	return b.String()
}

// TestFixesHideNothingMade applies fixes to 250 generated files with several mistakes on a line, or
// to 5,000 with ROBOTS_CORPUS_ALL.
func TestFixesHideNothingMade(t *testing.T) {
	corpus.Unraced(t)
	n := corpus.Cases(250, 5000)
	r := rand.New(rand.NewPCG(9309, 12))
	for i := range n {
		hidesNothing(t, fmt.Sprint(i), made(r), 40)
		if t.Failed() && i > n/10 {
			return
		}
	}
}

// TestFixesHideNothingKnown repeats the files in which fixes once hid a diagnostic.
func TestFixesHideNothingKnown(t *testing.T) {
	for _, text := range []string{
		"User-agent: *\nDisallow: /tmp/\nDisallow: /tmp/, /private/\n",
		"User-agent: *\nDisallow: /x\nDisallow: /x /y\n",
		"User-agent: *\nContent-Signal: \aai_train=no\nDisallow: /x\n",
		"User-agent: *\nDisallow: /a\nDisallow: /a Allow: /a/b\n",
		"User-agent: *\nDisallow: /a\nDisallow: /a User-agent: GPTBot\nDisallow: /\n",
		"User-agent: *\nAllow: /tmp | /z\nDisallow: /x\n",
		"User-agent: *\nDisallow: /\nDisallow: /User-agent: *\n",
		"User-agent: *\nDisallow: /\u00c2\u00a0x\n",
		"User-agent: *\nDisallow: /\u00a0x\n",
		"User-agent: *\nplain text\nUser-agent: GPTBot\nDisallow: /x\n",
		"User-agent: *\n// a comment\nUser-agent: GPTBot\nDisallow: /x\n",
		"User-agent: *\nDisallow: /news/\nAllow: /news/\nAllow: /x/\nDisallow: /\n",
	} {
		hidesNothing(t, "known", text, 100)
	}
}
