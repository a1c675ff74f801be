package lsp

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/creachadair/jrpc2"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/lint"
)

// A session is the conversation with one client.
//
// It is the Assigner of package jrpc2, which calls Assign for the messages in order, one at a
// time, and runs the returned handlers concurrently. So a method does at once what must be done
// in order: it changes the session, or gets the document of the request, which is immutable. It
// leaves the rest to the handler.
// later.
type session struct {
	server     *Server
	rpc        *jrpc2.Server
	publishers publishers
	slots      chan struct{} // limits the number of concurrent handlers

	// Only methods, which run one at a time, use these fields.
	state     state
	client    *client
	settings  settings
	documents map[string]*document // the newest version of each open document, by URI
	serial    int                  // of the newest document
	told      map[string]bool      // messages that the user has seen

	mu      sync.Mutex
	shut    bool                          // the client asked for a shutdown
	running map[string]context.CancelFunc // unanswered requests, by ID
}

// A state is the state of a session.
type state uint8

const (
	fresh   state = iota // before initialize
	serving              // after initialize
	ending               // after shutdown: only exit is allowed
)

// A work computes the answer of a request, or completes a notification.
type work func(ctx context.Context) (any, error)

// methods has the supported messages.
var methods = map[string]func(*session, *jrpc2.Request) (work, error){
	"initialize":      (*session).initialize,
	"initialized":     ignored,
	"shutdown":        (*session).shutdown,
	"exit":            (*session).exit,
	"$/cancelRequest": (*session).cancel,
	"$/setTrace":      ignored,
	skippedMethod:     (*session).skipped,

	"workspace/didChangeConfiguration": (*session).configure,
	"textDocument/didOpen":             (*session).open,
	"textDocument/didChange":           (*session).change,
	"textDocument/didSave":             ignored,
	"textDocument/didClose":            (*session).close,

	"textDocument/diagnostic":        asked((*document).pull),
	"textDocument/hover":             asked((*document).hover),
	"textDocument/completion":        asked((*document).completion),
	"textDocument/codeAction":        asked((*document).codeActions),
	"textDocument/formatting":        asked((*document).formatting),
	"textDocument/rangeFormatting":   asked((*document).rangeFormatting),
	"textDocument/documentSymbol":    asked((*document).symbols),
	"textDocument/foldingRange":      asked((*document).folds),
	"textDocument/documentHighlight": asked((*document).highlights),
	"textDocument/documentLink":      asked((*document).links),
	"textDocument/references":        asked((*document).references),
	"textDocument/definition":        asked((*document).references),
	"textDocument/prepareRename":     asked((*document).prepareRename),
	"textDocument/rename":            asked((*document).rename),

	"textDocument/codeLens":    (*session).lenses,
	"codeLens/resolve":         asked(resolve),
	"workspace/executeCommand": (*session).execute,

	"textDocument/semanticTokens/full":       asked(allTokens),
	"textDocument/semanticTokens/full/delta": asked(changedTokens),
	"textDocument/semanticTokens/range":      asked(rangeTokens),
}

func newSession(s *Server) *session {
	session := &session{
		server:    s,
		slots:     make(chan struct{}, runtime.GOMAXPROCS(0)),
		settings:  settings{profile: lint.Recommended, language: s.Language, robots: s.Robots},
		documents: make(map[string]*document),
		told:      make(map[string]bool),
		running:   make(map[string]context.CancelFunc),
	}
	session.publishers = publishers{publish: session.publish, next: make(map[string]*document)}
	return session
}

// Assign implements [jrpc2.Assigner].
func (s *session) Assign(ctx context.Context, name string) jrpc2.Handler {
	req := jrpc2.InboundRequest(ctx)
	method := methods[name]
	err := s.refusal(name)
	if method == nil && err == nil {
		return nil // jrpc2 answers the request with an error
	}
	var w work
	if err == nil {
		w, err = method(s, req)
	}
	if req.IsNotification() {
		told := s.state == serving
		return func(ctx context.Context, _ *jrpc2.Request) (any, error) {
			if err != nil && told {
				s.log(messageError, name+": "+reason(err))
			}
			if w != nil {
				return w(ctx)
			}
			return nil, nil
		}
	}
	if err != nil || w == nil {
		return func(context.Context, *jrpc2.Request) (any, error) { return nil, err }
	}
	ctx, done := s.begin(ctx, req.ID())
	return func(context.Context, *jrpc2.Request) (any, error) {
		defer done()
		return await(ctx, name, w)
	}
}

// await runs the work of a request and returns its answer, or an error as soon as the request
// is cancelled. Work that cannot be cancelled continues, and its result is dropped.
func await(ctx context.Context, name string, w work) (any, error) {
	type result struct {
		answer any
		err    error
	}
	done := make(chan result, 1)
	go func() {
		answer, err := w(ctx)
		done <- result{answer, err}
	}()
	select {
	case r := <-done:
		if ctx.Err() == nil {
			return r.answer, r.err
		}
	case <-ctx.Done():
	}
	return nil, jrpc2.Errorf(requestCancelled, "%s was cancelled", name)
}

// reason returns the text of an error, without its code.
func reason(err error) string {
	if e, ok := errors.AsType[*jrpc2.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// refusal returns why a message is not allowed in the current state, or nil.
func (s *session) refusal(method string) error {
	switch {
	case method == "exit" || method == "$/cancelRequest" || method == skippedMethod:
		return nil
	case s.state == fresh && method != "initialize":
		return jrpc2.Errorf(serverNotInitialized, "the first request must be initialize")
	case s.state == serving && method == "initialize":
		return jrpc2.Errorf(jrpc2.InvalidRequest, "initialize was called before")
	case s.state == ending:
		return jrpc2.Errorf(jrpc2.InvalidRequest, "the server was shut down: exit is the only message that may follow")
	}
	return nil
}

// begin returns a context for a request, which cancel can cancel.
func (s *session) begin(ctx context.Context, id string) (_ context.Context, done func()) {
	ctx, stop := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running[id] = stop
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, id)
		stop()
	}
}

// work waits for a slot and then runs do, unless it is cancelled before.
func (s *session) work(ctx context.Context, do func()) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
		do()
	case <-ctx.Done():
	}
}

// asked returns a method that answers a question about an open document. The document is
// removed from the parameters, because the question no longer needs it.
func asked[P interface{ uri() string }](answer func(*document, *client, P) (any, error)) func(*session,
	*jrpc2.Request) (work, error) {
	return func(s *session, req *jrpc2.Request) (work, error) {
		var params P
		if err := req.UnmarshalParams(&params); err != nil {
			return nil, err
		}
		d := s.documents[params.uri()]
		if d == nil {
			return nil, notOpen(params.uri())
		}
		client := s.client
		return func(ctx context.Context) (result any, err error) {
			s.work(ctx, func() { result, err = answer(d, client, params) })
			return result, err
		}, nil
	}
}

func (p documentParams) uri() string   { return p.Document.URI }
func (p placeParams) uri() string      { return p.Document.URI }
func (p codeActionParams) uri() string { return p.Document.URI }
func (p pullParams) uri() string       { return p.Document.URI }
func (p rangeParams) uri() string      { return p.Document.URI }
func (p renameParams) uri() string     { return p.Document.URI }

// maxShown is the maximum number of bytes of a client's text that are shown to it.
const maxShown = 200

func notOpen(uri string) error {
	return jrpc2.Errorf(jrpc2.InvalidParams, "no document is open at %s", printable.Quoted(uri, maxShown))
}

// ignored is the method of notifications without effect.
func ignored(*session, *jrpc2.Request) (work, error) { return nil, nil }

// log writes a message to the log of the client. Methods must not call log, but their work may.
func (s *session) log(kind int, message string) {
	s.rpc.Notify(context.Background(), "window/logMessage", messageParams{kind, printable.Text(message)})
}

// show shows a message to the user.
func (s *session) show(kind int, message string) {
	s.rpc.Notify(context.Background(), "window/showMessage", messageParams{kind, printable.Text(message)})
}

// maxTold is the maximum number of remembered messages, each of which is shown once.
const maxTold = 1000

// first reports whether a message is shown for the first time.
func (s *session) first(message string) bool {
	if s.told[message] || len(s.told) == maxTold {
		return false
	}
	s.told[message] = true
	return true
}
