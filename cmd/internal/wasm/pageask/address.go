package pageask

import (
	"net/netip"
	"strings"

	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/internal/printable"
)

// An addressQuestion asks whether an address is in a range document, which the operator of a robot
// publishes.
type addressQuestion struct {
	Address  string `json:"address"`
	Document string `json:"document"`
}

// An addressAnswer says whether the document lists the address.
type addressAnswer struct {
	Address string `json:"address"`
	Listed  bool   `json:"listed"`
	Prefix  string `json:"prefix,omitempty"` // the entry that lists it
	Entries int    `json:"entries"`          // of the document
	Skipped int    `json:"skipped,omitempty"`
}

// address answers page-address. It has no network: the question has the document.
func address(_ *engine.Engine, q addressQuestion) (*addressAnswer, error) {
	addr, err := netip.ParseAddr(strings.TrimSpace(q.Address))
	if err != nil {
		return nil, wrong(engine.BadValue, "%s is not an IP address: write one such as 66.249.66.1",
			printable.Quoted(q.Address, 80))
	}
	d, err := agent.InRanges([]byte(q.Document), addr)
	if err != nil {
		return nil, wrong(engine.BadValue, "%s", printable.Clipped(err.Error(), 200))
	}
	a := &addressAnswer{Address: addr.Unmap().String(), Listed: d.Result == agent.Verified, Entries: d.Prefixes,
		Skipped: d.Skipped}
	if a.Listed {
		a.Prefix = d.Prefix.String()
	}
	return a, nil
}
