// Package export writes configuration for web servers that enforces a robots.txt: the server
// answers 403 to requests of robots that the policy disallows. A robot is recognized by its
// User-Agent header. All other requests pass.
//
//	config, err := export.Write("nginx", policy, export.Options{Site: "example"})
//
// The files compare the target of a request as it was sent, as robots do, and give the answers of
// [robots.Group.Match]. The robots are those of package agent. doc/export.md says for each server
// what is exact, what is not, and how to include the files.
package export

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/printable"
)

// Options say what Write writes. The zero Options is for one site and all robots.
type Options struct {
	// Site is a part of the names of files and variables, so that one server can have several
	// sites: small letters, digits and "_". The default is "site".
	Site string

	// Folder is where the server finds the files. Its name may have letters, digits and "/_.,@+-".
	// By default it is the usual folder of the server.
	Folder string

	Agents Agents // which robots are refused

	// WellKnown lets all requests below /.well-known/ pass, even if the policy disallows them. The
	// clients that check certificates over HTTP may be robots.
	WellKnown bool

	// Literal compares the target only as it was sent, as robots do. By default, a target is also
	// refused if some server reads it as a path that the policy disallows, such as //private/x,
	// /a/../private/x and /private%2Fx under "Disallow: /private/". The Lua file computes what
	// servers read. The expressions refuse a target with "/../" if its start, or the text after one
	// of the "/../", begins like a Disallow rule up to the rule's second "/".
	Literal bool

	// Methods are the methods whose requests are refused; requests with other methods pass. If it
	// is empty, they are GET and HEAD, because webhooks and forms use other methods. "all" is every
	// method.
	Methods []string

	// PassPaths, PassAddresses and PassHeaders are exceptions, as in a guard: such requests of
	// robots pass regardless of the policy. A path such as /webhook lets a target pass that is
	// /webhook or below it in every reading of a server. The value of a header field has letters,
	// digits and "_.~+/=:@-".
	PassPaths     []string
	PassAddresses []netip.Prefix
	PassHeaders   http.Header

	// Pace also answers 429 to robots that are faster than Crawl-delay and Request-rate ask. For a
	// server that cannot count the requests of a robot it is an error.
	Pace bool
}

// Agents is the robots that a server refuses.
type Agents uint8

// The sets of robots. Each has the robots of the ones after it.
const (
	All   Agents = iota // every client that the server recognizes as a robot by what the client says
	Known               // the robots of the table of package agent, and those that the policy names
	Named               // the robots that the policy names
)

var agentsNames = [...]string{"all", "known", "named"}

// String returns "all", "known" or "named".
func (a Agents) String() string {
	if int(a) < len(agentsNames) {
		return agentsNames[a]
	}
	return "unknown"
}

// ParseAgents returns the Agents with a name.
func ParseAgents(name string) (Agents, error) {
	if i := slices.Index(agentsNames[:], name); i >= 0 {
		return Agents(i), nil
	}
	return 0, fmt.Errorf("unknown robots %q: say %s", name, strings.Join(agentsNames[:], ", "))
}

// A File is a file of configuration.
type File struct {
	Name string // without a folder
	Data []byte
}

// A Config is the configuration of one server for one policy.
type Config struct {
	Files    []File
	Includes []Include
	Notes    []string // for the operator, a sentence each
	LeftOut  string   // which records of pace the files leave out, or ""
}

// An Include is lines that the operator adds to the configuration of the server.
type Include struct {
	Place string // where to add the lines, such as "to the http block"
	Lines []string
}

// A Refusal is the error for a policy that a server cannot enforce exactly.
type Refusal struct {
	Server string
	Rule   robots.Rule // the rule that the server cannot express; zero if the whole policy is too large
	Reason string
}

// Error returns the server, the rule with its line, and the reason.
func (e *Refusal) Error() string {
	if e.Rule.Line == 0 {
		return fmt.Sprintf("%s cannot enforce this robots.txt: %s", e.Server, e.Reason)
	}
	return fmt.Sprintf("%s cannot enforce line %d, %s: %s", e.Server, e.Rule.Line, clipped(e.Rule), e.Reason)
}

// clipped returns the start of a rule, which may be long.
func clipped(r robots.Rule) string { return printable.Clipped(r.String(), 80) }

// A serverKind is a kind of server that Write writes for.
type serverKind struct {
	name  string
	write func(p *plan) (*Config, error)
}

// servers lists the servers in the order of help.
var servers = []serverKind{
	{"nginx", writeNginx},
	{"haproxy", writeHAProxy},
	{"varnish", writeVarnish},
	{"apache", writeApache},
	{"caddy", writeCaddy},
	{"lighttpd", writeLighttpd},
	{"nginx-lua", writeNginxLua},
	{"haproxy-lua", writeHAProxyLua},
	{"apache-lua", writeApacheLua},
	{"lua", writeLua},
}

// Servers returns the names of the servers.
func Servers() (names []string) {
	for _, s := range servers {
		names = append(names, s.name)
	}
	return names
}

// dialects lists the dialects whose answers the layers of a plan give.
var dialects = []robots.Dialect{robots.RFC9309}

// maxSize is the maximum number of bytes of all files: a server needs several times the memory.
const maxSize = 32 << 20

// Write returns the configuration of a server that enforces a policy. The dialect of the policy
// must be RFC 9309. If the server cannot enforce the policy exactly, the error is a [Refusal].
func Write(server string, p *robots.Policy, o Options) (*Config, error) {
	i := slices.IndexFunc(servers, func(s serverKind) bool { return s.name == server })
	if i < 0 {
		return nil, fmt.Errorf("unknown server %q: say %s", server, strings.Join(Servers(), ", "))
	}
	if !slices.Contains(dialects, p.Dialect()) {
		return nil, fmt.Errorf("policies of dialect %v cannot be exported: the dialects are %v", p.Dialect(), dialects)
	}
	if err := checkPace(server, &o); err != nil {
		return nil, err
	}
	plan, err := newPlan(server, p, o)
	if err != nil {
		return nil, err
	}
	config, err := servers[i].write(plan)
	if err != nil {
		return nil, err
	}
	if config.LeftOut = leftOut(server, p, &o); config.LeftOut != "" {
		read := slices.IndexFunc(config.Files, func(f File) bool { return !strings.HasSuffix(f.Name, ".map") })
		f := &config.Files[read]
		comment := "# "
		if strings.HasSuffix(f.Name, ".lua") {
			comment = "-- "
		}
		f.Data = append([]byte(comment+printable.Text(config.LeftOut)+".\n"), f.Data...)
	}
	size := 0
	for _, f := range config.Files {
		size += len(f.Data)
	}
	if size > maxSize {
		return nil, &Refusal{Server: server, Reason: fmt.Sprintf("its configuration would have %d MiB, more than %d",
			size>>20, maxSize>>20)}
	}
	config.Notes = append(plan.notes, config.Notes...)
	return config, nil
}
