package format_test

import (
	"fmt"

	"github.com/robotsexclusion/robots/lint/format"
)

func Example() {
	const text = "user-agent:*\nDISALLOW :/private/  \n\n\n\nUser-agent: Foo\nDisallow:\n"
	fmt.Print(format.Source(text))
	// Output:
	// User-agent: *
	// Disallow: /private/
	//
	// User-agent: Foo
	// Disallow:
}
