package agent_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/netip"

	"github.com/robotsexclusion/robots/agent"
)

func ExampleVerifier_Verify() {
	// How the operator says that its robot can be verified. A path of a file
	// may stand for an https URL.
	recipe := agent.Recipe{Ranges: []string{"testdata/examplebot.json"}}

	verifier := new(agent.Verifier)
	for _, addr := range []string{"192.0.2.7", "2001:db8:17::1", "198.51.100.1"} {
		verdict, err := verifier.Verify(context.Background(), netip.MustParseAddr(addr), recipe)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(verdict)
	}
	// Output:
	// verified: 192.0.2.7 is in 192.0.2.0/27 of testdata/examplebot.json, created 2026-11-20T08:00:00Z
	// verified: 2001:db8:17::1 is in 2001:db8:17::/48 of testdata/examplebot.json, created 2026-11-20T08:00:00Z
	// forged: 198.51.100.1 is in none of the 2 prefixes of testdata/examplebot.json, created 2026-11-20T08:00:00Z
}

func ExampleVerifier() {
	verifier := &agent.Verifier{
		Client: http.DefaultClient,         // fetches range documents
		Folder: "/var/cache/robots/ranges", // and keeps them
	}
	recipe := agent.Recipe{
		Ranges: []string{"https://bot.example.com/ranges.json"},
		DNS:    []string{"crawl.example.com"},
	}
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil {
			http.Error(w, "no address", http.StatusInternalServerError)
			return
		}
		verdict, err := verifier.Verify(r.Context(), from.Addr(), recipe)
		if err == nil && verdict.Result == agent.Forged {
			http.Error(w, verdict.String(), http.StatusForbidden)
		}
	})
}
