package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/fatal"
)

// An lspClient is an editor that has started "robots lsp". It accepts only messages that
// conform exactly to the protocol.
type lspClient struct {
	t    *testing.T
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	open map[string]bool // requests without an answer, by ID

	stderr strings.Builder
	once   sync.Once
	err    error // of the process
}

// An lspMessage is a message from the server.
type lspMessage struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`

	text []byte
}

func startLSP(t *testing.T, args ...string) *lspClient {
	t.Helper()
	c := &lspClient{t: t, open: make(map[string]bool), cmd: robotsProcess(t, append([]string{"lsp"}, args...)...)}
	c.cmd.Env = append(c.cmd.Environ(), "LANGUAGE=", "LC_ALL=C")
	c.cmd.Stderr = &c.stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := c.cmd.StdoutPipe()
	fatal.If(t, err)
	c.out = bufio.NewReader(out)
	fatal.If(t, c.cmd.Start())
	t.Cleanup(func() {
		c.in.Close()
		c.wait()
	})
	return c
}

// wait returns the exit status of the server. It drops the messages that the server still
// writes.
func (c *lspClient) wait() int {
	c.once.Do(func() {
		io.Copy(io.Discard, c.out)
		c.err = c.cmd.Wait()
	})
	return c.cmd.ProcessState.ExitCode()
}

// write sends bytes. It may be called by any goroutine.
func (c *lspClient) write(octets string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, octets); err != nil {
		c.t.Errorf("the server does not read: %v", err)
	}
}

// send sends a message.
func (c *lspClient) send(message string) {
	c.t.Helper()
	c.write(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message))
}

// notify sends a notification.
func (c *lspClient) notify(method string, params any) {
	c.t.Helper()
	c.send(lspJSON(c.t, map[string]any{"jsonrpc": "2.0", "method": method, "params": params}))
}

// request sends a request, and returns its ID.
func (c *lspClient) request(method string, params any) string {
	c.t.Helper()
	id := strconv.Itoa(1000 + len(c.open))
	c.open[id] = true
	c.send(lspJSON(c.t, map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method,
		"params": params}))
	return id
}

// call sends a request and stores its result in the caller's variable. It drops the messages
// that the server sends before the answer.
func (c *lspClient) call(method string, params, result any) {
	c.t.Helper()
	id := c.request(method, params)
	for {
		m := c.next()
		if string(m.ID) != id || m.Method != "" {
			continue
		}
		if m.Error != nil {
			c.t.Fatalf("%s: %s", method, m.text)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				c.t.Fatalf("%s: %v: %s", method, err, m.text)
			}
		}
		return
	}
}

// notified returns the params of the next notification of a method.
func (c *lspClient) notified(method string, params any) {
	c.t.Helper()
	for {
		if m := c.next(); m.Method == method {
			if err := json.Unmarshal(m.Params, params); err != nil {
				c.t.Fatalf("%v: %s", err, m.text)
			}
			return
		}
	}
}

// next returns the next message of the server.
func (c *lspClient) next() *lspMessage {
	c.t.Helper()
	m, err := c.receive()
	if err != nil {
		c.t.Fatalf("%v; the server says %q", err, c.stderr.String())
	}
	return m
}

var lspHeader = regexp.MustCompile(`^Content-Length: (0|[1-9][0-9]*)\r\n$`)

func (c *lspClient) receive() (*lspMessage, error) {
	line, err := c.out.ReadString('\n')
	if err != nil {
		return nil, err
	}
	length := lspHeader.FindStringSubmatch(line)
	if length == nil {
		return nil, fmt.Errorf("the header starts with %q", line)
	}
	if line, err := c.out.ReadString('\n'); line != "\r\n" {
		return nil, fmt.Errorf("the header goes on with %q, %v", line, err)
	}
	size, err := strconv.Atoi(length[1])
	if err != nil {
		return nil, err
	}
	m := &lspMessage{text: make([]byte, size)}
	if _, err := io.ReadFull(c.out, m.text); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(m.text))
	var members map[string]json.RawMessage
	if err := d.Decode(&members); err != nil {
		return nil, fmt.Errorf("%w: %q", err, m.text)
	}
	if d.More() || string(members["jsonrpc"]) != `"2.0"` {
		return nil, fmt.Errorf("not a message: %s", m.text)
	}
	if err := json.Unmarshal(m.text, m); err != nil {
		return nil, err
	}
	_, hasID := members["id"]
	_, hasResult := members["result"]
	_, hasError := members["error"]
	_, hasMethod := members["method"]
	switch {
	case hasMethod && !hasResult && !hasError:
	case !hasMethod && hasID && hasResult != hasError:
		id := string(m.ID)
		if id != "null" && !c.open[id] {
			return nil, fmt.Errorf("an answer to nothing: %s", m.text)
		}
		c.open[id] = false
	default:
		return nil, fmt.Errorf("neither a request nor an answer: %s", m.text)
	}
	return m, nil
}

func lspJSON(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	fatal.If(t, e.Encode(v))
	return strings.TrimSuffix(b.String(), "\n")
}
