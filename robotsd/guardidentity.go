package main

import (
	"fmt"

	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/robotsd/internal/guardoptions"
	"github.com/spf13/pflag"
)

// A guardIdentity has the flags of guard for the identity of robots.
type guardIdentity struct {
	guardoptions.Identity
	verifyFirst bool
}

func (v *guardIdentity) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&v.Ranges, "ranges", "",
		"refuse forged robots, by the published ranges in `folder`, as 'robots agents verify --cache' keeps them")
	flags.BoolVar(&v.Verify, "verify", false,
		"refuse forged robots, by the ranges and keys that operators publish and by the DNS, which are asked in the background")
	flags.BoolVar(&v.verifyFirst, "verify-first", false,
		"with --verify: answer robots with status 429 until the answer is there; by default they pass as claimed")
	flags.StringVar(&v.DNS, "dns", "",
		"with --verify: ask the DNS server at `address`, such as 192.0.2.1:53, not that of the system")
	flags.StringSliceVar(&v.Signers, "signer", nil,
		"with --verify: a robot publishes the keys of its signatures at an origin too, as in `TOKEN=https://bot.example`")
	flags.StringSliceVar(&v.Hosts, "host", nil,
		"with --verify: the site has the hosts `names`, such as shop.example; a signature for another one is forged")
}

// check refuses flags that do not go together.
func (v *guardIdentity) check() error {
	if v.NeedsVerify() || v.verifyFirst && !v.Verify {
		return cli.Misusef("--verify-first, --dns, --signer and --host go with --verify")
	}
	for _, text := range v.Signers {
		if err := guardoptions.CheckSigner(text); err != nil {
			return cli.Misusef("--signer has %q: %w", text, err)
		}
	}
	for _, host := range v.Hosts {
		if err := guardoptions.CheckHost(host); err != nil {
			return cli.Misusef("--host has %q: %w", host, err)
		}
	}
	return nil
}

// identities returns what identifies robots, or nil if nothing does.
func (v *guardIdentity) identities() (*guard.Identities, error) {
	v.UserAgent = cli.UserAgent()
	ids, err := v.Identities()
	if err != nil {
		return nil, fmt.Errorf("cannot read the ranges in %s: %w", shown(v.Ranges), cause(err))
	}
	return ids, nil
}
