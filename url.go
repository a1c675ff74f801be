package robots

import "github.com/robotsexclusion/robots/internal/url/urlcheck"

// CheckURL returns an error if url is a text that robots.txt cannot answer for: neither the path of
// a URL, with its query, nor a whole http or https URL. The error says what to write instead.
//
// [Group.Allowed] disallows such a text without a reason, and CheckURL says why. [Group.Match]
// answers for every text, and for a text that is not a URL the answer is often "allowed":
// "private/x", a path without its first slash, is the path /x of a host named private. Check the
// URLs that people type, that files contain and that other programs send.
//
// CheckURL checks the URL only up to the host: Match normalizes the rest. CheckURL does not
// allocate if the URL is valid.
func CheckURL(url string) error {
	if err := urlcheck.Check(url); err != nil {
		return err
	}
	return nil
}
