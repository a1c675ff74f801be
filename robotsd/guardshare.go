package main

import (
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/robotsd/internal/guardshare"
	"github.com/spf13/pflag"
)

// A paceSharing has the flags by which several guards share the pace of robots.
type paceSharing struct{ nats, site string }

func (p *paceSharing) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&p.nats, "nats", "",
		"share the pace and the identities of robots with other guards of --site, by the NATS server with JetStream at this `URL`")
	flags.StringVar(&p.site, "site", "", "the `name` of the site, for --nats: guards with one name share")
}

func (p *paceSharing) check() error {
	if (p.nats == "") != (p.site == "") {
		return cli.Misusef("--nats and --site go together")
	}
	return nil
}

// start shares the pace of a guard, and what the DNS says about identities, until stop is called.
func (p *paceSharing) start(g *guard.Guard, notice func(error)) (stop func(), err error) {
	if p.nats == "" {
		return func() {}, nil
	}
	g.Paces = new(guard.Paces)
	share, err := guardshare.Start(p.nats, p.site, g.Paces, notice)
	if err != nil {
		return nil, err
	}
	if g.Identities != nil {
		g.Identities.Share = share.Identity
	}
	return share.Close, nil
}
