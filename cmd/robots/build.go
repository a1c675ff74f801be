package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/merge"
	"github.com/robotsexclusion/robots/proof"
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
everyone. Where one fragment opens by a rule what another closes, nothing is
written, and both lines are told with a path that shows it.

--block closes the site, or with =PATH a part of it, to the robots with a purpose
('robots agents --help' lists them) or to one robot; what else the fragments say
to them they still say. --allow takes robots out of a block, and fails where they
may fetch less than everyone.

A fragment exempts a robot from the rules of others only below paths that are its
owner's: a comment at its head names them, such as '# owner: /map/'. --allow
mapper=/map/ does the same for one robot. Other exemptions are not kept, and noted.

With --output the file is put in its place at once, after all claims of --claims
are proven. --check writes nothing, and fails if the file is not what would be
built.

The exit status is 0 if the file was built, 1 if fragments contradict each other,
a claim fails or --check finds another file, and 2 if that could not be decided.`,
		Example: `  robots build robots.d -o robots.txt
  robots build --block ai-train --allow ai-search robots.d
  robots build --block ai-train=/articles/ --claims claims.txt robots.d -o robots.txt
  robots build --check robots.d -o robots.txt`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return misusef("no fragment is given: name files, or a folder of *.txt files")
			case b.check && b.output == "":
				return misusef("--check compares with a file: name it with --output")
			case b.check && b.output == stdin:
				return misusef("--check compares with a file, not with standard output")
			case b.limit < 0 || b.limit == 0 && cmd.Flags().Changed("limit"):
				return misusef("--limit is %d: name a number above 0", b.limit)
			}
			return b.readWishes()
		},
		RunE: func(cmd *cobra.Command, args []string) error { return b.run(cmd, args) },
	}
	flags := cmd.Flags()
	b.table.add(cmd)
	flags.StringVarP(&b.output, "output", "o", "", "put the result into this `file` (default standard output)")
	flags.StringArrayVar(&b.block, "block", nil, "close paths to `robots[=path]`: a purpose such as ai-train, or a product token; repeat it for more")
	flags.StringArrayVar(&b.allow, "allow", nil, "do not block `robots`: a purpose or a product token; with =path, exempt them there from rules for everyone; repeat it for more")
	flags.StringVar(&b.claims, "claims", "", "prove the claims in this `file` before anything is written")
	flags.BoolVar(&b.unknown, "unknown", false, "let --block, --allow and claims name robots that nobody knows")
	flags.BoolVar(&b.check, "check", false, "only tell whether the file is what would be built")
	flags.IntVar(&b.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	flags.BoolVar(&b.json, "json", false, "print a JSON object")
	b.lang.add(cmd)
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
	lang         languageFlag
	table        tableFlag

	wishes []merge.Wish
}

func (b *builder) readWishes() error {
	for _, texts := range []struct {
		values []string
		allow  bool
	}{{b.block, false}, {b.allow, true}} {
		for _, text := range texts.values {
			wish, err := merge.ParseWish(text, texts.allow)
			if err != nil {
				return misuse{err}
			}
			b.wishes = append(b.wishes, wish)
		}
	}
	return nil
}

// checkNames refuses unknown robots, unless --unknown is given.
func (b *builder) checkNames(table *agent.Table, fragments []merge.Fragment, claims []proof.Claim) error {
	if b.unknown {
		return nil
	}
	known := namesOfAll(table, b.lang.language())
	for _, f := range fragments {
		known.addFile(robots.Parse(f.Text))
	}
	for _, wish := range b.wishes {
		option, _, _ := strings.Cut(wish.String(), " ")
		if err := known.refuse(option, wish.Robots); err != nil {
			return err
		}
	}
	return known.refuseClaims(b.claims, claims)
}

// A buildResult is the JSON output of build.
type buildResult struct {
	Built    bool            `json:"built"`
	Decided  bool            `json:"decided"`
	Current  *bool           `json:"current,omitempty"` // of --check
	Text     string          `json:"text,omitempty"`
	Notes    []string        `json:"notes,omitempty"` // in English
	Problems []merge.Problem `json:"problems,omitempty"`
	Omitted  int             `json:"omitted,omitempty"`
	Claims   []proof.Proof   `json:"claims,omitempty"`
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
	var result buildResult
	options := merge.Options{Wishes: b.wishes, Robots: known, Limit: b.limit}
	if !b.json {
		options.Language = b.lang.language().String()
	}
	file, err := merge.Join(fragments, options)
	wrong := (*merge.Error)(nil)
	switch {
	case errors.As(err, &wrong):
		result.Problems, result.Omitted, result.Decided = wrong.Problems, wrong.Omitted, !wrong.Undecided
		if !b.json {
			fmt.Fprintln(cmd.ErrOrStderr(), wrong)
		}
		return b.report(cmd, result)
	case err != nil:
		return err
	}
	result.Built, result.Decided, result.Text, result.Notes = true, true, file.Text, file.Notes
	if result.Claims = proof.Prove(robots.Parse([]byte(file.Text)), claims, proof.Options{Robots: known, Limit: b.limit}); len(claims) > 0 {
		result.settle()
	}
	if !b.json {
		b.remark(cmd, result, file)
	}
	if !result.Built {
		return b.report(cmd, result)
	}
	if b.check {
		return b.compare(cmd, result)
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
	return b.report(cmd, result)
}

// settle drops the text of the file if a claim does not hold.
func (r *buildResult) settle() {
	for _, p := range r.Claims {
		r.Built = r.Built && p.Holds
		r.Decided = r.Decided && (p.Decided || p.Holds)
		if p.Decided && !p.Holds {
			r.Decided = true // the answer is no, even if other claims are undecided
			break
		}
	}
	if !r.Built {
		r.Text = ""
	}
}

// remark writes the claims that do not hold, and the notes, to standard error.
func (b *builder) remark(cmd *cobra.Command, result buildResult, file *merge.File) {
	w := bufio.NewWriter(cmd.ErrOrStderr())
	defer w.Flush()
	l := b.lang.language()
	for _, note := range file.Notes {
		fmt.Fprintln(w, textNote.In(l, note))
	}
	var failed []proof.Proof
	for _, p := range result.Claims {
		if !p.Holds {
			failed = append(failed, p)
		}
	}
	if len(failed) > 0 {
		b.lang.printer(w, cmd.ErrOrStderr()).Proofs(failed)
	}
}

// report writes the result as JSON, if --json asks for it, and returns the error for the exit
// status.
func (b *builder) report(cmd *cobra.Command, result buildResult) error {
	if b.json {
		data := printable.JSON(append(printable.AppendJSON(nil, result), '\n'))
		if _, err := cmd.OutOrStdout().Write(data); err != nil {
			return fmt.Errorf("cannot write the result: %w", cause(err))
		}
	}
	switch {
	case result.Built && (result.Current == nil || *result.Current):
		return nil
	case !result.Decided && len(result.Problems) == 0:
		return errFailed
	}
	return errNo
}

// compare reports whether the output file has the text that was built.
func (b *builder) compare(cmd *cobra.Command, result buildResult) error {
	data, err := os.ReadFile(b.output)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot read %s: %w", b.output, cause(err))
	}
	current := err == nil && string(data) == result.Text
	result.Current = &current
	if !current && !b.json {
		said := textNotThere
		if err == nil {
			said = textNotCurrent
		}
		fmt.Fprintln(cmd.ErrOrStderr(), said.In(b.lang.language(), shown(b.output)))
	}
	return b.report(cmd, result)
}

// read returns the fragments named by the arguments.
func (b *builder) read(cmd *cobra.Command, args []string) (fragments []merge.Fragment, err error) {
	seen := make(map[string]string)
	for _, arg := range args {
		names := []string{arg}
		if info, err := os.Stat(arg); arg != stdin && err == nil && info.IsDir() {
			if names, err = b.filesOf(arg); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			if before, ok := seen[filepath.Clean(name)]; ok {
				return nil, misusef("%s is named twice: as %s and as %s", called(name), called(before), called(arg))
			}
			seen[filepath.Clean(name)] = arg
			data, err := readRobots(cmd, name)
			if err != nil {
				return nil, err
			}
			if name == stdin {
				name = "stdin"
			}
			fragments = append(fragments, merge.Fragment{Name: filepath.ToSlash(name), Text: data})
		}
	}
	return fragments, nil
}

// filesOf returns the names of the fragments in a folder: its text files except the output
// file.
func (b *builder) filesOf(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", dir, cause(err))
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if e.IsDir() || strings.HasPrefix(e.Name(), ".") || !strings.EqualFold(filepath.Ext(name), ".txt") || b.isOutput(name) {
			continue
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no fragment: their names end in .txt", cmp.Or(dir, "."))
	}
	return names, nil
}

// isOutput reports whether a file is the output file or the file of claims.
func (b *builder) isOutput(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	for _, other := range []string{b.output, b.claims} {
		if o, err := os.Stat(other); err == nil && os.SameFile(info, o) {
			return true
		}
	}
	return false
}
