package exception

import (
	"math/rand/v2"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/corpus"
)

// readings returns the paths that servers, and programs behind them, may read in a target: decoded
// several times, with backslashes for slashes, without parameters, up to a zero byte, and without
// dots.
func readings(target string) (list []string) {
	sent, _, _ := strings.Cut(target, "?")
	list = []string{sent}
	add := func(change func(string) string) {
		for _, p := range slices.Clone(list) {
			if changed := change(p); changed != p {
				list = append(list, changed)
			}
		}
	}
	decode := func(p string) string {
		var b strings.Builder
		for i := 0; i < len(p); i++ {
			if s, err := url.PathUnescape(p[i:min(i+3, len(p))]); err == nil && p[i] == '%' {
				b.WriteString(s)
				i += 2
			} else {
				b.WriteByte(p[i])
			}
		}
		return b.String()
	}
	parameters := regexp.MustCompile(`;[^/]*`)
	overlong := strings.NewReplacer("\xc0\xae", ".", "\xc0\xaf", "/", "\xc1\x9c", `\`)
	for range 3 {
		add(decode)
	}
	add(overlong.Replace)
	add(func(p string) string { return strings.ReplaceAll(p, `\`, "/") })
	add(func(p string) string { return parameters.ReplaceAllString(p, "") })
	add(func(p string) string { before, _, _ := strings.Cut(p, "\x00"); return before })
	add(func(p string) string { before, _, _ := strings.Cut(p, "#"); return before })
	add(strings.TrimSpace)
	add(path.Clean)
	return list
}

// TestPathExpression checks with random targets that an exception holds only for those that lie
// below its path in every reading.
func TestPathExpression(t *testing.T) {
	pieces := []string{"/", "//", "/hook", "hook", "/a.b/", ".", "..", "/..", "/../", "/./", "%2e", "%2E%2e", "%2f",
		"%5c", `\`, ";", "%3b", ";x=1", "%25", "%252e", "%", "%%32", "65", "%00", "\x00", "#", "?", "%23", "%c0%ae",
		"%C0%AF", "\xc0\xae", "%20", "x", "é", "%c3%a9", "private", "%70", "*", "+", " ", "%09", "\t", "~",
		"%u002e", "$"}
	random := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for _, below := range []string{"/hook", "/hook/", "/a.b/hook", "/hook/hook"} {
		if err := CheckPath(below); err != nil {
			t.Fatal(err)
		}
		expression := regexp.MustCompile(PathExpression(`^`, below, `\z`, true))
		root := strings.TrimSuffix(below, "/")
		for range corpus.Cases(100_000, 1_000_000) {
			target := below
			for range random.IntN(6) {
				target += pieces[random.IntN(len(pieces))]
			}
			if random.IntN(3) == 0 {
				target = "/" + pieces[random.IntN(len(pieces))] + target
			}
			if !expression.MatchString(target) {
				continue
			}
			matched++
			for _, p := range readings(target) {
				if p != root && !strings.HasPrefix(p, root+"/") {
					t.Fatalf("%q passes by %s, and may be read as %q", target, below, p)
				}
			}
		}
	}
	if matched < 10_000 {
		t.Errorf("only %d targets pass: the test says little", matched)
	}
}
