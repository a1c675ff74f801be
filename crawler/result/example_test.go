package result_test

import (
	"fmt"
	"strings"

	"github.com/robotsexclusion/robots/crawler/result"
)

// A program reads the file of results line by line.
func ExampleParse() {
	const file = `{"url":"https://example.com/","status":200,"title":"Home","depth":0}
{"url":"https://example.com/private/","reason":"disallowed","depth":1,"via":"https://example.com/"}
`
	for text := range strings.Lines(file) {
		line, err := result.Parse([]byte(text))
		if err != nil {
			panic(err)
		}
		if line.Reason == result.None {
			fmt.Println(line.URL, line.Status, line.Title)
		} else {
			fmt.Println(line.URL, line.Reason)
		}
	}
	// Output:
	// https://example.com/ 200 Home
	// https://example.com/private/ disallowed
}
