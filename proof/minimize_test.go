package proof_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/proof"
)

func TestMinimize(t *testing.T) {
	for _, test := range []struct{ name, text, want, why string }{
		{
			"a longer rule says the same",
			"User-agent: *\nDisallow: /a\nDisallow: /a/b\nAllow: /c\n",
			"User-agent: *\nDisallow: /a\n",
			"line 3: Disallow: /a/b: line 2 says the same; line 4: Allow: /c: allowed without it",
		}, {
			"a rule that another one always beats",
			"User-agent: *\nDisallow: /x\nAllow: /x\n",
			"User-agent: *\nAllow: /x\n",
			"line 2: Disallow: /x: never decides",
		}, {
			"a rule in between matters",
			"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n",
			"User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\n",
			"",
		}, {
			"wildcards",
			"User-agent: *\nDisallow: /*.php$\nDisallow: /x/*.php$\nDisallow: /*\nDisallow: /y\n",
			"User-agent: *\nDisallow: /*\n",
			"line 2: Disallow: /*.php$: line 4 says the same; line 3: Disallow: /x/*.php$: line 2 says the same; line 5: Disallow: /y: never decides",
		}, {
			"comments, blank lines and records stay",
			"# a\n\nUser-agent: * # b\n# c\nDisallow: /a # d\nCrawl-delay: 3\n\nDisallow: /a/b\n\n# e\nSitemap: http://h/s\n",
			"# a\n\nUser-agent: * # b\n# c\nDisallow: /a # d\nCrawl-delay: 3\n\n# e\nSitemap: http://h/s\n",
			"line 8: Disallow: /a/b: line 5 says the same",
		}, {
			"groups that are equal are told together",
			"User-agent: a\nDisallow: /x\nDisallow: /y\n\nUser-agent: b\nDisallow: /z\n\nUser-agent: c\nDisallow: /y\nDisallow: /x\n",
			"User-agent: a\nUser-agent: c\nDisallow: /x\nDisallow: /y\n\nUser-agent: b\nDisallow: /z\n\n",
			"line 8: User-agent: c: has the rules of the group of line 1; line 9: Disallow: /y: has the rules of the group of line 1; line 10: Disallow: /x: has the rules of the group of line 1",
		}, {
			"a group that repeats that for everyone, but not of a robot that does not obey it",
			"User-agent: *\nDisallow: /x\n\nUser-agent: b\nDisallow: /x\n\nUser-agent: AdsBot-Google\nDisallow: /x\n",
			"User-agent: *\nDisallow: /x\n\nUser-agent: AdsBot-Google\nDisallow: /x\n",
			"line 4: User-agent: b: repeats the group for everyone of line 1; line 5: Disallow: /x: repeats the group for everyone of line 1",
		}, {
			"a group keeps a rule, or it would be joined with the next",
			"User-agent: a\nAllow: /\n\nUser-agent: *\nDisallow: /\n",
			"User-agent: a\nAllow: /\n\nUser-agent: *\nDisallow: /\n",
			"",
		}, {
			"a group that is another one to Google's parser, does not keep others from being told together",
			"User-agent: a\nDisallow: /q\n\nUser-agent: b\nDisallow: /q\n\nUser-agent: c\nDisallow: /q\nDisalow: /z\n\nUser-agent: d\nDisallow: /q\n",
			"User-agent: a\nUser-agent: b\nUser-agent: d\nDisallow: /q\n\nUser-agent: c\nDisallow: /q\nDisalow: /z\n\n",
			"line 4: User-agent: b: has the rules of the group of line 1; line 5: Disallow: /q: has the rules of the group of line 1; line 11: User-agent: d: has the rules of the group of line 1; line 12: Disallow: /q: has the rules of the group of line 1",
		}, {
			"comments at the end of lines that are left out",
			"User-agent: *\nDisallow: /a\nDisallow: /a/b # the archive\nAllow: /c\t# allow all\n\nUser-agent: b # ours\nDisallow: /a # the same\n",
			"User-agent: *\nDisallow: /a\n# the archive\n# allow all\n\n# ours\n# the same\n",
			"line 3: Disallow: /a/b # the archive: line 2 says the same; line 4: Allow: /c\\t# allow all: allowed without it; " +
				"line 6: User-agent: b # ours: repeats the group for everyone of line 1; line 7: Disallow: /a # the same: repeats the group for everyone of line 1",
		}, {
			"comments of a group go with its robots, not between user-agent lines",
			"User-agent: *\nDisallow: /a\n\n# about C\nUser-agent: C\nDisallow: /x # keep c\n# note about D\nUser-agent: D # here\n# why\nDisallow: /x # keep d\nDisallow: /x/y # and this\n# so far\n\n# the end\n",
			"User-agent: *\nDisallow: /a\n\n# about C\n# note about D\n# why\n# keep d\n# and this\n# so far\nUser-agent: C\nUser-agent: D # here\nDisallow: /x # keep c\n\n# the end\n",
			"line 7: # note about D: goes with its group to line 5; line 8: User-agent: D # here: has the rules of the group of line 5; line 9: # why: goes with its group to line 5; " +
				"line 10: Disallow: /x # keep d: has the rules of the group of line 5; line 11: Disallow: /x/y # and this: line 10 says the same; line 12: # so far: goes with its group to line 5",
		}, {
			"a comment stays with the record that it speaks of",
			"\ufeffUser-agent: C\r\nDisallow: /x\r\n\r\nUser-agent: D\r\nDisallow: /x\r\n# the map\r\nSitemap: https://h/s",
			"\ufeffUser-agent: C\r\nUser-agent: D\r\nDisallow: /x\r\n\r\n# the map\r\nSitemap: https://h/s",
			"line 4: User-agent: D: has the rules of the group of line 1; line 5: Disallow: /x: has the rules of the group of line 1",
		}, {
			"a rule that was needed only for one that is left out, too",
			"User-agent: cc\nAllow: /a**a$\nAllow: /ab\nUser-agent: Aa\nDisallow:/aab\nUser-agent: cc\nDisallow: /\nDisallow: /\n# hi\nAllow:/\nDisallow: /bba**\n",
			"# hi\nUser-agent: cc\nDisallow: /bba**\nUser-agent: Aa\nDisallow:/aab\n",
			"line 2: Allow: /a**a$: line 10 says the same; line 3: Allow: /ab: allowed without it; " +
				"line 6: User-agent: cc: the group of line 1 has the same robots; line 7: Disallow: /: never decides; " +
				"line 8: Disallow: /: never decides; line 9: # hi: goes with its group to line 1; " +
				"line 10: Allow:/: allowed without it; line 11: Disallow: /bba**: the group of line 1 has the same robots",
		}, {
			"groups with the same robots are one",
			"User-agent: *\nDisallow: /\n\n# again\nUser-agent: * # b\nDisallow: /a # c\n",
			"# again\nUser-agent: *\nDisallow: /\n# c\n\n# b\n",
			"line 4: # again: goes with its group to line 1; line 5: User-agent: * # b: the group of line 1 has the same robots; " +
				"line 6: Disallow: /a # c: the group of line 1 has the same robots",
		}, {
			"a group with a record of its own is another one",
			"User-agent: a\nDisallow: /x\nCrawl-delay: 1\n\nUser-agent: b\nDisallow: /x\n",
			"User-agent: a\nDisallow: /x\nCrawl-delay: 1\n\nUser-agent: b\nDisallow: /x\n",
			"",
		},
	} {
		m, err := proof.Minimize(robots.Parse([]byte(test.text)), proof.Options{})
		var why []string
		for _, r := range m.LeftOut {
			why = append(why, r.String())
		}
		if m.Text != test.want || err != nil || strings.Join(why, "; ") != test.why {
			t.Errorf("%s: got\n%s\n%s\nwant\n%s\n%s", test.name, m.Text, strings.Join(why, "; "), test.want, test.why)
		}
	}
}

// minimizedAgain minimizes a second time, which must remove nothing.
func minimizedAgain(t *testing.T, name, text string, once *proof.Minimized) {
	t.Helper()
	again, _ := proof.Minimize(robots.Parse([]byte(once.Text)), proof.Options{})
	if !once.Undecided && (again.Text != once.Text || len(again.LeftOut) > 0) {
		t.Errorf("%s: minimized\n%s\nand again\n%s\n%v\nof\n%s", name, once.Text, again.Text, again.LeftOut, text)
	}
}

// TestMinimizeTwice minimizes 700 generated files a second time, or 3,000 with
// ROBOTS_CORPUS_ALL; TestReachMinimized does so with real files.
func TestMinimizeTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 13))
	n := 400
	switch {
	case corpus.All():
		n = 3000
	case testing.Short():
		n = 300
	}
	small := 0
	for i := range n {
		text := messyText(r)
		once, _ := proof.Minimize(robots.Parse([]byte(text)), proof.Options{})
		minimizedAgain(t, fmt.Sprint(i), text, once)
		if once.Text != text {
			small++
		}
	}
	if small < n/4 {
		t.Errorf("only %d of %d files could be made smaller", small, n)
	}
}

// messyText returns files with repeated groups, equal rules and comments.
func messyText(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(randomText(r))
	for range r.IntN(3) {
		b.WriteString(randomText(r))
	}
	lines := strings.SplitAfter(b.String(), "\n")
	for range r.IntN(8) {
		i := r.IntN(len(lines))
		switch r.IntN(5) {
		case 0:
			lines[i] = "# comment\n" + lines[i]
		case 1:
			lines[i] = strings.TrimSuffix(lines[i], "\n") + " # at the end\n"
		case 2:
			lines[i] += lines[r.IntN(len(lines))]
		case 3:
			lines[i] = "User-agent: " + []string{"*", "foobot", "BarBot", "Googlebot-Image", "Googlebot"}[r.IntN(5)] +
				"\n" + lines[i]
		default:
			lines[i] += []string{"Crawl-delay: 1\n", "Disallow:\n", "Disalow: /a\n",
				"Sitemap: https://h/s\n"}[r.IntN(4)]
		}
	}
	return strings.Join(lines, "")
}

// comments returns the comments of a file, sorted.
func comments(text string) string {
	var all []string
	for _, line := range robots.Parse([]byte(text)).Lines() {
		if _, comment, ok := strings.Cut(strings.TrimRight(line.Text, "\r\n"), "#"); ok {
			all = append(all, comment)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// TestMinimizeBrute compares a file with its minimized form for all short paths, and
// their comments: of 250 generated files, or 600 with ROBOTS_CORPUS_ALL.
func TestMinimizeBrute(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 7))
	n := corpus.Cases(120, 600)
	if testing.Short() {
		n = 60
	}
	before, after := 0, 0
	for range n {
		text := messyText(r)
		m, _ := proof.Minimize(robots.Parse([]byte(text)), proof.Options{})
		before, after = before+len(text), after+len(m.Text)
		if got, want := comments(m.Text), comments(text); got != want {
			t.Errorf("the comments are\n%s\nand were\n%s\n%s\n%s", got, want, text, m.Text)
		}
		for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
			p, q := d.Parse([]byte(text)), d.Parse([]byte(m.Text))
			for _, agent := range []string{"FooBot", "BarBot", "Googlebot", "OtherBot"} {
				g, h := p.For(agent), q.For(agent)
				for _, path := range paths {
					url := site + path
					if g.Allowed(url) != h.Allowed(url) {
						t.Fatalf("%v, %s: %s was %v, is %v\n%s\n%s", d, agent, path, g.Match(url), h.Match(url), text,
							m.Text)
					}
				}
			}
		}
	}
	t.Logf("%d bytes, minimized %d", before, after)
}
