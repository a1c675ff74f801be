package robots_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// This file is a second implementation of SPEC 2 and 3, written to be compared with them row by
// row, without regard to speed. It shares no code with the package. The fuzz targets compare the
// two.

// slowRule is one rule of a record or group.
type slowRule struct {
	line    int
	allow   bool
	value   string // as written
	bytes   int
	matches func(path []string) bool // in units
}

type slowGroup struct {
	agents []string
	rules  []slowRule
}

// slowMatch gives the answer of Group.Match: the verdict and the deciding line, or 0 if no rule
// decides.
func slowMatch(dialect, text, agent, rawURL string) (allowed bool, line int) {
	return slowAsk(dialect, slowChoose(dialect, slowGroups(dialect, text), agent), rawURL)
}

// slowAsk is slowMatch for rules that were already chosen for an agent.
func slowAsk(dialect string, rules []slowRule, rawURL string) (allowed bool, line int) {
	path := slowUnits(dialect, slowPath(dialect, rawURL), false)
	if dialect == "rfc9309" && strings.Join(path, "") == "/robots.txt" {
		return true, 0
	}
	var decides *slowRule
	for _, rule := range rules {
		if rule.matches(path) && (decides == nil || slowBeats(dialect, rule, *decides)) {
			decides = &rule
		}
	}
	if decides == nil {
		return true, 0
	}
	return decides.allow, decides.line
}

// slowBeats implements the row "which rule". The rules are in the order of the file.
func slowBeats(dialect string, later, earlier slowRule) bool {
	switch dialect {
	case "koster1994", "kollar1996", "koster1996":
		return false
	}
	return later.bytes > earlier.bytes || later.bytes == earlier.bytes && later.allow && !earlier.allow
}

var (
	slowLineEnd   = regexp.MustCompile("\r\n|\r|\n")
	slowLineFeeds = strings.NewReplacer("\r\n", "\n", "\r", "\n")
)

// slowGroups implements the rows "what ends a record/group" and "agents and paths on one line".
func slowGroups(dialect, text string) []slowGroup {
	bom := "\xEF\xBB\xBF"
	if dialect == "google" {
		for n := 3; n > 0; n-- {
			if strings.HasPrefix(text, bom[:n]) {
				text = text[n:]
				break
			}
		}
	} else {
		text = strings.TrimPrefix(text, bom)
	}
	records := dialect == "koster1994" || dialect == "koster1996" || dialect == "kollar1996"

	var groups []slowGroup
	inGroup := false
	lines := strings.Split(slowLineFeeds.Replace(text), "\n")
	for i, line := range lines {
		field, value, blank, comment := slowLine(dialect, line)
		hasRule := inGroup && len(groups[len(groups)-1].rules) > 0
		switch {
		case comment:
		case blank:
			if records && (hasRule || slowNextIsAgent(dialect, lines[i+1:])) {
				inGroup = false
			}
		case field == "user-agent":
			if !inGroup || hasRule {
				groups = append(groups, slowGroup{})
				inGroup = true
			}
			g := &groups[len(groups)-1]
			if dialect == "kollar1996" {
				g.agents = append(g.agents, slowList(value)...)
			} else {
				g.agents = append(g.agents, value)
			}
		case field == "disallow" || field == "allow" && dialect != "koster1994" && dialect != "kollar1996":
			if !inGroup {
				continue
			}
			g := &groups[len(groups)-1]
			values := []string{value}
			if dialect == "kollar1996" && value != "" {
				values = slowList(value)
			}
			for _, v := range values {
				g.rules = append(g.rules, slowCompile(dialect, i+1, field == "allow", v)...)
			}
		}
	}
	return groups
}

// slowList splits a list at the white space of a line: SP and TAB.
func slowList(value string) []string {
	return strings.FieldsFunc(value, func(c rune) bool { return c == ' ' || c == '\t' })
}

// slowWhole implements the row "size": it returns the lines of text that end within a limit.
func slowWhole(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	whole := 0
	for _, end := range slowLineEnd.FindAllStringIndex(text, -1) {
		if end[1] <= limit {
			whole = end[1]
		}
	}
	return text[:whole]
}

// slowNextIsAgent looks for the next line that is neither blank nor a comment.
func slowNextIsAgent(dialect string, lines []string) bool {
	for _, line := range lines {
		if field, _, blank, comment := slowLine(dialect, line); !blank && !comment {
			return field == "user-agent"
		}
	}
	return false
}

// slowLine implements SPEC 2 (comment, field, value) and the row "misspelt fields".
func slowLine(dialect, line string) (field, value string, blank, comment bool) {
	space := " \t"
	if dialect == "google" {
		space = " \t\n\v\f\r"
		if len(line) > 16663 {
			line = line[:16663]
		}
		line, _, _ = strings.Cut(line, "\x00")
	}
	line, _, hash := strings.Cut(line, "#")
	line = strings.Trim(line, space)
	if line == "" {
		return "", "", !hash, hash
	}
	field, value, colon := strings.Cut(line, ":")
	if !colon {
		words := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
		if dialect != "google" || len(words) != 2 {
			return "", "", false, false
		}
		field, value = words[0], words[1]
	}
	field, value = strings.ToLower(strings.Trim(field, space)), strings.Trim(value, space)
	if dialect == "google" {
		for _, known := range []struct{ prefix, field string }{
			{"user-agent", "user-agent"}, {"useragent", "user-agent"}, {"user agent", "user-agent"},
			{"allow", "allow"}, {"disallow", "disallow"}, {"dissallow", "disallow"}, {"dissalow", "disallow"},
			{"disalow", "disallow"}, {"diasllow", "disallow"}, {"disallaw", "disallow"},
		} {
			if strings.HasPrefix(field, known.prefix) {
				return known.field, value, false, false
			}
		}
	}
	return field, value, false, false
}

// slowChoose implements the rows "robot's name against the field" and "which record".
func slowChoose(dialect string, groups []slowGroup, name string) (rules []slowRule) {
	if dialect != "google" {
		name, _, _ = strings.Cut(name, "/")
		name, _, _ = strings.Cut(name, " ")
		name, _, _ = strings.Cut(name, "\t")
	}
	var own, all [][]slowRule
	for _, g := range groups {
		isOwn, isAll := false, false
		for _, agent := range g.agents {
			star, same := slowAgent(dialect, agent, name)
			isAll = isAll || star
			isOwn = isOwn || same
		}
		if isOwn {
			own = append(own, g.rules)
		}
		if isAll {
			all = append(all, g.rules)
		}
	}
	chosen := own
	if len(own) == 0 {
		chosen = all
	}
	if len(chosen) > 1 && dialect != "rfc9309" && dialect != "google" {
		chosen = chosen[:1]
	}
	for _, r := range chosen {
		rules = append(rules, r...)
	}
	return rules
}

var (
	slowLetters = regexp.MustCompile(`^[A-Za-z_-]*`)
	slowProduct = regexp.MustCompile(`^[^ \t/]*`)
)

func slowAgent(dialect, value, name string) (star, same bool) {
	if value == "*" {
		return true, false
	}
	switch dialect {
	case "google":
		if len(value) > 1 && value[0] == '*' && strings.IndexByte(" \t\n\v\f\r", value[1]) >= 0 {
			return true, false
		}
		token := slowLetters.FindString(value)
		return false, slowASCII(token) == slowASCII(name)
	case "rfc9309":
		token := slowProduct.FindString(value)
		return false, token != "" && token != "*" && slowASCII(token) == slowASCII(name)
	}
	value, _, _ = strings.Cut(value, "/")
	value = strings.Trim(value, " \t")
	return false, value != "" && value != "*" && name != "" && name != "*" &&
		strings.Contains(slowASCII(name), slowASCII(value))
}

// slowASCII converts ASCII letters to lower case, byte by byte.
func slowASCII(s string) string {
	b := []byte(s)
	for i := range b {
		if 'A' <= b[i] && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// slowCompile implements the rows "empty value", "`*` and `$` in paths", "percent-encoding before
// comparing" and note (d).
func slowCompile(dialect string, line int, allow bool, value string) []slowRule {
	if value == "" && allow && dialect == "koster1996" {
		return []slowRule{{line: line, allow: true, matches: func([]string) bool { return true }}}
	}
	if value == "" {
		// The rule has no effect, but it is a rule and so ends the user-agent lines of a group.
		return []slowRule{{line: line, matches: func([]string) bool { return false }}}
	}
	units := slowUnits(dialect, value, true)
	rule := slowRule{line: line, allow: allow, value: value, matches: func(path []string) bool {
		return slowGlob(units, path, dialect == "rfc9309" || dialect == "google")
	}}
	for _, u := range units {
		rule.bytes += len(u)
	}
	rules := []slowRule{rule}
	if dialect == "google" && allow {
		joined := strings.Join(units, "")
		if i := strings.LastIndex(joined, "/"); i >= 0 && strings.HasPrefix(joined[i:], "/index.htm") {
			rules = append(rules, slowCompile(dialect, line, true, joined[:i+1]+"$")...)
		}
	}
	return rules
}

var slowHex = regexp.MustCompile(`^%[0-9A-Fa-f]{2}`)

// slowUnits splits a pattern or path into units of comparison: bytes, and encoded bytes. The
// special characters of a pattern are "*" and a last "$".
func slowUnits(dialect, s string, pattern bool) (units []string) {
	const unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	const reserved = ":/?#[]@" + "!$&'()*+,;="
	for i := 0; i < len(s); i++ {
		c := s[i : i+1]
		encoded := ""
		if c == "%" {
			encoded = slowHex.FindString(s[i:])
		}
		if encoded != "" {
			i += 2
		}
		octet, _ := url.PathUnescape(encoded)
		switch dialect {
		case "google":
			switch {
			case !pattern && encoded != "":
				units = append(units, encoded[:1], encoded[1:2], encoded[2:])
			case !pattern:
				units = append(units, c)
			case encoded != "":
				units = append(units, "%", strings.ToUpper(encoded[1:2]), strings.ToUpper(encoded[2:]))
			case c[0] >= 0x80:
				e := fmt.Sprintf("%%%02X", c[0])
				units = append(units, e[:1], e[1:2], e[2:])
			default:
				units = append(units, c)
			}
		case "rfc9309":
			switch {
			case encoded != "" && strings.Contains(unreserved, octet):
				units = append(units, octet)
			case encoded != "":
				e := strings.ToUpper(encoded)
				units = append(units, e[:1], e[1:2], e[2:])
			case !strings.Contains(unreserved+reserved+"%", c), // a URL has it only percent-encoded
				!pattern && (c == "*" || c == "$"),
				pattern && c == "$" && i+1 < len(s):
				e := fmt.Sprintf("%%%02X", c[0])
				units = append(units, e[:1], e[1:2], e[2:])
			default:
				units = append(units, c)
			}
		default:
			switch {
			case encoded != "" && octet == "/":
				units = append(units, "%2F")
			case encoded != "":
				units = append(units, octet)
			default:
				units = append(units, c)
			}
		}
	}
	return units
}

// slowGlob matches by a table: reach[j] says whether the pattern so far can match the first j units
// of the path.
func slowGlob(pattern, path []string, wildcards bool) bool {
	reach := make([]bool, len(path)+1)
	reach[0] = true
	for i, p := range pattern {
		next := make([]bool, len(path)+1)
		switch {
		case wildcards && p == "*":
			seen := false
			for j := range reach {
				seen = seen || reach[j]
				next[j] = seen
			}
		case wildcards && p == "$" && i == len(pattern)-1:
			return reach[len(path)]
		default:
			for j, unit := range path {
				next[j+1] = reach[j] && unit == p
			}
		}
		if !slices.Contains(next, true) {
			return false
		}
		reach = next
	}
	return slices.Contains(reach, true)
}

var slowScheme = regexp.MustCompile(`^[^/?;]*?://`)

// slowPath returns the path, parameters and query of a URL.
func slowPath(dialect, rawURL string) string {
	rest := strings.TrimPrefix(rawURL, "//")
	if m := slowScheme.FindString(rest); m != "" {
		// No byte of a path is before "://", so a scheme is. If a fragment is before it, there is
		// no path.
		if strings.Contains(m, "#") {
			return "/"
		}
		rest = rest[len(m):]
	}
	rest, _, _ = strings.Cut(rest, "#")
	i := strings.IndexAny(rest, "/?;")
	if i < 0 {
		return "/"
	}
	path := rest[i:]
	if dialect == "google" {
		path, _, _ = strings.Cut(path, "\x00")
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return path
}
