// Package rdap finds the addresses for reports of abuse by clients: the abuse contacts of their
// networks. It asks the RDAP servers of the registries (RFC 9082 and 9083), which the bootstrap
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

	"github.com/robotsexclusion/robots/internal/printable"
)

// A Client asks RDAP servers. It fetches https URLs only.
type Client struct {
	// Transport makes the requests. It must refuse addresses that are not public, because servers
	// of strangers can lead anywhere.
	Transport http.RoundTripper
	UserAgent string

	// Bootstrap is the URL of the folder with the files ipv4.json and ipv6.json. If it is "", it is
	// that of IANA.
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

// Networks returns the networks of addresses, in their order. It asks for one address of each
// network, and for ten networks at most. It does not ask a server again that did not answer, or
// answered 429 or with a server error. The error joins those of all addresses without an answer.
func (c *Client) Networks(ctx context.Context, addresses []netip.Addr) (found []Network, err error) {
	if c.Transport == nil {
		return nil, errors.New("rdap: the Client has no Transport")
	}
	l := &lookup{Client: c, registries: map[string]*registry{}, down: map[string]bool{}}
	l.http = &http.Client{Transport: c.Transport, Timeout: timeout, CheckRedirect: l.checkRedirect}
	var errs []error
	asked, left := 0, 0
	for _, a := range addresses {
		a = a.Unmap()
		if l.known(a) {
			continue
		}
		public := a.IsGlobalUnicast() && !a.IsPrivate() && a.Zone() == ""
		if public && (asked == maxLookups || ctx.Err() != nil && asked > 0) {
			left++
			continue
		}
		err := errors.New("it is not a public address")
		if public {
			asked++
			err = l.network(ctx, a)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("rdap: cannot look up the network of %s: %w", a, err))
		}
	}
	switch {
	case left > 0 && ctx.Err() != nil:
		errs = append(errs, fmt.Errorf("rdap: %d addresses were not looked up, because the lookup was stopped", left))
	case left > 0:
		errs = append(errs, fmt.Errorf("rdap: %d addresses were not looked up, because %d lookups are the most", left,
			maxLookups))
	}
	return l.found, errors.Join(errs...)
}

func (n Network) contains(a netip.Addr) bool {
	return n.First.BitLen() == a.BitLen() && n.First.Compare(a) <= 0 && a.Compare(n.Last) <= 0
}

// A lookup is one call of Networks.
type lookup struct {
	*Client
	http       *http.Client
	registries map[string]*registry // by file
	down       map[string]bool      // hosts that are not asked again
	found      []Network
	blocks     []netip.Prefix // of found, as the registry of the addresses has them
}

// A registry is a bootstrap file: the servers of blocks of addresses.
type registry struct {
	Services [][2][]string `json:"services"` // the prefixes, and the URLs of their servers
	err      error
}

// known returns whether an address is in a network that was found. A network says nothing outside
// the block of the registry that was asked: a server may answer with a network of all addresses.
func (l *lookup) known(a netip.Addr) bool {
	for i, n := range l.found {
		if n.contains(a) && l.blocks[i].Contains(a) {
			return true
		}
	}
	return false
}

// network looks up the network of an address.
func (l *lookup) network(ctx context.Context, a netip.Addr) error {
	server, block, err := l.server(ctx, a)
	if err != nil {
		return err
	}
	var answer answer
	if err := l.get(ctx, strings.TrimSuffix(server, "/")+"/ip/"+a.String(), &answer); err != nil {
		return err
	}
	first, last := address(string(answer.StartAddress)), address(string(answer.EndAddress))
	n := Network{First: first, Last: last, Name: string(cmp.Or(answer.Name, answer.Handle)),
		Abuse: abuse(answer.Entities)}
	if !first.IsValid() || !last.IsValid() || !n.contains(a) {
		return fmt.Errorf("the answer of %s is not of its network", printable.Clipped(server, 200))
	}
	l.found, l.blocks = append(l.found, n), append(l.blocks, block)
	return nil
}

// address reads an address. Registries have padded the numbers of IPv4 addresses with zeros, as in
// 008.008.008.000.
func address(text string) netip.Addr {
	numbers := strings.Split(text, ".")
	for i, number := range numbers {
		if len(number) == 3 && len(numbers) == 4 {
			numbers[i] = cmp.Or(strings.TrimLeft(number, "0"), "0")
		}
	}
	a, err := netip.ParseAddr(strings.Join(numbers, "."))
	if err != nil {
		return netip.Addr{}
	}
	return a.Unmap()
}

// server returns the URL of the RDAP server for an address, and the longest prefix that names the
// server.
func (l *lookup) server(ctx context.Context, a netip.Addr) (server string, block netip.Prefix, err error) {
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
		return "", block, r.err
	}
	for _, service := range r.Services {
		for _, text := range service[0] {
			p, err := netip.ParsePrefix(text)
			if err != nil || !p.Contains(a) || block.IsValid() && p.Bits() <= block.Bits() {
				continue
			}
			if i := slices.IndexFunc(service[1], isHTTPS); i >= 0 {
				block, server = p, service[1][i]
			}
		}
	}
	if server == "" {
		return "", block, errors.New("no registry has an RDAP server for it")
	}
	return server, block, nil
}

func isHTTPS(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}

// A redirectError says why a redirect is not followed.
type redirectError string

func (e redirectError) Error() string { return string(e) }

// checkRedirect allows redirects to https URLs: registries redirect to each other (RFC 7480,
// section 5.2).
func (l *lookup) checkRedirect(req *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxHops:
		return redirectError(fmt.Sprintf("more than %d redirects", maxHops))
	case req.URL.Scheme != "https":
		return redirectError("a redirect leads to a URL without https")
	case l.down[req.URL.Host]:
		return redirectError(notAgain(req.URL.Host))
	}
	return nil
}

// notAgain says that a host is not asked.
func notAgain(host string) string {
	return printable.Clipped(host, 200) + " failed before, and is not asked again"
}

// get decodes the JSON at a URL.
func (l *lookup) get(ctx context.Context, from string, into any) error {
	if !isHTTPS(from) {
		return fmt.Errorf("%s is not an https URL", printable.Clipped(from, 200))
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
	if l.down[req.URL.Host] {
		return errors.New(notAgain(req.URL.Host))
	}
	resp, err := l.http.Do(req)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the caller adds the URL
			if at, _ := url.Parse(e.URL); at != nil && !errors.As(err, new(redirectError)) {
				l.down[at.Host] = true
			}
		}
		return errors.New(printable.Clipped(err.Error(), 300))
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500 {
		l.down[resp.Request.URL.Host] = true
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("its status is %d, not 200", resp.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		l.down[resp.Request.URL.Host] = true
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
