package card

import (
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

var (
	textAsksAgain   = language.New("asks again, and shows the answer")
	textLooksAt     = language.New("looks for other faults of the site")
	textIndexed     = language.New("shows whether it may be indexed")
	textAsksURL     = language.New("asks about a URL")
	textExplains    = language.New("explains the mistake")
	textRepairs     = language.New("repairs %[1]d ⟨mistake/mistakes⟩")
	textShowsAll    = language.New("shows the mistakes in full")
	textWhyClosed   = language.New("shows the line that closes it to Google")
	textBlocksAI    = language.New("closes it to AI training")
	textWhichAI     = language.New("asks for each robot that trains AI")
	textDialects    = language.New("compares how robots read it")
	textMapsOpen    = language.New("finds closed URLs in the sitemaps")
	textWhoObeys    = language.New("shows who obeyed")
	textWouldChange = language.New("shows what a new file changes")
)

// maxNext is the number of commands on a card.
const maxNext = 3

// next returns the commands that fit what the card says, the most urgent first.
func (c *Card) next(o Options) (all []Proposal) {
	name := o.Subject
	add := func(step Step, text language.Text, command string, args ...any) {
		if len(all) < maxNext {
			verb, rest, _ := strings.Cut(command, " ")
			line := []string{"robots", verb}
			if o.Flags != nil {
				for _, word := range o.Flags(command) {
					line = append(line, inShell(word))
				}
			}
			all = append(all, Proposal{strings.Join(append(line, rest), " "), text.In(o.Language, args...), step})
		}
	}
	findings := Step{View: "findings"}
	isFile := !o.Site && name != userfile.Stdin
	if isFile && strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	if name = inShell(name); !printable.IsText(o.Subject) {
		name = "FILE" // nobody can type it
	}
	switch {
	case c.Answer != nil && (c.Answer.State == "unreachable" || c.Answer.State == "forbidden"):
		add(Step{View: "fetch"}, textAsksAgain, "fetch "+name)
		add(Step{}, textLooksAt, "monitor --once "+name)
		return all
	case c.Answer != nil && c.Answer.State == "unavailable":
		add(Step{View: "page"}, textIndexed, "page "+name+"/")
		add(Step{}, textLooksAt, "monitor --once "+name)
		return all
	}
	if c.Mistakes.Errors+c.Mistakes.Warnings > 0 {
		if isFile && c.Mistakes.Fixes > 0 {
			add(findings, textRepairs, "lint --fix "+name, c.Mistakes.Fixes)
		} else {
			add(findings, textShowsAll, "lint "+name)
		}
	}
	if c.NotRobots != "" {
		if len(c.Mistakes.Findings) > 0 {
			add(findings, textExplains, "lint --explain "+c.Mistakes.Findings[0].Check)
		}
		return all
	}
	if c.isClosedTo("Googlebot") {
		step := Step{View: "test", Robots: "Googlebot", Address: "/"}
		add(step, textWhyClosed, "match --why --agent Googlebot "+name+" /")
	}
	if slices.ContainsFunc(c.Purposes[0].Says, func(s Says) bool { return s.State != Closed }) {
		if isFile && name == "robots.txt" {
			add(Step{View: "build", Purposes: "ai-train"}, textBlocksAI, "block ai-train") // which finds the file
		} else if isFile {
			add(Step{View: "build", Purposes: "ai-train"}, textBlocksAI, "block --file "+name+" ai-train")
		} else {
			add(Step{View: "test", Robots: "ai-train", Address: "/"}, textWhichAI, "match --agent ai-train "+name+" /")
		}
	}
	for _, r := range c.Elsewhere {
		if r.Reader == "google" && printable.IsText(r.Path) && strings.HasPrefix(r.Path, "/") {
			step := Step{View: "test", Robots: r.Agent, Address: r.Path}
			add(step, textDialects, "match --all-dialects "+name+" "+inShell(r.Path))
			break
		}
	}
	if o.Site && len(c.Sitemaps) > 0 {
		add(Step{}, textMapsOpen, "lint --sitemaps "+name)
	}
	if o.Site {
		add(Step{}, textLooksAt, "monitor --once "+name)
		add(Step{View: "compare"}, textWouldChange, "diff "+name+" robots.txt")
	} else if isFile {
		add(Step{View: "audit"}, textWhoObeys, "audit --robots "+name+" access.log")
	}
	add(Step{View: "test"}, textAsksURL, "match "+name+" /x")
	return all
}

// isClosedTo reports whether the whole site is closed to a robot that has a purpose of the card.
func (c *Card) isClosedTo(token string) bool {
	return slices.ContainsFunc(c.Purposes, func(p Purpose) bool {
		return slices.ContainsFunc(p.Says, func(s Says) bool {
			return s.State == Closed && slices.Contains(s.Robots, token)
		})
	})
}

// inShell returns a word as it is typed in a shell of POSIX.
func inShell(word string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.ContainsRune("_./:@%+,-", c)
	}
	if word != "" && !strings.ContainsFunc(word, func(c rune) bool { return !plain(c) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
