//go:build js

// Editor is the language server as WebAssembly, for editors on machines without Go, and without a
// machine. JavaScript exchanges messages with it, each as a text of JSON.
//
// Before the start, JavaScript sets robotsReceive, a function that gets the messages of the server,
// and robotsLanguage. The program sets robotsSend, which takes those of the client. The program
// ends when the client says exit.
package main

import (
	"bytes"
	"fmt"
	"os"
	"syscall/js"

	"github.com/robotsexclusion/robots/cmd/internal/lsp"
)

func main() {
	global := js.Global()
	in := newInbox()
	global.Set("robotsSend", js.FuncOf(func(_ js.Value, args []js.Value) any {
		in.put(args[0].String())
		return nil
	}))
	server := &lsp.Server{Language: global.Get("robotsLanguage").String()}
	if err := server.Serve(in, outbox(global.Get("robotsReceive"))); err != nil {
		fmt.Fprintln(os.Stderr, "robots:", err)
		os.Exit(1)
	}
}

// An inbox reads the messages of the client, in the framing of the base protocol. Put never waits,
// because the browser does not run anything else while a callback waits.
type inbox struct {
	waiting []string
	frame   bytes.Buffer // of the message that is read
	wake    chan struct{}
}

func newInbox() *inbox {
	return &inbox{wake: make(chan struct{}, 1)}
}

// put adds a message. JavaScript, which runs on one thread, calls it while no goroutine runs.
func (in *inbox) put(message string) {
	in.waiting = append(in.waiting, message)
	select {
	case in.wake <- struct{}{}:
	default:
	}
}

// Read implements [io.Reader].
func (in *inbox) Read(p []byte) (n int, err error) {
	for in.frame.Len() == 0 {
		if len(in.waiting) == 0 {
			<-in.wake
			continue
		}
		message := in.waiting[0]
		in.waiting[0] = ""
		in.waiting = in.waiting[1:]
		fmt.Fprintf(&in.frame, "Content-Length: %d\r\n\r\n%s", len(message), message)
	}
	return in.frame.Read(p)
}

// An outbox writes the messages of the server, each in one Write after its header.
type outbox js.Value

// Write implements [io.Writer].
func (out outbox) Write(frame []byte) (n int, err error) {
	if _, message, ok := bytes.Cut(frame, []byte("\r\n\r\n")); ok {
		js.Value(out).Invoke(string(message))
	}
	return len(frame), nil
}
