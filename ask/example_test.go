package ask_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/robotsexclusion/robots/ask"
)

// A server answers the body of a request, and counts the lines that were not question.
func ExampleServer() {
	body := strings.NewReader(`{"robots": "User-agent: *\nDisallow: /private/\n", "url": "/private/x", "id": 1}
{"url": "/", "id": 2}
{"id": 3}
`)
	server := &ask.Server{Policies: new(ask.Policies)}
	failed, err := server.Serve(context.Background(), body, os.Stdout)
	fmt.Println(failed, err)
	// Output:
	// {"id":1,"allowed":false,"reason":"rule","line":2,"rule":"Disallow: /private/"}
	// {"id":2,"allowed":true,"reason":"no-rule"}
	// {"id":3,"error":"the line has no \"url\" to ask about"}
	// 1 <nil>
}
