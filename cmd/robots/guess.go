package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A guess is a verb that people type because other tools have it, and a suggestion a command line
// to type instead.
type (
	guess struct {
		word    string
		instead []suggestion
	}
	suggestion struct {
		verb     []string // with flags
		fallback []string // the arguments if there are none
		fixed    bool     // the arguments are those of fallback always
		also     string   // the second argument if there is only one, or ""
		sites    bool     // the arguments are files and origins only: neither robots nor paths of URLs
		others   bool     // the arguments are other files than robots.txt, which takes its place in the verb
		named    string   // the flag before each argument that names a robot, or ""
		changes  bool     // the arguments are robots, and paths go to build
		robots   bool     // the arguments are robots alone
		logs     bool     // it reads logs: neither sites nor robots are arguments
		does     string
		says     string // what to do in place of a command line, or ""
	}
)

// The suggestions that several words have.
var (
	toCard  = suggestion{fallback: theFile, sites: true, does: "prints a report card"}
	toLint  = suggestion{verb: []string{"lint"}, fallback: theFile, sites: true, does: "finds mistakes"}
	toMatch = suggestion{verb: []string{"match"}, fallback: theFile, also: "/x", named: "--agent",
		does: "asks about a URL"}
	toAudit = suggestion{verb: []string{"audit", "--robots", "robots.txt"}, fallback: []string{"access.log"},
		others: true, logs: true, does: "shows which robots visited, and whether they obeyed"}
	toAgents = suggestion{verb: []string{"agents"}, fixed: true, does: "lists the robots that are known"}
	toAgent  = suggestion{verb: []string{"agents"}, fallback: []string{"GPTBot"}, robots: true,
		does: "shows what is known of a robot"}
	toBlock = suggestion{verb: []string{"block"}, fallback: []string{"ai-train"}, changes: true,
		does: "closes a site to robots"}
	toAllow = suggestion{verb: []string{"allow"}, fallback: []string{"ai-train"}, changes: true,
		does: "opens a site to robots"}
	toVerify = suggestion{verb: []string{"agents", "verify"}, fallback: []string{"66.249.66.1"}, named: "--agent",
		does: "verifies that an address is that of a robot"}
	toMinimize = suggestion{verb: []string{"minimize"}, fallback: theFile, sites: true,
		does: "leaves out lines without an effect"}
	toGuard = suggestion{verb: []string{"guard"}, fixed: true, does: "enforces robots.txt before a web server"}
	toDiff  = suggestion{verb: []string{"diff"}, fallback: []string{"example.com"}, also: "robots.txt", sites: true,
		does: "shows what a change closes and opens"}
	toVisits = suggestion{verb: []string{"audit"}, fallback: []string{"access.log"}, others: true, logs: true,
		does: "shows which robots visited"}
	toSitemaps = suggestion{verb: []string{"lint", "--sitemaps"}, fallback: []string{"example.com"}, sites: true,
		does: "checks the sitemaps of a site"}
	toExport = exportTo("nginx")
	toApache = exportTo("apache")
	toPage   = suggestion{verb: []string{"page"}, fallback: []string{"https://example.com/"}, others: true,
		does: "shows whether a page may be indexed"}
	toCreate = suggestion{verb: []string{"block"}, fallback: []string{"ai-train"}, changes: true,
		does: "closes a site to robots, and creates robots.txt if there is none"}
	toHistory = suggestion{verb: []string{"fetch", "--history", "--cache", "FOLDER"}, fallback: []string{"example.com"},
		sites: true, does: "shows the versions that 'robots fetch --cache FOLDER' kept"}
	toBuild = suggestion{verb: []string{"build"}, fallback: []string{"robots.d"}, does: "joins files to a robots.txt"}
	toClaim = suggestion{verb: []string{"prove", "--claim", "GPTBot may not fetch /"}, fallback: theFile, fixed: true,
		does: "proves claims about robots.txt"}
	toDelay = suggestion{
		says: "write the line 'Crawl-delay: 10' below the User-agent line of the robots that it is for"}
	toRecords = suggestion{verb: []string{"match", "--records"}, fallback: theFile, named: "--agent",
		does: "shows the Crawl-delay that a robot reads"}
	toFetch = suggestion{verb: []string{"fetch"}, fallback: []string{"example.com"}, sites: true,
		does: "fetches the robots.txt of a site"}
	toCrawl = suggestion{verb: []string{"crawl", "--user-agent", "NAME/1.0 (+https://...)"},
		fallback: []string{"https://example.com/"}, sites: true, does: "fetches the pages of a site"}
	toSearch = suggestion{verb: []string{"search"}, fallback: []string{"WORD"}, fixed: true,
		does: "searches the pages of a crawl"}
	toFind  = suggestion{verb: toSearch.verb, fallback: toSearch.fallback, does: toSearch.does}
	toFirst = suggestion{verb: toCreate.verb, fallback: toCreate.fallback, fixed: true, does: toCreate.does}
	toLive  = suggestion{verb: toDiff.verb, fallback: []string{"example.com", "robots.txt"}, fixed: true,
		does: toDiff.does}
	toForged = suggestion{verb: []string{"audit", "--verify"}, fallback: []string{"access.log"}, others: true,
		logs: true, does: "shows which robots are not who they claim to be"}
	toFollow = suggestion{verb: []string{"audit", "--follow", "--robots", "robots.txt"},
		fallback: []string{"access.log"}, others: true, logs: true,
		does: "prints violations as they are logged, as fail2ban reads them"}
	toLetter = suggestion{verb: []string{"audit", "--robots", "robots.txt", "--incident", "GPTBot"},
		fallback: []string{"access.log"}, fixed: true, does: "writes a letter to the operator of a robot"}
	toHook = suggestion{says: "doc/tutorial.md in the repository, https://github.com/robotsexclusion/robots, has the " +
		"lines for pre-commit"}
	toFormat  = suggestion{verb: []string{"fmt", "--write"}, fallback: theFile, does: "formats a file"}
	toCaddy   = exportTo("caddy")
	toHAProxy = exportTo("haproxy")
	toVarnish = exportTo("varnish")
	toMonitor = suggestion{verb: []string{"monitor"}, fallback: []string{"example.com"}, sites: true,
		does: "watches the robots.txt of sites"}
	toTestweb = suggestion{verb: []string{"testweb", "--", "COMMAND"}, fixed: true, does: "tests how polite a robot is"}
	toEdit    = suggestion{says: "robots.txt is a text file: write other lines into it with an editor, and " +
		"'robots lint' checks them"}
	toPublish = suggestion{says: "robots changes files only: publish robots.txt as the other files of the site, so " +
		"that it is at /robots.txt"}
	toUndo    = suggestion{says: "robots keeps no older files: git or a backup has them"}
	toInstall = suggestion{says: "doc/install.md in the repository, " +
		"https://github.com/robotsexclusion/robots, says how to install and update the programs"}
	theFile = []string{"robots.txt"}
)

// exportTo returns the suggestion to write the configuration of a web server.
func exportTo(server string) suggestion {
	return suggestion{verb: []string{"export", server, "--out", server}, fallback: theFile, sites: true,
		does: "writes the configuration of a web server that enforces robots.txt"}
}

// guesses has the words that people type, and where each leads. None of them runs: the reader of a
// script would not find it in help.
var guesses = []guess{
	{"check", []suggestion{toLint, toMatch}},
	{"validate", []suggestion{toLint, toMatch}},
	{"scan", []suggestion{toLint, toSitemaps, toVisits}},
	{"sitemap", []suggestion{toSitemaps}},
	{"sitemaps", []suggestion{toSitemaps}},
	{"test", []suggestion{toMatch, toLint, {verb: []string{"testweb"}, fixed: true, does: "tests a whole robot"}}},
	{"allowed", []suggestion{toMatch}},
	{"can", []suggestion{toMatch}},
	{"why", []suggestion{{verb: []string{"match", "--why"}, fallback: theFile, also: "/x", named: "--agent",
		does: "shows all rules that match a URL, and why they win or lose"}}},
	{"fix", []suggestion{{verb: []string{"lint", "--fix"}, fallback: theFile, sites: true, does: "makes safe fixes"}}},
	{"ai", []suggestion{
		{verb: []string{"match", "--agent", "ai-train"}, fallback: theFile, also: "/",
			does: "asks about the robots that fetch for training"},
		toBlock,
		{verb: []string{"agents", "--purpose", "ai-train"}, fixed: true, does: "lists these robots"},
	}},
	{"unblock", []suggestion{toAllow}},
	{"open", []suggestion{toAllow}},
	{"close", []suggestion{toBlock}},
	{"ban", []suggestion{toBlock}},
	{"deny", []suggestion{toBlock}},
	{"disallow", []suggestion{toBlock}},
	{"compare", []suggestion{toDiff}},
	{"show", []suggestion{toCard}},
	{"who", []suggestion{toVisits, toAgent}},
	{"visitors", []suggestion{toVisits}},
	{"format", []suggestion{toFormat}},
	{"bots", []suggestion{toAgents, toAudit}},
	{"logs", []suggestion{toAudit}},
	{"report", []suggestion{toCard, toAudit, toLint}},
	{"convert", []suggestion{toExport}},
	{"nginx", []suggestion{toExport}},
	{"apache", []suggestion{toApache}},
	{"htaccess", []suggestion{toApache}},
	{"enforce", []suggestion{toGuard, toExport}},
	{"protect", []suggestion{toGuard, toExport, toBlock}},
	{"is", []suggestion{toMatch, toAgent}},
	{"list", []suggestion{toAgents}},
	{"log", []suggestion{toAudit}},
	{"ip", []suggestion{toVerify}},
	{"watch", []suggestion{toMonitor}},
	{"proxy", []suggestion{toGuard}},
	{"merge", []suggestion{toBuild}},
	{"init", []suggestion{toCreate}},
	{"new", []suggestion{toCreate}},
	{"create", []suggestion{toCreate}},
	{"generate", []suggestion{toCreate}},
	{"bot", []suggestion{toAgent}},
	{"get", []suggestion{toFetch}},
	{"whois", []suggestion{toAgent, toVerify}},
	{"lookup", []suggestion{toAgent, toVerify}},
	{"stop", []suggestion{toBlock}},
	{"forbid", []suggestion{toBlock}},
	{"remove", []suggestion{toBlock, toAllow, toMinimize}},
	{"stats", []suggestion{toVisits}},
	{"analyze", []suggestion{toLint, toAudit}},
	{"minify", []suggestion{toMinimize}},
	{"limit", []suggestion{toBlock, toGuard}},
	{"slow", []suggestion{toGuard}},
	{"throttle", []suggestion{toGuard}},
	{"crawl-delay", []suggestion{toDelay, toRecords, toGuard}},
	{"rules", []suggestion{toCard, toMatch}},
	{"explain", []suggestion{toCard, toMatch, {verb: []string{"lint", "--explain"}, fixed: true,
		does: "explains the checks"}}},
	{"what", []suggestion{toCard, toMatch}},
	{"blocked", []suggestion{toMatch, toCard}},
	{"seo", []suggestion{{verb: []string{"lint", "--profile", "seo"}, fallback: theFile, sites: true,
		does: "finds what matters for being found"}, toPage}},
	{"indexable", []suggestion{toPage}},
	{"indexed", []suggestion{toPage}},
	{"add", []suggestion{toFirst, toEdit}},
	{"set", []suggestion{toFirst, toEdit}},
	{"edit", []suggestion{toFirst, toEdit}},
	{"deploy", []suggestion{toPublish, toLive}},
	{"publish", []suggestion{toPublish, toLive}},
	{"upload", []suggestion{toPublish, toLive}},
	{"undo", []suggestion{toUndo, toAllow}},
	{"revert", []suggestion{toUndo, toAllow}},
	{"restore", []suggestion{toUndo, toHistory}},
	{"spider", []suggestion{toCrawl}},
	{"scrape", []suggestion{toCrawl}},
	{"download", []suggestion{toFetch, toCrawl}},
	{"find", []suggestion{toFind, toAgent}},
	{"grep", []suggestion{toFind}},
	{"info", []suggestion{toAgent, toCard}},
	{"user-agent", []suggestion{toAgent}},
	{"contact", []suggestion{toAgent}},
	{"real", []suggestion{toVerify}},
	{"dns", []suggestion{toVerify}},
	{"fake", []suggestion{toForged}},
	{"forged", []suggestion{toForged}},
	{"spoofed", []suggestion{toForged}},
	{"tail", []suggestion{toFollow}},
	{"live", []suggestion{toFollow}},
	{"follow", []suggestion{toFollow}},
	{"hook", []suggestion{toHook}},
	{"pre-commit", []suggestion{toHook}},
	{"sort", []suggestion{toFormat}},
	{"clean", []suggestion{toMinimize, toFormat}},
	{"dedupe", []suggestion{toMinimize}},
	{"simplify", []suggestion{toMinimize}},
	{"join", []suggestion{toBuild}},
	{"cat", []suggestion{toBuild}},
	{"letter", []suggestion{toLetter}},
	{"complain", []suggestion{toLetter}},
	{"abuse", []suggestion{toLetter}},
	{"fail2ban", []suggestion{toFollow, toExport}},
	{"waf", []suggestion{toGuard, toExport}},
	{"cloudflare", []suggestion{toGuard}},
	{"traefik", []suggestion{toGuard}},
	{"iis", []suggestion{toGuard}},
	{"caddy", []suggestion{toCaddy}},
	{"haproxy", []suggestion{toHAProxy}},
	{"varnish", []suggestion{toVarnish}},
	{"alert", []suggestion{toMonitor}},
	{"notify", []suggestion{toMonitor}},
	{"testbot", []suggestion{toTestweb}},
	{"polite", []suggestion{toTestweb}},
	{"update", []suggestion{toInstall}},
	{"upgrade", []suggestion{toInstall}},
	{"install", []suggestion{toInstall}},
	{"delay", []suggestion{toDelay, toRecords, toGuard}},
	{"noindex", []suggestion{toPage}},
	{"history", []suggestion{toHistory}},
	{"when", []suggestion{toHistory}},
	{"changes", []suggestion{toDiff}},
	{"does", []suggestion{toMatch, toAgent}},
	{"may", []suggestion{toMatch}},
	{"optout", []suggestion{toBlock}},
	{"opt-out", []suggestion{toBlock}},
	{"claim", []suggestion{toClaim}},
	{"assert", []suggestion{toClaim}},
	{"ci", []suggestion{{verb: []string{"lint", "--format", "github"}, fallback: theFile, sites: true,
		does: "finds mistakes, for a step of GitHub Actions"}}},
	{"index", []suggestion{
		toPage,
		toSearch,
	}},
	{"verify", []suggestion{
		toVerify,
		{verb: []string{"prove", "--claims", "robots.claims"}, fallback: theFile, fixed: true,
			does: "proves claims about robots.txt"},
	}},
}

// guessed returns a hidden verb for each guess, which says what to type instead. Hidden verbs are
// neither in help nor completed.
func guessed() (verbs []*cobra.Command) {
	for _, g := range guesses {
		verbs = append(verbs, &cobra.Command{
			Use:                g.word,
			Hidden:             true,
			DisableFlagParsing: true, // the flags are those of another verb
			ValidArgsFunction:  cobra.NoFileCompletions,
			RunE: func(cmd *cobra.Command, args []string) error {
				says := ""
				var texts []string
				for _, s := range fitting(g.instead, args) {
					if s.says != "" {
						says = s.says + "; "
						continue
					}
					texts = append(texts, "'"+commandLine(s.line(cmd.Root(), args))+"' "+s.does)
				}
				if texts == nil {
					says = strings.TrimSuffix(says, "; ")
				}
				return cli.Misusef("there is no verb %q: %s%s", g.word, says, strings.Join(texts, ", "))
			},
		})
	}
	return verbs
}

// fitting returns the suggestions without those that take a robots.txt or a site alone if an
// argument is the name of a log, and without those that take logs if an argument is a site, unless
// there are no others.
func fitting(all []suggestion, args []string) []suggestion {
	unfit := func(suggestion) bool { return false }
	switch {
	case slices.ContainsFunc(args, isLogName):
		unfit = func(s suggestion) bool { return s.sites }
	case slices.ContainsFunc(args, isSitemapName) && slices.ContainsFunc(all, func(s suggestion) bool {
		return slices.Equal(s.verb, toLint.verb)
	}):
		return []suggestion{toSitemaps}
	case slices.ContainsFunc(args, isSite):
		unfit = func(s suggestion) bool { return s.logs }
	}
	if left := slices.DeleteFunc(slices.Clone(all), unfit); len(left) > 0 {
		return left
	}
	return all
}

// isLogName reports whether a name is that of a log, such as access.log.1.gz.
func isLogName(name string) bool {
	base := path.Base(filepath.ToSlash(name))
	return strings.Contains(base, ".log") || strings.HasSuffix(base, "_log")
}

// isSitemapName reports whether a name is that of the file of a sitemap.
func isSitemapName(name string) bool {
	return !strings.Contains(name, "://") && strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ".xml")
}

// isSite reports whether an argument names a site.
func isSite(arg string) bool {
	_, ok := origin(arg)
	return ok
}

// fillers are words of a sentence that are not operands, as in "is GPTBot allowed to read /a".
var fillers = strings.Fields("a allowed an and are at be blocked by can closed crawl crawled do does fetch " +
	"for from in index is it may my of on open please read site that the this to " +
	"visit visited visits what which who with")

// withoutFillers returns operands without words that are none, unless a file has the name.
func withoutFillers(operands []string) []string {
	return slices.DeleteFunc(slices.Clone(operands), func(word string) bool {
		_, err := os.Stat(word)
		return err != nil && slices.Contains(fillers, strings.ToLower(word))
	})
}

// isURLPath reports whether an argument is the path of a URL, and no file.
func isURLPath(arg string) bool {
	_, err := os.Stat(arg)
	return asked.IsPath(arg) && !userfile.IsFile(arg) && (err != nil || arg == "/")
}

// changeLine returns the command line that blocks or allows robots, in all of the site or in some
// of its paths.
func changeLine(verb string, operands []string) []string {
	var robots, paths, files []string
	for _, operand := range operands {
		switch {
		case isURLPath(operand):
			paths = append(paths, operand)
		case operand == stdin || userfile.IsFile(operand) || strings.ContainsAny(operand, "./:"):
			files = append(files, operand)
		default:
			robots = append(robots, plainer(operand))
		}
	}
	switch {
	case len(robots) > 0:
	case len(paths) > 0:
		robots = []string{"*"} // a part of the site is closed to everyone
	default:
		robots = []string{"ai-train"}
	}
	if len(paths) == 0 {
		if len(files) > 0 {
			robots = slices.Concat([]string{"--file", files[0]}, robots)
		}
		return slices.Concat([]string{"robots", verb}, robots)
	}
	line := []string{"robots", "build"}
	for _, robot := range robots {
		for _, path := range paths {
			line = append(line, "--"+verb, robot+"="+path)
		}
	}
	if len(files) == 0 {
		files = theFile
	}
	return append(line, files[0])
}

// plainer returns the first purpose, or "*", that a word of people for many robots means, or the
// word.
func plainer(word string) string {
	_, err := (*agent.Table)(nil).Resolve(word)
	if nobody := (*agent.UnknownError)(nil); errors.As(err, &nobody) {
		first, _, _ := strings.Cut(nobody.Meant, ", ")
		if _, ok := agent.ParsePurpose(first); ok || first == "*" {
			return first
		}
	}
	return word
}

// line returns the words of the command line to type in place of a guess with arguments. Flags that
// the verb does not have are left out.
func (s suggestion) line(root *cobra.Command, args []string) []string {
	line := append([]string{root.Name()}, s.verb...)
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		words := slices.IndexFunc(s.verb, func(word string) bool { return strings.HasPrefix(word, "-") })
		if words < 0 {
			words = len(s.verb)
		}
		return append(line[:1+words], "--help")
	}
	var flags, operands []string
	if !s.fixed {
		flags, operands = s.split(root, args)
		operands = withoutFillers(operands)
	}
	if i := slices.IndexFunc(operands, isSitemapName); i >= 0 && slices.Equal(s.verb, toSitemaps.verb) {
		return slices.Concat([]string{root.Name(), "lint", "--sitemap", operands[i]}, theFile)
	}
	if s.changes {
		line := changeLine(s.verb[0], operands)
		if line[1] != s.verb[0] { // whose flags they are
			return line
		}
		return slices.Concat(line[:2], flags, line[2:])
	}
	var files []string
	for _, operand := range operands {
		switch {
		case s.sites && operand != stdin && (!strings.ContainsAny(operand, ".:") || isURLPath(operand)):
		case s.robots && strings.ContainsAny(operand, "./:*"):
		case s.named != "" && strings.Trim(operand, "0123456789") == "": // seconds
		case s.logs && isRobot(operand):
		case s.named != "" && operand != stdin && !strings.ContainsAny(operand, "./:*"):
			flags = append(flags, s.named, plainer(operand))
		case s.others && path.Base(operand) == "robots.txt":
			if i := slices.Index(line, "robots.txt"); i >= 0 {
				line[i] = operand
			}
		default:
			files = append(files, operand)
		}
	}
	if strings.HasPrefix(s.also, "/") && len(files) == 1 {
		files = askedAbout(files[0])
	}
	if len(files) == 0 {
		files = s.fallback
	}
	if len(files) == 1 && s.also != "" {
		files = append(slices.Clone(files), s.also)
	}
	return slices.Concat(line, flags, files)
}

// askedAbout returns the file or site of an argument, and its path if the argument is a path or a
// URL with one.
func askedAbout(arg string) []string {
	if strings.HasSuffix(arg, ".txt") {
		return []string{arg}
	}
	if strings.HasPrefix(arg, "/") {
		return append(slices.Clone(theFile), arg)
	}
	if scheme, rest, ok := strings.Cut(arg, "://"); ok {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			return []string{scheme + "://" + rest[:i], rest[i:]}
		}
	}
	return []string{arg}
}

// split splits arguments into flags, with their values, and operands, as the verb reads them. Flags
// that the verb does not have are left out.
func (s suggestion) split(root *cobra.Command, args []string) (flags, operands []string) {
	verb, _, err := root.Find(s.verb)
	if err != nil {
		return nil, args
	}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return flags, append(operands, args[i+1:]...)
		}
		name, _, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if arg == stdin || !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
			continue
		}
		flag := flagOf(verb, arg, name)
		words := args[i : i+1]
		for _, other := range append([]*cobra.Command{verb}, root.Commands()...) { // to know whether a value follows
			if known := flagOf(other, arg, name); known != nil {
				if !joined && known.NoOptDefVal == "" && i+1 < len(args) {
					words = args[i : i+2]
				}
				break
			}
		}
		if i += len(words) - 1; flag != nil {
			flags = append(flags, words...)
		}
	}
	return flags, operands
}

// flagOf returns the flag of a verb that an argument with a name gives, or nil.
func flagOf(verb *cobra.Command, arg, name string) *pflag.Flag {
	switch {
	case strings.HasPrefix(arg, "--"):
		return verb.Flag(name)
	case len(name) == 1:
		return verb.Flags().ShorthandLookup(name)
	}
	return nil
}

// commandLine returns words as they are typed in a shell.
func commandLine(words []string) string {
	var quoted []string
	for _, word := range words {
		if word == "" || strings.ContainsAny(word, " \t\n*?[]{}()<>|&;'\"\\$`!#~") {
			word = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(word) + `"`
		}
		quoted = append(quoted, word)
	}
	return strings.Join(quoted, " ")
}
