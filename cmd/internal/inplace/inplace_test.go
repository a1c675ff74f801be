package inplace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/inplace"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/test/corpus"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/proof"
)

// subjects returns the robots that names stand for.
func subjects(t testing.TB, names ...string) []agent.Subject {
	t.Helper()
	known := &robotname.Names{}
	known.Add("ABot", "BBot", "CBot")
	all, err := known.Resolve(names)
	fatal.If(t, err)
	return all
}

// TestDo checks the lines that a wish adds and removes, and that every other byte stays.
func TestDo(t *testing.T) {
	for _, test := range []struct {
		name, text string
		open       bool
		robots     string
		want       string // or the beginning of an error after "error: "
	}{
		{"an empty file", "", false, "ABot", "User-agent: ABot\nDisallow: /\n"},
		{"a byte order mark only", "\ufeff", false, "ABot", "\ufeffUser-agent: ABot\nDisallow: /\n"},
		{"no group for it", "User-agent: *\nDisallow: /x\n", false, "ABot",
			"User-agent: *\nDisallow: /x\n\nUser-agent: ABot\nDisallow: /\n"},
		{"closed but for a folder", "User-agent: *\nDisallow: /\nAllow: /pub\n", true, "ABot",
			"User-agent: *\nDisallow: /\nAllow: /pub\n\nUser-agent: ABot\nAllow: /\n"},
		{"closed but for a file", "User-agent: ABot\nDisallow: /\nAllow: /favicon.ico\n", true, "ABot",
			"User-agent: ABot\nAllow: /favicon.ico\n"},
		{"closed but for a folder, with a part", "User-agent: *\nDisallow: /\nAllow: /pub\nDisallow: /pub/x\n", true,
			"ABot", "User-agent: *\nDisallow: /\nAllow: /pub\nDisallow: /pub/x\n\n" +
				"User-agent: ABot\nAllow: /pub\nDisallow: /pub/x\n"},
		{"an Allow for all wins", "User-agent: *\nDisallow: /\nAllow: /\n", true, "ABot",
			"User-agent: *\nDisallow: /\nAllow: /\n"},
		{"no line end", "User-agent: *\nDisallow: /x", false, "ABot",
			"User-agent: *\nDisallow: /x\n\nUser-agent: ABot\nDisallow: /\n"},
		{"a blank line at the end", "User-agent: *\r\nDisallow: /x\r\n\r\n", false, "ABot",
			"User-agent: *\r\nDisallow: /x\r\n\r\nUser-agent: ABot\r\nDisallow: /\r\n"},
		{"only CR", "User-agent: *\rDisallow: /x\r", false, "ABot",
			"User-agent: *\rDisallow: /x\r\rUser-agent: ABot\rDisallow: /\r"},
		{"the last group has no rule", "User-agent: BBot\n# not yet\nSitemap: https://a.example/s\n", false,
			"ABot",
			"User-agent: BBot\n# not yet\nSitemap: https://a.example/s\nDisallow:\n\nUser-agent: ABot\nDisallow: /\n"},
		{"closed by everyone's group", "User-agent: *\nDisallow: /\n", false, "ABot", "User-agent: *\nDisallow: /\n"},
		{"nor a line end", "User-agent: BBot\nSitemap: https://a.example/s", false, "ABot",
			"User-agent: BBot\nSitemap: https://a.example/s\nDisallow:\n\nUser-agent: ABot\nDisallow: /\n"},
		{"an open group that is closed", "User-agent: *\r\nAllow: /\r\n\r\nUser-agent: BBot\r\nAllow: /\r\n\r\n", false,
			"ABot,BBot",
			"User-agent: *\r\nAllow: /\r\n\r\nUser-agent: BBot\r\nDisallow: /\r\n" +
				"# before robots block: Allow: /\r\n\r\n" +
				"User-agent: ABot\r\nDisallow: /\r\n"},
		{"a closed group is there", "User-agent: BBot # old\nDisallow: /\nUser-agent: *\nDisallow:\n", false,
			"ABot,CBot",
			"User-agent: BBot # old\nUser-agent: ABot\nUser-agent: CBot\nDisallow: /\nUser-agent: *\nDisallow:\n"},
		{"a closed group ends the file", "User-agent: *\nDisallow:\nUser-agent: BBot\nDisallow: /*", false, "ABot",
			"User-agent: *\nDisallow:\nUser-agent: BBot\nUser-agent: ABot\nDisallow: /*"},
		{"its own group", "User-agent: abot\nAllow: /x # here\nDisallow: /y\nCrawl-delay: 5\n", false, "ABot",
			"User-agent: abot\nDisallow: /\n# before robots block: Allow: /x # here\nDisallow: /y\nCrawl-delay: 5\n"},
		{"its own group closes nothing", "\ufeffUser-agent: ABot\nDisallow: # none\n", false, "ABot,BBot",
			"\ufeffUser-agent: ABot\nDisallow: /\n# before robots block: Disallow: # none\n\n" +
				"User-agent: BBot\nDisallow: /\n"},
		{"a group with others", "\ufeffUser-agent: ABot # first\nUser-agent: BBot\nDisallow: /x\n", false, "ABot",
			"\ufeff# before robots block: User-agent: ABot # first\nUser-agent: BBot\nDisallow: /x\n\n" +
				"User-agent: ABot\nDisallow: /\n"},
		{"with everyone", "User-agent: *\nUser-agent: ABot\nDisallow: /x\n", false, "ABot",
			"User-agent: *\n# before robots block: User-agent: ABot\nDisallow: /x\n\nUser-agent: ABot\nDisallow: /\n"},
		{"records between user-agent lines", "User-agent: BBot\nCrawl-delay: 1\n\nUser-agent: ABot\n" +
			"Crawl-delay: 2\n\nUser-agent: *\nDisallow: /x\n", false, "ABot", "User-agent: BBot\nCrawl-delay: 1\n\n" +
			"# before robots block: User-agent: ABot\n# before robots block: Crawl-delay: 2\n\n" +
			"User-agent: *\nDisallow: /x\n\nUser-agent: ABot\nDisallow: /\n"},
		{"two groups", "User-agent: ABot\nDisallow: /x\nUser-agent: BBot\nUser-agent: ABot\nAllow: /y\n", false,
			"ABot", "User-agent: ABot\nDisallow: /\nDisallow: /x\nUser-agent: BBot\n" +
				"# before robots block: User-agent: ABot\nAllow: /y\n"},
		{"hostile bytes", "\x00\xff\x1b[2J\nUser-agent: \xe9Bot\nDisallow: /\xe9\x00\nUser-agent: ABot\nAllow: /\n",
			false, "ABot",
			"\x00\xff\x1b[2J\nUser-agent: \xe9Bot\nDisallow: /\xe9\x00\nUser-agent: ABot\nDisallow: /\n" +
				"# before robots block: Allow: /\n"},
		{"everyone", "User-agent: *\nAllow: /\nUser-agent: BBot\nDisallow: /b\n", false, "*",
			"User-agent: *\nDisallow: /\n# before robots block: Allow: /\nUser-agent: BBot\nDisallow: /b\n"},
		{"rules before all groups", "Disallow: /x\n\nUser-agent: *\nDisallow:\n", false, "ABot",
			"Disallow: /x\n\nUser-agent: *\nDisallow:\n\nUser-agent: ABot\nDisallow: /\n"},

		{"a name that begins with a digit", "", false, "360Spider", "User-agent: 360Spider\nDisallow: /\n"},

		{"nothing is closed", "User-agent: *\nDisallow: /x\n", true, "ABot", "User-agent: *\nDisallow: /x\n"},
		{"opens its own group", "User-agent: *\nDisallow: /x\n\nUser-agent: ABot\nDisallow: /\n", true, "ABot",
			"User-agent: *\nDisallow: /x\n"},
		{"opens one of several", "User-agent: ABot\nUser-agent: BBot\nDisallow: /\n", true, "ABot",
			"User-agent: BBot\nDisallow: /\n"},
		{"keeps its other rules", "User-agent: ABot\nDisallow: /\nDisallow: /x\n", true, "ABot",
			"User-agent: ABot\nDisallow: /x\n"},
		{"keeps its pace", "User-agent: ABot\nDisallow: / # shut\nCrawl-delay: 5\n\nUser-agent: BBot\nDisallow: /b\n",
			true, "ABot", "User-agent: ABot\nAllow: / # shut\nCrawl-delay: 5\n\nUser-agent: BBot\nDisallow: /b\n"},
		{"closed to everyone", "User-agent: *\nDisallow: /\n", true, "ABot,BBot",
			"User-agent: *\nDisallow: /\n\nUser-agent: ABot\nUser-agent: BBot\nAllow: /\n"},
		{"closed by name and to everyone", "User-agent: ABot\nDisallow: /\n\nUser-agent: *\nDisallow: /\n", true,
			"ABot", "\nUser-agent: *\nDisallow: /\n\nUser-agent: ABot\nAllow: /\n"},
		{"more is closed to everyone", "User-agent: *\nDisallow: /\nDisallow: /\xe9\nAllow: /p/\n", true, "ABot",
			"User-agent: *\nDisallow: /\nDisallow: /\xe9\nAllow: /p/\n\n" +
				"User-agent: ABot\nDisallow: /\xe9\nAllow: /p/\n"},
		{"finer rules for everyone", "User-agent: *\nDisallow: /*\nDisallow: /admin\xe9/\n", true, "ABot",
			"User-agent: *\nDisallow: /*\nDisallow: /admin\xe9/\n\nUser-agent: ABot\nDisallow: /admin\xe9/\n"},
		{"an open group is there", "User-agent: BBot\nAllow: /\nUser-agent: *\nDisallow: /\n", true, "ABot",
			"User-agent: BBot\nUser-agent: ABot\nAllow: /\nUser-agent: *\nDisallow: /\n"},
		{"opens to everyone", "User-agent: *\nDisallow: /\n", true, "*", "User-agent: *\nAllow: /\n"},
		{"rules that close all together", "User-agent: ABot\nDisallow: /$\nDisallow: /*\n", true, "ABot",
			"User-agent: ABot\nDisallow: /$\n"},
		{"Google reads a misspelt line", "User-agent: *\nDisallow:\nuseragent: ABot\nAllow: /x\n", false, "ABot",
			"error: Google's parser reads lines of this file otherwise"},
	} {
		text, all := test.text, subjects(t, test.robots)
		for range 2 { // the second time changes nothing
			edit, err := inplace.Do(text, inplace.Wish{Robots: all, Open: test.open}, language.English)
			if want, ok := strings.CutPrefix(test.want, "error: "); ok {
				if err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%s: got %v, want %s", test.name, err, want)
				}
				break
			}
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
				break
			}
			if edit.Text != test.want {
				t.Errorf("%s:\n got %q\nwant %q", test.name, edit.Text, test.want)
			}
			text = edit.Text
		}
	}
}

// TestApart closes the robots of a purpose, and none that obeys another one's group; a robot's own
// name means those, too.
func TestApart(t *testing.T) {
	const text = "User-agent: *\nDisallow: /x\nUser-agent: Yandex\nDisallow: /y\n"
	edit, err := inplace.Do(text, inplace.Wish{Robots: subjects(t, "Googlebot", "Bing")}, language.English)
	fatal.If(t, err)
	p := robots.ParseString(edit.Text)
	for token, want := range map[string]bool{"Googlebot": false, "Googlebot-Image": false, "Applebot": false,
		"bingbot": false, "YandexBot": true, "ABot": true} {
		if got := agent.Group(p, token).Allowed("/a"); got != want {
			t.Errorf("%s: got %t, want %t:\n%s", token, got, want, edit.Text)
		}
	}
	googlebot := subjects(t, "Googlebot")
	googlebot[0].Called = []string{"Google"} // as if the wish were about an operator with one robot
	edit, err = inplace.Do(text, inplace.Wish{Robots: googlebot}, language.English)
	fatal.If(t, err)
	if p := robots.ParseString(edit.Text); agent.Group(p, "Googlebot").Allowed("/a") ||
		!agent.Group(p, "Applebot").Allowed("/a") || !slices.Contains(edit.Apart, "Applebot") {
		t.Errorf("Applebot is not kept apart:\n%s", edit.Text)
	}
}

// FuzzDo changes files of any lines. Where there is a result, only the named robots have changed, a
// second time changes nothing, and what was closed and then opened is open.
func FuzzDo(f *testing.F) {
	for _, seed := range []string{"", "*d/\nAd/x\n", "ABd/\nc5\nBa/x", "A\nB\n*d/", "*d/\nd/admin\nAd/\nBd",
		"As\n#x\nBd/\r\n"} {
		f.Add(seed, false, byte(1))
		f.Add(seed, true, byte(3))
	}
	f.Fuzz(func(t *testing.T, program string, open bool, who byte) {
		if len(program) > 60 {
			return
		}
		text := strings.NewReplacer("A", "\nUser-agent: ABot\n", "B", "\nUser-agent: BBot\n",
			"C", "\nUser-agent: CBot\n", "*", "\nUser-agent: *\n", "d", "\nDisallow: ", "a", "\nAllow: ",
			"c", "\nCrawl-delay: ", "s",
			"\nSitemap: https://a.example/").Replace(program)
		var names []string
		for i, name := range []string{"ABot", "BBot", "CBot", "*"} {
			if who&(1<<i) != 0 {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			return
		}
		all := subjects(t, names...)
		edit, err := inplace.Do(text, inplace.Wish{Robots: all, Open: open}, language.English)
		if err != nil {
			return
		}
		diff, err := proof.Diff(robots.ParseString(text), robots.ParseString(edit.Text), proof.Options{})
		fatal.If(t, err)
		for _, c := range diff.Changes {
			for _, name := range c.Agents {
				meant := slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
				if !meant || c.Opened != open {
					t.Errorf("%q → %q: %s", text, edit.Text, c)
				}
			}
		}
		if !open {
			backAgain(t, text, all)
		}
		again, err := inplace.Do(edit.Text, inplace.Wish{Robots: all, Open: open}, language.English)
		if err != nil || again.Text != edit.Text {
			t.Errorf("%q → %q → %v, %v", text, edit.Text, again, err)
		}
	})
}

// backAgain closes a site to robots, opens it to them again, and requires the meaning of the old
// text. It returns whether the texts could be compared. Robots to which the site is closed already,
// or is except for a few paths, are left out: to open it to them is another wish.
func backAgain(t *testing.T, text string, all []agent.Subject) bool {
	t.Helper()
	before := robots.ParseString(text)
	all = slices.DeleteFunc(slices.Clone(all), func(s agent.Subject) bool {
		return !s.Group(before).Allowed("/a-path-that-no-rule-names")
	})
	closed, err := inplace.Do(text, inplace.Wish{Robots: all}, language.English)
	if err != nil {
		return false
	}
	back, err := inplace.Do(closed.Text, inplace.Wish{Robots: all, Open: true}, language.English)
	if err != nil {
		t.Errorf("%q → %q: cannot be opened again: %v", text, closed.Text, err)
		return true
	}
	diff, err := proof.Diff(before, robots.ParseString(back.Text), proof.Options{})
	if !diff.Equal() && err == nil || len(diff.Changes)+len(diff.Records) > 0 || back.Lost {
		t.Errorf("%q → %q → %q: %v, %v", text, closed.Text, back.Text, diff.Changes, diff.Records)
	}
	return err == nil
}

// TestAllowUndoesBlock opens a site to the robots to which it was closed: the text is the old one.
func TestAllowUndoesBlock(t *testing.T) {
	for _, text := range []string{
		"User-agent: ABot\nAllow: /x # here\nDisallow: /y\n\nUser-agent: *\nDisallow: /z\n",
		"User-agent: ABot\nDisallow:\n\nUser-agent: *\nDisallow: /z\n",
		"User-agent: ABot\r\nCrawl-delay: 2\r\nAllow: /\r\n\r\nUser-agent: *\r\nDisallow: /z\r\n",
		"\ufeffUser-agent: ABot # first\nUser-agent: BBot\nDisallow: /x\n",
		"\ufeffUser-agent: CBot\nUser-agent: ABot\nUser-agent: BBot\nDisallow: /x\n",
		"User-agent: CBot\nCrawl-delay: 1\nUser-agent: ABot\nUser-agent: BBot\nCrawl-delay: 2\nDisallow: /x\n",
		"User-agent: ABot\nDisallow: /x\nUser-agent: BBot\nUser-agent: ABot\nAllow: /y\n",
		"User-agent: CBot\nDisallow: /\n\nUser-agent: ABot\nAllow: /\n",
		"User-agent: *\nDisallow: /\nUser-agent: ABot\nUser-agent: CBot\nAllow: /\n",
	} {
		all := subjects(t, "ABot", "BBot")
		closed, err := inplace.Do(text, inplace.Wish{Robots: all}, language.English)
		fatal.If(t, err)
		for _, s := range all {
			if s.Group(robots.ParseString(closed.Text)).Allowed("/x") {
				t.Errorf("%q → %q: open to %s", text, closed.Text, s.Tokens[0])
			}
		}
		var changed []agent.Subject
		for _, s := range all {
			if slices.Contains(closed.Changed, s.Tokens[0]) {
				changed = append(changed, s)
			}
		}
		back, err := inplace.Do(closed.Text, inplace.Wish{Robots: changed, Open: true}, language.English)
		fatal.If(t, err)
		if back.Text != text {
			t.Errorf("%q → %q → %q", text, closed.Text, back.Text)
		}
	}
}

// TestAllowChangedLines opens a site whose hidden lines somebody has moved or written: only what
// can be proven comes back.
func TestAllowChangedLines(t *testing.T) {
	const text = "User-agent: BBot\nDisallow: /b\n# before robots block: Disallow: /\n\n" +
		"# before robots block: User-agent: ABot\n# before robots block:\n\n" +
		"User-agent: *\nDisallow: /x\n\nUser-agent: ABot\nDisallow: /\n"
	edit, err := inplace.Do(text, inplace.Wish{Robots: subjects(t, "ABot"), Open: true}, language.English)
	fatal.If(t, err)
	diff, err := proof.Diff(robots.ParseString(text), robots.ParseString(edit.Text), proof.Options{})
	fatal.If(t, err)
	for _, c := range diff.Changes {
		if !slices.Equal(c.Agents, []string{"ABot"}) || !c.Opened {
			t.Errorf("%q: %v", edit.Text, c)
		}
	}
}

// TestPurpose closes the robots of a purpose, one of which Google's parser reads by another name,
// and opens them again: the text is the old one.
func TestPurpose(t *testing.T) {
	const text = "User-agent: *\r\nDisallow: /x\r\nCrawl-delay: 3\r\n"
	all := subjects(t, "ai-train")
	edit, err := inplace.Do(text, inplace.Wish{Robots: all}, language.English)
	fatal.If(t, err)
	if n := strings.Count(edit.Text, "\r\n"); n != 3+1+len(all)+1 || len(edit.Changed) != len(all) {
		t.Errorf("%d lines for %d robots: %q", n, len(all), edit.Text)
	}
	back, err := inplace.Do(edit.Text, inplace.Wish{Robots: all, Open: true}, language.English)
	fatal.If(t, err)
	if back.Text != text {
		t.Errorf("got %q", back.Text)
	}
}

// TestCorpus closes and opens real files to the robots of a purpose. Few are refused, and what was
// closed is open again, with the old meaning for all robots.
func TestCorpus(t *testing.T) {
	all := subjects(t, "ai-train", "bing")
	files, refused, undecided, same := 0, 0, 0, 0
	for _, file := range corpus.Sample(t, corpus.Cases(40, 1000)) {
		if len(file.Data) > 450<<10 {
			continue // robots need not read its end
		}
		files++
		closed, err := inplace.Do(string(file.Data), inplace.Wish{Robots: all}, language.English)
		if err != nil {
			refused++
			t.Logf("%s: %v", file.Name, err)
			continue
		}
		if backAgain(t, string(file.Data), all) {
			same++
		}
		if _, err := inplace.Do(closed.Text, inplace.Wish{Robots: all, Open: true}, language.English); err != nil {
			undecided++
			t.Logf("%s: opening: %v", file.Name, err)
		}
	}
	said := fmt.Sprintf("of %d files %d were not closed, %d not opened again, and %d mean the same again", files,
		refused, undecided, same)
	if refused*20 > files || undecided*20 > files || same*20 < files*19 {
		t.Error(said)
	}
	t.Log(said)
}
