package pathset_test

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof/pathset"
)

// The paths that a change opens.
func Example() {
	before := robots.ParseString("User-agent: *\nDisallow: /private/\n").For("ExampleBot")
	after := robots.ParseString("User-agent: *\nDisallow: /private/\nAllow: /private/*.html$\n").For("ExampleBot")
	opened := pathset.Allowed(after).Minus(pathset.Allowed(before))
	path, ok, err := opened.Example(pathset.DefaultLimit)
	fmt.Println(path, ok, err)
	// Output:
	// /private/.html true <nil>
}
