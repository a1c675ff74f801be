package lsp_test

import (
	"fmt"
	"io"
	"strings"

	"github.com/robotsexclusion/robots/cmd/internal/lsp"
)

// A server talks to one client, usually an editor, over standard input and output:
// new(lsp.Server).Serve(os.Stdin, os.Stdout). Here the client opens a file, and the server reports
// a misspelling.
func Example() {
	in, send := io.Pipe()
	receive, out := io.Pipe()
	go new(lsp.Server).Serve(in, out)
	go func() {
		for _, message := range []string{
			`{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}`,
			`{"jsonrpc": "2.0", "method": "initialized", "params": {}}`,
			`{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument":
				{"uri": "file:///robots.txt", "languageId": "robots", "version": 1, "text": "User-agent: *\nDisalow: /x\n"}}}`,
		} {
			fmt.Fprintf(send, "Content-Length: %d\r\n\r\n%s", len(message), message)
		}
	}()
	var answers strings.Builder
	for part := make([]byte, 4<<10); !strings.Contains(answers.String(), "misspelt-field"); {
		n, _ := receive.Read(part)
		answers.Write(part[:n])
	}
	fmt.Println("a misspelt field is reported")
	// Output:
	// a misspelt field is reported
}
