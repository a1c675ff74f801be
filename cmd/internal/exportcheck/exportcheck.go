// Package exportcheck starts a web server with exported configuration in a temporary folder, asks
// it for a sample of targets, and compares its answers with the policy.
package exportcheck

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/export"
	"github.com/robotsexclusion/robots/internal/http/webserver"
)

// A Report is the outcome of a check.
type Report struct {
	Requests  int     `json:"requests"`
	Refused   int     `json:"refused"`   // with 403, rightly
	Malformed int     `json:"malformed"` // refused by the server itself: 400, 404, 405 or 414
	Wrong     []Wrong `json:"wrong"`
}

// A Wrong is an answer that differs from the policy.
type Wrong struct {
	Target    string `json:"target"`
	UserAgent string `json:"user_agent"`
	Status    int    `json:"status"`
	Match     string `json:"match"` // of the policy
}

// maxTime is the maximum time of a check. Varnish compiles large files for minutes.
const maxTime = 10 * time.Minute

// Check starts a server with the configuration of a policy on a socket of a temporary folder, or on
// the loopback, and stops the server before it returns.
func Check(ctx context.Context, server string, p *robots.Policy, o export.Options) (*Report, error) {
	dir, err := os.MkdirTemp("", "rx")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // the server may change its user
		return nil, err
	}
	o.Folder = dir
	// The check asks from the loopback.
	o.PassAddresses = slices.DeleteFunc(slices.Clone(o.PassAddresses),
		func(p netip.Prefix) bool { return p.Contains(netip.AddrFrom4([4]byte{127, 0, 0, 1})) })
	config, err := export.Write(server, p, o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	running, err := webserver.Start(ctx, server, dir, siteOf(config))
	if err != nil {
		return nil, err
	}
	defer running.Stop()
	r := Report{Wrong: []Wrong{}}
	client := &client{server: running}
	defer client.close()
	asked := targets(p, o)
	for _, header := range headers(p) {
		for _, target := range asked {
			if err := r.ask(client, server, p, o, target, header); err != nil {
				return nil, fmt.Errorf("%s does not answer: %w", server, err)
			}
		}
	}
	return &r, nil
}

// siteOf returns a site with a configuration.
func siteOf(c *export.Config) webserver.Site {
	site := webserver.Site{Files: make(map[string][]byte)}
	for _, f := range c.Files {
		site.Files[f.Name] = f.Data
	}
	for _, include := range c.Includes {
		site.Includes = append(site.Includes, include.Lines)
	}
	return site
}

// A client sends many requests on one connection to a server, or as many as the server takes.
type client struct {
	server *webserver.Process
	conn   net.Conn
	in     *bufio.Reader
}

// status returns the status of the answer to a request. The server may have closed a connection
// that it has answered on, so the request is sent once more on a new one.
func (c *client) status(target, header string) (status int, err error) {
	for {
		used := c.conn != nil
		if !used {
			if c.conn, err = c.server.Dial(0); err != nil {
				c.conn = nil
				return 0, err
			}
			c.in = bufio.NewReader(c.conn)
		}
		if status, err = c.send(target, header); err == nil {
			return status, nil
		}
		if c.close(); !used {
			return 0, err
		}
	}
}

func (c *client) send(target, header string) (status int, err error) {
	c.conn.SetDeadline(time.Now().Add(30 * time.Second))
	fmt.Fprintf(c.conn, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: %s\r\n\r\n", target, webserver.Host(0), header)
	response, err := http.ReadResponse(c.in, nil)
	if err != nil {
		return 0, err
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.Close {
		c.close()
	}
	return response.StatusCode, nil
}

// close closes the connection, if there is one.
func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// ask sends a request, and holds the answer against the policy.
func (r *Report) ask(c *client, server string, p *robots.Policy, o export.Options, target, header string) error {
	status, err := c.status(target, header)
	if err != nil {
		return err
	}
	r.Requests++
	group, shown := obeyed(p, o, header)
	m := group.Match(origin + target)
	must := !m.Allowed && !exempt(o, target)
	may := must
	if !o.Literal && !must {
		other := read(server, group, o, target)
		must, may = other.must, other.may
	}
	if excepted(o, target) {
		must, may = false, false
	}
	switch {
	case status == 400 || status == 404 || status == 405 || status == 414:
		r.Malformed++
	case status == 429 && shown && !must && o.Pace: // the check asks fast
	case status == 403 && shown && may:
		r.Refused++
	case status != 200 || shown && must:
		r.Wrong = append(r.Wrong, Wrong{target, header, status, m.String()})
	}
	return nil
}

// obeyed returns the group that the client with a header obeys, and whether the server enforces the
// group on this client.
func obeyed(p *robots.Policy, o export.Options, header string) (g *robots.Group, shown bool) {
	a := agent.Lookup(header)
	own := p.ForOnly(a.Tokens()...)
	if own.Line() > 0 {
		return own, a.Kind == agent.Robot
	}
	shown = a.Kind == agent.Robot && o.Agents != export.Named && (a.Known() || o.Agents == export.All)
	if a.Everyone() {
		return p.For(a.Tokens()...), shown
	}
	return own, shown
}

// headers returns User-Agent headers: of browsers, of robots with and without rules of their own.
func headers(p *robots.Policy) []string {
	list := []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
		"Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
		"ExampleBot/1.0 (+https://example.com/bot)",
		"curl/8.5.0",
	}
	const most = 16
	for _, g := range p.Groups() {
		for _, token := range g.Agents() {
			a := agent.Named(token)
			switch {
			case len(list) >= most:
				return list
			case a.Known() && !a.PolicyOnly():
				list = append(list, a.Token+"/1.0")
			case !a.Known() && shows(token, "%s/1.0"):
				list = append(list, token+"/1.0")
			case !a.Known() && shows(token, "%s/1.0 (Other/1.0; +https://example.com/)") &&
				shows(token, "%s (+https://example.com/)"):
				list = append(list, token+"/1.0 (+https://example.com/)")
			}
		}
	}
	return list
}

// shows reports whether a name of a policy that is not in the table shows a robot that obeys the
// name, in a header of a form.
func shows(token, form string) bool {
	a := agent.Lookup(strings.ReplaceAll(form, "%s", token))
	control := strings.ContainsFunc(token, func(c rune) bool { return c < ' ' || c == 0x7F })
	return a.Kind == agent.Robot && strings.EqualFold(a.Token, token) && len(token) <= 200 && !control
}

// targets returns targets near the rules of a policy, of each group alike.
func targets(p *robots.Policy, o export.Options) []string {
	list := []string{"/", "/robots.txt", "/robots.txt?x", "/.well-known/x", "/x", "//x/y", "/%%34%30"}
	for _, path := range o.PassPaths {
		list = append(list, path, path+"/x?y", path+"/../x", path+"x", path+"/%2e%2e/x")
	}
	const most = 200
	groups := p.Groups()
	for _, g := range groups {
		n := 0
		for rule := range g.Rules() {
			text := strings.NewReplacer("*", "x", "$", "").Replace(rule.Pattern)
			if n++; n > 1+most/(5*len(groups)) || len(list) >= most {
				break
			}
			if !strings.HasPrefix(text, "/") || len(text) > 2000 ||
				strings.ContainsFunc(text, func(c rune) bool { return c <= ' ' || c > '~' }) {
				continue
			}
			if !o.Literal {
				list = append(list, "/"+text, "/x/.."+text, "/."+strings.ReplaceAll(text, "/", "%2f"), text+"/../x")
			}
			list = append(list, text, text+"x", text[:1+len(text)/2], strings.ToUpper(text),
				fmt.Sprintf("/%%%02x%s", text[min(1, len(text)-1)], text[min(2, len(text)):]))
		}
	}
	return list
}
