package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/audit"
	"github.com/robotsexclusion/robots/cmd/internal/audit/auditreport"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// An auditPrinter has the flags for the report of an audit, and prints it.
type auditPrinter struct {
	anonymize string
	json      bool
	csv       bool
	html      string
	incident  incident
	lang      cli.LanguageFlag

	hider *auditreport.Hider // or nil
}

func (p *auditPrinter) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.anonymize, "anonymize", "",
		"hide the addresses in all reports, letters and files: `how` is cut, to networks (IPv4: /24, IPv6: /48), or hash")
	flags.BoolVar(&p.json, "json", false, "print a JSON object")
	flags.BoolVar(&p.csv, "csv", false, "print CSV: a row for each robot and rule")
	flags.StringVar(&p.html, "html", "", "write the report to `file` too, as a page of HTML that needs no other file")
	p.incident.addFlags(cmd)
	cli.Complete(cmd, "anonymize", auditreport.Anonymities)
	p.lang.Add(cmd)
}

// check refuses invalid values.
func (p *auditPrinter) check() error {
	if p.json && p.csv {
		return cli.Misusef("--json does not go with --csv: name one form")
	}
	if p.anonymize != "" && !slices.Contains(auditreport.Anonymities, p.anonymize) {
		return cli.Misusef("--anonymize is %q: name %s", p.anonymize, strings.Join(auditreport.Anonymities, " or "))
	}
	p.hider = auditreport.NewHider(p.anonymize)
	return p.incident.check(p)
}

// checkPartial refuses flags for a report where none is printed: the file of --partial has
// addresses and lines in full, because other parts of the audit must join with them.
func (p *auditPrinter) checkPartial(cmd *cobra.Command) error {
	for _, name := range []string{"anonymize", "json", "csv", "html", "incident", "rdap"} {
		if !cmd.Flags().Changed(name) {
			continue
		}
		why := "which prints no report"
		if name == "anonymize" {
			why = "whose file has addresses in full, because parts are joined by them"
		}
		return cli.Misusef("--%s does not go with --partial, %s: give it to robots audit merge", name, why)
	}
	return nil
}

// language returns the language of the report: JSON is in English.
func (p *auditPrinter) language() language.Language {
	if p.json {
		return language.English
	}
	return p.lang.Language()
}

// print writes a report with its notes, and returns the error for the exit status. The error of
// reading the logs may be nil.
func (p *auditPrinter) print(cmd *cobra.Command, r *audit.Report, notes *auditreport.Notes, readError error) error {
	letter, failed, err := p.incident.letter(cmd, r, notes.Sources)
	if err != nil {
		return err
	}
	auditreport.Anonymize(r, p.hider)
	r.Notes = notes.In(p.lang.Language(), r, p.hider)
	if err := p.writeHTML(r); err != nil {
		return err
	}
	r.Notes = notes.In(p.language(), r, p.hider)
	err = cli.Output(cmd, "the report", p.json, r, func(w io.Writer) {
		if letter != nil {
			letter.Language = p.language()
			if p.hider != nil {
				letter.Notes = []string{p.hider.Note(letter.Language)}
			}
			letter.Write(w) // w keeps the error
			return
		}
		if p.csv {
			auditreport.WriteCSV(w, r) // w keeps the error
			return
		}
		text := auditreport.Printer{W: w, Color: cli.Colored(cmd, cmd.OutOrStdout()),
			Width: cli.Width(cmd.OutOrStdout()), Language: p.language(), Visits: visits(notes, r)}
		text.Report(r)
	})
	if err != nil {
		return err
	}
	if errs := append(unjoined(readError), unjoined(failed)...); len(errs) > 0 {
		return cli.ReportFailures(cmd, errs)
	}
	why := auditreport.NothingJudged(p.lang.Language(), r)
	if p.csv {
		why = cmp.Or(auditreport.NothingRead(p.lang.Language(), r), why) // CSV has no notes
	}
	switch {
	case letter == nil && visits(notes, r):
		why = ""
	case why != "" && letter == nil && !p.json && !p.csv:
		why = auditreport.ReportSays(p.lang.Language())
	}
	if why != "" {
		return cli.ReportFailures(cmd, []error{errors.New(why)})
	}
	if auditreport.Disobeyed(r) {
		return cli.ErrNo
	}
	return nil
}

// visits reports whether a report only says who visited, because no robots.txt is given.
func visits(notes *auditreport.Notes, r *audit.Report) bool {
	return len(notes.Sources) == 0 && auditreport.OnlyVisits(r)
}

// writeHTML writes the page of --html, which only the user may read: it has lines of the logs.
func (p *auditPrinter) writeHTML(r *audit.Report) error {
	if p.html == "" {
		return nil
	}
	var b strings.Builder
	if err := auditreport.WriteHTML(&b, r, p.lang.Language()); err != nil {
		return err
	}
	if err := userfile.Put(p.html, b.String(), 0o600, false); err != nil {
		return fmt.Errorf("cannot write %s: %w", p.html, cause(err))
	}
	return nil
}

// unjoined returns the errors that errors.Join joined.
func unjoined(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// writePart writes the part that was read from the logs, with the notes of a report, to the file of
// --partial. If a log could not be read to its end, writePart writes nothing. The file has
// addresses, so only the user may read it.
func (a *auditor) writePart(cmd *cobra.Command, part *audit.Part, notes *auditreport.Notes, readError error) error {
	if readError != nil {
		return cli.ReportFailures(cmd, unjoined(readError))
	}
	var err error
	if part.Notes, err = json.Marshal(notes); err != nil {
		return err
	}
	var b strings.Builder
	if _, err := part.WriteTo(&b); err != nil {
		return err
	}
	if err := userfile.Put(a.partial, b.String(), 0o600, true); err != nil {
		return fmt.Errorf("cannot write %s: %w", a.partial, cause(err))
	}
	return nil
}

// newAuditMerge returns the verb that joins the parts of an audit.
func newAuditMerge() *cobra.Command {
	var (
		out   auditPrinter
		table tableFlag
	)
	cmd := &cobra.Command{
		Use:   "merge [flags] FILE…",
		Short: "join what robots audit --partial wrote, and report on all of it",
		Long: `Merge joins files that robots audit --partial wrote on several machines or days. Its
report is that of one audit of all the logs. The files have the options and the
versions of robots.txt, which must be equal. They have addresses of robots and lines
of the logs, also if the report hides them. The exit status is 0, 1 or 2 as that of
robots audit.`,
		Example: `  robots audit merge *.part
  robots audit merge --json monday.part tuesday.part`,
		Args: func(_ *cobra.Command, files []string) error {
			if len(files) == 0 {
				return cli.Misusef("no file is given: name one that robots audit --partial wrote")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, files []string) error {
			if err := out.check(); err != nil {
				return err
			}
			if err := checkOutputs([]auditOutput{{"html", out.html}}, auditInput{"a part", files},
				auditInput{"the table of --robots-table", []string{table.file}}); err != nil {
				return err
			}
			known, err := table.read(cmd)
			if err != nil {
				return err
			}
			out.incident.table = known
			var all *audit.Part
			var notes []*auditreport.Notes
			for _, name := range files {
				part, its, err := readPart(cmd, name, known)
				if err != nil {
					return err
				}
				notes = append(notes, its)
				if all == nil {
					all = part
				} else if err := all.Join(part); err != nil {
					return fmt.Errorf("%s: %w", called(name), err)
				}
			}
			return out.print(cmd, all.Report(), auditreport.JoinNotes(notes), nil)
		},
	}
	table.add(cmd)
	out.addFlags(cmd)
	return cmd
}

// readPart reads a part and the notes in it.
func readPart(cmd *cobra.Command, name string, known *agent.Table) (*audit.Part, *auditreport.Notes, error) {
	in, err := open(cmd, name)
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	part, err := audit.ReadPart(in, known)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", called(name), err)
	}
	notes, err := auditreport.ReadNotes(part.Notes)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", called(name), err)
	}
	return part, notes, nil
}
