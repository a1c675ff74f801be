package main

import (
	"errors"
	"time"

	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/nats"
	"github.com/robotsexclusion/robots/internal/nats/natsflag"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor/monitorshare"
	"github.com/spf13/pflag"
)

// A siteSharing has the flags by which several instances of monitor share the sites.
type siteSharing struct {
	nats           natsflag.Flags
	servers, group string // servers is the address of nats
	lease          time.Duration
}

const (
	usualGroup = "watch"
	usualLease = 15 * time.Second
)

func (s *siteSharing) addFlags(flags *pflag.FlagSet) {
	s.nats.AddFlags(flags,
		"share the sites with other instances of monitor, by the NATS server with JetStream at this `URL`; several URLs are separated by commas")
	flags.StringVar(&s.group, "group", usualGroup,
		"the `name` of the watch, for --nats: instances with one name share its sites")
	flags.DurationVar(&s.lease, "lease", usualLease,
		"an instance of --nats that does not answer for this `time` is replaced")
}

func (s *siteSharing) check(once bool) (err error) {
	if s.servers, err = s.nats.Address(); err != nil {
		return err
	}
	switch {
	case s.servers == "" && (s.group != usualGroup || s.lease != usualLease):
		return cli.Misusef("--group and --lease are about instances that share sites: name their NATS server with --nats")
	case s.servers != "" && once:
		return cli.Misusef("--once looks at all sites, and --nats shares them with other instances: give one of the two")
	case s.lease < time.Second || s.lease > 10*time.Minute:
		return cli.Misusef("--lease is %v: name a time from a second to ten minutes", s.lease)
	}
	return nil
}

// start makes a watch share its sites, until stop is called.
func (s *siteSharing) start(c *monitor.Config, notice func(error)) (stop func(), err error) {
	if s.servers == "" {
		return func() {}, nil
	}
	for _, exposed := range nats.Exposed(s.servers) {
		notice(errors.New(exposed))
	}
	share, err := monitorshare.New(s.servers, s.group, s.lease, notice)
	if err != nil {
		return nil, err
	}
	c.Sharing = share
	return share.Close, nil
}
