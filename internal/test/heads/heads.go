// Package heads has answers of HTTP/1 with unusual and malformed heads, for tests of what reads
// them.
package heads

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/robotsexclusion/robots/internal/test/ports"
)

// Text is the text that the answers have.
const Text = "User-agent: *\nDisallow: /private/\n"

// A Head is an answer to a request for robots.txt. The server closes the connection after it.
type Head struct {
	Name   string
	Answer string

	// Read says that the answer is read: as Text, or as a redirect to Location if that is not
	// empty. Other answers are refused, or break off.
	Read     bool
	Location string
}

// All returns the answers.
func All() []Head {
	const ok = "HTTP/1.1 200 OK\r\n"
	length := fmt.Sprintf("Content-Length: %d\r\n", len(Text))
	chunks := fmt.Sprintf("\r\n%x\r\n%s\r\n0\r\n\r\n", len(Text), Text)
	var all []Head
	add := func(read bool, name, answer string) { all = append(all, Head{Name: name, Answer: answer, Read: read}) }
	status := func(read bool, name, line string) { add(read, name, line+"\r\n"+length+"\r\n"+Text) }
	field := func(read bool, name, line string) { add(read, name, ok+line+"\r\n"+length+"\r\n"+Text) }
	sized := func(read bool, name, fields string) { add(read, name, ok+fields+"\r\n\r\n"+Text) }
	chunked := func(read bool, name, fields string) { add(read, name, ok+fields+"\r\n"+chunks) }
	moved := func(name, location, to string) {
		all = append(all, Head{name, "HTTP/1.1 302 Found\r\nLocation: " + location + "\r\nContent-Length: 0\r\n\r\n",
			true, to})
	}

	field(true, "no colon", "An odd line")
	field(true, "no colon, then a folded line", "An odd line\r\n Content-Length: 3")
	field(true, "blank before the colon", "Content-Type : text/plain")
	field(true, "parentheses in a name", "X(Y): text/plain")
	field(true, "blank in a name", "X Y: text/plain")
	field(true, "quotes in a name", `"X": text/plain`)
	field(true, "slash and at in a name", "X/Y@Z: a")
	field(true, "tab in a name", "X\tY: a")
	field(true, "control octet in a name", "X\x02Y: a")
	field(true, "letters beyond ASCII in a name", "X-é: a")
	field(true, "empty name", ": x")
	field(true, "only a colon", ":")
	field(true, "NUL in a value", "X: a\x00b")
	field(true, "control octet in a value", "X: a\x01b")
	field(true, "escape in a value", "X: \x1b[31m")
	field(true, "DEL in a value", "X: a\x7fb")
	field(true, "CR in a value", "X: a\rb")
	field(true, "Latin-1 in a value", "X: caf\xe9")
	field(true, "folded line", "X: a\r\n b")
	field(true, "control octet in a folded line", "X: a\r\n b\x01")
	field(true, "folded first line", " X: a")
	field(true, "two folded first lines", "\tX: a\r\n \tContent-Length: 3")
	field(true, "long line", "X: "+strings.Repeat("a", 60_000))
	field(true, "many fields", strings.TrimSuffix(strings.Repeat("Set-Cookie: a="+strings.Repeat("x", 100)+"\r\n", 400),
		"\r\n"))
	field(false, "head too large", "Content-Security-Policy: "+strings.Repeat("https://a.example ", 8000))
	field(true, "empty encoding", "Content-Encoding:")
	field(true, "encoding twice", "Content-Encoding: identity\r\nContent-Encoding: identity")

	status(true, "no reason", "HTTP/1.1 200")
	status(true, "no blank before the reason", "HTTP/1.1 200OK")
	status(true, "tab before the reason", "HTTP/1.1 200\tOK")
	status(true, "two blanks before the status", "HTTP/1.1  200 OK")
	status(true, "tab before the status", "HTTP/1.1\t200 OK")
	status(true, "lower case", "http/1.1 200 OK")
	status(true, "mixed case", "Http/1.0 200 ok")
	status(true, "HTTP/2", "HTTP/2 200 OK")
	status(true, "HTTP/2.0", "HTTP/2.0 200 OK")
	status(true, "HTTP/1", "HTTP/1 200 OK")
	status(true, "HTTP/1.2", "HTTP/1.2 200 OK")
	status(false, "another protocol", "ICY 200 OK")
	status(false, "status of four digits", "HTTP/1.1 2000 OK")
	status(false, "status of two digits", "HTTP/1.1 20 OK")
	status(false, "no status", "HTTP/1.1 OK")
	status(false, "no version", "HTTP 200 OK")
	status(false, "no blank before the status", "HTTP/1.1200 OK")
	status(true, "empty lines before", "\r\n\n\r\nHTTP/1.1 200 OK")
	add(true, "lines end with LF", "HTTP/1.1 200 OK\nContent-Type: text/plain\n\n"+Text)
	add(true, "lines end with CR CR LF", "HTTP/1.1 200 OK\r\r\n"+length+"X: a\r\r\n\r\r\n"+Text)
	add(false, "no head", Text)
	add(false, "nothing", "")
	add(false, "half a head", ok+length)
	add(true, "100", "HTTP/1.1 100 Continue\r\n\r\n"+ok+length+"\r\n"+Text)
	add(true, "103 with odd fields", strings.Repeat("HTTP/1.1 103 Early Hints\r\nX(Y): a\r\nan odd line\r\n\r\n", 9)+ok+
		length+"\r\n"+Text)

	sized(true, "no length", "X: a")
	sized(true, "length twice", length+strings.TrimSpace(length))
	sized(true, "length twice in a line", fmt.Sprintf("Content-Length: %d, %[1]d", len(Text)))
	sized(true, "length with a plus", fmt.Sprintf("Content-Length: +%d", len(Text)))
	sized(true, "length with zeros", fmt.Sprintf("Content-Length: 000%d", len(Text)))
	sized(true, "length in a folded line", fmt.Sprintf("Content-Length:\r\n %d", len(Text)))
	sized(true, "length with a plus and without", fmt.Sprintf("Content-Length: +%d\r\nContent-Length: %[1]d",
		len(Text)))
	sized(true, "length -1", "Content-Length: -1")
	sized(true, "length with a semicolon", fmt.Sprintf("Content-Length: %d;", len(Text)))
	sized(true, "length with a unit", fmt.Sprintf("Content-Length: %d bytes", len(Text)))
	sized(true, "length with a fraction of nothing", fmt.Sprintf("Content-Length: %d.0", len(Text)))
	sized(true, "length with a parameter", fmt.Sprintf("Content-Length: %d; charset=utf-8", len(Text)))
	sized(false, "length in kilobytes", "Content-Length: 1 KB")
	sized(false, "length with a point between thousands", "Content-Length: 1.000")
	sized(false, "length and a number", "Content-Length: 3; 4")
	sized(false, "length with a fraction", "Content-Length: 5.5")
	sized(false, "length of hexadecimal digits", fmt.Sprintf("Content-Length: 0x%x", len(Text)))
	sized(false, "length in quotes", fmt.Sprintf(`Content-Length: "%d"`, len(Text)))
	sized(true, "length behind a blank", fmt.Sprintf("Content-Length : %d", len(Text)))
	sized(false, "two lengths", "Content-Length: 5\r\n"+strings.TrimSpace(length))
	sized(false, "two lengths in a line", fmt.Sprintf("Content-Length: %d, 5", len(Text)))
	sized(false, "two lengths with signs", fmt.Sprintf("Content-Length: %d\r\nContent-Length: -1", len(Text)))
	sized(false, "two lengths in a folded line", "Content-Length: 3\r\n 4")
	sized(false, "length of letters", "Content-Length: abc")
	sized(false, "empty length", "Content-Length:")
	sized(false, "length 0", "Content-Length: 0")
	sized(false, "length too large", "Content-Length: 9999")
	sized(false, "length without end", "Content-Length: 99999999999999999999")
	sized(false, "length behind a control octet", "\x01Content-Length: 3")

	chunked(true, "chunks", "Transfer-Encoding: Chunked")
	chunked(true, "chunks and a length", "Transfer-Encoding: chunked\r\n"+strings.TrimSpace(length))
	chunked(true, "chunks twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")
	chunked(true, "chunks twice in a line", "Transfer-Encoding: chunked, chunked")
	chunked(true, "chunks and identity", "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked")
	chunked(false, "gzip and chunks", "Transfer-Encoding: gzip, chunked")
	chunked(false, "chunks in quotes", `Transfer-Encoding: "chunked"`)
	chunked(false, "chunks behind a blank", "Transfer-Encoding : chunked")
	chunked(false, "chunks and a parameter", "Transfer-Encoding: chunked; q=1")
	chunked(false, "chunks behind a tab", "Transfer-Encoding\t: chunked")
	sized(true, "identity", "Transfer-Encoding: identity")
	sized(true, "identity and a length", "Transfer-Encoding: Identity\r\n"+strings.TrimSpace(length))
	sized(true, "empty transfer encoding", "Transfer-Encoding:")
	sized(true, "coding none", "Transfer-Encoding: none\r\n"+strings.TrimSpace(length))
	sized(true, "coding of a MIME part", "Transfer-Encoding: binary")
	sized(true, "coding of a MIME part and a length", "Transfer-Encoding: 8bit\r\n"+strings.TrimSpace(length))
	sized(true, "charset as a coding", "Transfer-Encoding: UTF-8\r\n"+strings.TrimSpace(length))
	sized(false, "chunks that are none", "Transfer-Encoding: chunked")
	add(true, "chunk with blanks", strings.Replace(ok+"Transfer-Encoding: chunked\r\n"+chunks, "22\r\n",
		"22   \r\n", 1))
	add(true, "chunks of HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n"+chunks)
	add(true, "chunks of HTTP/1.0 and a length", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n"+length+chunks)
	add(false, "chunks without an end", strings.TrimSuffix(ok+"Transfer-Encoding: chunked\r\n"+chunks, "0\r\n\r\n"))

	moved("redirect in UTF-8", "/röbots", "/r%C3%B6bots")
	moved("redirect in Latin-1", "/r\xf6bots", "/r%F6bots")
	moved("redirect with a tab", "/ro\tbots", "/robots")
	moved("redirect with an escape", "/ro\x1bbots", "/ro%1Bbots")
	moved("redirect with a blank", "/ro bots", "/ro%20bots")
	moved("two redirects", "/a\r\nLocation: /b", "/a")
	return all
}

// Serve returns the origin of a server that answers requests for /robots.txt with the head, and all
// others with Text.
func Serve(t *testing.T, h Head) string {
	t.Helper()
	return "http://" + ports.Serve(t, func(c net.Conn) { Answer(c, h) })
}

// Answer answers one request of a connection.
func Answer(c net.Conn, h Head) {
	r, err := http.ReadRequest(bufio.NewReader(c))
	if err != nil {
		return
	}
	if r.URL.Path != "/robots.txt" {
		h.Answer = fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(Text), Text)
	}
	io.WriteString(c, h.Answer)
	if half, ok := c.(interface{ CloseWrite() error }); ok { // an unread byte would reset the connection
		half.CloseWrite()
		io.Copy(io.Discard, c)
	}
}
