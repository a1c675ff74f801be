package proof_test

import (
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof"
)

// TestReach finds the changes between neighbouring versions of real files. Without
// ROBOTS_CORPUS_ALL it compares every third pair.
func TestReach(t *testing.T) {
	every := corpus.Cases(8, 1)
	if testing.Short() {
		every = 12
	}
	for _, source := range []string{"site-histories", "news-monthly", "publishers-wayback"} {
		files := corpus.Files(t, source)
		slices.SortFunc(files, func(a, b corpus.File) int { return strings.Compare(a.Name, b.Name) })
		versions, pairs, decided, quick, changes, regions := 0, 0, 0, 0, 0, 0
		var slowest time.Duration
		slow := ""
		for i := 1; i < len(files); i++ {
			if path.Dir(files[i].Name) != path.Dir(files[i-1].Name) {
				continue
			}
			if versions++; versions%every != 0 {
				continue
			}
			for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
				before, after := d.Parse(files[i-1].Data), d.Parse(files[i].Data)
				start := time.Now()
				diff, err := proof.Diff(before, after, proof.Options{})
				took := time.Since(start)
				pairs++
				if err == nil {
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

// TestReachMinimized minimizes real files, compares the matcher's answers before and after,
// and minimizes files of up to 50,000 bytes a second time. It reads every eightieth file of the
// corpus, or all with ROBOTS_CORPUS_ALL=1.
func TestReachMinimized(t *testing.T) {
	files := corpus.Files(t, "*")
	some := corpus.Every(150, files)
	switch {
	case corpus.All():
	case testing.Short():
		some = corpus.Every(200, files)
	default:
		for _, f := range files {
			if strings.HasSuffix(f.Name, "www.kayak.com.my.txt") { // which was once made smaller twice
				some = append(some, f)
			}
		}
	}
	var lock sync.Mutex
	undecided, slow, tenSeconds, before, after := 0, 0, 0, 0, 0
	var slowest time.Duration
	slowestName := ""
	corpus.Each(some, func(f corpus.File) {
		start := time.Now()
		policy := robots.Parse(f.Data)
		m, err := proof.Minimize(policy, proof.Options{})
		took := time.Since(start)
		agreeOnRules(t, f.Name, policy, robots.Parse([]byte(m.Text)))
		if len(f.Data) < 50_000 {
			minimizedAgain(t, f.Name, string(f.Data), m)
		}
		lock.Lock()
		defer lock.Unlock()
		before, after = before+len(f.Data), after+len(m.Text)
		switch {
		case err != nil:
			undecided++
		case took > 10*time.Second:
			tenSeconds++
		case took > time.Second:
			slow++
		}
		if took > slowest {
			slowest, slowestName = took, f.Name
		}
	})
	t.Logf("%d files, %d bytes minimized to %d (%.1f %%); %d undecided, %d decided in more than a second, %d of more than ten; the slowest took %v (%s)",
		len(some), before, after, 100*float64(after)/float64(before), undecided, slow, tenSeconds, slowest, slowestName)
	if undecided > 2+len(some)/10_000 {
		t.Errorf("%d of %d files are undecided", undecided, len(some))
	}
}

// agreeOnRules asks the matcher, independently of the proof, about the paths that a file names.
func agreeOnRules(t *testing.T, name string, before, after *robots.Policy) {
	asked := 0
	for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
		p, q := before.In(d), after.In(d)
		for _, g := range p.Groups() {
			names := append(g.Agents(), "OtherBot")
			was, is := p.For(names[0]), q.For(names[0])
			for rule := range g.Rules() {
				if asked++; asked%7 != 0 && len(names) > 4 {
					continue
				}
				url := site + "/" + strings.TrimPrefix(strings.NewReplacer("*", "xy", "$", "").Replace(rule.Pattern),
					"/")
				if was, is := was.Allowed(url), is.Allowed(url); was != is {
					t.Errorf("%s, %v, %s: %s was %t, minimized it is %t", name, d, names[0], url, was, is)
				}
			}
		}
	}
}
