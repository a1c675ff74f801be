package control

import (
	"context"
	"errors"
	"time"

	"github.com/robotsexclusion/robots/crawler/crawl"
)

// A Report is the status of a crawl. If hosts were asked about, its Hosts are these.
type Report struct {
	*crawl.Status
	Unknown []string `json:"unknown,omitempty"` // names of hosts that the crawl does not know
}

// How long, and how often, Ask and Submit ask again while a crawl is starting or ending.
const (
	askingFor   = 20 * time.Second
	askingEvery = 100 * time.Millisecond
)

// Ask returns the status of the crawl in a folder, whether the crawl runs or not. It lists up
// to limit hosts that have something to do; or the hosts with the given names or origins, each
// with up to limit URLs of its queue.
//
// While the crawl is starting or ending, Ask tries again for 20 seconds: then the error is
// [crawl.ErrInUse]. It is [crawl.ErrNoCrawl] if the folder has no crawl.
func Ask(ctx context.Context, dir string, limit int, hosts ...string) (*Report, error) {
	for began := time.Now(); ; {
		r, err := askRunning(ctx, dir, limit, hosts)
		if errors.Is(err, crawl.ErrNotRunning) {
			r, err = inspect(ctx, dir, limit, hosts)
		}
		if !errors.Is(err, crawl.ErrInUse) || time.Since(began) > askingFor {
			return r, err
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// Submit adds URLs to the crawl that runs in a folder, as [crawl.Crawl.Submit] does, in batches of
// 1,000. If a batch fails, Submit returns the submissions of the batches before, which are durable.
//
// While the crawl is starting or ending, Submit tries again for 20 seconds. The error is
// [crawl.ErrNotRunning] if the crawl does not run.
func Submit(ctx context.Context, dir string, urls ...string) ([]crawl.Submission, error) {
	for began := time.Now(); ; {
		running, err := dialRemote(ctx, dir)
		if err != nil {
			return nil, err
		}
		all, err := running.submit(ctx, urls)
		if !errors.Is(err, crawl.ErrNotRunning) || len(all) > 0 || time.Since(began) > askingFor {
			return all, err
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// pause waits before the crawl is asked again.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(askingEvery):
		return nil
	}
}

// askRunning asks a running crawl.
func askRunning(ctx context.Context, dir string, limit int, hosts []string) (*Report, error) {
	client, err := dialRemote(ctx, dir)
	if err != nil {
		return nil, err
	}
	return report(ctx, client, limit, hosts)
}

// inspect reads the folder of a crawl that is not running.
func inspect(ctx context.Context, dir string, limit int, hosts []string) (*Report, error) {
	i, err := crawl.Inspect(dir)
	if err != nil {
		return nil, err
	}
	defer i.Close()
	return report(ctx, i, limit, hosts)
}

// A reporter is a running crawl, or the folder of one that is not running.
type reporter interface {
	Status(ctx context.Context, hosts int) (*crawl.Status, error)
	HostStatus(ctx context.Context, name string, urls int) ([]crawl.HostStatus, error)
}

func report(ctx context.Context, from reporter, limit int, hosts []string) (*Report, error) {
	listed := limit
	if len(hosts) > 0 {
		listed = 0 // in addition to the hosts asked about
	}
	status, err := from.Status(ctx, listed)
	if err != nil {
		return nil, err
	}
	r := &Report{Status: status}
	for _, name := range hosts {
		some, err := from.HostStatus(ctx, name, limit)
		if err != nil {
			return nil, err
		}
		if len(some) == 0 {
			r.Unknown = append(r.Unknown, name)
		}
		r.Hosts = append(r.Hosts, some...)
	}
	if r.Hosts == nil {
		r.Hosts = []crawl.HostStatus{}
	}
	return r, nil
}
