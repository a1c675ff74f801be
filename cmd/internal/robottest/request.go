package robottest

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// A Request is one request of the robot. Its texts are those of strangers.
type Request struct {
	Start     time.Time `json:"start"`
	End       time.Time `json:"end,omitzero"` // zero while it is open
	Host      string    `json:"host"`
	Method    string    `json:"method"`
	Target    string    `json:"target"`
	Status    int       `json:"status"` // 0 if the server closed the connection without an answer
	UserAgent string    `json:"user_agent"`

	begin, end  int    // positions among the starts and ends of all requests; end is 0 while it is open
	path        string // of the target, without the query
	client      netip.Addr
	port        uint16 // of the client: requests with the same one came on one connection
	bytes       int64
	named       bool // it came by the name of the host, and not by its port
	ahead       bool // the client may have sent it before it had the answer to the last request on this connection
	early       bool // the client left before the end of the answer
	conditional bool
	from        bool          // it had a From field with a mailbox
	until       time.Duration // from the end, as Retry-After asked
	tokens      []string      // in the robots.txt that was the answer
}

// maxText limits the texts of a request that are kept.
const maxText = 512

// A visit is a request that is being answered.
type visit struct {
	*Request
	in     *http.Request
	target string   // as in the request line
	path   string   // of the target, whole
	tokens []string // of the robot
	base   func(s *site) string
	n      int // requests of this sort to the site before
}

// clip cuts a text to what is kept, in memory of its own.
func clip(text string) string { return strings.Clone(text[:min(len(text), maxText)]) }

// line returns the request in the format vhost-combined, with a User-Agent.
func (r *Request) line(userAgent string) string {
	client := "-"
	if r.client.IsValid() {
		client = r.client.String()
	}
	return fmt.Sprintf("%s %s - - [%s] \"%s %s HTTP/1.1\" %d %d \"-\" \"%s\"\n", r.Host, client,
		r.Start.UTC().Format("02/Jan/2006:15:04:05 -0700"), logged(r.Method), logged(r.Target), r.Status, r.bytes,
		logged(userAgent))
}

// logged returns a text with the escapes of nginx, whose log has printable ASCII only.
func logged(text string) string {
	var b strings.Builder
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\x%02X`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
