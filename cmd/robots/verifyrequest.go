package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/robotsexclusion/robots/agent/botauth"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/cmd/internal/inforce"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A requestVerifier has the flags of verify for signed requests.
type requestVerifier struct {
	file         string
	keys         string
	at           inforce.Moment
	allowPrivate bool
}

func (v *requestVerifier) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&v.file, "request", "",
		"judge the signature of the HTTP request in `file`, as a server logged it, and no address; - is standard input")
	flags.StringVar(&v.keys, "keys", "",
		"with --request: take the keys from `file`, a JSON Web Key Set, and fetch none")
	addMoment(flags, &v.at, "at",
		"with --request: judge it as at `time`, such as 2026-03-03T14:00:00Z, when the request came (default now)")
	flags.BoolVar(&v.allowPrivate, "allow-private", false,
		"with --request: fetch keys from private and other special addresses too")
}

// checkFlags refuses flags that do not go together.
func (v *requestVerifier) checkFlags(cmd *cobra.Command, args []string, offline bool) error {
	if v.file == "" {
		for _, name := range []string{"request", "keys", "at", "allow-private"} {
			if cmd.Flags().Changed(name) {
				return cli.Misusef("--%s is for the request in a file: name the file with --request", name)
			}
		}
		return nil
	}
	for _, name := range []string{"agent", "ranges", "below", "dns", "cache", "robots-table"} {
		if cmd.Flags().Changed(name) {
			return cli.Misusef("--%s is for addresses, and not for --request", name)
		}
	}
	switch {
	case len(args) > 0:
		return cli.Misusef("--request judges a request and no addresses: leave %s out", shown(args[0]))
	case !v.at.First.Equal(v.at.Last):
		return cli.Misusef("--at %s is a day, and signatures are valid for minutes: name a time such as 2026-03-03T14:00:00Z", v.at.Text)
	case offline && v.keys == "":
		return cli.Misusef("--offline fetches no keys: name a file with them with --keys")
	case v.keys == userfile.Stdin && v.file == userfile.Stdin:
		return cli.Misusef("--request and --keys cannot both be standard input")
	}
	return nil
}

const maxRequest = 1 << 20 // bytes of a file with a request or with keys

// run judges the request. It returns the error for the exit status.
func (v *requestVerifier) run(ctx context.Context, cmd *cobra.Command, timeout time.Duration, asJSON bool) error {
	text, err := userfile.ReadAtMost(v.file, cmd.InOrStdin(), maxRequest, "that is not one request")
	if err != nil {
		return err
	}
	request, err := userfile.ParseRequest(text)
	if err != nil {
		return fmt.Errorf("%s: %w", called(v.file), err)
	}
	judge := &keydir.Judge{KeysName: called(v.keys)}
	if v.keys != "" {
		judge.Keys, err = keysOfFile(cmd, v.keys)
		if err != nil {
			return err
		}
	} else {
		judge.Client = &keydir.Client{
			UserAgent: cli.UserAgent(), Timeout: timeout,
			Transport: (&network{allowPrivate: v.allowPrivate}).dialFilter().Transport(),
		}
	}
	at := v.at.First
	if !v.at.Given() {
		at = time.Now().UTC()
	}
	judgement := judge.Request(request.WithContext(ctx), at)
	if ctx.Err() != nil {
		return cli.ErrInterrupted
	}
	err = cli.Output(cmd, "the verdict", asJSON, judgement, func(w io.Writer) {
		(&say.Printer{W: w}).Judgement(judgement, !v.at.Given())
	})
	if err != nil {
		return err
	}
	switch result, undecided := judgement.Result(); {
	case undecided != nil:
		return cli.ErrFailed
	case result != botauth.Verified:
		return cli.ErrNo
	}
	return nil
}

// keysOfFile returns the keys in a file.
func keysOfFile(cmd *cobra.Command, name string) (*botauth.Directory, error) {
	data, err := userfile.ReadAtMost(name, cmd.InOrStdin(), maxRequest, "that is not a JSON Web Key Set")
	if err != nil {
		return nil, err
	}
	directory, err := botauth.ParseDirectory(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called(name), err)
	}
	return directory, nil
}
