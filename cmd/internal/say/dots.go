package say

import (
	"strings"

	"github.com/robotsexclusion/robots/ask"
	"github.com/robotsexclusion/robots/internal/language"
	"github.com/robotsexclusion/robots/internal/printable"
)

var textDots = language.New("most clients and servers read it as %[1]s: %[2]s")

// dots returns a line with the answer for the URL that most clients ask for instead, if the path of
// the URL has dot segments: rules are compared with the path as it stands.
func (r *Results) dots(of *ask.Result) []string {
	url, ok := resolved(of.URL)
	if !ok || of.Source == nil || of.Source.Policy == nil {
		return nil
	}
	m := of.Robot.Group(of.Source.Policy.In(r.Dialects[0])).Match(url)
	return []string{"    " + r.in(textDots, printable.Shown(url), Match(r.Language, m))}
}

// resolved returns a URL, absolute or a path, without dot segments (RFC 3986, section 5.2.4). An
// escaped dot is a dot (URL Standard, section 4.1). ok is false if the URL has none.
func resolved(url string) (without string, ok bool) {
	path, tail := url, ""
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path, tail = path[:i], path[i:]
	}
	origin := ""
	if i := strings.Index(path, "://"); i >= 0 && path[0] != '/' {
		slash := strings.IndexByte(path[i+len("://"):], '/')
		if slash < 0 {
			return "", false
		}
		slash += i + len("://")
		origin, path = path[:slash], path[slash:]
	}
	all := strings.Split(strings.TrimPrefix(path, "/"), "/")
	kept := make([]string, 0, len(all))
	for i, segment := range all {
		up := false
		switch strings.ReplaceAll(strings.ReplaceAll(segment, "%2e", "."), "%2E", ".") {
		case "..":
			up = true
		case ".":
		default:
			kept = append(kept, segment)
			continue
		}
		ok = true
		if up && len(kept) > 0 {
			kept = kept[:len(kept)-1]
		}
		if i == len(all)-1 {
			kept = append(kept, "") // a directory
		}
	}
	return origin + "/" + strings.Join(kept, "/") + tail, ok
}
