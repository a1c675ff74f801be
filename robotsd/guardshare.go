package main

import (
	"errors"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/nats/natsflag"
	"github.com/robotsexclusion/robots/robotsd/internal/guardshare"
	"github.com/spf13/pflag"
)

// A paceSharing has the flags by which several guards share the pace of robots.
type paceSharing struct {
	nats          natsflag.Flags
	servers, site string // servers is the address of nats
}

func (p *paceSharing) addFlags(flags *pflag.FlagSet) {
	p.nats.AddFlags(flags,
		"share the pace and the identities of robots with other guards of --site, by the NATS server with JetStream at this `URL`")
	flags.StringVar(&p.site, "site", "", "the `name` of the site, for --nats: guards with one name share")
}

func (p *paceSharing) check() (err error) {
	if p.nats.IsSet() != (p.site != "") {
		return cli.Misusef("--nats and --site go together")
	}
	p.servers, err = p.nats.Address()
	return err
}

// start shares the pace of a guard, and what the DNS says about identities, until stop is called.
func (p *paceSharing) start(g *guard.Guard, notice func(error)) (stop func(), err error) {
	if p.servers == "" {
		return func() {}, nil
	}
	for _, exposed := range nats.Exposed(p.servers) {
		notice(errors.New(exposed))
	}
	g.Paces = new(guard.Paces)
	share, err := guardshare.Start(p.servers, p.site, g.Paces, notice)
	if err != nil {
		return nil, err
	}
	if g.Identities != nil {
		g.Identities.Share = share.Identity
	}
	return share.Close, nil
}
