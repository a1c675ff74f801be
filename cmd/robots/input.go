package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/audit/accesslog"
	"github.com/robotsexclusion/robots/cmd/internal/asked"
	"github.com/robotsexclusion/robots/cmd/internal/say"
	"github.com/robotsexclusion/robots/internal/cli"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
	"github.com/spf13/cobra"
)

const (
	stdin       = userfile.Stdin
	largestFile = 256 << 20 // bytes of a robots.txt; a larger file is a mistake
)

// readFile returns the content of a file or, for "-", of standard input.
func readFile(cmd *cobra.Command, name string) ([]byte, error) {
	return readAtMost(cmd, name, largestFile, "that is not a robots.txt")
}

// readRobots reads a robots.txt that a verb answers questions from. It warns if the text is
// not a robots.txt.
func readRobots(cmd *cobra.Command, name string) ([]byte, error) {
	data, err := readFile(cmd, name)
	if err != nil {
		return nil, err
	}
	policy := robots.Parse(data)
	if err := checkKind(name, data, policy); err != nil {
		return nil, err
	}
	warnIfNotRobots(cmd, called(name), policy)
	return data, nil
}

// checkKind returns an error for a file that is not a text, and for one that another verb or flag
// reads: an access log or a sitemap. An answer from it would be that of a robots.txt without rules.
func checkKind(name string, data []byte, policy *robots.Policy) error {
	if len(policy.Groups()) > 0 {
		return nil
	}
	if isBinary(data) {
		return textIsBinary.Err(called(name))
	}
	switch isAccess, errorsOf := logOf(data); {
	case errorsOf != "":
		return textIsErrorLog.Err(called(name), errorsOf)
	case isAccess:
		return textIsLog.Err(called(name), commandLine([]string{"robots", "audit", name}))
	case isSitemap(data):
		return textIsSitemap.Err(called(name), commandLine([]string{"robots", "lint", "--sitemap", name, "robots.txt"}),
			"robots lint --sitemaps example.com")
	}
	return nil
}

// isBinary reports whether the content of a file is not a text. UTF-16 is one, in which lint
// explains what to do.
func isBinary(data []byte) bool {
	head := string(data[:min(len(data), 4<<10)])
	return printable.UTF16Order(head) == 0 && printable.IsBinary(head)
}

// logOf says of what log most of the first lines of a text are: whether they are requests of an
// access log, and the program whose error log they are of, or "".
func logOf(data []byte) (isAccess bool, errorsOf string) {
	const most = 64 << 10
	lines, requests, failures := 0, 0, 0
	for r, err := range new(accesslog.Reader).From("", bytes.NewReader(data[:min(len(data), most)])).Requests() {
		lines++
		if err == nil {
			if !r.Time.IsZero() {
				requests++
			}
		} else if _, says, ok := strings.Cut(err.Error(), ": the line is of the error log of "); ok {
			failures++
			errorsOf, _, _ = strings.Cut(says, ";")
		}
	}
	if failures <= lines-failures {
		errorsOf = ""
	}
	return requests > lines-requests, errorsOf
}

// isSitemap reports whether a text is the XML of a sitemap.
func isSitemap(data []byte) bool {
	const most = 4 << 10
	head := data[:min(len(data), most)]
	return bytes.Contains(head, []byte("<urlset")) || bytes.Contains(head, []byte("<sitemapindex"))
}

// warnIfNotRobots warns of a text that is not a robots.txt.
func warnIfNotRobots(cmd *cobra.Command, name string, policy *robots.Policy) {
	say.NotRobots(cmd.ErrOrStderr(), cli.LanguageOf(cmd), name, policy)
}

// readAtMost returns the content of a file or, for "-", of standard input. Content of more
// bytes than the limit is refused with an error that says why.
func readAtMost(cmd *cobra.Command, name string, limit int64, why string) ([]byte, error) {
	data, err := userfile.ReadAtMost(name, cmd.InOrStdin(), limit, why)
	if errors.Is(err, userfile.ErrFolder) {
		if found := projectFiles(name); len(found) > 0 {
			return nil, fmt.Errorf("cannot read %s: it is a directory: name %s", shown(name), shown(found[0]))
		}
	}
	return data, err
}

// open opens a file or standard input.
func open(cmd *cobra.Command, name string) (io.ReadCloser, error) {
	return userfile.Open(name, cmd.InOrStdin())
}

// called returns the name of a file for messages.
func called(name string) string { return userfile.Called(name) }

// cause returns the error of the system without the file name, which messages give already.
func cause(err error) error { return userfile.Cause(err) }

// origin returns the origin that an argument names. It returns false if the argument is not an
// origin.
func origin(arg string) (string, bool) {
	return asked.Origin(arg, func(name string) bool {
		_, err := os.Stat(name)
		return err == nil
	})
}
