package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/cmd/internal/describe"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/language/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newAgentsDescribe returns the verb that writes what the operator of a robot publishes.
func newAgentsDescribe() *cobra.Command {
	var d describer
	cmd := &cobra.Command{
		Use:   "describe [flags] FILE --out DIR",
		Short: "make the page and files about your robot that you publish, and entries for lists of robots",
		Long: `Describe makes what the operator of a robot publishes, from a description in JSON, such
as

  {
    "token": "ExampleBot",
    "operator": "Example Inc.",
    "purposes": ["search"],
    "about": "ExampleBot reads pages for the search of example.com.",
    "user_agent": "ExampleBot/1.0 (+https://bot.example.com/)",
    "page": "https://bot.example.com/",
    "contact": ["mailto:bot@example.com"],
    "robots_txt": "yes",
    "addresses": ["192.0.2.0/24", "2001:db8::/32"]
  }

The folder serve has what to serve at the origin of the page: the page, which says how
to close a site to the robot and how to verify it, the addresses as Google, Bing and
OpenAI publish theirs, and with --key the directory of keys and the card of Web Bot
Auth. The folder send has entries for the table of this program (--robots-table) and
for the list crawler-user-agents.

Further members are name, fallback, everyone, crawl_delay, dns and source, as in the
table of robots, and trigger, which is crawler or fetcher, for the card.

--key publishes the public part of the private key in a file; the key itself stays
there. Repeat it to replace a key: publish the new one together with the old one.
--new makes the first file. 'robots crawl --sign' signs with the key.

The exit status is 0, or 2 if the description is wrong or could not be read, or a file
could not be written. A wrong description writes nothing.`,
		Example: `  robots agents describe bot.json --out bot
  robots agents describe bot.json --key bot.pem --new --out bot
  robots agents describe bot.json --key new.pem --key bot.pem --out bot`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return cli.Misusef("no file is given: name the description of a robot, or - for standard input")
			case len(args) > 1:
				return cli.Misusef("unexpected argument %q: describe takes one file", args[1])
			case d.out == "":
				return cli.Misusef("no folder is given: name the folder for the files with --out")
			case d.create && len(d.keys) == 0:
				return cli.Misusef("--new makes the file of --key: name it")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&d.out, "out", "o", "", "write the files to this `FOLDER`")
	flags.StringArrayVar(&d.keys, "key", nil,
		"publish the public part of the private key in `file`; repeat it for more keys")
	flags.BoolVar(&d.create, "new", false, "make a key, and the first file of --key for it")
	flags.BoolVar(&d.json, "json", false, "print a JSON object")
	d.lang.Add(cmd)
	return cmd
}

// A describer has the flags of describe, and runs the verb.
type describer struct {
	out    string
	keys   []string
	create bool
	json   bool
	lang   cli.LanguageFlag
}

// A describeAnswer is the object of --json.
type describeAnswer struct {
	Token string          `json:"token"`
	Page  string          `json:"page"`
	Agent string          `json:"signature_agent,omitempty"` // for robots crawl --signature-agent
	Keys  []string        `json:"keys"`                      // their identifiers
	Files []describe.File `json:"files"`
}

func (d *describer) run(cmd *cobra.Command, name string) error {
	data, err := readAtMost(cmd, name, describe.MaxSize, "that is not the description of a robot")
	if err != nil {
		return err
	}
	described, err := describe.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", called(name), err)
	}
	for _, key := range d.keys {
		if isBelow(d.out, key) {
			return cli.Misusef(
				"the private key %s is in the folder of --out, whose files are published: move it elsewhere",
				shown(key))
		}
	}
	keys, err := d.readKeys()
	if err != nil {
		return err
	}
	files, err := described.Files(describe.Options{Keys: keys, Language: d.lang.Language(), Now: time.Now()})
	if err != nil {
		return fmt.Errorf("%s: %w", called(name), err)
	}
	answer := describeAnswer{Token: described.Token, Page: described.Page, Keys: []string{}}
	for _, key := range keys {
		answer.Agent, answer.Keys = described.SignatureAgent(), append(answer.Keys, key.ID())
	}
	for _, f := range files {
		path := filepath.Join(d.out, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("cannot make the folder %s: %w", shown(filepath.Dir(path)), cause(err))
		}
		if err := userfile.Put(path, string(f.Data), 0o644, true); err != nil {
			return fmt.Errorf("cannot write %s: %w", shown(path), cause(err))
		}
		f.Name = path
		answer.Files = append(answer.Files, f)
	}
	for _, name := range described.Optional() {
		path := filepath.Join(d.out, filepath.FromSlash(name))
		written := slices.ContainsFunc(answer.Files, func(f describe.File) bool { return f.Name == path })
		if _, err := os.Stat(path); err == nil && !written {
			fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textOlder.In(d.lang.Language(), shown(path)))
		}
	}
	if d.create {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s\n", textNewKey.In(d.lang.Language(), shown(d.keys[0]), keys[0].ID()))
	}
	return cli.Output(cmd, "the answer", d.json, answer, func(w io.Writer) { answer.print(w, d.lang.Language()) })
}

// isBelow reports whether a file is in a folder, as far as their names tell.
func isBelow(folder, file string) bool {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	if file, err = filepath.Abs(file); err != nil {
		return false
	}
	// A link to the folder has another name, and the folder may not be there yet.
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil {
		file = filepath.Join(real, filepath.Base(file))
	}
	path, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(path)
}

// readKeys reads the private keys, or makes the first, and returns their public parts.
func (d *describer) readKeys() (keys []botauth.Key, err error) {
	for i, name := range d.keys {
		read := userfile.PrivateKey
		if i == 0 && d.create {
			read = userfile.NewPrivateKey
		}
		private, err := read(name)
		if err != nil {
			return nil, err
		}
		public, err := botauth.NewKey(private.Public())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shown(name), err)
		}
		if slices.ContainsFunc(keys, func(other botauth.Key) bool { return other.ID() == public.ID() }) {
			return nil, cli.Misusef("the key in %s is named twice: name each once", shown(name))
		}
		keys = append(keys, public)
	}
	return keys, nil
}

// print writes a row for each file: where to serve it, or that it is for lists.
func (a *describeAnswer) print(w io.Writer, in language.Language) {
	table := columns.Table{W: w}
	for _, f := range a.Files {
		where := textToSend.In(in)
		if f.URL != "" {
			where = textToServe.In(in, printable.Text(f.URL), f.Type)
		}
		table.Add([]columns.Cell{columns.Text(shown(f.Name)), columns.Text(where)})
	}
	table.Flush() // w keeps the error
	if a.Agent != "" {
		fmt.Fprintln(w, textSignWith.In(in, printable.Text(a.Agent)))
	}
}

var (
	textNewKey = language.New("%[1]s has a new private key, %[2]s: keep it secret")
	textOlder  = language.New(
		"%[1]s is of an earlier run, and this one does not write it: remove it if it is no longer true")
	textToSend   = language.New("to send to lists of robots")
	textToServe  = language.New("to serve at %[1]s as %[2]s")
	textSignWith = language.New("robots crawl --sign signs by these keys with --signature-agent %[1]s")
)
