package main

import (
	"bufio"
	"context"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// newVerify returns the verb that tells whether an address belongs to a robot.
func newVerify() *cobra.Command {
	var v verifier
	cmd := &cobra.Command{
		Use:   "verify [flags] (IP… [--agent NAME]|--request FILE)",
		Short: "check whether addresses, or a signed request, are those of a robot",
		Long: `Verify checks whether an address belongs to a robot: by the lists of addresses that
the robot's operator publishes, and by the name that the DNS has for the address,
if that name has the address too. Anybody can send any User-Agent header, and give
an address any name.

An address is verified or forged. It is unverifiable if the operator publishes no
way to verify it, or if no list and no server could be read. The exit status is 0
if all are verified, 1 if one is forged, and 2 if one is unverifiable and none
forged.

Without --agent, verify shows which robots have the addresses: by their names in the
DNS, and by the lists that 'robots agents ranges update' put into the folder of
--cache. Verify fetches no list then. The exit status is 2 if no known robot has one
of the addresses.

With --request, verify judges the signature of one HTTP request (RFC 9421, Web Bot
Auth) in a file as a server logged it: the head of HTTP/1.1, the same as curl -v
prints it, or the fields of HTTP/2. It fetches the robot's keys from the URL that
the request names, or reads them from --keys. It does not compare the host of the
request with yours, and takes the request to have come over https. A signature is
valid for some minutes: say with --at when the request came. The exit status is 0
if a signature is verified, 1 if none is, and 2 if the keys could not be fetched.`,
		Example: `  robots agents verify 192.0.2.7 --agent Googlebot
  robots agents verify 192.0.2.7 --cache ranges
  robots agents verify 192.0.2.7 --agent ExampleBot --ranges ranges.json
  robots agents verify 192.0.2.7 2001:db8::7 --agent bingbot --json
  robots agents verify --request request.txt --at 2026-03-03T14:00:00Z`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := cli.Interruptible(cmd)
			defer stop()
			return v.run(ctx, cmd, args)
		},
	}
	flags := cmd.Flags()
	v.table.add(cmd)
	flags.StringVarP(&v.agent, "agent", "a", "", "product `token` or User-Agent header of the robot")
	flags.StringArrayVar(&v.ranges, "ranges", nil,
		"a `file` or https URL that lists the robot's addresses, in place of what its operator publishes; repeat it for more")
	flags.StringArrayVar(&v.below, "below", nil,
		"a `name` below which those of the robot's addresses are, such as googlebot.com, in place of what its operator publishes; repeat it for more")
	flags.StringVar(&v.dns, "dns", "", "ask the DNS server at `address`, such as 192.0.2.1:53, not that of the system")
	flags.StringVar(&v.folder, "cache", "", "keep the lists that are fetched in `folder`")
	flags.BoolVar(&v.offline, "offline", false, "fetch no list: use those of --ranges and --cache, and the DNS")
	flags.DurationVar(&v.timeout, "timeout", 10*time.Second, "`time` for each answer")
	flags.BoolVar(&v.json, "json", false, "print a JSON object")
	v.request.addFlags(flags)
	completeNames(cmd, "agent", completeAgents)
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
	request requestVerifier
}

func (v *verifier) run(ctx context.Context, cmd *cobra.Command, args []string) error {
	if err := v.request.checkFlags(cmd, args, v.offline); err != nil {
		return err
	}
	switch {
	case v.timeout <= 0:
		return cli.Misusef("--timeout is %v: name a time such as 10s", v.timeout)
	case v.request.file != "":
		return v.request.run(ctx, cmd, v.timeout, v.json)
	case len(args) == 0:
		return cli.Misusef("no address is given: name one, such as 192.0.2.7")
	case v.agent == "" && len(v.ranges)+len(v.below) > 0:
		return cli.Misusef("--ranges and --below are for one robot: name it with --agent, such as --agent Googlebot")
	}
	var addresses []netip.Addr
	for _, arg := range args {
		addr, err := netip.ParseAddr(strings.Trim(arg, "[]"))
		if err != nil {
			return cli.Misusef("%q is not an IP address: name one, such as 192.0.2.7 or 2001:db8::7", arg)
		}
		addresses = append(addresses, addr)
	}
	known, err := v.table.read(cmd)
	if err != nil {
		return err
	}
	if v.agent == "" {
		return v.whose(ctx, cmd, addresses, known)
	}
	a := known.Named(v.agent)
	if found, exact := known.Search(v.agent); exact {
		a = found[0]
	} else if named, err := known.Resolve(v.agent); err == nil && len(named) == 1 {
		a = known.Named(named[0].Tokens[0])
	} else if err == nil {
		return cli.Misusef("--agent %s stands for %d robots: name one, such as %s", shown(v.agent), len(named),
			named[0].Tokens[0])
	}
	recipe := a.Recipe()
	if len(v.ranges)+len(v.below) > 0 {
		recipe = agent.Recipe{Ranges: v.ranges, DNS: v.below}
	} else if !a.Known() {
		return cli.Misusef("no robot %q is known: see 'robots agents', or name its addresses with --ranges or --below",
			v.agent)
	}
	checker := &agent.Verifier{Folder: v.folder, Timeout: v.timeout, Server: v.dns}
	if !v.offline {
		checker.Client = &http.Client{Transport: fetch.DialFilter{}.Transport()}
	}
	var verdicts []agent.Verdict
	has := make(map[agent.Result]bool)
	for _, addr := range addresses {
		if a.Device && len(v.ranges)+len(v.below) == 0 {
			verdicts = append(verdicts, agent.Verdict{Address: addr, Result: agent.Device})
			has[agent.Device] = true
			continue
		}
		verdict, err := checker.Verify(ctx, addr, recipe)
		if ctx.Err() != nil {
			return cli.ErrInterrupted
		}
		if err != nil {
			return err
		}
		verdicts = append(verdicts, verdict)
		has[verdict.Result] = true
	}
	out := bufio.NewWriter(cmd.OutOrStdout())
	if v.json {
		b := printable.AppendJSON([]byte(`{"agent": `), a.Token)
		b = printable.AppendJSON(append(b, `, "verdicts": `...), verdicts)
		out.Write(printable.JSON(append(b, "}\n"...)))
	} else {
		(&say.Printer{W: out, Color: cli.Colored(cmd, cmd.OutOrStdout())}).Verdicts(verdicts)
	}
	switch err := out.Flush(); {
	case err != nil:
		return cli.Unwritten("the verdicts", err)
	case has[agent.Forged]:
		return cli.ErrNo
	case has[agent.Unverifiable] || has[agent.Device]:
		return cli.ErrFailed
	}
	return nil
}
