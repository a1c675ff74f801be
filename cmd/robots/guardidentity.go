package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/guard"
	"github.com/spf13/pflag"
)

// A guardIdentity has the flags of guard for the identity of robots.
type guardIdentity struct {
	ranges      string
	verify      bool
	verifyFirst bool
	dns         string
}

func (v *guardIdentity) addFlags(flags *pflag.FlagSet) {
	flags.StringVar(&v.ranges, "ranges", "", "refuse forged robots, by the published ranges in `folder`, as 'robots agents verify --cache' keeps them")
	flags.BoolVar(&v.verify, "verify", false, "refuse forged robots, by the ranges that operators publish and by the DNS, which are asked in the background")
	flags.BoolVar(&v.verifyFirst, "verify-first", false, "with --verify: answer robots with status 429 until the answer is there; by default they pass as claimed")
	flags.StringVar(&v.dns, "dns", "", "with --verify: ask the DNS server at `address`, such as 192.0.2.1:53, not that of the system")
}

// check refuses flags that do not go together.
func (v *guardIdentity) check() error {
	if !v.verify && (v.verifyFirst || v.dns != "") {
		return misusef("--verify-first and --dns go with --verify")
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
	return &guard.Identities{Verifier: verifier, DNS: v.verify}, nil
}
