package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/card"
	"github.com/robotsexclusion/robots/internal/card/answered"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newCarder returns the report card of the root command, to which it adds the flags.
func newCarder(root *cobra.Command) *carder {
	c := &carder{}
	flags := root.Flags()
	c.table.add(root)
	flags.BoolVar(&c.json, "json", false, "print a JSON object")
	c.addFlags(flags)
	c.lang.Add(root)
	// The card knows all robots. The flag is there so that an error can say what takes it.
	flags.StringArrayVarP(&c.agents, "agent", "a", nil, "")
	flags.MarkHidden("agent")
	return c
}

// answer lets the root command print a report card for a file, a folder or a site, and without an
// argument for the project in the current folder.
func (c *carder) answer(root *cobra.Command) *cobra.Command {
	unknown, lost := root.Args, root.RunE
	explainRobots(root)
	texts := same(textCardAI, "ai ai-train block-ai purpose")
	maps.Copy(texts, same(textCardFile, "file robots url site input"))
	explainFlags(root, texts)
	root.Args = func(cmd *cobra.Command, args []string) error { return c.check(cmd, args, unknown) }
	root.ValidArgsFunction = func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 0 {
			return nil, cobra.ShellCompDirectiveDefault // files, beside the verbs
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("version") {
			return lost(cmd, args)
		}
		if len(args) > 0 {
			return cli.RunInterruptible(cmd, args, c.run)
		}
		found, err := filesOfSettings()
		if err != nil {
			return err
		}
		if len(found) == 0 {
			found = projectFiles(".")
		}
		if len(found) == 0 {
			fmt.Fprintln(cmd.ErrOrStderr(), textNoFileHere.In(c.lang.Language()))
			return lost(cmd, args)
		}
		return c.file(cmd, found)
	}
	return root
}

var (
	textNoFileHere = language.New(
		"There is no robots.txt here, nor in public/ and other usual folders: 'robots FILE' or 'robots example.com' prints a report card.")
	textWholeSite = language.New("a report card covers the whole site: '%[1]s' asks about the URL")
	textAlsoHere  = language.New("there is another robots.txt: %[1]s")
)

// A carder has the flags of the report card, and prints it.
type carder struct {
	network
	table tableFlag
	json  bool
	lang  cli.LanguageFlag

	agents []string // which match takes
}

// check checks the arguments. A word that is neither a file nor a host is a verb that does not
// exist.
func (c *carder) check(cmd *cobra.Command, args []string, unknown cobra.PositionalArgs) error {
	if len(c.agents) > 0 {
		return cli.Misusef("a report card is about all robots: to ask about one, write '%s'",
			matchLine(args, givenFlags(cmd)...))
	}
	if len(args) == 0 {
		for _, name := range networkFlags {
			if cmd.Flags().Changed(name) {
				return cli.Misusef("--%s is for asking servers: name a site, such as example.com", name)
			}
		}
		return nil
	}
	_, isSite := origin(args[0])
	_, err := os.Stat(args[0])
	isFile := args[0] == stdin || err == nil || userfile.IsFile(args[0]) || strings.ContainsAny(args[0], `/\`)
	switch {
	case !isSite && isRobot(args[0]):
		return robotVerb(args)
	case !isSite && !isFile:
		return unknown(cmd, args)
	case args[0] != "/" && isURLPath(args[0]) && !strings.HasSuffix(args[0], ".txt"):
		return cli.Misusef("there is no file %s: if it is a path of the site, '%s' asks about it", shown(args[0]),
			matchLine(args, givenFlags(cmd)...))
	case slices.ContainsFunc(args[1:], isRobot):
		return cli.Misusef("a report card is about one file or site: to ask about a robot, write '%s'", matchLine(args))
	case len(args) > 1:
		return cli.Misusef("unexpected argument %q: a report card is about one file or site; "+
			"to ask about URLs, write %q", args[1], commandLine(append([]string{"robots", "match"}, args...)))
	case isSite:
		return c.network.check()
	}
	return c.checkFile(cmd, args[0])
}

// run prints the card of a file, a folder or a site.
func (c *carder) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	name := args[0]
	if site, ok := origin(name); ok {
		if _, rest, _ := strings.Cut(name, "://"); strings.Contains(rest, "/") {
			_, path, _ := strings.Cut(rest, "/")
			if path != "" && path != "robots.txt" && !c.json {
				fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textWholeSite.In(c.lang.Language(),
					shown(commandLine([]string{"robots", "match", name}))))
			}
		}
		return c.site(ctx, cmd, site)
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		found := projectFiles(name)
		if len(found) == 0 {
			return fmt.Errorf("there is no robots.txt in %s, nor in its usual folders such as public: name a file",
				shown(name))
		}
		return c.file(cmd, found)
	}
	return c.file(cmd, []string{name})
}

// file prints the card of the first of some files, and names the others.
func (c *carder) file(cmd *cobra.Command, names []string) error {
	data, err := readAtMost(cmd, names[0], largestLinted, textTooLargeToLint)
	if err != nil {
		return err
	}
	policy := robots.Parse(data)
	if err := checkKind(names[0], data, policy); err != nil {
		return err
	}
	if err := c.print(cmd, policy, card.Options{Subject: names[0]}); err != nil {
		return err
	}
	for _, name := range names[1:] {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textAlsoHere.In(c.lang.Language(), shown(name)))
	}
	return nil
}

// site fetches the robots.txt of an origin, and prints its card. If the server is unreachable, the
// exit status is 1, as that of fetch.
func (c *carder) site(ctx context.Context, cmd *cobra.Command, site string) error {
	site, err := asOrigin(site)
	if err != nil {
		return cli.Misuse(err)
	}
	if err := c.makeCache(); err != nil {
		return err
	}
	r, err := c.ask(ctx, site, largestLinted)
	if err != nil {
		return err
	}
	if err := c.print(cmd, r.Policy, card.Options{Subject: r.Origin, Site: true, Answer: answered.By(r)}); err != nil {
		return err
	}
	if r.State == fetch.Unreachable {
		return cli.ErrNo
	}
	return nil
}

// print prints the card of a policy.
func (c *carder) print(cmd *cobra.Command, p *robots.Policy, o card.Options) (err error) {
	o.Language = c.lang.Language()
	if o.Robots, err = c.table.read(cmd); err != nil {
		return err
	}
	o.Flags = func(command string) []string { return c.repeated(cmd, command) }
	of := card.Make(p, o)
	return cli.Output(cmd, "the report card", c.json, of, func(w io.Writer) {
		say.Card(printerFor(cmd, &c.lang, w, cmd.OutOrStdout()), of)
	})
}

// repeatedFlags are those flags of a card that other programs' verbs have too.
var repeatedFlags = map[string][]string{"monitor": {"user-agent", "allow-private", "lang"}}

// repeated returns the flags of the command line that another command needs as well, to give the
// same answer.
func (c *carder) repeated(cmd *cobra.Command, command string) (words []string) {
	verb, _, _ := strings.Cut(command, " ")
	next, _, err := cmd.Root().Find([]string{verb})
	if err != nil {
		return nil
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		has := next.Flags().Lookup(f.Name) != nil || slices.Contains(repeatedFlags[verb], f.Name)
		switch {
		case f.Name == "json" || !has || f.Name != "lang" && strings.Contains(command, "--explain"):
		case f.Value.Type() == "bool" && f.Value.String() == "true":
			words = append(words, "--"+f.Name)
		default:
			words = append(words, "--"+f.Name, f.Value.String())
		}
	})
	return words
}
