package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"syscall"

	"github.com/robotsexclusion/robots/cmd/internal/wasm/engine"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// An engine answers at once, and the verbs wait for files and servers. So a verb runs in a
// goroutine of its own, and JavaScript takes steps: each answer of the engine is what the verb
// needs next, and the question after it has what JavaScript got. One verb runs at a time.

// Questions returns the questions of JavaScript: "command" starts a verb, "step" goes on, and
// "public" is whether a verb may ask a server at an address.
func Questions() []engine.Question {
	s := new(steps)
	return []engine.Question{{Name: "command", Answer: s.start}, {Name: "step", Answer: s.next},
		{Name: "public", Answer: isPublic}}
}

// bad returns the error for a question that JavaScript should not ask.
func bad(message string, err error) error {
	if err != nil {
		message += err.Error()
	}
	return &engine.Error{Code: engine.BadValue, Message: message}
}

// A start is the question "command".
type start struct {
	Args      []string `json:"args"`
	Files     []string `json:"files"` // those arguments that are files
	Language  string   `json:"language"`
	Color     bool     `json:"color"`
	UserAgent string   `json:"user_agent"`
	Version   string   `json:"version"`
}

// A need is an answer to both questions: a verb needs a file, or an answer of a server, or is done.
type need struct {
	ID   int      `json:"id"`
	Read *read    `json:"read,omitempty"`
	Get  *get     `json:"get,omitempty"`
	Done *done    `json:"done,omitempty"`
	got  chan got // nil if the verb is done
}

// A read needs the content of a file, or of standard input: limit + 1 bytes at most.
type read struct {
	Name  string `json:"name"`
	Limit int64  `json:"limit"`
}

// A get needs the answer of a server, without following redirects.
type get struct {
	URL     string            `json:"url"`
	Header  map[string]string `json:"header"`
	Private bool              `json:"private"` // the address may be private
}

// A done verb has written, and has an exit status.
type done struct {
	Status int    `json:"status"`
	Out    string `json:"out"`
	Err    string `json:"err"`
}

// A got is the question "step": what a verb needed, or an error.
type got struct {
	ID     int         `json:"id"`
	Body   []byte      `json:"body"`
	Status int         `json:"status"`
	Header [][2]string `json:"header"`

	Code    string `json:"code"`    // of an error, such as ENOENT
	Message string `json:"message"` // of an error
	Address string `json:"address"` // of the host, and for ECONNREFUSED its port
}

// steps has the verb that runs.
type steps struct {
	mu    sync.Mutex
	last  int
	waits map[int]chan got // by the number of a need
	needs chan need
}

func (s *steps) start(_ *engine.Engine, object []byte) ([]byte, error) {
	var q start
	if err := json.Unmarshal(object, &q); err != nil {
		return nil, bad("the question is not that of a command: ", err)
	}
	s.waits, s.needs = make(map[int]chan got), make(chan need)
	needs := s.needs
	go func() {
		var out, errs bytes.Buffer
		private := new(bool)
		m := Machine{
			Language: q.Language, Color: q.Color, UserAgent: q.UserAgent, Version: q.Version, Out: &out, Err: &errs,
			Exists: func(name string) bool {
				for _, file := range q.Files {
					if file == name {
						return true
					}
				}
				return false
			},
			Read:      func(name string, limit int64) ([]byte, error) { return s.read(needs, name, limit) },
			Transport: transport{s, needs, private},
			Private:   private,
		}
		status := Run(context.Background(), m, q.Args)
		needs <- need{Done: &done{status, out.String(), errs.String()}}
	}()
	return s.wait()
}

// next gives the verb what it needed.
func (s *steps) next(_ *engine.Engine, object []byte) ([]byte, error) {
	var q got
	if err := json.Unmarshal(object, &q); err != nil {
		return nil, bad("the step is not of a form that is known: ", err)
	}
	s.mu.Lock()
	waits := s.waits[q.ID]
	delete(s.waits, q.ID)
	s.mu.Unlock()
	if waits == nil {
		return nil, bad("no verb waits for this step", nil)
	}
	waits <- q
	return s.wait()
}

// wait returns the next need of the verb.
func (s *steps) wait() ([]byte, error) {
	return printable.JSON(printable.AppendJSON(nil, <-s.needs)), nil
}

// ask waits until JavaScript has what a verb needs.
func (s *steps) ask(ctx context.Context, needs chan<- need, n need) (got, error) {
	n.got = make(chan got, 1)
	s.mu.Lock()
	s.last++
	n.ID = s.last
	s.waits[n.ID] = n.got
	s.mu.Unlock()
	select {
	case needs <- n:
	case <-ctx.Done():
		return got{}, ctx.Err()
	}
	select {
	case g := <-n.got:
		return g, nil
	case <-ctx.Done():
		return got{}, ctx.Err()
	}
}

func (s *steps) read(needs chan<- need, name string, limit int64) ([]byte, error) {
	g, err := s.ask(context.Background(), needs, need{Read: &read{name, limit}})
	switch {
	case err != nil:
		return nil, err
	case g.Code == "ENOENT":
		return nil, fs.ErrNotExist
	case g.Code == "EISDIR":
		return nil, userfile.ErrFolder
	case g.Code == "EACCES":
		return nil, fs.ErrPermission
	case g.Code != "":
		return nil, errors.New(printable.Clipped(g.Message, 200))
	}
	return g.Body, nil
}

// A transport makes requests by JavaScript.
type transport struct {
	*steps
	needs   chan<- need
	private *bool
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	q := &get{URL: r.URL.String(), Header: make(map[string]string), Private: *t.private}
	for name, values := range r.Header {
		q.Header[name] = strings.Join(values, ", ")
	}
	g, err := t.ask(r.Context(), t.needs, need{Get: q})
	host := r.URL.Hostname()
	switch {
	case err != nil:
		return nil, err
	case g.Code == "private":
		return nil, refusal(host, g.Address)
	case g.Code == "ENOTFOUND":
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	case g.Code == "EAI_AGAIN":
		return nil, &net.DNSError{Err: "server misbehaving", Name: host, IsTemporary: true}
	case g.Code == "ECONNREFUSED":
		if at, err := netip.ParseAddrPort(g.Address); err == nil {
			addr := net.TCPAddrFromAddrPort(at)
			return nil, &net.OpError{Op: "dial", Net: "tcp", Addr: addr, Err: syscall.ECONNREFUSED}
		}
		fallthrough
	case g.Code != "":
		return nil, errors.New(printable.Clipped(g.Message, 200))
	}
	answer := &http.Response{
		Status: http.StatusText(g.Status), StatusCode: g.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(http.Header), Body: io.NopCloser(bytes.NewReader(g.Body)), ContentLength: -1, Request: r,
	}
	for _, field := range g.Header {
		answer.Header.Add(field[0], field[1])
	}
	return answer, nil
}

// refusal returns the error for a host at an address that is not one of the Internet.
func refusal(host, address string) error {
	var refused *fetch.RefusedError
	err := fetch.DialFilter{}.Control(context.Background(), "tcp", net.JoinHostPort(address, "80"), nil)
	if addr, bad := netip.ParseAddr(address); errors.As(err, &refused) && bad == nil {
		refused.Host, refused.Addr = host, addr
		return refused
	}
	return errors.New("the address " + printable.Clipped(address, 60) + " is not allowed")
}

func isPublic(_ *engine.Engine, object []byte) ([]byte, error) {
	var q struct {
		Address string `json:"address"`
	}
	if err := json.Unmarshal(object, &q); err != nil {
		return nil, bad("the question is not about an address: ", err)
	}
	err := fetch.DialFilter{}.Control(context.Background(), "tcp", net.JoinHostPort(q.Address, "80"), nil)
	return printable.AppendJSON(nil, map[string]bool{"public": err == nil}), nil
}
