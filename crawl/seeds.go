package crawl

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/crawl/weburl"
)

// settle notes the seeds of the crawl, with those of earlier runs, and makes its
// territory of all of them.
func (c *Crawler) settle(urls []weburl.URL) error {
	name := filepath.Join(c.Dir, "seeds.txt")
	var all []weburl.URL
	seen := make(map[string]bool)
	f, err := os.Open(name)
	if err == nil {
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			if u, err := c.form.Parse(lines.Text()); err == nil && !seen[u.String()] {
				seen[u.String()] = true
				all = append(all, u)
			}
		}
		err = errors.Join(lines.Err(), f.Close())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the seeds: %w", err)
	}
	var fresh []byte
	for _, u := range urls {
		if !seen[u.String()] {
			seen[u.String()] = true
			all = append(all, u)
			fresh = append(append(fresh, u.String()...), '\n')
		}
	}
	if len(all) == 0 {
		return errors.New("there is no seed: name a URL to start from")
	}
	c.territory = c.Scope.territory(all)
	if len(fresh) == 0 {
		return nil
	}
	if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return err
	}
	if _, err = f.Write(fresh); err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// address returns the address that a request to a URL is likely to go to, or none if
// that is not known: then the request fails, or goes without a limit for addresses.
func (c *Crawler) address(ctx context.Context, u weburl.URL) (none netip.Addr) {
	if addr, ok := u.Addr(); ok {
		return addr
	}
	addrs, err := c.client.Resolve(ctx, u.Host())
	if err != nil || len(addrs) == 0 {
		return none
	}
	return addrs[0]
}
