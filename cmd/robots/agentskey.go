package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

// newAgentsKey returns the verb that makes the key of a robot and the directory to publish.
func newAgentsKey() *cobra.Command {
	var k keyMaker
	cmd := &cobra.Command{
		Use:   "key [flags] FILE…",
		Short: "make the private key with which a robot signs its requests, and print the public key",
		Long: `Key prints the public parts of the private keys in files, as the directory of keys
(JSON Web Key Set) that servers need to verify a robot's requests. Serve it at

  https://HOST` + botauth.DirectoryPath + `

with the media type ` + botauth.DirectoryType + `.
HOST is then the identity of the robot: see --signature-agent of robots crawl.

--new makes the first file, which only you may read: keep it secret. To replace a
key, publish the new one together with the old one, and drop the old one later:
name both files.

--headers prints, in place of the directory, fields with which HOST may serve it:
signatures of the keys, which prove that nobody copied the directory. They are for
the very bytes that key prints without --headers, and expire.

The exit status is 0, or 2 if a key could not be read or written.`,
		Example: `  robots agents key --new bot.pem >directory.json
  robots agents key new.pem bot.pem >directory.json
  robots agents key bot.pem --headers bot.example.com`,
		RunE: func(cmd *cobra.Command, args []string) error { return k.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&k.create, "new", false, "make a key, and the first file for it")
	flags.StringVar(&k.host, "headers", "", "print fields of the response with which `host` serves the directory")
	flags.DurationVar(&k.valid, "valid", 90*24*time.Hour,
		"with --headers: the `time` for which the signatures are valid")
	return cmd
}

// A keyMaker has the flags of key, and runs the verb.
type keyMaker struct {
	create bool
	host   string
	valid  time.Duration
}

func (k *keyMaker) run(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return cli.Misusef("no file is given: name the file of a private key, with --new to make it")
	case k.valid < time.Minute:
		return cli.Misusef("--valid is %v: name a time such as 720h", k.valid)
	case k.host == "" && cmd.Flags().Changed("valid"):
		return cli.Misusef("--valid is for --headers: a directory does not expire")
	}
	var signers []*botauth.Signer
	var keys []botauth.Key
	for i, name := range args {
		read := userfile.PrivateKey
		if i == 0 && k.create {
			read = userfile.NewPrivateKey
		}
		private, err := read(name)
		if err != nil {
			return err
		}
		public, err := botauth.NewKey(private.Public())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if slices.ContainsFunc(keys, func(other botauth.Key) bool { return other.ID() == public.ID() }) {
			return cli.Misusef("the key in %s is named twice: name each once", shown(name))
		}
		keys = append(keys, public)
		signers = append(signers, &botauth.Signer{Key: private, Label: fmt.Sprintf("sig%d", i+1), Validity: k.valid})
	}
	body, err := json.Marshal(botauth.NewDirectory(keys...))
	if err != nil {
		return err
	}
	body = append(body, '\n')
	out := body
	if k.host != "" {
		if out, err = k.fields(signers, body); err != nil {
			return err
		}
	}
	if k.create {
		fmt.Fprintf(cmd.ErrOrStderr(), "robots: %s has a new private key, %s: keep it secret\n", shown(args[0]),
			keys[0].ID())
	}
	if _, err := cmd.OutOrStdout().Write(out); err != nil {
		return fmt.Errorf("cannot write the directory: %w", cause(err))
	}
	return nil
}

// fields returns the fields of the response with which the host serves the directory.
func (k *keyMaker) fields(signers []*botauth.Signer, body []byte) ([]byte, error) {
	header := make(http.Header)
	for _, s := range signers {
		if err := s.SignDirectory(header, k.host, body, time.Now()); err != nil {
			return nil, cli.Misusef("--headers %s is not a host: name one such as bot.example.com", shown(k.host))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Content-Type: %s\n", botauth.DirectoryType)
	for _, name := range []string{"Content-Digest", "Signature-Input", "Signature"} {
		fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(header[name], ", "))
	}
	return []byte(b.String()), nil
}
