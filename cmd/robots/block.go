package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/inplace"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// helpOnInPlace is a part of the help of the verbs that change a file in its place.
const helpOnInPlace = `
NAME is a purpose, such as ai-train, an operator, such as OpenAI, a robot, by its
product token, a common name, such as claude, or a User-Agent header; or several of
these, with commas between them.

The file is ./robots.txt, or robots.txt in a folder from which frameworks serve it,
such as public/ and static/; --file names another one. The change adds and removes as
few lines as possible, and every other byte stays. A proof for all paths shows that
only these robots get other answers; without it, nothing is written.

Before anything is written, you see what changes: by meaning, as 'robots diff' shows
it, and by lines. On a terminal a question follows; scripts write with --yes.

The exit status is 0 if the file is as asked, 1 if something was to change and was
not written, and 2 for an error.`

// newBlock returns the verb that closes a site to robots.
func newBlock() *cobra.Command {
	var b blocker
	cmd := &cobra.Command{
		Use:   "block [flags] NAME…",
		Short: "close the site to robots, such as ai-train, in its robots.txt",
		Long: `Block closes the whole site to robots, in its robots.txt, and says what that means
and what it costs. 'robots allow' opens it again, and 'robots build --block' closes
parts of it.
` + helpOnInPlace + `

To close search engines --yes is not enough: add --search-engines.`,
		Example: `  robots block ai-train
  robots block ai-train,ai-search --except CCBot
  robots block --file public/robots.txt --yes OpenAI Bytespider
  robots block --check ai-train`,
	}
	b.add(cmd)
	cmd.Flags().BoolVar(&b.search, "search-engines", false, "with --yes: close search engines too")
	explainFlags(cmd, same(textBlockAddress, "ip ips address country range"))
	return cmd
}

// newAllow returns the verb that opens a site to robots again.
func newAllow() *cobra.Command {
	b := blocker{open: true}
	cmd := &cobra.Command{
		Use:   "allow [flags] NAME…",
		Short: "open the site to robots again, in its robots.txt",
		Long: `Allow opens the site to robots to which its robots.txt closes all of it, by name or
by the group for everyone, and says what that means. Rules that close a part of the
site to a robot stay, and so do those for everyone.
` + helpOnInPlace,
		Example: `  robots allow ai-search
  robots allow --yes Googlebot bingbot
  robots allow --file static/robots.txt claude`,
	}
	b.add(cmd)
	return cmd
}

// A blocker has the flags of block and allow, and runs the verbs.
type blocker struct {
	open    bool
	file    string
	except  []string
	yes     bool
	check   bool
	search  bool
	unknown bool
	limit   int
	json    bool
	lang    cli.LanguageFlag
	table   tableFlag
}

func (b *blocker) add(cmd *cobra.Command) {
	cmd.Args = func(cmd *cobra.Command, args []string) error { return b.checkArgs(cmd, args) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return b.run(cmd, args) }
	cmd.ValidArgsFunction = completePurposes
	flags := cmd.Flags()
	flags.StringVarP(&b.file, "file", "f", "",
		"change this `file` (default robots.txt here, in public/, static/ and the like)")
	flags.StringArrayVar(&b.except, "except", nil,
		"but not these `robots`, named in the same way; repeat it for more")
	flags.BoolVarP(&b.yes, "yes", "y", false, "write without asking")
	flags.BoolVar(&b.check, "check", false, "only show what would change")
	flags.BoolVar(&b.unknown, "unknown", false, "accept names of robots that this program does not know")
	flags.IntVar(&b.limit, "limit", 0, "look at no more than `number` cases for all proofs together (default 8192)")
	flags.BoolVar(&b.json, "json", false, "print a JSON object")
	b.lang.Add(cmd)
	b.table.add(cmd)
	completeNames(cmd, "except", completePurposes)
}

// files returns the arguments that name files, as other verbs take them: no robot is named so.
func (b *blocker) files(args []string) (files []string) {
	for _, arg := range args {
		if userfile.IsText(arg) {
			files = append(files, arg)
		} else if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() && strings.ContainsAny(arg, `./\`) {
			files = append(files, arg)
		}
	}
	return files
}

func (b *blocker) checkArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == len(b.files(args)) && len(args) > 0:
		return cli.Misusef("no robot is named: give a purpose such as ai-train, or a robot such as GPTBot, " +
			"beside the file")
	case len(b.files(args)) > 1 || len(b.files(args)) == 1 && b.file != "":
		return cli.Misusef("several files are named: give one, as in 'robots %s --file robots.txt ai-train'",
			cmd.Name())
	case len(args) == 0:
		return cli.Misusef("no robot is named: give a purpose such as ai-train, or a robot such as GPTBot")
	case b.file == stdin:
		return cli.Misusef("--file names a file, which is changed in its place: 'robots build' reads standard input")
	case b.yes && b.check:
		return cli.Misusef("--check does not go with --yes: it writes nothing")
	case b.limit < 0 || b.limit == 0 && cmd.Flags().Changed("limit"):
		return cli.Misusef("--limit is %d: name a number above 0", b.limit)
	}
	var file []string
	if b.file != "" {
		file = []string{b.file}
	}
	if i := slices.IndexFunc(args, isURLPath); i >= 0 {
		return cli.Misusef("%s is a part of the site, not a robot: '%s' is for parts", shown(args[i]),
			commandLine(changeLine(cmd.Name(), slices.Concat(args, file))))
	}
	for _, arg := range args {
		if _, err := netip.ParseAddr(arg); err == nil {
			return cli.Misusef("%s is an address, and robots.txt names robots: '%s' shows whose it is, and a firewall "+
				"refuses it", shown(arg), commandLine([]string{"robots", "agents", "verify", arg}))
		}
		if kind, ok := strings.CutPrefix(arg, "*."); ok {
			return cli.Misusef("%s is a part of the site, not a robot: '%s' is for parts", shown(arg),
				commandLine(changeLine(cmd.Name(), append([]string{"/*." + kind + "$"}, file...))))
		}
	}
	if line := b.exceptLine(cmd.Name(), args); line != nil {
		return cli.Misusef("to leave robots as they are, name them with --except: '%s'", commandLine(line))
	}
	for _, arg := range slices.Concat(args, b.except) {
		if name, path, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(path, "/") {
			return cli.Misusef("%s is about a part of the site: '%s' is for parts", shown(arg),
				commandLine(changeLine(cmd.Name(), slices.Concat([]string{name, path}, file))))
		}
	}
	return nil
}

// exceptLine returns the command line that is meant by words such as "all except google", or nil if
// the arguments have no such word. To allow only some robots is to block all others.
func (b *blocker) exceptLine(verb string, args []string) []string {
	is := func(words ...string) func(string) bool {
		return func(arg string) bool { return slices.Contains(words, strings.ToLower(arg)) }
	}
	files := b.files(args)
	args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return slices.Contains(files, arg) })
	i := slices.IndexFunc(args, is("except", "but", "without"))
	said, spared := args, []string(nil)
	switch {
	case i > 0 && i < len(args)-1:
		said, spared = args[:i], args[i+1:]
	case verb == "allow" && len(args) > 1 && is("only", "just")(args[0]):
		verb, said, spared = "block", []string{"*"}, args[1:]
	default:
		return nil
	}
	line := []string{"robots", verb}
	for _, name := range spared {
		line = append(line, "--except", plainer(name))
	}
	if b.file != "" {
		files = []string{b.file}
	}
	if len(files) > 0 {
		line = append(line, "--file", files[0])
	}
	for _, name := range said {
		line = append(line, plainer(name))
	}
	return line
}

// An inPlace is the answer of block and allow.
type inPlace struct {
	File    string            `json:"file"`
	New     bool              `json:"new"`     // there was no file
	Changed bool              `json:"changed"` // the text is another one
	Written bool              `json:"written"`
	Robots  []string          `json:"robots"`  // whose answers change
	Already []string          `json:"already"` // that were closed, or open, before
	Apart   []string          `json:"apart"`   // that are kept as they were
	Diff    *proof.Difference `json:"diff"`

	old  []byte
	edit *inplace.Edit
	said []agent.Subject // the robots that were named
}

func (b *blocker) run(cmd *cobra.Command, args []string) error {
	l := b.lang.Language()
	table, err := b.table.read(cmd)
	if err != nil {
		return err
	}
	if files := b.files(args); len(files) == 1 {
		b.file = files[0]
		args = slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == b.file })
	}
	a := &inPlace{File: b.file}
	if err := a.read(cmd, l); err != nil {
		return err
	}
	if a.said, err = b.resolve(table, robots.Parse(a.old), args); err != nil {
		return err
	}
	wish := inplace.Wish{Robots: a.said, Open: b.open, Table: table, Limit: b.limit}
	if a.edit, err = inplace.Do(string(a.old), wish, l); err != nil {
		return fmt.Errorf("%s: %w", shown(a.File), err)
	}
	a.Changed = a.edit.Text != string(a.old)
	a.Robots, a.Already, a.Apart = nonNil(a.edit.Changed), nonNil(a.edit.Already), nonNil(a.edit.Apart)
	a.Diff = a.edit.Difference
	engines := b.engines(table, a)
	if !b.json {
		if err := b.show(cmd, table, a, engines); err != nil {
			return err
		}
	}
	refused := b.decide(cmd, a, engines)
	if refused == nil && a.Changed {
		if err := a.write(); err != nil {
			return err
		}
	}
	if b.json {
		err := cli.Output(cmd, "the result", true, a, nil)
		if err != nil || refused == nil {
			return err
		}
	}
	errs := cmd.ErrOrStderr()
	switch {
	case refused != nil:
		fmt.Fprintf(errs, "robots: %s\n", language.Explain(l, refused))
		return cli.ErrNo
	case a.Written:
		fmt.Fprintf(errs, "robots: %s\n", textWritten.In(l, shown(a.File)))
	}
	return nil
}

func nonNil(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}

// read finds and reads the file.
func (a *inPlace) read(cmd *cobra.Command, l language.Language) (err error) {
	if a.File == "" {
		if a.File, err = projectFile(); err != nil {
			return err
		}
	}
	switch _, err := os.Stat(a.File); {
	case errors.Is(err, fs.ErrNotExist):
		if target, err := os.Readlink(a.File); err == nil {
			return textDangling.Err(shown(a.File), shown(target))
		}
		a.New = true
		return nil
	case err != nil:
		return fmt.Errorf("cannot read %s: %w", shown(a.File), cause(err))
	}
	if a.old, err = readFile(cmd, a.File); err != nil {
		return err
	}
	if err := checkKind(a.File, a.old, robots.Parse(a.old)); err != nil {
		return err
	}
	if what := lint.NotRobots(robots.Parse(a.old), l.String()); what != "" {
		return fmt.Errorf("%s: %s", shown(a.File), what)
	}
	return nil
}

// resolve returns the robots that are named, without the exceptions.
func (b *blocker) resolve(table *agent.Table, policy *robots.Policy, args []string) ([]agent.Subject, error) {
	known := &robotname.Names{Table: table, Language: b.lang.Language()}
	addNames(known, policy)
	all, err := b.known(known, args)
	if err != nil || len(b.except) == 0 {
		return all, err
	}
	not, err := b.known(known, b.except)
	if err != nil {
		return nil, err
	}
	is := func(s, other agent.Subject) bool { return strings.EqualFold(s.Tokens[0], other.Tokens[0]) }
	for _, other := range not {
		// Of a purpose or an operator, only those that are named are meant.
		if len(other.Called) == 0 && !slices.ContainsFunc(all, func(s agent.Subject) bool { return is(s, other) }) {
			return nil, cli.Misusef("--except %s: this robot is not among those that are named: leave it out",
				shown(other.Tokens[0]))
		}
	}
	all = slices.DeleteFunc(all, func(s agent.Subject) bool {
		return slices.ContainsFunc(not, func(other agent.Subject) bool { return is(s, other) })
	})
	if len(all) == 0 {
		return nil, cli.Misusef("--except leaves no robot: name more robots, or fewer exceptions")
	}
	return all, nil
}

// known resolves names. A name that cannot stand in a group is refused.
func (b *blocker) known(known *robotname.Names, names []string) ([]agent.Subject, error) {
	all, err := known.Resolve(names)
	switch nobody := (*robotname.UnknownError)(nil); {
	case errors.As(err, &nobody) && !b.unknown:
		if one := oneName(known, names); one != "" {
			return nil, cli.Misusef("no robot is named %s: did you mean %s?", shown(strings.Join(names, " ")), one)
		}
		return nil, err
	case err != nil && nobody == nil:
		for _, name := range names {
			if strings.ContainsAny(name, "/") && !strings.ContainsAny(name, " ,") {
				return nil, cli.Misusef("%q names no robot: paths are closed by 'robots build --block \"*=/path\"', "+
					"and --file names the robots.txt", name)
			}
		}
		return nil, cli.Misusef("%q names no robot: give a purpose such as ai-train, or a robot such as GPTBot",
			strings.Join(names, ","))
	}
	if _, err := tokensOf(all); err != nil {
		return nil, err
	}
	for _, s := range all {
		if token := s.Tokens[0]; token != "*" && !inplace.IsName(token) {
			return nil, cli.Misusef("%s is not a name for robots.txt: give a product token such as ExampleBot",
				shown(token))
		}
	}
	return inplace.Once(all), nil
}

// oneName returns the product token or the purpose that several words are together, such as Baidu
// Spider and ai training, or "".
func oneName(known *robotname.Names, words []string) string {
	if len(words) < 2 {
		return ""
	}
	if found, err := known.Table.Resolve(strings.Join(words, "")); err == nil && len(found) == 1 {
		return found[0].Tokens[0]
	}
	_, err := known.Table.Resolve(strings.Join(words, " "))
	if nobody := (*agent.UnknownError)(nil); errors.As(err, &nobody) {
		if _, ok := agent.ParsePurpose(nobody.Meant); ok {
			return nobody.Meant
		}
	}
	return ""
}

// engines returns the search engines to which the site closes, by the names of robots. A robot with
// several purposes that is meant for another one, such as ai-train, is not a search engine here.
func (b *blocker) engines(table *agent.Table, a *inPlace) (names []string) {
	if b.open {
		return nil
	}
	other := make(map[string]bool)
	for _, s := range a.said {
		other[strings.ToLower(s.Tokens[0])] = len(s.Called) > 0 &&
			!slices.ContainsFunc(s.Called, func(name string) bool {
				p, ok := agent.ParsePurpose(name)
				return !ok || p == agent.Search
			})
	}
	for _, name := range a.edit.Affected {
		if name == "*" || table.Named(name).Purposes.Has(agent.Search) && !other[strings.ToLower(name)] {
			names = append(names, name)
		}
	}
	return names
}

// decide returns why the change is not written, or nil. On a terminal it asks.
func (b *blocker) decide(cmd *cobra.Command, a *inPlace, engines []string) error {
	switch {
	case !a.Changed:
		return nil
	case b.check:
		return textOnlyShown.Err(shown(a.File))
	case b.yes && len(engines) > 0 && !b.search:
		return textSearchFlag.Err(shown(a.File))
	case b.yes:
		return nil
	}
	in, ok := cmd.InOrStdin().(*os.File)
	if b.json || !ok || !term.IsTerminal(int(in.Fd())) || !cli.Terminal(cmd.ErrOrStderr()) {
		return textNotAsked.Err(shown(a.File))
	}
	l := b.lang.Language()
	wanted, question := "y", textAsk.In(l, shown(a.File))
	if len(engines) > 0 {
		wanted = "search engines"
		question = textAskSearch.In(l, wanted)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s ", question)
	answer, _ := bufio.NewReader(in).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	if answer != wanted && (wanted != "y" || answer != "yes") {
		return textDeclined.Err(shown(a.File))
	}
	return nil
}

// write writes the file, unless it changed in the meantime.
func (a *inPlace) write() error {
	if !a.New {
		info, err := os.Stat(a.File)
		if err == nil && info.Mode().Perm()&0o222 == 0 {
			return fmt.Errorf("cannot write %s: it is read-only: make it writable, or name another file with --file",
				shown(a.File))
		}
	}
	now, err := os.ReadFile(a.File)
	switch {
	case a.New && errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("cannot write %s: %w", shown(a.File), cause(err))
	case a.New || !bytes.Equal(now, a.old):
		return fmt.Errorf("cannot write %s: it changed in the meantime: run the command again", shown(a.File))
	}
	if err := userfile.Replace(a.File, a.edit.Text); err != nil {
		return fmt.Errorf("cannot write %s: %w", shown(a.File), cause(err))
	}
	a.Written = true
	return nil
}

// show prints what changes, what it means, and the lines.
func (b *blocker) show(cmd *cobra.Command, table *agent.Table, a *inPlace, engines []string) error {
	return cli.Output(cmd, "the change", false, nil, func(w io.Writer) {
		p := printerFor(cmd, &b.lang, w, cmd.OutOrStdout())
		change := &say.InPlace{
			File: a.File, New: a.New, Open: b.open, Old: string(a.old), Edit: a.edit, Robots: a.said, Table: table,
			Engines: engines,
		}
		change.Print(p)
	})
}
