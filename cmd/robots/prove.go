package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/proof"
	"github.com/spf13/cobra"
)

// newProve returns the verb that proves claims.
func newProve() *cobra.Command {
	var p prover
	cmd := &cobra.Command{
		Use:   "prove [flags] (--claims FILE|--claim TEXT) (ROBOTS|ORIGIN|-)",
		Short: "prove claims about robots.txt for all URLs, or show a counterexample",
		Long: `Prove reads claims about a robots.txt from a file, one on each line. It proves
each claim for all URLs, or names a URL for which it fails. --claim gives a
claim on the command line. Examples of claims:

  Googlebot may fetch /products/
  GPTBot and CCBot may not fetch /
  * may not fetch /admin/ except /admin/public/
  ai-train may not fetch /
  only Googlebot and bingbot may fetch /x/
  /ads.txt is open to all

Paths are patterns as in robots.txt: /x/ is all that starts so. "*" is all
robots that robots.txt does not name, and "all" also those that it names. A
purpose, as 'robots agents --purpose' knows them, is all robots with that
purpose, an operator such as OpenAI all its robots, and a common name such as
claude those that people mean. "#" begins a comment. A robot that neither
'robots agents' nor the file knows is an error, since its name is probably a
typing error; --unknown accepts the name.

The robots.txt is a file, or prove fetches that of an origin such as
example.com. With --at, prove uses the robots.txt that was in force for an
origin at a time, or on a day, from the history in the folder of --cache.

The exit status is 0 if all claims hold, 1 if one fails, and 2 after an error,
or if --limit was too low to decide.`,
		Example: `  robots prove --claims robots.claims robots.txt
  robots prove --claim 'GPTBot may not fetch /' robots.txt
  robots prove --claims robots.claims --json robots.txt
  robots prove --claims robots.claims --cache ~/robots --at 2026-03-03 example.com`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(p.texts) == 0 && p.claims == "" && slices.ContainsFunc(args, isClaim):
				return cli.Misusef("no claims are given: '%s' proves this one", shown(claimLine(args)))
			case p.claims == "" && len(p.texts) == 0:
				return cli.Misusef("no claims are given: name a file of them with --claims, or write one after --claim")
			case len(args) == 0:
				return cli.Misusef("no robots.txt is given: name a file, or - for standard input")
			case len(args) > 1:
				return cli.Misusef("unexpected argument %q: prove reads one robots.txt", args[1])
			case args[0] == stdin && p.claims == stdin:
				return cli.Misusef("standard input cannot be both the robots.txt and the claims: name a file for one of them")
			case p.limit < 0 || p.limit == 0 && cmd.Flags().Changed("limit"):
				return cli.Misusef("--limit is %d: name a number above 0", p.limit)
			}
			if _, ok := origin(args[0]); !ok && p.at.Given() {
				return cli.Misusef("--at asks what was in force for an origin, and %s is a file", called(args[0]))
			}
			if err := p.checkQuiet(cmd, "json"); err != nil {
				return err
			}
			if p.at.Given() {
				return p.checkAt(cmd)
			}
			return p.checkSources(cmd, args[0])
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	p.table.add(cmd)
	flags.StringVar(&p.claims, "claims", "", "the `file` of claims")
	flags.StringArrayVar(&p.texts, "claim", nil, "prove this `claim`, after those of --claims; repeat it for more")
	flags.Var(dialectFlag{&p.dialect}, "dialect", "read as `name` says")
	flags.BoolVar(&p.unknown, "unknown", false, "also prove claims about robots that this program does not know")
	flags.IntVar(&p.limit, "limit", 0, "look at no more than `number` cases for each question (default 65536)")
	flags.BoolVar(&p.json, "json", false, "print a JSON object")
	addMoment(flags, &p.at, "at", usageOfAt)
	p.addQuiet(flags)
	p.addFlags(flags)
	p.lang.Add(cmd)
	cli.Complete(cmd, "dialect", dialectNames())
	readsProject(cmd, first)
	return cmd
}

// isClaim reports whether an argument is a claim, not a file.
func isClaim(arg string) bool {
	claims, err := proof.ParseClaims(arg)
	return err == nil && len(claims) > 0
}

// claimLine returns the command line that proves the claims among arguments about the file among
// them, or about the robots.txt here.
func claimLine(args []string) string {
	line, files := []string{"robots", "prove"}, []string(nil)
	for _, arg := range args {
		if isClaim(arg) {
			line = append(line, "--claim", arg)
		} else {
			files = append(files, arg)
		}
	}
	if files == nil {
		files = theFile
	}
	return commandLine(slices.Concat(line, files))
}

// A prover has the flags of prove, and runs the verb.
type prover struct {
	network
	table   tableFlag
	claims  string
	texts   []string // of --claim
	dialect robots.Dialect
	unknown bool // accept names that no table or file knows
	limit   int
	json    bool
	at      inforce.Moment
	lang    cli.LanguageFlag
}

func (p *prover) run(cmd *cobra.Command, name string) error {
	claims, err := p.allClaims(cmd)
	if err != nil {
		return err
	}
	policy, err := p.policyOf(cmd, name, p.dialect, p.at, p.lang.Language())
	if err != nil {
		return err
	}
	known, err := p.table.read(cmd)
	if err != nil {
		return err
	}
	if !p.unknown {
		all := robotname.WithPurposes(known, p.lang.Language())
		addNames(all, policy)
		if err := checkClaims(all, called(p.claims), claims); err != nil {
			return err
		}
	}
	proofs, undecided := proof.Prove(policy, claims, proof.Options{Robots: known, Limit: p.limit})
	if !p.quiet {
		err = cli.Output(cmd, "the proofs", p.json, map[string]any{"claims": proofs}, func(w io.Writer) {
			printerFor(cmd, &p.lang, w, cmd.OutOrStdout()).Proofs(proofs)
		})
	}
	if err != nil {
		return err
	}
	for _, proof := range proofs {
		if proof.Decided && !proof.Holds {
			return cli.ErrNo
		}
	}
	switch {
	case undecided != nil && p.quiet:
		return errUndecided
	case undecided != nil:
		return cli.ErrFailed
	}
	return nil
}

// allClaims returns the claims of the file, then those of the command line.
func (p *prover) allClaims(cmd *cobra.Command) (all []proof.Claim, err error) {
	if p.claims != "" {
		if all, err = readClaims(cmd, p.claims); err != nil {
			return nil, err
		}
	}
	for _, text := range p.texts {
		flag := fmt.Sprintf("--claim %q", printable.Clipped(text, 200))
		if strings.ContainsAny(text, "\r\n") {
			return nil, cli.Misusef("%s has several lines: repeat --claim for each claim", flag)
		}
		claims, err := proof.ParseClaims(text)
		switch wrong := (*proof.ClaimError)(nil); {
		case errors.As(err, &wrong):
			return nil, cli.Misusef("%s: %s", flag, language.Explain(cli.LanguageOf(cmd), wrong.Reason))
		case err != nil:
			return nil, err
		case len(claims) == 0:
			return nil, cli.Misusef("%s is not a claim: write one such as 'GPTBot may not fetch /'", flag)
		}
		claims[0].Line = 0 // no line of a file
		all = append(all, claims[0])
	}
	return all, nil
}

// readClaims returns the claims of a file. A file without claims is an error.
func readClaims(cmd *cobra.Command, name string) ([]proof.Claim, error) {
	text, err := readFile(cmd, name)
	if err != nil {
		return nil, err
	}
	if isBinary(text) {
		return nil, textIsBinary.Err(called(name))
	}
	claims, err := proof.ParseClaims(string(text))
	if wrong := (*proof.ClaimError)(nil); errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s:%d: %s: %s", called(name), wrong.Line, wrong.Text,
			language.Explain(cli.LanguageOf(cmd), wrong.Reason))
	}
	if err != nil {
		return nil, err
	}
	if len(claims) == 0 {
		return nil, cli.NoClaim(called(name))
	}
	return claims, nil
}
