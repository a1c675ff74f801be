package proof_test

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/proof"
)

// Each claim holds for all paths, or a path shows that it does not hold.
func ExampleProve() {
	policy := robots.Parse([]byte("User-agent: GPTBot\nDisallow: /\nAllow: /blog/\n\nUser-agent: *\nDisallow: /private/\n"))
	claims, err := proof.ParseClaims("Googlebot may fetch /blog/\nGPTBot may not fetch /\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	proofs, err := proof.Prove(policy, claims, proof.Options{})
	for _, p := range proofs {
		fmt.Println(p)
	}
	fmt.Println(err)
	// Output:
	// line 1: Googlebot may fetch /blog/: holds
	// line 2: GPTBot may not fetch /: does not hold: GPTBot: /blog/ is allowed by line 3: Allow: /blog/
	// <nil>
}

func ExampleDiff() {
	before := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nCrawl-delay: 5\n"))
	after := robots.Parse([]byte("User-agent: *\nDisallow: /private/\nDisallow: /*.pdf$\n\nUser-agent: GPTBot\nDisallow: /archive/\n"))
	diff, err := proof.Diff(before, after, proof.Options{})
	if err != nil {
		fmt.Println(err) // there may be more changes
	}
	fmt.Println(diff)
	// Output:
	// *: closed: /*.pdf$, for example /.pdf
	// GPTBot: closed: /archive/, for example /archive/
	// GPTBot: opened: /private/, for example /private/
	// - Crawl-delay: 5 (for *, GPTBot)
}

func ExamplePortable() {
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /*.htm\nAllow: /page\n\nUser-agent: Googlebot\nDisallow: /shop/\n"))
	divergences, err := proof.Portable(policy, proof.Options{})
	if err != nil {
		fmt.Println(err) // there may be more
	}
	for _, d := range divergences[:3] {
		fmt.Println(d)
	}
	// Output:
	// Googlebot-Image: /shop/: allowed: no rule of the group matches; but google: disallowed by line 6: Disallow: /shop/
	// Googlebot-Image: /.htm: disallowed by line 2: Disallow: /*.htm; but google: allowed: no rule of the group matches
	// YandexBot: /page.htm: disallowed by line 2: Disallow: /*.htm; but yandex: allowed by line 3: Allow: /page
}
