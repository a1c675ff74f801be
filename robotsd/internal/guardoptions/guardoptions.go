// Package guardoptions converts the options that robots guard and the module of Caddy share. The
// errors do not name the option: the caller knows how its user wrote it.
package guardoptions

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/agent/keydir"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/guard"
	"github.com/robotsexclusion/robots/page"
)

// Identity are the options by which a guard finds out whether clients are the robots that they
// name.
type Identity struct {
	Ranges  string   // a folder of published ranges
	Verify  bool     // ask for ranges and keys, and the DNS
	DNS     string   // the address of a DNS server, or empty for that of the system
	Signers []string // TOKEN=ORIGIN: see CheckSigner
	Hosts   []string // of the site, for signatures: see CheckHost

	// Upstream is the origin that is guarded, or empty. Its name counts as a host of the site if
	// there are no Hosts.
	Upstream string

	UserAgent string // of requests for keys
}

// NeedsVerify reports whether an option is set that says nothing without Verify.
func (o Identity) NeedsVerify() bool {
	return !o.Verify && (o.DNS != "" || o.Signers != nil || o.Hosts != nil)
}

// SignedHosts returns the hosts for which signatures count. They are certain if the owner of the
// site named them; else they are the name of the upstream, or none.
func (o Identity) SignedHosts() (hosts []string, certain bool) {
	if len(o.Hosts) > 0 {
		return o.Hosts, true
	}
	u, err := url.Parse(o.Upstream)
	if err != nil || CheckHost(u.Host) != nil || !strings.Contains(u.Hostname(), ".") {
		return nil, false // such as localhost, or the name of a container
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return nil, false
	}
	return []string{u.Host}, false
}

// Doubt returns what the owner of a site should know about the hosts for which signatures count, or
// an empty text. The option that names hosts is written as its user writes it.
func (o Identity) Doubt(option string) string {
	switch hosts, certain := o.SignedHosts(); {
	case !o.Verify || certain:
		return ""
	case len(hosts) == 0:
		return "signatures of robots do not count, because they could be made for another site: " +
			"name the hosts of this one with " + option
	default:
		return "signatures of robots count for " + hosts[0] + " only, the name of the upstream: " +
			"name the hosts of the site with " + option
	}
}

// CheckHost refuses a text that is not the host of an origin, without the default port.
func CheckHost(host string) error {
	u, err := url.Parse("https://" + host)
	if err != nil || u.Host != host || u.Hostname() == "" || u.Port() == "443" || u.Port() == "80" ||
		strings.HasSuffix(host, ":") {
		return errors.New("name a host as in a URL, without its default port, such as shop.example or " +
			"shop.example:8443")
	}
	return nil
}

// maxRangesAge is the age up to which ranges in a folder that the guard does not renew prove that
// other addresses are not the robot's.
const maxRangesAge = 7 * 24 * time.Hour

// Identities returns what identifies robots, or nil if nothing does. It is an error if there is no
// folder of ranges.
func (o Identity) Identities() (*guard.Identities, error) {
	if !o.Verify && o.Ranges == "" {
		return nil, nil
	}
	if o.Ranges != "" {
		info, err := os.Stat(o.Ranges)
		if err == nil && !info.IsDir() {
			err = errors.New("it is not a folder")
		}
		if err != nil {
			return nil, err
		}
	}
	verifier := &agent.Verifier{Folder: o.Ranges, Server: o.DNS}
	if o.Verify {
		verifier.Client = &http.Client{Transport: fetch.DialFilter{}.Transport()}
	} else {
		verifier.MaxAge = maxRangesAge
	}
	hosts, certain := o.SignedHosts()
	ids := &guard.Identities{
		Verifier: verifier, DNS: o.Verify, Hosts: hosts, MoreHosts: !certain, Signers: map[string][]string{},
	}
	for _, text := range o.Signers {
		token, origin, _ := strings.Cut(text, "=")
		token = robotNamed(token).Token
		ids.Signers[token] = append(ids.Signers[token], origin)
	}
	if o.Verify {
		// The client connects to public addresses only.
		ids.Keys = (&keydir.Client{UserAgent: o.UserAgent}).Key
	}
	return ids, nil
}

// robotNamed returns the robot that a person means by a name, such as bing for bingbot. It is not
// known if the name stands for several.
func robotNamed(name string) agent.Agent {
	if named, err := (*agent.Table)(nil).Resolve(name); err == nil && len(named) == 1 {
		return agent.Named(named[0].Tokens[0])
	}
	return agent.Named(name)
}

// CheckSigner refuses a text that is not the token of a known robot, "=", and an origin with keys.
func CheckSigner(text string) error {
	token, origin, _ := strings.Cut(text, "=")
	u, err := url.Parse(origin)
	if robot := robotNamed(token); err != nil || !robot.Known() || u.Scheme != "https" || origin != "https://"+
		u.Host || u.Host == "" {
		return errors.New("name a robot that 'robots agents' lists, and an origin, such as GPTBot=https://bot.example")
	}
	return nil
}

// CheckLicense refuses a text that is no URI of a license.
func CheckLicense(uri string) error {
	field, _ := robots.FieldNamed("License")
	return field.Check(uri)
}

// CheckRobotsTag refuses a text that has no directives of X-Robots-Tag.
func CheckRobotsTag(tag string) error {
	doc, err := page.Read(strings.NewReader(""), page.Options{Header: http.Header{"X-Robots-Tag": {tag}}, Lint: true})
	if err == nil && len(doc.Diagnostics) > 0 {
		err = errors.New(doc.Diagnostics[0].Message)
	}
	return err
}
