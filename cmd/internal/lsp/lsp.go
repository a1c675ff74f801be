// Package lsp is a language server for robots.txt: it answers an editor
// while a person writes one.
//
//	err := new(lsp.Server).Serve(os.Stdin, os.Stdout)
//
// It speaks the Language Server Protocol 3.17 with one client. It shows what package lint finds,
// with its fixes; explains the line under the cursor; completes fields, names of robots, values and
// lint's comments; lays the text, or some lines of it, out as package format does; gives an
// outline; finds the user-agent lines of a robot or of a rule; renames a product token in all of
// them; colours the text; and shows code lenses.
//
// # Documents
//
// Every document that the client opens is read as robots.txt according to RFC
// 9309. Texts are kept byte for byte, also where they are not UTF-8, and
// positions count what the client asks for: bytes, UTF-16 code units, or
// characters. A document of more than 4 MiB is not looked at, and has one
// diagnostic that says so.
//
// # Order
//
// Messages are taken one after another: a request is answered for the text as it
// was when the request came. Answers are computed at the same time as others, so
// they may come in another order. Of a document only the newest version is
// checked; diagnostics of an older one never come after those of a newer one.
//
// # Settings
//
// They come as initializationOptions, and later with
// workspace/didChangeConfiguration, there as they are or as the section
// "robots". One that is left out stays as it is, and null is the default.
//
//	{"profile": "strict", "enable": ["portability"], "disable": ["field-case"], "language": "es", "codeLens": false}
//
// The language of messages is else that of the client's locale.
package lsp

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots/agent"
)

// A Server answers an editor. The zero Server is ready for use, and may serve
// several clients.
type Server struct {
	Version  string       // of the program, which clients may show
	Language string       // its code, such as "es", for clients that do not ask for one
	Robots   *agent.Table // the robots that it knows; nil is the table of package agent
}

// ErrNoShutdown is what [Server.Serve] returns where the client left, or said
// exit, without a shutdown request before. The protocol asks for exit status 1
// then.
var ErrNoShutdown = errors.New("the client left without a shutdown request")

// Serve answers a client until it says exit or there is nothing more to read.
// The error is nil if the client shut the server down in order. A message is read
// into no more than some times 32 MiB; a larger one is skipped, and the client
// told.
//
// Serve does not wait for a read that has begun when the client says exit.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	session := newSession(s)
	session.rpc = jrpc2.NewServer(session, &jrpc2.ServerOptions{
		AllowPush:      true,
		DisableBuiltin: true,
		// Else requests would wait where they cannot be cancelled. How many are
		// computed at a time is limited by the session.
		Concurrency: math.MaxInt32,
	})
	w := newWire(in, out)
	err := session.rpc.Start(w).Wait()
	w.Close()
	session.publishers.stop()
	switch {
	case err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("read the client's messages: %w", err)
	case !session.isShut():
		return ErrNoShutdown
	}
	return nil
}
