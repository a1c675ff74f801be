// Package natsflag has the flags by which programs name NATS servers, and the variables of the
// environment that the nats command reads too.
//
// A program uses NATS only if a flag asks for it: --nats or --nats-context. The flags count before
// the environment, which says how to log in, so that no secret stands on a command line. A context
// of --nats-context is complete: with it the environment is not read.
package natsflag

import (
	"errors"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/nats"
)

// Environment is the value of --nats that stands for the servers of the environment.
const Environment = "env"

// Flags are the flags of a program.
type Flags struct{ servers, context, creds, ca, cert, key string }

// AddFlags adds the flags. The help says what --nats does, and names its value.
func (f *Flags) AddFlags(flags *pflag.FlagSet, help string) {
	flags.StringVar(&f.servers, "nats", "", help+"; env stands for NATS_URL or NATS_CONTEXT")
	flags.StringVar(&f.context, "nats-context", "",
		"use the servers and the login of this context of the nats command: its `name`, or its file")
	flags.StringVar(&f.creds, "nats-creds", "", "log in to NATS with the credentials in `file` (default $NATS_CREDS)")
	flags.StringVar(&f.ca, "nats-ca", "",
		"trust the certificates of NATS servers by the CA in `file` (default $NATS_CA)")
	flags.StringVar(&f.cert, "nats-cert", "", "show NATS servers the client certificate in `file` (default $NATS_CERT)")
	flags.StringVar(&f.key, "nats-key", "", "the private key of --nats-cert is in `file` (default $NATS_KEY)")
}

// IsSet reports whether the program is to use NATS.
func (f *Flags) IsSet() bool { return f.servers != "" || f.context != "" }

// Address returns the address of the servers for package nats, or "" if no flag asks for NATS. It
// has secrets. Its error is one of misuse.
func (f *Flags) Address() (address string, err error) {
	if !f.IsSet() {
		if f.creds+f.ca+f.cert+f.key != "" {
			return "", cli.Misusef("--nats-creds, --nats-ca, --nats-cert and --nats-key are about a NATS server: " +
				"name it with --nats or --nats-context")
		}
		return "", nil
	}
	if f.context != "" && f.servers == Environment {
		return "", cli.Misusef("--nats env and --nats-context name servers both: leave one of the two out")
	}
	servers, query, _ := strings.Cut(f.servers, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return f.servers, nil // package nats says what is wrong
	}
	p := parameters{values, servers}
	for name, value := range map[string]string{
		"context": f.context, "creds": f.creds, "ca": f.ca, "cert": f.cert, "key": f.key,
	} {
		p.set(name, value)
	}
	if !p.values.Has("context") {
		if err := p.addEnvironment(); err != nil {
			return "", cli.Misuse(err)
		}
	}
	if len(p.values) == 0 {
		return p.servers, nil
	}
	return p.servers + "?" + p.values.Encode(), nil
}

// parameters are those of an address.
type parameters struct {
	values  url.Values
	servers string
}

func (p *parameters) set(name, value string) {
	if value != "" {
		p.values.Set(name, value)
	}
}

// addEnvironment adds the variables that the flags do not replace.
func (p *parameters) addEnvironment() error {
	if p.servers == Environment {
		p.servers = os.Getenv("NATS_URL")
		p.set("context", os.Getenv("NATS_CONTEXT"))
		if p.servers == "" && !p.values.Has("context") {
			return errors.New("--nats env needs the servers in the environment: set NATS_URL or NATS_CONTEXT")
		}
	}
	if !p.values.Has("cert") && !p.values.Has("key") {
		p.set("cert", os.Getenv("NATS_CERT"))
		p.set("key", os.Getenv("NATS_KEY"))
	}
	if !p.values.Has("ca") {
		p.set("ca", os.Getenv("NATS_CA"))
	}
	if nats.HasLogin(p.servers + "?" + p.values.Encode()) {
		return nil
	}
	user, password := os.Getenv("NATS_USER"), os.Getenv("NATS_PASSWORD")
	if user != "" && password == "" { // as the nats command does
		p.set("token", user)
	} else {
		p.set("user", user)
		p.set("password", password)
	}
	if token := os.Getenv("NATS_TOKEN"); token != "" {
		if user != "" {
			return errors.New("NATS_USER and NATS_TOKEN are set both: unset one of the two")
		}
		p.set("token", token)
	}
	p.set("creds", os.Getenv("NATS_CREDS"))
	p.set("nkey", os.Getenv("NATS_NKEY"))
	return nil
}
