package crawl

import (
	"context"
	"fmt"

	"github.com/robotsexclusion/robots/crawler/internal/store"
	"github.com/robotsexclusion/robots/crawler/internal/weburl"
	"github.com/robotsexclusion/robots/crawler/result"
	"github.com/robotsexclusion/robots/internal/printable"
)

// A Submission is the outcome for one URL submitted to a crawl.
type Submission struct {
	URL    string        `json:"url"`              // in canonical form, or as given if it has none
	Known  bool          `json:"known,omitempty"`  // the crawl already knew the URL, and has visited it or will
	Reason result.Reason `json:"reason,omitempty"` // why the URL was refused, or None
	Error  string        `json:"error,omitempty"`  // details of the reason, if there are any
}

// Submit adds URLs to a running crawl as seeds: they extend the scope, also after a restart.
// URLs that a pattern of the scope excludes are refused. When Submit returns, the accepted
// URLs are durable. Submit returns one Submission for each URL, in order.
//
// The error is [ErrNotRunning] if nothing was accepted because the crawl does not run. If ctx
// ends or the crawl fails, some of the URLs may have been accepted: submitting them again is
// safe.
func (c *Crawl) Submit(ctx context.Context, urls ...string) ([]Submission, error) {
	r := c.current.Load()
	if r == nil {
		return nil, ErrNotRunning
	}
	return r.submit(ctx, urls)
}

// submit is [Crawl.Submit].
func (c *run) submit(ctx context.Context, urls []string) ([]Submission, error) {
	if !c.submits.enter() {
		return nil, ErrNotRunning
	}
	defer c.submits.leave()
	if !c.shard.frontier.join() {
		return nil, ErrNotRunning
	}
	defer c.shard.frontier.end(1)
	submissions := make([]Submission, 0, len(urls))
	for first := 0; first < len(urls); first += mostSubmitted {
		some, err := c.take(ctx, urls[first:min(first+mostSubmitted, len(urls))])
		if err != nil {
			return nil, fmt.Errorf("crawl: submit URLs: %w", err)
		}
		submissions = append(submissions, some...)
	}
	return submissions, nil
}

// mostSubmitted is the maximum number of URLs in one batch.
const mostSubmitted = 1000

// take submits one batch of URLs.
func (c *run) take(ctx context.Context, urls []string) ([]Submission, error) {
	submissions := make([]Submission, len(urls))
	var items []store.Item
	var parsed []weburl.URL
	var which []int
	for i, text := range urls {
		u, err := weburl.Links.Parse(text)
		switch {
		case err != nil:
			submissions[i] = Submission{URL: printable.Clipped(text, store.MaxURL), Reason: refusalOf(err),
				Error: printable.Clipped(err.Error(), 500)}
			continue
		case c.linker.territory.excludes(u):
			submissions[i] = Submission{URL: u.String(), Reason: result.Excluded}
			continue
		}
		submissions[i] = Submission{URL: u.String(), Known: true}
		items = append(items, store.Item{Partition: partitionOf(u), URL: u.String()})
		parsed, which = append(parsed, u), append(which, i)
	}
	fresh, err := c.shard.store.Unseen(items)
	if err != nil {
		return nil, err
	}
	o := &outcome{}
	var seeds []weburl.URL
	for _, i := range fresh {
		submissions[which[i]].Known = false
		o.links = append(o.links, link{item: items[i]})
		seeds = append(seeds, parsed[i])
	}
	// A known URL may still be new as a seed.
	for i, u := range parsed {
		if submissions[which[i]].Known && c.linker.territory.widens(u) {
			seeds = append(seeds, u)
		}
	}
	if err := c.annex(seeds); err != nil {
		return nil, err
	}
	if len(o.links) == 0 {
		return submissions, nil
	}
	if err := c.committer.sendAndWait(ctx, o); err != nil {
		return nil, err
	}
	c.Log.Info("URLs were submitted", "new", len(o.links), "first", o.links[0].item.URL)
	return submissions, nil
}

// annex durably adds URLs to the seeds of the crawl.
func (c *run) annex(urls []weburl.URL) error {
	c.annexing.Lock()
	defer c.annexing.Unlock()
	if len(urls) == 0 {
		return nil
	}
	if err := c.joiner.charter.add(c.visiting, urls); err != nil {
		return err
	}
	if err := seedFile(c.seedsName()).append(urls); err != nil {
		return err
	}
	if err := c.marker.markSeeds(); err != nil {
		return err
	}
	for _, u := range urls {
		c.linker.territory.add(u)
		c.visitor.owners.add(u)
	}
	return nil
}

// sendAndWait sends an outcome to the committer, and waits until it is committed.
func (c *committer) sendAndWait(ctx context.Context, o *outcome) error {
	committed := make(chan struct{})
	o.after = func() error {
		close(committed)
		return nil
	}
	c.send(o)
	select {
	case <-committed:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-c.visiting.Done():
	}
	select {
	case <-committed:
		return nil
	default:
		return context.Cause(c.visiting)
	}
}
