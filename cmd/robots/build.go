package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/proof/merge"
	"github.com/spf13/cobra"
)

// newBuild returns the verb that merges fragments into one file.
func newBuild() *cobra.Command {
	var b builder
	cmd := &cobra.Command{
		Use:   "build [flags] (DIR|FILE|-)…",
		Short: "make one robots.txt of fragments of several owners",
		Long: `Build joins fragments of robots.txt, which different people write, to one file. A
folder stands for its files *.txt, in the order of their names.

The file says to each robot what the fragments say to it one by one: a fragment
that names Googlebot does not take it away from the rules that others have for
everyone. If a rule of one fragment opens a path that another one closes, nothing
is written, and both lines are reported, with the path.

--block closes the site, or with =PATH a part of it, to the robots with a purpose
('robots agents --help' lists them), to those of an operator, such as OpenAI, or to
one robot, by its product token or a common name, such as claude; everything else that the
fragments say to these robots stays. --allow takes robots out of a block, and fails
where they may fetch less than everyone.

A fragment exempts a robot from the rules of others only below paths that are its
owner's: a comment at its head names them, such as '# owner: /map/'. --allow
mapper=/map/ does the same for one robot. Other exemptions are not kept, and noted.

With --output, build proves all claims of --claims, and then replaces the file in
one step. --check writes nothing, and fails if the file differs from what build
would write.

The exit status is 0 if the file was built, 1 if fragments contradict each other,
a claim fails or --check finds another file, and 2 if that could not be decided.`,
		Example: `  robots build robots.d -o robots.txt
  robots build --block ai-train --allow ai-search robots.d
  robots build --block ai-train=/articles/ --claims claims.txt robots.d -o robots.txt
  robots build --check robots.d -o robots.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cli.Misusef("no fragment is given: name files, or a folder of *.txt files")
			case b.check && b.output == "":
				return cli.Misusef("--check compares with a file: name it with --output")
			case b.check && b.output == stdin:
				return cli.Misusef("--check compares with a file, not with standard output")
			case b.limit < 0 || b.limit == 0 && cmd.Flags().Changed("limit"):
				return cli.Misusef("--limit is %d: name a number above 0", b.limit)
			}
			return b.readWishes()
		},
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd, args) },
	}
	flags := cmd.Flags()
	b.table.add(cmd)
	flags.StringVarP(&b.output, "output", "o", "", "put the result into this `file` (default standard output)")
	flags.StringArrayVar(&b.block, "block", nil,
		"close the site, or a path, to `robots[=path]`: purposes such as ai-train, operators, or product tokens, "+
			"with commas between them; repeat it for more")
	flags.StringArrayVar(&b.allow, "allow", nil,
		"do not block `robots`, named as for --block; with =path, exempt them there from rules for everyone; "+
			"repeat it for more")
	completeNames(cmd, "block", completePurposes)
	completeNames(cmd, "allow", completePurposes)
	flags.StringVar(&b.claims, "claims", "", "prove the claims in this `file` before anything is written")
	flags.BoolVar(&b.unknown, "unknown", false,
		"let --block, --allow and claims name robots that this program does not know")
	flags.BoolVar(&b.check, "check", false, "only check whether the file is up to date")
	flags.IntVar(&b.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	flags.BoolVar(&b.json, "json", false, "print a JSON object")
	b.lang.Add(cmd)
	return cmd
}

// A builder has the flags of build, and runs the verb.
type builder struct {
	output       string
	block, allow []string
	claims       string
	check        bool
	unknown      bool // accept names that no table or file knows
	limit        int
	json         bool
	lang         cli.LanguageFlag
	table        tableFlag

	wishes []merge.Wish
}

func (b *builder) readWishes() error {
	for _, texts := range []struct {
		values []string
		allow  bool
	}{{b.block, false}, {b.allow, true}} {
		for _, text := range texts.values {
			names, path, has := strings.Cut(text, "=")
			for name := range strings.SplitSeq(names, ",") {
				if has {
					name += "=" + path
				}
				wish, err := merge.ParseWish(name, texts.allow)
				if err != nil {
					return cli.Misuse(err)
				}
				b.wishes = append(b.wishes, wish)
			}
		}
	}
	return nil
}

// checkNames refuses unknown robots, unless --unknown is given.
func (b *builder) checkNames(table *agent.Table, fragments []merge.Fragment, claims []proof.Claim) error {
	if b.unknown {
		return nil
	}
	known := robotname.WithPurposes(table, b.lang.Language())
	for _, f := range fragments {
		addNames(known, robots.Parse(f.Text))
	}
	for _, wish := range b.wishes {
		option, _, _ := strings.Cut(wish.String(), " ")
		if err := known.Check(option, wish.Robots); err != nil {
			return err
		}
	}
	return checkClaims(known, called(b.claims), claims)
}

func (b *builder) run(cmd *cobra.Command, args []string) error {
	var claims []proof.Claim
	var err error
	if b.claims != "" {
		if claims, err = readClaims(cmd, b.claims); err != nil {
			return err
		}
	}
	known, err := b.table.read(cmd)
	if err != nil {
		return err
	}
	fragments, err := b.read(cmd, args)
	if err != nil {
		return err
	}
	if err := b.checkNames(known, fragments, claims); err != nil {
		return err
	}
	options := merge.Options{Wishes: b.wishes, Robots: known, Claims: claims, Limit: b.limit}
	if !b.json {
		options.Language = b.lang.Language().String()
	}
	file, err := merge.Join(fragments, options)
	if wrong := (*merge.Error)(nil); errors.As(err, &wrong) {
		return b.refuse(cmd, wrong)
	}
	if err != nil {
		return err
	}
	b.remark(cmd, file.Notes)
	if b.check {
		return b.compare(cmd, file)
	}
	switch {
	case b.output != "" && b.output != stdin:
		if err := userfile.Replace(b.output, file.Text); err != nil {
			return fmt.Errorf("cannot write %s: %w", b.output, cause(err))
		}
	case !b.json:
		if _, err := fmt.Fprint(cmd.OutOrStdout(), file.Text); err != nil {
			return fmt.Errorf("cannot write the file: %w", cause(err))
		}
	}
	return b.report(cmd, file)
}

// refuse reports why no file was built, and returns the error for the exit status.
func (b *builder) refuse(cmd *cobra.Command, wrong *merge.Error) error {
	b.remark(cmd, wrong.Notes)
	w := bufio.NewWriter(cmd.ErrOrStderr())
	switch {
	case b.json:
	case len(wrong.Proofs) > 0:
		failed := slices.DeleteFunc(slices.Clone(wrong.Proofs), func(p proof.Proof) bool { return p.Holds })
		printerFor(cmd, &b.lang, w, cmd.ErrOrStderr()).Proofs(failed)
	default:
		fmt.Fprintln(w, wrong)
	}
	w.Flush() // an error on standard error cannot be reported
	if err := b.report(cmd, wrong); err != nil {
		return err
	}
	if wrong.Undecided && len(wrong.Problems) == 0 {
		return cli.ErrFailed
	}
	return cli.ErrNo
}

// remark writes notes to standard error, unless they are in the JSON.
func (b *builder) remark(cmd *cobra.Command, notes []string) {
	for _, note := range notes {
		if !b.json {
			fmt.Fprintln(cmd.ErrOrStderr(), say.Note(b.lang.Language(), note))
		}
	}
}

// report writes a result as JSON, if --json asks for it.
func (b *builder) report(cmd *cobra.Command, result any) error {
	return cli.Output(cmd, "the result", b.json, result, func(io.Writer) {})
}

// compare reports whether the output file has the text that was built.
func (b *builder) compare(cmd *cobra.Command, file *merge.File) error {
	data, err := os.ReadFile(b.output)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read %s: %w", b.output, cause(err))
	}
	current := err == nil && string(data) == file.Text
	file.Current = &current
	if !current && !b.json {
		said := textNotThere
		if err == nil {
			said = textNotCurrent
		}
		fmt.Fprintln(cmd.ErrOrStderr(), said.In(b.lang.Language(), shown(b.output)))
	}
	if err := b.report(cmd, file); err != nil || current {
		return err
	}
	return cli.ErrNo
}

// read returns the fragments named by the arguments.
func (b *builder) read(cmd *cobra.Command, args []string) (fragments []merge.Fragment, err error) {
	names, err := userfile.Texts(args, b.output, b.claims)
	if errors.As(err, new(*userfile.TwiceError)) {
		return nil, cli.Misuse(err)
	}
	for _, name := range names {
		data, err := readRobots(cmd, name)
		if err != nil {
			return nil, err
		}
		if name == stdin {
			name = "stdin"
		}
		fragments = append(fragments, merge.Fragment{Name: filepath.ToSlash(name), Text: data})
	}
	return fragments, err
}
