package answers_test

import (
	"fmt"

	"github.com/robotsexclusion/robots"
	"github.com/robotsexclusion/robots/server/answers"
)

// The answer is the JSON that the service sends.
func ExampleProve() {
	p := robots.Parse([]byte("User-agent: *\nDisallow: /private/\n"))
	proofs, err := answers.Prove(p, "* may fetch /public/", false, nil)
	fmt.Printf("%s%v\n", proofs, err)
	// Output:
	// {"claims":[{"line":1,"text":"* may fetch /public/","holds":true,"decided":true}]}
	// <nil>
}
