package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/internal/buildversion"
	"github.com/robotsexclusion/robots/internal/command"
	"github.com/spf13/pflag"
)

// A guardIdentity has the flags of guard for the identity of robots.
type guardIdentity struct {
	ranges      string
	verify      bool
	verifyFirst bool
	dns         string
	signers     []string
	hosts       []string
}

func (v *guardIdentity) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&v.ranges, "ranges", "", "refuse forged robots, by the published ranges in `folder`, as 'robots agents verify --cache' keeps them")
	flags.BoolVar(&v.verify, "verify", false, "refuse forged robots, by the ranges and keys that operators publish and by the DNS, which are asked in the background")
	flags.BoolVar(&v.verifyFirst, "verify-first", false, "with --verify: answer robots with status 429 until the answer is there; by default they pass as claimed")
	flags.StringVar(&v.dns, "dns", "", "with --verify: ask the DNS server at `address`, such as 192.0.2.1:53, not that of the system")
	flags.StringSliceVar(&v.signers, "signer", nil, "with --verify: a robot publishes the keys of its signatures at an origin too, as in `TOKEN=https://bot.example`")
	flags.StringSliceVar(&v.hosts, "host", nil, "with --verify: refuse signatures made for other hosts than `names`, such as shop.example")
}

// check refuses flags that do not go together.
func (v *guardIdentity) check() error {
	if !v.verify && (v.verifyFirst || v.dns != "" || v.signers != nil || v.hosts != nil) {
		return command.Misusef("--verify-first, --dns, --signer and --host go with --verify")
	}
	for _, text := range v.signers {
		token, origin, _ := strings.Cut(text, "=")
		u, err := url.Parse(origin)
		if robot := agent.Named(token); err != nil || !robot.Known() || u.Scheme != "https" || origin != "https://"+u.Host || u.Host == "" {
			return command.Misusef("--signer has %q: name a robot that 'robots agents' lists, and an origin, such as GPTBot=https://bot.example", text)
		}
	}
	return nil
}

// maxRangesAge is the age up to which ranges in a folder that the guard does not renew prove that other addresses are not the robot's.
const maxRangesAge = 7 * 24 * time.Hour

// identities returns what identifies robots, or nil if nothing does.
func (v *guardIdentity) identities() (*guard.Identities, error) {
	if !v.verify && v.ranges == "" {
		return nil, nil
	}
	if v.ranges != "" {
		info, err := os.Stat(v.ranges)
		if err == nil && !info.IsDir() {
			err = errors.New("it is not a folder")
		}
		if err != nil {
			return nil, fmt.Errorf("cannot read the ranges in %s: %w", shown(v.ranges), cause(err))
		}
	}
	verifier := &agent.Verifier{Folder: v.ranges, Server: v.dns}
	if v.verify {
		verifier.Client = &http.Client{Transport: fetch.DialFilter{}.Transport()}
	} else {
		verifier.MaxAge = maxRangesAge
	}
	ids := &guard.Identities{Verifier: verifier, DNS: v.verify, Hosts: v.hosts, Signers: map[string][]string{}}
	for _, text := range v.signers {
		token, origin, _ := strings.Cut(text, "=")
		token = agent.Named(token).Token
		ids.Signers[token] = append(ids.Signers[token], origin)
	}
	if v.verify {
		// The client connects to public addresses only.
		ids.Keys = (&keydir.Client{UserAgent: buildversion.UserAgent()}).Key
	}
	return ids, nil
}
