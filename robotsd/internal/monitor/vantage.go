package monitor

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/proof"
)

// vantage fetches robots.txt with another header, and returns how its rules differ from those in
// force. A site that asks this header for time asks the watch: both are one client.
func (l *Looker) vantage(ctx context.Context, o *Observation, header string) ([]Finding, error) {
	client := &fetch.Client{UserAgent: header, Cache: forgetful{}, Transport: l.transport}
	w := &witness{origin: o.Origin}
	r, err := client.Policy(watched(ctx, w), o.Origin)
	if _, ok := errors.AsType[*fetch.RefusedError](err); ok {
		return nil, nil // the name has another address than a moment ago: the next look says more
	}
	if err != nil {
		return nil, fmt.Errorf("as %s: %w", printable.Shown(header), err)
	}
	f := fileOf(&r, w)
	f.Unusable, _ = textFault(&f, r.Policy)
	o.NotBefore = f.NotBefore
	if f.SHA256 == o.File.SHA256 && f.State == o.File.State {
		return nil, nil
	}
	finding := Finding{Kind: Vantage, Severity: Warning, Subject: header}
	if f.State != o.File.State || f.Unusable != o.File.Unusable {
		finding.Before, finding.After = answerOf(&o.File), answerOf(&f)
		return []Finding{finding}, nil
	}
	d, _ := proof.Diff(o.Policy, r.Policy, proof.Options{}) // undecided is not equal
	if !differs(&finding, d) {
		return nil, nil
	}
	return []Finding{finding}, nil
}

// answerOf describes an answer in a word: a kind of textFaults, its status, or why there is none.
func answerOf(f *File) string {
	switch {
	case f.Unusable != "":
		return string(f.Unusable)
	case f.Status != 0:
		return strconv.Itoa(f.Status)
	}
	return f.Cause
}

// page reads what a page says to search engines. The last answer counts, after redirects too, if it
// asks for time.
func (l *Looker) page(ctx context.Context, o *Observation, url string) Page {
	getter := &ask.PageGetter{Transport: l.transport, UserAgent: l.UserAgent}
	w := &witness{origin: o.Origin}
	got := getter.Get(watched(ctx, w), url)
	if _, _, retryAfter := w.seen(); retryAfter > 0 {
		o.NotBefore = time.Now().UTC().Truncate(time.Millisecond).Add(retryAfter)
	}
	p := Page{URL: url, Status: got.Status}
	if got.URL != url {
		p.Final = got.URL
	}
	if got.Err != nil {
		p.Cause = printable.Clipped(got.Err.Error(), 300)
	}
	if got.Doc == nil || got.Err != nil || got.Missing() {
		return p
	}
	for _, engine := range engines {
		d := got.Doc.For(engine)
		if !d.Index {
			p.NoIndex = append(p.NoIndex, engine)
		}
		if !d.Follow {
			p.NoFollow = append(p.NoFollow, engine)
		}
	}
	return p
}
