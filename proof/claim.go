package proof

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Claim is a sentence about what robots may fetch, such as
//
//	Googlebot may fetch /products/
//	GPTBot and CCBot may not fetch /
//	* may not fetch /admin/ except /admin/public/
//	ai-train may not fetch /
//	only Googlebot and bingbot may fetch /x/
//	/ads.txt is open to all
//	/private/, /internal/ are closed to all
//
// In the form of RFC 5234, with blanks between words and any case of letters:
//
//	claim   = robots "may" ["not"] "fetch" paths ["except" paths]
//	claim   =/ "only" robots "may" "fetch" paths ["except" paths]
//	claim   =/ paths ("is" / "are") ("open" / "closed") "to" robots
//	robots  = robot *(("," / "and") robot)
//	robot   = token / purpose / operator / called / "*" / "all"  ; of one word or several
//	paths   = path *(("," / "and") path)
//
// A path is a pattern as in robots.txt: /x/ is all paths that start so, "*" is
// any bytes, and "$" ends it; /x/** is the same as /x/. A token is a product
// token: of a robot in package agent, or else of a robot without any other name. A
// purpose is one of package agent, such as ai-train, for all robots that have it
// there; so is an operator, such as OpenAI or Common Crawl, and called a name that people use, such
// as claude: see [agent.Table.Resolve]. "*" means all robots that robots.txt
// does not name, and "all" means every robot.
//
// Robots that do not obey the group for everyone, such as AdsBot-Google, are
// included only if the claim or robots.txt names them.
type Claim struct {
	Line int    // its number in the file of claims, from 1 on, or 0 if it stands in no file
	Text string // as written, without white space around it

	robots []string // tokens, purposes, operators, common names, "*" or "all"
	only   bool
	open   bool // the robots may fetch the paths; else they may not
	paths  []string
	except []string
}

// Robots returns the names of the robots in the claim, as written: product
// tokens, purposes and other names of package agent, "*" or "all".
func (c Claim) Robots() []string { return slices.Clone(c.robots) }

// A ClaimError describes a mistake in a claim.
type ClaimError struct {
	Line   int // its number in the file, from 1 on
	Text   string
	Reason error // what is wrong, and what to do
}

// Error returns the line with what is wrong.
func (e *ClaimError) Error() string {
	return fmt.Sprintf("line %d: %s: %v", e.Line, printable.Clipped(e.Text, 200), e.Reason)
}

// ParseClaims reads a file of claims, one a line. Blank lines, and what follows
// "#" after a blank or at the start of a line, are skipped. The error is a
// [*ClaimError].
func ParseClaims(text string) ([]Claim, error) {
	var claims []Claim
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		number++
		if line = uncommented(line); line == "" {
			continue
		}
		c := Claim{Line: number, Text: line}
		if reason := c.parse(words(line)); reason != nil {
			return nil, &ClaimError{number, line, reason}
		}
		claims = append(claims, c)
	}
	return claims, nil
}

// uncommented returns a line without its comment and surrounding white space.
func uncommented(line string) string {
	for i := range len(line) {
		if line[i] == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t') {
			line = line[:i]
			break
		}
	}
	return strings.TrimSpace(line)
}

// words splits a line into words; a comma after a word is a word of its own.
func words(line string) (all []string) {
	for _, word := range strings.Fields(line) {
		rest, comma := strings.CutSuffix(word, ",")
		if rest != "" {
			all = append(all, rest)
		}
		if comma {
			all = append(all, ",")
		}
	}
	return all
}

// parse parses a claim. It returns what is wrong, or nil.
func (c *Claim) parse(words []string) (reason *language.Error) {
	if isPath(words[0]) {
		return c.parsePaths(words)
	}
	if c.only = is(words[0], "only"); c.only {
		words = words[1:]
	}
	c.robots, words = robotsOf(words)
	switch {
	case len(c.robots) == 0:
		return textNameRobot.Err()
	case len(words) == 0 || !is(words[0], "may"):
		return textWriteMay.Err()
	}
	words = words[1:]
	c.open = true
	if len(words) > 0 && is(words[0], "not") {
		c.open, words = false, words[1:]
	}
	switch {
	case c.only && !c.open:
		return textOnlyMay.Err()
	case len(words) == 0 || !is(words[0], "fetch"):
		return textWriteFetch.Err()
	}
	c.paths, words = listOf(words[1:], isPath)
	if len(c.paths) == 0 {
		return textNamePath.Err("fetch", "/products/")
	}
	if len(words) > 0 && is(words[0], "except") {
		if c.except, words = listOf(words[1:], isPath); len(c.except) == 0 {
			return textNamePath.Err("except", "/public/")
		}
	}
	return c.end(words)
}

// parsePaths parses a claim that begins with paths.
func (c *Claim) parsePaths(words []string) (reason *language.Error) {
	c.paths, words = listOf(words, isPath)
	if len(words) < 4 || !is(words[0], "is") && !is(words[0], "are") || !is(words[2], "to") {
		return textWriteOpen.Err()
	}
	switch {
	case is(words[1], "open"):
		c.open = true
	case !is(words[1], "closed"):
		return textOpenOrClosed.Err()
	}
	c.robots, words = robotsOf(words[3:])
	if len(c.robots) == 0 {
		return textNameRobots.Err()
	}
	return c.end(words)
}

// end parses the rest of a claim, and its robots.
func (c *Claim) end(words []string) (reason *language.Error) {
	if len(words) > 0 {
		return textUnexpected.Err(quoted(words[0]))
	}
	for _, name := range c.robots {
		if i := strings.IndexAny(name, outsideTokens); i >= 0 {
			token := "Googlebot"
			if a := agent.Named(name[:i]); a.Known() {
				token = a.Token
			}
			return textNoToken.Err(quoted(name), token)
		}
	}
	if c.only && slices.Contains(c.robots, "all") {
		return textOnlyAll.Err()
	}
	return nil
}

// outsideTokens are characters of User-Agent headers that no product token has.
const outsideTokens = "()\"';/="

// quoted returns a word as written in messages.
func quoted(word string) string { return strconv.Quote(printable.Clipped(word, 60)) }

var (
	textNameRobot    = language.New("name a robot first, such as Googlebot, * or all")
	textWriteMay     = language.New(`write "may fetch" or "may not fetch" after the robots`)
	textOnlyMay      = language.New(`"only" goes with "may fetch"`)
	textWriteFetch   = language.New(`write "fetch" after "may" or "may not"`)
	textNamePath     = language.New(`name a path after "%[1]s", such as %[2]s`)
	textWriteOpen    = language.New(`write "is open to" or "is closed to" and robots after the paths`)
	textOpenOrClosed = language.New(`paths are "open" or "closed"`)
	textNameRobots   = language.New(`name robots after "to", such as all`)
	textUnexpected   = language.New("%[1]s is not expected here")
	textNoToken      = language.New("%[1]s is not a product token: write %[2]s, not a whole User-Agent header")
	textOnlyAll      = language.New(`"only all" leaves nobody out`)
)

// listOf parses a list, whose elements are separated by commas and "and". It returns the
// elements and the words after the list.
func listOf(words []string, fits func(string) bool) (list, rest []string) {
	for len(words) > 0 && words[0] != "," && !is(words[0], "and") && fits(words[0]) {
		list = append(list, words[0])
		words = words[1:]
		next := words
		for len(next) > 0 && (next[0] == "," || is(next[0], "and")) {
			next = next[1:]
		}
		if len(next) == len(words) {
			break
		}
		words = next
	}
	return list, words
}

// robotsOf parses a list of robots, whose names may have several words.
func robotsOf(words []string) (names, rest []string) {
	end := slices.IndexFunc(words, func(word string) bool { return is(word, "may") || isPath(word) })
	if end < 0 {
		end = len(words)
	}
	var list []string
	inName := false
	for _, word := range words[:end] {
		between := word == "," || is(word, "and")
		if inName && !between {
			list[len(list)-1] += " " + word
		} else {
			list = append(list, word)
		}
		inName = !between
	}
	names, left := listOf(list, func(string) bool { return true })
	return names, append(left, words[end:]...)
}

func is(word, want string) bool { return strings.EqualFold(word, want) }

func isPath(word string) bool { return strings.HasPrefix(word, "/") || strings.HasPrefix(word, "*/") }

// several returns the robots that a name stands for without being their token: a purpose, an
// operator, or a common name.
func several(table *agent.Table, name string) (tokens []string, ok bool) {
	all, err := table.Resolve(name)
	if err != nil || len(all) == 1 && len(all[0].Called) == 0 {
		return nil, false
	}
	for _, s := range all {
		tokens = append(tokens, s.Tokens[0])
	}
	return tokens, true
}
