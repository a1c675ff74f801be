package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// newAgents returns the verb that tells who robots are.
func newAgents() *cobra.Command {
	var l agentLister
	cmd := &cobra.Command{
		Use:   "agents [flags] [NAME|HEADER]…",
		Short: "tell who robots are, and what they obey",
		Long: fmt.Sprintf(`Agents lists the robots of the web that this program knows (%s): their
product tokens, for robots.txt, who runs them, and what for.

A product token, such as Googlebot-Image, or the text of a User-Agent header is
told in full: which groups of robots.txt the robot obeys, what it takes
Crawl-delay for, how its addresses can be verified, and where its operator says
so. Any other word is looked for in tokens, names and operators.

The exit status is 0 if all were found, and 1 if one was not: a header of a robot
that is not known is described by the words in it.

--robots-table adds robots of your own, as other verbs do that know robots, from a
file such as

  {
    "robots": [
      {"token": "ExampleBot", "operator": "Example Inc.", "purposes": ["search"]},
      {"token": "ExampleBot-Image", "match": ["ExampleBot-Image", "Example Images"],
       "fallback": ["ExampleBot"], "robots_txt": "yes"}
    ]
  }

An entry with the token of a known robot takes its place, and "replace": true,
beside "robots", leaves out all others.`, agent.Version),
		Example: `  robots agents --purpose ai-train
  robots agents GPTBot
  robots agents 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'
  robots agents google
  robots agents verify 192.0.2.7 --agent Googlebot`,
		ValidArgsFunction: completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			return l.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	l.table.add(cmd)
	flags.StringArrayVar(&l.purposes, "purpose", nil, "only those that read pages for `purpose`: "+strings.Join(purposeNames(), ", ")+"; repeat it for more")
	flags.BoolVar(&l.json, "json", false, "print a JSON object")
	complete(cmd, "purpose", purposeNames())
	cmd.AddCommand(newVerify())
	return cmd
}

// An agentLister is the command line of agents, and does what it says.
type agentLister struct {
	purposes []string
	json     bool
	table    tableFlag
}

func (l *agentLister) run(cmd *cobra.Command, args []string) error {
	var purposes agent.Purpose
	for _, name := range l.purposes {
		p, ok := agent.ParsePurpose(name)
		if !ok {
			return misusef("unknown purpose %q: the purposes are %s", name, strings.Join(purposeNames(), ", "))
		}
		purposes |= p
	}
	known, err := l.table.read(cmd)
	if err != nil {
		return err
	}
	var found []agent.Agent
	var nobody []string
	full, missing := false, false
	if len(args) == 0 {
		found = slices.Collect(known.All())
	}
	for _, arg := range args {
		if strings.TrimSpace(arg) == "" {
			return misusef("a name is empty: give one, such as Googlebot, or none to list all")
		}
		if a, ok := who(known, arg); ok {
			full = true
			missing = missing || !a.Known()
			found = append(found, a)
			continue
		}
		matches := searchAgents(known, arg)
		if len(matches) == 0 {
			nobody = append(nobody, shown(arg))
		}
		found = append(found, matches...)
	}
	if purposes != 0 {
		found = slices.DeleteFunc(found, func(a agent.Agent) bool { return !a.Purposes.Has(purposes) })
		missing = missing || len(args) > 0 && len(found) == 0
	}
	missing = missing || len(nobody) > 0
	out := bufio.NewWriter(cmd.OutOrStdout())
	switch {
	case l.json:
		writeAgentsJSON(out, known.Version(), found)
	case full:
		for i, a := range found {
			if i > 0 {
				out.WriteByte('\n')
			}
			writeAgent(out, a)
		}
	default:
		t := &table{w: out, color: colored(cmd.OutOrStdout())}
		for _, a := range found {
			t.add([]cell{{printable.Text(a.Token), bold}, {text: a.Operator}, {text: a.Purposes.String()}, {text: obedience(a)}})
		}
		t.flush()
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("cannot write the robots: %w", cause(err))
	}
	switch {
	case len(nobody) > 0:
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: no robot is known by %s: 'robots agents' lists them\n", strings.Join(nobody, " or "))
	case missing && len(found) == 0:
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s: not for the purpose %v\n", shown(strings.Join(args, ", ")), purposes)
	}
	if missing {
		return errNo
	}
	return nil
}

// who returns the agent that an argument names or that sends it as a header; ok
// is false for a word to look for.
func who(table *agent.Table, arg string) (a agent.Agent, ok bool) {
	if a = table.Named(arg); a.Known() && !agent.IsHeader(arg) {
		return a, true
	}
	if agent.IsHeader(arg) || strings.ContainsRune(arg, '/') {
		return table.Lookup(arg), true
	}
	return a, false
}

// searchAgents returns the agents that have a text in their token, name or
// operator.
func searchAgents(table *agent.Table, text string) (found []agent.Agent) {
	text = strings.ToLower(text)
	for a := range table.All() {
		if strings.Contains(strings.ToLower(a.Token+"\n"+a.Name+"\n"+a.Operator), text) {
			found = append(found, a)
		}
	}
	return found
}

// obedience returns in a few words what robots.txt is to an agent.
func obedience(a agent.Agent) string {
	switch a.Obedience() {
	case agent.Obeys:
		if !a.Everyone() {
			return "obeys robots.txt, but not *"
		}
		return "obeys robots.txt"
	case agent.Partly:
		return "obeys robots.txt in part"
	case agent.Ignores:
		return "ignores robots.txt"
	}
	if a.PolicyOnly() {
		return "only a name in robots.txt"
	}
	return ""
}

// writeAgent writes all that is known of an agent.
func writeAgent(w io.Writer, a agent.Agent) {
	line := func(title, text string) {
		if text != "" {
			fmt.Fprintf(w, "    %-11s  %s\n", title, text)
		}
	}
	name := shown(a.Token)
	if a.Token == "" {
		name = "no name"
	}
	fmt.Fprintln(w, name)
	if a.Name != a.Token {
		line("name", a.Name)
	}
	kind := a.Kind.String()
	if a.PolicyOnly() {
		kind = "only a name in robots.txt: it says what another robot may do with what it fetches"
	} else if a.Reason != agent.Listed && a.Word != "" {
		kind += ", by " + a.Why()
	}
	line("kind", kind)
	if !a.Known() {
		line("known", "no: the table does not have it")
	}
	line("operator", a.Operator)
	line("purposes", a.Purposes.String())
	r := robot{tokens: a.Tokens(), only: !a.Everyone()}
	if len(r.tokens) > 0 {
		groups := strings.Join(r.obeys(), ", then ")
		if r.only {
			groups += ", but not *"
		}
		line("groups", printable.Text(groups))
	}
	if a.Known() {
		line("robots.txt", a.Obedience().String())
		line("crawl-delay", crawlDelay(a.CrawlDelay()))
		line("META names", strings.Join(append([]string{"robots"}, a.Meta()...), ", "))
		recipe := a.Recipe()
		line("ranges", strings.Join(recipe.Ranges, " "))
		line("DNS", strings.Join(recipe.DNS, " "))
		line("documented", a.Docs())
		line("checked", a.Checked())
	}
}

func crawlDelay(d agent.Delay) string {
	switch d {
	case agent.DelayIgnored:
		return "ignored"
	case agent.DelayPause:
		return "seconds between two requests"
	case agent.DelayRate:
		return "seconds in which it makes one request at most"
	}
	return d.String()
}

func writeAgentsJSON(w *bufio.Writer, version string, found []agent.Agent) {
	w.Write(appendJSON([]byte(`{"version": `), version))
	w.WriteString(`, "agents": [`)
	for i, a := range found {
		if i > 0 {
			w.WriteByte(',')
		}
		w.WriteString("\n  ")
		w.Write(printable.JSON(appendJSON(nil, a)))
	}
	if len(found) > 0 {
		w.WriteByte('\n')
	}
	w.WriteString("]}\n")
}

func purposeNames() (names []string) {
	for p := range agent.Purposes() {
		names = append(names, p.String())
	}
	return names
}

// completeAgents completes product tokens.
func completeAgents(_ *cobra.Command, _ []string, _ string) (tokens []string, _ cobra.ShellCompDirective) {
	for a := range agent.All() {
		tokens = append(tokens, a.Token)
	}
	return tokens, cobra.ShellCompDirectiveNoFileComp
}
