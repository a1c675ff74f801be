package crawl

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/crawler/internal/journal"
	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A journal on a server has a name and a charter (package journal), which says whose it is: the
// folder that owns it, the robot, the scope and the seeds. A folder joins the journal of another
// one only with TakeOver, and only as the same robot with the same scope and seeds.

// A home names the journal of a folder on a server. It is stored in the identity of the crawl.
type home struct {
	Name  string `json:"name"`
	Owner string `json:"owner"` // a random id of the folder
}

// name returns the name of the journal, or "".
func (h *home) name() string {
	if h == nil {
		return ""
	}
	return h.Name
}

// errElsewhere is the error of a folder whose journal is on a server.
var errElsewhere = errors.New("the journal of the crawl is on a server: name it with --nats")

// sharedName is the name that earlier versions gave to the journals of all crawls.
const sharedName = "crawl"

// charterVersion is the version of the entries of charters.
const charterVersion = 1

// A charterEntry is the first line of an entry of a charter. The other lines are seeds.
type charterEntry struct {
	Version   int       `json:"version"`
	Owner     string    `json:"owner"`
	At        time.Time `json:"at"`
	UserAgent string    `json:"user_agent"`
	Tokens    []string  `json:"tokens"`
	Scope     Scope     `json:"scope"`
	Shared    bool      `json:"shared,omitempty"` // the owner is one of several workers
	Limits    *Budget   `json:"limits,omitempty"` // for each host, that all workers have
}

// A charter is the charter of the crawl's journal. It is nil if the journal is in the folder.
type charter struct {
	*journal.Charter
	entry   charterEntry
	journal *journal.Journal
}

// fullEntry is the number of bytes of seeds after which a new entry begins.
const fullEntry = journal.MaxRecord / 2

// add adds an entry, or several if the seeds have no room in one.
func (h *charter) add(ctx context.Context, seeds []weburl.URL) error {
	if h == nil {
		return nil
	}
	h.entry.At = time.Now().UTC()
	head, err := json.Marshal(h.entry)
	if err != nil {
		return err
	}
	text := append(head, '\n')
	for i, u := range seeds {
		if text = append(append(text, u.String()...), '\n'); len(text) > fullEntry && i+1 < len(seeds) {
			if err := h.append(ctx, text); err != nil {
				return err
			}
			text = text[:len(head)+1]
		}
	}
	return h.append(ctx, text)
}

// append adds the text of an entry. Other workers of the crawl may add entries too: then it goes
// behind theirs.
func (h *charter) append(ctx context.Context, text []byte) error {
	for {
		err := h.Add(ctx, text)
		if !h.entry.Shared || !errors.Is(err, journal.ErrFenced) {
			return err
		}
		opened, last, err := h.journal.OpenCharter(ctx)
		if err != nil {
			return err
		}
		entry, _, err := parseEntry(last)
		if err != nil {
			return err
		}
		switch what := h.differs(entry); {
		case !entry.Shared:
			return journal.ErrFenced // somebody took the crawl over, alone
		case what != "":
			return fmt.Errorf("another worker has begun the crawl with %s: use the same flags", what)
		}
		h.Charter = opened
	}
}

// parseEntry parses an entry of a charter.
func parseEntry(text []byte) (e charterEntry, seeds []string, err error) {
	head, rest, _ := bytes.Cut(text, []byte("\n"))
	if err := json.Unmarshal(head, &e); err != nil || e.Version != charterVersion {
		return e, nil, fmt.Errorf("the charter of the journal is not in version %d of its form: "+
			"it was written by another version of this program", charterVersion)
	}
	for line := range strings.Lines(string(rest)) {
		seeds = append(seeds, strings.TrimSpace(line))
	}
	return e, seeds, nil
}

// A joiner makes the folder of a crawl the owner of its journal on a server.
type joiner struct {
	c           *run
	home        *home    // nil if the journal is in the folder
	charter     *charter // nil before join, and if the journal is in the folder
	unchartered bool     // an earlier version made the folder, when journals had no charters
	wasOpen     bool     // the process before may have been killed
	wasAlone    bool     // the crawl is shared, and the folder had it alone before
	isNew       bool     // the folder has no crawl yet
	identity    string   // of the crawl, if workers share it
}

// identify finds the identity of a crawl that workers share, which the first entry of its charter
// decides, and from it the salt that their stores have in common.
func (j *joiner) identify(ctx context.Context) error {
	if j.charter == nil || !j.c.handle.isShared() {
		return nil
	}
	first, err := j.charter.First(ctx)
	if err != nil || first == nil {
		return err
	}
	sum := sha256.Sum256(append([]byte("identity of a crawl\n"), first...))
	j.identity = hex.EncodeToString(sum[:16])
	salt := sha256.Sum256(append([]byte("salt of a crawl\n"), first...))
	j.c.shard.salt = salt[:16]
	return nil
}

// nameJournal finds the name of the journal, if that is on a server: the one that the folder has
// stored, or else Name, or else a random one.
func (j *joiner) nameJournal(ctx context.Context) error {
	c := j.c
	who, err := readIdentity(c.Dir)
	if err != nil {
		return err
	}
	if c.testOld {
		return nil
	}
	if c.NATS == "" {
		if c.Shared {
			return errors.New("workers share the journal of a crawl on a NATS server: name the server with --nats")
		}
		if c.Name != "" || c.TakeOver {
			return errors.New("--name and --take-over are for a journal on a NATS server: name the server with --nats")
		}
		_, err := os.Stat(filepath.Join(c.Dir, "store"))
		if err == nil && who.Settings != nil && who.Settings.Elsewhere {
			return errElsewhere
		}
		return nil
	}
	j.wasOpen = who.Open
	if who.UserAgent == "" {
		if who = c.identityOfStore(); who.UserAgent != "" {
			j.wasOpen = true // nobody knows
		}
	}
	switch dir := printable.Text(c.Dir); {
	case who.Journal != nil:
		j.home = who.Journal
		if c.Name != "" && c.Name != j.home.Name {
			return fmt.Errorf("the crawl in %s is named %s on the server, not %s: "+
				"leave --name out, or use another folder", dir, j.home.Name, printable.Text(c.Name))
		}
	case who.UserAgent != "" && who.Settings != nil && !who.Settings.Elsewhere:
		return fmt.Errorf("the crawl in %s has its journal in the folder: leave --nats out, or use another folder", dir)
	case who.UserAgent != "":
		j.home, j.unchartered = &home{sharedName, rand.Text()}, true
	default:
		j.isNew = true
		j.home = &home{cmp.Or(c.Name, "crawl-"+strings.ToLower(rand.Text()[:12])), rand.Text()}
		if c.TakeOver {
			return j.mustExist(ctx)
		}
	}
	return nil
}

// mustExist returns an error if the server has no journal of the name to take over.
func (j *joiner) mustExist(ctx context.Context) error {
	c := j.c
	names, err := journal.Names(ctx, c.NATS)
	switch {
	case err != nil || slices.Contains(names, j.home.Name):
		return err
	case len(names) == 0:
		return errors.New("there is no crawl on the NATS server to take over: leave --take-over out")
	}
	has := printable.Clipped(strings.Join(names, ", "), 400)
	if c.Name != "" {
		return fmt.Errorf("the NATS server has no crawl %s, but %s: name the one to take over with --name",
			printable.Text(c.Name), has)
	}
	return fmt.Errorf("name the crawl to take over with --name: the NATS server has %s", has)
}

// join makes the folder the owner of its journal on a server, or returns an error if the journal
// belongs to another folder. Nothing has been claimed before.
func (j *joiner) join(ctx context.Context, seeds []string) error {
	c := j.c
	if j.home == nil {
		return nil
	}
	opened, last, err := c.shard.journal.OpenCharter(ctx)
	isOld := errors.Is(err, journal.ErrUnchartered)
	if err != nil && !isOld {
		return err
	}
	h := &charter{opened, charterEntry{Version: charterVersion, Owner: j.home.Owner, UserAgent: c.UserAgent,
		Tokens: c.tokens, Scope: c.Scope, Shared: c.handle.isShared()}, c.shard.journal}
	if c.Shared {
		h.entry.Limits = &Budget{HostPages: c.Budget.HostPages, HostBytes: c.Budget.HostBytes}
	}
	j.charter = h
	if last == nil {
		if isOld && !j.unchartered && !c.TakeOver {
			return fmt.Errorf("the journal %s on the NATS server has records, but does not say whose they are, "+
				"as an earlier version of robots wrote them: choose another --name, or join it with --take-over",
				j.home.Name)
		}
		return j.own(ctx)
	}
	entry, _, err := parseEntry(last)
	if err != nil {
		return err
	}
	if entry.Shared && !c.handle.isShared() {
		// A crawl that is alone reads no inboxes, where links may wait.
		return fmt.Errorf("several workers share the crawl %s: continue it as one of them", j.home.Name)
	}
	j.wasAlone = c.handle.isShared() && entry.Owner == j.home.Owner && !entry.Shared
	if entry.Shared || entry.Owner != j.home.Owner { // a worker needs the seeds of the others
		return j.takeOver(ctx, entry, seeds)
	}
	if what := h.differs(entry); what != "" {
		return fmt.Errorf("the crawl %s began with %s: use the same flags, or begin another crawl in another folder",
			j.home.Name, what)
	}
	if entry.UserAgent != c.UserAgent || entry.Shared != c.handle.isShared() {
		return h.add(ctx, nil)
	}
	return nil
}

// own writes the first entry of a charter, with the seeds that the folder has, if there are any.
func (j *joiner) own(ctx context.Context) error {
	c := j.c
	var seeds []weburl.URL
	err := seedFile(c.seedsName()).read(ctx, func(line string) {
		if u, err := weburl.Links.Parse(line); err == nil {
			seeds = append(seeds, u)
		}
	})
	if err == nil {
		err = c.writeIdentity(j.wasOpen) // before the server knows the owner
	}
	if err == nil {
		err = j.charter.add(ctx, seeds)
	}
	return err
}

// takeOver joins the journal of another folder.
func (j *joiner) takeOver(ctx context.Context, last charterEntry, seeds []string) error {
	c := j.c
	name := j.home.Name
	whose := fmt.Sprintf("%s belongs to another folder since %s, with %s", name, last.At.Format(time.DateTime+" MST"),
		last.robot())
	if !c.TakeOver && !(c.handle.isShared() && last.Shared) {
		return fmt.Errorf("the crawl %s: choose another --name, "+
			"or continue that crawl here with --take-over, which ends it there", whose)
	}
	what := j.charter.differs(last)
	together := c.handle.isShared() && last.Shared // then versions may change, one worker after the other
	if what == "" && last.UserAgent != c.UserAgent && !together {
		what = last.robot()
	}
	if what != "" && together {
		return fmt.Errorf("the workers of the crawl %s have begun it with %s: use the same flags, "+
			"or choose another --name", name, what)
	}
	if what != "" {
		return fmt.Errorf("cannot take over %s, which began with %s: use the same flags, or choose another --name",
			name, what)
	}
	known := make(map[string]bool)
	var all []weburl.URL
	err := j.charter.Each(ctx, func(text []byte) error {
		_, lines, err := parseEntry(text)
		for _, line := range lines {
			if u, err := weburl.Links.Parse(line); err == nil && !known[u.String()] {
				known[u.String()] = true
				all = append(all, u)
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, s := range seeds {
		if c.handle.isShared() {
			break // it is added to the charter, and queued by the owner of its partition
		}
		if u, err := weburl.Links.Parse(s); len(all) > 0 && err == nil && !known[u.String()] {
			return fmt.Errorf("cannot take over %s: it did not start from %s: "+
				"leave the URLs out, which the server has, and add others later", name,
				printable.Clipped(u.String(), store.MaxURL))
		}
	}
	err = seedFile(c.seedsName()).read(ctx, func(line string) { known[line] = false })
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(u weburl.URL) bool { return !known[u.String()] })
	if err := seedFile(c.seedsName()).append(all); err != nil {
		return err
	}
	c.unqueued = true // the owner before may not have queued them
	if err := c.writeIdentity(j.wasOpen); err != nil {
		return err
	}
	return j.charter.add(ctx, nil)
}

// differs describes how the crawl of an entry differs from this one, or returns "".
func (h *charter) differs(e charterEntry) string {
	switch {
	case !slices.Equal(h.entry.Tokens, e.Tokens):
		return e.robot()
	case !reflect.DeepEqual(normal(h.entry.Scope), normal(e.Scope)):
		return e.Scope.flags()
	case h.entry.Limits != nil && e.Limits != nil && *h.entry.Limits != *e.Limits:
		return e.Limits.flags()
	}
	return ""
}

// flags returns the flags of the limits of a host.
func (b *Budget) flags() string {
	if b.HostBytes != 0 {
		return fmt.Sprintf("--host-pages %d and %d bytes of a host", max(b.HostPages, 0), b.HostBytes)
	}
	return fmt.Sprintf("--host-pages %d", max(b.HostPages, 0))
}

// normal returns a scope that has nil in place of empty lists.
func normal(s Scope) Scope {
	s.Include, s.Exclude = append([]string(nil), s.Include...), append([]string(nil), s.Exclude...)
	return s
}

func (e charterEntry) robot() string {
	return "--user-agent '" + printable.Clipped(e.UserAgent, 200) + "'"
}

// flags returns the flags of a scope.
func (s Scope) flags() string {
	text := "--scope " + s.Reach.String()
	for _, p := range s.Include {
		text += " --include '" + p + "'"
	}
	for _, p := range s.Exclude {
		text += " --exclude '" + p + "'"
	}
	return printable.Clipped(fmt.Sprintf("%s --depth %d", text, s.MaxDepth), 400)
}

// identityOfStore returns the identity of the crawl that the store or its checkpoint has.
func (c *Config) identityOfStore() (who identity) {
	for _, dir := range []string{filepath.Join(c.Dir, "store"), c.lastCheckpoint()} {
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		s, err := store.Open(store.Options{Dir: dir, ReadOnly: true})
		if err != nil {
			continue
		}
		s.Marks(func(name string, value []byte) error {
			if name == markCrawl {
				who = parseIdentity(value)
			}
			return nil
		})
		s.Close()
		if who.UserAgent != "" {
			return who
		}
	}
	return who
}
