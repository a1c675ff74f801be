package robots_test

import (
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// floors lists the packages that each package may import beyond the standard library, from the
// ground up: packages of this module by their folder, others by their full path, which includes the
// packages below it. A package may import only packages of this module on a lower floor; packages
// of one floor do not import each other. The list is policy: a change to it, such as a new package,
// needs a decision record.
var floors = []map[string]string{
	{ // The cellar: code that several packages above would otherwise repeat.
		"internal/reexec":       "",
		"internal/shortpaths":   "",
		"internal/corpus":       "",
		"internal/filelock":     "golang.org/x/sys/windows",
		"internal/http/flight":       "",
		"internal/freeport":     "",
		"internal/fulldisk":     "golang.org/x/sys",
		"internal/html/htmltoken":    "golang.org/x/net/html",
		"crawler/internal/filecheck":    "",
		"internal/jsonl":        "",
		"internal/language":     "",
		"internal/marks":        "golang.org/x/sys/cpu",
		"internal/natsclient":   "github.com/nats-io/nats.go",
		"internal/nearest":      "",
		"crawler/internal/binread":      "",
		"internal/cable":        "",
		"internal/byteclass":    "",
		"internal/buildversion": "",
		"internal/shellwords":   "",
		"server/web":            "",
		"internal/parallel":     "",
		"internal/parquet":      "",
		"internal/url/percent":      "",
		"internal/printable":    "",
		"internal/http/renewed":      "",
		"internal/robotlist":    "",
		"internal/testlog":      "",
		"internal/url/urlquery":     "golang.org/x/text",
		"internal/userfile":     "golang.org/x/text",
		"internal/gunzip":       "",
		"internal/word":         "",
		"internal/utf16text":    "",
		"internal/zstd":         "github.com/cespare/xxhash/v2",
	},
	{ // The engine room: packages that make the floors above fast.
		"internal/html/slowtoken": "golang.org/x/net/html",
		"internal/columns":             "internal/language",
		"internal/html/htmltree":            "internal/html/htmltoken",
		"internal/matchtext":           "internal/language",
		"cmd/internal/audit/logtail":             "internal/printable",
		"internal/url/urlcheck":            "internal/printable",
		"internal/usage":               "internal/language internal/nearest internal/printable github.com/spf13/cobra github.com/spf13/pflag",
		"internal/ruleindex":           "internal/byteclass internal/word",
	},
	{ // The ground: the standard library only, so that the library has no dependencies.
		".":                  "internal/byteclass internal/url/percent internal/printable internal/ruleindex internal/url/urlcheck internal/word",
		"agent/botauth":      "internal/printable",
		"internal/http/httpfield": "internal/printable",
		"conformance":        "",
	},
	{ // The first floor: what a robot needs besides the text of one file.
		"compat/temoto":          ".",
		"agent":                  ". internal/nearest internal/printable internal/robotlist",
		"crawler/internal/journal": "internal/filelock crawler/internal/filecheck internal/natsclient internal/printable github.com/nats-io/nats-server/v2 github.com/nats-io/nats.go github.com/klauspost/compress",
		"crawler/internal/pace":    ". crawler/internal/binread",
		"crawler/result":           "internal/printable",
		"crawler/internal/seeds":         "internal/html/htmltoken internal/html/htmltree internal/printable golang.org/x/net/html golang.org/x/text",
		"sitemap":          "internal/printable golang.org/x/net/html golang.org/x/text",
		"crawler/internal/store":   "internal/filelock crawler/internal/filecheck internal/printable github.com/cockroachdb/pebble/v2",
		"internal/command":       "internal/buildversion internal/language internal/nearest internal/printable internal/usage internal/userfile github.com/spf13/cobra github.com/spf13/pflag golang.org/x/sys/windows golang.org/x/term",
		"internal/scripttest":    "internal/usage github.com/rogpeppe/go-internal/testscript github.com/spf13/cobra github.com/spf13/pflag golang.org/x/net/dns/dnsmessage",
		"crawler/internal/demoweb":       ". internal/columns internal/language internal/printable",
		"crawler/internal/testweb":       ". internal/printable internal/url/urlcheck golang.org/x/net/html golang.org/x/net/dns/dnsmessage",
		"crawler/warc":             "internal/filelock crawler/internal/filecheck internal/printable github.com/klauspost/compress",
		"crawler/internal/weburl":        "internal/url/percent internal/printable internal/url/urlquery github.com/nlnwa/whatwg-url golang.org/x/net/publicsuffix golang.org/x/text",
		"accesslog":              "internal/gunzip internal/marks internal/url/percent internal/printable internal/zstd github.com/therootcompany/xz",
		"ask":                    ". conformance internal/jsonl internal/printable",
		"cmd/internal/gitfile":       "internal/printable internal/userfile",
		"export/internal/layers": ".",
		"internal/requestrate":   ".",
		"cmd/internal/wasm/engine":        ". internal/printable",
		"fetch":                  ". internal/filelock internal/http/flight internal/http/httpfield internal/printable internal/http/renewed golang.org/x/net/idna",
		"format":                 ". internal/printable",
		"server/api":             "internal/printable",
		"page":                   ". internal/html/htmltoken internal/html/htmltree internal/jsonl internal/language internal/matchtext internal/printable internal/url/urlquery golang.org/x/net/html golang.org/x/text",
		"pathset":                ". internal/url/percent",
	},
	{ // The second floor: packages above sets of paths, URLs, and pages.
		"agent/keydir":           "agent/botauth fetch internal/http/flight internal/http/httpfield internal/printable",
		"cmd/internal/wasm/border": "cmd/internal/wasm/engine internal/printable",
		"fetch/natscache":        "fetch internal/http/flight internal/natsclient internal/printable github.com/nats-io/nats.go",
		"internal/http/download":      ". fetch internal/http/flight internal/http/httpfield internal/printable internal/zstd github.com/andybalholm/brotli",
		"crawler/internal/trap":    "crawler/internal/weburl internal/url/percent internal/printable",
		"crawler/internal/index": "internal/html/htmltoken internal/html/htmltree internal/language internal/printable internal/userfile page golang.org/x/net/html golang.org/x/text " +
			"github.com/blevesearch/bleve github.com/blevesearch/bleve_index_api go.etcd.io/bbolt/errors",
		"export/internal/pathregex": ". export/internal/layers internal/url/percent",
		"proof":                     ". agent internal/language internal/printable pathset",
		"audit":                     ". accesslog agent internal/requestrate internal/url/urlcheck",
		"guard":                     ". agent agent/botauth fetch internal/url/percent internal/printable internal/requestrate internal/url/urlcheck",
		"cmd/internal/audit/identify":         "agent internal/language internal/printable internal/userfile",
		"cmd/internal/inforce":          ". fetch internal/printable internal/userfile",
		"internal/rdap":             "fetch internal/printable",
		"internal/pageserver":       "internal/http/httpfield internal/printable server/api server/web",
		"internal/guard/slowguard":        ". agent",
		"internal/testrequest":      ". agent",
		"cmd/internal/survey":           ". agent fetch internal/columns internal/language internal/parallel internal/printable internal/userfile",
	},
	{ // The third: packages that need proofs or follow a crawl.
		"export/internal/headerregex": "agent export/internal/pathregex",
		"inquire":                     ". agent fetch internal/http/download internal/http/flight internal/language internal/parallel internal/printable internal/http/renewed internal/url/urlcheck page",
		"merge":                       ". agent format internal/language internal/printable pathset proof",
		"cmd/internal/audit/auditsites":         ". audit fetch cmd/internal/gitfile internal/language internal/printable internal/userfile",
		"lint":                        ". agent internal/columns internal/language internal/nearest internal/printable internal/utf16text pathset proof",
		"internal/guard/guardoptions":       ". agent agent/keydir fetch guard internal/buildversion page",
		"internal/guard/guardshare":         "agent guard internal/natsclient internal/printable github.com/nats-io/nats.go",
		"internal/guard/guardserver":        "agent guard internal/printable github.com/prometheus/client_golang",
		"internal/robottest":          ". accesslog agent audit internal/columns internal/language internal/printable",
		"cmd/internal/audit/auditrows":          "accesslog agent audit internal/parquet internal/printable",
		"crawler/internal/feed":         "internal/http/download crawler/result crawler/warc crawler/internal/weburl crawler/internal/index internal/language internal/printable page",
	},
	{ // The fourth: the editor, the texts, the robot, and configuration.
		"export":              ". agent export/internal/headerregex export/internal/layers export/internal/pathregex internal/printable",
		"crawl":               ". agent/botauth internal/http/download crawler/internal/journal crawler/internal/pace crawler/result sitemap crawler/internal/store crawler/internal/trap crawler/warc crawler/internal/weburl fetch crawler/internal/filecheck crawler/internal/binread internal/http/httpfield internal/url/percent internal/printable internal/http/renewed internal/url/urlcheck page",
		"cmd/internal/audit/auditlive":  "accesslog agent audit cmd/internal/audit/auditrows cmd/internal/audit/logtail internal/printable internal/userfile",
		"internal/robotnames": ". agent internal/language internal/printable merge proof",
		"cmd/internal/lintsite":   ". sitemap fetch internal/http/httpfield cmd/internal/inforce internal/printable internal/userfile lint",
		"monitor":             ". fetch inquire internal/filelock internal/http/httpfield internal/language internal/printable internal/http/renewed internal/utf16text proof",
		"lsp":                 ". agent format internal/language internal/printable lint pathset proof github.com/creachadair/jrpc2",
		"cmd/internal/say":        ". agent agent/botauth agent/keydir conformance fetch inquire internal/columns internal/language internal/matchtext internal/printable page proof cmd/internal/inforce",
		"cmd/internal/audit/auditreport": "accesslog audit cmd/internal/audit/auditsites internal/columns cmd/internal/audit/identify internal/language internal/url/percent " +
			"internal/printable internal/rdap",
	},
	{ // The fifth: packages that talk to a running robot, or a running web server.
		"cmd/internal/monitor/monitorshare": "internal/natsclient internal/printable monitor github.com/nats-io/nats.go",
		"cmd/internal/monitor/notify":        "internal/http/httpfield internal/language internal/printable monitor",
		"internal/exportcheck":  ". agent export internal/freeport",
		"internal/analyse":      ". agent internal/language internal/printable internal/robotnames lint pathset proof server/api",
		"crawler/control":         "crawl crawler/result crawler/internal/weburl internal/printable github.com/prometheus/client_golang",
		"cmd/internal/records":      ". agent internal/columns internal/language internal/printable cmd/internal/say",
		"crawler/internal/crawltext":    "crawl crawler/result internal/columns internal/language internal/printable",
	},
	{ // The sixth: what programs in other languages ask.
		"server":                    ". agent ask fetch inquire internal/analyse internal/http/httpfield internal/printable internal/url/urlcheck server/api",
		"cmd/internal/wasm/auditask":         "accesslog agent audit cmd/internal/audit/auditreport cmd/internal/audit/auditsites cmd/internal/wasm/engine internal/language internal/printable",
		"cmd/internal/wasm/pageask":          ". agent cmd/internal/wasm/engine internal/printable merge pathset proof",
		"cmd/internal/wasm/questions": ". agent format inquire internal/analyse cmd/internal/wasm/engine internal/printable lint page server/api",
	},
	{ // The roof.
		"cmd/internal/wasm/core":  "cmd/internal/wasm/engine cmd/internal/wasm/border",
		"cmd/internal/wasm/whole": "cmd/internal/wasm/engine cmd/internal/wasm/border cmd/internal/wasm/questions",
		"cmd/internal/wasm/page":  "cmd/internal/wasm/engine cmd/internal/wasm/border cmd/internal/wasm/questions cmd/internal/wasm/pageask",
		"cmd/internal/wasm/audit": "cmd/internal/wasm/auditask cmd/internal/wasm/engine cmd/internal/wasm/border",
		"cmd/robots": ". accesslog agent agent/botauth agent/keydir ask audit conformance export fetch format inquire cmd/internal/audit/auditlive cmd/internal/audit/auditreport cmd/internal/audit/auditrows cmd/internal/audit/auditsites internal/columns " +
			"internal/buildversion internal/command internal/exportcheck cmd/internal/audit/identify cmd/internal/inforce internal/jsonl internal/language cmd/internal/lintsite internal/nearest internal/parallel internal/printable internal/rdap " +
			"cmd/internal/records internal/robotnames internal/robottest cmd/internal/say internal/shellwords cmd/internal/survey internal/usage internal/userfile lint lsp merge page proof " +
			"github.com/spf13/cobra github.com/spf13/pflag golang.org/x/term",
		"cmd/robotsd": ". fetch fetch/natscache guard internal/buildversion internal/command cmd/internal/gitfile internal/guard/guardoptions internal/guard/guardserver internal/guard/guardshare internal/language cmd/internal/monitor/monitorshare internal/pageserver internal/printable internal/http/renewed internal/userfile monitor cmd/internal/monitor/notify proof server server/web " +
			"github.com/prometheus/client_golang github.com/spf13/cobra github.com/spf13/pflag",
		"crawler/cmd/robots-crawl": ". agent agent/botauth crawl crawler/control crawler/result crawler/warc fetch internal/command crawler/internal/crawltext crawler/internal/demoweb crawler/internal/index crawler/internal/feed internal/language internal/pageserver internal/printable crawler/internal/seeds internal/usage internal/userfile server/web " +
			"github.com/spf13/cobra github.com/spf13/pflag",
	},
}

// testFloors lists what the tests of a package may import in addition.
var testFloors = map[string]string{
	"guard":                  "internal/corpus internal/guard/slowguard golang.org/x/net/dns/dnsmessage",
	"internal/guard/guardshare":    ". internal/cable internal/freeport internal/reexec github.com/nats-io/nats-server/v2",
	"internal/guard/guardserver":   ". accesslog agent agent/botauth agent/keydir internal/corpus internal/freeport internal/reexec internal/guard/slowguard internal/testrequest",
	".":                      "conformance internal/corpus",
	"accesslog":              "internal/corpus internal/freeport internal/testlog github.com/klauspost/compress",
	"audit":                  "internal/corpus internal/gunzip internal/testlog",
	"agent":                  "internal/corpus golang.org/x/net/dns/dnsmessage",
	"export":                 "accesslog internal/corpus internal/exportcheck internal/testrequest",
	"export/internal/layers": "internal/corpus",
	"cmd/internal/audit/auditlive":     "cmd/internal/audit/auditreport github.com/prometheus/client_golang",
	"cmd/internal/audit/auditreport":   "internal/corpus golang.org/x/net/html",
	"cmd/internal/audit/auditrows":     "github.com/parquet-go/parquet-go",
	"internal/parquet":       "github.com/parquet-go/parquet-go",
	"cmd/internal/audit/auditsites":    ".",
	"fetch/natscache":        "internal/cable internal/freeport internal/reexec github.com/nats-io/nats-server/v2",
	"internal/http/download":      "github.com/klauspost/compress",
	"internal/zstd":          "github.com/klauspost/compress",
	"internal/byteclass":     "internal/url/percent",
	"server":                 "conformance internal/scripttest lint proof",
	"cmd/internal/wasm/engine":        "agent conformance internal/corpus internal/testrequest server",
	"server/api":             "fetch server",
	"internal/matchtext":     ".",
	"merge":                  "internal/shortpaths internal/corpus github.com/rogpeppe/go-internal/txtar",
	"crawl":                  "internal/corpus internal/fulldisk internal/reexec crawler/internal/testweb github.com/nats-io/nats-server/v2",
	"crawler/control":          "crawler/internal/pace fetch",
	"crawler/internal/seeds":         "internal/corpus",
	"crawler/internal/index":         "internal/reexec internal/corpus internal/fulldisk",
	"crawler/internal/feed":    "crawl fetch internal/corpus internal/fulldisk golang.org/x/text",
	"sitemap":          "internal/corpus",
	"crawler/internal/trap":    "internal/corpus",
	"crawler/internal/journal": "internal/reexec internal/corpus internal/freeport internal/fulldisk",
	"crawler/internal/store":   "internal/reexec internal/corpus internal/fulldisk",
	"crawler/warc":             "internal/reexec internal/corpus internal/fulldisk",
	"crawler/internal/weburl":        "fetch internal/corpus",
	"format":                 "internal/corpus",
	"crawler/internal/testweb":       "internal/corpus page",
	"lint":                   "internal/corpus",
	"monitor":                "agent internal/reexec",
	"cmd/internal/monitor/notify":         "fetch",
	"lsp":                    "internal/corpus",
	"internal/html/htmltoken":     "internal/corpus internal/html/slowtoken",
	"page":                   "internal/corpus internal/html/slowtoken",
	"pathset":                "internal/shortpaths internal/corpus",
	"internal/ruleindex":     "internal/corpus",
	"proof":                  "internal/shortpaths internal/corpus",
	"internal/command":       "internal/reexec",
	"cmd/robotsd":            "accesslog audit internal/cable internal/freeport server/api internal/scripttest github.com/nats-io/nats-server/v2 github.com/nats-io/nats.go github.com/rogpeppe/go-internal/testscript",
	"crawler/cmd/robots-crawl":       "internal/robottest internal/scripttest github.com/rogpeppe/go-internal/testscript",
	"cmd/robots":             "internal/scripttest github.com/rogpeppe/go-internal/testscript github.com/andybalholm/brotli github.com/klauspost/compress",

	"export/internal/headerregex": "internal/corpus",
}

// TestFloors checks the imports of the source files against floors. It reads the files itself, for
// every system and build tag: the output of "go list" is not among the inputs that make the test
// run again.
func TestFloors(t *testing.T) {
	module, _ := readGoMod(t)
	level := make(map[string]int)
	allowed := make(map[string][]string)
	for i, floor := range floors {
		for pkg, imports := range floor {
			if _, ok := level[pkg]; ok {
				t.Errorf("%s stands on two floors", pkg)
			}
			level[pkg] = i
			allowed[pkg] = strings.Fields(imports)
		}
	}
	for pkg, imports := range allowed {
		for _, p := range imports {
			if thirdParty(p) {
				continue
			}
			if lower, ok := level[p]; !ok {
				t.Errorf("%s may import %s, which stands on no floor", pkg, p)
			} else if lower >= level[pkg] {
				t.Errorf("%s may import %s, which does not stand below it", pkg, p)
			}
		}
	}

	packages := modulePackages(t)
	for pkg := range level {
		if packages[pkg] == nil {
			t.Errorf("%s stands on a floor but has no Go files", pkg)
		}
	}
	for pkg, files := range packages {
		if _, ok := level[pkg]; !ok {
			t.Errorf("package %s stands on no floor: decide what it may import, and write it into floors", pkg)
			continue
		}
		for _, file := range files {
			may := allowed[pkg]
			if strings.HasSuffix(file, "_test.go") {
				may = slices.Concat(may, strings.Fields(testFloors[pkg]), []string{pkg})
			}
			for _, p := range fileImports(t, file) {
				if own, ok := withinModule(module, p); ok {
					if !slices.Contains(may, own) {
						t.Errorf("%s imports package %s of this module, which floors does not allow to %s", file, own, pkg)
					}
				} else if thirdParty(p) && !slices.ContainsFunc(may, func(root string) bool { return within(root, p) }) {
					t.Errorf("%s imports %s, which floors does not allow to %s", file, p, pkg)
				}
			}
		}
	}
}

// TestFloorsAreDrawn compares the drawing of the floors in doc/ARCHITECTURE.md with floors: it must
// show each package on its floor. A line is the name of a floor, or blanks for the floor of the
// line before, and packages up to a colon.
func TestFloorsAreDrawn(t *testing.T) {
	text := string(read(t, "doc/ARCHITECTURE.md"))
	_, text, _ = strings.Cut(text, "\n## Floors\n\n```\n")
	drawing, _, _ := strings.Cut(text, "```")
	levels := map[string]int{"cellar": 0, "engine": 1, "ground": 2, "roof": len(floors) - 1}
	for i := 3; i < len(floors)-1; i++ {
		levels[strconv.Itoa(i-2)] = i
	}
	drawn := make(map[string]int) // the floor of each package
	level := -1
	for line := range strings.Lines(drawing) {
		names, _, _ := strings.Cut(line, ":")
		words := strings.Fields(names)
		if len(words) > 0 && line[0] != ' ' {
			l, ok := levels[words[0]]
			if !ok {
				t.Fatalf("the drawing has the floor %q: the floors are %v", words[0], levels)
			}
			level, words = l, words[1:]
		}
		for _, word := range words {
			head, list, _ := strings.Cut(word, "{")
			list, tail, _ := strings.Cut(list, "}")
			for name := range strings.SplitSeq(list, ",") {
				pkg := head + name + tail
				if pkg == "robots" {
					pkg = "."
				}
				if _, ok := drawn[pkg]; ok {
					t.Errorf("%s is drawn twice", pkg)
				}
				drawn[pkg] = level
			}
		}
	}
	for i, floor := range floors {
		for pkg := range floor {
			if l, ok := drawn[pkg]; !ok || l != i {
				t.Errorf("doc/ARCHITECTURE.md does not draw %s on its floor: add it there under Floors", pkg)
			}
			delete(drawn, pkg)
		}
	}
	for pkg := range drawn {
		t.Errorf("doc/ARCHITECTURE.md draws %s, which stands on no floor", pkg)
	}
}

// TestGoMod checks that go.mod makes users of the library download only the modules that source
// files import, and no tools.
func TestGoMod(t *testing.T) {
	_, directives := readGoMod(t)
	imported := make(map[string]bool) // by module
	for _, files := range modulePackages(t) {
		for _, file := range files {
			for _, p := range fileImports(t, file) {
				module := "" // the longest, as one may be nested in another
				for _, d := range directives {
					if d.verb == "require" && within(d.arg, p) && len(d.arg) > len(module) {
						module = d.arg
					}
				}
				imported[module] = true
			}
		}
	}
	for _, d := range directives {
		switch d.verb {
		case "tool":
			t.Errorf("go.mod names the tool %s: run it as .ci/run does, with go run %[1]s@version", d.arg)
		case "replace":
			t.Errorf("go.mod replaces %s: then nobody can install the command with go install", d.arg)
		case "require":
			if !imported[d.arg] && !d.indirect {
				t.Errorf("go.mod requires %s, which no source file imports: run go mod tidy", d.arg)
			}
			if imported[d.arg] && d.indirect {
				t.Errorf("go.mod says that %s is required indirectly, but source files import it: run go mod tidy", d.arg)
			}
		}
	}
}

// A directive is one line of go.mod, cut to what the tests ask about.
type directive struct {
	verb, arg string // such as "require" and the path of a module
	indirect  bool
}

// readGoMod returns the path of the module and the directives of its go.mod.
func readGoMod(t *testing.T) (module string, directives []directive) {
	t.Helper()
	data, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	block := ""
	for line := range strings.Lines(string(data)) {
		code, comment, _ := strings.Cut(line, "//")
		words := strings.Fields(code)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = slices.Insert(words, 0, block)
		}
		if len(words) < 2 {
			t.Fatalf("go.mod: cannot read %q", line)
		}
		d := directive{words[0], words[1], strings.TrimSpace(comment) == "indirect"}
		if d.verb == "module" {
			module = d.arg
		}
		directives = append(directives, d)
	}
	return module, directives
}

// modulePackages returns the Go files of each package of this module, by folder. It leaves out
// nested modules, such as oracle.
func modulePackages(t *testing.T) map[string][]string {
	t.Helper()
	files := repositoryFiles(t)
	var nested []string
	for _, file := range files {
		if dir, name := path.Split(file); name == "go.mod" && dir != "" {
			nested = append(nested, dir)
		}
	}
	packages := make(map[string][]string)
	for _, file := range files {
		inNested := func(dir string) bool { return strings.HasPrefix(file, dir) }
		if path.Ext(file) == ".go" && !slices.ContainsFunc(nested, inNested) {
			packages[path.Dir(file)] = append(packages[path.Dir(file)], file)
		}
	}
	return packages
}

// fileImports returns the imports of a source file.
func fileImports(t *testing.T, file string) (paths []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		paths = append(paths, p)
	}
	return paths
}

// thirdParty reports whether an import path is of another module: its first element has a dot,
// unlike those of the standard library.
func thirdParty(p string) bool {
	host, _, _ := strings.Cut(p, "/")
	return host != "." && strings.Contains(host, ".")
}

// within reports whether an import path is root or below it.
func within(root, p string) bool {
	return p == root || strings.HasPrefix(p, root+"/")
}

// withinModule returns the folder of a package of the module, "." for the root.
func withinModule(module, p string) (folder string, ok bool) {
	if p == module {
		return ".", true
	}
	return strings.CutPrefix(p, module+"/")
}
