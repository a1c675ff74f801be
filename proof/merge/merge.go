// Package merge merges fragments with different owners into one robots.txt: the
// "local process" that the Standard for Robot Exclusion of 1994 leaves to
// others.
//
//	file, err := merge.Join([]merge.Fragment{
//		{Name: "site.txt", Text: site},
//		{Name: "shop.txt", Text: shop},
//	}, merge.Options{Wishes: []merge.Wish{{Robots: "ai-train"}}})
//
// Each fragment is a complete robots.txt. Concatenation is not enough: if one fragment names
// Googlebot, then Googlebot would no longer obey the rules for everyone in the other fragments.
// [Join] makes a file that closes a path to a robot if and only if one of the fragments closes it.
// If a fragment does not name a robot that another fragment names, Join repeats the first
// fragment's rules for everyone for that robot.
//
// A fragment that names a robot exempts the robot only from its own rules, unless the fragment
// claims paths. A comment such as "# owner: /shop/" before all other lines claims them: then the
// rules of other fragments for everyone do not hold there for the robots that this fragment names.
// A [Wish] can do the same for a robot.
//
// If a rule of one fragment opens a path that another fragment closes, the
// fragments contradict each other. Join then returns an [Error] with both lines
// and the path, and no file. Join proves that the file agrees with its fragments,
// for RFC 9309 and for Google's parser.
package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/lint/format"
	"github.com/robotsexclusion/robots/proof"
)

// A Fragment is a robots.txt that becomes a part of another one.
type Fragment struct {
	Name string // of its file, for comments and problems
	Text []byte // not to be modified
}

// Options configures a merge. The zero Options join fragments only.
type Options struct {
	// Wishes ask more of some robots. Fragments cannot overrule them.
	Wishes []Wish

	// Robots is the table of robots: it has their purposes, and the group that each
	// obeys. Nil is the table of package agent.
	Robots *agent.Table

	// Claims must hold for the file. If a claim does not hold, there is no file.
	Claims []proof.Claim

	// Language is the language of problems and notes: a code of ISO 639-1 (en, es, ko or ru), or
	// the value of an environment variable such as LANG. Any other one is English.
	Language string

	// Limit is how many states each search of a proof may look at; 0 means
	// [pathset.DefaultLimit].
	Limit int
}

// A File is the result of a merge.
type File struct {
	Text   string
	Notes  []string      // what its author should know; safe for a terminal
	Proofs []proof.Proof // of Options.Claims, in their order

	// Current, if not nil, reports whether the file in use has this text. Join does not set
	// Current: it is for the JSON of a caller that compares both.
	Current *bool
}

func inWords(sentences []sentence, l language.Language) (texts []string) {
	for _, s := range sentences {
		texts = append(texts, s.in(l))
	}
	return texts
}

// maxRead is how many bytes of a file robots must read (RFC 9309, section 2.5).
const maxRead = 500 << 10

// Join makes one file of fragments. Its groups are in the order in which the fragments name robots,
// and the rules of each group in the order of the fragments, with their comments. Records outside
// of groups come before all groups. Records in groups that apply to the whole file, such as
// Sitemap, come at its end.
//
// The error is an [*Error].
func Join(fragments []Fragment, o Options) (*File, error) {
	j := &joiner{options: o, language: language.Parse(o.Language)}
	for _, f := range fragments {
		j.read(f)
	}
	if err := j.failed(); err != nil {
		return nil, err
	}
	j.exempt()
	if err := j.failed(); err != nil {
		return nil, err
	}
	j.contradictions()
	if err := j.failed(); err != nil {
		return nil, err
	}
	w := j.readWishes()
	if err := j.failed(); err != nil {
		return nil, err
	}
	j.remarkDropped(w)
	groups := j.groups(w)
	j.write(groups)
	j.prove(w)
	if err := j.failed(); err != nil {
		return nil, err
	}
	if len(j.text) > maxRead {
		w.note(textTooLarge, len(j.text), maxRead)
	}
	file := &File{Text: j.text, Notes: inWords(w.notes, j.language)}
	if err := j.proveClaims(file); err != nil {
		return nil, err
	}
	return file, nil
}

// A joiner is one run of Join.
type joiner struct {
	options   Options
	language  language.Language // of problems and notes
	fragments []*fragment
	names     []string        // product tokens that fragments name, and "*" if one does, in their order
	known     map[string]bool // names, in lower case

	text    string
	sources map[int]place // by line of text

	problems  []Problem
	omitted   int
	undecided bool
}

// A place is a line of a fragment.
type place struct {
	fragment *fragment // nil for a line of a wish
	line     int
}

// read reads a fragment, and reports lines that no robot would read.
func (j *joiner) read(of Fragment) {
	f := newFragment(of)
	j.fragments = append(j.fragments, f)
	for number, line := range f.policy.Lines() {
		switch line.Kind {
		case robots.Stray:
			j.problem(Problem{Fragment: f.name, Line: number}, textStray, quoted(line))
		case robots.Malformed:
			j.problem(Problem{Fragment: f.name, Line: number}, textMalformed, quoted(line))
		}
	}
	for _, g := range f.policy.Groups() {
		for _, name := range g.Agents() {
			j.name(name)
		}
	}
}

// name adds a product token to names.
func (j *joiner) name(token string) {
	lower := strings.ToLower(token)
	if j.known[lower] {
		return
	}
	if j.known == nil {
		j.known = make(map[string]bool)
	}
	j.known[lower] = true
	j.names = append(j.names, token)
}

// proofOptions returns the options of all proofs about the named robots.
func (j *joiner) proofOptions() proof.Options {
	return proof.Options{Robots: j.options.Robots, Limit: j.options.Limit}
}

// obeyed returns the group of a policy that a robot obeys.
func (j *joiner) obeyed(p *robots.Policy, token string) *robots.Group {
	return j.options.Robots.SubjectNamed(token).Group(p)
}

// write writes the text of groups, and records where each line comes from.
func (j *joiner) write(groups []*group) {
	w := &writer{}
	w.header(j.fragments, j.options.Wishes)
	w.records(j.fragments, false)
	for _, g := range groups {
		w.group(g, len(j.fragments) > 1)
	}
	w.records(j.fragments, true)
	j.text = format.Source(strings.Join(w.lines, "\n") + "\n")
	// The layout changes lines and adds and removes blank ones, but no others.
	j.sources = make(map[int]place)
	at := 0
	for number, line := range robots.Parse([]byte(j.text)).Lines() {
		if line.Kind == robots.Blank {
			continue
		}
		for at < len(w.lines) && w.lines[at] == "" {
			at++
		}
		if at < len(w.lines) {
			j.sources[number] = w.sources[at]
		}
		at++
	}
}

// contradictions finds rules of fragments that contradict each other, and contradicting
// records.
func (j *joiner) contradictions() {
	policies := make([]*robots.Policy, len(j.fragments))
	for i, f := range j.fragments {
		policies[i] = f.policy
	}
	conflicts, err := proof.Conflicts(policies, j.proofOptions())
	j.undecided = j.undecided || err != nil
	for _, c := range conflicts {
		if opens := j.fragments[c.Opens]; opens.origins[c.Allow.Rule.Line] == 0 {
			j.conflict(c) // an exemption is not a rule of the fragment
		}
	}
	records := &recordComparison{j}
	for _, name := range j.names {
		records.compare(name)
	}
	records.compareHosts()
	slices.SortStableFunc(j.problems, func(a, b Problem) int {
		return cmp.Or(j.order(a.Fragment)-j.order(b.Fragment), a.Line-b.Line)
	})
}

// order returns the number of a fragment.
func (j *joiner) order(name string) int {
	return slices.IndexFunc(j.fragments, func(f *fragment) bool { return f.name == name })
}

// prove proves that the text agrees with the fragments and wishes.
func (j *joiner) prove(w *wishes) {
	policies := make([]*robots.Policy, 0, len(j.fragments)+1)
	for _, f := range j.fragments {
		policies = append(policies, f.policy)
	}
	policies = append(policies, w.policy(j.names))
	whole := robots.Parse([]byte(j.text))
	for _, d := range []robots.Dialect{robots.RFC9309, robots.Google} {
		breaches, err := proof.Breaches(whole.In(d), policies, j.proofOptions())
		j.undecided = j.undecided || err != nil
		for _, b := range breaches {
			j.breach(d, b, w)
		}
		if len(breaches) > 0 {
			break // the other dialect would have the same problems
		}
	}
	j.checkAllowed(whole, w)
	j.checkWished(whole)
}
