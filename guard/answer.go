package guard

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/internal/printable"
)

// Answer answers a request that does not pass. The text says which rule of robots.txt is the
// reason, and where to read the file.
func (g *Guard) Answer(w http.ResponseWriter, d Decision) {
	status := http.StatusForbidden
	switch {
	case d.Action == Slow:
		status = http.StatusTooManyRequests
		w.Header().Set("Retry-After", strconv.FormatInt(seconds(d.Wait), 10))
	case d.Reason == Fault:
		status = http.StatusServiceUnavailable
	case d.Reason == Unlicensed:
		status = http.StatusPaymentRequired
		askForLicense(w.Header(), d)
	case g.Status != 0:
		status = g.Status
	}
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	// A cache that kept this answer would give it to people too.
	h.Set("Cache-Control", "no-store")
	h.Set("Vary", "User-Agent")
	w.WriteHeader(status)
	fmt.Fprintf(w, "%d %s\n\n%s\n", status, http.StatusText(status), explain(d))
}

// maxShown is the maximum number of bytes that an answer shows of a text from a request or a rule.
const maxShown = 200

// explain says why a request does not pass, in one paragraph. Texts from requests and from
// robots.txt are escaped.
func explain(d Decision) string {
	var b strings.Builder
	switch {
	case d.Reason == Fault:
		b.WriteString("This site cannot read its rules for robots now. Please try again later.")
		return b.String()
	case d.Reason == manyRobots:
		return fmt.Sprintf("The request names more than %d robots in its User-Agent headers. Please send one header.",
			maxAgents)
	case d.Reason == Forged && d.Signed:
		fmt.Fprintf(&b, "The client says that it is %s, but the signature of the request is wrong.", robotName(d))
	case d.Reason == Forged:
		fmt.Fprintf(&b, "The client says that it is %s, but its address is not one of this robot.", robotName(d))
	case d.Reason == unidentified:
		fmt.Fprintf(&b, "This site finds out whether the client is %s. Please repeat the request in %d seconds.",
			robotName(d), seconds(d.Wait))
	case d.Reason == ByPace:
		fmt.Fprintf(&b,
			"This site's robots.txt asks %s to be slower: line %d, %s. Please repeat the request in %d seconds.",
			robotName(d), d.Record.Line, printable.Quoted(d.Record.String(), maxShown), seconds(d.Wait))
	case d.Reason == Unlicensed:
		fmt.Fprintf(&b, "This site's robots.txt asks %s for a license: line %d, %s.",
			robotName(d), d.Record.Line, printable.Quoted(d.Record.String(), maxShown))
	case d.Match.Rule.Line > 0:
		fmt.Fprintf(&b, "This site's robots.txt disallows %s to %s: line %d, %s.",
			printable.Quoted(d.Target, maxShown), robotName(d), d.Match.Rule.Line,
			printable.Quoted(d.Match.Rule.String(), maxShown))
	default:
		fmt.Fprintf(&b, "This site's robots.txt disallows %s to %s.", printable.Quoted(d.Target, maxShown),
			robotName(d))
	}
	b.WriteString(" The rules are at /robots.txt on this host.")
	return b.String()
}

// seconds returns a time in whole seconds, rounded up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// robotName returns the token of the robot.
func robotName(d Decision) string {
	if d.Robot.Token == "" {
		return "robots"
	}
	return "the robot " + printable.Clipped(d.Robot.Token, maxShown)
}
