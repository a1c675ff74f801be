package identify

import (
	"cmp"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Notes say which ranges were used and how old they are, and what could not be verified. They are
// stored in parts of audits: the names of their members and the values of State never change.
type Notes struct {
	Ranges []Ranges `json:"ranges,omitempty"` // sorted
	// files of the folder that are the document of no robot, sorted
	Unused []string `json:"unused,omitempty"`
	// if DNS was not asked about all addresses, how many it was asked about; or 0
	MaxAsked   int          `json:"max_asked,omitempty"`
	Unanswered []Unanswered `json:"unanswered,omitempty"` // by token
	// those without a name, where that alone proves nothing, by token
	Nameless []Unanswered `json:"nameless,omitempty"`
}

// Ranges are those of a range document. The State is read, old or missing.
type Ranges struct {
	Source string `json:"source"`
	State  string `json:"state"`
	Day    string `json:"day,omitempty"` // on which they were fetched, such as 2026-03-01
}

// Unanswered has the addresses of a robot's clients, sorted, for which DNS gave no answer, or which
// have no name.
type Unanswered struct {
	Token     string       `json:"token"`
	Addresses []netip.Addr `json:"addresses"`
}

const (
	stateRead    = "read"
	stateOld     = "old"
	stateMissing = "missing"

	maxNamed = 10 // robots with a name in a note
)

// Notes returns the notes about the identifications so far.
func (id *Identifier) Notes() *Notes {
	n := new(Notes)
	for _, m := range *id.methods.Load() {
		for _, d := range m.documents {
			if id.verifier.Folder == "" {
				break // nobody asked for ranges
			}
			r := Ranges{Source: printable.Text(d.Source), State: stateRead}
			switch {
			case d.Read.IsZero():
				r.State = stateMissing
			case d.Stale:
				r.State = stateOld
			}
			if r.State != stateMissing {
				r.Day = d.Read.Format(time.DateOnly)
			}
			n.Ranges = append(n.Ranges, r)
		}
	}
	n.Unused = id.unused()
	id.mu.Lock()
	defer id.mu.Unlock()
	if id.unasked && id.dns {
		n.MaxAsked = id.maxAddresses
	}
	for q, a := range id.answers {
		if a.silent {
			n.Unanswered = append(n.Unanswered, Unanswered{q.token, []netip.Addr{q.client}})
		}
		if a.nameless {
			n.Nameless = append(n.Nameless, Unanswered{q.token, []netip.Addr{q.client}})
		}
	}
	return JoinNotes(n)
}

// JoinNotes joins the notes of several identifiers, in any order. Nil is the note of an identifier
// that identified no client.
func JoinNotes(all ...*Notes) *Notes {
	joined := new(Notes)
	var silent, nameless []Unanswered
	for _, n := range all {
		if n == nil {
			continue
		}
		joined.Ranges = append(joined.Ranges, n.Ranges...)
		joined.Unused = append(joined.Unused, n.Unused...)
		joined.MaxAsked = max(joined.MaxAsked, n.MaxAsked)
		silent, nameless = append(silent, n.Unanswered...), append(nameless, n.Nameless...)
	}
	slices.SortFunc(joined.Ranges, func(a, b Ranges) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Day, b.Day),
			strings.Compare(a.State, b.State))
	})
	joined.Ranges = slices.Compact(joined.Ranges)
	slices.Sort(joined.Unused)
	joined.Unused = slices.Compact(joined.Unused)
	joined.Unanswered, joined.Nameless = joinUnanswered(silent), joinUnanswered(nameless)
	return joined
}

// joinUnanswered returns the addresses of each robot once, by token.
func joinUnanswered(all []Unanswered) (joined []Unanswered) {
	byToken := make(map[string][]netip.Addr)
	for _, u := range all {
		byToken[u.Token] = append(byToken[u.Token], u.Addresses...)
	}
	for _, token := range slices.Sorted(maps.Keys(byToken)) {
		addresses := byToken[token]
		slices.SortFunc(addresses, netip.Addr.Compare)
		joined = append(joined, Unanswered{token, slices.Compact(addresses)})
	}
	return joined
}

// In returns the notes in a language, safe for a terminal.
func (n *Notes) In(l language.Language) (notes []string) {
	for _, r := range n.Ranges {
		source, day := printable.Text(r.Source), printable.Text(r.Day)
		switch r.State {
		case stateMissing:
			notes = append(notes, textMissing.In(l, source))
		case stateOld:
			notes = append(notes, textOld.In(l, source, day))
		default:
			notes = append(notes, textRead.In(l, source, day))
		}
	}
	if len(n.Unused) > 0 {
		notes = append(notes, textUnused.In(l, named(n.Unused)))
	}
	if n.MaxAsked > 0 {
		notes = append(notes, textUnasked.In(l, n.MaxAsked))
	}
	if total, robots := n.Silent(); robots != "" {
		notes = append(notes, textUnanswered.In(l, strconv.Itoa(total), robots))
	}
	if total, robots := counted(n.Nameless); robots != "" {
		notes = append(notes, textNameless.In(l, strconv.Itoa(total), robots))
	}
	return notes
}

// unused returns the files of the folder that no robot has, neither in the table nor in the logs.
func (id *Identifier) unused() (names []string) {
	if id.verifier.Folder == "" {
		return nil
	}
	known := make(map[string]bool)
	add := func(source string) {
		known[url.QueryEscape(source)] = true
		if u, err := url.Parse(source); err == nil {
			known[path.Base(u.Path)] = true
		}
	}
	for robot := range agent.All() {
		for _, source := range robot.Recipe().Ranges {
			add(source)
		}
	}
	for _, m := range *id.methods.Load() {
		for _, source := range m.recipe.Ranges {
			add(source)
		}
	}
	entries, _ := os.ReadDir(id.verifier.Folder) // New has read the folder
	for _, e := range entries {
		name := e.Name()
		document := strings.TrimSuffix(name, ".validators")
		if !known[document] && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "new-") {
			names = append(names, printable.Text(name))
		}
	}
	return names
}

// named returns names with commas between them, safe for a terminal; of many names the first.
func named(names []string) string {
	var shown []string
	for _, name := range names {
		shown = append(shown, printable.Clipped(name, 100))
	}
	if len(shown) > maxNamed {
		shown = append(shown[:maxNamed], "…")
	}
	return strings.Join(shown, ", ")
}

// Silent returns the number of addresses for which DNS gave no answer, and the robots that they
// name, with the number for each, safe for a terminal.
func (n *Notes) Silent() (total int, robots string) { return counted(n.Unanswered) }

// counted returns the number of addresses, and the robots with the number for each.
func counted(all []Unanswered) (total int, robots string) {
	var names []string
	for _, u := range all {
		total += len(u.Addresses)
		names = append(names, printable.Text(u.Token)+" ("+strconv.Itoa(len(u.Addresses))+")")
	}
	if len(names) > maxNamed {
		names = append(names[:maxNamed], "…")
	}
	return total, strings.Join(names, ", ")
}

var (
	textRead = language.New("The ranges of %[1]s are those of %[2]s.")
	textOld  = language.New(
		"The ranges of %[1]s are those of %[2]s. They are too old to prove that other addresses are forged.")
	textUnused = language.New(
		"These files of the folder are of no use, because no robot has a list of that name: %[1]s. A file is named by the address of the list, with the escapes of a query, or by its last part, such as gptbot.json.")
	textMissing = language.New("The ranges of %[1]s are not in the folder, are unreadable, or are older than 30 days.")
	textUnasked = language.New(
		"The logs have more than %[1]d addresses of robots. The DNS was not asked about the others, and they may differ from run to run.")
	textNameless = language.New(
		"Some addresses have no name in the DNS. This proves nothing where the published ranges of the robot are not known: add --ranges. Addresses without a name: %[1]s, in the name of %[2]s.")
	textUnanswered = language.New(
		"DNS servers gave no answer about some addresses, so the DNS did not check their requests. Addresses without an answer: %[1]s, in the name of %[2]s. Repeat the audit, or name another server with --dns.")
)
