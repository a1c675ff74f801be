// Package identify says whether the clients in an access log are the robots that they name: by the
// published ranges in a folder and, if wanted, by the DNS.
package identify

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

const (
	// maxAge is the age up to which ranges prove that other addresses are not the robot's. It is
	// longer than that of a server, because logs are older than the ranges or younger.
	maxAge = 7 * 24 * time.Hour

	// defaultMaxAddresses is the maximum number of addresses whose result is kept: about 30 MB.
	defaultMaxAddresses = 200_000
)

// An Identifier says whether clients are the robots that they name. It asks the DNS at most once
// for an address and a robot. It is safe for concurrent use.
type Identifier struct {
	ctx          context.Context
	verifier     *agent.Verifier
	dns          bool
	maxAddresses int

	methods atomic.Pointer[map[string]*methods] // of the robots of the table, by token; the map never changes

	mu      sync.Mutex // also for the replacement of methods
	answers map[question]*answer
	unasked bool // more than maxAddresses were in the logs
}

// methods are what identifies the addresses of a robot here.
type methods struct {
	recipe    agent.Recipe
	documents []agent.RangeDocument
	ranges    func(netip.Addr) agent.Result // without the DNS
}

type question struct {
	token  string
	client netip.Addr
}

type answer struct {
	once   sync.Once
	result agent.Result
}

// New returns an identifier by the ranges that a verifier has in its folder, which must exist, and by
// its DNS servers if dns is set. The verifier needs no HTTP client. After ctx ends, no client is
// identified.
func New(ctx context.Context, v *agent.Verifier, dns bool) (*Identifier, error) {
	if v.Folder != "" {
		info, err := os.Stat(v.Folder)
		if err != nil {
			return nil, fmt.Errorf("cannot read the ranges in %s: %w", printable.Text(v.Folder), userfile.Cause(err))
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("cannot read the ranges in %s: it is not a folder", printable.Text(v.Folder))
		}
	}
	v.MaxAge = maxAge
	id := &Identifier{
		ctx: ctx, verifier: v, dns: dns, maxAddresses: defaultMaxAddresses,
		answers: make(map[question]*answer),
	}
	id.methods.Store(&map[string]*methods{})
	return id, nil
}

// Identify says whether a client is a robot. The result for a client and a robot never changes.
func (id *Identifier) Identify(robot agent.Agent, client netip.Addr) agent.Result {
	if !client.IsValid() {
		return agent.Unverifiable
	}
	m := id.methodsOf(robot)
	if len(m.recipe.DNS) == 0 {
		return m.ranges(client)
	}
	a := id.answer(question{robot.Token, client})
	if a == nil {
		return m.ranges(client)
	}
	a.once.Do(func() {
		if verdict, err := id.verifier.Verify(id.ctx, client, m.recipe); err == nil {
			a.result = verdict.Result
		}
	})
	return a.result
}

// Of returns the Identify of one robot, or nil if nothing can be told of it: the DNS is not asked about it, and
// the folder has none of its range documents now.
func (id *Identifier) Of(robot agent.Agent) func(client netip.Addr) agent.Result {
	m := id.methodsOf(robot)
	switch {
	case len(m.recipe.DNS) > 0:
		return func(client netip.Addr) agent.Result { return id.Identify(robot, client) }
	case slices.ContainsFunc(m.documents, func(d agent.RangeDocument) bool { return !d.Read.IsZero() }):
		return m.ranges
	}
	return nil
}

// nothing identifies no address.
var nothing = &methods{ranges: func(netip.Addr) agent.Result { return agent.Unverifiable }}

// methodsOf returns the methods for a robot. It reads the ranges when it is first asked about the robot.
func (id *Identifier) methodsOf(robot agent.Agent) *methods {
	if !robot.Known() {
		return nothing
	}
	if m := (*id.methods.Load())[robot.Token]; m != nil {
		return m
	}
	m := &methods{recipe: id.recipe(robot)}
	var err error
	if m.documents, m.ranges, err = id.verifier.Snapshot(id.ctx, m.recipe); err != nil {
		m.ranges = nothing.ranges
	}
	id.mu.Lock()
	defer id.mu.Unlock()
	before := *id.methods.Load()
	if first := before[robot.Token]; first != nil {
		return first
	}
	after := maps.Clone(before)
	after[robot.Token] = m
	id.methods.Store(&after)
	return m
}

// recipe returns the methods that verify a robot here.
func (id *Identifier) recipe(robot agent.Agent) agent.Recipe {
	recipe := robot.Recipe()
	if id.verifier.Folder == "" {
		recipe.Ranges = nil
	}
	if !id.dns {
		recipe.DNS = nil
	}
	return recipe
}

// answer returns the place for the answer to a question, or nil if there are too many.
func (id *Identifier) answer(q question) *answer {
	id.mu.Lock()
	defer id.mu.Unlock()
	a := id.answers[q]
	if a == nil && len(id.answers) >= id.maxAddresses {
		id.unasked = true
		return nil
	}
	if a == nil {
		a = new(answer)
		id.answers[q] = a
	}
	return a
}

// Notes says in a language which ranges were used and how old they are, and what could not be
// verified.
func (id *Identifier) Notes(l language.Language) (notes []string) {
	documents := map[string]agent.RangeDocument{}
	for _, m := range *id.methods.Load() {
		for _, d := range m.documents {
			documents[d.Source] = d
		}
	}
	for _, source := range slices.Sorted(maps.Keys(documents)) {
		switch d := documents[source]; {
		case d.Read.IsZero():
			notes = append(notes, textMissing.In(l, printable.Text(source)))
		case d.Stale:
			notes = append(notes, textOld.In(l, printable.Text(source), d.Read.Format(time.DateOnly)))
		default:
			notes = append(notes, textRead.In(l, printable.Text(source), d.Read.Format(time.DateOnly)))
		}
	}
	id.mu.Lock()
	defer id.mu.Unlock()
	if id.unasked && id.dns {
		notes = append(notes, textUnasked.In(l, id.maxAddresses))
	}
	return notes
}

var (
	textRead = language.New(
		"The ranges of %[1]s are those of %[2]s.",
		"Los rangos de %[1]s son los del %[2]s.",
		"%[1]s의 주소 범위는 %[2]s의 것입니다.",
		"Диапазоны %[1]s взяты за %[2]s.")
	textOld = language.New(
		"The ranges of %[1]s are those of %[2]s. They are too old to prove that other addresses are forged.",
		"Los rangos de %[1]s son los del %[2]s. Son demasiado antiguos para probar que otras direcciones son falsas.",
		"%[1]s의 주소 범위는 %[2]s의 것입니다. 너무 오래되어 다른 주소가 위조임을 증명하지 못합니다.",
		"Диапазоны %[1]s взяты за %[2]s. Они слишком стары, чтобы доказать, что другие адреса поддельны.")
	textMissing = language.New(
		"The ranges of %[1]s are not in the folder, are unreadable, or are older than 30 days.",
		"Los rangos de %[1]s no están en la carpeta, no se pueden leer o tienen más de 30 días.",
		"%[1]s의 주소 범위가 폴더에 없거나, 읽을 수 없거나, 30일보다 오래되었습니다.",
		"Диапазонов %[1]s нет в папке, или их не прочесть, или они старше 30 дней.")
	textUnasked = language.New(
		"The logs have more than %[1]d addresses of robots. The DNS was not asked about the others, and they may differ from run to run.",
		"Los registros tienen más de %[1]d direcciones de robots. No se preguntó al DNS por las demás, y pueden variar de una ejecución a otra.",
		"로그에 있는 로봇 주소가 %[1]d개보다 많습니다. 나머지는 DNS에 묻지 않았으며, 실행할 때마다 달라질 수 있습니다.",
		"В журналах больше адресов роботов, чем %[1]d. Об остальных DNS не спрашивали, и от запуска к запуску они могут быть разными.")
)
