// Package rdap finds the addresses to which abuse by clients is reported: the abuse contacts of
// their networks, from the RDAP servers of the registries (RFC 9082 and 9083), which the bootstrap
// files of IANA name (RFC 9224).
package rdap

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Client asks RDAP servers. It fetches https URLs only.
type Client struct {
	// Transport makes the requests. Nil means the transport of a zero [fetch.DialFilter], which
	// refuses addresses that are not public.
	Transport http.RoundTripper
	UserAgent string

	// Bootstrap is the URL of the folder with the files ipv4.json and ipv6.json. If it is "", it is that
	// of IANA.
	Bootstrap string
}

// A Network is a block of addresses with one holder.
type Network struct {
	First, Last netip.Addr
	Name        string   // as the registry writes it, not escaped; may be ""
	Abuse       []string // mail addresses for reports of abuse: up to three, often none
}

const (
	iana       = "https://data.iana.org/rdap/"
	maxBody    = 1 << 20
	maxLookups = 10
	maxMails   = 3
	maxHops    = 5
	timeout    = 20 * time.Second // for each file
)

// Networks returns the networks of addresses, in their order. It asks for one address of each network, and
// for ten networks at most. The error joins those of all addresses without an answer.
func (c *Client) Networks(ctx context.Context, addresses []netip.Addr) (found []Network, err error) {
	l := &lookup{Client: c, registries: map[string]*registry{}}
	transport := c.Transport
	if transport == nil {
		filtered := fetch.DialFilter{}.Transport()
		defer filtered.CloseIdleConnections()
		transport = filtered
	}
	l.http = &http.Client{Transport: transport, Timeout: timeout, CheckRedirect: checkRedirect}
	var errs []error
	for i, a := range addresses {
		has := func(n Network) bool { return n.contains(a) }
		if slices.ContainsFunc(found, has) {
			continue
		}
		if l.asked == maxLookups {
			errs = append(errs, fmt.Errorf("rdap: %d addresses were not looked up, because %d lookups are the most", len(addresses)-i, maxLookups))
			break
		}
		l.asked++
		n, err := l.network(ctx, a)
		if err != nil {
			errs = append(errs, fmt.Errorf("rdap: cannot look up the network of %s: %w", a, err))
			if ctx.Err() != nil {
				break
			}
			continue
		}
		found = append(found, n)
	}
	return found, errors.Join(errs...)
}

func (n Network) contains(a netip.Addr) bool {
	return n.First.BitLen() == a.BitLen() && n.First.Compare(a) <= 0 && a.Compare(n.Last) <= 0
}

// A lookup is one call of Networks.
type lookup struct {
	*Client
	http       *http.Client
	registries map[string]*registry // by file
	asked      int
}

// A registry is a bootstrap file: the servers of blocks of addresses.
type registry struct {
	Services [][2][]string `json:"services"` // the prefixes, and the URLs of their servers
	err      error
}

// network looks up the network of an address.
func (l *lookup) network(ctx context.Context, a netip.Addr) (Network, error) {
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" {
		return Network{}, errors.New("it is no public address")
	}
	server, err := l.server(ctx, a)
	if err != nil {
		return Network{}, err
	}
	var answer answer
	if err := l.get(ctx, strings.TrimSuffix(server, "/")+"/ip/"+a.String(), &answer); err != nil {
		return Network{}, err
	}
	first, errFirst := netip.ParseAddr(answer.StartAddress)
	last, errLast := netip.ParseAddr(answer.EndAddress)
	n := Network{First: first, Last: last, Name: cmp.Or(answer.Name, answer.Handle), Abuse: abuse(answer.Entities)}
	if errFirst != nil || errLast != nil || !n.contains(a) {
		return Network{}, fmt.Errorf("the answer of %s is not of its network", printable.Text(server))
	}
	return n, nil
}

// server returns the URL of the RDAP server for an address: that of the longest prefix.
func (l *lookup) server(ctx context.Context, a netip.Addr) (server string, err error) {
	file := "ipv4.json"
	if a.Is6() {
		file = "ipv6.json"
	}
	r := l.registries[file]
	if r == nil {
		r = &registry{}
		r.err = l.get(ctx, cmp.Or(l.Bootstrap, iana)+file, r)
		l.registries[file] = r
	}
	if r.err != nil {
		return "", r.err
	}
	longest := -1
	for _, service := range r.Services {
		for _, text := range service[0] {
			p, err := netip.ParsePrefix(text)
			if err != nil || !p.Contains(a) || p.Bits() <= longest {
				continue
			}
			if i := slices.IndexFunc(service[1], isHTTPS); i >= 0 {
				longest, server = p.Bits(), service[1][i]
			}
		}
	}
	if server == "" {
		return "", errors.New("no registry has an RDAP server for it")
	}
	return server, nil
}

func isHTTPS(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}

// checkRedirect allows redirects to https URLs: registries redirect to each other (RFC 7480, section
// 5.2).
func checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxHops:
		return fmt.Errorf("more than %d redirects", maxHops)
	case req.URL.Scheme != "https":
		return errors.New("a redirect leads to a URL without https")
	}
	return nil
}

// get decodes the JSON at a URL.
func (l *lookup) get(ctx context.Context, from string, into any) error {
	if !isHTTPS(from) {
		return fmt.Errorf("%s is no https URL", printable.Clipped(from, 200))
	}
	if err := l.decode(ctx, from, into); err != nil {
		return fmt.Errorf("%s: %w", printable.Clipped(from, 200), err)
	}
	return nil
}

func (l *lookup) decode(ctx context.Context, from string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", l.UserAgent)
	req.Header.Set("Accept", "application/rdap+json, application/json;q=0.9")
	resp, err := l.http.Do(req)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the caller adds the URL
		}
		return errors.New(printable.Clipped(err.Error(), 300))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("its status is %d, not 200", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return errors.New(printable.Clipped(err.Error(), 300))
	}
	if len(body) > maxBody {
		return fmt.Errorf("it is larger than %d bytes", maxBody)
	}
	if json.Unmarshal(body, into) != nil {
		return errors.New("it is not the JSON of RDAP")
	}
	return nil
}
