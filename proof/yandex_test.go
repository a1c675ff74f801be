package proof_test

import (
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/proof"
)

// A slowRule is a rule as Yandex reads it.
type slowRule struct {
	allow bool
	path  string
}

// slowYandex returns the rules for a robot as Yandex's source and help describe them. It is
// the slow twin of proof's reader of that dialect.
func slowYandex(text string, tokens []string) (rules []slowRule) {
	type group struct{ rules []slowRule }
	groups := make(map[string]*group)
	var names []string // of the group at hand
	last, blank := "", false
	for line := range strings.SplitSeq(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			blank = true
			continue
		}
		field, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		field, value = strings.ToLower(strings.TrimSpace(field)), strings.TrimSpace(value)
		switch field {
		case "user-agent":
			if last != field || blank {
				names = nil
			}
			name, _, _ := strings.Cut(strings.ToLower(value), "/")
			names = append(names, name)
			if groups[name] == nil {
				groups[name] = &group{}
			}
		case "disallow", "allow":
			rule := slowRule{field == "allow", value}
			if value == "" && rule.allow {
				break
			}
			if value == "" {
				rule = slowRule{true, "/"}
			}
			for _, name := range names {
				groups[name].rules = append(groups[name].rules, rule)
			}
		}
		last, blank = field, false
	}
	for _, name := range append(tokens[:len(tokens):len(tokens)], "*") {
		if g := groups[strings.ToLower(name)]; g != nil {
			return g.rules
		}
	}
	return nil
}

// slowAllowed reports whether rules allow a path.
func slowAllowed(rules []slowRule, path string) bool {
	if path == "/robots.txt" {
		return true
	}
	allowed, best := true, -1
	for _, r := range rules {
		pattern, ends := strings.CutSuffix(r.path, "$")
		weight := max(1, len(strings.ReplaceAll(pattern, "*", "")))
		if !ends {
			pattern += "*"
		}
		if slowGlob(pattern, path) && (weight > best || weight == best && r.allow) {
			allowed, best = r.allow, weight
		}
	}
	return allowed
}

func slowGlob(pattern, path string) bool {
	switch {
	case pattern == "":
		return path == ""
	case pattern[0] == '*':
		return slowGlob(pattern[1:], path) || path != "" && slowGlob(pattern, path[1:])
	}
	return path != "" && pattern[0] == path[0] && slowGlob(pattern[1:], path[1:])
}

// TestYandex checks the examples of Yandex's help for webmasters, and the behaviour of
// Yandex's parser.
func TestYandex(t *testing.T) {
	var yandex proof.Reader
	for _, r := range proof.Readers() {
		if r.Name == "yandex" {
			yandex = r
		}
	}
	for _, test := range []struct {
		text, token, path string
		want              string
	}{
		// "Combining directives".
		{"User-agent: Yandex\nAllow: /\nAllow: /catalog/auto\nDisallow: /catalog\n", "YandexBot", "/catalog/a",
			"disallowed by line 4: Disallow: /catalog"},
		{"User-agent: Yandex\nAllow: /\nAllow: /catalog/auto\nDisallow: /catalog\n", "YandexBot", "/catalog/auto",
			"allowed by line 3: Allow: /catalog/auto"},
		{"User-agent: Yandex\nDisallow: /a\nAllow: /a\n", "YandexBot", "/a", "allowed by line 3: Allow: /a"},
		// "Directives without parameters".
		{"User-agent: Yandex\nDisallow: /\nDisallow:\n", "YandexBot", "/a", "allowed by line 3: Allow: /"},
		{"User-agent: Yandex\nDisallow: /\nAllow:\n", "YandexBot", "/a", "disallowed by line 2: Disallow: /"},
		// "Using the special characters * and $".
		{"User-agent: Yandex\nDisallow: /example$\n", "YandexBot", "/example.html",
			"allowed: no rule of the group matches"},
		{"User-agent: Yandex\nDisallow: /example*$\n", "YandexBot", "/example.html",
			"disallowed by line 2: Disallow: /example*$"},
		// "The User-agent directive".
		{"User-agent: YandexBot\nDisallow: /*id=\n\nUser-agent: Yandex\nDisallow: /*sid=\n\nUser-agent: *\nDisallow: /cgi-bin\n", "YandexBot", "/?sid=", "disallowed by line 2: Disallow: /*id="},
		{"User-agent: YandexBot\nDisallow: /*id=\n\nUser-agent: Yandex\nDisallow: /*sid=\n\nUser-agent: *\nDisallow: /cgi-bin\n", "YandexImages", "/?sid=", "disallowed by line 5: Disallow: /*sid="},
		{"User-agent: YandexBot\nDisallow: /*id=\n\nUser-agent: Yandex\nDisallow: /*sid=\n\nUser-agent: *\nDisallow: /cgi-bin\n", "YandexImages", "/cgi-bin", "allowed: no rule of the group matches"},
		// A wildcard and "$" add nothing to a rule's length.
		{"User-agent: *\nAllow: /page\nDisallow: /*.htm\n", "YandexBot", "/page.htm",
			"allowed by line 2: Allow: /page"},
		{"User-agent: *\nAllow: /page\nDisallow: /*.html\n", "YandexBot", "/page.html",
			"disallowed by line 3: Disallow: /*.html"},
		{"User-agent: *\nAllow: /fish\nDisallow: /fish*\n", "YandexBot", "/fish", "allowed by line 2: Allow: /fish"},
		{"User-agent: *\nAllow: /fish\nDisallow: /fish$\n", "YandexBot", "/fish", "allowed by line 2: Allow: /fish"},
		{"User-agent: *\nAllow: /\nDisallow: *\n", "YandexBot", "/fish", "allowed by line 2: Allow: /"},
		// Lines that end a group, and lines that do not.
		{"User-agent: Yandex\n\nUser-agent: b\nDisallow: /\n", "YandexBot", "/",
			"allowed: no rule of the group matches"},
		{"User-agent: Yandex\n# b\nUser-agent: b\nDisallow: /\n", "YandexBot", "/",
			"allowed: no rule of the group matches"},
		{"User-agent: Yandex\r\nSitemap: http://h/\r\nUser-agent: b\r\nDisallow: /\r\n", "YandexBot", "/",
			"allowed: no rule of the group matches"},
		{"User-agent: Yandex\njunk\nUser-agent: b\nDisallow: /\n", "YandexBot", "/",
			"disallowed by line 4: Disallow: /"},
		{"User-agent: Yandex\rjunk\r\rUser-agent: b\rDisallow: /\r", "YandexBot", "/",
			"disallowed by line 5: Disallow: /"},
		{"User-agent: b\n\nUser-agent: Yandex\n\nDisallow: /\n", "YandexBot", "/", "disallowed by line 5: Disallow: /"},
		{"User-agent: Yandex\n\nUser-agent: b\nDisallow: /\n", "", "/", "allowed: no group is for this robot"},
		{"Disallow:\nUser-agent: *\nDisallow: /\n", "YandexBot", "/", "disallowed by line 3: Disallow: /"},
		{"User-agent: *\nDisallow: /\n#" + strings.Repeat("x", 500<<10), "YandexBot", "/",
			"allowed: no group is for this robot"},
		{"User-agent: *\nDisallow: /\n", "YandexBot", "/robots.txt", "allowed: /robots.txt itself always is"},
	} {
		got := yandex.Match(parse(test.text), test.token, test.path).String()
		if got != test.want {
			t.Errorf("%.200q, %s, %s: got %s, want %s", test.text, test.token, test.path, got, test.want)
		}
	}
}
