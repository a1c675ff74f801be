package proof_test

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

func ExampleDiff() {
	before := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nCrawl-delay: 5\n"))
	after := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /*.pdf$\n\nUser-agent: GPTBot\nDisallow: /archive/\n"))
	fmt.Println(proof.Diff(before, after, proof.Options{}))
	// Output:
	// *: closed: /*.pdf$, for example /.pdf
	// GPTBot: closed: /archive/, for example /archive/
	// GPTBot: opened: /private/, for example /private/
	// - Crawl-delay: 5 (for *, GPTBot)
}
