package robots_test

import (
	"fmt"
	"os"

	"github.com/robotsexclusion/robots"
)

func Example() {
	data, err := os.ReadFile("examples/shop.robots.txt")
	if err != nil {
		panic(err)
	}
	group := robots.Parse(data).For("ExampleBot")
	fmt.Println(group.Allowed("https://shop.example.com/products/1"))
	fmt.Println(group.Match("https://shop.example.com/search?q=shoes"))
	// Output:
	// true
	// disallowed by line 9: Disallow: /search
}

// A text that is not a URL is never allowed. CheckURL says what is wrong with it.
func ExampleGroup_Allowed() {
	group := robots.ParseString("User-agent: *\nDisallow: /private/\n").For("ExampleBot")
	fmt.Println(group.Allowed("/public/x"), group.Allowed("https://example.com/private/x"))
	fmt.Println(group.Allowed("private/x"), robots.CheckURL("private/x"))
	// Output:
	// true false
	// false "private/x" is neither a path nor a URL: write "/private/x" if it is a path, or "https://private/x" if it starts with a host
}

// A robot may have several names, the most specific first.
func ExamplePolicy_For() {
	policy := robots.Parse([]byte("User-agent: Googlebot\nDisallow: /private/\n"))
	group := policy.For("Googlebot-Image", "Googlebot")
	fmt.Println(group.Token())
	fmt.Println(group.Match("/private/picture.png"))
	// Output:
	// Googlebot
	// disallowed by line 2: Disallow: /private/
}

// Explain says why the other rules that matched lost.
func ExampleGroup_Explain() {
	policy := robots.Parse([]byte("User-agent: *\nDisallow: /*.pdf$\nAllow: /papers/\nDisallow: /\n"))
	fmt.Println(policy.For("ExampleBot").Explain("/papers/one.pdf"))
	// Output:
	// allowed by line 3: Allow: /papers/
	//   line 3: Allow: /papers/: decides
	//   line 2: Disallow: /*.pdf$: 7 bytes, shorter than the 8 of line 3
	//   line 4: Disallow: /: 1 byte, shorter than the 8 of line 3
}

// The same text may mean something else in another dialect.
func ExamplePolicy_In() {
	policy := robots.Parse([]byte("User-agent: webcrawler\n\nUser-agent: lycra\nDisallow: /\n"))
	fmt.Println("today:", policy.For("webcrawler").Match("/"))
	fmt.Println("1994: ", policy.In(robots.Koster1994).For("webcrawler").Match("/"))
	// Output:
	// today: disallowed by line 4: Disallow: /
	// 1994:  allowed: no rule of the group matches
}

func ExamplePolicy_Lines() {
	policy := robots.Parse([]byte("Disallow: /x\nUser-agent: *\nDisallow: /y\n"))
	for n, line := range policy.Lines() {
		fmt.Println(n, line.Kind, line.Value)
	}
	// Output:
	// 1 stray /x
	// 2 user-agent *
	// 3 disallow /y
}

// A site may allow or refuse uses of its content.
func ExampleGroup_Usage() {
	policy := robots.Parse([]byte("User-agent: *\nContent-Usage: train-ai=n\nContent-Usage: /press/ train-ai=y\n"))
	group := policy.For("ExampleBot")
	fmt.Println(group.Usage("/articles/1", "train-ai"))
	fmt.Println(group.Usage("/press/1", "train-ai"))
	fmt.Println(group.Usage("/press/1", "search"))
	// Output:
	// n
	// y
	// unknown
}
