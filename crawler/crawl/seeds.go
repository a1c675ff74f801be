package crawl

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"

	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/internal/http/download"
)

// adoptSeeds adds new seeds to the file of seeds, and makes the territory of these seeds and
// those of earlier runs.
func (c *run) adoptSeeds(urls []weburl.URL) error {
	var all []weburl.URL
	seen := make(map[string]bool)
	err := seedFile(c.seedsName()).read(c.working, func(line string) {
		if u, err := weburl.Links.Parse(line); err == nil && !seen[u.String()] {
			seen[u.String()] = true
			all = append(all, u)
		}
	})
	switch {
	case c.working.Err() != nil:
		return errInterrupted
	case err != nil:
		return fmt.Errorf("read the seeds: %w", err)
	}
	var fresh []weburl.URL
	for _, u := range urls {
		if !seen[u.String()] {
			seen[u.String()] = true
			fresh = append(fresh, u)
		}
	}
	if all = append(all, fresh...); len(all) == 0 {
		return errors.New("there is no seed: name a URL to start from")
	}
	c.linker.territory = c.Scope.territory(all)
	c.linker.territory.filter = c.DialFilter
	for _, u := range all {
		c.visitor.owners.add(u)
	}
	if len(fresh) > 0 {
		if err := c.joiner.charter.add(c.visiting, fresh); err != nil {
			return err
		}
	}
	if err := seedFile(c.seedsName()).append(fresh); err != nil {
		return err
	}
	return c.marker.markSeeds()
}

// A seedFile is the name of the file of seeds.
type seedFile string

// seedsName returns the name of the file of seeds, which has one URL per line.
func (c *Config) seedsName() string { return filepath.Join(c.Dir, "seeds.txt") }

// read calls fn for each line of the file of seeds. It cuts off an unfinished line, which was
// never confirmed to a caller. When ctx ends, it returns an error.
func (f seedFile) read(ctx context.Context, fn func(line string)) error {
	file, err := os.OpenFile(string(f), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	lines, whole := bufio.NewReaderSize(file, 64<<10), int64(0)
	for {
		line, err := lines.ReadSlice('\n')
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil:
			fn(string(bytes.TrimSpace(line)))
			whole += int64(len(line))
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("%s: the line at byte %d is longer than any URL may be: remove it", file.Name(), whole)
		case !errors.Is(err, io.EOF):
			return err
		case len(line) > 0:
			return file.Truncate(whole)
		default:
			return nil
		}
	}
}

// append adds URLs to the file of seeds durably: all of them or none.
func (f seedFile) append(urls []weburl.URL) error {
	if len(urls) == 0 {
		return nil
	}
	var text []byte
	for _, u := range urls {
		text = append(append(text, u.String()...), '\n')
	}
	file, err := os.OpenFile(string(f), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	before, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		if _, err = file.Write(text); err == nil {
			err = file.Sync()
		}
		if err != nil {
			err = errors.Join(err, file.Truncate(before))
		}
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("note the seeds: %w", err)
	}
	return nil
}

// likelyAddress returns the likely address of a request to a URL, or none if the address is not
// known: then the request fails, or runs without a limit per address.
func likelyAddress(ctx context.Context, c *download.Client, u weburl.URL) (none netip.Addr) {
	if addr, ok := u.Addr(); ok {
		return addr
	}
	addrs, err := c.Resolve(ctx, u.Host())
	if err != nil || len(addrs) == 0 {
		return none
	}
	return addrs[0]
}

// addressOf returns an address of a host, or none.
func (v *visitor) addressOf(ctx context.Context, h *host) (none netip.Addr) {
	u, err := weburl.Exact.Parse(h.origin + "/")
	if err != nil {
		return none
	}
	return likelyAddress(ctx, v.client, u)
}
