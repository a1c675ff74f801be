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

	documents sync.Map // agent.RangeDocument, as first used, by source

	mu      sync.Mutex
	answers map[question]*answer
	unasked bool // more than maxAddresses were in the logs
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
	return &Identifier{
		ctx: ctx, verifier: v, dns: dns, maxAddresses: defaultMaxAddresses,
		answers: make(map[question]*answer),
	}, nil
}

// Identify says whether a client is a robot. The result for a client and a robot never changes.
func (id *Identifier) Identify(robot agent.Agent, client netip.Addr) agent.Result {
	recipe := id.recipe(robot)
	if len(recipe.Ranges)+len(recipe.DNS) == 0 || !client.IsValid() {
		return agent.Unverifiable
	}
	if len(recipe.DNS) == 0 {
		return id.verify(client, recipe)
	}
	a := id.answer(question{robot.Token, client})
	if a == nil {
		recipe.DNS = nil
		return id.verify(client, recipe)
	}
	a.once.Do(func() { a.result = id.verify(client, recipe) })
	return a.result
}

// Identifiable reports whether Identify can tell anything of a robot: whether the DNS is asked about it, or
// the folder has one of its range documents now.
func (id *Identifier) Identifiable(robot agent.Agent) bool {
	recipe := id.recipe(robot)
	if len(recipe.Ranges)+len(recipe.DNS) == 0 {
		return false
	}
	if len(recipe.DNS) > 0 {
		return true
	}
	id.verify(netip.IPv4Unspecified(), recipe) // any address: this reads the documents
	for _, source := range recipe.Ranges {
		if d, ok := id.documents.Load(source); !ok || !d.(agent.RangeDocument).Read.IsZero() {
			return true
		}
	}
	return false
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

// verify asks the verifier, and keeps which documents it used.
func (id *Identifier) verify(client netip.Addr, recipe agent.Recipe) agent.Result {
	if id.used(recipe) {
		result, err := id.verifier.Result(id.ctx, client, recipe)
		if err != nil {
			return agent.Unverifiable
		}
		return result
	}
	verdict, err := id.verifier.Verify(id.ctx, client, recipe)
	if err != nil {
		return agent.Unverifiable
	}
	for _, d := range verdict.Documents {
		id.documents.LoadOrStore(d.Source, d)
	}
	return verdict.Result
}

// used reports whether all documents of a recipe are known to Notes.
func (id *Identifier) used(recipe agent.Recipe) bool {
	for _, source := range recipe.Ranges {
		if _, ok := id.documents.Load(source); !ok {
			return false
		}
	}
	return true
}

// Notes says in a language which ranges were used and how old they are, and what could not be
// verified.
func (id *Identifier) Notes(l language.Language) (notes []string) {
	documents := map[string]agent.RangeDocument{}
	id.documents.Range(func(source, d any) bool {
		documents[source.(string)] = d.(agent.RangeDocument)
		return true
	})
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
