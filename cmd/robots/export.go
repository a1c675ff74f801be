package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newExport returns the verb that writes configuration of web servers.
func newExport() *cobra.Command {
	var e exporter
	cmd := &cobra.Command{
		Use:   "export SERVER (FILE|-) --out DIR [flags]",
		Short: "make a web server enforce robots.txt on robots that name themselves",
		Long: `Export writes configuration with which a web server answers 403 to exactly the
requests that robots.txt disallows, if the client names itself as a robot in its
User-Agent header. Browsers, and programs that do not call themselves robots,
pass. It prints the lines that include the files in the server's configuration.

A rule that the server cannot enforce exactly is an error that names the rule,
and nothing is written. The servers are ` + strings.Join(export.Servers(), ", ") + `.`,
		Example: `  robots export nginx robots.txt --out /etc/nginx/robots
  robots export nginx robots.txt --out /etc/nginx/robots --site shop --agents named`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return misusef("no server is given: name one of %s", strings.Join(export.Servers(), ", "))
			case len(args) == 1:
				return misusef("no file is given: name a robots.txt, or - for standard input")
			case len(args) > 2:
				return misusef("unexpected argument %q: export takes a server and one file", args[2])
			case e.out == "":
				return misusef("no folder is given: name the folder for the files with --out")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return e.run(cmd, args[0], args[1]) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&e.out, "out", "o", "", "write the files to this `FOLDER`")
	flags.StringVar(&e.options.Site, "site", "site", "the `NAME` of the site in files and variables, for servers with several sites")
	flags.StringVar(&e.agents, "agents", export.All.String(), "refuse `WHICH` robots: all, known (of the table, or named by robots.txt), or named (by robots.txt)")
	flags.BoolVar(&e.options.WellKnown, "well-known", false, "let all requests below /.well-known/ pass")
	flags.BoolVar(&e.json, "json", false, "print JSON")
	complete(cmd, "agents", []string{"all", "known", "named"})
	return cmd
}

// An exporter has the flags of export, and runs the verb.
type exporter struct {
	options     export.Options
	out, agents string
	json        bool
}

// An exported is the object of --json.
type exported struct {
	Server   string            `json:"server"`
	Site     string            `json:"site"`
	Files    []string          `json:"files"`
	Includes []exportedInclude `json:"includes"`
	Notes    []string          `json:"notes"`
}

type exportedInclude struct {
	Place string   `json:"place"`
	Lines []string `json:"lines"`
}

func (e *exporter) run(cmd *cobra.Command, server, name string) error {
	var err error
	if e.options.Agents, err = export.ParseAgents(e.agents); err != nil {
		return misuse{err}
	}
	if e.options.Folder, err = filepath.Abs(e.out); err != nil {
		return fmt.Errorf("cannot find the folder %s: %w", e.out, cause(err))
	}
	data, err := readRobots(cmd, name)
	if err != nil {
		return err
	}
	config, err := export.Write(server, robots.Parse(data), e.options)
	if err != nil {
		return err
	}
	answer := exported{Server: server, Site: e.options.Site, Notes: append([]string{}, config.Notes...)}
	for _, include := range config.Includes {
		answer.Includes = append(answer.Includes, exportedInclude(include))
	}
	if err := os.MkdirAll(e.out, 0o755); err != nil {
		return fmt.Errorf("cannot make the folder %s: %w", e.out, cause(err))
	}
	for _, f := range config.Files {
		path := filepath.Join(e.out, f.Name)
		if err := userfile.Put(path, string(f.Data), 0o644, true); err != nil {
			return fmt.Errorf("cannot write %s: %w", path, cause(err))
		}
		answer.Files = append(answer.Files, path)
	}
	out := cmd.OutOrStdout()
	if e.json {
		_, err = out.Write(printable.JSON(append(printable.AppendJSON(nil, answer), '\n')))
	} else {
		err = answer.print(out)
	}
	if err != nil {
		return fmt.Errorf("cannot write the answer: %w", cause(err))
	}
	return nil
}

// print writes the answer for people.
func (a *exported) print(out io.Writer) error {
	var b strings.Builder
	for _, f := range a.Files {
		fmt.Fprintf(&b, "wrote %s\n", shown(f))
	}
	for _, include := range a.Includes {
		fmt.Fprintf(&b, "add %s:\n", include.Place)
		for _, line := range include.Lines {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	for _, note := range a.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	_, err := io.WriteString(out, b.String())
	return err
}
