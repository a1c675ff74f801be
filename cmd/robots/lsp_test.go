package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/internal/test/child"
	"github.com/robotsexclusion/robots/internal/test/fatal"
	"github.com/robotsexclusion/robots/lint"
)

// TestLSP holds the conversations of testdata/lsp with the command. A conversation is
// a file of paragraphs:
//
//	# the reason for the conversation, with the sections of the specification
//	> a message of the client, without "jsonrpc"
//	< a message of the server
//	wait METHOD
//	exit STATUS
//
// After a request, the server's messages up to its answer follow. After "wait", its messages
// up to a notification or a request with that method follow; after "exit", its messages until
// the server ends with this status. With -update, the test writes the server's messages anew.
// Long lists are cut, and versions are left out.
func TestLSP(t *testing.T) {
	files, err := filepath.Glob("testdata/lsp/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			fatal.If(t, err)
			want := string(data)
			got := converse(t, want)
			if *update && got != want {
				fatal.If(t, os.WriteFile(file, []byte(got), 0o666))
			} else if got != want {
				t.Errorf("%s: the server says something else; go test -run TestLSP -update shows what:\n%s", file,
					firstDifference(got, want))
			}
		})
	}
}

// firstDifference returns the lines around the first line that differs.
func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\ngot  %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// converse sends the client's messages of a conversation, and returns the conversation with
// the server's current messages.
func converse(t *testing.T, script string) string {
	c := startLSP(t)
	var b strings.Builder
	heard := func(m *lspMessage) { b.WriteString("< " + pretty(t, m.text) + "\n") }
	lines := strings.Split(strings.TrimSuffix(script, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		word, rest, _ := strings.Cut(line, " ")
		paragraph := line
		for i+1 < len(lines) && strings.HasPrefix(lines[i+1], "  ") {
			i++
			paragraph += "\n" + lines[i]
		}
		if word == "<" {
			continue
		}
		b.WriteString(paragraph + "\n")
		switch word {
		case "", "#":
		case ">":
			var message map[string]json.RawMessage
			if err := json.Unmarshal([]byte(strings.TrimPrefix(paragraph, "> ")), &message); err != nil {
				t.Fatalf("%v: %s", err, paragraph)
			}
			message["jsonrpc"] = json.RawMessage(`"2.0"`)
			id := string(message["id"])
			c.open[id] = id != ""
			c.send(lspJSON(t, message))
			for id != "" && message["method"] != nil {
				m := c.next()
				heard(m)
				if m.Method == "" && string(m.ID) == id {
					break
				}
			}
		case "wait":
			for {
				m := c.next()
				heard(m)
				if m.Method == rest {
					break
				}
			}
		case "exit":
			for {
				m, err := c.receive()
				if err != nil {
					break
				}
				heard(m)
			}
			if got := strconv.Itoa(c.wait()); got != rest || c.stderr.Len() > 0 {
				t.Errorf("exit status %s and %q, want %s", got, c.stderr.String(), rest)
			}
		default:
			t.Fatalf("what is %q?", line)
		}
	}
	return b.String()
}

// mostListed is the maximum number of list elements shown.
const mostListed = 12

var anyVersion = regexp.MustCompile(`("serverInfo":\{"name":"robots","version":)"[^"]*"`)

// pretty formats a message for reading: as one line if it is short, and else with its parts on
// separate lines.
func pretty(t *testing.T, message []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(anyVersion.ReplaceAll(message, []byte(`$1"VERSION"`))))
	d.UseNumber()
	var v map[string]any
	fatal.If(t, d.Decode(&v))
	delete(v, "jsonrpc")
	return prettyValue(t, v, "  ")
}

func prettyValue(t *testing.T, v any, indent string) string {
	const wide = 160
	list, isList := v.([]any)
	if more := len(list) - mostListed; more > 1 {
		list = append(slices.Clone(list[:mostListed]), fmt.Sprintf("and %d more", more))
		v = list
	}
	short := lspJSON(t, v)
	if len(short)+len(indent) <= wide && (!isList || len(list) < 2) {
		return short
	}
	var b strings.Builder
	switch v := v.(type) {
	case []any:
		b.WriteString("[")
		for i, element := range v {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n" + indent + prettyValue(t, element, indent+"  "))
		}
		b.WriteString("]")
	case map[string]any:
		b.WriteString("{")
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for i, name := range names {
			if i > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n" + indent + strconv.Quote(name) + ": " + prettyValue(t, v[name], indent+"  "))
		}
		b.WriteString("}")
	default:
		return short
	}
	return b.String()
}

// lspFile is the URI of the document of most tests.
const lspFile = "file:///srv/robots.txt"

// initialize starts a session with the capabilities of most editors.
func (c *lspClient) initialize(options string) {
	c.t.Helper()
	var params any
	if err := json.Unmarshal([]byte(`{"processId": null, "rootUri": null, "initializationOptions": `+options+`, "capabilities": {
		"general": {"positionEncodings": ["utf-16"]},
		"textDocument": {
			"publishDiagnostics": {"relatedInformation": true, "tagSupport": {"valueSet": [1, 2]}, "codeDescriptionSupport": true, "dataSupport": true},
			"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}}},
			"hover": {"contentFormat": ["markdown"]}}}}`), &params); err != nil {
		c.t.Fatal(err)
	}
	c.call("initialize", params, nil)
	c.notify("initialized", struct{}{})
}

// openFile opens a document.
func (c *lspClient) openFile(uri string, version int, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri,
		"languageId": "robotstxt", "version": version, "text": text}})
}

// replaceFile replaces the text of a document.
func (c *lspClient) replaceFile(uri string, version int, text string) {
	c.t.Helper()
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": uri, "version": version},
		"contentChanges": []any{map[string]any{"text": text}}})
}

// quit ends a session in order.
func (c *lspClient) quit() {
	c.t.Helper()
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	// The server must not wait for the end of its input.
	if status := c.wait(); status != 0 || c.stderr.Len() > 0 {
		c.t.Errorf("exit status %d and %q, want 0", status, c.stderr.String())
	}
}

// lspPublished has the params of textDocument/publishDiagnostics.
type lspPublished struct {
	URI         string
	Version     int
	Diagnostics []struct {
		Range    lspRange
		Severity int
		Code     string
		Message  string
	}
}

type lspPosition struct{ Line, Character int }

type lspRange struct{ Start, End lspPosition }

// After thousands of changes that arrive faster than the server can check them, the last
// diagnostics are those of the newest change, and no diagnostics follow those of a newer
// change. Two documents do not mix.
func TestLSPManyChanges(t *testing.T) {
	const n = 3000
	c := startLSP(t)
	c.initialize("null")
	other := lspFile + "?other"
	c.openFile(lspFile, 0, "")
	c.openFile(other, 0, "")
	done := make(chan bool)
	go func() {
		defer close(done)
		for i := 1; i <= n; i++ {
			c.replaceFile(lspFile, i, "User-agent: *\n"+
				strings.Repeat("Disallow: /x\n", i%50)+strings.Repeat("Disalow: /x\n", i%7))
			c.replaceFile(other, n+i, "Disallow: /x\n")
		}
	}()
	last := map[string]int{lspFile: -1, other: -1}
	var final lspPublished
	for last[lspFile] < n || last[other] < 2*n {
		var p lspPublished
		c.notified("textDocument/publishDiagnostics", &p)
		if p.Version <= last[p.URI] {
			t.Fatalf("version %d of %s is told after version %d", p.Version, p.URI, last[p.URI])
		}
		last[p.URI] = p.Version
		if p.URI == lspFile {
			final = p
		}
	}
	<-done
	if got := len(final.Diagnostics); got != n%7+len(lint.Run(robots.Parse([]byte("User-agent: *\n"+
		strings.Repeat("Disallow: /x\n", n%50))), lint.Options{}).Diagnostics) {
		t.Errorf("%d diagnostics of the newest version", got)
	}
	c.quit()
}

// The answer to a request is for the text at the time of the request, even with many requests
// open at the same time.
func TestLSPOrder(t *testing.T) {
	const n = 200
	c := startLSP(t)
	c.initialize("null")
	c.openFile(lspFile, 0, "")
	want := make(map[string]string)
	for i := range n {
		c.replaceFile(lspFile, i+1, fmt.Sprintf("User-agent: bot%d\nDisallow: /\n", i))
		id := c.request("textDocument/documentSymbol", map[string]any{"textDocument": map[string]any{"uri": lspFile}})
		want[id] = fmt.Sprintf(`"name":"bot%d"`, i)
	}
	for len(want) > 0 {
		if m := c.next(); m.Method == "" {
			if name, ok := want[string(m.ID)]; !ok || !bytes.Contains(m.Result, []byte(name+",")) {
				t.Errorf("got %s, want %s", m.text, name)
			}
			delete(want, string(m.ID))
		}
	}
	c.quit()
}

// The server answers a cancelled request at once, with the error code for that. Cancelling a
// request that already has its answer is not a failure.
func TestLSPCancel(t *testing.T) {
	c := startLSP(t)
	c.initialize("null")
	text := "User-agent: *\n" + strings.Repeat("Disallow: /some/path/*/to/look/at\n", 100_000)
	for i := range 20 {
		c.openFile(lspFile, i, text)
		id := c.request("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": lspFile},
			"range": lspRange{}, "context": map[string]any{}})
		c.notify("$/cancelRequest", map[string]any{"id": json.RawMessage(id)})
		m := c.next()
		for m.Method != "" {
			m = c.next()
		}
		if m.Error != nil {
			if m.Error.Code != -32800 || m.Error.Message != "textDocument/codeAction was cancelled" {
				t.Errorf("got %s", m.text)
			}
			c.quit()
			return
		}
	}
	t.Error("no request could be cancelled")
}

// All safe fixes together give the same text as package lint does, with characters of all
// sizes and line endings of all kinds in the file.
func TestLSPFixAll(t *testing.T) {
	text := "user-agent: *\r\nDisalow: /caf\u00e9 # \U0001F916\rDisallow: http://example.com/\U0001F916/x\r\nDisallow: /a\r\nDisallow: /a/b\r\nsitemap:https://example.com/s.xml"
	c := startLSP(t)
	c.initialize(`{"profile": "strict"}`)
	c.openFile(lspFile, 1, text)
	var actions []struct {
		Title, Kind string
		Edit        struct {
			Changes map[string][]struct {
				Range   lspRange
				NewText string
			}
		}
	}
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": lspFile},
		"range":   map[string]any{"start": lspPosition{}, "end": lspPosition{}},
		"context": map[string]any{"diagnostics": []any{}, "only": []string{"source.fixAll"}}}, &actions)
	if len(actions) != 1 || actions[0].Kind != "source.fixAll.robots" {
		t.Fatalf("got actions %v", actions)
	}
	got := text
	for _, edit := range slices.Backward(actions[0].Edit.Changes[lspFile]) {
		got = got[:utf16Offset(text, edit.Range.Start)] + edit.NewText + got[utf16Offset(text, edit.Range.End):]
	}
	if want := lint.Run(robots.Parse([]byte(text)), lint.Options{Profile: lint.Strict}).Fix(); got != want ||
		got == text {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	c.quit()
}

// utf16Offset returns the bytes of a text before a position.
func utf16Offset(text string, p lspPosition) int {
	offset := 0
	for range p.Line {
		end := strings.IndexAny(text[offset:], "\r\n")
		offset += end + 1
		if text[offset-1] == '\r' && strings.HasPrefix(text[offset:], "\n") {
			offset++
		}
	}
	for _, c := range text[offset:] {
		if p.Character <= 0 {
			break
		}
		p.Character--
		if c >= 0x10000 {
			p.Character--
		}
		offset += len(string(c))
	}
	return offset
}

// The server reports that a text is too large, in memory that does not grow with the text. The
// session continues.
func TestLSPLarge(t *testing.T) {
	c := startLSP(t)
	c.initialize("null")
	var p lspPublished
	c.openFile(lspFile, 1, strings.Repeat("Disallow: /\n", 400_000))
	c.notified("textDocument/publishDiagnostics", &p)
	if len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].Message, "larger than 4 MiB") {
		t.Fatalf("got %v", p)
	}
	// A change of a text that the server has dropped changes nothing.
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": lspFile, "version": 2},
		"contentChanges": []any{map[string]any{"range": lspRange{}, "text": "x"}}})
	c.notified("textDocument/publishDiagnostics", &p)
	if len(p.Diagnostics) != 1 || p.Version != 2 {
		t.Fatalf("got %v", p)
	}
	c.replaceFile(lspFile, 3, "Disallow: /\n")
	c.notified("textDocument/publishDiagnostics", &p)
	if len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "stray-rule" || p.Version != 3 {
		t.Fatalf("got %v", p)
	}

	// A message that the server did not read may have changed any document.
	const size = 1 << 30
	c.write(fmt.Sprintf("Content-Length: %d\r\n\r\n", size))
	chunk := strings.Repeat("x", 1<<20)
	for range size / len(chunk) {
		c.write(chunk)
	}
	var shown struct{ Message string }
	c.notified("window/showMessage", &shown)
	if !strings.HasPrefix(shown.Message, "a message of 1073741824 bytes was skipped") {
		t.Errorf("got %q", shown.Message)
	}
	c.notified("textDocument/publishDiagnostics", &p)
	if len(p.Diagnostics) != 1 || !strings.Contains(p.Diagnostics[0].Message, "a change of this file was lost") {
		t.Errorf("got %v", p)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": lspFile}})
	c.notified("textDocument/publishDiagnostics", &p)
	c.openFile(lspFile, 1, "Disallow: /\n")
	c.notified("textDocument/publishDiagnostics", &p)
	if len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "stray-rule" {
		t.Errorf("got %v", p)
	}
	c.quit()
	most := int64(512 << 20)
	if testing.Short() {
		most = size // with the race detector, on a busy machine, the server has needed 782 MiB
	}
	if used := child.Peak(c.cmd.ProcessState); used > most {
		t.Errorf("the server took %d MiB", used>>20)
	}
}

// The server ends when its client dies. It also ends, with a reason, when the client does not
// speak the protocol.
func TestLSPEnds(t *testing.T) {
	for _, test := range []struct {
		name, in string
		status   int
		stderr   string
	}{
		{"nothing", "", 1, ""},
		{"in a header", "Content-Le", 1, ""},
		{"in a message", "Content-Length: 10\r\n\r\n{", 1, ""},
		{"exit at once", "Content-Length: 33\r\n\r\n" + `{"jsonrpc":"2.0","method":"exit"}`, 1, ""},
		{"no length", "X: y\r\n\r\n", 2,
			"robots: cannot serve the editor: read the client's messages: the header of a message has no Content-Length\n"},
		{"an endless length", "Content-Length: 99999999999999999999\r\n\r\n", 2,
			"robots: cannot serve the editor: read the client's messages: the Content-Length of a message is \"99999999999999999999\", which is not a number of bytes\n"},
		{"no header", "{}\x1b\r\n", 2,
			"robots: cannot serve the editor: read the client's messages: the header of a message has the line \"{}\\x1b\", which is not \"name: value\"\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := startLSP(t, "--stdio")
			c.write(test.in)
			c.in.Close()
			if status := c.wait(); status != test.status || c.stderr.String() != test.stderr {
				t.Errorf("exit status %d and %q, want %d and %q", status, c.stderr.String(), test.status, test.stderr)
			}
		})
	}
}
