package main

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/columns"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// newVerify returns the verb that tells whether an address belongs to a robot.
func newVerify() *cobra.Command {
	var v verifier
	cmd := &cobra.Command{
		Use:   "verify [flags] IP… --agent NAME",
		Short: "tell whether addresses are those of a robot",
		Long: `Verify tells whether requests from an address come from the robot that they say
they are from: by the lists of addresses that its operator publishes, and by the
name that the DNS has for the address, if that name has the address too. Anybody
can send any User-Agent header, and give an address any name.

An address is verified, forged, or unverifiable, if the operator publishes no
way or none could be asked. The exit status is 0 if all are verified, 1 if one
is forged, and 2 if one is unverifiable and none forged.`,
		Example: `  robots agents verify 192.0.2.7 --agent Googlebot
  robots agents verify 192.0.2.7 --agent ExampleBot --ranges ranges.json
  robots agents verify 192.0.2.7 2001:db8::7 --agent bingbot --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd)
			defer stop()
			return v.run(ctx, cmd, args)
		},
	}
	flags := cmd.Flags()
	v.table.add(cmd)
	flags.StringVar(&v.agent, "agent", "", "product `token` or User-Agent header of the robot")
	flags.StringArrayVar(&v.ranges, "ranges", nil, "a `file` or https URL that lists the robot's addresses, in place of what its operator publishes; repeat it for more")
	flags.StringArrayVar(&v.below, "below", nil, "a `name` below which those of the robot's addresses are, such as googlebot.com, in place of what its operator publishes; repeat it for more")
	flags.StringVar(&v.dns, "dns", "", "ask the DNS server at `address`, such as 192.0.2.1:53, not that of the system")
	flags.StringVar(&v.folder, "cache", "", "keep the lists that are fetched in `folder`")
	flags.BoolVar(&v.offline, "offline", false, "fetch no list: use those of --ranges and --cache, and the DNS")
	flags.DurationVar(&v.timeout, "timeout", 10*time.Second, "`time` for each answer")
	flags.BoolVar(&v.json, "json", false, "print a JSON object")
	complete(cmd, "agent", nil)
	return cmd
}

// A verifier has the flags of verify, and runs the verb.
type verifier struct {
	agent   string
	ranges  []string
	below   []string
	dns     string
	folder  string
	offline bool
	timeout time.Duration
	json    bool
	table   tableFlag
}

func (v *verifier) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return misusef("no address is given: name one, such as 192.0.2.7")
	case v.agent == "":
		return misusef("no robot is given: name it with --agent, such as --agent Googlebot")
	case v.timeout <= 0:
		return misusef("--timeout is %v: name a time such as 10s", v.timeout)
	}
	var addresses []netip.Addr
	for _, arg := range args {
		addr, err := netip.ParseAddr(strings.Trim(arg, "[]"))
		if err != nil {
			return misusef("%q is no IP address: name one, such as 192.0.2.7 or 2001:db8::7", arg)
		}
		addresses = append(addresses, addr)
	}
	known, err := v.table.read(cmd)
	if err != nil {
		return err
	}
	a, _ := who(known, v.agent)
	recipe := a.Recipe()
	if len(v.ranges)+len(v.below) > 0 {
		recipe = agent.Recipe{Ranges: v.ranges, DNS: v.below}
	} else if !a.Known() {
		return misusef("no robot %q is known: see 'robots agents', or name its addresses with --ranges or --below", v.agent)
	}
	checker := &agent.Verifier{Folder: v.folder, Timeout: v.timeout, Server: v.dns}
	if !v.offline {
		checker.Client = &http.Client{Transport: fetch.DialFilter{}.Transport()}
	}
	t := &columns.Table{W: cmd.OutOrStdout(), Color: colored(cmd.OutOrStdout())}
	var verdicts []agent.Verdict
	var forged, unverifiable bool
	for _, addr := range addresses {
		verdict, err := checker.Verify(ctx, addr, recipe)
		if ctx.Err() != nil {
			return errInterrupted
		}
		if err != nil {
			return err
		}
		verdicts = append(verdicts, verdict)
		forged = forged || verdict.Result == agent.Forged
		unverifiable = unverifiable || verdict.Result == agent.Unverifiable
		t.Add([]columns.Cell{resultCell(verdict.Result), columns.Text(verdict.Address.String()), columns.Text(printable.Text(verdict.Why()))})
	}

	if v.json {
		b := printable.AppendJSON([]byte(`{"agent": `), a.Token)
		b = printable.AppendJSON(append(b, `, "verdicts": `...), verdicts)
		_, err = cmd.OutOrStdout().Write(printable.JSON(append(b, "}\n"...)))
	} else {
		err = t.Flush()
	}
	switch {
	case err != nil:
		return fmt.Errorf("cannot write the verdicts: %w", cause(err))
	case forged:
		return errNo
	case unverifiable:
		return errFailed
	}
	return nil
}

func resultCell(r agent.Result) columns.Cell {
	switch r {
	case agent.Verified:
		return columns.Green(r.String())
	case agent.Forged:
		return columns.Red(r.String())
	}
	return columns.Text(r.String())
}
