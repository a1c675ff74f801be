package main

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/gitfile"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/robotsexclusion/robots/proof"
	"github.com/robotsexclusion/robots/robotsd/internal/monitor"
)

// addSite adds a site that is not there yet.
func addSite(c *monitor.Config, site monitor.Site) error {
	if _, err := fetch.Origin(site.URL); err != nil {
		return plain(err)
	}
	c.Sites = append(c.Sites, site)
	return nil
}

// siteURL returns the URL of a site that a person wrote, perhaps without a scheme. A host with a
// port, or an address, is often a server of one's own without TLS, so nothing is assumed about it.
func siteURL(word string) (string, error) {
	if strings.Contains(word, "://") {
		return word, nil
	}
	host, _, _ := strings.Cut(word, "/")
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err == nil || strings.Contains(host, ":") || host == "localhost" {
		return "", fmt.Errorf("%s has no scheme: write http://%[1]s or https://%[1]s", shown(word))
	}
	return "https://" + word, nil
}

// plain returns an error of a library without the name of its package, which says nothing to users
// of the command.
func plain(err error) error {
	if err == nil {
		return nil
	}
	for _, prefix := range []string{"fetch: ", "monitor: "} {
		if text, ok := strings.CutPrefix(err.Error(), prefix); ok {
			return plainError{text, err}
		}
	}
	return err
}

type plainError struct {
	text string
	err  error
}

func (e plainError) Error() string { return e.text }
func (e plainError) Unwrap() error { return e.err }

// relative returns a file name that is relative to a folder.
func relative(folder, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(folder, name)
}

// claimsOf reads a file of claims.
func claimsOf(name string) ([]proof.Claim, error) {
	text, err := userfile.ReadAtMost(name, os.Stdin, 16<<20, "a file of claims")
	if err != nil {
		return nil, err
	}
	claims, err := proof.ParseClaims(string(text))
	if wrong := (*proof.ClaimError)(nil); errors.As(err, &wrong) {
		return nil, fmt.Errorf("%s:%d: %s: %s", shown(name), wrong.Line, shown(wrong.Text), wrong.Reason)
	}
	if err == nil && len(claims) == 0 {
		return nil, cli.NoClaim(shown(name))
	}
	return claims, err
}

// expected returns how to read the robots.txt that a site should serve: a file, or "git:" and the
// path of a file in the last commit of the repository in a folder.
func expected(value, folder string) (func(context.Context) (*robots.Policy, error), error) {
	path, inGit := strings.CutPrefix(value, "git:")
	if !inGit {
		name := relative(folder, value)
		return func(context.Context) (*robots.Policy, error) {
			text, err := userfile.ReadAtMost(name, os.Stdin, 64<<20, "a robots.txt")
			return robots.Parse(text), err
		}, nil
	}
	if err := gitfile.CheckPath(path); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (*robots.Policy, error) {
		h, err := gitfile.Reader{}.Read(ctx, folder, path)
		if err != nil {
			return nil, err
		}
		last := h.Versions[len(h.Versions)-1]
		if last.Kind != gitfile.File {
			return nil, fmt.Errorf("the last commit has no file %s", shown(path))
		}
		return robots.Parse(last.Text), nil
	}, nil
}
