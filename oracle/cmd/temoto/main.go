// Temoto answers questions of the ask protocol with github.com/temoto/robotstxt.
package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/temoto/robotstxt"

	"github.com/robotsexclusion/robots/oracle/internal/ask"
)

func main() {
	ask.Main("github.com/temoto/robotstxt", new(client).answer)
}

// A client keeps the last text as the library read it.
type client struct {
	text string
	data *robotstxt.RobotsData // nil before the first text
	err  error                 // of reading text
}

// answer asks the library. It has no dialects, and does not tell the line.
func (c *client) answer(q ask.Question) (ask.Answer, error) {
	if q.Robots != c.text || c.data == nil {
		c.data, c.err = robotstxt.FromString(q.Robots)
		c.text = q.Robots
	}
	if c.err != nil {
		return ask.Answer{}, refusal(c.err)
	}
	return ask.Answer{Allowed: c.data.FindGroup(q.Agent).Test(path(q.URL))}, nil
}

// refusal says the first of the errors for which the library refuses a file;
// there can be one for each of its lines.
func refusal(err error) error {
	var many *robotstxt.ParseError
	if !errors.As(err, &many) || len(many.Errs) == 0 {
		return err
	}
	first := many.Errs[0]
	if more := len(many.Errs) - 1; more > 0 {
		return fmt.Errorf("the file is refused: %w (and %d more)", first, more)
	}
	return fmt.Errorf("the file is refused: %w", first)
}

// path returns what the library is to be asked for, which takes no absolute
// URL: the path with the query, as written. That of a URL without a path is
// "/".
func path(url string) string {
	url, _, _ = strings.Cut(url, "#")
	i := strings.Index(url, "://")
	if i < 0 || strings.ContainsAny(url[:i], "/?") {
		return url // it has no scheme
	}
	url = url[i+len("://"):]
	i = strings.IndexAny(url, "/?")
	switch {
	case i < 0:
		return "/"
	case url[i] == '?':
		return "/" + url[i:]
	}
	return url[i:]
}
