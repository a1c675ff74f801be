package proof_test

import (
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/corpus"
	"github.com/robotsexclusion/robots/proof"
)

// TestReach finds what changed between neighbouring versions of real files.
func TestReach(t *testing.T) {
	for _, source := range []string{"site-histories", "news-monthly", "publishers-wayback"} {
		files := corpus.Files(t, source)
		slices.SortFunc(files, func(a, b corpus.File) int { return strings.Compare(a.Name, b.Name) })
		pairs, decided, quick, changes, regions := 0, 0, 0, 0, 0
		var slowest time.Duration
		slow := ""
		for i := 1; i < len(files); i++ {
			if path.Dir(files[i].Name) != path.Dir(files[i-1].Name) {
				continue
			}
			for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
				before, after := d.Parse(files[i-1].Data), d.Parse(files[i].Data)
				start := time.Now()
				diff := proof.Diff(before, after, proof.Options{})
				took := time.Since(start)
				pairs++
				if diff.Decided() {
					decided++
					if took <= time.Second {
						quick++
					}
				} else {
					t.Logf("%s, %v: undecided for %q after %v", files[i].Name, d, diff.Undecided[0], took)
				}
				changes += len(diff.Changes)
				for _, c := range diff.Changes {
					regions += len(c.Regions)
				}
				if took > slowest {
					slowest, slow = took, files[i].Name
				}
			}
		}
		t.Logf("%s: %d pairs, %d decided, %d of them within a second; %d changes, %d regions; the slowest took %v (%s)",
			source, pairs, decided, quick, changes, regions, slowest, slow)
	}
}

// TestReachMinimized makes real files smaller, and asks the matcher whether they
// still say the same. It reads a part of the corpus, or all with
// ROBOTS_CORPUS_ALL=1.
func TestReachMinimized(t *testing.T) {
	files := corpus.Files(t, "protego-sites")
	step := 10
	if corpus.All() {
		step = 1
		for _, source := range []string{"academic-sites", "egonkm-sites", "news-monthly", "publishers-wayback", "site-histories", "t1gor-sites", "texting-robots-sites"} {
			files = append(files, corpus.Files(t, source)...)
		}
	}
	all, undecided, slow, tenSeconds, before, after, asked := 0, 0, 0, 0, 0, 0, 0
	var slowest time.Duration
	slowestName := ""
	for i := 0; i < len(files); i += step {
		f := files[i]
		start := time.Now()
		policy := robots.Parse(f.Data)
		m := proof.Minimize(policy, proof.Options{})
		took := time.Since(start)
		all++
		before, after = before+len(f.Data), after+len(m.Text)
		switch {
		case m.Undecided:
			undecided++
		case took > 10*time.Second:
			tenSeconds++
		case took > time.Second:
			slow++
		}
		if took > slowest {
			slowest, slowestName = took, f.Name
		}
		// Besides the proof, the paths that the file itself names.
		again := robots.Parse([]byte(m.Text))
		for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			p, q := policy.In(d), again.In(d)
			for _, g := range p.Groups() {
				names := append(g.Agents(), "OtherBot")
				for rule := range g.Rules() {
					if asked%7 == 0 || len(names) < 5 {
						url := site + "/" + strings.TrimPrefix(strings.NewReplacer("*", "xy", "$", "").Replace(rule.Pattern), "/")
						if was, is := p.For(names[0]).Allowed(url), q.For(names[0]).Allowed(url); was != is {
							t.Errorf("%s, %v, %s: %s was %t, minimized it is %t", f.Name, d, names[0], url, was, is)
						}
					}
					asked++
				}
			}
		}
	}
	t.Logf("%d files, %d octets minimized to %d (%.1f %%); %d undecided, %d decided in more than a second, %d of more than ten; the slowest took %v (%s)",
		all, before, after, 100*float64(after)/float64(before), undecided, slow, tenSeconds, slowest, slowestName)
}
