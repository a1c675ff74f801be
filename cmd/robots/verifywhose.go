package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/spf13/cobra"
)

// An unknownAddress is an address that no known robot has, with the answer of the DNS.
type unknownAddress struct {
	Address netip.Addr `json:"address"`
	Why     string     `json:"why"`
}

// whose prints whose robots have addresses: by the lists in the folder of --cache, and by the names
// in the DNS. It fetches no list: those of all operators are many.
func (v *verifier) whose(ctx context.Context, cmd *cobra.Command, addresses []netip.Addr, known *agent.Table) error {
	checker := &agent.Verifier{Folder: v.folder, Timeout: v.timeout, Server: v.dns}
	var owners []say.Owner
	var missing []error
	unknown := []unknownAddress{}
	for _, addr := range addresses {
		found, why, err := v.owners(ctx, checker, addr, known)
		switch {
		case ctx.Err() != nil:
			return cli.ErrInterrupted
		case err != nil:
			return err
		case len(found) == 0:
			missing = append(missing, v.nobody(addr, why))
			unknown = append(unknown, unknownAddress{addr, why})
		}
		owners = append(owners, found...)
	}
	object := struct {
		Owners  []say.Owner      `json:"owners"`
		Unknown []unknownAddress `json:"unknown"`
	}{append([]say.Owner{}, owners...), unknown}
	err := cli.Output(cmd, "the robots", v.json, object, func(w io.Writer) {
		say.Owners(&say.Printer{W: w, Color: cli.Colored(cmd, cmd.OutOrStdout())}, owners)
	})
	if err != nil {
		return err
	}
	if len(missing) > 0 {
		return cli.ReportFailures(cmd, missing)
	}
	return nil
}

// owners returns the robots that have an address, by each proof. If there are none, why is the
// answer of the DNS.
func (v *verifier) owners(ctx context.Context, checker *agent.Verifier, addr netip.Addr, known *agent.Table) (
	found []say.Owner, why string, err error) {
	add := func(token, why string) {
		at := slices.IndexFunc(found, func(o say.Owner) bool { return o.Why == why })
		if at < 0 {
			at, found = len(found), append(found, say.Owner{Address: addr, Why: why})
		}
		found[at].Robots = append(found[at].Robots, token)
	}
	var domains []string
	for a := range known.All() {
		recipe := a.Recipe()
		domains = append(domains, recipe.DNS...)
		if v.folder == "" || len(recipe.Ranges) == 0 {
			continue
		}
		verdict, err := checker.Verify(ctx, addr, agent.Recipe{Ranges: recipe.Ranges})
		if err != nil {
			return nil, "", err
		}
		if verdict.Result == agent.Verified {
			add(a.Token, verdict.Why())
		}
	}
	slices.Sort(domains)
	verdict, err := checker.Verify(ctx, addr, agent.Recipe{DNS: slices.Compact(domains)})
	if err != nil || verdict.Reverse == nil {
		return found, "", err
	}
	for _, name := range verdict.Reverse.Names {
		if name.Result != agent.Verified {
			continue
		}
		for a := range known.All() {
			if slices.Contains(a.Recipe().DNS, name.Below) {
				add(a.Token, fmt.Sprintf("%s has the name %s, which has that address", addr, name.Name))
			}
		}
	}
	if names := verdict.Reverse.Names; len(names) > 0 {
		why = "its name is " + printable.Quoted(names[0].Name, 100)
	} else if verdict.Reverse.Error != "" {
		why = verdict.Reverse.Error
	} else {
		why = "it has no name"
	}
	return found, why, nil
}

// nobody returns the error for an address that no known robot has, with what to add.
func (v *verifier) nobody(addr netip.Addr, why string) error {
	if v.folder == "" {
		return fmt.Errorf("the DNS shows no known robot at %s (%s): --cache DIR looks in the operators' lists too, "+
			"after 'robots agents ranges update --cache DIR'; --agent asks about one robot", addr, why)
	}
	return fmt.Errorf("neither the lists in %s nor the DNS show a known robot at %s (%s): --agent asks about one robot",
		shown(v.folder), addr, why)
}
