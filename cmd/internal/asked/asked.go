// Package asked reads the arguments of verbs that ask about a robots.txt: which of them are
// origins, and which URLs they name. The command and the npm package read them alike.
package asked

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/agent"
	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/robotname"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// LargestLinted is the maximum size, in bytes, of a file that lint checks. It is sixteen times the
// size that RFC 9309 asks robots to read; checking such a file takes some seconds. TooLargeToLint
// is the reason, for a message.
const (
	LargestLinted  = 8 << 20
	TooLargeToLint = "lint looks at no larger file; RFC 9309, section 2.5, asks robots to read 500 KiB, " +
		"so they lose most of it: shorten it, for example by rules for whole directories"
)

// host matches names and addresses of hosts, with or without a port, and names of files such as
// robots.txt.
var host = regexp.MustCompile(`^(?i)(localhost|\[[0-9a-f:.]+\]|[0-9.]+|([\pL\pN-]+\.)+\pL{2,})(:[0-9]+)?$`)

// Origin returns the origin that an argument names. It returns false if the argument is not an
// origin: exists reports whether it is a file.
func Origin(arg string, exists func(name string) bool) (string, bool) {
	if u, err := url.Parse(arg); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return u.Scheme + "://" + u.Host, true
	}
	name := strings.TrimSuffix(arg, "/")
	if !host.MatchString(name) || userfile.IsFile(name) || exists(arg) {
		return "", false
	}
	return "https://" + name, true
}

// AsOrigin returns the origin that an argument names: "https://example.com", a URL there, or only
// "example.com".
func AsOrigin(arg string) (string, error) {
	scheme, _, _ := strings.Cut(arg, ":")
	if len(scheme) < len(arg) && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")) {
		if err := robots.CheckURL(arg); err != nil { // "https:/example.com" is not a host called https
			return "", err
		}
	}
	if !strings.Contains(arg, "://") {
		arg = "https://" + arg
	}
	return fetch.Origin(arg)
}

// IsPath reports whether a text is the path of a URL, and no host follows its slashes.
func IsPath(text string) bool {
	return strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//")
}

// URLs returns the URLs that arguments name; the first argument names an origin. Each argument is a
// URL, or a path at the origin before it. An origin followed by paths, here or in a file, is not
// itself a URL. Base is the last origin.
func URLs(args []string, more bool) (urls []string, base string, err error) {
	for i, arg := range args {
		if IsPath(arg) {
			urls = append(urls, base+arg)
			continue
		}
		url := arg
		if !strings.Contains(arg, "://") {
			url = "https://" + arg
		}
		if base, err = AsOrigin(arg); err != nil {
			return nil, "", err
		}
		_, rest, _ := strings.Cut(url, "://")
		if strings.ContainsAny(strings.TrimSuffix(rest, "/"), "/?#") {
			urls = append(urls, url)
		} else if last := i+1 == len(args); last && !more || !last && !IsPath(args[i+1]) {
			urls = append(urls, base+"/")
		}
	}
	return urls, base, nil
}

// CheckName replaces the answer about a robot of nobody that the robots.txt of the origin does not
// name either by an error. Without groups the answer is the same for every name. Nobody may be nil.
func CheckName(r *ask.Result, nobody *robotname.UnknownError) {
	if nobody == nil || r.Source == nil || r.Source.Policy == nil || len(r.Answers) == 0 {
		return
	}
	groups := r.Source.Policy.Groups()
	for _, name := range nobody.Names {
		err := &robotname.UnknownError{Names: []*agent.UnknownError{name}, Language: nobody.Language}
		if name.Name == r.Robot.Name && len(groups) > 0 && !slices.ContainsFunc(groups, func(g *robots.Group) bool {
			return err.Among(g.Agents())
		}) {
			r.Answers, r.Page, r.Err = nil, nil, err
		}
	}
}
