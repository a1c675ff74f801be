package main

import (
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/robotsd/internal/guardoptions"
	"github.com/spf13/pflag"
)

// addPreferenceFlags adds the flags for what robots.txt says besides its rules.
func (g *guardian) addPreferenceFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&g.guard.Preferences, "preferences", false,
		"add Content-Usage, X-Robots-Tag and the link to the license to answers, as robots.txt says for the path")
	flags.StringVar(&g.guard.RobotsTag, "robots-tag", "",
		"with --preferences, add X-Robots-Tag with these `directives`, such as noarchive, where robots.txt has none")
	flags.StringArrayVar(&g.guard.PaidLicenses, "paid-license", nil,
		"refuse robots without a license, with status 402, if robots.txt names this `URI` as their license; may be repeated")
}

// checkPreferences refuses wrong flags.
func (g *guardian) checkPreferences() error {
	for _, uri := range g.guard.PaidLicenses {
		if err := guardoptions.CheckLicense(uri); err != nil {
			return cli.Misusef("--paid-license %q: %w", uri, err)
		}
	}
	tag := g.guard.RobotsTag
	switch {
	case tag == "":
		return nil
	case !g.guard.Preferences:
		return cli.Misusef("--robots-tag goes with --preferences")
	}
	if err := guardoptions.CheckRobotsTag(tag); err != nil {
		return cli.Misusef("--robots-tag %q: %w", tag, err)
	}
	return nil
}
