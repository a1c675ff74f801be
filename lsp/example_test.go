package lsp_test

import (
	"log"
	"os"

	"github.com/robotsexclusion/robots/lsp"
)

// A server talks to one client, usually an editor over standard input and output.
func Example() {
	if err := new(lsp.Server).Serve(os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}
