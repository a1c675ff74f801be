package merge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint/format"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/merge"
)

// FuzzJoin checks for one path the promise that Join makes for all paths.
func FuzzJoin(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /a*b$\nAllow: /c\nCrawl-delay: 5\n",
		"User-agent: GPTBot\nDisallow: /x # y\nSitemap: https://example.com/\n", "GPTBot=/a/", "GPTBot", "/a/b")
	f.Add("# one\nUser-agent: Googlebot\nUser-agent: b\n\n# two\nDisallow:\nAllow: /\n",
		"user-agent:*\rDisallow: /caf\xe9\r", "search", "Googlebot-Image", "/caf%E9")
	f.Add("\ufeffLicense: https://a/\nFoo: bar\nuseragent: c\n",
		"User-agent: *\nContent-Usage: /a train-ai=n\nLicense: https://b/\n", "*", "*", "/")
	f.Fuzz(func(t *testing.T, text1, text2, wish, agent, path string) {
		if len(text1)+len(text2) > 1500 || len(path) > 100 {
			return
		}
		url := site + "/" + strings.TrimPrefix(path, "/")
		var o merge.Options
		o.Limit = 2000
		if w, err := merge.ParseWish(wish, false); err == nil && !strings.ContainsAny(w.Path, "%") {
			o.Wishes = append(o.Wishes, w)
		}
		fragments := []merge.Fragment{{Name: "1", Text: []byte(text1)}, {Name: "2", Text: []byte(text2)}}
		file, err := merge.Join(fragments, o)
		if wrong := (*merge.Error)(nil); errors.As(err, &wrong) {
			if wrong.Error() == "" {
				t.Error("an error says nothing")
			}
			for _, locale := range language.Codes() {
				o.Language = locale
				_, err := merge.Join(fragments, o)
				if err == nil {
					t.Fatalf("in %s there is no error", locale)
				}
				if said := err.Error(); !printable.IsText(strings.ReplaceAll(said, "\n", "")) ||
					strings.Contains(said, "%!") || strings.Contains(said, "⟩") &&
					!strings.Contains(wrong.Error(), "⟩") {
					t.Errorf("in %s: %q", locale, said)
				}
			}
			return
		}
		whole := robots.Parse([]byte(file.Text))
		if laid := format.Source(file.Text); laid != file.Text {
			t.Errorf("not laid out: %q", file.Text)
		}
		if again, err := merge.Join([]merge.Fragment{{Name: "whole", Text: []byte(file.Text)}},
			merge.Options{}); err != nil {
			t.Errorf("cannot be built again: %v\n%q", err, file.Text)
		} else if d, _ := proof.Diff(whole, robots.Parse([]byte(again.Text)),
			proof.Options{Limit: 2000}); len(d.Changes) > 0 {
			t.Errorf("built again it says otherwise: %v\n%q", d, file.Text)
		}
		// Join reports only paths in normal form, and a robot without a group of its own
		// obeys the group of another name.
		if d := robots.RFC9309; d.Path(site+d.Path(url)) != d.Path(url) ||
			!strings.EqualFold(whole.For(agent).Token(), agent) || len(o.Wishes) > 0 {
			return
		}
		closed := false
		for _, fragment := range fragments {
			closed = closed || !groupOf(robots.Parse(fragment.Text), agent).Allowed(url)
		}
		if m := groupOf(whole, agent).Match(url); m.Allowed == closed {
			t.Errorf("%s: %q is %v\n%q", agent, url, m, file.Text)
		}
	})
}
