package lintsite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/lint"
	"github.com/robotsexclusion/robots/sitemap"
)

// maxHops is the maximum number of redirects to a sitemap, the same as fetch has for
// robots.txt.
const maxHops = 5

// Limits for reading the sitemaps of one file.
const (
	mostSitemaps   = 100      // documents, those of an index included
	mostURLs       = 200_000  // URLs of pages
	mostBytes      = 64 << 20 // of these URLs
	mostIndexDepth = 3        // of indexes in indexes
)

// A sitemapReader reads sitemaps, and the sitemaps that indexes list.
type sitemapReader struct {
	*Site
	client *fetch.Client // checks whether a sitemap may be fetched
	http   *http.Client

	documents, urls, bytes int
	seen                   map[string]bool
}

// Sitemaps returns the sitemaps to check against a policy: the files, and if named is set those
// that the policy names.
func (s *Site) Sitemaps(ctx context.Context, policy *robots.Policy, files []string, named bool) (all []lint.Sitemap,
	err error) {
	if !named && len(files) == 0 {
		return nil, nil
	}
	client, transport := s.Client()
	defer transport.CloseIdleConnections()
	r := &sitemapReader{Site: s, client: client, seen: make(map[string]bool)}
	r.http = &http.Client{Transport: transport, Timeout: s.Timeout, CheckRedirect: func(_ *http.Request,
		via []*http.Request) error {
		if len(via) > maxHops {
			return fmt.Errorf("more than %d redirects", maxHops)
		}
		return nil
	}}
	if r.http.Timeout == 0 {
		r.http.Timeout = time.Minute
	}
	for _, name := range files {
		s := lint.Sitemap{URL: name}
		in, err := userfile.Open(name, userfile.Until(ctx, nil, context.Canceled))
		if err != nil {
			return nil, err
		}
		err = r.read(ctx, &s, in, 0)
		in.Close()
		s.Problem = problem(err)
		all = append(all, s)
	}
	if !named {
		return all, nil
	}
	for _, at := range policy.Sitemaps() {
		if r.seen[at.Value] || ctx.Err() != nil {
			continue
		}
		s := lint.Sitemap{URL: at.Value}
		s.Problem = problem(r.visit(ctx, &s, at.Value, 0))
		all = append(all, s)
	}
	return all, ctx.Err()
}

// visit fetches a sitemap, and adds its URLs to s.
func (r *sitemapReader) visit(ctx context.Context, s *lint.Sitemap, url string, depth int) error {
	switch {
	case r.seen[url]:
		return nil
	case r.documents >= mostSitemaps:
		return fmt.Errorf("more than %d sitemaps: %w", mostSitemaps, sitemap.ErrLimit)
	case !strings.HasPrefix(strings.ToLower(url), "http"):
		return sitemap.ErrURL
	}
	r.seen[url] = true
	r.documents++
	policy, err := r.client.Policy(ctx, url)
	if err != nil {
		return r.Explain(err)
	}
	token := robots.ProductToken(r.UserAgent)
	if !policy.Policy.For(token).Allowed(url) {
		return fmt.Errorf("robots.txt of its host does not let %s fetch it", token)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", r.UserAgent)
	resp, err := r.http.Do(req)
	if err != nil {
		return r.Explain(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %d", resp.StatusCode)
	}
	return r.read(ctx, s, resp.Body, depth)
}

// read adds the URLs of a sitemap to s, and visits the sitemaps that an index lists. It
// returns an error if it could not read all of them.
func (r *sitemapReader) read(ctx context.Context, s *lint.Sitemap, in io.Reader, depth int) error {
	var failed error
	var children []string
	for entry, err := range sitemap.Read(in, sitemap.Options{}) {
		failed = err // an error that ends the reading comes last, with no entry after it
		if err != nil {
			continue
		}
		switch entry.Kind {
		case sitemap.Sitemap:
			if len(children) <= mostSitemaps {
				children = append(children, entry.URL)
			}
		case sitemap.Page:
			if r.urls++; r.urls > mostURLs || r.bytes+len(entry.URL) > mostBytes {
				return fmt.Errorf("more than %d URLs: %w", len(s.URLs), sitemap.ErrLimit)
			}
			r.bytes += len(entry.URL)
			s.URLs = append(s.URLs, entry.URL)
		}
	}
	if errors.Is(failed, sitemap.ErrURL) || errors.Is(failed, sitemap.ErrLongURL) {
		failed = nil // the last entry was one that no robot can visit
	}
	for _, url := range children {
		if depth == mostIndexDepth {
			return fmt.Errorf("indexes of sitemaps in one another, more than %d deep", mostIndexDepth)
		}
		if err := r.visit(ctx, s, url, depth+1); err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", url, err)
		}
	}
	return failed
}

// problem returns the text of an error, or "".
func problem(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
