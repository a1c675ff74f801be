package merge_test

import (
	"fmt"

	"github.com/robotsexclusion/robots/proof/merge"
)

func ExampleJoin() {
	file, err := merge.Join([]merge.Fragment{
		{Name: "site.txt", Text: []byte("User-agent: *\nDisallow: /admin/\n")},
		{Name: "shop.txt", Text: []byte("User-agent: Googlebot\nDisallow: /cart/\n")},
	}, merge.Options{Wishes: []merge.Wish{{Robots: "GPTBot"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(file.Text)
	// Output:
	// # Built by 'robots build', from:
	// #   site.txt
	// #   shop.txt
	// # with:
	// #   --block GPTBot
	// # Change these, and build it again.
	//
	// User-agent: *
	// # site.txt
	// Disallow: /admin/
	//
	// User-agent: Googlebot
	// # site.txt, which says so to everyone
	// Disallow: /admin/
	// # shop.txt
	// Disallow: /cart/
	//
	// User-agent: GPTBot
	// # --block GPTBot
	// Disallow: /
}
