package auditsites

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robotsexclusion/robots/fetch"
	"github.com/robotsexclusion/robots/internal/gitfile"
	"github.com/robotsexclusion/robots/internal/printable"
	"github.com/robotsexclusion/robots/internal/userfile"
)

// A kind is an option.
type kind uint8

const (
	file kind = iota
	repository
	history
)

// String returns the option as in a command line.
func (k kind) String() string { return [...]string{"--robots", "--git", "--history"}[k] }

// A value is a parsed value of an option.
type value struct {
	kind   kind
	text   string // as given
	host   string // "" if neither the value nor Values.Site names one
	origin string // if the value or Values.Site names one, for kind history
	name   string // FILE, REPO or DIR
	path   string // PATH, for kind repository
}

// String returns the option and its value, safe for a terminal.
func (v value) String() string { return v.kind.String() + " " + printable.Clipped(v.text, 120) }

// maxDelay is the maximum of DeployedAfter.
const maxDelay = 366 * 24 * time.Hour

// Parse parses values. It reads no files. The errors name the option.
func Parse(v Values) (*Sources, error) {
	s := &Sources{deployedAfter: v.DeployedAfter}
	switch {
	case v.DeployedAfter < 0 || v.DeployedAfter > maxDelay:
		return nil, fmt.Errorf("--deployed-after %v: write a time from 0 to 366 days, such as 6h", v.DeployedAfter)
	case v.DeployedAfter > 0 && len(v.Git) == 0:
		return nil,
			errors.New("--deployed-after goes with --git only: it says how long after a commit robots.txt was served")
	}
	origin := ""
	if v.Site != "" {
		var err error
		if s.host, origin, err = parseSite(v.Site); err != nil {
			return nil, fmt.Errorf("--site %s: %w", printable.Clipped(v.Site, 120), err)
		}
	}
	seen := make(map[string]value) // by host
	for k, texts := range [][]string{file: v.Robots, repository: v.Git, history: v.History} {
		for _, text := range texts {
			parsed := value{kind: kind(k), text: text}
			if err := parsed.parse(); err != nil {
				return nil, fmt.Errorf("%s: %w", parsed, err)
			}
			if parsed.host == "" {
				parsed.host = s.host
				parsed.origin = origin
			}
			if other, ok := seen[parsed.host]; ok {
				return nil, twice(parsed.host, other, parsed)
			}
			seen[parsed.host] = parsed
			s.values = append(s.values, parsed)
		}
	}
	return s, s.checkStdin()
}

// checkStdin returns an error if the arguments name standard input twice.
func (s *Sources) checkStdin() error {
	n := 0
	for _, v := range s.values {
		if v.kind == file && v.name == userfile.Stdin {
			n++
		}
	}
	if n > 1 {
		return errors.New("--robots -: standard input is read once: save its text as a file, and name that")
	}
	return nil
}

// parse parses v.text.
func (v *value) parse() (err error) {
	if v.name, err = v.cutHost(); err != nil {
		return err
	}
	if strings.Contains(v.name, "\x00") {
		return errors.New("there is a null byte in the name")
	}
	if v.kind == repository {
		return v.cutPath()
	}
	return nil
}

// cutHost parses HOST= or ORIGIN=, and returns the rest.
//
// Text before the first "=" that contains a slash or a backslash is the start of a name.
func (v *value) cutHost() (rest string, err error) {
	host, rest, ok := strings.Cut(v.text, "=")
	scheme := hasScheme(v.text)
	switch {
	case v.text == "":
		return "", fmt.Errorf("the value is empty: write %s", v.form())
	case scheme && v.kind != history:
		return "", fmt.Errorf("URLs are not read: write %s, with a host and not an origin", v.form())
	case scheme && !ok:
		return "", fmt.Errorf("the folder is missing: write %s", v.form())
	case !ok || !scheme && strings.ContainsAny(host, `/\`):
		return v.text, nil
	case host == "":
		return "", fmt.Errorf(`there is no host before "=": write %s, and ./ before a name that begins with "="`,
			v.form())
	case rest == "":
		return "", fmt.Errorf(`there is no name after "=": write %s`, v.form())
	}
	if scheme {
		v.host, v.origin, err = parseSite(host)
	} else {
		v.host, err = parseHost(host)
	}
	if err != nil {
		return "", fmt.Errorf(`%w; if "=" is part of the name, write ./ before the name`, err)
	}
	return rest, nil
}

// form returns the form of a value.
func (v *value) form() string {
	return [...]string{
		"FILE or HOST=FILE, such as example.com=robots.txt",
		"REPO:PATH or HOST=REPO:PATH, such as example.com=.:public/robots.txt",
		"DIR, HOST=DIR or ORIGIN=DIR, such as https://example.com=cache",
	}[v.kind]
}

// cutPath cuts v.name into a repository and a path, at the last colon.
func (v *value) cutPath() error {
	repo, path := v.name, ""
	i := strings.LastIndexByte(v.name, ':')
	if i >= 0 {
		repo, path = v.name[:i], v.name[i+1:]
	}
	switch {
	case i < 0 || isDrive(repo) && (path == "" || strings.ContainsAny(path[:1], `/\`)):
		return fmt.Errorf("the path in the repository is missing: write %s", v.form())
	case repo == "":
		return fmt.Errorf("the repository is missing: write %s", v.form())
	case hasScheme(repo) || strings.Contains(repo, "://"):
		return errors.New("repositories are not fetched: clone the repository, and name the folder of the clone")
	}
	if err := gitfile.CheckPath(path); err != nil {
		return err
	}
	v.name, v.path = repo, path
	return nil
}

// isDrive reports whether s is the letter of a drive of Windows.
func isDrive(s string) bool {
	return len(s) == 1 && 'a' <= s[0]|0x20 && s[0]|0x20 <= 'z'
}

// hasScheme reports whether s begins like a URL of a site.
func hasScheme(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	return ok && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// parseSite parses a host or an origin. The origin is "" for a host.
func parseSite(s string) (host, origin string, err error) {
	if !hasScheme(s) {
		host, err = parseHost(s)
		return host, "", err
	}
	_, authority, _ := strings.Cut(s, "://")
	if authority = strings.TrimSuffix(authority, "/"); strings.ContainsAny(authority, `/\?#@`) {
		return "", "",
			fmt.Errorf("%s is not an origin: write the scheme and the host alone, such as https://example.com",
				printable.Quoted(s, 120))
	}
	if origin, err = fetch.Origin(s); err != nil {
		return "", "", reason(err)
	}
	return hostOf(origin), origin, nil
}

// parseHost parses a host without a port.
func parseHost(s string) (string, error) {
	if strings.ContainsAny(s, `/\?#@`) {
		return "", fmt.Errorf("%s is not a host: write its name alone, such as example.com", printable.Quoted(s, 120))
	}
	origin, err := fetch.Origin("https://" + s)
	if err != nil {
		return "", fmt.Errorf("%s is not a host: %w", printable.Quoted(s, 120), reason(err))
	}
	if strings.LastIndexByte(s, ':') > strings.LastIndexByte(s, ']') {
		return "", fmt.Errorf("%s has a port: leave the port out, because versions count for all ports of a host",
			printable.Quoted(s, 120))
	}
	return hostOf(origin), nil
}

// reason returns the reason of a URLError alone.
func reason(err error) error {
	if e := (*fetch.URLError)(nil); errors.As(err, &e) {
		return errors.New(e.Reason)
	}
	return err
}

// hostOf returns the host of an origin as package audit has it: without a port, and without a dot
// at its end.
func hostOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host = host[:i]
	}
	return strings.TrimSuffix(host, ".")
}
